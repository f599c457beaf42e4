"""Cards that nothing has found, sought where they are likely to lie: beside the others.

People lay cards in rows. A card that neither the detector nor its print gave away, such as a dark
one in poor light, is still named for sure once it is known where it must lie.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.flatten import inside_picture
from vision.frame import Image
from vision.naming import SURE_SCORE
from vision.seen_plane import SeenPlane
from vision.sighting import Effort, FaceMatch, Sighting
from vision.slots import to_quad
from vision.stacking import overlap_share
from vision.still import TableReader
from vision.table import PieceKind, PieceReading, TableReading

Corners = NDArray[np.float32]
"""(4, 2) corners in pixels, clockwise from the face's own top left."""

_PITCH, _AHEAD = 1.05, 0.1
"""Widths from card to card in a row, and from a row to a card that lies across before it."""
_KNOWN_THERE, _SAME_PLACE = 0.15, 0.5
"""Overlap (IoU) with a known card from which a place is taken, and with another place from which
the two are one."""
_IN_VIEW = 0.9
_SURE_FIT = 0.9
_LEAST_LIKE, _MOST_LIKE = 0.85, 1.18
"""Sides of what is found there, against those of the card beside it."""


def find_beside(reader: TableReader, image_bgr: Image, reading: TableReading) -> TableReading:
    """What lies beside the named cards of a reading and is missing from it.

    Args:
        reader: Names what lies there.
        image_bgr: (H, W, 3) uint8, the picture that was read.
        reading: What is known to lie there, on the table plane.

    Returns:
        A reading of the missing cards alone.
    """
    plane = SeenPlane.of(reading)
    cards = [p for p in reading.pieces if p.kind is PieceKind.CARD and p.face_id is not None]
    missing = set(reader.gallery.ids_of(PieceKind.CARD)) - {card.face_id for card in cards}
    known = [np.array(card.quad_px, np.float32) for card in cards]
    found: list[PieceReading] = []
    for place in [] if plane is None else _places(plane, cards, known, image_bgr):
        if not missing:
            break
        match = reader.gallery.identify(
            Sighting(image_bgr, place, effort=Effort.SEARCH), frozenset(missing)
        )
        if match is None or not _is_sure(match, place, known):
            continue
        missing.discard(match.guess)
        known.append(match.quad_px)
        found.append(
            PieceReading(
                kind=PieceKind.CARD,
                score=match.score,
                quad_px=to_quad(match.quad_px),
                face_id=match.id,
                face_kind=match.kind,
                runner_up=match.runner_up,
                visible=match.visible,
            )
        )
    height, width = image_bgr.shape[:2]
    return TableReading(reading.timestamp_s, width, height, tuple(found))


def _places(
    plane: SeenPlane, cards: Sequence[PieceReading], known: Sequence[Corners], image: Image
) -> list[Corners]:
    """Free places beside and before the cards, inside the picture, each once."""
    to_px = np.linalg.inv(plane.to_mm)
    size_wh = (image.shape[1], image.shape[0])
    places: list[Corners] = []
    for card in cards:
        if card.quad_mm is None:
            continue
        for corners_mm in _beside(np.array(card.quad_mm, np.float64)):
            points = np.column_stack([corners_mm, np.ones(4)]) @ to_px.T
            place = (points[:, :2] / points[:, 2:]).astype(np.float32)
            is_free = all(overlap_share(place, quad) < _KNOWN_THERE for quad in known)
            is_new = all(overlap_share(place, quad) < _SAME_PLACE for quad in places)
            if is_free and is_new and inside_picture(size_wh, place, (16, 22)).mean() > _IN_VIEW:
                places.append(place)
    return places


def _beside(quad_mm: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """The places (4, 2) to the right and left of a card, and across before it and behind it."""
    right, down = quad_mm[1] - quad_mm[0], quad_mm[3] - quad_mm[0]
    for side in (1, -1):
        yield quad_mm + side * _PITCH * right
    middle = quad_mm.mean(axis=0)
    wide, high = np.linalg.norm(right), np.linalg.norm(down)
    across, along = right / wide, down / high
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    turned = half[:, :1] * wide * along - half[:, 1:] * high * across
    for side in (-1, 1):
        away = high / 2 + wide / 2 + _AHEAD * wide
        yield turned + middle + side * away * along


def _is_sure(match: FaceMatch, place: Corners, known: Sequence[Corners]) -> bool:
    """Whether a card lies there without doubt, flat on the table, and on no other card."""
    if match.id is None or match.score < SURE_SCORE or match.fit < _SURE_FIT:
        return False
    wanted, got = (np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
                   for quad in (place, match.quad_px))  # fmt: skip
    shares = np.sort(got) / np.sort(wanted)
    is_flat = bool(shares.min() > _LEAST_LIKE and shares.max() < _MOST_LIKE)
    return is_flat and all(overlap_share(match.quad_px, quad) < _KNOWN_THERE for quad in known)
