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
from vision.median import median

_SWEEPS = 25
_EXACT_MM = 0.05
_OUTLIER_SHARE = 0.05
"""A piece whose corners err by more than this share of its short side does not lie flat on the
table, is misread, or its quad is wrong."""

_NEARLY_ALL = 0.8
"""Share of the pieces that agree on a plane which no other start would better."""
_SEEDS = 4
_TURN = np.pi / 36
_BOX_LIKE = 0.2
"""A box whose corners lie further from the true rectangle's box than this share of its size is
around something else."""


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

    @classmethod
    def under(cls, piece: Rectangle) -> TablePlane:
        """The plane under one piece and close around it, as that piece shows it."""
        to_mm = homography(piece.quad_px, piece.corners_mm.astype(np.float32))
        return cls(to_mm, 0.0, 1)

    def on_table(self, points_px: NDArray[Any]) -> NDArray[np.float32]:
        """(N, 2) points in millimetres."""
        return apply_homography(self.to_mm, points_px)

    def in_picture(self, points_mm: NDArray[Any]) -> NDArray[np.float32]:
        """(N, 2) points in pixels."""
        return apply_homography(np.asarray(np.linalg.inv(self.to_mm), np.float64), points_mm)

    def rigid(self, piece: Rectangle) -> Quad:
        """The quad in pixels of the true rectangle that lies closest to the piece's quad."""
        return self.in_picture(self._placed(piece)[1])

    def rigid_in_box(self, box: Quad, size_mm: tuple[float, float]) -> Quad | None:
        """The true rectangle on the table whose least box in the picture is nearest to a box.

        Args:
            box: (4, 2) corners of an oriented box that a detector has drawn around a piece.
            size_mm: Width and height of the piece.

        Returns:
            (4, 2) corners from one of the two top lefts that it may have, or None where no
            rectangle of this size has such a box.
        """
        shape = Rectangle(box, size_mm).corners_mm
        centre_mm = self.on_table(box.mean(axis=0)[None])[0].astype(np.float64)
        best, least = box, np.inf
        angles, step = np.arange(0, np.pi, _TURN), _TURN
        for _ in range(3):
            quads = self._turned(shape, centre_mm, angles, box)
            costs = [_box_distance(quad, box) for quad in quads]
            chosen = int(np.argmin(costs))
            if costs[chosen] < least:
                best, least = quads[chosen], costs[chosen]
            step /= 4
            angles = angles[chosen] + step * np.arange(-4, 5)
        short = float(np.sqrt(max(cv2.contourArea(box.astype(np.float32)), 1.0)))
        return best if least < _BOX_LIKE * short else None

    def _turned(
        self,
        shape: NDArray[np.float64],
        centre_mm: NDArray[np.float64],
        angles: NDArray[np.float64],
        box: Quad,
    ) -> list[Quad]:
        """The shape at each angle, in pixels, pushed so that its box is centred on the box."""
        turns = np.exp(1j * angles)[:, None]
        shape_z = (shape[:, 0] + 1j * shape[:, 1])[None] * turns
        points = np.stack([shape_z.real, shape_z.imag], axis=-1) + centre_mm
        back = np.asarray(np.linalg.inv(self.to_mm), np.float64)
        quads = []
        for quad in _through(back, points).astype(np.float32):
            (x, y), _, _ = cv2.minAreaRect(quad)
            push = box.mean(axis=0) - np.array([x, y], np.float32)
            quads.append((quad + push).astype(np.float32))
        return quads

    def error_of(self, piece: Rectangle) -> float:
        """Largest error of a corner against the true rectangle, as a share of the short side."""
        seen, placed = self._placed(piece)
        return float(np.linalg.norm(seen - placed, axis=1).max()) / min(piece.size_mm)

    def _placed(self, piece: Rectangle) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The corners (4, 2) as seen on the table, and those of the closest true rectangle."""
        seen = _through(self.to_mm, piece.quad_px.astype(np.float64))
        return seen, _closest(piece.corners_mm[None], seen[None])[0]


@dataclass(frozen=True, slots=True, eq=False)
class _Pieces:
    """N pieces side by side.

    Attributes:
        quads_px: (N, 4, 2) corners in the picture.
        corners_mm: (N, 4, 2) corners of each around its own centre.
        short_mm: (N,) short sides.
    """

    quads_px: NDArray[np.float64]
    corners_mm: NDArray[np.float64]
    short_mm: NDArray[np.float64]

    @classmethod
    def of(cls, pieces: Sequence[Rectangle]) -> _Pieces:
        return cls(
            np.stack([piece.quad_px for piece in pieces]).astype(np.float64),
            np.stack([piece.corners_mm for piece in pieces]),
            np.array([min(piece.size_mm) for piece in pieces], np.float64),
        )

    def some(self, rows: NDArray[np.intp]) -> _Pieces:
        """Some of them."""
        return _Pieces(self.quads_px[rows], self.corners_mm[rows], self.short_mm[rows])

    def errors(self, to_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """(N,) what `TablePlane.error_of` tells of each under a map."""
        seen = _through(to_mm, self.quads_px)
        off = np.linalg.norm(seen - _closest(self.corners_mm, seen), axis=2)
        return np.asarray(off.max(axis=1) / self.short_mm, np.float64)


def fit_plane(pieces: Sequence[Rectangle]) -> TablePlane | None:
    """The table plane on which most of the pieces are rectangles of their size, if there is one."""
    if not pieces:
        return None
    together = _Pieces.of(pieces)
    by_size = sorted(pieces, key=lambda p: -cv2.contourArea(p.quad_px.astype(np.float32)))
    best: TablePlane | None = None
    for seed in by_size[:: max(1, len(by_size) // _SEEDS)][:_SEEDS]:
        plane = _grow(seed, together)
        if best is None or (plane.pieces, -plane.error_share) > (best.pieces, -best.error_share):
            best = plane
        if best.pieces >= _NEARLY_ALL * len(pieces):
            break
    return best


def _box_distance(quad: Quad, box: Quad) -> float:
    """Mean distance of the corners of a quad's least box to those of a box."""
    own = cv2.boxPoints(cv2.minAreaRect(quad))
    if cv2.contourArea(own, True) < 0:
        own = own[::-1]
    rolled = [np.linalg.norm(np.roll(own, roll, axis=0) - box, axis=1).mean() for roll in range(4)]
    return float(min(rolled))


