"""Light on a board: how bright each place is seen, against its print.

Patches of the print that were found say it where nothing covers it; a smooth surface carries it
over the rest. What is left (a lamp's reflection, the edge of a shadow) is fitted in each space.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.board_registration import Patches
from vision.board_view import FlatBoard, Points

_LEAST_GAIN, _MOST_GAIN = 0.08, 2.5
_REACH_SPACES, _UNKNOWN = 0.7, 0.02
"""How far what is known of the light at a place holds, and how little of it is still believed."""
_SWEEPS = 8
_CURVED_PATCHES, _LINEAR_PATCHES = 40, 12
_OUTLIER = 0.12
"""Patches off the surface by more than this share (a reflection, a thing upon them) count less."""


def even_light(flat: FlatBoard, patches: Patches, size: tuple[int, int]) -> NDArray[np.float32]:
    """The flat board (H, W, 3) float32 as bright as its print, 0 to 1.

    Args:
        flat: The board laid flat.
        patches: Where its print was found, with their gains.
        size: Columns and rows of spaces.
    """
    pixels = np.asarray(flat.image / np.float32(255), np.float32)
    if len(patches.places) == 0:
        return pixels
    order = _order(len(patches.places))
    terms = _terms(patches.places, size, order)
    logs = np.log(np.clip(patches.gains, _LEAST_GAIN, _MOST_GAIN))
    # Lamps differ in strength from place to place, hardly in colour.
    brightness = logs.mean(axis=1)
    tint = np.median(logs - brightness[:, None], axis=0)
    surface = _robust_fit(terms, brightness)
    # The surface is smooth: worked out on every eighth pixel, and stretched.
    places = _lattice(flat)
    gains = np.exp((_terms(places.reshape(-1, 2), size, order) @ surface)[:, None] + tint)
    gains = np.clip(gains, _LEAST_GAIN, _MOST_GAIN).reshape(*places.shape[:2], 3)
    return np.asarray(pixels / _stretch(gains.astype(np.float32), pixels), np.float32)


def even_again(
    light: NDArray[np.float32], flat: FlatBoard, places: Points, known: NDArray[np.float32]
) -> NDArray[np.float32]:
    """An evened board, evened once more by what is known of the light at some places.

    Args:
        light: (H, W, 3) float32.
        flat: The flat board that it was made from.
        places: (N, 2) in spaces.
        known: (N, 2, 3) gain and offset that are left there.
    """
    near = _lattice(flat)
    away = ((near.reshape(-1, 1, 2) - places) ** 2).sum(axis=2)
    shares = np.exp(-away / (2 * _REACH_SPACES**2))
    # Far from all that is known the light is as it was.
    whole = shares.sum(axis=1, keepdims=True) + _UNKNOWN
    left = known - np.array([[1.0], [0.0]])
    mean = (shares @ left.reshape(len(places), -1) / whole).reshape(*near.shape[:2], 2, 3)
    gains = _stretch(np.maximum(1 + mean[..., 0, :], 0.2).astype(np.float32), light)
    offsets = _stretch(mean[..., 1, :].astype(np.float32), light)
    return np.asarray((light - offsets) / gains, np.float32)


def _lattice(flat: FlatBoard) -> NDArray[np.float64]:
    """(N, M, 2) places, in spaces, of about every eighth pixel of a flat board, edges included."""
    high, wide = flat.image.shape[:2]
    x, y = np.meshgrid(
        np.linspace(0, wide - 1, 2 + wide // 8), np.linspace(0, high - 1, 2 + high // 8)
    )
    return flat.place_of(np.stack([x, y], axis=2))


def _stretch(values: NDArray[np.float32], like: NDArray[np.float32]) -> NDArray[np.float32]:
    """Values on a coarse lattice (N, M, 3) as large as a picture, in between by straight lines."""
    down, across = (
        np.linspace(0, coarse - 1, fine)
        for coarse, fine in zip(values.shape[:2], like.shape[:2], strict=True)
    )
    left = np.minimum(across.astype(int), values.shape[1] - 2)
    top = np.minimum(down.astype(int), values.shape[0] - 2)
    right_share = (across - left).astype(np.float32)[None, :, None]
    low_share = (down - top).astype(np.float32)[:, None, None]
    rows = values[top] * (1 - low_share) + values[top + 1] * low_share
    return np.asarray(rows[:, left] * (1 - right_share) + rows[:, left + 1] * right_share)


def _order(count: int) -> int:
    if count >= _CURVED_PATCHES:
        return 2
    return 1 if count >= _LINEAR_PATCHES else 0


def _terms(places: Points, size: tuple[int, int], order: int) -> NDArray[np.float64]:
    """(N, T) the terms of a surface of this order, over places brought to -1 to 1."""
    x, y = (2 * places / np.array(size) - 1).T
    x, y = np.clip(x, -1.4, 1.4), np.clip(y, -1.4, 1.4)
    terms = [np.ones_like(x)]
    if order >= 1:
        terms += [x, y]
    if order >= 2:
        terms += [x * x, x * y, y * y]
    return np.stack(terms, axis=1)


def _robust_fit(terms: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.ones(len(values))
    ridge = 1e-3 * len(values) * np.eye(terms.shape[1])
    ridge[0, 0] = 0.0
    solution = np.zeros(terms.shape[1])
    for _ in range(_SWEEPS):
        weighted = terms * weights[:, None]
        solution[:] = np.linalg.solve(terms.T @ weighted + ridge, weighted.T @ values)
        error = values - terms @ solution
        weights = 1 / (1 + (error / _OUTLIER) ** 2)
    return np.asarray(solution)
