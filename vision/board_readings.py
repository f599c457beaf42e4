"""What was seen of a board's spaces and chips, as readings of the table: sure, or with a doubt."""

from __future__ import annotations

import numpy as np

from vision.board_chip_naming import ChipLook
from vision.board_looks import Lying, SpaceLook, quarter_of
from vision.board_obscure import Obscure
from vision.board_view import BoardView
from vision.slots import to_quad
from vision.table import ChipReading, ObscureReading, Quad, SpaceReading, SpaceState

LEAST_EXPLAINED = 0.32
"""Where fewer of a space's pixels agree with any reading, something else lies over it."""
_LEAST_BESIDE = 0.22
"""The same where only what is beside that thing was compared: two fifths of a card tell it."""
_BARE_EXPLAINED, BARE_MARGIN, MOSTLY_DAZZLED = 0.7, 3.0, 0.6
"""The bare board is even but for its entrance and signs: light fitted to it can explain away much
of what lies there, so more is asked of it; and where a lamp leaves less than the rest of a space's
colours, cards are as even."""
CLOSE = 1.2
"""A second reading that is less than this many times as wrong, where the two differ, is a doubt."""
_WHOLLY_SHOWN, _CLOSE_CUT = 0.95, 1.5
"""The same where the picture's edge cuts a space: of 142 cards that were cut and read right every
one was ahead by 1.6 and more, and one of which little was left, read wrong, by 1.4."""
_CLOSE_CHIP, _CLOSE_FAINT, _FAINT = 1.02, 1.1, 0.6
"""The same for chips; of one that leaves much of the picture open more is asked."""
_BETWEEN_MM = 1.5
"""A chip's middle nearer than this to the border of its quarter may be meant for the next one."""


def space_reading(
    look: SpaceLook, view: BoardView, space_mm: float, *, is_print: bool, is_sheet: bool
) -> SpaceReading:
    """A space's look as the table has it.

    Args:
        look: The space.
        view: Where the board lies.
        space_mm: Side of a space.
        is_print: Whether what is read is the board, where more than sand is printed on it.
        is_sheet: Whether what is read as the board is something plain that lies over it.
    """
    home = (look.col + 0.5, look.row + 0.5)
    best, rival = look.best, look.rival
    if best is None or rival is None or is_sheet:
        quad = _quad(view, home, (1.0, 1.0), 0.0)
        score = 1.0 if is_sheet else 1 - look.shown
        return SpaceReading(look.row, look.col, SpaceState.UNSEEN, score, quad)
    state, score = _judge(look, best, is_print=is_print)
    if best.face is None or state is SpaceState.UNSEEN:
        quad = _quad(view, home, (1.0, 1.0), 0.0)
    else:
        size = best.face.size_mm
        spaces = (size[0] / space_mm, size[1] / space_mm)
        quad = _quad(view, look.centre, spaces, best.rotation + look.turn_deg)
    face = best.face
    return SpaceReading(
        row=look.row,
        col=look.col,
        state=state,
        score=score,
        quad_px=quad,
        face_id=None if face is None else face.id,
        face_kind=None if face is None else face.kind,
        rotation=best.rotation,
        runner_up=None if rival.face is None else (rival.face.id, rival.rotation),
        explained=look.explained * look.visible,
    )


def chip_reading(chip: ChipLook, look: SpaceLook, view: BoardView, space_mm: float) -> ChipReading:
    """A chip as the table has it, on the space of which the look is given."""
    east, south = chip.centre[0] - look.centre[0], chip.centre[1] - look.centre[1]
    quarter = quarter_of(east, south)
    edge = min(abs(east), abs(south)) * space_mm
    diameter = chip.face.size_mm[0] / space_mm
    is_close = chip.margin < (_CLOSE_CHIP if chip.cost < _FAINT else _CLOSE_FAINT)
    return ChipReading(
        row=look.row,
        col=look.col,
        quarter=quarter,
        face_id=chip.face.id,
        score=_sureness(chip.margin, _CLOSE_CHIP),
        quad_px=_quad(view, chip.centre, (diameter, diameter), chip.turn_deg),
        runner_up=chip.rival.id if is_close and chip.rival is not None else None,
        is_between=edge < _BETWEEN_MM,
    )


def obscure_reading(each: Obscure, view: BoardView) -> ObscureReading:
    """A place where a chip may lie unread, as the table has it."""
    quad = _quad(view, each.centre, (each.size, each.size), 0.0)
    return ObscureReading(each.look.row, each.look.col, each.quarter, each.score, quad)


def _quad(
    view: BoardView, centre: tuple[float, float], size: tuple[float, float], turn_deg: float
) -> Quad:
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size) / 2
    cos, sin = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
    turned = half @ np.array([[cos, sin], [-sin, cos]]) + np.array(centre)
    return to_quad(view.in_picture(turned))


def _judge(look: SpaceLook, best: Lying, *, is_print: bool) -> tuple[SpaceState, float]:
    seen = look.explained * look.visible
    if seen < (LEAST_EXPLAINED if look.visible == 1 else _LEAST_BESIDE):
        return SpaceState.UNSEEN, 1 - seen
    score = _sureness(look.margin, CLOSE)
    if look.margin < (CLOSE if look.shown > _WHOLLY_SHOWN else _CLOSE_CUT):
        return SpaceState.DOUBTFUL, score
    is_hardly_seen = look.explained < _BARE_EXPLAINED or look.dazzled > MOSTLY_DAZZLED
    is_fitted_only = look.margin < BARE_MARGIN and is_hardly_seen
    if best.face is None and is_fitted_only and not is_print:
        return SpaceState.DOUBTFUL, min(score, look.explained)
    state = SpaceState.EMPTY if best.face is None else SpaceState.COVERED
    return state, score


def _sureness(margin: float, close: float) -> float:
    """0 where the next reading is as good, 0.5 where a doubt begins, towards 1."""
    return float(1 - np.exp(-(margin - 1) / (close - 1) * np.log(2)))
