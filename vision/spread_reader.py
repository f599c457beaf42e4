"""Reading a photograph of cards that lie spread out on a table, each face at most once.

Twice: where the detector sees something, the cards that are plain give the table plane; then the
others are sought by what is drawn on them, from straight above; and what a hand leaves of a card is
named by what is in view of it. What the detector saw elsewhere is kept, so that a card nobody can
name is told of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.detail import DetailMatch, DetailNamer
from vision.detection import KINDS, Detections
from vision.face_finder import FaceFinder
from vision.flatten import Quad, side_lengths
from vision.frame import Image
from vision.piece import SURE_SCORE
from vision.seen_plane import SeenPlane
from vision.sighting import Effort
from vision.slots import to_quad, warp_quad
from vision.spread_hidden import piece_of, with_hidden
from vision.stacking import overlap_share, visible_share
from vision.still import TableReader
from vision.table import PieceKind, PieceReading, TableReading
from vision.table import Quad as Corners

_SAME_PLACE, _SAME_CARD = 0.3, 0.7
_SURE_TO_LIE = 0.5
_OFF_SIZE = 0.25
_LIKELY_TO_LIE = 0.3
_MOST_UNKNOWN = 8
_LEAST_FOR_PLANE = 3
_PICTURES_PX = ((1200, 5000), (1700, 20000))
"""Longer sides at which a picture is looked at whose cards no detector shows, and how many features
are: few is quick, but where a table is strewn with spots most of them are the table's."""
_ALONE, _REACHING_OUT = 0.95, 0.3
"""Shares of a box that lie on no face: of what lies by itself, and of what lies beneath one."""


def read_spread(
    reader: TableReader, finder: FaceFinder, image_bgr: Image, lying: Detections | None = None
) -> TableReading:
    """What lies on the table, lowest first.

    Args:
        reader: Names what was found, and finds what has no name.
        finder: Finds the deck's faces.
        image_bgr: (H, W, 3) uint8, the whole picture.
        lying: What the reader finds in it, where that is known already.
    """
    lying = reader.find(image_bgr) if lying is None else lying
    likely = lying.select(lying.confidence >= _LIKELY_TO_LIE)
    first = reader.read_detections(image_bgr, likely, efforts=[Effort.GLANCE] * len(likely))
    found = _named(first)
    for longest_px, features in _PICTURES_PX:
        if len(_named(first)) >= _LEAST_FOR_PLANE and SeenPlane.of(first) is not None:
            break
        found = _merged(_named(first), finder.find(image_bgr, longest_px, features))
        first = reader.read_detections(image_bgr, found, efforts=[Effort.SEARCH] * len(found))
        found = _merged(_named(first), found)
    found = _merged(
        found, _found_from_above(finder, image_bgr, first, [*found.quads, *lying.quads])
    )
    found = _confirmed(found, lying)
    found = _merged(found, _unfound(lying, found, SeenPlane.of(first)))
    second = reader.read_detections(image_bgr, found, efforts=[Effort.SEARCH] * len(found))
    reading = _named_by_detail(reader, image_bgr, _with_names_of(first, second), found)
    return with_hidden(reader, image_bgr, reading, [*found.quads, *likely.quads])


def off_size(plane: SeenPlane, quad_px: Corners) -> float:
    """By which share the sides of a quad differ from those of a card, at most.

    Args:
        plane: The table.
        quad_px: Its corners in pixels.
    """
    quad_mm = np.array(warp_quad(quad_px, plane.to_mm), np.float32)
    sides = side_lengths(quad_mm)
    both = sorted((float(sides[0::2].mean()), float(sides[1::2].mean())))
    return max(abs(side / card - 1) for side, card in zip(both, sorted(plane.card_mm), strict=True))


def _found_from_above(
    finder: FaceFinder, image_bgr: Image, first: TableReading, quads: Sequence[Quad]
) -> Detections:
    """Where the faces lie that a first look did not name for sure, if it named enough.

    Args:
        finder: Finds the deck's faces.
        image_bgr: (H, W, 3) uint8, the whole picture.
        first: What the first look saw.
        quads: (4, 2) what may be cards.
    """
    plane = SeenPlane.of(first)
    named = [piece for piece in first.pieces if piece.face_id is not None]
    if plane is None or len(named) < _LEAST_FOR_PLANE:
        return Detections.empty()
    sure = [piece for piece in named if piece.score >= SURE_SCORE]
    left = finder.faces - {piece.face_id for piece in sure}
    taken = [np.array(piece.quad_px, np.float32) for piece in sure]
    return finder.find_from_above(image_bgr, plane, quads, left, taken)


def _to_array(quad: Corners) -> Quad:
    """(4, 2) float32 corners of a quad."""
    return np.array(quad, np.float32)


def _named(reading: TableReading) -> Detections:
    """What has a name, as if a detector had found it just there."""
    pieces = [piece for piece in reading.pieces if piece.face_id is not None]
    if not pieces:
        return Detections.empty()
    return Detections(
        np.array([piece.quad_px for piece in pieces], np.float32),
        np.array([KINDS.index(piece.kind) for piece in pieces], np.int64),
        np.array([piece.score for piece in pieces], np.float32),
    )


