"""Chips of which something leaves a part in sight are named by it; skin is never made a chip."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.board_chip_naming import NAMING_PX
from vision.board_chips_beneath import BeneathReader
from vision.board_looks import EVEN_LIGHT, FINE_PX, Lying, SpaceLook
from vision.board_print import PrintedFace
from vision.board_view import FlatBoard

SPACE_MM = 45.0
SIDE = 58
LAWN, PATH, SKIN = (0.2, 0.6, 0.25), (0.6, 0.85, 0.95), (0.45, 0.6, 0.85)
RED, BLUE, CREAM, DARK = (40, 30, 220), (210, 90, 30), (220, 240, 250), (50, 30, 40)
HIGH = WIDE = 2 * NAMING_PX
NEAR = FlatBoard(
    np.zeros((HIGH, WIDE, 3), np.uint8), np.ones((HIGH, WIDE), np.bool_), (0.0, 0.0), NAMING_PX
)
MIDDLE = (72, 72)
"""Of the south-east quarter of the first space, in pixels."""


def chip(name: str, colour: tuple[int, int, int], size_mm: float) -> PrintedFace:
    """A round chip: a ring of the colour around something dark upon cream."""
    picture = np.zeros((200, 200, 4), np.uint8)
    cv2.circle(picture, (100, 100), 99, (*colour, 255), -1)
    cv2.circle(picture, (100, 100), 66, (*CREAM, 255), -1)
    cv2.circle(picture, (100, 80), 26, (*DARK, 255), -1)
    return PrintedFace(name, "chip", picture, (size_mm, size_mm), ("", "", "", ""))


CHIPS = (chip("red-small", RED, 14), chip("red-large", RED, 20), chip("blue-large", BLUE, 20))
BROWN = replace(CHIPS[0], id="brown-small", image=CHIPS[0].image.copy())
BROWN.image[..., :3] = np.round(255 * np.array(SKIN))
"""A chip all of a finger's colour."""


def lawn() -> NDArray[np.float32]:
    light = np.tile(np.array(LAWN, np.float32), (HIGH, WIDE, 1))
    light[:, 40:56] = PATH
    return light


def lay(
    light: NDArray[np.float32], face: PrintedFace, shades: tuple[float, float] = (1.0, 1.0)
) -> NDArray[np.float32]:
    """The same with a chip in the south-east quarter of the first space, shaded west to east."""
    side = round(face.size_mm[0] / SPACE_MM * NAMING_PX)
    small = cv2.resize(face.image, (side, side), interpolation=cv2.INTER_AREA) / 255
    left, top = MIDDLE[0] - side // 2, MIDDLE[1] - side // 2
    part = light[top : top + side, left : left + side]
    shade = np.linspace(*shades, side)[None, :, None]
    part += small[..., 3:] * (small[..., :3] * shade - part)
    return light


