from __future__ import annotations

import numpy as np
import pytest

from vision.photometry import NEUTRAL, Light, fit_light, planes_of, squared_distance


def picture(seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).random((30, 20, 3)).astype(np.float32)


def test_planes_are_channels_first() -> None:
    planes = planes_of(picture())
    assert planes.shape == (3, 600)
    assert planes[2, 21] == picture()[1, 1, 2]


def test_gain_and_offset_of_the_light_are_found() -> None:
    reference = planes_of(picture())
    crop = reference * np.float32([[0.6], [0.7], [0.8]]) + np.float32(0.1)
    fit = fit_light(reference[None], crop, np.ones((1, 600), np.float32), NEUTRAL)
    assert fit.gain[0] == pytest.approx([0.6, 0.7, 0.8], abs=0.02)
    assert squared_distance(reference[None], crop, fit).max() < 1e-3


def test_weight_leaves_pixels_out() -> None:
    reference = planes_of(picture())
    crop, weight = reference.copy(), np.ones((1, 600), np.float32)
    crop[:, :300] = 1
    weight[:, :300] = 0
    fit = fit_light(reference[None], crop, weight, NEUTRAL)
    assert fit.gain[0] == pytest.approx([1, 1, 1], abs=0.02)


def test_a_plain_colour_does_not_become_another_by_its_white_balance() -> None:
    shade = np.full((1, 600), 0.02, np.float32) * np.random.default_rng(1).random((1, 600))
    red = np.concatenate([0.1 + shade, 0.1 + shade, 0.8 + shade]).astype(np.float32)
    blue = red[::-1].copy()
    weight = np.ones((2, 600), np.float32)
    fit = fit_light(np.stack([red, blue]), red, weight, NEUTRAL)
    assert fit.gain[0] == pytest.approx([1, 1, 1], abs=0.2)


def test_the_light_of_many_pieces_is_their_median() -> None:
    light = Light.from_gains(np.float32([[0.8, 1.0, 1.2], [0.8, 1.0, 1.2], [3, 1, 1]]))
    assert light.to_array() == pytest.approx([0.8, 1.0, 1.2], abs=0.01)
