"""What lay beneath another Camera is dated by that one, not by when it came into sight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.films import as_bgr, patterned
from vision.attention import Attention
from vision.frame import Frame
from vision.landing_dates import LandingDates
from vision.slots import Slot, SlotBook
from vision.table import PieceKind, PieceReading, Quad

FPS = 30
LOWER_LANDS, UPPER_LANDS, UPPER_LEAVES = 20, 24, 52


def quad_at(left: float, top: float) -> Quad:
    return ((left, top), (left + 66, top), (left + 66, top + 90), (left, top + 90))


PLACE, HOMES = quad_at(120, 75), {"cam-red": quad_at(10, 75), "cam-blue": quad_at(240, 75)}


def luma_of(index: int, *, bit_by_bit: bool) -> np.ndarray:
    """Red leaves home and lands unseen beneath an arm, blue on it; then blue is taken back."""
    picture = (patterned(240, 320, 1) // 6 + 90).astype(np.uint8)
    red, blue = patterned(90, 66, 2), patterned(90, 66, 7)
    if index < 12:
        picture[75:165, 10:76] = red
    if index < 14:
        picture[75:165, 240:306] = blue
    if UPPER_LANDS <= index < UPPER_LEAVES:
        picture[75:165, 120:186] = blue
    elif index >= UPPER_LEAVES:
        picture[75:165, 120:186] = red
    if 15 <= index < 31:
        picture[65:175, 110:196] = 130
    if bit_by_bit and 44 <= index < 64:
        picture[75 + 9 * max(0, index - 54) : 175, 110:196] = 130
    return picture


def piece(face_id: str, quad: Quad) -> PieceReading:
    return PieceReading(PieceKind.CAMERA, 0.99, quad, face_id=face_id, face_kind="camera")


def frame_of(index: int, *, bit_by_bit: bool) -> Frame:
    luma = luma_of(index, bit_by_bit=bit_by_bit)
    return Frame(index, index / FPS, luma, as_bgr(luma))


@pytest.mark.parametrize("is_lift_told", [True, False])
def test_a_camera_beneath_another_landed_before_it(*, is_lift_told: bool) -> None:
    bit_by_bit = not is_lift_told
    slots = SlotBook()
    dates = LandingDates(slots)
    first = frame_of(0, bit_by_bit=bit_by_bit)
    attention = Attention(first)
    for face, home in HOMES.items():
        look = attention.look_of(home, first)
        slots.add(Slot(0, piece(face, home), 0.0, (), look))
    for index in range(1, 70):
        frame = frame_of(index, bit_by_bit=bit_by_bit)
        attention.take(frame)
        if index == 36:
            blue = piece("cam-blue", PLACE)
            landing = dates.date(attention, blue, frame)
            (home,) = slots.find_elsewhere(blue)
            slots.remove(home)
            look = attention.look_of(PLACE, frame)
            half_s = landing.half_width_s
            upper = slots.add(Slot(0, blue, landing.timestamp_s, (), look, since_half_s=half_s))
        if index == UPPER_LEAVES and is_lift_told:
            slots.remove(upper)
            dates.lift(upper, frame.timestamp_s)
    red = dates.date(attention, piece("cam-red", PLACE), frame)
    assert red.timestamp_s < upper.since_s
    assert abs(red.timestamp_s - LOWER_LANDS / FPS) <= red.half_width_s


def test_a_task_that_is_turned_onto_one_with_the_same_frame_landed_after_it() -> None:
    def task(seed: int) -> np.ndarray:
        print_ = patterned(90, 66, 5)
        print_[30:60, 12:54] = patterned(30, 42, seed)
        return print_

    def shown(index: int) -> Frame:
        picture = (patterned(240, 320, 1) // 6 + 90).astype(np.uint8)
        if index >= 10:
            picture[75:165, 120:186] = task(8 if index < 40 else 9)
        if 30 <= index < 44:
            picture[65:120, 110:196] = 130
        return Frame(index, index / FPS, picture, as_bgr(picture))

    slots = SlotBook()
    dates = LandingDates(slots)
    attention = Attention(shown(0))
    for index in range(1, 60):
        frame = shown(index)
        attention.take(frame)
        if index == 20:
            lower = PieceReading(PieceKind.CARD, 0.99, PLACE, face_id="t01", face_kind="task")
            slots.add(Slot(0, lower, 10 / FPS, (), attention.look_of(PLACE, frame)))
    upper = PieceReading(PieceKind.CARD, 0.99, PLACE, face_id="t02", face_kind="task")
    landing = dates.date(attention, upper, frame)
    assert landing.timestamp_s + landing.half_width_s >= 40 / FPS
    assert landing.timestamp_s >= 28 / FPS


def test_nothing_landed_before_it_was_last_seen_at_home() -> None:
    slots = SlotBook()
    dates = LandingDates(slots)
    first = frame_of(0, bit_by_bit=False)
    attention = Attention(first)
    for index in range(1, 60):
        frame = frame_of(index, bit_by_bit=False)
        attention.take(frame)
    dates.see(piece("cam-red", HOMES["cam-red"]), 1.0)
    assert dates.date(attention, piece("cam-red", PLACE), frame).timestamp_s >= 1.0


@pytest.mark.parametrize(("visible", "landed"), [(0.97, 25), (0.6, 52)])
def test_a_camera_that_lies_bare_at_once_landed_under_the_hand_that_left(
    visible: float, landed: int
) -> None:
    first = frame_of(0, bit_by_bit=False)
    attention, dates = Attention(first), LandingDates(SlotBook())
    for index in range(1, 58):
        luma = luma_of(index, bit_by_bit=False)
        if 18 <= index < UPPER_LEAVES:  # the hand that brings the red one lies on it until then
            luma[65:175, 110:196] = 130
        frame = Frame(index, index / FPS, luma, as_bgr(luma))
        attention.take(frame)
    red = replace(piece("cam-red", PLACE), visible=visible)
    landing = dates.date(attention, red, frame)
    assert abs(landing.timestamp_s - landed / FPS) <= landing.half_width_s
    assert (landing.half_width_s > 0.3) is (visible > 0.9)
