"""Faces of one plain colour, and where a card of that colour best explains what is seen of it.

Colours are compared as tints: how far each channel lies from the mean of a pixel, whatever its
brightness.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import FaceFormat
from vision.flatten import Quad, flatten
from vision.turned_cards import (
    TURNS,
    around,
    margin_of,
    place_of,
    reach_px,
    small_wh,
    to_window,
    window_px,
    windows_of,
)

Floats = NDArray[np.float32]

SAME_TINT = 0.33
"""Distance of tints that are one colour in another light; orange and yellow are 0.37 apart."""
_PALE = 20.0
"""Brightness steps, of 255, that are added before a tint is worked out: what is nearly black has
none."""
_NO_TINT = 0.22
_LEAST_TINT = 0.25
"""From here on a colour is plainly one; skin and wood have about this much."""
_LEAST_PLAIN = 0.5
"""Share of a face that must be of its colour before it is told by it; Camera cards have 0.74."""
_BESIDE = 0.7
"""What colour just beside the card says against it, as a share of what it says for it inside."""
_PALE_SAYS = 0.5
"""What a pixel without tint says for a pattern in its place, and against a plain part there."""


@dataclass(frozen=True, slots=True, eq=False)
class PlainFace:
    """A face that is told by its colour.

    Attributes:
        format: The faces among which it is kept.
        row: Its place among them.
        tint: (3,) float32, its colour as `tints_of` gives it.
        tints: (H, W, 3) float32, the same of every pixel of the flat face.
        pattern: (H, W) bool, what is not of its colour.
        mass: Pixels of the small card that are of its colour.
        templates: (P, TURNS) float32: how well a neighbourhood fits the card under each turn.
    """

    format: FaceFormat
    row: int
    tint: Floats
    tints: Floats
    pattern: NDArray[np.bool_]
    mass: float
    templates: Floats

    @property
    def id(self) -> str:
        """Its id in the deck."""
        return self.format.faces[self.row].id


@dataclass(frozen=True, slots=True, eq=False)
class Lit:
    """A picture (H, W, 3) uint8, and (3,) how bright it shows what is printed."""

    image_bgr: NDArray[np.uint8]
    gains: Floats

    def flat_tints(self, quad: Quad, size_wh: tuple[int, int], margin: float = 0.0) -> Floats:
        """(H, W, 3) tints of a quad (4, 2), laid flat, as they were printed."""
        return tints_of(self.flat_colours(quad, size_wh, margin))

    def flat_colours(self, quad: Quad, size_wh: tuple[int, int], margin: float = 0.0) -> Floats:
        """(H, W, 3) colours of a quad (4, 2), laid flat, as they were printed: 0 to 255."""
        flat = flatten(self.image_bgr, quad, size_wh, margin=margin) / self.gains
        return np.asarray(flat, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """The neighbourhood of a place, by the colours of some faces.

    Attributes:
        quad: The place, in pixels.
        faces: The faces.
        masses: (F,) how much of each one's colour there is: 1 where a whole card shows.
        tinted: (F, S, S) bool, small pixels of each colour.
        pale: (S, S) bool, small pixels without any.
    """

    quad: Quad
    faces: list[PlainFace]
    masses: Floats
    tinted: NDArray[np.bool_]
    pale: NDArray[np.bool_]

    @classmethod
    def of(cls, seen: Lit, quad: Quad, faces: list[PlainFace]) -> Around:
        """What is seen around a card (4, 2) in any turn; the faces are of one format."""
        size_wh = small_wh(faces[0].format)
        wide = seen.flat_tints(quad, size_wh, margin_of(size_wh))
        tints = wide[around(size_wh, (wide.shape[0], wide.shape[1]))]
        away = np.stack([apart(tints, face.tint) for face in faces])
        nearest = away.argmin(axis=0)
        tinted = np.stack(
            [(nearest == number) & (away[number] < SAME_TINT) for number in range(len(faces))]
        )
        inner = slice(reach_px(size_wh), -reach_px(size_wh))
        mass = tinted[:, inner, inner].sum(axis=(1, 2)) / np.array([face.mass for face in faces])
        pale = apart(tints, np.zeros(3, np.float32)) < _NO_TINT
        return cls(quad, faces, mass.astype(np.float32), tinted, pale)

    def place(self, number: int) -> Quad:
        """(4, 2) where a card best explains what there is of its colour, from its top left."""
        face = self.faces[number]
        size_wh = small_wh(face.format)
        layers = np.stack([self.tinted[number], self.pale]).astype(np.float32)
        match = windows_of(layers, size_wh) @ face.templates
        position, turn = divmod(int(match.argmax()), TURNS)
        return place_of(self.quad, size_wh, position, turn)


def plain_face(members: FaceFormat, row: int) -> PlainFace | None:
    """A face with what it takes to find it by its colour, or None where it has none."""
    tints = tints_of(members.fine[row])
    tint = np.median(tints.reshape(-1, 3), axis=0).astype(np.float32)
    is_plain = apart(tints, tint) < SAME_TINT
    if np.linalg.norm(tint) < _LEAST_TINT or is_plain.mean() < _LEAST_PLAIN:
        return None
    size_wh = small_wh(members)
    small = cv2.resize(members.fine[row], size_wh, interpolation=cv2.INTER_AREA)
    tinted = (apart(tints_of(small), tint) < SAME_TINT).astype(np.float32)
    templates = [_template(tinted, turn).ravel() for turn in range(TURNS)]
    inner = cv2.erode(members.opacity[row], np.ones((5, 5), np.uint8)) > 0
    return PlainFace(
        members,
        row,
        tint,
        tints,
        ~is_plain & inner,
        float(tinted.sum()),
        np.stack(templates, axis=1),
    )


def _template(tinted: Floats, turn: int) -> Floats:
    """(2, S, S): what a pixel of the colour says for a card under a turn, and one without tint.

    Colour on the pattern or just beside the card speaks against it.
    """
    size_wh = tinted.shape[1], tinted.shape[0]
    matrix, side = to_window(size_wh, turn), window_px(size_wh)
    inside = cv2.warpPerspective(np.ones_like(tinted), matrix, (side, side))
    colour = cv2.warpPerspective(tinted, matrix, (side, side))
    near = cv2.dilate(inside, np.ones((3, 3), np.uint8))
    beside = cv2.dilate(inside, np.ones((5, 5), np.uint8)) - near
    pattern = inside - colour
    tinted_says = colour - pattern - _BESIDE * beside
    return np.asarray(np.stack([tinted_says, _PALE_SAYS * (pattern - colour)]), np.float32)


def tints_of(picture: NDArray[Any]) -> Floats:
    """(H, W, 3) how far each channel lies from the mean of a pixel, whatever its brightness."""
    colours = picture.astype(np.float32)
    # numpy takes several times as long for the mean of three.
    mean = ((colours[..., 0] + colours[..., 1] + colours[..., 2]) / 3)[..., None]
    return np.asarray((colours - mean) / (mean + _PALE), np.float32)


def apart(tints: Floats, others: Floats) -> Floats:
    """(...) how far tints (..., 3) lie from others."""
    squared = (tints - others) ** 2
    return np.asarray(np.sqrt(squared[..., 0] + squared[..., 1] + squared[..., 2]), np.float32)
