"""Cards of one face in two places, which no deck has: of a second deck, or pictures of cards.

A reading gives each face to one piece at most. The other one is left without a name, or gets that
of a face much like it that lies nowhere else; by itself it shows plainly what it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from vision.frame import Image
from vision.piece import SURE_SCORE
from vision.sighting import Effort, Sighting
from vision.still import TableReader
from vision.table import PieceKind, PieceReading, TableReading


def without_doubles(
    reader: TableReader, image_bgr: Image, reading: TableReading
) -> tuple[TableReading, tuple[str, ...]]:
    """Returns a reading without the names that two pieces have, and these names.

    Nobody can say which of the two belongs to the deck.

    Args:
        reader: Names what lies there.
        image_bgr: (H, W, 3) uint8, the picture that was read.
        reading: What lies there, no face twice.
    """
    shown = dict(_shown_alone(reader, image_bgr, reading))
    twice = tuple(sorted(set(shown.values())))
    if not twice:
        return reading, ()
    pieces = []
    for piece in reading.pieces:
        face = shown.get(piece) or (piece.face_id if piece.face_id in twice else None)
        is_double = face is not None
        pieces.append(
            replace(piece, face_id=None, face_kind=None, runner_up=face) if is_double else piece
        )
    return replace(reading, pieces=tuple(pieces)), twice


def _shown_alone(
    reader: TableReader, image_bgr: Image, reading: TableReading
) -> Iterator[tuple[PieceReading, str]]:
    """Gives the pieces that surely show a face that another piece has, and that face."""
    taken = {piece.face_id for piece in reading.pieces}
    for piece in reading.pieces:
        is_sure = piece.face_id is not None and piece.score >= SURE_SCORE
        if piece.kind is not PieceKind.CARD or is_sure:
            continue
        quad = np.array(piece.quad_px, np.float32)
        match = reader.gallery.identify(Sighting(image_bgr, quad, effort=Effort.GLANCE))
        if match is None or match.id is None or match.score < SURE_SCORE:
            continue
        if match.id in taken and match.id != piece.face_id:
            yield piece, match.id
