"""Cards of which a hand leaves a part, sought where something was found and beside the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.detail import DetailMatch
from vision.flatten import Quad, apply_homography
from vision.frame import Image
from vision.seen_plane import SeenPlane
from vision.slots import to_quad
from vision.spread_places import places_beside
from vision.spread_visible import Verdict, VisibleNamer
from vision.stacking import overlap_share, visible_share
from vision.still import TableReader
from vision.table import PieceKind, PieceReading, TableReading

_FREE, _SAME_PLACE, _SAME_CARD = 0.12, 0.85, 0.3
"""Overlap (IoU) up to which a place is free of cards that are known, and with another place from
which one look does for both, and with a card from which that is what lies there."""
_SHAPE = 0.5
"""Overlap (IoU) with a rectangle on the table from which a quad may be a card."""
_UNDER_HAND = 0.15
"""Share of a place that hands cover, at least, where nothing was found."""
_MOST_PLACES = 10
_LEAST_SEEN, _LEAST_FIT, _LEAST_DIFFERING_PX = 0.25, 0.65, 60.0
_LEAST_LEADS = ((0.5, 0.2), (0.8, 0.1))
"""How much the print must agree, and by how much a face must lead. Skin, or a bare table, may have
the colours of a card's bands, and by chance of the next face; it reaches 0.5 with a lead of 0.1."""
_LEAST_BEHIND, _LEAST_LEFT = (0.6, 0.05), 0.3
"""The same where the nearest other face lies elsewhere for sure, and the lead over all that do
not."""


def with_hidden(
    reader: TableReader, image_bgr: Image, reading: TableReading, quads: Sequence[Quad]
) -> TableReading:
    """A reading, and the names of cards of which a hand leaves a part.

    Args:
        reader: Knows the deck.
        image_bgr: (H, W, 3) uint8, the picture that was read.
        reading: What is known to lie there, hands among it.
        quads: (4, 2) where more was found.
    """
    plane = SeenPlane.of(reading)
    seen_hands = [piece for piece in reading.pieces if piece.kind is PieceKind.HAND]
    hands = [_to_array(p) for p in sorted(seen_hands, key=lambda piece: -piece.score)]
    known = [DetailMatch(p.face_id, _to_array(p)) for p in reading.pieces if p.face_id is not None]
    left = {*reader.gallery.ids_of(PieceKind.CARD)} - {match.id for match in known}
    if plane is None or not left:
        return reading
    namer: VisibleNamer | None = None
    unnamed = [_to_array(p) for p in _cards(reading) if p.face_id is None]
    # A hand may be there that no detector has seen.
    found = [q for q in quads if not hands or any(overlap_share(q, hand) > 0 for hand in hands)]
    beside = [q for match in known for q in _under_hands_beside(plane, match.quad_px, hands)]
    # What the detector is surest of is a hand; the others may be none.
    beside.sort(key=lambda place: [visible_share(place, [hand]) for hand in hands])
    waiting, tried, news = [*unnamed, *found, *beside], list[list[Quad]](), list[DetailMatch]()
    while waiting and left and len(tried) < _MOST_PLACES:
        ways = _ways(plane, waiting.pop(0), known)
        if not ways or any(_is_same(ways, other) for other in tried):
            continue
        tried.append(ways)
        namer = namer or VisibleNamer(reader.gallery.formats, image_bgr, known)
        verdict = namer.best(ways, known, left)
        if verdict is not None and _is_sure(verdict):
            news.append(DetailMatch(verdict.id, verdict.quad_px, verdict.margin))
            known.append(news[-1])
            left.remove(verdict.id)
            waiting += _under_hands_beside(plane, verdict.quad_px, hands)
    return plane.place(_with_names(reader, reading, news)) if news else reading


def piece_of(reader: TableReader, match: DetailMatch) -> PieceReading:
    """A face that was named, as a piece that lies where it was laid."""
    face = reader.gallery.faces[match.id]
    quad_px = to_quad(match.quad_px)
    return PieceReading(face.piece_kind, match.likeness, quad_px, None, match.id, face.kind)


def _is_sure(verdict: Verdict) -> bool:
    if (
        verdict.seen < _LEAST_SEEN
        or verdict.fit < _LEAST_FIT
        or verdict.differing_px < _LEAST_DIFFERING_PX
    ):
        return False
    leads = [*_LEAST_LEADS, *([_LEAST_BEHIND] if verdict.margin_left >= _LEAST_LEFT else [])]
    return any(verdict.print_fit >= fit and verdict.margin >= lead for fit, lead in leads)


def _ways(plane: SeenPlane, quad: Quad, known: Sequence[DetailMatch]) -> list[Quad]:
    """How a card may lie in a place: as a quad does, or as the card does that is nearest to it."""
    quads_mm = [apply_homography(plane.to_mm, match.quad_px) for match in known]
    middle = apply_homography(plane.to_mm, quad).mean(axis=0)
    near = min(quads_mm, key=lambda other: float(np.linalg.norm(other.mean(axis=0) - middle)))
    to_px = np.asarray(np.linalg.inv(plane.to_mm), np.float64)
    like = apply_homography(to_px, near - near.mean(axis=0) + middle)
    ways = [*plane.rigid(quad), *plane.rigid(like)]
    ways = [way for way in ways if overlap_share(way, quad) > _SHAPE]
    free = [w for w in ways if all(overlap_share(w, match.quad_px) < _FREE for match in known)]
    distinct: list[Quad] = []
    for way in free:
        if not _is_same([way], distinct):
            distinct.append(way)
    return distinct


def _under_hands_beside(plane: SeenPlane, quad: Quad, hands: Sequence[Quad]) -> list[Quad]:
    """Places beside a card that a hand covers in part."""
    to_px = np.asarray(np.linalg.inv(plane.to_mm), np.float64)
    quad_mm = apply_homography(plane.to_mm, quad).astype(np.float64)
    beside = [apply_homography(to_px, place) for place in places_beside(quad_mm)]
    return [place for place in beside if visible_share(place, hands) < 1 - _UNDER_HAND]


def _cards(reading: TableReading) -> list[PieceReading]:
    return [piece for piece in reading.pieces if piece.kind is PieceKind.CARD]


def _with_names(
    reader: TableReader, reading: TableReading, news: Sequence[DetailMatch]
) -> TableReading:
    """The reading with new names in place of what had none there."""
    pieces = [
        piece
        for piece in reading.pieces
        if piece.face_id is not None
        or piece.kind is not PieceKind.CARD
        or all(overlap_share(_to_array(piece), match.quad_px) < _SAME_CARD for match in news)
    ]
    pieces += [piece_of(reader, match) for match in news]
    return replace(reading, pieces=tuple(pieces))


def _is_same(ways: Sequence[Quad], others: Sequence[Quad]) -> bool:
    return all(any(overlap_share(way, o) > _SAME_PLACE for o in others) for way in ways)


def _to_array(piece: PieceReading) -> Quad:
    return np.array(piece.quad_px, np.float32)
