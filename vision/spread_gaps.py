"""Cards that nothing has found, sought where they are likely to lie: beside the others.

People lay cards in rows. A card that neither the detector nor its print gave away, such as a dark
one in poor light, is still named for sure once it is known where it must lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.detection import Detections
from vision.flatten import Quad, apply_homography, inside_picture, side_lengths
from vision.frame import Image
from vision.piece import SURE_SCORE
from vision.seen_plane import SeenPlane
from vision.sighting import Effort, FaceMatch, Sighting
from vision.slots import to_quad
from vision.spread_places import places_beside
from vision.spread_reader import off_size
from vision.stacking import overlap_share
from vision.still import TableReader
from vision.table import PieceKind, PieceReading, TableReading

_KNOWN_THERE, _SAME_PLACE = 0.15, 0.5
"""Overlap (IoU) with a known card from which a place is taken, and with another place from which
the two are one."""
_MAY_LIE = 0.25
"""Overlap (IoU) with a box of the detector from which a place is worth a look."""
_OFF_SIZE = 0.3
_IN_VIEW = 0.9
_SURE_FIT = 0.9
_LEAST_LIKE, _MOST_LIKE = 0.85, 1.18
"""Sides of what is found there, against those of the card beside it."""


def find_beside(
    reader: TableReader, image_bgr: Image, reading: TableReading, lying: Detections | None = None
) -> TableReading:
    """What lies beside the named cards of a reading and is missing from it.

    Args:
        reader: Names what lies there.
        image_bgr: (H, W, 3) uint8, the picture that was read.
        reading: What is known to lie there, on the table plane.
        lying: What the reader finds in the picture, where that is known already.

    Returns:
        A reading of the missing cards alone.
    """
    plane = SeenPlane.of(reading)
    if plane is None:
        return replace(reading, pieces=())
    cards = [p for p in reading.pieces if p.kind is PieceKind.CARD and p.face_id is not None]
    missing = set(reader.gallery.ids_of(PieceKind.CARD)) - {card.face_id for card in cards}
    known = [np.array(card.quad_px, np.float32) for card in cards]
    found: list[PieceReading] = []
    boxes = _boxes(reader.find(image_bgr) if lying is None else lying)
    for place in _places(plane, cards, (known, boxes), image_bgr):
        if not missing:
            break
        match = reader.gallery.identify(
            Sighting(image_bgr, place, effort=Effort.SEARCH), frozenset(missing)
        )
        if match is None or not _is_sure(match, place, known):
            continue
        missing.discard(match.guess)
        known.append(match.quad_px)
        found.append(reader.reading_of(match))
    return replace(reading, pieces=tuple(found))


def with_beside(
    reader: TableReader, image_bgr: Image, reading: TableReading, lying: Detections | None = None
) -> TableReading:
    """A reading, and what lies beside its cards and was missing from it; asked as `find_beside`."""
    found = find_beside(reader, image_bgr, reading, lying).pieces
    plane = SeenPlane.of(reading)
    if plane is None or not found:
        return reading
    quads = [np.array(piece.quad_px, np.float32) for piece in found]
    kept = [
        piece
        for piece in reading.pieces
        if piece.face_id is not None
        or all(overlap_share(np.array(piece.quad_px, np.float32), q) < _SAME_PLACE for q in quads)
    ]
    return plane.place(replace(reading, pieces=(*kept, *found)))


def _boxes(lying: Detections) -> list[Quad]:
    """Where the detector means that something might lie, however unsure it is, the surest first."""
    rows = np.argsort(-lying.confidence, kind="stable")
    return [lying.quads[row] for row in rows if lying.kind(int(row)) is not PieceKind.HAND]


def _places(
    plane: SeenPlane,
    cards: Sequence[PieceReading],
    quads: tuple[Sequence[Quad], Sequence[Quad]],
    image: Image,
) -> list[Quad]:
    """Free places in the picture where something may lie, each once.

    They are boxes of the size of a card, and places beside and before the cards that lie in part
    in some box: a bare table is not searched.
    """
    known, boxes = quads
    to_px = np.asarray(np.linalg.inv(plane.to_mm), np.float64)
    size_wh = (image.shape[1], image.shape[0])
    beside = [
        apply_homography(to_px, corners_mm)
        for card in cards
        if card.quad_mm is not None
        for corners_mm in places_beside(np.array(card.quad_mm, np.float64))
    ]
    places: list[Quad] = []
    for place in [*beside, *(box for box in boxes if off_size(plane, to_quad(box)) < _OFF_SIZE)]:
        if (
            all(overlap_share(place, quad) < _KNOWN_THERE for quad in known)
            and all(overlap_share(place, quad) < _SAME_PLACE for quad in places)
            and any(overlap_share(place, box) > _MAY_LIE for box in boxes)
            and inside_picture(size_wh, place, (16, 22)).mean() > _IN_VIEW
        ):
            places.append(place)
    return places


def _is_sure(match: FaceMatch, place: Quad, known: Sequence[Quad]) -> bool:
    """Whether a card lies there without doubt, flat on the table, and on no other card."""
    if match.id is None or match.score < SURE_SCORE or match.fit < _SURE_FIT:
        return False
    shares = np.sort(side_lengths(match.quad_px)) / np.sort(side_lengths(place))
    is_flat = bool(shares.min() > _LEAST_LIKE and shares.max() < _MOST_LIKE)
    return is_flat and all(overlap_share(match.quad_px, quad) < _KNOWN_THERE for quad in known)
