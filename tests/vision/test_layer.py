"""A drawing laid over pictures is the drawing made upon each of them."""

import numpy as np
import pytest

from vision.hands_overlay import HandMarks, draw_hands
from vision.layer import Layer
from vision.legend import Legend, add_legend
from vision.overlay import COLOURS, Mark, Row

QUAD = ((60.0, 50.0), (150.0, 50.0), (150.0, 170.0), (60.0, 170.0))


def nothing(picture):
    return picture


def hand(picture):
    hands = [HandMarks("ann 7", COLOURS["red"], (Mark(QUAD, COLOURS["red"], "h01", strong=True),))]
    legend = Legend("Round 1", [Row(COLOURS["red"], "ann 7 = 9 day - 2 impact")])
    return add_legend(draw_hands(picture, hands), legend)


@pytest.mark.parametrize("draw", [nothing, hand])
def test_layer_is_the_drawing_upon_any_picture(draw):
    picture = np.random.default_rng(3).integers(0, 256, (240, 320, 3)).astype(np.uint8)
    laid = Layer(picture.shape[:2], draw).over(picture)
    drawn = draw(picture)
    assert laid.shape == drawn.shape
    assert np.abs(laid.astype(int) - drawn).max() <= 3  # each blending rounds once
