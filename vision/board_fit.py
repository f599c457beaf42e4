"""How well a picture of a space agrees with a face, whatever the light.

Each colour is fitted as gain · face + a smooth surface, where the gain may slope. A gain far from
one and a surface far from nought cost something: without that, a dark lawn in bright light would
equal a light one. The surface takes up the reflection of a lamp, the slopes the edge of a shadow.

Where a lamp is mirrored so strongly that the camera is dazzled, a colour that is full says only
that it is at least so bright; the others still say what lies there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]

_GAIN_COST = 0.01
"""A gain of 0.5, the edge of a deep shadow, costs 0.0025; a quarter of the wrong lawn 0.015."""
_OFFSET_COST = 0.04
"""An offset of 0.1, a lamp's reflection, costs 0.001."""
_SLOPE_COST = 0.05
"""The same for the slopes and bows of the surface."""
_GAINS, _GAIN_SLOPE_COST = 3, 0.02
"""Terms of the gain, and the cost of its slopes: 0.3 from one side to the middle costs 0.002."""
ERROR_CAP = 0.04
"""Squared errors, summed over the colours, count no more than this: a chip, a finger or a flower
more or less must not outvote the lawn. Light and dark lawn differ by about 0.2."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """What light upon a space may be like.

    Attributes:
        veil: The cost of the surface's mean.
        bow: The cost of its slopes and bows.
        tinted_gain: Lamps and their reflections are all but white: a gain that differs from colour
            to colour costs so many times as much.
        tinted_veil: The same for the surface.
    """

    veil: float
    bow: float
    tinted_gain: float
    tinted_veil: float


ROOM = Lamp(_OFFSET_COST, _SLOPE_COST, 2.0, 6.0)
MIRRORED = Lamp(0.003, 0.003, 4.0, 20.0)
"""A lamp that is mirrored may add anything, but adds white: no lawn turns into another by it."""
_SWEEPS = 3
_FIT_STEP = 3


@dataclass(frozen=True, slots=True, eq=False)
class FaceStack:
    """Faces to compare with, all of one size.

    Attributes:
        pixels: (K, 3, M) float32, 0 to 1.
        smooth: The same without what a smooth surface could be.
        squares: The squares of `smooth`.
        terms: (M, T) the terms of a smooth surface.
    """

    pixels: FloatArray
    smooth: FloatArray
    squares: FloatArray
    terms: FloatArray

    @staticmethod
    def of(pixels: FloatArray, terms: FloatArray) -> FaceStack:
        """The stack of faces (K, 3, M) whose pixels lie where the terms (M, T) say."""
        smooth = _without_surface(pixels, terms)
        return FaceStack(pixels, smooth, smooth * smooth, terms)

    def chosen(self, rows: NDArray[np.intp]) -> FaceStack:
        """Some of the faces."""
        return FaceStack(self.pixels[rows], self.smooth[rows], self.squares[rows], self.terms)


@cache
def surface_terms(side: int, step: int = 1) -> FloatArray:
    """(M, 5) slopes and bows over every `step`-th pixel of a square."""
    along = np.linspace(-1, 1, side, dtype=np.float32)[::step]
    x, y = (part.ravel() for part in np.meshgrid(along, along))
    terms = np.stack([x, y, x * x, x * y, y * y], axis=1)
    return np.asarray(terms - terms.mean(axis=0), np.float32)


def quick_costs(windows: FloatArray, weights: FloatArray, faces: FaceStack) -> FloatArray:
    """(P, K) cost a pixel of each window against each face.

    Args:
        windows: (P, 3, M).
        weights: (P, M), 0 where a pixel counts for nothing.
        faces: The faces (K, 3, M).
    """
    count = np.maximum(weights.sum(axis=1), 1e-3)[:, None]
    means = np.einsum("pbm,pm->pb", windows, weights)[..., None] / count[..., None]
    filled = means + weights[:, None] * (windows - means)
    even = _without_surface(filled, faces.terms)
    total = np.zeros((len(windows), len(faces.pixels)), np.float32)
    for band in range(3):
        seen = even[:, band]
        weighted = weights * seen
        x = weights @ faces.smooth[:, band].T / count
        xx = weights @ faces.squares[:, band].T / count
        xy = weighted @ faces.smooth[:, band].T / count
        y = weighted.sum(axis=1)[:, None] / count
        yy = (weighted * seen).sum(axis=1)[:, None] / count
        total += least_cost(x, xx, y, yy, xy)
    return total


def careful_costs(
    window: FloatArray,
    weights: FloatArray,
    faces: FaceStack,
    step: int = _FIT_STEP,
    lamp: Lamp = ROOM,
    full: NDArray[np.bool_] | None = None,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Cost of one window against each face with capped errors, the errors left, and the light.

    Args:
        window: (3, M); or (K, 3, M), one for each of K faces, or K against a single one.
        weights: (M,) or (K, M), 0 where a pixel counts for nothing.
        faces: The faces (K, 3, M).
        step: The light is fitted to each pixel of so many.
        lamp: What the light may be like.
        full: Like `window`, where a colour is as bright as the camera can tell, or brighter.

    Returns:
        (K,) cost a pixel, (K, M) squared error of each pixel summed over the colours, and
        (K, 2, 3) the mean gain and the mean of the surface of each colour.
    """
    if window.ndim == 2:
        window, weights = window[None], weights[None]
        full = None if full is None else full[None]
    share = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-3)
    thinned = None if full is None else full[..., ::step]
    fitted, penalty = _fit_light(
        window[..., ::step], weights[:, ::step], faces.pixels[..., ::step], faces.terms[::step],
        lamp, thinned,
    )  # fmt: skip
    gains = fitted[..., :_GAINS] @ _gain_terms(faces.terms).T
    surfaces = fitted[..., _GAINS:] @ _surface_terms(faces.terms).T
    lit = gains * faces.pixels + surfaces
    errors = ((_at_least(window, lit, full) - lit) ** 2).sum(axis=1)
    capped = (np.minimum(errors, ERROR_CAP) * share).sum(axis=1)
    means = fitted[..., [0, _GAINS]].transpose(0, 2, 1)
    return np.asarray(capped + penalty, np.float32), np.asarray(errors, np.float32), means


