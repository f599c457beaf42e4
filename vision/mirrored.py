"""Whether a picture shows a table in a mirror: more cards have a name where it is turned over.

A camera that faces its user, and programs that show it, mirror what they take. Faces that are
nearly symmetric are named all the same, so that a part of the table would be taken for all of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.detection import Detections
from vision.face_finder import FaceFinder
from vision.flatten import Quad
from vision.frame import Image
from vision.sighting import Effort
from vision.stacking import overlap_share
from vision.still import TableReader
from vision.table import PieceKind, TableReading

_SURE_TO_LIE = 0.5
_NAMED_THERE = 0.3
"""Overlap (IoU) with what has a name from which a detection is no other card."""
_LEAST = 3
"""Fewer cards without a name are covered or in the dark, or not of the deck."""
_LONGEST_PX = 1200


def count_mirrored(
    reader: TableReader, finder: FaceFinder, image_bgr: Image, seen: tuple[TableReading, Detections]
) -> int:
    """Returns how many faces the mirror of a picture shows, 0 where they are no more than before.

    It is looked at only where many cards have no name.

    Args:
        reader: Names what was found.
        finder: Finds the deck's faces.
        image_bgr: (H, W, 3) uint8, the picture that was read.
        seen: What is known to lie there, and what the reader finds in the picture.
    """
    reading, lying = seen
    known = _named(reading)
    if _count_nameless(lying, known) < max(_LEAST, len(known) // 2):
        return 0
    mirror = np.ascontiguousarray(image_bgr[:, ::-1])
    found = finder.find(mirror, _LONGEST_PX)
    turned = _named(reader.read_detections(mirror, found, efforts=[Effort.SEARCH] * len(found)))
    return len(turned) if len(turned) > max(_LEAST, len(known)) else 0


def _named(reading: TableReading) -> list[Quad]:
    """Returns where (4, 2) float32 cards lie that have a name."""
    return [np.array(p.quad_px, np.float32) for p in reading.pieces if p.face_id is not None]


def _count_nameless(lying: Detections, known: Sequence[Quad]) -> int:
    return sum(
        lying.kind(row) is PieceKind.CARD
        and bool(lying.confidence[row] >= _SURE_TO_LIE)
        and all(overlap_share(lying.quads[row], quad) < _NAMED_THERE for quad in known)
        for row in range(len(lying))
    )
