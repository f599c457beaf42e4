"""Reading a photograph of cards that lie spread out on a table, each face at most once.

Twice: from the picture as it is, where the cards that are plain give the table plane; then from
straight above, where the others are found too. What the detector saw elsewhere is kept, so that a
card nobody can name is told of.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.detection import Detections
from vision.face_finder import FaceFinder
from vision.frame import Image
from vision.seen_plane import SeenPlane
from vision.sighting import Effort
from vision.stacking import overlap_share
from vision.still import TableReader
from vision.table import PieceKind, PieceReading, TableReading

_SAME_PLACE, _SAME_CARD = 0.3, 0.7
_SURE_TO_LIE = 0.5
_MOST_UNKNOWN = 8
_LEAST_FOR_PLANE = 2


def read_spread(reader: TableReader, finder: FaceFinder, image_bgr: Image) -> TableReading:
    """What lies on the table, lowest first.

    Args:
        reader: Names what was found, and finds what has no name.
        finder: Finds the deck's faces.
        image_bgr: (H, W, 3) uint8, the whole picture.
    """
    found = finder.find(image_bgr)
    first = reader.read_detections(image_bgr, found, efforts=[Effort.SEARCH] * len(found))
    named = [piece for piece in first.pieces if piece.face_id is not None]
    plane = SeenPlane.of(first)
    if plane is not None and len(named) >= _LEAST_FOR_PLANE:
        quads = [np.array(piece.quad_px, np.float32) for piece in named]
        found = _merged(finder.find_from_above(image_bgr, plane, quads), found)
    lying = reader.find(image_bgr)
    found = _confirmed(found, lying)
    second = reader.read_detections(image_bgr, _merged(found, _unfound(lying, found)))
    return _with_names_of(first, second)


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
