"""Windows of a flat board and of faces, cut and turned so that they can be compared."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_print import PrintedFace
from vision.board_view import FlatBoard


def stack_faces(
    faces: Sequence[PrintedFace], space_mm: float, scale_px: int, side: int
) -> NDArray[np.float32]:
    """(4 N, 3, side²) the middles of the faces in their rotations."""
    pictures = []
    for face in faces:
        upright = _middle(face.image[..., :3], face.size_mm[0] / space_mm * scale_px, side)
        square = upright.reshape(3, side, side)
        pictures += [np.rot90(square, -turn, axes=(1, 2)).reshape(3, -1) for turn in range(4)]
    return np.stack(pictures).astype(np.float32)


def _middle(image: NDArray[np.uint8], card_px: float, side: int) -> NDArray[np.float32]:
    """(3, side²) float32 of the middle of a card that is `card_px` wide, 0 to 1."""
    whole = max(2, round(card_px * 2))
    double = cv2.resize(image, (whole, whole), interpolation=cv2.INTER_AREA)
    ratio = whole / card_px
    offset = (whole - 1) / 2 - ratio * (side - 1) / 2
    matrix = np.array([[ratio, 0, offset], [0, ratio, offset]])
    soft = cv2.GaussianBlur(double, (0, 0), 0.8)
    cut = cv2.warpAffine(
        soft, matrix, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(cut.astype(np.float32).transpose(2, 0, 1).reshape(3, -1) / 255)


def centre_px(flat: FlatBoard, space: tuple[int, int]) -> NDArray[np.float64]:
    """(2,) the middle of a space in pixels of a flat board."""
    middle = np.array([[space[1] + 0.5, space[0] + 0.5]])
    return np.asarray(flat.pixel_of(middle)[0])


def half_size(image: NDArray[np.float32]) -> NDArray[np.float32]:
    """A picture at half its size."""
    high, wide = image.shape[0] // 2, image.shape[1] // 2
    whole = image[: 2 * high, : 2 * wide]
    return np.asarray(cv2.resize(whole, (wide, high), interpolation=cv2.INTER_AREA), np.float32)


def cut_window(
    image: NDArray[np.float32], corner: NDArray[np.int_], side: int
) -> NDArray[np.float32]:
    """(C, side, side) of a picture (H, W, C), nought beyond its edge."""
    left, top = int(corner[0]), int(corner[1])
    high, wide = image.shape[:2]
    out = np.zeros((side, side, image.shape[2]), np.float32)
    y0, y1, x0, x1 = max(0, top), min(high, top + side), max(0, left), min(wide, left + side)
    if y1 > y0 and x1 > x0:
        out[y0 - top : y1 - top, x0 - left : x1 - left] = image[y0:y1, x0:x1]
    return np.ascontiguousarray(out.transpose(2, 0, 1))


def all_windows(
    patch: NDArray[np.float32], side: int, step: int = 1, thin: int = 1
) -> NDArray[np.float32]:
    """(P, C, M) all windows of a patch (C, S, S) at a step, in reading order.

    Of each window every `thin`-th row and column is taken.
    """
    views = np.lib.stride_tricks.sliding_window_view(patch, (side, side), axis=(1, 2))
    views = views[:, ::step, ::step, ::thin, ::thin]
    bands, down, across, high, wide = views.shape
    return np.ascontiguousarray(views.transpose(1, 2, 0, 3, 4)).reshape(
        down * across, bands, high * wide
    )


def turn_back(
    light: NDArray[np.float32],
    free: NDArray[np.float32],
    pose: tuple[float, float, float],
    side: int,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A square around a place, turned back by the pose's turn: (3, side, side), (side, side)."""
    x, y, turn = pose
    cos, sin = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
    half = (side - 1) / 2
    matrix = np.array(
        [[cos, -sin, x - cos * half + sin * half], [sin, cos, y - sin * half - cos * half]]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(light, matrix, (side, side), flags=flags)
    weight = cv2.warpAffine(free, matrix, (side, side), flags=flags)
    return (
        np.ascontiguousarray(np.asarray(patch, np.float32).transpose(2, 0, 1)),
        np.asarray(weight, np.float32),
    )
