"""How bright a table shows what is printed: learnt from the pieces that were named on it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from vision.faces import FaceFormat
from vision.flatten import flatten
from vision.table import PieceReading

Floats = NDArray[np.float32]

AS_PRINTED: Floats = np.ones(3, np.float32)
"""A table that shows everything as it was printed."""

_IN_VIEW = 0.95
_SURE = 0.95


def seen_gains(
    image_bgr: NDArray[np.uint8], pieces: Iterable[PieceReading], formats: Iterable[FaceFormat]
) -> Floats:
    """(3,) blue, green, red of what is seen, as multiples of what is printed there.

    Args:
        image_bgr: (H, W, 3) uint8.
        pieces: What was named in it; the median of those in full view counts.
        formats: The faces of the deck.
    """
    printed = {
        card.id: members.fine[row] for members in formats for row, card in enumerate(members.faces)
    }
    gains = []
    for piece in pieces:
        face = printed.get(piece.face_id or "")
        if face is None or piece.visible < _IN_VIEW or piece.score < _SURE:
            continue
        seen = flatten(image_bgr, np.array(piece.quad_px, np.float32), face.shape[1::-1])
        gains.append(seen.mean(axis=(0, 1)) / (face.mean(axis=(0, 1)) + 1))
    if not gains:
        return AS_PRINTED
    return np.asarray(np.maximum(np.median(np.array(gains), axis=0), 0.05), np.float32)
