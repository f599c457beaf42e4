"""Finding a face near a loose box: small pictures slid over the neighbourhood.

A detector's box is a rectangle around a card that perspective has made none, and a hand or another
card may have pushed it aside. So every face of a format, at every rotation, is correlated with all
places and some sizes around the box, on pictures 20 pixels wide: one matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import FaceFormat
from vision.flatten import Patch, Quad, patch_around

Floats = NDArray[np.float32]

_MARGIN = 0.16
"""Share of the box that is searched on every side."""
_CLEARLY_LONG = 1.5
_WIDTH = 12
"""Pixels across the small pictures."""
_SIZES = (1.05, 0.95, 0.86, 0.77)
"""Sizes of the face as a share of the box: around a tilted card the box is the larger one."""


_FINER = 1.5
_LEAST_POWER = 0.02
"""Variance of a colour, of 255 steps, that is always there: a bare table resembles nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """Where a face may lie.

    Attributes:
        face: Its row among the faces.
        roll: Quarters by which the quad starts behind the face's top left.
        quad: (4, 2) float32 corners, from the face's top left.
        correlation: How well the small picture fits there, -1 to 1.
    """

    face: int
    roll: int
    quad: Quad
    correlation: float


class Spotter:
    """All faces of one format, ready to be slid.

    Args:
        pictures: (N, h, w, 3) float32 small pictures, upright.
        is_square: Whether faces may lie in four rotations.
    """

    def __init__(self, pictures: Floats, *, is_square: bool) -> None:
        self._size_wh = pictures.shape[2], pictures.shape[1]
        self._rolls = (0, 1, 2, 3) if is_square else (0, 2)
        turned = [
            np.rot90(pictures, roll, axes=(1, 2)).reshape(len(pictures), -1, 3)
            for roll in self._rolls
        ]
        self._templates = _normalised(np.stack(turned, axis=1).reshape(-1, turned[0].shape[1], 3))

    def spot(
        self,
        image: NDArray[np.uint8],
        quad: Quad,
        faces: NDArray[np.intp],
        most: int,
    ) -> list[Spot]:
        """The likeliest faces in and around a box, the best first, each face once.

        Args:
            image: (H, W, 3) uint8 BGR.
            quad: (4, 2) float32 corners of the box; its first side is the face's upper or lower.
            faces: Rows of the faces that are possible.
            most: How many at most.
        """
        templates, rows = self._chosen(faces)
        width, height = self._size_wh
        boxes = [(round(width / size), round(height / size)) for size in _SIZES]
        patch = self._patch(image, quad)
        grids = [self._grid(patch, quad, box_wh) for box_wh in boxes]
        matches = [_likeness(grid.windows, templates) for grid in grids]
        best = np.stack([match.max(axis=0) for match in matches])
        by_face = best.reshape(len(boxes), len(faces), -1).max(axis=(0, 2))
        spots = []
        for face in np.argsort(-by_face, kind="stable")[:most]:
            columns = slice(face * len(self._rolls), (face + 1) * len(self._rolls))
            size, turn = np.unravel_index(best[:, columns].argmax(), best[:, columns].shape)
            column = columns.start + int(turn)
            place = int(matches[size][:, column].argmax())
            spots.append(self._spot(grids[size], place, int(rows[column]), float(by_face[face])))
        return spots

    def spot_turned(
        self, image: NDArray[np.uint8], quads: Sequence[Quad], faces: NDArray[np.intp], most: int
    ) -> list[Spot]:
        """The likeliest faces in any of several quads of the face's size, the best first.

        Args:
            image: (H, W, 3) uint8 BGR.
            quads: (4, 2) float32 each; the first side is the face's upper or lower.
            faces: Rows of the faces that are possible.
            most: How many at most.
        """
        templates, rows = self._chosen(faces)
        patch = self._patch(image, np.stack(quads))
        grids = [self._grid(patch, quad, self._size_wh) for quad in quads]
        match = _likeness(np.concatenate([grid.windows for grid in grids]), templates)
        best = match.max(axis=1)
        count = len(grids[0].windows)
        leaders = best.reshape(-1, count).argmax(axis=1) + np.arange(len(quads)) * count
        spots = []
        for leader in leaders[np.argsort(-best[leaders], kind="stable")][:most]:
            grid, place = grids[int(leader) // count], int(leader) % count
            row = int(rows[match[leader].argmax()])
            spots.append(self._spot(grid, place, row, float(best[leader])))
        return spots

    def _chosen(self, faces: NDArray[np.intp]) -> tuple[Floats, NDArray[np.intp]]:
        """The templates of some faces under every roll, and their rows."""
        rows = (faces[:, None] * len(self._rolls) + np.arange(len(self._rolls))).ravel()
        return self._templates[rows], rows

    def _patch(self, image: NDArray[np.uint8], quads: NDArray[np.float32]) -> Patch:
        """The picture around quads, once for all sizes: finer than those, or it would blur them."""
        width, height = self._size_wh
        return patch_around(image, quads, (round(_FINER * width), round(_FINER * height)), _MARGIN)

    def _grid(self, patch: Patch, quad: Quad, box_wh: tuple[int, int]) -> _Grid:
        width, height = self._size_wh
        scene = patch.flatten(quad, box_wh, margin=_MARGIN).astype(np.float32)
        scene -= scene.mean(axis=(0, 1))  # small numbers keep their digits
        windows = np.lib.stride_tricks.sliding_window_view(scene, (height, width), axis=(0, 1))
        flat = windows.transpose(0, 1, 3, 4, 2).reshape(-1, height * width * 3)
        return _Grid(quad, box_wh, windows.shape[1], flat)

    def _spot(self, grid: _Grid, number: int, row: int, correlation: float) -> Spot:
        """A template's row that was found in a place of a grid."""
        width, height = self._size_wh
        box_wh = grid.box_wh
        pad_x, pad_y = round(box_wh[0] * _MARGIN), round(box_wh[1] * _MARGIN)
        left, top = number % grid.abreast - pad_x, number // grid.abreast - pad_y
        right, bottom = left + width, top + height
        box = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
        corners = np.array([[0, 0], [box_wh[0], 0], [*box_wh], [0, box_wh[1]]], np.float32)
        to_image = cv2.getPerspectiveTransform(corners, grid.quad.astype(np.float32))
        laid = cv2.perspectiveTransform(box[None], to_image)[0]
        turned = self._rolls[row % len(self._rolls)]  # counter-clockwise, as rot90 turns
        laid = np.roll(laid, turned, axis=0).astype(np.float32)
        return Spot(row // len(self._rolls), -turned % 4, laid, correlation)


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """What lies in every place around a quad.

    Attributes:
        quad: The quad.
        box_wh: Its size in pixels of the small pictures.
        abreast: How many places lie beside each other.
        windows: (N, h * w * 3) float32, row by row.
    """

    quad: Quad
    box_wh: tuple[int, int]
    abreast: int
    windows: Floats


def _likeness(windows: Floats, templates: Floats) -> Floats:
    """(N, K) correlation of N windows with K templates, -1 to 1.

    The templates lack the mean of each colour, so that the windows may keep theirs.
    """
    pixels = windows.shape[1] // 3
    power = np.einsum("np,np->n", windows, windows)
    sums = windows @ np.tile(np.eye(3, dtype=np.float32), (pixels, 1))
    power -= (sums**2).sum(axis=1) / pixels
    norm = np.sqrt(np.maximum(power, 0) + _LEAST_POWER * windows.shape[1])
    return np.asarray((windows @ templates.T) / norm[:, None], np.float32)


def _normalised(pictures: Floats) -> Floats:
    """(N, P * 3) unit vectors without the mean of each colour."""
    centred = pictures - pictures.mean(axis=1, keepdims=True)
    flat = centred.reshape(len(pictures), -1)
    return np.asarray(flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-3), np.float32)


def starts_of(quad: Quad, *, is_square: bool) -> Sequence[Quad]:
    """The box from the corners at which a face's upper side may begin, on its short side.

    Under a tilt a card may look wider than high, so both ways are tried where sides are alike.
    """
    across = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3]))
    down = float(np.linalg.norm(quad[2] - quad[1]) + np.linalg.norm(quad[3] - quad[0]))
    if is_square or down > _CLEARLY_LONG * across:
        return (quad,)
    turned = np.roll(quad, -1, axis=0).astype(np.float32)
    return (turned,) if across > _CLEARLY_LONG * down else (quad, turned)


def spotter_of(faces: FaceFormat) -> Spotter:
    """The spotter of all faces of a format."""
    width, height = faces.coarse_wh
    size_wh = _WIDTH, round(_WIDTH * height / width)
    small = np.stack(
        [cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA) for picture in faces.fine]
    )
    return Spotter(small.astype(np.float32), is_square=faces.is_square)
