"""How well each of several faces explains one crop, and by how much one beats another.

Pure arithmetic on arrays; colours run from 0 to 1. A pixel that no likely face explains (a hand, a
neighbour, glare) is no evidence for any. Two faces are weighed only by the pixels in which they
differ, since elsewhere their misfit is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photometry import (
    Light,
    LightFit,
    LightFitter,
    fit_gradient,
    gradient_basis,
    planes_of,
)

Floats = NDArray[np.float32]

SHARPNESS_PX = (0.0, 0.7, 1.1, 1.6, 2.3, 3.3)
"""Blur (standard deviation in canonical pixels) that is tried on the reference."""
_TRIED_AT_ONCE = 3
"""Few pictures are softer than the second of these, so one more is all that is tried in vain."""

_CAP = 0.30
"""A colour distance beyond this says no more than "does not fit"."""

_LEAST_NOISE = 0.03
_UNEXPLAINED = 3.5
_LIKELY = 2.0
_NEAR = 3.0
_ALWAYS_NEAR = 1e-3
_MOST_NEAR = 5
"""Faces with so many times the least misfit, and a little more, are compared on every pixel."""
_STRIDE = 2
_BLOWN, _OVEREXPOSED = 0.985, 0.2
"""Brightness, of 1, that is as much as a camera can tell, and the share of such colours from which
a crop is overexposed."""
_GLARE_SIZE = 0.1
"""Softness of a reflection as a share of the card's width: print is finer."""
_LEAST_GLARE = 0.06
"""Brightness, of 1, from which glare is believed."""


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
        explained: Share of what could be seen that the first face explains.
        fit: Correlation of what is visible with the first face.
        gains: (3,) float32 of the first face.
    """

    order: NDArray[np.intp]
    energies: Floats
    advantages: Floats
    margins: Floats
    visible: Floats
    explained: float
    fit: float
    gains: Floats

    @property
    def gaps(self) -> Floats:
        """(K,) misfit of each beyond the first's, as a part of the first's."""
        least = self.energies[0]
        return np.asarray((self.energies - least) / (least + 1e-6), np.float32)


@dataclass(frozen=True, eq=False)
class Reference:
    """A face as a crop of it would look.

    Attributes:
        picture: (H, W, 3) float32 colours, blurred like the crop.
        opacity: (H, W) float32, 0 outside its rounded corners.
    """

    picture: Floats
    opacity: Floats

    @cached_property
    def thin(self) -> Floats:
        """(3, N) planes of every second row and column."""
        return planes_of(_thin(self.picture))

    @cached_property
    def thin_opacity(self) -> Floats:
        """(N,) opacity of every second row and column."""
        return np.ascontiguousarray(_thin(self.opacity).ravel())


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

    @property
    def in_view(self) -> float:
        """Share that nothing covers, at least 0.15: a place that is hidden fits any face."""
        return max(float(self.weight.mean()), 0.15)

    def rolled(self, quarters: int) -> Crop:
        """The crop of the same quad that begins so many corners later (two, if it is no square)."""
        if quarters % 4 == 0:
            return self
        return replace(
            self,
            colours=np.ascontiguousarray(np.rot90(self.colours, quarters)),
            weight=np.ascontiguousarray(np.rot90(self.weight, quarters)),
        )


def robust_energy(references: Floats, crop: Floats, weight: Floats, light: Light) -> Floats:
    """(K,) misfit of each reference, tolerant of covered parts.

    Args:
        references: (K, 3, N) colours.
        crop: (3, N) colours, or (K, 3, N) of a crop for each.
        weight: (K, N) how much each pixel counts.
        light: White balance that is expected.
    """
    fitter, robust = LightFitter(references, crop, light), weight
    for _ in range(2):
        fit = fitter.fit(robust)
        squared = fitter.squared_distance(fit)
        robust = weight / (1 + squared / 0.02) ** 2
    return _energies(squared, weight) + fit.strain


def sharpness_of(soften: Callable[[float], Reference], crop: Crop) -> float:
    """The blur of `SHARPNESS_PX` under which a reference fits the crop best.

    Args:
        soften: The face that lies there after a blur of so many pixels.
        crop: The crop, laid exactly.
    """
    colours = planes_of(_thin(crop.colours))
    weight = _thin(crop.weight).reshape(1, -1)
    best, least = SHARPNESS_PX[0], np.inf
    for some in (SHARPNESS_PX[:_TRIED_AT_ONCE], SHARPNESS_PX[_TRIED_AT_ONCE:]):
        blurred = np.stack([soften(sigma).thin for sigma in some])
        weights = np.repeat(weight, len(some), axis=0)
        energies = robust_energy(blurred, colours, weights, crop.light).tolist()
        for sigma, energy in zip(some, energies, strict=True):
            if energy >= least:
                return best
            best, least = sigma, energy
    return best


def _thin(plane: Floats) -> Floats:
    """Every second row and column."""
    return np.asarray(plane[::_STRIDE, ::_STRIDE], np.float32)


def blur(picture: Floats, sigma: float) -> Floats:
    """The picture after a Gaussian of `sigma` pixels."""
    if sigma <= 0:
        return picture
    blurred: Floats = cv2.GaussianBlur(
        picture, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE
    ).astype(np.float32)
    return blurred


def compare(references: Sequence[Reference], crop: Crop) -> Comparison:
    """Compare faces with a crop onto which the best of them is laid exactly.

    All are weighed on every second row and column, and those that come near the best one there on
    every pixel: the others are far behind, and how far is seen well enough.

    Args:
        references: K faces.
        crop: The crop.
    """
    height, width = crop.weight.shape
    rough = _fit_roughly(references, crop)
    ranked = np.argsort(rough.energies, kind="stable")
    limit = _NEAR * rough.energies[ranked[0]] + _ALWAYS_NEAR
    near, far = np.split(ranked, [min(_MOST_NEAR, int((rough.energies <= limit).sum()))])
    near = np.sort(near)
    colours = planes_of(crop.colours)
    opacity = np.stack([references[row].opacity for row in near])
    weights = (opacity * crop.weight).reshape(len(near), -1)
    predicted, strain = _predict(references, near, rough), rough.light.strain[near]
    squared = _distances(predicted, colours)
    energies = _energies(squared, weights) + strain
    first = int(np.argmin(energies))
    veil = _veil(colours - predicted[first], weights[first], (height, width))
    if veil is not None:
        predicted = np.minimum(predicted + veil, 1)
        squared = _distances(predicted, colours)
        energies = _energies(squared, weights) + strain
    likely = energies <= _LIKELY * energies[first] + 1e-4
    noise = _noise(squared[first], weights[first])
    visible = _visible(squared[likely].min(axis=0), weights[first], noise, (height, width))
    energies = _energies(squared, weights * visible) + strain
    order = np.argsort(energies, kind="stable")
    first = int(order[0])
    seen = visible * weights[first]
    apart = _apart(predicted[order], predicted[first], seen)
    misfits = np.append(energies[order], np.maximum(rough.energies[far], energies.max()))
    gaps = misfits - misfits[0]
    if far.size:
        thin_seen = _thin(seen.reshape(height, width)).ravel()
        lit = rough.lit(np.append(far, near[first]))
        apart = np.append(apart, _apart(lit[:-1], lit[-1], thin_seen))
    return Comparison(
        order=np.append(near[order], far),
        energies=misfits.astype(np.float32),
        advantages=_advantages(gaps, seen, (noise, crop.density)),
        margins=np.clip(gaps / np.maximum(apart, 1e-7), -1, 1).astype(np.float32),
        visible=(visible * (weights[first] > 0.5)).reshape(height, width).astype(np.float32),
        explained=float(seen.sum() / (weights[first].sum() + 1e-6)),
        fit=_correlation(predicted[first], colours, seen),
        gains=_gains(references[near[first]].picture, colours, seen, crop.light),
    )


def _distances(predicted: Floats, colours: Floats) -> Floats:
    """(K, N) squared distance of predictions (K, 3, N) to colours (3, N), mean of the channels."""
    total = (predicted[:, 0] - colours[0]) ** 2
    total += (predicted[:, 1] - colours[1]) ** 2
    total += (predicted[:, 2] - colours[2]) ** 2
    total /= 3
    return np.asarray(total, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Rough:
    """Faces under the light of a crop, on every second row and column.

    Attributes:
        references: (K, 3, N) colours.
        colours: (3, N) of the crop.
        robust: (K, N), how much each pixel counts: less where it does not fit.
        light: Gain and offset of each.
        energies: (K,) misfit of each.
        brightest: What a colour reaches at most; infinity where the picture is not overexposed.
    """

    references: Floats
    colours: Floats
    robust: Floats
    light: LightFit
    energies: Floats
    brightest: float

    def lit(self, rows: NDArray[np.intp]) -> Floats:
        """Some of the faces under the light of the crop."""
        lit = self.references[rows] * self.light.gain[rows][..., None]
        lit = np.minimum(lit + self.light.offset[rows][..., None], self.brightest)
        return np.asarray(lit, np.float32)


def _fit_roughly(references: Sequence[Reference], crop: Crop) -> _Rough:
    colours = planes_of(_thin(crop.colours))
    weights = np.stack([face.thin_opacity for face in references]) * _thin(crop.weight).ravel()
    thin = np.stack([face.thin for face in references])
    is_blown = colours >= _BLOWN
    overexposed = float(is_blown.mean()) > _OVEREXPOSED
    brightest = 1.0 if overexposed else np.inf
    # What is blown out was at least so bright: it says nothing of the light.
    telling = weights * ~is_blown.any(axis=0) if overexposed else weights
    robust = telling
    fitter = LightFitter(thin, colours, crop.light)
    for _ in range(3):
        fit = fitter.fit(robust)
        squared = fitter.squared_distance(fit, brightest)
        robust = telling / (1 + squared / 0.015) ** 2
    energies = _energies(squared, weights) + fit.strain
    return _Rough(thin, colours, robust, fit, energies, brightest)


def _predict(references: Sequence[Reference], rows: NDArray[np.intp], rough: _Rough) -> Floats:
    """(K, 3, H * W) some of the references under the light of the crop, with its gradient."""
    height, width = references[0].opacity.shape
    basis = gradient_basis(width, height)
    thin_basis = _thin(basis.reshape(height, width, -1)).reshape(rough.colours.shape[1], -1)
    predicted = np.stack([planes_of(references[row].picture) for row in rows])
    for place, row in enumerate(rows):
        predicted[place] *= rough.light.gain[row][:, None]
        predicted[place] += rough.light.offset[row][:, None]
        lit = rough.lit(np.array([row]))[0]
        bend = fit_gradient(lit, rough.colours, rough.robust[row], thin_basis)
        predicted[place] *= 1 + basis @ bend
    return np.minimum(predicted, np.float32(rough.brightest))


def _veil(residual: Floats, weight: Floats, shape: tuple[int, int]) -> Floats | None:
    """(N,) light that a lamp's reflection lays over the card, or None where there is no glare.

    Glare is soft and adds to all colours alike, so what is missing in every channel is smoothed.
    All faces get the veil of the likeliest one, which gives no face an advantage in print.
    """
    missing = np.maximum(residual.min(axis=0), 0) * weight
    sigma = _GLARE_SIZE * min(shape)
    total = cv2.GaussianBlur(missing.reshape(shape), (0, 0), sigma)
    seen = cv2.GaussianBlur(weight.reshape(shape), (0, 0), sigma)
    veil = np.asarray(total / (seen + 0.05), np.float32).ravel()
    return veil if float(veil.max()) > _LEAST_GLARE else None


def _gains(reference: Floats, colours: Floats, seen: Floats, light: Light) -> Floats:
    """(3,) gain of what is seen of the first face."""
    fit = LightFitter(planes_of(reference)[None], colours, light).fit(seen[None])
    return np.asarray(fit.gain[0], np.float32)


def _energies(squared: Floats, weights: Floats) -> Floats:
    capped = np.minimum(squared, _CAP**2)
    total = np.einsum("kn,kn->k", capped, weights)
    return np.asarray(total / (weights.sum(axis=1) + 1e-6), np.float32)


def _noise(squared: Floats, weight: Floats) -> float:
    """Standard deviation of a pixel's colour against its reference."""
    seen = squared[weight > 0.5]
    if not seen.size:
        return 1.0
    middle = len(seen) // 2
    return max(1.2 * float(np.sqrt(np.partition(seen, middle)[middle])), _LEAST_NOISE)


