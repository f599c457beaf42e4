"""A photograph to be scored: what is asked, and how what was seen is told (contract §3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.decks import Deck
from vision.faces import FaceSource
from vision.frame import Image
from vision.still import TableReader
from vision.table import PieceReading, Quad

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class StillOptions:
    """What people say beside the picture.

    Attributes:
        is_final: Whether the game is over (Panda).
        seats: The side at which each player sits (Exploring Galapagos).
        used: The methods that players have used before (Exploring Galapagos).
        corners_px: Where the board's outer corners of the spaces are in the picture, from the
            north-west clockwise, where somebody has shown them (Panda).
    """

    is_final: bool = False
    seats: Mapping[str, str] = field(default_factory=dict)
    used: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    corners_px: Quad | None = None


@dataclass(frozen=True, slots=True, eq=False)
class StillOrder:
    """A picture and all that it is read with.

    Attributes:
        path: Its file, for messages.
        image_bgr: (H, W, 3) uint8.
        deck: The deck that is played with.
        faces: The pictures of the deck.
        open_reader: Makes the reader of the deck.
        options: What people say beside the picture.
    """

    path: Path
    image_bgr: Image
    deck: Deck
    faces: Sequence[FaceSource]
    open_reader: Callable[[], TableReader]
    options: StillOptions


def format_seen(piece: PieceReading) -> Json:
    """Returns a named piece as `seen` has it."""
    return {
        "id": piece.face_id,
        "kind": piece.face_kind,
        "score": round(piece.score, 3),
        "quad": format_quad(piece.quad_px),
    }


def format_doubt(piece: PieceReading) -> Json:
    """Returns a piece without a name as a doubt."""
    x, y = (sum(corner[axis] for corner in piece.quad_px) / 4 for axis in (0, 1))
    guess = f", perhaps {piece.runner_up}" if piece.runner_up else ""
    return {
        "kind": piece.kind.value,
        "score": round(piece.score, 3),
        "quad": format_quad(piece.quad_px),
        "text": f"an unknown {piece.kind.value} at {x:.0f}, {y:.0f}{guess}",
    }


def format_quad(quad: Quad) -> list[list[float]]:
    """Returns corners in pixels, to a tenth."""
    return [[round(x, 1), round(y, 1)] for x, y in quad]
