"""How a board lies in a picture: a homography, and the bend that a wide lens adds.

Places on the board are counted in spaces: (0, 0) is the grid's outer north-west corner, x grows to
the east by one a column, y to the south by one a row. The margin around the grid is negative or
beyond the last column and row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""(N, 2) float64."""

_BLOCK_PX = 8
"""Over so many pixels of a flat board the map to the picture is all but straight: at 45 degrees
and with a wide lens it bends by a fortieth of a pixel."""


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """Radial bend by the division model: straight = centre + (seen - centre) / (1 + bend r²).

    Attributes:
        centre: (2,) pixels, the middle of the picture.
        radius_px: Half of the picture's diagonal, the unit of r.
        bend: 0 for none; some -0.1 for a phone's wide lens (barrel).
    """

    centre: NDArray[np.float64]
    radius_px: float
    bend: float = 0.0

    @staticmethod
    def of(image_wh: tuple[int, int], bend: float = 0.0) -> Lens:
        """The lens of a picture of this size."""
        size = np.array(image_wh, np.float64)
        return Lens((size - 1) / 2, float(np.hypot(*size)) / 2, bend)

    def straight(self, seen: NDArray[Any]) -> Points:
        """Points (N, 2) of the picture as a lens without bend would show them."""
        local = (np.asarray(seen, np.float64) - self.centre) / self.radius_px
        square = (local**2).sum(axis=1, keepdims=True)
        return np.asarray(self.centre + self.radius_px * local / (1 + self.bend * square))

    def seen(self, straight: NDArray[Any]) -> Points:
        """The inverse of `straight`."""
        points = np.asarray(straight, np.float64)
        if abs(self.bend) < 1e-9:
            return points
        local = (points - self.centre) / self.radius_px
        square = (local**2).sum(axis=1, keepdims=True)
        # The root of bend·r·s² - s + r = 0 that goes to s = r as the bend goes to nought.
        inner = np.maximum(1 - 4 * self.bend * square, 0.0)
        return np.asarray(self.centre + self.radius_px * local * 2 / (1 + np.sqrt(inner)))


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """The map from the board to a picture.

    Attributes:
        matrix: (3, 3) homography from spaces to pixels of the picture without bend.
        lens: Its bend.
        image_wh: Size of the picture.
    """

    matrix: NDArray[np.float64]
    lens: Lens
    image_wh: tuple[int, int]

    def in_picture(self, spaces: NDArray[Any]) -> Points:
        """Points (N, 2) of the board, in spaces, as pixels."""
        return self.lens.seen(project(self.matrix, spaces))

    def on_board(self, pixels: NDArray[Any]) -> Points:
        """Points (N, 2) of the picture, in pixels, as spaces."""
        return project(np.asarray(np.linalg.inv(self.matrix)), self.lens.straight(pixels))

    def space_px(self, spaces: NDArray[Any]) -> NDArray[np.float64]:
        """(N,) how many pixels a space is long in the picture at some places of the board."""
        points = np.asarray(spaces, np.float64)
        here = self.in_picture(points)
        along = self.in_picture(points + np.array([0.5, 0.0])) - here
        down = self.in_picture(points + np.array([0.0, 0.5])) - here
        return np.asarray(np.sqrt(4 * np.abs(along[:, 0] * down[:, 1] - along[:, 1] * down[:, 0])))


@dataclass(frozen=True, slots=True, eq=False)
class FlatBoard:
    """A board laid flat.

    Attributes:
        image: (H, W, 3) uint8 BGR.
        is_inside: (H, W) bool, False beyond the picture's edge.
        origin: Column and row of the first pixel's outer corner, in spaces.
        scale_px: Pixels a space.
    """

    image: NDArray[np.uint8]
    is_inside: NDArray[np.bool_]
    origin: tuple[float, float]
    scale_px: int

    def pixel_of(self, spaces: NDArray[Any]) -> Points:
        """Places (N, 2) in spaces as pixels of the flat picture (pixel centres are whole)."""
        return (np.asarray(spaces, np.float64) - self.origin) * self.scale_px - 0.5

    def place_of(self, pixels: NDArray[Any]) -> Points:
        """The inverse of `pixel_of`."""
        return (np.asarray(pixels, np.float64) + 0.5) / self.scale_px + self.origin


def project(matrix: NDArray[np.float64], points: NDArray[Any]) -> Points:
    """Points (N, 2) after a homography (3, 3)."""
    values = np.asarray(points, np.float64) @ matrix[:, :2].T + matrix[:, 2]
    depth = values[:, 2:]
    # Beyond the horizon nothing is seen: far away rather than mirrored.
    safe = np.where(depth > 1e-9, depth, 1e-9)
    return np.asarray(values[:, :2] / safe)


def lay_flat(
    image_bgr: NDArray[np.uint8],
    view: BoardView,
    window: tuple[float, float, float, float],
    scale_px: int,
) -> FlatBoard:
    """Lays a part of the board flat, without aliasing.

    Args:
        image_bgr: (H, W, 3) uint8.
        view: Where the board lies in it.
        window: Left, top, right and bottom in spaces.
        scale_px: Pixels a space.
    """
    left, top, right, bottom = window
    wide, high = round((right - left) * scale_px), round((bottom - top) * scale_px)
    flat = FlatBoard(
        np.zeros((0, 0, 3), np.uint8), np.zeros((0, 0), np.bool_), (left, top), scale_px
    )
    pixels = _pixels(flat, view, (wide, high))
    width, height = view.image_wh
    inside = ((pixels >= 0) & (pixels <= [width - 1, height - 1])).all(axis=2)
    centre = np.array([[(left + right) / 2, (top + bottom) / 2]])
    shrink = float(view.space_px(centre)[0]) / scale_px
    source, ratio = _shrunk(image_bgr, shrink)
    maps = (pixels + np.float32(0.5)) * ratio.astype(np.float32) - np.float32(0.5)
    across, down = cv2.split(maps)
    laid = cv2.remap(source, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return FlatBoard(np.asarray(laid, np.uint8), np.asarray(inside), (left, top), scale_px)


def _pixels(flat: FlatBoard, view: BoardView, size_wh: tuple[int, int]) -> NDArray[np.float32]:
    """(H, W, 2) where each pixel of a flat board is in the picture.

    The map is smooth: it is worked out in the middle of every block, and stretched; one block
    more on either side spares the border.
    """
    across, down = (np.arange(-1, 2 + size // _BLOCK_PX) for size in size_wh)
    x, y = np.meshgrid(across, down)
    middles = np.stack([x.ravel(), y.ravel()], axis=1) * _BLOCK_PX + (_BLOCK_PX - 1) / 2
    known = view.in_picture(flat.place_of(middles)).reshape(*x.shape, 2).astype(np.float32)
    whole_wh = (x.shape[1] * _BLOCK_PX, x.shape[0] * _BLOCK_PX)
    pixels = cv2.resize(known, whole_wh, interpolation=cv2.INTER_LINEAR)[_BLOCK_PX:, _BLOCK_PX:]
    return np.ascontiguousarray(pixels[: size_wh[1], : size_wh[0]], np.float32)


def _shrunk(
    image: NDArray[np.uint8], shrink: float
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The picture, made smaller where the flat one is, and how much smaller (2,)."""
    height, width = image.shape[:2]
    if shrink < 1.3:
        return image, np.ones(2)
    small_wh = (max(2, round(width / shrink)), max(2, round(height / shrink)))
    small = cv2.resize(image, small_wh, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), np.array(small_wh) / np.array([width, height])