def cover_with_finger(
    light: NDArray[np.float32], left: int
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The same under a finger whose western side is at a column, and where the finger lies."""
    over = np.zeros((HIGH, WIDE), np.uint8)
    cv2.rectangle(over, (left, 45), (left + 40, HIGH - 1), 1, -1)
    shine = np.linspace(0.9, 1.1, WIDE, dtype=np.float32)[None, :, None]
    skin = (np.array(SKIN, np.float32) * shine).repeat(HIGH, axis=0)
    skin += np.random.default_rng(7).normal(0, 0.04, skin.shape)
    light[over > 0] = skin[over > 0]
    small = cv2.resize(over, (2 * FINE_PX, 2 * FINE_PX), interpolation=cv2.INTER_NEAREST)
    return light, small > 0


def looks(light: NDArray[np.float32]) -> list[SpaceLook]:
    """The first space and the one below it, read as lawn with a path."""
    card = PrintedFace("card", "path", np.zeros((1, 1, 4), np.uint8), (44, 44), ("", "", "", ""))
    off = ((light - lawn()) ** 2).sum(axis=2)
    found = []
    for row in range(2):
        whole = off[row * NAMING_PX : (row + 1) * NAMING_PX, :NAMING_PX]
        small = cv2.resize(whole, (FINE_PX, FINE_PX), interpolation=cv2.INTER_AREA)
        errors = np.ascontiguousarray(small[3:-3, 3:-3], np.float32)
        lying = Lying(card, 0, 0.0)
        centre = (0.5, row + 0.5)
        found.append(
            SpaceLook(row, 0, lying, ((lying, 9.0),), centre, 0.0, 0.8, errors, 1.0, EVEN_LIGHT)
        )
    return found


def read(
    light: NDArray[np.float32], cover: NDArray[np.bool_], free: NDArray[np.float32] | None = None
) -> list[str]:
    counts = np.ones((HIGH, WIDE), np.float32) if free is None else free
    reader = BeneathReader(CHIPS, SPACE_MM)
    return [each.face.id for each in reader.look(light, counts, NEAR, cover, looks(light))]


@pytest.mark.parametrize("shades", [(1.0, 1.0), (0.75, 0.75), (0.3, 1.3)])
@pytest.mark.parametrize("face", CHIPS, ids=lambda face: face.id)
def test_half_a_chip_is_named(face: PrintedFace, shades: tuple[float, float]) -> None:
    assert read(*cover_with_finger(lay(lawn(), face, shades), MIDDLE[0])) == [face.id]


def test_a_finger_is_no_chip_of_its_colour() -> None:
    light, cover = cover_with_finger(lawn(), 58)
    ones = np.ones((HIGH, WIDE), np.float32)
    reader = BeneathReader((*CHIPS, BROWN), SPACE_MM)
    assert reader.look(light, ones, NEAR, cover, looks(light)) == []


def test_nothing_beside_a_thing_is_a_chip_upon_a_pond() -> None:
    """Chips are for cards that lie face up."""
    light, cover = cover_with_finger(lay(lawn(), CHIPS[1]), MIDDLE[0])
    ones = np.ones((HIGH, WIDE), np.float32)
    pond = PrintedFace("pond", "back", np.zeros((1, 1, 4), np.uint8), (44, 44), ("pond",) * 4)
    ponds = [replace(look, best=Lying(pond, 0, 0.0)) for look in looks(light)]
    assert BeneathReader(CHIPS, SPACE_MM).look(light, ones, NEAR, cover, ponds) == []


def test_a_slip_of_a_chip_is_not_named() -> None:
    assert read(*cover_with_finger(lay(lawn(), CHIPS[1]), MIDDLE[0] - 11)) == []


def test_what_lies_outside_of_the_picture_is_no_chip() -> None:
    light, cover = cover_with_finger(lay(lawn(), CHIPS[1]), MIDDLE[0])
    inside = np.ones((HIGH, WIDE), np.float32)
    inside[:, : MIDDLE[0]] = 0
    assert read(light, cover) == ["red-large"]
    assert read(light, cover, inside) == []


@pytest.mark.parametrize("face", CHIPS, ids=lambda face: face.id)
def test_half_a_chip_at_the_edge_of_the_picture_is_named(face: PrintedFace) -> None:
    """Beyond it the last column is repeated, and nothing lies over the board."""
    light = lay(lawn(), face)
    light[:, MIDDLE[0] + 3 :] = light[:, MIDDLE[0] + 2 : MIDDLE[0] + 3]
    inside = np.ones((HIGH, WIDE), np.bool_)
    inside[:, MIDDLE[0] + 3 :] = False
    near = replace(NEAR, is_inside=inside)
    nothing = np.zeros((2 * FINE_PX, 2 * FINE_PX), np.bool_)
    reader = BeneathReader(CHIPS, SPACE_MM)
    free = inside.astype(np.float32)
    found = reader.look(light, free, near, nothing, looks(light))
    assert [each.face.id for each in found] == [face.id]


def test_two_chips_that_look_alike_there_are_not_told_apart() -> None:
    twin = replace(CHIPS[1], id="twin")
    light, cover = cover_with_finger(lay(lawn(), CHIPS[1]), MIDDLE[0])
    ones = np.ones((HIGH, WIDE), np.float32)
    assert (
        BeneathReader((*CHIPS, twin), SPACE_MM).look(light, ones, NEAR, cover, looks(light)) == []
    )


def test_nothing_is_sought_where_nothing_lies_over_the_board() -> None:
    light = lay(lawn(), CHIPS[1])
    assert read(light, np.zeros((2 * FINE_PX, 2 * FINE_PX), np.bool_)) == []
