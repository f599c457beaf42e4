"""Reading a photograph of cards that lie spread out on a table, each face at most once.

Twice: where the detector sees something, the cards that are plain give the table plane; then the
others are sought by what is drawn on them, from straight above. What the detector saw elsewhere is
kept, so that a card nobody can name is told of.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.detail import DetailNamer
from vision.detection import KINDS, Detections
from vision.face_finder import FaceFinder
from vision.flatten import side_lengths
from vision.frame import Image
from vision.naming import SURE_SCORE
from vision.seen_plane import SeenPlane
from vision.sighting import Effort
from vision.slots import to_quad, warp_quad
from vision.stacking import overlap_share
from vision.still import TableReader
from vision.table import PieceKind, PieceReading, TableReading

_SAME_PLACE, _SAME_CARD = 0.3, 0.7
_SURE_TO_LIE = 0.5
_OFF_SIZE = 0.25
_LIKELY_TO_LIE = 0.3
_MOST_UNKNOWN = 8
_LEAST_FOR_PLANE = 3


def read_spread(reader: TableReader, finder: FaceFinder, image_bgr: Image) -> TableReading:
    """What lies on the table, lowest first.

    Args:
        reader: Names what was found, and finds what has no name.
        finder: Finds the deck's faces.
        image_bgr: (H, W, 3) uint8, the whole picture.
    """
    lying = reader.find(image_bgr)
    likely = lying.select(lying.confidence >= _LIKELY_TO_LIE)
    first = reader.read_detections(image_bgr, likely, efforts=[Effort.GLANCE] * len(likely))
    found = _named(first)
    plane = SeenPlane.of(first)
    if plane is None or len(found) < _LEAST_FOR_PLANE:
        found = _merged(found, finder.find(image_bgr))
        first = reader.read_detections(image_bgr, found, efforts=[Effort.SEARCH] * len(found))
        plane = SeenPlane.of(first)
        found = _merged(_named(first), found)
    named = [piece for piece in first.pieces if piece.face_id is not None]
    if plane is not None and len(named) >= _LEAST_FOR_PLANE:
        sure = {piece.face_id for piece in named if piece.score >= SURE_SCORE}
        left = finder.faces - sure
        found = _merged(
            found, finder.find_from_above(image_bgr, plane, [*found.quads, *lying.quads], left)
        )
    found = _confirmed(found, lying)
    found = _merged(found, _unfound(lying, found))
    second = reader.read_detections(image_bgr, found, efforts=[Effort.SEARCH] * len(found))
    second = _named_by_detail(reader, image_bgr, _with_names_of(first, second))
    if not _unnamed_cards(second):
        return second
    third = reader.read_detections(image_bgr, _merged(_named(second), found))
    return _named_by_detail(reader, image_bgr, _with_names_of(second, third))


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


def _named_by_detail(reader: TableReader, image_bgr: Image, reading: TableReading) -> TableReading:
    """The reading, with names of what shows the print of a face that lies nowhere else."""
    plane = SeenPlane.of(reading)
    seen = {piece.face_id for piece in reading.pieces}
    cards = set(reader.gallery.ids_of(PieceKind.CARD))
    unnamed = _unnamed_cards(reading)
    if not unnamed or plane is None:
        return reading
    namer = DetailNamer(reader.gallery.formats)
    names: dict[int, PieceReading] = {}
    for piece in unnamed:
        quads = [np.array(piece.quad_px, np.float32), *plane.turned(piece.quad_px)]
        match = namer.name(image_bgr, quads, cards - seen)
        if match is not None:
            seen.add(match.id)
            names[id(piece)] = replace(
                piece, score=match.likeness, quad_px=to_quad(match.quad_px), face_id=match.id,
                face_kind=reader.gallery.faces[match.id].kind, runner_up=None,
            )  # fmt: skip
    pieces = tuple(names.get(id(piece), piece) for piece in reading.pieces)
    return plane.place(replace(reading, pieces=pieces))


def _unnamed_cards(reading: TableReading) -> list[PieceReading]:
    """What has no name and may be a card by its size."""
    plane = SeenPlane.of(reading)
    unnamed = [p for p in reading.pieces if p.face_id is None and p.kind is PieceKind.CARD]
    return [p for p in unnamed if plane is None or _off_size(plane, p) < _OFF_SIZE]


def _off_size(plane: SeenPlane, piece: PieceReading) -> float:
    """By which share the sides of a piece differ from those of a card, at most."""
    quad_mm = np.array(warp_quad(piece.quad_px, plane.to_mm), np.float32)
    sides = side_lengths(quad_mm)
    both = sorted((float(sides[0::2].mean()), float(sides[1::2].mean())))
    return max(abs(side / card - 1) for side, card in zip(both, sorted(plane.card_mm), strict=True))


def _is_same_place(one: PieceReading, other: PieceReading) -> bool:
    quads = [np.array(piece.quad_px, np.float32) for piece in (one, other)]
    return overlap_share(quads[0], quads[1]) > _SAME_CARD


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


def _unfound(lying: Detections, found: Detections) -> Detections:
    """Hands, and the surest of what lies where no face was found."""
    rows: list[int] = []
    for row in np.argsort(-lying.confidence, kind="stable"):
        is_hand = lying.kind(int(row)) is PieceKind.HAND
        if is_hand:
            rows.append(int(row))
        elif lying.confidence[row] >= _SURE_TO_LIE and len(rows) < _MOST_UNKNOWN:
            quad = lying.quads[row]
            others = lying.select(np.array(rows, np.intp))
            if not _touches(found, quad) and not _touches(others, quad):
                rows.append(int(row))
    return lying.select(np.array(rows, np.intp))


def _covers(found: Detections, quad: NDArray[np.float32]) -> bool:
    return any(overlap_share(each, quad) > _SAME_PLACE for each in found.quads)


def _touches(found: Detections, quad: NDArray[np.float32]) -> bool:
    """Whether a box lies on a face, or is a part of one."""
    return any(overlap_share(each, quad) > 0.02 for each in found.quads)
