"""A moved camera: found in the frame in which it happens, and taken back out of the picture.

When the camera is bumped everything moves at once, which hands never do. The shift of the whole
picture is estimated from corners that both frames show; the reading then goes on in the new frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.gate import Cells

_SUSPECT_SHARE = 0.12
"""Part of the picture that moves before a moved camera is suspected: plain table tops show no
motion, so cards and clutter alone must raise it; arms do too, and are then ruled out."""
_STRUCTURE_LEVELS = 24.0
"""Brightness steps between neighbours of the shrunken picture that show the smallest move."""
_STRUCTURE_MOVES = 0.4
"""Part of the cells with structure that must move: below it most points stand still anyway."""
_EDGES_FOR_CELL = 0.05
_LEAST_POINTS = 25
_LEAST_SHIFT_PX = 1.5
_INLIER_PX = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """Where the picture went.

    Attributes:
        homography: (3, 3) float64, pixels of the old frame to pixels of the new one.
        shift_px: Median length of the way that points went.
    """

    homography: npt.NDArray[np.float64]
    shift_px: float


def find_camera_move(
    before: Image, after: Image, moving: Cells, small: Image
) -> Registration | None:
    """Tells whether the camera moved between two frames, and how.

    Args:
        before: `(H, W)` uint8 luma.
        after: `(H, W)` uint8 luma of the next frame.
        moving: The gate's cells in which something moved.
        small: The gate's shrunken picture of `after`.

    Returns:
        The motion, or None where the camera stood still or the frames do not tell.
    """
    if np.count_nonzero(moving) < _SUSPECT_SHARE * moving.size or not _does_structure_move(
        small, moving
    ):
        return None
    points = _points_to_track(before)
    if len(points) < _LEAST_POINTS:
        return None
    start = _rough_shift(before, after)
    guess = points + np.array(start, np.float32)
    found, status, _ = cv2.calcOpticalFlowPyrLK(
        before,
        after,
        points,
        guess,
        winSize=(21, 21),
        maxLevel=3,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )
    good = status.ravel() == 1
    old, new = points[good].reshape(-1, 2), found[good].reshape(-1, 2)
    if len(old) < _LEAST_POINTS:
        return None
    homography, inliers = cv2.findHomography(old, new, cv2.RANSAC, _INLIER_PX)
    if homography is None:
        return None
    held = inliers.ravel() == 1
    shift = float(np.median(np.linalg.norm((new - old)[held], axis=1)))
    if shift < _LEAST_SHIFT_PX or np.mean(held) < 0.5:
        return None
    return Registration(np.asarray(homography, np.float64), shift)


def _points_to_track(luma: Image) -> npt.NDArray[np.float32]:
    """(N, 1, 2) corners in the picture, found at half its size: tracking finds the rest."""
    half_wh = luma.shape[1] // 2, luma.shape[0] // 2
    half = cv2.resize(luma, half_wh, interpolation=cv2.INTER_AREA)
    points = cv2.goodFeaturesToTrack(half, 300, 0.02, 6)
    if points is None:
        return np.zeros((0, 1, 2), np.float32)
    return np.asarray(points * 2 + 0.5, np.float32)


def _does_structure_move(small: Image, moving: Cells) -> bool:
    """Whether much of what has edges moves, wherever it lies; an arm leaves most of it alone."""
    steps = np.zeros_like(small)
    steps[:, 1:] = cv2.absdiff(small[:, 1:], small[:, :-1])
    steps[1:] = cv2.max(steps[1:], cv2.absdiff(small[1:], small[:-1]))
    rows, cols = moving.shape
    _, edges = cv2.threshold(steps, _STRUCTURE_LEVELS, 1.0, cv2.THRESH_BINARY)
    share = cv2.resize(edges.astype(np.float32), (cols, rows), interpolation=cv2.INTER_AREA)
    structure = share > _EDGES_FOR_CELL
    moved = int(np.count_nonzero(structure & moving))
    return moved >= _STRUCTURE_MOVES * max(int(np.count_nonzero(structure)), 1)


def _rough_shift(before: Image, after: Image) -> tuple[float, float]:
    """Shift of the whole picture by phase correlation of shrunken frames."""
    scale = 4
    small_wh = (before.shape[1] // scale, before.shape[0] // scale)
    old = cv2.resize(before, small_wh, interpolation=cv2.INTER_AREA).astype(np.float32)
    new = cv2.resize(after, small_wh, interpolation=cv2.INTER_AREA).astype(np.float32)
    window = cv2.createHanningWindow(small_wh, cv2.CV_32F)
    (dx, dy), response = cv2.phaseCorrelate(old, new, window)
    return (dx * scale, dy * scale) if response > 0.1 else (0.0, 0.0)
