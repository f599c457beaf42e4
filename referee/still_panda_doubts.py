"""What is in doubt about a photographed Panda board as a whole: its place, its parts in view."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from referee.adapter.answers import Json, format_doubt
from referee.games.panda_gorilla.model import Board, Space
from vision.board_registration import Registration
from vision.board_view import BoardView, Points
from vision.slots import to_quad
from vision.table import BoardReading, Quad, SpaceState

_LEAST_SPACE_PX = 50
"""Pictures shrunk to 35 to 48 pixels a space had chips misread; with 67 and more none had."""


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
