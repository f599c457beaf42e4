"""Light that was left after a first look is taken off where it was seen, and near there."""

from __future__ import annotations

import numpy as np

from vision.board_light import even_again
from vision.board_view import FlatBoard

SCALE = 16
HIGH, WIDE = 4 * SCALE, 12 * SCALE
FLAT = FlatBoard(
    np.zeros((HIGH, WIDE, 3), np.uint8), np.ones((HIGH, WIDE), np.bool_), (0.0, 0.0), SCALE
)
PRINT = np.random.default_rng(2).uniform(0.1, 0.9, (HIGH, WIDE, 3)).astype(np.float32)
PLACE = np.array([[2.0, 2.0]])


def near(picture: np.ndarray) -> np.ndarray:
    """The pixels around the place where the light is known."""
    return picture[SCALE : 3 * SCALE, SCALE : 3 * SCALE]


def test_shade_and_veil_are_taken_off_where_they_are_known() -> None:
    known = np.array([[[0.5, 0.55, 0.6], [0.2, 0.2, 0.25]]], np.float32)
    seen = PRINT * known[0, 0] + known[0, 1]
    again = even_again(seen, FLAT, PLACE, known)
    assert np.abs(near(again) - near(PRINT)).max() < 0.1
    assert np.abs(near(seen) - near(PRINT)).max() > 0.2


def test_far_from_there_the_light_stays_as_it_was() -> None:
    known = np.array([[[0.5, 0.5, 0.5], [0.2, 0.2, 0.2]]], np.float32)
    again = even_again(PRINT, FLAT, PLACE, known)
    np.testing.assert_allclose(again[:, -3 * SCALE :], PRINT[:, -3 * SCALE :], atol=1e-3)