def _with_names_of(first: TableReading, second: TableReading) -> TableReading:
    """The second reading, with a name that only the first gave to what lies in that place."""
    plane = SeenPlane.of(second) or SeenPlane.of(first)
    taken = {piece.face_id for piece in second.pieces}
    left = [p for p in first.pieces if p.face_id is not None and p.face_id not in taken]
    pieces = []
    for piece in second.pieces:
        fitting = [p for p in left if p.face_id == piece.runner_up and _is_same_place(p, piece)]
        pieces.append(fitting[0] if piece.face_id is None and fitting else piece)
    reading = replace(second, pieces=tuple(pieces))
    return reading if plane is None else plane.place(reading)


def _named_by_detail(
    reader: TableReader, image_bgr: Image, reading: TableReading, found: Detections
) -> TableReading:
    """The reading, with what shows the print of a face that lies nowhere else.

    A card that was named helps with those beneath it.
    """
    plane = SeenPlane.of(reading)
    named = [piece for piece in reading.pieces if piece.face_id is not None]
    if plane is None or len(named) < _LEAST_FOR_PLANE:
        return reading
    quads = [_to_array(piece.quad_px) for piece in _unnamed_cards(reading)]
    quads += [quad for quad in found.quads if not any(_is_same(quad, other) for other in quads)]
    hands = [_to_array(p.quad_px) for p in reading.pieces if p.kind is PieceKind.HAND]
    namer = DetailNamer(reader.gallery.formats, image_bgr, hands)
    known = [DetailMatch(str(piece.face_id), _to_array(piece.quad_px)) for piece in named]
    cards = set(reader.gallery.ids_of(PieceKind.CARD))
    backs = set(reader.gallery.ids_of(PieceKind.BACK))
    news: list[DetailMatch] = []
    for _ in range(2):
        left = cards - {other.id for other in known}
        for quad in [*quads, *namer.beside(plane, known, left)]:
            if not any(_is_same(quad, other.quad_px) for other in known):
                match = namer.name(plane.rigid(quad), left | backs, known)
                if match is not None:
                    known.append(match)
                    news.append(match)
                    left.discard(match.id)
        if not news:
            break
    pieces = [p for p in reading.pieces if p.face_id or not _is_any(p, news)]
    pieces += [piece_of(reader, match) for match in news]
    return plane.place(replace(reading, pieces=tuple(pieces)))


def _is_any(piece: PieceReading, matches: Sequence[DetailMatch]) -> bool:
    return any(_is_same(_to_array(piece.quad_px), match.quad_px) for match in matches)


def _is_same(one: Quad, other: Quad) -> bool:
    return overlap_share(one, other) > _SAME_CARD


def _unnamed_cards(reading: TableReading) -> list[PieceReading]:
    """What has no name and may be a card by its size."""
    plane = SeenPlane.of(reading)
    unnamed = [p for p in reading.pieces if p.face_id is None and p.kind is PieceKind.CARD]
    return [p for p in unnamed if plane is None or off_size(plane, p.quad_px) < _OFF_SIZE]


def _is_same_place(one: PieceReading, other: PieceReading) -> bool:
    return _is_same(_to_array(one.quad_px), _to_array(other.quad_px))


def _merged(one: Detections, other: Detections) -> Detections:
    """Both, without those of the second that lie where one of the first does."""
    kept = [row for row in range(len(other)) if not _covers(one, other.quads[row])]
    rest = other.select(np.array(kept, np.intp))
    return Detections(
        np.concatenate([one.quads, rest.quads]),
        np.concatenate([one.class_id, rest.class_id]),
        np.concatenate([one.confidence, rest.confidence]),
    )


def _confirmed(found: Detections, lying: Detections) -> Detections:
    """What was found, as sure as the detector is that something lies there where it is surer.

    A few features may agree by chance on bare table: what then has no name is nothing.
    """
    sure = found.confidence.copy()
    for row, quad in enumerate(found.quads):
        for other in range(len(lying)):
            if overlap_share(quad, lying.quads[other]) > _SAME_PLACE:
                sure[row] = max(sure[row], lying.confidence[other])
    return Detections(found.quads, found.class_id, sure)


def _unfound(lying: Detections, found: Detections, plane: SeenPlane | None) -> Detections:
    """Hands, and the surest of what lies where no face was found.

    What reaches out from under a face may be a card where it is as large as one.
    """
    rows: list[int] = []
    for row in np.argsort(-lying.confidence, kind="stable"):
        quad = lying.quads[row]
        others = [*found.quads, *lying.quads[rows]]
        outside = visible_share(quad, others)
        is_alone = outside > _ALONE and lying.confidence[row] >= _SURE_TO_LIE
        is_covered = outside > _REACHING_OUT and lying.confidence[row] >= _LIKELY_TO_LIE
        is_card = plane is not None and off_size(plane, to_quad(quad)) < _OFF_SIZE
        is_worth_it = len(rows) < _MOST_UNKNOWN and (is_alone or (is_covered and is_card))
        if is_worth_it or lying.kind(int(row)) is PieceKind.HAND:
            rows.append(int(row))
    return lying.select(np.array(rows, np.intp))


def _covers(found: Detections, quad: NDArray[np.float32]) -> bool:
    return any(overlap_share(each, quad) > _SAME_PLACE for each in found.quads)
