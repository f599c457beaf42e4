"""Chips a few pixels wide, in grain: told as softly as they are seen, and nothing else for one."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_chip_naming import NAMING_PX, SOFT, ChipNamer, without_grain
from vision.board_chips import SURE_SHARE, ChipReader
from vision.board_print import PrintedFace
from vision.board_view import FlatBoard

SPACE_MM, SIZE_MM = 45.0, 14.0
SIDE = 2 * NAMING_PX
LAWN, SKIN = (0.2, 0.6, 0.25), (0.45, 0.6, 0.85)
PLACE = (0.75, 0.75)
NEAR = FlatBoard(
    np.zeros((SIDE, SIDE, 3), np.uint8), np.ones((SIDE, SIDE), np.bool_), (0.0, 0.0), NAMING_PX
)


def chip(name: str, colour: tuple[int, int, int]) -> PrintedFace:
    """A round chip: a dotted ring of the colour around an animal drawn in thin dark lines."""
    picture = np.zeros((200, 200, 4), np.uint8)
    cv2.circle(picture, (100, 100), 99, (*colour, 255), -1)
    for angle in np.linspace(0, 2 * np.pi, 12, endpoint=False):
        dot = np.round(100 + 84 * np.array([np.cos(angle), np.sin(angle)])).astype(int)
        cv2.circle(picture, (int(dot[0]), int(dot[1])), 7, (230, 240, 250, 255), -1)
    cv2.circle(picture, (100, 100), 70, (60, 40, 50, 255), -1)
    cv2.circle(picture, (100, 100), 64, (220, 240, 250, 255), -1)
    for radius in range(10, 60, 12):
        cv2.circle(picture, (100, 92), radius, (50, 30, 40, 255), 6)
    cv2.circle(picture, (100, 165), 16, (*colour, 255), -1)
    return PrintedFace(name, "chip", picture, (SIZE_MM, SIZE_MM), ("", "", "", ""))


CHIPS = (chip("red", (40, 30, 220)), chip("blue", (210, 90, 30)), chip("green", (60, 150, 30)))
READER = ChipReader(CHIPS, SPACE_MM)


def seen_coarsely(thing: NDArray[np.uint8]) -> NDArray[np.float32]:
    """A thing (n, n, 4) on a lawn, as a picture of 40 pixels a space shows it, grainy."""
    light = np.tile(np.array(LAWN, np.float32), (SIDE, SIDE, 1))
    side = round(SIZE_MM / SPACE_MM * NAMING_PX)
    small = cv2.resize(thing, (side, side), interpolation=cv2.INTER_AREA) / 255
    left, top = (round(place * NAMING_PX - side / 2) for place in PLACE)
    part = light[top : top + side, left : left + side]
    light[top : top + side, left : left + side] = part + small[..., 3:] * (small[..., :3] - part)
    coarse = cv2.resize(light, (80, 80), interpolation=cv2.INTER_AREA)
    coarse = cv2.GaussianBlur(coarse, (0, 0), 0.6)
    coarse = coarse + np.random.default_rng(5).normal(0, 0.08, coarse.shape)
    return np.asarray(cv2.resize(coarse, (SIDE, SIDE)), np.float32)


def test_a_coarse_chip_is_told_softly_where_it_is_not_told_sharply() -> None:
    for face in CHIPS:
        light = seen_coarsely(face.image)
        sharp = READER.look_near(light, NEAR, [PLACE])
        assert all(look.cost > SURE_SHARE for look in sharp)
        (look,) = READER.look_softly(light, NEAR, [PLACE])
        assert look.face is face
        assert np.hypot(*np.subtract(look.centre, PLACE)) < 0.03


def test_a_round_thing_of_no_chips_colour_is_none_softly_either() -> None:
    """The chips' own lines in shades of skin: which of them it were nobody could tell."""
    tip = CHIPS[0].image.copy()
    shade = tip[..., :3].mean(axis=2, keepdims=True) / 255
    tip[..., :3] = np.round(255 * np.array(SKIN) * (0.4 + 0.6 * shade)).astype(np.uint8)
    assert READER.look_softly(seen_coarsely(tip), NEAR, [PLACE]) == []


def test_a_lawn_has_no_chip() -> None:
    assert READER.look_softly(seen_coarsely(np.zeros((8, 8, 4), np.uint8)), NEAR, [PLACE]) == []


def test_a_chip_that_might_be_another_is_told_softly() -> None:
    """What is clear stays as it is."""
    light = seen_coarsely(CHIPS[0].image)
    (clear,) = READER.look_softly(light, NEAR, [PLACE])
    vague = replace(clear, rival=CHIPS[1], rival_cost=1.05 * clear.cost)
    (told,) = READER.tell_apart(light, NEAR, [vague])
    assert told.face is clear.face
    assert told.margin > 1.3
    wrong = replace(vague, face=CHIPS[1], rival=CHIPS[0])
    assert [told.face for told in READER.tell_apart(light, NEAR, [wrong])] == [CHIPS[0]]
    assert READER.tell_apart(light, NEAR, [clear])[0] is clear


def test_one_figure_in_two_colours_is_told_by_them() -> None:
    """And nothing by the colours of what has neither's."""
    soft = ChipNamer(CHIPS, SPACE_MM, SOFT)
    light = without_grain(seen_coarsely(CHIPS[1].image))
    (look,) = soft.name(light, NEAR, NEAR.pixel_of(np.array([PLACE])))
    wrong = replace(look, face=CHIPS[2], rival=CHIPS[1], rival_cost=1.01 * look.cost)
    told = soft.told_by_colour(light, NEAR, wrong)
    assert (told.face, told.rival) == (CHIPS[1], CHIPS[2])
    assert told.margin > 1.3
    other = without_grain(seen_coarsely(CHIPS[0].image))
    assert soft.told_by_colour(other, NEAR, wrong) is wrong


def test_chips_lie_apart() -> None:
    (look,) = READER.look_softly(seen_coarsely(CHIPS[1].image), NEAR, [PLACE])
    assert not READER.lies_apart(look, [look])
    assert READER.lies_apart(look, [])
