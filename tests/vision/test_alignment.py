"""Laying a face exactly, and whether that has come to an end."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.alignment import FINE, Level, Template, lay
from vision.flatten import flat_corners, homography
from vision.photometry import NEUTRAL

QUAD = np.array([[210, 120], [332, 128], [326, 300], [204, 292]], np.float32)


def template() -> Template:
    blobs = np.random.default_rng(2).uniform(0.1, 0.9, (10, 7, 3)).astype(np.float32)
    picture = cv2.resize(blobs, (80, 112), interpolation=cv2.INTER_LINEAR)
    return Template(picture, np.ones((112, 80), np.float32), NEUTRAL)


def picture() -> np.ndarray:
    to_quad = homography(flat_corners((80, 112)), QUAD)
    card = cv2.warpPerspective(template().picture * 200, to_quad, (640, 480))
    mask = cv2.warpPerspective(np.ones((112, 80), np.float32), to_quad, (640, 480))[..., None]
    return (card + (1 - mask) * 100).astype(np.uint8)


@pytest.mark.parametrize("shift", [(0, 0), (4, -3), (-5, 4)])
def test_a_face_is_laid_to_a_fraction_of_a_pixel(shift: tuple[int, int]) -> None:
    laid = lay(picture(), QUAD + np.array(shift, np.float32), template(), FINE)
    assert np.abs(laid.quad - QUAD).max() < 0.6
    assert laid.is_still


def test_a_face_that_is_still_on_its_way_says_so() -> None:
    start = QUAD + np.array([9, 8], np.float32)
    laid = lay(picture(), start, template(), (Level(2, 1, 8),))
    assert not laid.is_still
    assert np.abs(laid.quad - QUAD).max() < np.abs(start - QUAD).max()
