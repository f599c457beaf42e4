"""How well the part of a chip that is in sight agrees with each chip of a deck.

Something lies over the rest. A pixel that it may have coloured says nothing for or against a chip;
one that the card explains and the chip does not speaks against it; one that the chip explains and
neither the card nor the thing does speaks for it. So what is summed is an area: that of the chip in
sight, less that of the card where the chip would have to be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_fit import ERROR_CAP, FloatArray
from vision.board_print import PrintedFace
from vision.board_rings import RingScale, ring_places, ring_weights, rings_around, rings_of_face

_SHADE_COST = np.float32(0.2)
"""Cost of a shade that differs from that of the whole: by 0.2, as beside a finger, 0.008."""


@dataclass(frozen=True, slots=True, eq=False)
class PartlySeen:
    """A place on a card beside which something lies, all at `RingScale.space_px` pixels a space.

    Attributes:
        light: (H, W, 3) float32 as bright as the faces are, 0 to 1.
        card: (H, W) float32 capped squared error that the card leaves.
        counts: (H, W) float32, 0 where a pixel is not known, belongs to another chip, or may have
            its colour from the thing.
    """

    light: FloatArray
    card: FloatArray
    counts: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class PartFits:
    """How the chips of a deck fit best around some places.

    Attributes:
        gains_mm2: (P, K) area that a chip explains and nothing else does, less what it would hide.
        seen_mm2: (P, K) area of the chip over which the thing does not lie.
        turns_deg: (P, K) clockwise.
    """

    gains_mm2: FloatArray
    seen_mm2: FloatArray
    turns_deg: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class _Size:
    """The chips of one diameter in spaces: (K, 3, A, R·A) their rings at every turn."""

    rows: tuple[int, ...]
    diameter: float
    turned: FloatArray


class ChipParts:
    """The chips of one deck, unrolled at one scale so that parts of them can be compared."""

    def __init__(self, chips: Sequence[PrintedFace], space_mm: float, scale: RingScale) -> None:
        self._scale, self._space_mm, self._count = scale, space_mm, len(chips)
        weights = ring_weights(scale)
        self._weights = np.repeat(weights[:, None], scale.angles, axis=1).ravel()
        diameters = [chip.size_mm[0] / space_mm for chip in chips]
        self._sizes = []
        for diameter in sorted(set(diameters), reverse=True):
            rows = tuple(row for row, own in enumerate(diameters) if own == diameter)
            turned = np.stack([self._turned(chips[row], diameter) for row in rows])
            self._sizes.append(_Size(rows, diameter, turned))

    def _turned(self, chip: PrintedFace, diameter: float) -> FloatArray:
        """(3, A, R·A)."""
        rings = rings_of_face(chip, diameter, self._scale)
        every = [np.roll(rings, turn, axis=2) for turn in range(self._scale.angles)]
        return np.ascontiguousarray(np.stack(every, axis=1).reshape(3, len(every), -1))

    def fits(
        self, place: PartlySeen, middles: NDArray[np.float64], lights: Sequence[float]
    ) -> PartFits:
        """How each chip fits around middles (P, 2) in pixels, at the best turn and light.

        Args:
            place: What is seen there.
            middles: Where a chip's middle is tried.
            lights: How bright it may be against its print: a hand throws a shadow.
        """
        shape = (len(middles), self._count)
        best = PartFits(
            np.full(shape, -np.inf, np.float32),
            np.zeros(shape, np.float32),
            np.zeros(shape, np.float32),
        )
        for size in self._sizes:
            self._fit_size(place, middles, lights, size, best)
        return best

    def _fit_size(
        self,
        place: PartlySeen,
        middles: NDArray[np.float64],
        lights: Sequence[float],
        size: _Size,
        best: PartFits,
    ) -> None:
        radius = size.diameter * self._scale.space_px / 2
        seen = rings_around(place.light, middles, radius, self._scale)
        seen = seen.reshape(3, len(middles), 1, -1)
        at = ring_places(middles, radius, self._scale)
        card = _sample(place.card, at)
        area_mm2 = np.float32(np.pi * (size.diameter * self._space_mm / 2) ** 2)
        share = _sample(place.counts, at) * self._weights * area_mm2
        without = (np.minimum(card, ERROR_CAP) * share).sum(axis=1)
        in_sight = share.sum(axis=1)
        square = (seen * seen).sum(axis=0)
        for light in lights:
            believed = np.float32(_SHADE_COST * light)
            for row, turned in zip(size.rows, size.turned, strict=True):
                # Of every shade that a pixel may lie in, the likeliest.
                shared = believed + sum(seen[band] * turned[band] for band in range(3))
                own = _SHADE_COST + (turned * turned).sum(axis=0)
                errors = square + believed * np.float32(light) - shared * shared / own
                costs = (np.minimum(errors, ERROR_CAP) @ share[..., None])[..., 0]
                turn = costs.argmin(axis=1)
                gains = (without - costs.min(axis=1)) / np.float32(ERROR_CAP)
                better = gains > best.gains_mm2[:, row]
                best.gains_mm2[better, row] = gains[better]
                best.seen_mm2[better, row] = in_sight[better]
                best.turns_deg[better, row] = 360 * turn[better] / self._scale.angles


def _sample(picture: FloatArray, at: tuple[FloatArray, FloatArray]) -> FloatArray:
    """(P, R·A) a picture (H, W) at the places of rings; nought beyond its edge."""
    return np.asarray(cv2.remap(picture, *at, cv2.INTER_LINEAR, borderValue=0), np.float32)
