"""Faces of several colours, and where such a card best explains the colours around a place.

Each pixel is said to be of some colours out of a few: eight hues, and dark, middle and bright
where it has none. A card is then turned and pushed over its neighbourhood, and the place is taken
in which most of it meets its own colours: what a hand hides of it says nothing for any place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import FaceFormat
from vision.flatten import Quad
from vision.plain_faces import Lit, tints_of
from vision.turned_cards import (
    TURNS,
    around,
    margin_of,
    place_of,
    small_wh,
    to_window,
    window_px,
    windows_of,
)

Floats = NDArray[np.float32]

_HUES = 8
_PALE_LEVELS = (30.0, 115.0, 215.0)
"""Brightness, of 255, of what is dark, middle and bright without a hue."""
_PALE, _TINTED = 0.14, 0.3
"""Lengths of a tint up to which a pixel has no hue, and from which it is all hue."""


@dataclass(frozen=True, slots=True, eq=False)
class PatternedFace:
    """A face that is told by where its colours are.

    Attributes:
        format: The faces among which it is kept.
        row: Its place among them.
        tints: (H, W, 3) float32 of every pixel of the flat face, as `tints_of` gives them.
        pattern: (H, W) bool, the face without its rim.
        templates: (P, TURNS) float32: how well a neighbourhood fits the card under each turn, 1
            where it is the card.
    """

    format: FaceFormat
    row: int
    tints: Floats
    pattern: NDArray[np.bool_]
    templates: Floats

    @property
    def id(self) -> str:
        """Its id in the deck."""
        return self.format.faces[self.row].id


def patterned_face(members: FaceFormat, row: int) -> PatternedFace:
    """A face with what it takes to find it by its colours."""
    size_wh = small_wh(members)
    small = cv2.resize(members.fine[row], size_wh, interpolation=cv2.INTER_AREA)
    colours = colour_shares(np.asarray(small, np.float32))
    inner = cv2.erode(members.opacity[row], np.ones((5, 5), np.uint8)) > 0
    templates = [_template(colours, turn).ravel() for turn in range(TURNS)]
    tints = tints_of(members.fine[row])
    return PatternedFace(members, row, tints, inner, np.stack(templates, axis=1))


def spot_patterned(
    seen: Lit, quad: Quad, faces: Sequence[PatternedFace]
) -> tuple[PatternedFace, Quad, float]:
    """The face that best explains the colours around a card (4, 2) in any turn.

    Returns:
        The face, (4, 2) where it lies from its top left, and how much of its pattern is seen
        there, 0 to 1.
    """
    size_wh = small_wh(faces[0].format)
    wide = colour_shares(seen.flat_colours(quad, size_wh, margin_of(size_wh)))
    layers = wide[:, *around(size_wh, (wide.shape[1], wide.shape[2]))]
    templates = np.concatenate([face.templates for face in faces], axis=1)
    match = windows_of(layers, size_wh) @ templates
    position, way = divmod(int(match.argmax()), match.shape[1])
    number, turn = divmod(way, TURNS)
    return faces[number], place_of(quad, size_wh, position, turn), float(match[position, way])


def colour_shares(picture: Floats) -> Floats:
    """(C, H, W) how much a pixel of a picture (H, W, 3), 0 to 255, is of each colour; 1 in all."""
    tints = tints_of(picture)
    length = np.linalg.norm(tints, axis=2)
    across = (tints[..., 2] - tints[..., 1]) / np.sqrt(2)
    along = (2 * tints[..., 0] - tints[..., 1] - tints[..., 2]) / np.sqrt(6)
    hue = np.arctan2(along, across) / (2 * np.pi) * _HUES
    apart = np.abs((hue - np.arange(_HUES)[:, None, None] + _HUES / 2) % _HUES - _HUES / 2)
    hues = np.maximum(1 - apart, 0)
    bright = picture.mean(axis=2)
    levels = [np.interp(bright, _PALE_LEVELS, np.eye(3)[level]) for level in range(3)]
    is_tinted = np.clip((length - _PALE) / (_TINTED - _PALE), 0, 1)
    return np.concatenate([hues * is_tinted, np.stack(levels) * (1 - is_tinted)]).astype(np.float32)


def _template(colours: Floats, turn: int) -> Floats:
    """(C, S, S): what each colour of a pixel says for a card under a turn."""
    size_wh = colours.shape[2], colours.shape[1]
    matrix, side = to_window(size_wh, turn), window_px(size_wh)
    # Tables and hands have such colours too, but not in the places of the pattern.
    says = colours - colours.mean(axis=(1, 2), keepdims=True)
    full = float((says * colours).sum())
    planes = [cv2.warpPerspective(plane, matrix, (side, side)) for plane in says]
    return np.asarray(np.stack(planes) / full, np.float32)
