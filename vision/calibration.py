"""The table plane: where a pixel lies on the table in millimetres.

Pieces of known size that lie on the table say it: the map is sought under which every one of them
is a rigid rectangle of its size. Its origin and turn mean nothing; its unit is the millimetre.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.flatten import Quad, apply_homography, homography

_SWEEPS = 25
_OUTLIER_SHARE = 0.05
"""A piece whose corners err by more than this share of its short side does not lie flat on the
table, is misread, or its quad is wrong."""

_SEEDS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Rectangle:
    """A piece of known size in the picture.

    Attributes:
        quad_px: (4, 2) float32 corners from the face's own top left.
        size_mm: Width and height of the face.
    """

    quad_px: Quad
    size_mm: tuple[float, float]

    @property
    def corners_mm(self) -> NDArray[np.float64]:
        """(4, 2) corners around its own centre, in the order of the quad."""
        width, height = self.size_mm
        half = np.array([width, height], np.float64) / 2
        return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64) * half


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """The map between the picture and the table.

    Attributes:
        to_mm: (3, 3) homography from pixels to millimetres.
        error_share: Median error of the corners it was made from, as a share of the short side.
        pieces: How many pieces agree with it.
    """

    to_mm: NDArray[np.float64]
    error_share: float
    pieces: int

    def on_table(self, points_px: NDArray[Any]) -> NDArray[np.float32]:
        """(N, 2) points in millimetres."""
        return apply_homography(self.to_mm, points_px)

    def in_picture(self, points_mm: NDArray[Any]) -> NDArray[np.float32]:
        """(N, 2) points in pixels."""
        return apply_homography(np.asarray(np.linalg.inv(self.to_mm), np.float64), points_mm)

    def rigid(self, piece: Rectangle) -> Quad:
        """The quad in pixels of the true rectangle that lies closest to the piece's quad."""
        return self.in_picture(_closest(piece.corners_mm, self.on_table(piece.quad_px)))

    def error_of(self, piece: Rectangle) -> float:
        """Largest error of a corner against the true rectangle, as a share of the short side."""
        seen = self.on_table(piece.quad_px)
        error = np.linalg.norm(seen - _closest(piece.corners_mm, seen), axis=1).max()
        return float(error) / min(piece.size_mm)


def fit_plane(pieces: Sequence[Rectangle]) -> TablePlane | None:
    """The table plane on which most of the pieces are rectangles of their size, if there is one."""
    by_size = sorted(pieces, key=lambda p: -cv2.contourArea(p.quad_px.astype(np.float32)))
    best: TablePlane | None = None
    for seed in by_size[:: max(1, len(by_size) // _SEEDS)][:_SEEDS]:
        plane = _grow(seed, pieces)
        if best is None or (plane.pieces, -plane.error_share) > (best.pieces, -best.error_share):
            best = plane
    return best


def _grow(seed: Rectangle, pieces: Sequence[Rectangle]) -> TablePlane:
    """Start from one piece and let its neighbours in, the nearest first."""
    to_mm = homography(seed.quad_px, seed.corners_mm.astype(np.float32))
    centre = seed.quad_px.mean(axis=0)
    near = sorted(pieces, key=lambda p: float(np.linalg.norm(p.quad_px.mean(axis=0) - centre)))
    count = 1
    while count < len(near):
        count = min(len(near), count * 2)
        to_mm = _refit(to_mm, near[:count])
    for _ in range(3):
        plane = TablePlane(to_mm, 0.0, 0)
        agreeing = [piece for piece in pieces if plane.error_of(piece) < 2 * _OUTLIER_SHARE]
        if len(agreeing) < 2:
            break
        to_mm = _refit(to_mm, agreeing)
    plane = TablePlane(to_mm, 0.0, 0)
    errors = [plane.error_of(piece) for piece in pieces]
    agreeing_errors = [error for error in errors if error < _OUTLIER_SHARE]
    share = float(np.median(agreeing_errors)) if agreeing_errors else 1.0
    return TablePlane(to_mm, share, len(agreeing_errors))


def _refit(to_mm: NDArray[np.float64], pieces: Sequence[Rectangle]) -> NDArray[np.float64]:
    """Alternate between rigid rectangles under the map and the map of the rigid rectangles."""
    pixels = np.concatenate([piece.quad_px for piece in pieces]).astype(np.float64)
    for _ in range(_SWEEPS):
        seen = apply_homography(to_mm, pixels).astype(np.float64)
        quads = seen.reshape(-1, 4, 2)
        wanted = np.concatenate(
            [_closest(piece.corners_mm, quad) for piece, quad in zip(pieces, quads, strict=True)]
        )
        error = np.linalg.norm(seen - wanted, axis=1)
        limit = max(3 * 1.48 * float(np.median(error)), 0.5)
        kept = error <= limit
        if kept.sum() < 4:
            break
        # The way from where a corner is seen to where it belongs is taken twice as far.
        target = wanted + 0.8 * (wanted - seen)
        found, _ = cv2.findHomography(pixels[kept], target[kept], 0)
        if found is None:
            break
        to_mm = found.astype(np.float64)
    return to_mm


def _closest(corners: NDArray[np.float64], seen: NDArray[Any]) -> NDArray[np.float64]:
    """The rigidly moved corners that lie closest to the seen ones (Kabsch)."""
    centre = seen.mean(axis=0)
    u, _, vt = np.linalg.svd(corners.T @ (seen - centre))
    turn = u @ np.diag([1, np.sign(np.linalg.det(u @ vt))]) @ vt
    placed: NDArray[np.float64] = corners @ turn + centre
    return placed
