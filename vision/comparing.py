"""How well each of several faces explains one crop, and by how much one beats another.

Pure arithmetic on arrays; colours run from 0 to 1. A pixel that no likely face explains (a hand, a
neighbour, glare) is no evidence for any. Two faces are weighed only by the pixels in which they
differ, since elsewhere their misfit is the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photometry import (
    Light,
    LightFit,
    fit_gradient,
    fit_light,
    gradient_basis,
    pulled_gain,
)

Floats = NDArray[np.float32]

SHARPNESS_PX = (0.0, 0.7, 1.1, 1.6, 2.3, 3.3)
"""Blur (standard deviation in canonical pixels) that is tried on the reference."""

_CAP = 0.30
"""A colour distance beyond this says no more than "does not fit"."""

_LEAST_NOISE = 0.03
_UNEXPLAINED = 3.5
_LIKELY = 2.0
_STRIDE = 2


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Faces compared with one crop, the best first.

    Attributes:
        order: (K,) int, rows of the input from best to worst.
        energies: (K,) float32 misfit of each in that order, as a variance of colour.
        advantages: (K,) float32, by how many nats of log-likelihood the first beats each.
        margins: (K,) float32, -1 to 1: 1 where the crop equals the first exactly in the pixels in
            which the two differ, 0 where it lies half way.
        visible: (H, W) float32, 1 where the first face was seen to be there.
        fit: Correlation of what is visible with the first face.
        gains: (3,) float32 of the first face.
    """

    order: NDArray[np.intp]
    energies: Floats
    advantages: Floats
    margins: Floats
    visible: Floats
    fit: float
    gains: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """A flat crop and what is known of it.

    Attributes:
        colours: (H, W, 3) float32 BGR from 0 to 1.
        weight: (H, W) float32, 0 where something is known to cover it.
        density: Picture pixels for each canonical pixel, at most 1: how much each one says.
        light: White balance that is expected.
    """

    colours: Floats
    weight: Floats
    density: float
    light: Light


class SmallPictures:
    """Small pictures of many faces, compared with a crop by a few products of matrices."""

    def __init__(self, pictures: Floats, opacity: Floats) -> None:
        """Keep what does not depend on the crop.

        Args:
            pictures: (K, N, 3) colours from 0 to 1.
            opacity: (K, N), 0 outside a face's rounded corners.
        """
        self.pictures = pictures
        self.opacity = opacity
        self._planes = np.ascontiguousarray(pictures.transpose(2, 0, 1))
        self._squares = self._planes**2

    def quick_energies(self, crop: Floats, weight: Floats, light: Light) -> Floats:
        """(K,) misfit of every face by plain least squares: rough, but nearly free.

        Args:
            crop: (N, 3) colours.
            weight: (N,) how much each pixel counts.
            light: White balance that is expected.
        """
        share = weight / (float(weight.sum()) + 1e-6)
        mean = self._planes @ share
        variance = np.maximum(self._squares @ share - mean**2, 0).T
        crop_mean = share @ crop
        weighted = share[:, None] * (crop - crop_mean)
        covariance = np.einsum("ckn,nc->kc", self._planes, weighted, optimize=True)
        gain, strain = pulled_gain(variance, covariance, light)
        left = (share @ (crop - crop_mean) ** 2) - 2 * gain * covariance + gain**2 * variance
        energies: Floats = left.mean(axis=1) + strain
        return energies

    def careful_energies(self, rows: NDArray[np.intp], crop: Crop) -> Floats:
        """(len(rows),) misfit of some faces, tolerant of covered parts; sizes as kept here."""
        weights = self.opacity[rows] * crop.weight.ravel()[None]
        return robust_energy(self.pictures[rows], crop.colours.reshape(-1, 3), weights, crop.light)


def robust_energy(references: Floats, crop: Floats, weight: Floats, light: Light) -> Floats:
    """(K,) misfit of each reference, tolerant of covered parts.

    Args:
        references: (K, N, 3) colours.
        crop: (N, 3) colours.
        weight: (K, N) how much each pixel counts.
        light: White balance that is expected.
    """
    robust = weight
    for _ in range(2):
        fit = fit_light(references, crop, robust, light)
        squared = _squared_distance(references, crop, fit)
        robust = weight / (1 + squared / 0.02) ** 2
    capped = np.minimum(squared, _CAP**2) * weight
    energy: Floats = capped.sum(axis=1) / (weight.sum(axis=1) + 1e-6) + fit.strain
    return energy


def sharpness_of(reference: Floats, crop: Crop) -> float:
    """The blur of `SHARPNESS_PX` under which the reference fits the crop best.

    Args:
        reference: (H, W, 3) colours of the face that lies there, as sharp as it is kept.
        crop: The crop, laid exactly.
    """
    flat = crop.colours.reshape(-1, 3)
    weight = crop.weight.ravel()
    best, least = SHARPNESS_PX[0], np.inf
    for sigma in SHARPNESS_PX:
        blurred = blur(reference, sigma).reshape(1, -1, 3)
        energy = float(robust_energy(blurred, flat, weight[None], crop.light)[0])
        if energy >= least:
            break
        best, least = sigma, energy
    return best


def blur(picture: Floats, sigma: float) -> Floats:
    """The picture after a Gaussian of `sigma` pixels."""
    if sigma <= 0:
        return picture
    blurred: Floats = cv2.GaussianBlur(
        picture, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE
    ).astype(np.float32)
    return blurred


