"""A photograph to be scored: what is asked (contract §3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from referee.decks import Deck
from vision.faces import FaceSource
from vision.frame import Image
from vision.still import TableReader
from vision.table import Quad


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
