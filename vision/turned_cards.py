"""A small card in any turn and place of its neighbourhood, found by one matrix product.

What each pixel says for a card is a template, drawn for every turn. A neighbourhood is cut into
windows of a template's size; the best pair of window and template tells where the card lies.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.faces import FaceFormat
from vision.flatten import Quad, apply_homography, flat_corners, homography

Floats = NDArray[np.float32]

TURNS = 24
"""Ways in which a card may be turned that are tried: every 15 degrees."""
_WIDTH = 16
"""Pixels across the small card: some 4 mm each, which a finger still fills."""
_REACH = 0.3
"""Share of the card's height by which it may lie beside the place."""


def small_wh(members: FaceFormat) -> tuple[int, int]:
    """Width and height of the small card."""
    width, height = members.size_wh
    return _WIDTH, round(_WIDTH * height / width)


def window_px(size_wh: tuple[int, int]) -> int:
    """Side of the window in which the small card fits in every turn, and what is beside it."""
    return 2 * _half_px(size_wh) + 1


def reach_px(size_wh: tuple[int, int]) -> int:
    """Pixels by which the small card may lie beside the place, to each side."""
    return round(_REACH * size_wh[1])


def margin_of(size_wh: tuple[int, int]) -> float:
    """Share of its size by which a flat picture must reach beyond the place on every side."""
    half = _half_px(size_wh) + reach_px(size_wh)
    return max(1.0, (half + 1) / size_wh[0] - 0.5)


def around(size_wh: tuple[int, int], wide_hw: tuple[int, int]) -> tuple[slice, slice]:
    """Rows and columns of the neighbourhood in the middle of a flat picture."""
    half = _half_px(size_wh) + reach_px(size_wh)
    row, col = wide_hw[0] // 2, wide_hw[1] // 2
    return slice(row - half, row + half + 1), slice(col - half, col + half + 1)


def to_window(size_wh: tuple[int, int], turn: int) -> NDArray[np.float64]:
    """(3, 3) map from the small card to where it lies, turned, in its window."""
    half = _half_px(size_wh)
    turned = homography(flat_corners(size_wh), _turned_corners(size_wh, turn))
    middle = np.array([[1, 0, half - (size_wh[0] - 1) / 2], [0, 1, half - (size_wh[1] - 1) / 2]])
    return np.asarray(np.vstack([middle, [0, 0, 1]]) @ turned, np.float64)


def windows_of(layers: Floats, size_wh: tuple[int, int]) -> Floats:
    """(P, C * side * side) all windows of a neighbourhood (C, S, S), row by row."""
    side = window_px(size_wh)
    windows = np.lib.stride_tricks.sliding_window_view(layers, (side, side), axis=(1, 2))
    flat = windows.transpose(1, 2, 0, 3, 4).reshape(windows.shape[1] * windows.shape[2], -1)
    return np.asarray(flat, np.float32)


def place_of(quad: Quad, size_wh: tuple[int, int], position: int, turn: int) -> Quad:
    """(4, 2) the turned card in a window, from its top left, where the place is a quad (4, 2)."""
    reach = reach_px(size_wh)
    row, col = divmod(position, 2 * reach + 1)
    turned = _turned_corners(size_wh, turn) + np.array([col, row]) - reach
    return apply_homography(homography(flat_corners(size_wh), quad), turned)


def _half_px(size_wh: tuple[int, int]) -> int:
    return int(np.ceil(np.hypot(*size_wh) / 2)) + 1


def _turned_corners(size_wh: tuple[int, int], turn: int) -> Quad:
    """(4, 2) corners of the small card, turned clockwise around its middle, in its own pixels."""
    corners = flat_corners(size_wh)
    middle = corners.mean(axis=0)
    angle = 2 * np.pi * turn / TURNS
    spin = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray((corners - middle) @ spin + middle, np.float32)
