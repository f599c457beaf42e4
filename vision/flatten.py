"""Cutting a quad out of a picture and laying it flat, without aliasing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

FloatImage = NDArray[np.float32]

_MUCH_SMALLER = 1.6
"""Shrinking from which bilinear interpolation alone would skip pixels."""

_FROM_CORNER = np.array([np.roll(np.arange(4), -corner) for corner in range(4)])
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
    return np.asarray(np.linalg.norm(begun_at(quad, 1) - quad, axis=1), np.float32)


def begun_at(quad: Quad, corner: int) -> Quad:
    """The same quad from another of its corners, counted from the first."""
    return np.asarray(quad[_FROM_CORNER[corner % 4]], np.float32)


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


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A part of a picture, shrunk so that quads of one size are cut out of it without aliasing.

    Attributes:
        pixels: (H, W, 3) or (H, W) uint8.
        offset: (2,) float32, where its first pixel lies in the picture.
        scale: (2,) float32, its pixels for each pixel of the picture, across and down.
    """

    pixels: NDArray[np.uint8]
    offset: NDArray[np.float32]
    scale: NDArray[np.float32]

    def flatten(
        self, quad: Quad, size_wh: tuple[int, int], *, margin: float = 0.0
    ) -> NDArray[np.uint8]:
        """What lies inside a quad of the picture; the arguments are those of `flatten`."""
        pad_x, pad_y = round(size_wh[0] * margin), round(size_wh[1] * margin)
        corners = flat_corners(size_wh) + np.array([pad_x, pad_y], np.float32)
        local = ((quad - self.offset + 0.5) * self.scale - 0.5).astype(np.float32)
        flat = cv2.warpPerspective(
            self.pixels,
            homography(local, corners),
            (size_wh[0] + 2 * pad_x, size_wh[1] + 2 * pad_y),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(flat, np.uint8)


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
    return patch_around(image, quad, size_wh, margin).flatten(quad, size_wh, margin=margin)


def inside_picture(
    image_wh: tuple[int, int], quad: Quad, size_wh: tuple[int, int]
) -> NDArray[np.float32]:
    """(H, W) float32 of the flat picture: 1 where it lies inside the picture, else 0."""
    width, height = image_wh
    if (quad >= 0).all() and (quad <= np.array([width - 1, height - 1])).all():
        return np.ones(size_wh[::-1], np.float32)
    x = np.arange(size_wh[0], dtype=np.float32)
    y = np.arange(size_wh[1], dtype=np.float32)[:, None]
    back = homography(flat_corners(size_wh), quad).astype(np.float32)
    across, down, depth = (row[0] * x + (row[1] * y + row[2]) for row in back)
    inside = (across >= 0) & (across <= (width - 1) * depth)
    inside &= (down >= 0) & (down <= (height - 1) * depth)
    return np.asarray(inside, np.float32)


def patch_around(
    image: NDArray[np.uint8], quads: NDArray[np.float32], size_wh: tuple[int, int], margin: float
) -> Patch:
    """The picture around some quads, shrunk where their flat pictures are much smaller.

    Args:
        image: (H, W, 3) or (H, W) uint8.
        quads: (4, 2) or (N, 4, 2) corners in the picture, of about one size.
        size_wh: Size of the flat picture of a quad.
        margin: Share of a quad's size that is needed on every side of it.
    """
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = quads.reshape(-1, 4, 2)[0].tolist()
    across = math.hypot(x1 - x0, y1 - y0) + math.hypot(x3 - x2, y3 - y2)
    down = math.hypot(x2 - x1, y2 - y1) + math.hypot(x0 - x3, y0 - y3)
    shrink = min(across / size_wh[0], down / size_wh[1]) / 2
    if shrink < _MUCH_SMALLER:
        return Patch(image, _ORIGIN, _ONE)
    points = quads.reshape(-1, 2)
    centre = points.mean(axis=0)
    reach = np.abs(points - centre).max(axis=0) * (1 + 2 * margin) + 2 * shrink
    low = np.maximum(np.floor(centre - reach), 0).astype(int)
    high = np.minimum(np.ceil(centre + reach) + 1, (image.shape[1], image.shape[0])).astype(int)
    if (high - low < 2).any():
        return Patch(image, _ORIGIN, _ONE)
    region = image[low[1] : high[1], low[0] : high[0]]
    small_wh = np.maximum(np.round((high - low) / shrink), 2).astype(int)
    size = (int(small_wh[0]), int(small_wh[1]))
    small = np.asarray(cv2.resize(region, size, interpolation=cv2.INTER_AREA), np.uint8)
    return Patch(small, low.astype(np.float32), (small_wh / (high - low)).astype(np.float32))


def is_near(laid: Quad, quad: Quad) -> bool:
    """Whether the laid quad is still the same piece and not folded up."""
    size = float(side_lengths(quad).min())
    if float(np.abs(laid - quad).max()) > 0.35 * size:
        return False
    return bool(cv2.isContourConvex(np.round(laid * 16).astype(np.int32)))
