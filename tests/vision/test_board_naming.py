"""Which of several readings of a space is chosen, and how clearly."""

from __future__ import annotations

import numpy as np
import pytest

from vision.board_looks import Lying
from vision.board_naming import choose
from vision.board_print import PrintedFace

SIZE = 1000
ALL = np.ones(SIZE, np.float32)
LIGHTS = np.stack([np.full((2, 3), number, np.float32) for number in range(3)])


def lying(name: str, cost: float, kind: str = "path") -> Lying:
    image = np.zeros((1, 1, 4), np.uint8)
    return Lying(PrintedFace(name, kind, image, (44, 44), (name,) * 4), 0, cost)


def errors(*wrong: slice) -> np.ndarray:
    """Of each reading the pixels that speak against it."""
    out = np.zeros((len(wrong), SIZE), np.float32)
    for row, pixels in zip(out, wrong, strict=True):
        row[pixels] = 0.04
    return out


READINGS = [lying("lit oddly", 0.03), lying("cheap", 0.01), lying("far off", 0.05)]
WRONG = errors(slice(0, 50), slice(500, 700), slice(0, 900))
"""The cheapest is wrong in more of the picture than the first, in whose light all else agrees."""


def test_the_cheapest_reading_is_chosen_and_its_light_with_it() -> None:
    named = choose(READINGS, WRONG, LIGHTS, ALL, is_chipped=False)
    assert named.best is READINGS[1]
    assert named.light[0, 0] == 1
    assert named.explained == pytest.approx(0.8)
    assert named.rivals[0][0] is READINGS[0]
    assert named.rivals[0][1] < 1


def test_in_any_light_the_reading_that_is_less_wrong_than_each_other_is_chosen() -> None:
    named = choose(READINGS, WRONG, LIGHTS, ALL, is_chipped=False, is_any_light=True)
    assert named.best is READINGS[0]
    assert named.explained == pytest.approx(0.95)
    assert named.rivals[0][1] > 1


def test_a_reading_that_beats_the_cheapest_and_not_the_others_is_not_chosen() -> None:
    readings = [lying("a", 0.01), lying("b", 0.03), lying("c", 0.04)]
    # In turn each is worse than the next one where the two differ.
    around = np.zeros((3, SIZE), np.float32)
    around[0, :200] = 0.04
    around[1, 200:300] = 0.04
    around[2, 200:300] = 0.04
    named = choose(readings, around, LIGHTS, ALL, is_chipped=False, is_any_light=True)
    assert named.best is readings[0]


def test_no_chip_lies_on_a_pond_that_is_hardly_likelier_than_a_card() -> None:
    pond, card = lying("pond", 0.010, "back"), lying("card", 0.012)
    wrong = errors(slice(0, 10), slice(0, 20))
    for is_chipped, best in ((False, pond), (True, card)):
        named = choose([pond, card], wrong, LIGHTS[:2], ALL, is_chipped=is_chipped)
        assert named.best.face is best.face
