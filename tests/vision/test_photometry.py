from __future__ import annotations

import numpy as np
import pytest

from vision.photometry import NEUTRAL, Light, LightFitter, planes_of


def picture(seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).random((30, 20, 3)).astype(np.float32)


def test_planes_are_channels_first() -> None:
    planes = planes_of(picture())
    assert planes.shape == (3, 600)
    assert planes[2, 21] == picture()[1, 1, 2]


def test_gain_and_offset_of_the_light_are_found() -> None:
    reference = planes_of(picture())
    crop = reference * np.float32([[0.6], [0.7], [0.8]]) + np.float32(0.1)
    fitter = LightFitter(reference[None], crop, NEUTRAL)
    fit = fitter.fit(np.ones((1, 600), np.float32))
    assert fit.gain[0] == pytest.approx([0.6, 0.7, 0.8], abs=0.02)
    assert fitter.squared_distance(fit).max() < 1e-3


@pytest.mark.parametrize("is_one_crop", [True, False])
def test_the_distance_is_what_gain_and_offset_leave(is_one_crop: bool) -> None:
    faces = np.stack([planes_of(picture(seed)) for seed in (1, 2, 3)])
    crops = planes_of(picture(4)) if is_one_crop else faces[[1, 2, 0]]
    fitter = LightFitter(faces, crops, NEUTRAL)
    fit = fitter.fit(np.ones((3, 600), np.float32))
    lit = faces * fit.gain[..., None] + fit.offset[..., None]
    left = ((lit - crops) ** 2).mean(axis=1)
    assert fitter.squared_distance(fit) == pytest.approx(left, abs=1e-6)
    left = ((np.minimum(lit, 0.5) - crops) ** 2).mean(axis=1)
    assert fitter.squared_distance(fit, 0.5) == pytest.approx(left, abs=1e-6)


def test_faces_in_crops_of_their_own_are_fitted_as_one_by_one() -> None:
    faces = np.stack([planes_of(picture(seed)) for seed in (1, 2, 3)])
    crops, weight = faces[[1, 2, 0]] * np.float32(0.5), np.random.default_rng(5).random((3, 600))
    weight = weight.astype(np.float32)
    together = LightFitter(faces, crops, NEUTRAL).fit(weight)
    for row in range(3):
        fitter = LightFitter(faces[row : row + 1], crops[row], NEUTRAL)
        alone = fitter.fit(weight[row : row + 1])
        assert together.gain[row] == pytest.approx(alone.gain[0], abs=1e-5)
        assert together.offset[row] == pytest.approx(alone.offset[0], abs=1e-5)


def test_weight_leaves_pixels_out() -> None:
    reference = planes_of(picture())
    crop, weight = reference.copy(), np.ones((1, 600), np.float32)
    crop[:, :300] = 1
    weight[:, :300] = 0
    fit = LightFitter(reference[None], crop, NEUTRAL).fit(weight)
    assert fit.gain[0] == pytest.approx([1, 1, 1], abs=0.02)


def test_a_plain_colour_does_not_become_another_by_its_white_balance() -> None:
    shade = np.full((1, 600), 0.02, np.float32) * np.random.default_rng(1).random((1, 600))
    red = np.concatenate([0.1 + shade, 0.1 + shade, 0.8 + shade]).astype(np.float32)
    blue = red[::-1].copy()
    weight = np.ones((2, 600), np.float32)
    fit = LightFitter(np.stack([red, blue]), red, NEUTRAL).fit(weight)
    assert fit.gain[0] == pytest.approx([1, 1, 1], abs=0.2)


def test_the_light_of_many_pieces_is_their_median() -> None:
    light = Light.from_gains(np.float32([[0.8, 1.0, 1.2], [0.8, 1.0, 1.2], [3, 1, 1]]))
    assert light.to_array() == pytest.approx([0.8, 1.0, 1.2], abs=0.01)