def _grow(seed: Rectangle, pieces: _Pieces) -> TablePlane:
    """Start from one piece and let its neighbours in, the nearest first."""
    to_mm = homography(seed.quad_px, seed.corners_mm.astype(np.float32))
    away = pieces.quads_px.mean(axis=1) - seed.quad_px.mean(axis=0)
    near = np.argsort(np.linalg.norm(away, axis=1), kind="stable")
    count = 1
    while count < len(near):
        count = min(len(near), count * 2)
        to_mm = _refit(to_mm, pieces.some(near[:count]))
    for _ in range(3):
        agreeing = np.flatnonzero(pieces.errors(to_mm) < 2 * _OUTLIER_SHARE)
        if len(agreeing) < 2:
            break
        to_mm = _refit(to_mm, pieces.some(agreeing))
    errors = pieces.errors(to_mm)
    agreeing_errors = errors[errors < _OUTLIER_SHARE]
    share = float(np.median(agreeing_errors)) if agreeing_errors.size else 1.0
    return TablePlane(to_mm, share, len(agreeing_errors))


def _refit(to_mm: NDArray[np.float64], pieces: _Pieces) -> NDArray[np.float64]:
    """Alternate between rigid rectangles under the map and the map of the rigid rectangles."""
    pixels, shapes = pieces.quads_px, pieces.corners_mm
    for _ in range(_SWEEPS):
        seen = _through(to_mm, pixels)
        wanted = _closest(shapes, seen)
        error = np.hypot(*(seen - wanted).transpose(2, 0, 1))
        limit = max(3 * 1.48 * median(error.ravel()), 0.5)
        kept = error <= limit
        if kept.sum() < 4:
            break
        # The way from where a corner is seen to where it belongs is taken nearly twice as far.
        target = wanted + 0.8 * (wanted - seen)
        to_mm = _least_squares_map(pixels[kept], target[kept])
        if float(error[kept].max()) < _EXACT_MM:
            break
    return to_mm


def _closest(shapes: NDArray[np.float64], seen: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rigidly moved shapes (N, 4, 2) that lie closest to the seen quads (N, 4, 2)."""
    shape = shapes[..., 0] + 1j * shapes[..., 1]
    quad = seen[..., 0] + 1j * seen[..., 1]
    centre = quad.mean(axis=1, keepdims=True)
    turn = (np.conj(shape) * (quad - centre)).sum(axis=1, keepdims=True)
    placed = shape * (turn / np.maximum(np.abs(turn), 1e-12)) + centre
    return np.stack([placed.real, placed.imag], axis=-1)


def _through(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (..., 2) after the map."""
    homogeneous = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(homogeneous[..., :2] / homogeneous[..., 2:], np.float64)


def _least_squares_map(
    source: NDArray[np.float64], target: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The homography (3, 3) between two lists of points (N, 2), by the direct linear method."""
    centre, spread = source.mean(axis=0), float(source.std()) + 1e-9
    local, count = (source - centre).T / spread, len(source)
    design = np.zeros((8, 2 * count))
    design[:2, :count] = design[3:5, count:] = local
    design[2, :count] = design[5, count:] = 1
    wanted = target.T.ravel()
    design[6:] = -wanted * np.tile(local, 2)
    # Normal equations: the points are centred and scaled, so these stay well conditioned.
    solution = np.linalg.solve(design @ design.T, design @ wanted)
    matrix = np.append(solution, 1.0).reshape(3, 3)
    to_local = np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, spread]]) / spread
    return np.asarray(matrix @ to_local, np.float64)