def _at_least(window: FloatArray, lit: FloatArray, full: NDArray[np.bool_] | None) -> FloatArray:
    """The window as it may have been before the camera was dazzled, for all that it says."""
    return window if full is None else np.where(full, np.maximum(window, lit), window)


def _fit_light(
    window: FloatArray,
    weights: FloatArray,
    faced: FloatArray,
    terms: FloatArray,
    lamp: Lamp,
    full: NDArray[np.bool_] | None,
) -> tuple[FloatArray, FloatArray]:
    """Gains and surfaces (K, 3, T) that suit each face best, and what they cost (K,)."""
    gain_terms, surface_terms_ = _gain_terms(terms), _surface_terms(terms)
    count, size = max(len(faced), len(window)), len(terms)
    share = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-3)
    number = _GAINS + 1 + terms.shape[1]
    prior = _prior(number, lamp)
    wanted = np.zeros((3, number), np.float32)
    wanted[:, 0] = 1
    columns = np.empty((count, 3, number, size), np.float32)
    columns[:, :, :_GAINS] = faced[:, :, None] * gain_terms.T
    columns[:, :, _GAINS:] = surface_terms_.T
    trust = np.broadcast_to(share, (count, size))
    seen = np.broadcast_to(window, (count, 3, size))
    solution = np.broadcast_to(wanted, (count, 3, number))
    normal = np.empty((count, 3, number, 3, number), np.float32)
    for _ in range(_SWEEPS):
        weighted = columns * trust[:, None, None]
        normal[:] = prior
        for band in range(3):
            normal[:, band, :, band] += weighted[:, band] @ columns[:, band].transpose(0, 2, 1)
        right = (weighted @ seen[..., None])[..., 0] + prior.sum(axis=2)[..., 0]
        solution = np.linalg.solve(
            normal.reshape(count, 3 * number, -1), right.reshape(count, -1, 1)
        ).reshape(count, 3, number)
        fitted = (solution[:, :, None] @ columns)[:, :, 0]
        seen = _at_least(window, fitted, full)
        errors = ((seen - fitted) ** 2).sum(axis=1)
        trust = share / (1 + (errors / ERROR_CAP) ** 2)
    off = solution - wanted
    penalty = np.einsum("kat,atbs,kbs->k", off, prior, off)
    return np.asarray(solution, np.float32), np.asarray(penalty, np.float32)


@cache
def _prior(number: int, lamp: Lamp) -> FloatArray:
    """(3, T, 3, T) what a gain far from one and a surface far from nought cost."""
    common = np.array([_GAIN_COST, *[_GAIN_SLOPE_COST] * (_GAINS - 1), lamp.veil])
    common = np.concatenate([common, np.full(number - _GAINS - 1, lamp.bow)])
    tinted = np.full(number, lamp.tinted_veil)
    tinted[:_GAINS] = lamp.tinted_gain
    shared, own = np.full((3, 3), 1 / 3), np.eye(3) - 1 / 3
    between = shared[..., None] * common + own[..., None] * common * tinted
    prior = np.zeros((3, number, 3, number), np.float32)
    every = np.arange(number)
    prior[:, every, :, every] = between.transpose(2, 0, 1)
    return prior


def _gain_terms(terms: FloatArray) -> FloatArray:
    """(M, 3) one and the two slopes: light that falls off, and the edge of a shadow."""
    return np.concatenate([np.ones((len(terms), 1), np.float32), terms[:, : _GAINS - 1]], axis=1)


def _surface_terms(terms: FloatArray) -> FloatArray:
    return np.concatenate([np.ones((len(terms), 1), np.float32), terms], axis=1)


def _without_surface(pixels: FloatArray, terms: FloatArray) -> FloatArray:
    """Pixels (..., M) less the surface that fits them best, costs of its slopes counted."""
    size = len(terms)
    normal = terms.T @ terms / size + _SLOPE_COST * np.eye(terms.shape[1], dtype=np.float32)
    slopes = pixels @ (terms @ np.linalg.inv(normal).astype(np.float32) / np.float32(size))
    return np.asarray(pixels - slopes @ terms.T, np.float32)


def least_cost(
    x: FloatArray, xx: FloatArray, y: FloatArray, yy: FloatArray, xy: FloatArray
) -> FloatArray:
    """Cost at the best gain and offset, from means a pixel."""
    own, free = xx + _GAIN_COST, 1 + _OFFSET_COST
    determinant = own * free - x * x
    right = xy + _GAIN_COST
    gain = (right * free - x * y) / determinant
    offset = (own * y - x * right) / determinant
    square = yy - 2 * gain * xy - 2 * offset * y
    square = square + gain * gain * xx + 2 * gain * offset * x + offset * offset
    penalty = _GAIN_COST * (gain - 1) ** 2 + _OFFSET_COST * offset**2
    return np.asarray(np.maximum(square, 0) + penalty, np.float32)
