"""A card under a hand: found by the plain colour that most of it shows, then laid and named.

A hand that has just put a Camera card down hides half of it, and what is left resembles neither
the whole card nor a part that somebody could foresee. But Camera cards are mostly of one plain
colour each. So the colour is looked for around the place (where a deck's are not plain, the pattern
of their colours is), the card is turned and pushed until it explains what is seen of that colour
and no more, and only then compared with the deck, without the part that does not fit: that is the
hand.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.alignment import PUSH, Level, Template, align
from vision.comparing import blur
from vision.flatten import Quad, flat_corners, homography, is_near, side_lengths
from vision.gallery import Gallery
from vision.patterned_faces import PatternedFace, patterned_face, spot_patterned
from vision.photometry import NEUTRAL
from vision.plain_faces import SAME_TINT, Around, Lit, PlainFace, apart, plain_face
from vision.seen_light import AS_PRINTED
from vision.sighting import Effort, FaceMatch, Sighting
from vision.slots import is_same_place, to_quad
from vision.table import PieceReading

Floats = NDArray[np.float32]
HeldFace = PlainFace | PatternedFace

_LEAST_SHARE = 0.15
"""How much of a card's pattern must be seen: 0.23 and more where a hand hid 0.44 of it."""
_LEAST_MASS = 0.25
"""Colour that must be there, as a share of what the whole card shows."""
_MOST_MASS = 1.4
"""More of it is no card but a sleeve."""
_ROUGHLY = 2.0
"""How much worse a card may fit before it is laid."""
_NEARLY = 1.3
"""How much worse it may fit after the first stage: 116 cards that were named all fitted there."""
_STAGES = ((Level(4, 6, 4),), (Level(4, 6, 4),), PUSH)
"""What is laid better shows better what is hidden, so that is worked out anew each time."""
_SOFTNESS = 0.8
"""Blur of the card as a picture of ordinary sharpness shows it, in its pixels."""
_FITS = 0.4
_FIT_AROUND = 0.6
_RIM = 0.12
_MOST_BESIDE = 0.15
"""Share of what lies around the card that may be of its colour: 0.02 at most where a card was
found, 0.46 where a sleeve was taken for one."""
_LEAST_PATTERN = 0.45
"""Share of what is not plain on the card that must be seen: under a hand it is mostly 0.75."""


class HeldFaces:
    """Some faces of a deck, ready to be found under a hand.

    Args:
        gallery: All faces of the deck.
        ids: Those that are sought; all are of one format.

    Attributes:
        ids: As given.
        can_be_found: Whether there are any, all of one format.
    """

    def __init__(self, gallery: Gallery, ids: Collection[str]) -> None:
        self._gallery = gallery
        self.ids = tuple(ids)
        rows = [
            (members, row)
            for members in gallery.formats
            for row, card in enumerate(members.faces)
            if card.id in self.ids
        ]
        plain = [face for members, row in rows if (face := plain_face(members, row)) is not None]
        self._faces = plain if len(plain) == len(rows) else []
        self._patterned = [] if self._faces else [patterned_face(*each) for each in rows]
        self.can_be_found = len({members.size_wh for members, _ in rows}) == 1

    def find(
        self,
        image_bgr: NDArray[np.uint8],
        quad: Quad,
        gains: Floats = AS_PRINTED,
        known: Sequence[PieceReading] = (),
    ) -> FaceMatch | None:
        """Names the face around a place, though much of it may be hidden.

        Args:
            image_bgr: (H, W, 3) uint8.
            quad: (4, 2) float32, a card that lies there in any turn.
            gains: (3,) blue, green, red: how bright the table shows what is printed.
            known: What is known to lie around: to find it once more is no news.

        Returns:
            The match, or None where no other face is seen for sure.
        """
        if not self.can_be_found:
            return None
        seen = Lit(image_bgr, gains)
        spotted = self._spot(seen, quad) if self._faces else self._spot_pattern(seen, quad)
        if spotted is None:
            return None
        face, place = spotted
        if any(face.id == piece.face_id and _is_there(piece, place) for piece in known):
            return None
        laid = _laid(seen, place, face)
        if laid is None or not _is_card(seen, laid, face):
            return None
        cover = _cover(seen, laid, face)
        sighting = Sighting(image_bgr, laid, cover=cover, effort=Effort.CLAIM)
        match = self._gallery.confirm(sighting, face.id, self.ids)
        if match.id != face.id:
            return None
        # What is seen of it leaves its shape open; the place has the shape of a card.
        return replace(match, quad_px=laid)

    def _spot(self, seen: Lit, quad: Quad) -> tuple[PlainFace, Quad] | None:
        """The face of whose colour there is most around a place, and about where it lies."""
        around = Around.of(seen, quad, self._faces)
        number = int(np.argmax(around.masses))
        if not _LEAST_MASS <= around.masses[number] <= _MOST_MASS:
            return None
        face, place = self._faces[number], around.place(number)
        return (face, place) if _is_card(seen, place, face, _ROUGHLY) else None

    def _spot_pattern(self, seen: Lit, quad: Quad) -> tuple[PatternedFace, Quad] | None:
        """The face that explains most of the colours around a place, and about where it lies."""
        face, place, share = spot_patterned(seen, quad, self._patterned)
        return (face, place) if share >= _LEAST_SHARE else None


