"""Where the eye looks next: what rests asks for a look, what only pauses does not."""

from __future__ import annotations

import numpy as np

from tests.vision.films import as_bgr, patterned
from vision.attention import Attention
from vision.frame import Frame

FPS = 30


def asked_after(rests: int, frames: int = 40) -> list[int]:
    """Frames that ask for a look when something comes at frame 10 and lies for so many frames."""
    table = (patterned(240, 320, 1) // 6 + 90).astype(np.uint8)
    asked = []
    attention: Attention | None = None
    for index in range(frames):
        luma = table.copy()
        if 10 <= index < 10 + rests:
            luma[60:150, 90:156] = patterned(90, 66, 2)
        frame = Frame(index, index / FPS, luma, as_bgr(luma))
        if attention is None:
            attention = Attention(frame)
            continue
        attention.take(frame)
        if attention.asking(frame, least_cells=5):
            asked.append(index)
    return asked


def test_an_arm_that_stops_for_a_moment_asks_for_no_look() -> None:
    assert asked_after(rests=7) == []


def test_what_comes_to_rest_asks_for_a_look_once_in_half_a_second() -> None:
    first, second, *_ = asked_after(rests=40)
    assert 17 <= first <= 19
    assert second - first >= FPS / 2


def test_quiet_cells_are_told_only_where_something_moved() -> None:
    table = patterned(240, 320, 1)
    attention = Attention(Frame(0, 0.0, table, as_bgr(table)))
    for index in range(1, 40):
        luma = table.copy()
        if index == 10:
            luma[60:150, 90:156] = patterned(90, 66, 2)
        frame = Frame(index, index / FPS, luma, as_bgr(luma))
        attention.take(frame)
        attention.asking(frame, least_cells=5)
    cells = attention.quiet_since_moved(frame, 0.1)
    around = attention.around(cells)
    assert (around.left, around.top) >= (80, 48)
    assert (around.right, around.bottom) <= (168, 160)
    assert cells.any()
    assert not attention.quiet_since_moved(frame, 0.5).any()


def test_what_a_hand_carries_along_is_not_still_and_what_it_left_is() -> None:
    table = (patterned(240, 320, 1) // 6 + 90).astype(np.uint8)
    attention = Attention(Frame(0, 0.0, table, as_bgr(table)))
    for index in range(1, 20):
        luma = table.copy()
        luma[30:120, 20:86] = patterned(90, 66, 2)
        left = 120 + 5 * index
        luma[130:220, left : left + 66] = patterned(90, 66, 3)
        frame = Frame(index, index / FPS, luma, as_bgr(luma))
        attention.take(frame)
    lying = ((20.0, 30.0), (86.0, 30.0), (86.0, 120.0), (20.0, 120.0))
    x = float(left)
    carried = ((x, 130.0), (x + 66, 130.0), (x + 66, 220.0), (x, 220.0))
    assert attention.share_still(lying, frame.timestamp_s) > 0.9
    assert attention.share_still(carried, frame.timestamp_s) < 0.2


def test_a_bare_dark_table_is_not_the_dark_card_that_lay_there() -> None:
    quad = ((90.0, 60.0), (156.0, 60.0), (156.0, 150.0), (90.0, 150.0))
    table = np.full((240, 320), 42, np.uint8)
    shown = table.copy()
    shown[60:150, 90:156] = 50
    for row in range(66, 144, 13):
        shown[row : row + 2, 96:150] = 120
    frames = [Frame(i, i / FPS, luma, as_bgr(luma)) for i, luma in enumerate((shown, table))]
    attention = Attention(frames[0])
    look = attention.look_of(quad, frames[0])
    covered = shown.copy()
    covered[100:150, 90:156] = 200
    half = Frame(2, 2 / FPS, covered, as_bgr(covered))
    assert attention.likeness(look, quad, frames[1]) > 0.5
    assert not attention.still_shows(look, quad, frames[1])
    # The cloth happens to be a trace lighter where the card was light.
    table[shown == 120] = 44
    assert not attention.still_shows(look, quad, Frame(1, 1 / FPS, table, as_bgr(table)))
    assert attention.still_shows(look, quad, frames[0])
    assert attention.still_shows(look, quad, half) == (attention.likeness(look, quad, half) > 0.5)


def test_a_task_on_another_one_in_dim_light_is_not_the_same_task() -> None:
    quad = ((90.0, 60.0), (156.0, 60.0), (156.0, 150.0), (90.0, 150.0))
    shown, other = (np.full((240, 320), level, np.uint8) for level in (30, 38))
    for picture, inside in ((shown, slice(85, 115)), (other, slice(118, 148))):
        for row in (66, 140):
            picture[row : row + 3, 96:150] = 55
        picture[inside, 105:141] = 60
    frames = [Frame(i, i / FPS, luma, as_bgr(luma)) for i, luma in enumerate((shown, other))]
    attention = Attention(frames[0])
    look = attention.look_of(quad, frames[0])
    assert attention.likeness(look, quad, frames[1]) > 0.6
    assert not attention.still_shows(look, quad, frames[1], 0.6, 0.62)
    assert attention.still_shows(look, quad, frames[0], 0.6, 0.62)
