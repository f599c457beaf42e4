"""Naming a face by its fine print where the light hides its colours.

A lamp mirrored in a dark card adds more light than the card itself gives back, and the edge of a
shadow cuts a face in two: no gain and offset for the whole face explains either. What changes over
a few millimetres (digits, symbols, animals) is left as it is: here only that is compared.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.alignment import Template, align_plain, even_out
from vision.comparing import blur
from vision.faces import FaceFormat
from vision.flatten import Quad, flatten, is_near
from vision.photometry import NEUTRAL

Floats = NDArray[np.float32]

_SOFT_PX = 0.9
"""Blur of a picture of ordinary sharpness."""
_COARSE_DETAIL_PX = 3.0
_PUSHES = (-0.08, 0.0, 0.08)
"""Shares of a side by which the box of what has no name is mostly off."""
_TRIES = 4
_LEAST_LIKENESS = 0.8
_LEAST_LEAD = 0.12
"""In plain view the right face reaches 0.9 to 0.99 and others 0.85 at most, each as near to the
next; a right one in glare reaches 0.85, with a lead of 0.2."""


@dataclass(frozen=True, slots=True, eq=False)
class DetailMatch:
    """A face that was named by its print: its id, quad from its top left, and its likeness."""

    id: str
    quad_px: Quad
    likeness: float


@dataclass(frozen=True, slots=True, eq=False)
class _Try:
    likeness: float
    face: int
    quad: Quad


class DetailNamer:
    """The print of a deck's faces."""

    def __init__(self, formats: Sequence[FaceFormat]) -> None:
        self._prints = [_Prints(members) for members in formats]

    def name(
        self, image_bgr: NDArray[np.uint8], quads: Sequence[Quad], among: Collection[str]
    ) -> DetailMatch | None:
        """Names a face in full view, or returns None where its print is not clear.

        Args:
            image_bgr: (H, W, 3) uint8, the whole picture.
            quads: (4, 2) float32 corners each: the ways in which it may lie.
            among: Ids of the faces that may lie there. It must beat all others of the deck.
        """
        tries = sorted(
            (
                (found, prints)
                for prints in self._prints
                for quad in quads
                for found in prints.tries_at(image_bgr, quad)
            ),
            key=lambda pair: -pair[0].likeness,
        )
        laid = [prints.laid(image_bgr, found) for found, prints in tries[:_TRIES]]
        best = max(laid, key=lambda pair: pair[0].likeness, default=None)
        if best is None:
            return None
        found, (name, lead) = best
        is_clear = found.likeness >= _LEAST_LIKENESS and lead >= _LEAST_LEAD
        return DetailMatch(name, found.quad, found.likeness) if is_clear and name in among else None


class _Prints:
    """The print of the faces of one format."""

    def __init__(self, members: FaceFormat) -> None:
        self._members = members
        pictures = members.fine.astype(np.float32) / 255
        self._soft = [blur(picture, _SOFT_PX) for picture in pictures]
        self._small = np.stack([_small_print(self._shrunk(picture)) for picture in pictures])
        self._weights = members.opacity.astype(np.float32) / 255
        self._prints = np.stack(
            [
                _unit(even_out(soft) * weight[..., None])
                for soft, weight in zip(self._soft, self._weights, strict=True)
            ]
        )

    def tries_at(self, image_bgr: NDArray[np.uint8], quad: Quad) -> list[_Try]:
        """The likeliest face of each way in which a piece may lie near a quad, by small prints."""
        right, down = quad[1] - quad[0], quad[3] - quad[0]
        found = []
        for across, along, roll in product(_PUSHES, _PUSHES, range(4)):
            pushed = quad + across * right + along * down
            turned = np.roll(pushed, -roll, axis=0).astype(np.float32)
            crop = flatten(image_bgr, turned, self._members.coarse_wh) / 255
            likeness = self._small @ _small_print(np.asarray(crop, np.float32))
            face = int(np.argmax(likeness))
            found.append(_Try(float(likeness[face]), face, turned))
        return found

    def laid(self, image_bgr: NDArray[np.uint8], found: _Try) -> tuple[_Try, tuple[str, float]]:
        """The face laid exactly, with its id and its lead over the next one there."""
        template = Template(self._soft[found.face], self._weights[found.face], NEUTRAL)
        quad, _ = align_plain(image_bgr, found.quad, template, is_evened=True)
        quad = quad if is_near(quad, found.quad) else found.quad
        likeness = self._likeness(image_bgr, quad)
        face = int(np.argmax(likeness))
        best = float(likeness[face])
        lead = best - float(np.delete(likeness, face).max(initial=-1.0))
        return _Try(best, face, quad), (self._members.faces[face].id, lead)

    def _shrunk(self, picture: Floats) -> Floats:
        small = cv2.resize(picture, self._members.coarse_wh, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.float32)

    def _likeness(self, image_bgr: NDArray[np.uint8], quad: Quad) -> Floats:
        """(N,) correlation of each face's print with that in a quad, -1 to 1."""
        crop = flatten(image_bgr, quad, self._members.size_wh)
        print_there = _unit(even_out(np.asarray(crop / 255, np.float32)))
        return np.asarray(np.dot(self._prints, print_there), np.float32)


def _small_print(picture: Floats) -> Floats:
    return _unit(even_out(picture, _COARSE_DETAIL_PX))


def _unit(picture: Floats) -> Floats:
    """(H * W * 3,) of length one."""
    flat = picture.ravel()
    return np.asarray(flat / (np.linalg.norm(flat) + 1e-6), np.float32)
