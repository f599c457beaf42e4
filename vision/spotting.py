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
from vision.flatten import Quad, flatten

Floats = NDArray[np.float32]

_MARGIN = 0.16
"""Share of the box that is searched on every side."""
_CLEARLY_LONG = 1.5
_WIDTH = 12
"""Pixels across the small pictures."""
_SIZES = (1.05, 0.95, 0.86, 0.77)
"""Sizes of the face as a share of the box: around a tilted card the box is the larger one."""


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
        found: dict[int, Spot] = {}
        for size in _SIZES:
            for spot in self._at_size(image, quad, (templates, rows), size, most):
                known = found.get(spot.face)
                if known is None or spot.correlation > known.correlation:
                    found[spot.face] = spot
        return sorted(found.values(), key=lambda spot: -spot.correlation)[:most]

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
        patches = [self._patches(image, quad, self._size_wh) for quad in quads]
        count = len(patches[0][0])
        match = _normalised(np.concatenate([patch for patch, _ in patches])) @ templates.T
        best, place = match.max(axis=1), match.argmax(axis=1)
        leaders = best.reshape(-1, count).argmax(axis=1) + np.arange(len(quads)) * count
        spots = []
        for leader in leaders[np.argsort(-best[leaders], kind="stable")][:most]:
            number, inside = int(leader) // count, int(leader) % count
            row = int(rows[place[leader]])
            spots.append(
                self._spot(
                    quads[number],
                    self._size_wh,
                    (row, inside, patches[number][1]),
                    float(best[leader]),
                )
            )
        return spots

    def _chosen(self, faces: NDArray[np.intp]) -> tuple[Floats, NDArray[np.intp]]:
        """The templates of some faces under every roll, and their rows."""
        rows = (faces[:, None] * len(self._rolls) + np.arange(len(self._rolls))).ravel()
        return self._templates[rows], rows

    def _at_size(
        self,
        image: NDArray[np.uint8],
        quad: Quad,
        templates: tuple[Floats, NDArray[np.intp]],
        size: float,
        most: int,
    ) -> list[Spot]:
        width, height = self._size_wh
        box_wh = round(width / size), round(height / size)
        patches, across = self._patches(image, quad, box_wh)
        match = _normalised(patches) @ templates[0].T
        best, place = match.max(axis=0), match.argmax(axis=0)
        return [
            self._spot(
                quad,
                box_wh,
                (int(templates[1][column]), int(place[column]), across),
                float(best[column]),
            )
            for column in np.argsort(-best, kind="stable")[: most * 2]
        ]

    def _patches(
        self, image: NDArray[np.uint8], quad: Quad, box_wh: tuple[int, int]
    ) -> tuple[Floats, int]:
        """(N, h * w, 3) what lies in every place around a quad, and how many places lie abreast."""
        width, height = self._size_wh
        scene = flatten(image, quad, box_wh, margin=_MARGIN).astype(np.float32)
        windows = np.lib.stride_tricks.sliding_window_view(scene, (height, width), axis=(0, 1))
        patches = windows.transpose(0, 1, 3, 4, 2).reshape(-1, height * width, 3)
        return patches, windows.shape[1]

    def _spot(
        self,
        quad: Quad,
        box_wh: tuple[int, int],
        place: tuple[int, int, int],
        correlation: float,
    ) -> Spot:
        """A template's row that was found in a place (its number, places abreast) in a quad."""
        width, height = self._size_wh
        row, number, across = place
        pad_x, pad_y = round(box_wh[0] * _MARGIN), round(box_wh[1] * _MARGIN)
        left, top = number % across - pad_x, number // across - pad_y
        right, bottom = left + width, top + height
        box = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
        corners = np.array([[0, 0], [box_wh[0], 0], [*box_wh], [0, box_wh[1]]], np.float32)
        to_image = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
        laid = cv2.perspectiveTransform(box[None], to_image)[0]
        turned = self._rolls[row % len(self._rolls)]  # counter-clockwise, as rot90 turns
        laid = np.roll(laid, turned, axis=0).astype(np.float32)
        return Spot(row // len(self._rolls), -turned % 4, laid, correlation)


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
