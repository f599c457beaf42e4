"""Round pictures unrolled around their middle, where a turn is a shift, and their likeness.

Rings are compared by their spectra: the product of two spectra holds the agreement at all turns.
The transforms are short, so a matrix is quicker than a fast Fourier transform.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_fit import ERROR_CAP, FloatArray, least_cost
from vision.board_print import PrintedFace

NOISE = 0.01
"""Variance that any part of a picture has; an even lawn explains nothing of it."""
_SWEEPS = 4
_GAIN_PRIOR, _OFFSET_PRIOR = 0.02, 0.1
"""How much a gain of one and an offset of nought are believed, beside the picture."""
_RIM = 0.94
"""Only this share of the radius is compared: the rim throws a shadow and is seen from the side."""


@dataclass(frozen=True, slots=True)
class RingScale:
    """How finely pictures are unrolled: rings and angles, at some pixels a space, blurred before.

    Attributes:
        rings, angles: How many.
        space_px: Pixels a space of the picture that is unrolled.
        blur_px: Deviation of the blur that the faces get.
    """

    rings: int
    angles: int
    space_px: int
    blur_px: float


@dataclass(frozen=True, slots=True, eq=False)
class Unrolled:
    """Round faces of one diameter, unrolled.

    Attributes:
        rows: Their places in the list of all faces.
        diameter: In spaces.
        scale: How finely they are unrolled.
        spectra: (A/2+1, 3, R, K) complex64 of their rings, conjugate.
        means: (3, K) float32 weighted mean, and `squares` the mean square.
        squares: (3, K) float32.
        pictures: (3, K, R, A) float32 the rings themselves.
    """

    rows: tuple[int, ...]
    diameter: float
    scale: RingScale
    spectra: NDArray[np.complex64]
    means: FloatArray
    squares: FloatArray
    pictures: FloatArray

    @staticmethod
    def of(
        faces: Sequence[PrintedFace], rows: Sequence[int], diameter: float, scale: RingScale
    ) -> Unrolled:
        """Those of the faces in some rows, all of this diameter."""
        pictures = np.stack([rings_of_face(faces[row], diameter, scale) for row in rows], axis=1)
        weights = ring_weights(scale)
        return Unrolled(
            rows=tuple(rows),
            diameter=diameter,
            scale=scale,
            spectra=np.ascontiguousarray(_spectra(pictures).conj().transpose(3, 0, 2, 1)),
            means=_weighted(pictures, weights),
            squares=_weighted(pictures * pictures, weights),
            pictures=pictures,
        )

    def rings(self, image: FloatArray, middles: NDArray[np.float64]) -> FloatArray:
        """(3, P, R, A) a picture (H, W, 3) at the faces' scale around middles (P, 2) in pixels."""
        return rings_around(image, middles, self.diameter * self.scale.space_px / 2, self.scale)

    def rough_shares(self, rings: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(P,) least share of the variance (P,) in rings (3, P, R, A) that any face leaves open.

        One gain for all colours: quick to work out.
        """
        weights = ring_weights(self.scale)
        mean, variance = _mean_and_variance(rings, weights)
        spectra = _spectra(rings * weights[:, None]).transpose(3, 1, 0, 2)
        waves, count = spectra.shape[:2]
        products = spectra.reshape(waves, count, -1) @ self.spectra.reshape(
            waves, -1, len(self.rows)
        )
        cross = _turned(products, self.scale.angles).max(axis=2)
        shared = np.maximum(cross - mean.T @ self.means, 0)
        own = (self.squares - self.means**2).sum(axis=0)
        total = variance.sum(axis=0) + np.float32(NOISE)
        return np.asarray((1 - shared**2 / (own * total[:, None])).min(axis=1), np.float32), total

    def shares(self, rings: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(P, K, A) share of the variance (P,) in rings (3, P, R, A) that each face leaves open."""
        weights = ring_weights(self.scale)
        mean, variance = _mean_and_variance(rings, weights)
        square = variance + mean * mean
        spectra = _spectra(rings * weights[:, None])
        total = variance.sum(axis=0) + np.float32(NOISE)
        costs = np.zeros((rings.shape[1], len(self.rows), self.scale.angles), np.float32)
        for band in range(3):
            products = spectra[band].transpose(2, 0, 1) @ self.spectra[:, band]
            costs += least_cost(
                self.means[band, :, None], self.squares[band, :, None],
                mean[band, :, None, None], square[band, :, None, None],
                _turned(products, self.scale.angles),
            )  # fmt: skip
        return np.asarray(costs / total[:, None, None], np.float32), total

    def agreeing_share(self, rings: FloatArray, row: int, turn_deg: float) -> float:
        """Share of rings (3, 1, R, A) that is as the face in a row of all faces, so turned, is.

        One gain and one offset for all colours, those of most of the picture: a thing that has the
        shape of a face but not its colours agrees nowhere.
        """
        scale = self.scale
        face = np.roll(
            self.pictures[:, self.rows.index(row)],
            round(turn_deg / 360 * scale.angles),
            axis=2,
        )
        share = np.repeat(ring_weights(scale)[:, None], scale.angles, axis=1)
        seen, trust, errors = rings[:, 0], share, np.zeros_like(share)
        for _ in range(_SWEEPS):
            gain, offset = _common_light(seen, face, trust)
            errors = ((seen - gain * face - offset) ** 2).sum(axis=0)
            trust = share / (1 + (errors / ERROR_CAP) ** 2)
        return float(share[errors < ERROR_CAP].sum())


def _common_light(seen: FloatArray, face: FloatArray, trust: FloatArray) -> tuple[float, float]:
    """The gain and the offset of all colours on which a picture agrees best with a face."""
    weighted = face * trust
    whole = 3 * float(trust.sum())
    cross, mean = float((weighted * seen).sum()), float(weighted.sum())
    normal = np.array(
        [[float((weighted * face).sum()) + _GAIN_PRIOR, mean], [mean, whole + _OFFSET_PRIOR]]
    )
    right = np.array([cross + _GAIN_PRIOR, float((trust * seen).sum())])
    gain, offset = np.linalg.solve(normal, right)
    return float(gain), float(offset)


def _mean_and_variance(rings: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(3, P) each."""
    mean = _weighted(rings, weights)
    return mean, _weighted(rings * rings, weights) - mean * mean


def _weighted(rings: FloatArray, weights: FloatArray) -> FloatArray:
    """(3, P) weighted mean of rings (3, P, R, A)."""
    flat = rings.reshape(*rings.shape[:2], -1)
    return np.asarray(flat @ np.repeat(weights, rings.shape[3]), np.float32)


def _spectra(rings: FloatArray) -> NDArray[np.complex64]:
    """(..., A/2+1) the spectra of rings (..., A)."""
    waves = rings @ _to_waves(rings.shape[-1])
    return np.asarray(waves.view(np.complex64))


def _turned(products: NDArray[np.complex64], angles: int) -> FloatArray:
    """(P, K, A) the agreement at each turn, from products of spectra (A/2+1, P, K)."""
    waves = np.ascontiguousarray(products.transpose(1, 2, 0)).view(np.float32)
    return np.asarray(waves @ _from_waves(angles), np.float32)


@cache
def _to_waves(angles: int) -> FloatArray:
    """(A, A + 2) from samples to real and imaginary parts in turn."""
    phases = 2 * np.pi * np.outer(np.arange(angles), np.arange(angles // 2 + 1)) / angles
    parts = np.stack([np.cos(phases), -np.sin(phases)], axis=2)
    return np.ascontiguousarray(parts.reshape(angles, -1), np.float32)


@cache
def _from_waves(angles: int) -> FloatArray:
    """(A + 2, A) back again; all waves but the first and the last stand for two."""
    share = np.full(angles // 2 + 1, 2 / angles)
    share[0] = share[-1] = 1 / angles
    return np.ascontiguousarray((_to_waves(angles) * np.repeat(share, 2)).T, np.float32)


@cache
def ring_weights(scale: RingScale) -> FloatArray:
    """(R,) share of one sample of each ring in the whole: outer rings are longer."""
    radii = (np.arange(scale.rings) + 0.5).astype(np.float32)
    return np.asarray(radii / radii.sum() / scale.angles, np.float32)


def rings_around(
    image: FloatArray, middles: NDArray[np.float64], radius: float, scale: RingScale
) -> FloatArray:
    """(3, P, R, A) a picture (H, W, 3) around middles (P, 2), unrolled clockwise from the top."""
    x, y = ring_places(middles, radius, scale)
    rolled = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    bands = np.ascontiguousarray(np.asarray(rolled, np.float32).transpose(2, 0, 1))
    return bands.reshape(3, len(middles), scale.rings, scale.angles)


def ring_places(
    middles: NDArray[np.float64], radius: float, scale: RingScale
) -> tuple[FloatArray, FloatArray]:
    """(P, R·A) each, x and y in pixels of the samples of rings around middles (P, 2)."""
    radii = (np.arange(scale.rings) + 0.5) / scale.rings * radius * _RIM
    angles = 2 * np.pi * np.arange(scale.angles) / scale.angles
    across = (radii[:, None] * np.sin(angles)).astype(np.float32).ravel()
    down = (radii[:, None] * -np.cos(angles)).astype(np.float32).ravel()
    x = middles[:, 0, None].astype(np.float32) + across
    y = middles[:, 1, None].astype(np.float32) + down
    return x, y


def rings_of_face(face: PrintedFace, diameter: float, scale: RingScale) -> FloatArray:
    """(3, R, A)."""
    side = max(8, round(diameter * scale.space_px))
    picture = _flat_face(face, side)
    if scale.blur_px:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), scale.blur_px), np.float32)
    middle = np.array([[(side - 1) / 2, (side - 1) / 2]])
    return rings_around(picture, middle, side / 2, scale)[:, 0]


def _flat_face(face: PrintedFace, side: int) -> FloatArray:
    """(side, side, 3) float32 of a round face, 0 to 1; grey where it is cut away."""
    pixels = face.image.astype(np.float32) / 255
    pixels[..., :3] *= pixels[..., 3:]
    small = np.asarray(cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA), np.float32)
    return np.asarray(small[..., :3] + 0.5 * (1 - small[..., 3:]), np.float32)
