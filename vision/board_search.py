"""Looking for a printed board: what is found is proven by its print, what is not found explained.

The four corners of the spaces may be shown by hand. Wherever the print can be seen it decides
where the board lies exactly, and whether they are its corners at all.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_bearing import Bearing
from vision.board_features import FeatureMatch, first_match, match_beside
from vision.board_registration import BoardFinder, Registration
from vision.board_view import Points
from vision.errors import NoTableError

Image = NDArray[np.uint8]

_HAND = 0.5
"""Corners that were shown by hand lie up to this part of a space beside the true ones."""
_MOST_OVERLAP = 0.3
"""Two boards beside each other share little of the picture, even where one is guessed at."""
_GLANCE_PX = 256
_LEAST_DEVIATION = 3.0
"""Deviation, in grey values of 255, below which a picture shows nothing at all."""
_QUARTER_TURNS = 4


def find_board(finder: BoardFinder, image_bgr: Image) -> Registration:
    """Where a board lies in a picture (H, W, 3) uint8, and another one beside it.

    Raises:
        NoTableError: None is seen, or it is mirrored.
    """
    _expect_something(image_bgr)
    found = _search(finder, image_bgr)
    if found is not None:
        return found
    _expect_no_mirror(finder, image_bgr)
    raise NoTableError(
        "expected the board of this deck, its printed border in view, and found none; is it the "
        "right deck, and is it seen sharply from near enough? Where only its spaces are in view, "
        "show their four corners with --corners"
    )


def find_by_corners(finder: BoardFinder, image_bgr: Image, corners_px: Points) -> Registration:
    """Where a board lies whose corners were shown by hand.

    Args:
        finder: Knows the board.
        image_bgr: (H, W, 3) uint8.
        corners_px: (4, 2) the grid's NW, NE, SE, SW corner.

    Raises:
        NoTableError: The print shows that these are not its corners.
    """
    _expect_something(image_bgr)
    given = finder.place(image_bgr, corners_px)
    near = finder.refine(image_bgr, given.view)
    bearing = Bearing.UNTOLD
    if near is not None:
        bearing = finder.bearing.judge(image_bgr, near.view, may_be_shifted=True)
    found = near if bearing is Bearing.RIGHT else _search(finder, image_bgr)
    if found is None:
        _expect_no_mirror(finder, image_bgr)
    elif _beside(finder, found, corners_px) < _HAND:
        return replace(found, another=None)
    elif found.is_proven and _share_in_common(_grid_px(finder, found), corners_px) > _MOST_OVERLAP:
        _refuse_corners(finder, found, corners_px)
    if near is None or bearing is not Bearing.UNTOLD or _beside(finder, near, corners_px) > _HAND:
        return given
    return replace(near, is_proven=False)


def _search(finder: BoardFinder, image_bgr: Image) -> Registration | None:
    for found, match in finder.candidates(image_bgr):
        bearing = finder.bearing.judge(image_bgr, found.view)
        if bearing is Bearing.MIRRORED:
            _refuse_mirrored()
        if bearing is Bearing.UNTOLD:
            _expect_no_mirror(finder, image_bgr)
        if bearing in (Bearing.RIGHT, Bearing.UNTOLD):
            another = _another(finder, image_bgr, found, match)
            return replace(found, another=another, is_proven=bearing is Bearing.RIGHT)
    return None


def _another(
    finder: BoardFinder, image_bgr: Image, found: Registration, match: FeatureMatch
) -> Points | None:
    """The outer corners of the spaces of another board beside the one that was found."""
    if match.seen is None:
        return None
    left, top, right, bottom = finder.board.window
    ends = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    outline = found.view.in_picture(ends)
    rival = match_beside(finder.print_features, match.seen, outline)
    other = None if rival is None else finder.refine_match(image_bgr, rival)
    if other is None:
        return None
    quad = _grid_px(finder, other)
    if _share_in_common(_grid_px(finder, found), quad) > _MOST_OVERLAP:
        return None
    is_board = finder.bearing.judge(image_bgr, other.view) is Bearing.RIGHT
    return quad if is_board else None


def _expect_something(image_bgr: Image) -> None:
    step = max(1, max(image_bgr.shape) // _GLANCE_PX)
    if float(image_bgr[::step, ::step].std(axis=(0, 1)).max()) < _LEAST_DEVIATION:
        raise NoTableError(
            "expected a picture of the board, got one that is all but one colour; is it too dark "
            "or too bright, or is something before the lens?"
        )


def _expect_no_mirror(finder: BoardFinder, image_bgr: Image) -> None:
    """Looks for the board in the mirrored picture, where none was found in it as it is."""
    mirrored = np.ascontiguousarray(image_bgr[:, ::-1])
    gray = np.asarray(cv2.cvtColor(mirrored, cv2.COLOR_BGR2GRAY), np.uint8)
    match = first_match(finder.print_features, gray)
    found = None if match is None else finder.refine_match(mirrored, match)
    if found is not None and finder.bearing.judge(mirrored, found.view) is Bearing.RIGHT:
        _refuse_mirrored()


def _refuse_mirrored() -> None:
    raise NoTableError(
        "expected the board as people see it, got one that is mirrored, as front cameras show it; "
        "take a picture that is not mirrored"
    )


def _refuse_corners(finder: BoardFinder, found: Registration, corners_px: Points) -> None:
    """Says where the corners are that the print shows, and what is wrong with those given."""
    seen, got = _told(_grid_px(finder, found)), _told(corners_px)
    what = f"which lie up to {_beside(finder, found, corners_px):.1f} spaces beside them"
    for turns in range(1, _QUARTER_TURNS):
        if _beside(finder, found, np.roll(corners_px, turns, axis=0)) < _HAND:
            what = f"which are turned by {turns * 90} degrees"
    raise NoTableError(
        "--corners: expected the outer corners of the spaces from the north-west clockwise, which "
        f"the print shows at {seen}, got {got}, {what}"
    )


def _grid_px(finder: BoardFinder, place: Registration) -> Points:
    return place.view.in_picture(finder.board.grid)


def _told(points: Points) -> str:
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in points)


def _beside(finder: BoardFinder, place: Registration, corners_px: Points) -> float:
    """How far corners (4, 2) lie from those of a place at most, in spaces."""
    return float(np.abs(place.view.on_board(corners_px) - finder.board.grid).max())


def _share_in_common(one: Points, other: Points) -> float:
    """Of the smaller of two quads (4, 2), the share that lies in the other one."""
    first, second = np.asarray(one, np.float32), np.asarray(other, np.float32)
    common, _ = cv2.intersectConvexConvex(first, second)
    return float(common) / max(min(cv2.contourArea(first), cv2.contourArea(second)), 1.0)
