"""Cutting a quad out of a picture and laying it flat, without aliasing."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

FloatImage = NDArray[np.float32]

_ORIGIN, _ONE = np.zeros(2, np.float32), np.ones(2, np.float32)

Quad = NDArray[np.float32]
"""(4, 2) float32, clockwise pixel corners from the top left of the flat picture."""


def flat_corners(size_wh: tuple[int, int]) -> Quad:
    """Corners of a flat picture in its own pixel coordinates (pixel centres are whole)."""
    width, height = size_wh
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(
        0.5
    )


def side_lengths(quad: Quad) -> NDArray[np.float32]:
    """(4,) lengths of the top, right, bottom and left side in pixels."""
    return np.asarray(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1), np.float32)


def homography(source: Quad, target: Quad) -> NDArray[np.float64]:
    """(3, 3) map that takes the four source corners to the four target corners."""
    matrix: NDArray[np.float64] = cv2.getPerspectiveTransform(
        source.astype(np.float32), target.astype(np.float32)
    ).astype(np.float64)
    return matrix


def apply_homography(matrix: NDArray[np.float64], points: NDArray[Any]) -> Quad:
    """Points (N, 2) after the map, float32."""
    homogeneous = np.hstack([points, np.ones((len(points), 1))]) @ matrix.T
    mapped: Quad = (homogeneous[:, :2] / homogeneous[:, 2:]).astype(np.float32)
    return mapped


def flatten(
    image: NDArray[np.uint8], quad: Quad, size_wh: tuple[int, int], *, margin: float = 0.0
) -> NDArray[np.uint8]:
    """The part of a picture inside a quad, as a flat picture of the given size.

    Args:
        image: (H, W, 3) or (H, W) uint8.
        quad: Corners in the picture; its first corner becomes the top left.
        size_wh: Size of the result without the margin.
        margin: Share of the size that is added on every side.
    """
    pad_x, pad_y = round(size_wh[0] * margin), round(size_wh[1] * margin)
    corners = flat_corners(size_wh) + np.array([pad_x, pad_y], np.float32)
    out_wh = (size_wh[0] + 2 * pad_x, size_wh[1] + 2 * pad_y)
    source, offset, scale = _shrunk_region(image, quad, size_wh, margin)
    local = ((quad - offset + 0.5) * scale - 0.5).astype(np.float32)
    flat = cv2.warpPerspective(
        source,
        homography(local, corners),
        out_wh,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(flat, np.uint8)


def inside_picture(
    image_wh: tuple[int, int], quad: Quad, size_wh: tuple[int, int]
) -> NDArray[np.float32]:
    """(H, W) float32 of the flat picture: 1 where it lies inside the picture, else 0."""
    width, height = image_wh
    if (quad >= 0).all() and (quad <= np.array([width - 1, height - 1])).all():
        return np.ones(size_wh[::-1], np.float32)
    x, y = np.meshgrid(np.arange(size_wh[0]), np.arange(size_wh[1]))
    points = np.stack([x.ravel(), y.ravel()], axis=1)
    back = apply_homography(homography(flat_corners(size_wh), quad), points)
    low, high = back.min(axis=1) >= 0, (back <= np.array([width - 1, height - 1])).all(axis=1)
    return np.asarray(low & high).reshape(size_wh[::-1]).astype(np.float32)


def _shrunk_region(
    image: NDArray[np.uint8], quad: Quad, size_wh: tuple[int, int], margin: float
) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.float32]]:
    """The picture around the quad, shrunk where the flat picture is much smaller."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = quad.tolist()
    across = math.hypot(x1 - x0, y1 - y0) + math.hypot(x3 - x2, y3 - y2)
    down = math.hypot(x2 - x1, y2 - y1) + math.hypot(x0 - x3, y0 - y3)
    shrink = min(across / size_wh[0], down / size_wh[1]) / 2
    if shrink < 1.6:
        return image, _ORIGIN, _ONE
    centre = quad.mean(axis=0)
    reach = np.abs(quad - centre).max(axis=0) * (1 + 2 * margin) + 2 * shrink
    low = np.maximum(np.floor(centre - reach), 0).astype(int)
    high = np.minimum(np.ceil(centre + reach) + 1, (image.shape[1], image.shape[0])).astype(int)
    if (high - low < 2).any():
        return image, _ORIGIN, _ONE
    region = image[low[1] : high[1], low[0] : high[0]]
    small_wh = np.maximum(np.round((high - low) / shrink), 2).astype(int)
    size = (int(small_wh[0]), int(small_wh[1]))
    small = np.asarray(cv2.resize(region, size, interpolation=cv2.INTER_AREA), np.uint8)
    return small, low.astype(np.float32), (small_wh / (high - low)).astype(np.float32)


def is_near(laid: Quad, quad: Quad) -> bool:
    """Whether the laid quad is still the same piece and not folded up."""
    size = float(side_lengths(quad).min())
    if float(np.abs(laid - quad).max()) > 0.35 * size:
        return False
    return bool(cv2.isContourConvex(np.round(laid * 16).astype(np.int32)))
