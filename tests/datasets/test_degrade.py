"""Light and camera flaws: all chance comes from the given source."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.degrade import degrade, illuminate, sample_flaws, sample_light

GREY = np.full((60, 80, 3), 128, np.uint8)
IDS = np.zeros((60, 80), np.int16)


def test_same_source_same_picture() -> None:
    flaws = replace(sample_flaws(np.random.default_rng(1)), noise=5.0)
    first = degrade(GREY, np.random.default_rng(4), flaws)
    assert np.array_equal(first, degrade(GREY, np.random.default_rng(4), flaws))
    assert not np.array_equal(first, degrade(GREY, np.random.default_rng(5), flaws))


def test_every_light_leaves_the_size_and_something_to_see() -> None:
    for seed in range(30):
        light = sample_light(np.random.default_rng(seed))
        lit = illuminate(GREY, IDS, light)
        assert lit.shape == GREY.shape
        assert 10 < lit.mean() < 250


def test_exposure_brightens() -> None:
    light = replace(sample_light(np.random.default_rng(0)), glare=(), shade=())
    dark = illuminate(GREY, IDS, replace(light, exposure=0.5))
    assert dark.mean() < illuminate(GREY, IDS, replace(light, exposure=1.0)).mean()
