"""Faces compared with one crop: glare is light on the card, not print."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.comparing import Crop, Reference, compare
from vision.photometry import NEUTRAL


def faces(count: int = 3, seed: int = 5) -> np.ndarray:
    """Faces of coarse colour blocks, (count, 112, 80, 3) float32."""
    rng = np.random.default_rng(seed)
    blocks = rng.uniform(0.1, 0.9, (count, 7, 5, 3)).astype(np.float32)
    return np.stack(
        [cv2.resize(each, (80, 112), interpolation=cv2.INTER_LINEAR) for each in blocks]
    )


def opaque(pictures: np.ndarray) -> list[Reference]:
    return [Reference(picture, np.ones((112, 80), np.float32)) for picture in pictures]


def reflection(strength: float) -> np.ndarray:
    """A soft white spot in a corner, (112, 80, 1)."""
    y, x = np.mgrid[:112, :80]
    spot = np.exp(-((x - 66) ** 2 + (y - 92) ** 2) / (2 * 14.0**2))
    return (strength * spot)[..., None].astype(np.float32)


def seen(face: np.ndarray, strength: float) -> Crop:
    colours = np.clip(0.6 * face + 0.03 + reflection(strength), 0, 1)
    return Crop(colours, np.ones((112, 80), np.float32), 1.0, NEUTRAL)


@pytest.mark.parametrize("strength", [0.0, 0.2, 0.4])
def test_a_reflection_does_not_hide_which_face_it_is(strength: float) -> None:
    pictures = faces()
    found = compare(opaque(pictures), seen(pictures[1], strength))
    assert found.order[0] == 1
    assert found.fit > 0.95


def test_another_face_fits_no_better_for_a_reflection() -> None:
    pictures = faces()
    others = pictures[[0, 2]]
    plain = compare(opaque(others), seen(pictures[1], 0.0))
    glaring = compare(opaque(others), seen(pictures[1], 0.4))
    assert max(plain.fit, glaring.fit) < 0.8


def test_every_face_is_ranked_once_and_its_lead_told_however_far_it_is() -> None:
    pictures = faces(9)
    pictures[7] = 0.9 * pictures[4] + 0.1 * pictures[7]
    found = compare(opaque(pictures), seen(pictures[4], 0.0))
    assert found.order[:2].tolist() == [4, 7]
    assert sorted(found.order.tolist()) == list(range(9))
    assert (np.diff(found.energies) >= 0).all()
    assert found.margins[0] == 0
    assert found.margins[1:].min() > 0.5
    assert (np.diff(found.advantages) >= 0).all()