def _is_there(piece: PieceReading, place: Quad) -> bool:
    return is_same_place(piece.quad_px, to_quad(place))


def _laid(seen: Lit, place: Quad, face: HeldFace) -> Quad | None:
    """The card laid as exactly as what is seen of it allows; None where it soon is none."""
    first, *others = _STAGES
    place = _lay(seen, place, face, first)
    if not _is_card(seen, place, face, _NEARLY):
        return None
    for levels in others:
        place = _lay(seen, place, face, levels)
    return place


def _lay(seen: Lit, quad: Quad, face: HeldFace, levels: Sequence[Level]) -> Quad:
    """The card laid by the part of it that is seen."""
    sharp = np.asarray(face.format.fine[face.row] / 255, np.float32)
    across = max(float(side_lengths(quad)[0::2].mean()), 1.0)
    picture = blur(sharp, _SOFTNESS * max(1.0, face.format.size_wh[0] / across))
    weight = _in_view(seen, quad, face) * (face.format.opacity[face.row] / 255)
    template = Template(picture, weight.astype(np.float32), NEUTRAL)
    laid = align(seen.image_bgr, quad, template, levels)
    return laid if is_near(laid, quad) else quad


def _is_card(seen: Lit, quad: Quad, face: HeldFace, slack: float = 1.0) -> bool:
    """Whether the colour ends where the card does, and carries its pattern."""
    size_wh = face.format.size_wh
    wide = seen.flat_tints(quad, size_wh, _RIM)
    pad_x, pad_y = round(size_wh[0] * _RIM), round(size_wh[1] * _RIM)
    if isinstance(face, PlainFace):
        beside = np.ones(wide.shape[:2], np.bool_)
        beside[pad_y // 2 : -(pad_y // 2), pad_x // 2 : -(pad_x // 2)] = False
        is_tinted = apart(wide[beside], face.tint) < SAME_TINT
        if float(is_tinted.mean()) > slack * _MOST_BESIDE:
            return False
    inside = wide[pad_y : pad_y + size_wh[1], pad_x : pad_x + size_wh[0]][face.pattern]
    away = apart(inside, face.tints[face.pattern])
    return slack * float(np.mean(away < _FITS)) >= _LEAST_PATTERN


def _cover(seen: Lit, quad: Quad, face: HeldFace) -> NDArray[np.uint8]:
    """(H, W) uint8, 255 where something else than the card is seen in its place."""
    in_view = cv2.erode(_in_view(seen, quad, face), np.ones((3, 3), np.uint8))
    hidden = np.asarray((1 - in_view) * 255, np.uint8)
    to_image = homography(flat_corners(face.format.size_wh), quad)
    height, width = seen.image_bgr.shape[:2]
    return np.asarray(cv2.warpPerspective(hidden, to_image, (width, height)), np.uint8)


def _in_view(seen: Lit, quad: Quad, face: HeldFace) -> Floats:
    """(H, W) float32 of the flat card: 1 where most of what is around fits it."""
    around = cv2.boxFilter(_fits(seen, quad, face).astype(np.float32), -1, (7, 7))
    return (around > _FIT_AROUND).astype(np.float32)


def _fits(seen: Lit, quad: Quad, face: HeldFace) -> NDArray[np.bool_]:
    """(H, W) bool of the flat card: whether a pixel has the tint that the card has there."""
    tints = seen.flat_tints(quad, face.format.size_wh)
    return np.asarray(apart(tints, face.tints) < _FITS, np.bool_)
