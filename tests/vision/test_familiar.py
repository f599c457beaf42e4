"""What was looked at with nothing unknown about, and looks the same, is not looked at again."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.films import as_bgr, patterned
from vision.attention import Attention
from vision.frame import Frame
from vision.looking import Looker
from vision.slots import Slot, SlotBook
from vision.table import PieceKind, PieceReading, Quad

TABLE = (patterned(240, 320, 1) // 6 + 90).astype(np.uint8)
FPS = 30
PLACE: Quad = ((96.0, 64.0), (160.0, 64.0), (160.0, 144.0), (96.0, 144.0))
INNER: Quad = ((102.0, 70.0), (154.0, 70.0), (154.0, 138.0), (102.0, 138.0))


def frame_of(luma: np.ndarray, index: int) -> Frame:
    return Frame(index, index / FPS, luma, as_bgr(luma))


def watched(*pictures: np.ndarray, each: int = 20) -> tuple[Attention, Frame]:
    """The table with nothing on it, and pictures that are then shown for so many frames each."""
    frame = frame_of(TABLE, 0)
    attention = Attention(frame)
    for picture in [TABLE] * 10:
        frame = frame_of(picture, frame.index + 1)
        attention.take(frame)
    attention.learn(np.ones_like(attention.gate.moving), frame.timestamp_s, ())
    for picture in pictures:
        for _ in range(each):
            frame = frame_of(picture, frame.index + 1)
            attention.take(frame)
    return attention, frame


def with_card(levels: int = 60) -> np.ndarray:
    """The table with something in `PLACE` that is so much brighter."""
    luma = TABLE.copy()
    luma[64:144, 96:160] += levels
    return luma


def test_nothing_is_familiar_before_it_was_looked_at() -> None:
    assert not Attention(frame_of(TABLE, 0)).familiar().any()


def test_where_a_hand_only_passed_the_table_is_familiar_and_needs_no_look() -> None:
    attention, frame = watched(with_card(), TABLE)
    attention.gate.settled(frame.timestamp_s)
    assert attention.gate.moved_after(0.4).any()
    assert attention.familiar().all()
    assert not attention.quiet_since_moved(frame, 0.4).any()


@pytest.mark.parametrize("levels", [60, 7])
def test_what_lies_there_now_is_not_familiar_though_it_be_pale(levels: int) -> None:
    attention, _ = watched(with_card(levels))
    inside = attention.cells_in(INNER)
    assert not attention.familiar()[inside].any()
    assert attention.familiar()[~attention.gate.cells_of(attention.bounds(PLACE))].all()


def test_light_that_changes_leaves_the_table_familiar() -> None:
    darker = [np.round(TABLE * (1 - 0.01 * step)).astype(np.uint8) for step in range(1, 16)]
    attention, _ = watched(*darker, each=2)
    assert attention.familiar().mean() > 0.95


def test_what_is_near_a_hand_or_moves_is_not_learned() -> None:
    attention, frame = watched(with_card())
    everywhere = np.ones_like(attention.gate.moving)
    attention.learn(everywhere, frame.timestamp_s, [PLACE])
    assert not attention.familiar()[attention.cells_in(INNER)].any()
    moved = frame_of(TABLE, frame.index + 1)
    attention.take(moved)
    attention.learn(everywhere, moved.timestamp_s, ())
    attention.take(frame_of(with_card(), moved.index + 1))
    assert not attention.familiar()[attention.cells_in(INNER)].any()


def test_a_moved_camera_leaves_nothing_familiar() -> None:
    attention, frame = watched()
    assert attention.familiar().all()
    attention.restart(frame, np.eye(3))
    assert not attention.familiar().any()


@pytest.mark.parametrize("is_known_there", [False, True])
def test_a_familiar_table_explains_a_change_but_no_piece_that_has_left_it(
    is_known_there: bool,
) -> None:
    attention, frame = watched(with_card())
    cells = attention.gate.settled(frame.timestamp_s)
    attention.gate.accept(cells)
    slots = SlotBook()
    if is_known_there:
        piece = PieceReading(PieceKind.CARD, 0.99, PLACE, face_id="a01")
        slots.add(Slot(0, piece, 0.0, (), look=attention.look_of(PLACE, frame)))
    for _ in range(20):
        frame = frame_of(TABLE, frame.index + 1)
        attention.take(frame)
    cells = attention.gate.settled(frame.timestamp_s)
    assert cells.any()
    look = Looker(NoReader(), slots).recall(attention, frame, cells)
    assert (look is None) == is_known_there


class NoReader:
    """A reader that must not be asked."""

    kinds = frozenset({PieceKind.CARD})

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"{name} was asked")
