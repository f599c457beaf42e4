"""Small pictures of faces say the same of many crops at once as of each alone."""

from __future__ import annotations

import numpy as np
import pytest

from vision.comparing import Crop
from vision.photometry import NEUTRAL, planes_of
from vision.small_pictures import SmallPictures

RNG = np.random.default_rng(3)
PICTURES = RNG.random((6, 28, 20, 3)).astype(np.float32)
SMALL = SmallPictures(
    np.stack([planes_of(picture) for picture in PICTURES]), np.ones((6, 560), np.float32)
)


def crop(face: int, *, covered_rows: int = 0) -> Crop:
    """A face in dim light, its upper rows covered by something bright."""
    colours, weight = 0.7 * PICTURES[face] + 0.05, np.ones((28, 20), np.float32)
    colours[:covered_rows], weight[:covered_rows] = 1, 0
    return Crop(colours.astype(np.float32), weight, 1.0, NEUTRAL)


@pytest.mark.parametrize("covered_rows", [0, 12])
def test_each_crop_is_most_like_the_face_that_it_shows(covered_rows: int) -> None:
    crops = [crop(face, covered_rows=covered_rows) for face in (4, 1)]
    energies = SMALL.quick_energies(crops)
    assert energies.shape == (2, 6)
    assert energies.argmin(axis=1).tolist() == [4, 1]
    assert energies.min() < 0.01 < np.sort(energies)[:, 1].min()


def test_many_crops_are_told_like_each_alone() -> None:
    crops = [crop(4), crop(1, covered_rows=9), crop(2, covered_rows=20)]
    together = SMALL.quick_energies(crops)
    alone = np.concatenate([SMALL.quick_energies([each]) for each in crops])
    assert together == pytest.approx(alone, abs=1e-6)
    rows, places = np.arange(6).repeat(3), np.tile(np.arange(3), 6)
    careful = SMALL.careful_energies(rows, crops, places)
    one, here = np.zeros(1, np.intp), np.zeros(1, np.intp)
    singly = [
        SMALL.careful_energies(one + row, [crops[place]], here)[0]
        for row, place in zip(rows, places, strict=True)
    ]
    assert careful == pytest.approx(singly, abs=1e-6)
    assert int(rows[careful.argmin()]) in {4, 1, 2}
