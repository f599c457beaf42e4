"""Cutting quads out of a picture: alone, or several out of one shrunken part."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.flatten import flatten, inside_picture, patch_around

QUAD = np.array([[210, 120], [330, 140], [310, 300], [190, 280]], np.float32)


def picture() -> np.ndarray:
    """Soft coloured blobs, (480, 640, 3) uint8."""
    blobs = np.random.default_rng(3).integers(0, 255, (24, 32, 3), np.uint8)
    return cv2.resize(blobs, (640, 480), interpolation=cv2.INTER_CUBIC)


@pytest.mark.parametrize("size_wh", [(80, 112), (40, 56), (12, 17)])
def test_a_shared_patch_shows_each_quad_as_it_is_alone(size_wh: tuple[int, int]) -> None:
    image = picture()
    quads = [QUAD, np.roll(QUAD, 2, axis=0), QUAD + np.float32(9)]
    patch = patch_around(image, np.stack(quads), size_wh, 0.2)
    for quad in quads:
        shared = patch.flatten(quad, size_wh, margin=0.1).astype(int)
        alone = flatten(image, quad, size_wh, margin=0.1).astype(int)
        assert shared.shape == alone.shape
        assert np.abs(shared - alone).mean() < 5


def test_what_lies_outside_the_picture_has_no_weight() -> None:
    cut = QUAD - np.array([260, 0], np.float32)
    inside = inside_picture((640, 480), cut, (80, 112))
    x = flatten(np.broadcast_to(np.arange(640) > 0, (480, 640)).astype(np.uint8), cut, (80, 112))
    assert 0.2 < inside.mean() < 0.8
    assert np.mean(inside == x) > 0.97


def test_a_quad_inside_the_picture_counts_all_over() -> None:
    assert inside_picture((640, 480), QUAD, (80, 112)).min() == 1
