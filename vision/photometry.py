"""How a printed face looks under the light of the table: gains, offsets and a soft gradient.

A picture of a face differs from its reference by exposure, white balance, shadow and glare. They
are modelled by a gain and an offset for each colour channel, drawn towards one common gain: a blue
card must not become a red one by a generous white balance. Colours run from 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

GAIN_PULL = 0.006
"""Pull of each channel's gain towards the common one, as a variance of colour. A card of plain
colour has about 0.005: its tint is then mostly believed; a card with black and white has 0.05
and more: its white balance is then mostly followed."""

_GRADIENT_PULL = 0.02
_GAIN_RANGE = (0.08, 3.0)


@dataclass(frozen=True, slots=True)
class Light:
    """A gain for each channel, relative to their mean: the white balance of the scene."""

    blue: float = 1.0
    green: float = 1.0
    red: float = 1.0

    @classmethod
    def from_gains(cls, gains: Floats) -> Light:
        """The white balance of gains (3,) or of the median of many (N, 3)."""
        typical = np.median(np.atleast_2d(gains), axis=0)
        typical = typical / max(float(typical.mean()), 1e-6)
        return cls(*(float(value) for value in typical))

    def to_array(self) -> Floats:
        """The three gains as float32, in the order blue, green, red."""
        return np.array([self.blue, self.green, self.red], np.float32)


NEUTRAL = Light()
"""No white balance is expected."""


@dataclass(frozen=True, slots=True, eq=False)
class LightFit:
    """Gains and offsets that bring references to the look of a crop.

    Attributes:
        gain: (K, 3) float32, a reference each row.
        offset: (K, 3) float32.
        strain: (K,) float32, what departing from the common gain costs, per pixel.
    """

    gain: Floats
    offset: Floats
    strain: Floats


def planes_of(picture: NDArray[Any]) -> Floats:
    """(3, H * W) contiguous float32 planes of a picture (H, W, 3)."""
    return np.ascontiguousarray(picture.reshape(-1, 3).T, np.float32)


class LightFitter:
    """Faces beside a crop, fitted to its light under one weighting after another.

    One product with the weights gives all the means that a fit needs, and one with its gains and
    offsets all the distances that it leaves: of the faces, their squares, their products with the
    crop, and the crop.

    Args:
        references: (K, 3, N) colours of K faces.
        crop: (3, N) colours of the picture, or (K, 3, N) where each face lies in a crop of its own.
        light: White balance that is expected.
    """

    def __init__(self, references: Floats, crop: Floats, light: Light) -> None:
        count, _, pixels = references.shape
        self._light = light
        self._rows = np.empty((count, 12, pixels), np.float32)
        self._rows[:, :3] = references
        np.square(self._rows[:, :3], out=self._rows[:, 3:6])
        np.multiply(self._rows[:, :3], crop, out=self._rows[:, 6:9])
        self._rows[:, 9:] = crop
        self._crop_squares = np.square(crop).sum(axis=-2)

    def fit(self, weight: Floats) -> LightFit:
        """Gain and offset of each face by least squares, where (K, N) says how much each counts."""
        share = weight / (weight.sum(axis=1, keepdims=True) + 1e-6)
        means = np.matmul(self._rows, share[..., None]).reshape(-1, 4, 3)
        face, square, product, crop = means.transpose(1, 0, 2)
        return fit_means(np.stack([face, square, crop, product]), self._light)

    def squared_distance(self, fit: LightFit, brightest: float = np.inf) -> Floats:
        """(K, N) squared colour distance, mean of the channels, of each fitted face to the crop.

        Args:
            fit: From `fit`.
            brightest: What a colour reaches at most.
        """
        gain, offset = fit.gain, fit.offset
        if np.isfinite(brightest):
            return self._clipped_distance(fit, np.float32(brightest))
        told = np.concatenate([2 * gain * offset, gain**2, -2 * gain, -2 * offset], axis=1)
        total = np.matmul(told[:, None], self._rows)[:, 0]
        total += self._crop_squares
        total += np.square(offset).sum(axis=1, keepdims=True)
        total /= 3
        return np.asarray(total, np.float32)

    def _clipped_distance(self, fit: LightFit, brightest: np.float32) -> Floats:
        total = np.zeros_like(self._rows[:, 0])
        for channel in range(3):
            left = self._rows[:, channel] * fit.gain[:, channel, None]
            left += fit.offset[:, channel, None]
            np.minimum(left, brightest, out=left)
            left -= self._rows[:, 9 + channel]
            left *= left
            total += left
        total /= 3
        return np.asarray(total, np.float32)


def fit_means(means: Floats, light: Light) -> LightFit:
    """Fit gain and offset of each reference to the crop, from their weighted means.

    Args:
        means: (4, K, 3) of the reference, its square, the crop, and reference times crop.
        light: White balance that is expected.
    """
    mean_ref, mean_square, mean_crop, mean_product = means
    variance = np.maximum(mean_square - mean_ref**2, 0)
    covariance = mean_product - mean_ref * mean_crop
    gain, strain = pulled_gain(variance, covariance, light)
    offset = mean_crop - gain * mean_ref
    return LightFit(gain, offset.astype(np.float32), strain)


def pulled_gain(variance: Floats, covariance: Floats, light: Light) -> tuple[Floats, Floats]:
    """Gains (K, 3) drawn towards one common gain, and what departing from it costs (K,).

    Args:
        variance: (K, 3) of each reference.
        covariance: (K, 3) of each reference with the crop.
        light: White balance that is expected.
    """
    balance = light.to_array()
    common = (covariance @ balance) / (variance @ balance**2 + 1e-5)
    low, high = _GAIN_RANGE
    target = np.minimum(np.maximum(common, low), high)[:, None] * balance
    gain = (covariance + GAIN_PULL * target) / (variance + GAIN_PULL)
    gain = np.minimum(np.maximum(gain, low * balance), high * balance)
    strain = GAIN_PULL / 3 * ((gain - target) ** 2).sum(axis=1)
    return gain.astype(np.float32), strain.astype(np.float32)


@lru_cache(maxsize=8)
def gradient_basis(width: int, height: int) -> Floats:
    """(H * W, 5) float32: the soft gradients over a card that lamp and shadow can make."""
    x, y = np.meshgrid(
        np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    )
    columns = [x, y, x * y, x * x - 0.33, y * y - 0.33]
    return np.stack([column.ravel() for column in columns], axis=1).astype(np.float32)


def fit_gradient(predicted: Floats, crop: Floats, weight: Floats, basis: Floats) -> Floats:
    """Coefficients (5,) of a gain over the card that brings the prediction closer to the crop.

    The gain of a pixel is one plus its row of the basis times the coefficients.

    Args:
        predicted: (3, N) colours after `fit_light`.
        crop: (3, N) colours of the picture.
        weight: (N,) how much each pixel counts.
        basis: (N, 5) from `gradient_basis`.
    """
    shade = (predicted[0] + predicted[1] + predicted[2]) / 3
    residual = (crop[0] + crop[1] + crop[2]) / 3 - shade
    design = basis * shade[:, None]
    weighted = design * weight[:, None]
    total = float(weight.sum()) + 1e-6
    normal = weighted.T @ design + _GRADIENT_PULL * total * np.eye(design.shape[1])
    solution = np.linalg.solve(normal, weighted.T @ residual)
    return np.asarray(np.clip(solution, -0.5, 0.5), np.float32)


def robust_weight(distance: Floats, scale: float) -> Floats:
    """Weight 1 for a pixel that fits, falling to 0 for one that does not (Geman-McClure)."""
    weight: Floats = (1 / (1 + (distance / scale) ** 2) ** 2).astype(np.float32)
    return weight