def compare(references: Floats, opacity: Floats, crop: Crop) -> Comparison:
    """Compare faces with a crop onto which the best of them is laid exactly.

    Args:
        references: (K, H, W, 3) colours, blurred like the crop.
        opacity: (K, H, W), 0 outside a face's rounded corners.
        crop: The crop.
    """
    count, height, width = opacity.shape
    colours = crop.colours.reshape(-1, 3)
    weights = (opacity * crop.weight).reshape(count, -1)
    predicted, fit = _predict(references, weights, crop)
    squared = ((colours[None] - predicted) ** 2).mean(axis=2)
    first = int(np.argmin(_energies(squared, weights) + fit.strain))
    rough = _energies(squared, weights) + fit.strain
    likely = rough <= _LIKELY * rough[first] + 1e-4
    noise = _noise(squared[first], weights[first])
    visible = _visible(squared[likely].min(axis=0), weights[first], noise, (height, width))
    energies = _energies(squared, weights * visible) + fit.strain
    order = np.argsort(energies, kind="stable")
    first = int(order[0])
    seen = visible * weights[first]
    return Comparison(
        order=order,
        energies=energies[order],
        advantages=_advantages(energies, order, seen, (noise, crop.density)),
        margins=_margins(predicted, energies, order, seen),
        visible=(visible * (weights[first] > 0.5)).reshape(height, width).astype(np.float32),
        fit=_correlation(predicted[first], colours, seen),
        gains=fit.gain[first],
    )


def _squared_distance(references: Floats, crop: Floats, fit: LightFit) -> Floats:
    predicted = references * fit.gain[:, None] + fit.offset[:, None]
    squared: Floats = ((crop[None] - predicted) ** 2).mean(axis=2)
    return squared


def _predict(references: Floats, weights: Floats, crop: Crop) -> tuple[Floats, LightFit]:
    """References under the light of the crop (K, N, 3), fitted on every second row and column."""
    count, height, width = references.shape[:3]
    thin_refs = references[:, ::_STRIDE, ::_STRIDE].reshape(count, -1, 3)
    thin_crop = crop.colours[::_STRIDE, ::_STRIDE].reshape(-1, 3)
    thin_weight = weights.reshape(count, height, width)[:, ::_STRIDE, ::_STRIDE]
    thin_weight = thin_weight.reshape(count, -1)
    robust = thin_weight
    for _ in range(3):
        fit = fit_light(thin_refs, thin_crop, robust, crop.light)
        squared = _squared_distance(thin_refs, thin_crop, fit)
        robust = thin_weight / (1 + squared / 0.015) ** 2
    basis = gradient_basis(width, height)
    thin_basis = basis.reshape(height, width, -1)[::_STRIDE, ::_STRIDE].reshape(len(thin_crop), -1)
    predicted = references.reshape(count, -1, 3) * fit.gain[:, None] + fit.offset[:, None]
    thin_predicted = thin_refs * fit.gain[:, None] + fit.offset[:, None]
    for row in range(count):
        bend = fit_gradient(thin_predicted[row], thin_crop, robust[row], thin_basis)
        predicted[row] *= (1 + basis @ bend)[:, None]
    return predicted.astype(np.float32), fit


def _energies(squared: Floats, weights: Floats) -> Floats:
    capped = np.minimum(squared, _CAP**2) * weights
    energies: Floats = capped.sum(axis=1) / (weights.sum(axis=1) + 1e-6)
    return energies


def _noise(squared: Floats, weight: Floats) -> float:
    """Standard deviation of a pixel's colour against its reference."""
    seen = squared[weight > 0.5]
    if not seen.size:
        return 1.0
    return max(1.2 * float(np.sqrt(np.median(seen))), _LEAST_NOISE)


def _visible(squared: Floats, weight: Floats, noise: float, shape: tuple[int, int]) -> Floats:
    """(N,) 1 where a likely face explains the neighbourhood of the pixel, falling to 0."""
    limit = max(_UNEXPLAINED * noise, 0.12)
    misfit = (squared > limit**2).astype(np.float32) * weight
    around = cv2.boxFilter(misfit.reshape(shape), -1, (7, 7))
    visible: Floats = np.clip(1.6 - 3 * around, 0, 1).astype(np.float32).ravel()
    return visible


def _advantages(
    energies: Floats, order: NDArray[np.intp], seen: Floats, quality: tuple[float, float]
) -> Floats:
    noise, density = quality
    # Neighbouring pixels err alike: lens, JPEG and demosaicking tie some six of them together.
    independent = float(seen.sum()) * density / 6
    gap = energies[order] - energies[order[0]]
    advantages: Floats = (gap * 3 * independent / (2 * noise**2)).astype(np.float32)
    return advantages


def _margins(predicted: Floats, energies: Floats, order: NDArray[np.intp], seen: Floats) -> Floats:
    first = predicted[order[0]]
    total = float(seen.sum()) + 1e-6
    apart = ((predicted[order] - first) ** 2).mean(axis=2)
    apart = (np.minimum(apart, _CAP**2) * seen).sum(axis=1) / total
    margins: Floats = (energies[order] - energies[order[0]]) / np.maximum(apart, 1e-7)
    return np.clip(margins, -1, 1).astype(np.float32)


def _correlation(predicted: Floats, colours: Floats, seen: Floats) -> float:
    share = (seen / (float(seen.sum()) + 1e-6))[:, None]
    p = predicted - (share * predicted).sum(axis=0)
    c = colours - (share * colours).sum(axis=0)
    both = float((share * p * c).sum())
    return both / float(np.sqrt((share * p * p).sum() * (share * c * c).sum()) + 1e-9)
