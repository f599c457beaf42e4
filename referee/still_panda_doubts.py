"""What is in doubt about a photographed Panda board as a whole: its place, its parts in view."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from referee.adapter.answers import Json, format_doubt
from referee.games.panda_gorilla.model import Board, Space
from vision.board_registration import Registration
from vision.board_view import BoardView, Points
from vision.slots import to_quad
from vision.table import BoardReading, Quad, SpaceState

_LEAST_SPACE_PX = 50
"""Pictures shrunk to 35 to 48 pixels a space had chips misread; with 67 and more none had."""

_MANY, _MANY_SHARE = 5, 0.15
"""So many cards that break a rule, and such a share of all, are rather misread than played."""
_MANY_CHIPS = 4
"""So many chips that nobody can have had are rather seen in another colour than played."""


def doubt_place(
    place: Registration, reading: BoardReading, board: Board, *, is_shown: bool
) -> Iterator[Json]:
    """Yields what is in doubt about where a board lies and how much of it is in view.

    Args:
        place: Where it was found.
        reading: What lies on it.
        board: The deck's board.
        is_shown: Whether somebody has shown its corners.
    """
    if place.another is not None:
        yield _doubt_another(place.view, place.another, board)
    if is_shown and not place.is_proven:
        yield {
            "text": "the print in sight does not show whether the corners given are those of the "
            "board: they were believed, from the north-west clockwise"
        }
    yield from ({"text": text} for text in _told_beyond(reading, board))
    yield from ({"text": text} for text in _told_small(place.view, board))


def doubt_ruling(answer: Json, reading: BoardReading, board: Board) -> Iterator[Json]:
    """Yields what is in doubt about a ruling as a whole.

    Args:
        answer: The ruling, as `judge_board` gives it.
        reading: The board that it is about.
        board: The deck's board.
    """
    laid = sum("card" in tile for tile in answer["position"]["tiles"])
    broken = {(breach["row"], breach["col"]) for breach in answer["illegal"]}
    if len(broken) >= _MANY and len(broken) > _MANY_SHARE * laid:
        yield {
            "text": f"{len(broken)} of {laid} cards break a rule, so many that they may be "
            "misread: is it the right deck, and is the picture sharp and well lit?"
        }
    chips = sum(breach["rule"] == "chip-colour" for breach in answer["illegal"])
    if chips >= _MANY_CHIPS:
        yield {
            "text": f"{chips} chips are of a colour that nobody may lay there: the colours of the "
            "picture may be wrong, and whose chips these are with them"
        }
    unseen = {
        (space.row, space.col)
        for space in reading.spaces
        if space.state is SpaceState.UNSEEN and Space(space.row, space.col) not in board.entrance
    }
    count = sum(bool(area["points"]) and _is_beside(area, unseen) for area in answer["areas"])
    if count:
        yield {
            "text": f"points may be others in {count} {'area' if count == 1 else 'areas'} beside "
            "spaces that were not seen"
        }


def _is_beside(area: Json, spaces: Collection[tuple[int, int]]) -> bool:
    """Whether a quarter of an area lies at the side of one of some spaces."""
    return any(
        beside in spaces
        for row, col, quarter in area["quarters"]
        for beside in (
            (row + (1 if "s" in quarter else -1), col),
            (row, col + (1 if "e" in quarter else -1)),
        )
    )


def _doubt_another(view: BoardView, another: Points, board: Board) -> Json:
    middle = view.in_picture(np.array([[board.cols / 2, board.rows / 2]]))[0]
    east, south = middle - another.mean(axis=0)
    side = ("left", "right")[int(east > 0)]
    if abs(south) > abs(east):
        side = ("top", "bottom")[int(south > 0)]
    text = (
        f"two boards are in sight, and only the one at the {side} was read; take a picture of one "
        "of them alone, or show its corners with --corners"
    )
    return format_doubt("board", 0.0, to_quad(another), text)


def _told_beyond(reading: BoardReading, board: Board) -> Iterator[str]:
    """Says how many spaces lie beyond the picture's edge."""
    asked = [space for space in reading.spaces if Space(space.row, space.col) not in board.entrance]
    beyond = sum(
        space.state is SpaceState.UNSEEN and _is_cut(space.quad_px, reading) for space in asked
    )
    if beyond:
        yield (
            f"only part of the board is in the picture, without {beyond} of its {len(asked)} "
            "spaces: nothing there is scored"
        )


def _is_cut(quad: Quad, reading: BoardReading) -> bool:
    corners = np.asarray(quad)
    size = (reading.width_px, reading.height_px)
    return bool(((corners < 0) | (corners > size)).any())


def _told_small(view: BoardView, board: Board) -> Iterator[str]:
    """Says that chips may be misread where a picture shows the board too small for them."""
    middles = np.argwhere(np.ones((board.cols, board.rows))) + 0.5
    space_px = float(np.median(view.space_px(middles)))
    if space_px < _LEAST_SPACE_PX:
        yield (
            f"a space is {space_px:.0f} pixels long in the picture, expected at least "
            f"{_LEAST_SPACE_PX}: colours and sizes of chips may be misread; take one from nearer"
        )