def _visible(squared: Floats, weight: Floats, noise: float, shape: tuple[int, int]) -> Floats:
    """(N,) 1 where a likely face explains the neighbourhood of the pixel, falling to 0."""
    limit = max(_UNEXPLAINED * noise, 0.12)
    misfit = (squared > limit**2).astype(np.float32) * weight
    around = cv2.boxFilter(misfit.reshape(shape), -1, (7, 7))
    visible: Floats = np.clip(1.6 - 3 * around, 0, 1).astype(np.float32).ravel()
    return visible


def _advantages(gaps: Floats, seen: Floats, quality: tuple[float, float]) -> Floats:
    noise, density = quality
    # Neighbouring pixels err alike: lens, JPEG and demosaicking tie some six of them together.
    independent = float(seen.sum()) * density / 6
    return np.asarray(gaps * 3 * independent / (2 * noise**2), np.float32)


def _apart(predicted: Floats, first: Floats, seen: Floats) -> Floats:
    """(K,) how far faces (K, 3, N) differ from the first (3, N) where it is seen (N,)."""
    apart = np.minimum(_distances(predicted, first), _CAP**2)
    return np.asarray(apart @ seen / (float(seen.sum()) + 1e-6), np.float32)


def _correlation(predicted: Floats, colours: Floats, seen: Floats) -> float:
    share = seen / (float(seen.sum()) + 1e-6)
    p = predicted - (predicted @ share)[:, None]
    c = colours - (colours @ share)[:, None]
    both = float(((p * c) @ share).sum())
    return both / float(np.sqrt(((p * p) @ share).sum() * ((c * c) @ share).sum()) + 1e-9)
