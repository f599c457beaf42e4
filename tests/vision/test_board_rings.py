"""Round pictures unrolled: a turn is a shift, and each face is told from the others."""

from __future__ import annotations

import cv2
import numpy as np

from vision.board_print import PrintedFace
from vision.board_rings import RingScale, Unrolled

SIDE = 96
SCALE = RingScale(14, 64, SIDE, 0.0)


def face(seed: int) -> PrintedFace:
    """A disc with soft blots."""
    blots = np.random.default_rng(seed).integers(0, 255, (6, 6, 3)).astype(np.uint8)
    image = cv2.resize(blots, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    alpha = np.full((SIDE, SIDE, 1), 255, np.uint8)
    name = str(seed)
    whole = np.concatenate([np.asarray(image, np.uint8), alpha], axis=2)
    return PrintedFace(name, "chip", whole, (45, 45), (name,) * 4)


FACES = [face(seed) for seed in range(4)]
GROUP = Unrolled.of(FACES, [0, 1, 2, 3], 1.0, SCALE)
MIDDLE = np.array([[(SIDE - 1) / 2, (SIDE - 1) / 2]])


def seen(number: int, turn_deg: float, gain: float = 1.0, veil: float = 0.0) -> np.ndarray:
    """A face turned clockwise, in some light."""
    matrix = cv2.getRotationMatrix2D((MIDDLE[0, 0], MIDDLE[0, 1]), -turn_deg, 1.0)
    turned = cv2.warpAffine(FACES[number].image[..., :3], matrix, (SIDE, SIDE))
    return (turned / np.float32(255) * np.float32(gain) + np.float32(veil)).astype(np.float32)


def test_every_face_is_named_at_every_turn_and_in_any_light() -> None:
    for number in range(4):
        for turn, gain, veil in ((0, 1.0, 0.0), (45, 0.7, 0.0), (202.5, 0.9, 0.1)):
            shares, _ = GROUP.shares(GROUP.rings(seen(number, turn, gain, veil), MIDDLE))
            best, shift = np.unravel_index(int(shares[0].argmin()), shares[0].shape)
            assert (int(best), 360 * int(shift) / SCALE.angles) == (number, turn)
            assert shares[0, number].min() < 0.25


def test_rough_share_agrees_with_the_exact_one_in_even_light() -> None:
    rings = GROUP.rings(seen(2, 90), MIDDLE)
    rough, variance = GROUP.rough_shares(rings)
    shares, same = GROUP.shares(rings)
    np.testing.assert_allclose(variance, same, rtol=1e-4)
    assert abs(float(rough[0]) - float(shares.min())) < 0.1


def test_a_face_agrees_in_any_light_and_one_of_other_colours_does_not() -> None:
    for gain, veil in ((1.0, 0.0), (0.7, 0.0), (0.8, 0.15)):
        share = GROUP.agreeing_share(GROUP.rings(seen(1, 90, gain, veil), MIDDLE), 1, 90)
        assert share > 0.8
    grey = seen(1, 90).mean(axis=2, keepdims=True) * np.array([0.5, 0.8, 1.2], np.float32)
    assert GROUP.agreeing_share(GROUP.rings(grey, MIDDLE), 1, 90) < 0.4
