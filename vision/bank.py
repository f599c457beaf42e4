"""One format of a deck's faces, with the arrays that comparing needs."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.comparing import Crop, Reference, blur
from vision.faces import FaceFormat
from vision.flatten import Quad, side_lengths
from vision.photometry import planes_of
from vision.small_pictures import SmallPictures

Floats = NDArray[np.float32]

_COARSE_BLUR = 0.8
"""Softness of the small pictures, so that a quad may lie a little beside the face."""

_KEPT = 160
"""Turned and blurred pictures that are kept, some 180 kB each: a table shows the same few faces."""

_SQUARISH = 1.3
"""Sides this close to equal: under a tilt the card may lie along or across."""


class FaceBank:
    """One format of faces with the arrays that comparing needs."""

    def __init__(self, faces: FaceFormat) -> None:
        self.format = faces
        self._kept_turned = lru_cache(maxsize=_KEPT)(self._turn)
        coarse = [self.shrink(picture.astype(np.float32) / 255) for picture in faces.fine]
        opacity = [
            cv2.resize(mask, faces.coarse_wh, interpolation=cv2.INTER_AREA)
            for mask in faces.opacity
        ]
        self.small = SmallPictures(
            np.stack([planes_of(picture) for picture in coarse]),
            np.asarray(np.stack(opacity).reshape(len(coarse), -1) / 255, np.float32),
        )

    def shrink(self, picture: Floats) -> Floats:
        """The picture at the size of the small pictures, so soft that it may lie a bit beside."""
        small = cv2.resize(picture, self.format.coarse_wh, interpolation=cv2.INTER_AREA)
        return blur(small.astype(np.float32), _COARSE_BLUR)

    def shrink_crop(self, crop: Crop) -> Crop:
        """The crop at the size of the small pictures."""
        weight = cv2.resize(crop.weight, self.format.coarse_wh, interpolation=cv2.INTER_AREA)
        return Crop(self.shrink(crop.colours), np.asarray(weight, np.float32), 1.0, crop.light)

    def members(self, among: Collection[str] | None) -> NDArray[np.intp]:
        """Rows of the faces that are possible."""
        faces = self.format.faces
        rows = [row for row, card in enumerate(faces) if among is None or card.id in among]
        return np.array(rows, np.intp)

    def rolls_at(self, quad: Quad) -> list[int]:
        """By how many corners a face's top left may lie behind the first of a quad."""
        sides = side_lengths(quad)
        across, down = float(sides[0::2].mean()), float(sides[1::2].mean())
        if self.format.is_square or max(across, down) < _SQUARISH * min(across, down):
            return [0, 1, 2, 3]
        width, height = self.format.size_wh
        return [0, 2] if (across < down) == (width < height) else [1, 3]

    def soft_picture(self, face: int, quad: Quad) -> Floats:
        """A face as soft as a picture of ordinary sharpness shows it in a quad of this size."""
        across = max(float(side_lengths(quad)[0::2].mean()), 1.0)
        return blur(self.picture(face), 0.8 * max(1.0, self.format.size_wh[0] / across))

    def picture(self, face: int) -> Floats:
        """(H, W, 3) float32 colours of a face from 0 to 1."""
        return np.asarray(self.format.fine[face] * np.float32(1 / 255))

    def opacity(self, face: int) -> Floats:
        """(H, W) float32, 0 outside the face."""
        return np.asarray(self.format.opacity[face] * np.float32(1 / 255))

    def turned(self, face: int, quarters: int, sigma: float) -> Reference:
        """A face turned clockwise by so many quarters and blurred."""
        return self._kept_turned(face, quarters % 4, sigma)

    def _turn(self, face: int, quarters: int, sigma: float) -> Reference:
        picture = np.ascontiguousarray(np.rot90(self.picture(face), -quarters))
        opacity = np.ascontiguousarray(np.rot90(self.opacity(face), -quarters))
        if picture.shape[1::-1] != self.format.size_wh:
            picture = _resized(picture, self.format.size_wh)
            opacity = _resized(opacity, self.format.size_wh)
        return Reference(blur(picture, sigma), opacity)


def _resized(plane: Floats, size_wh: tuple[int, int]) -> Floats:
    return np.asarray(cv2.resize(plane, size_wh, interpolation=cv2.INTER_AREA), np.float32)
