"""What lies on a table for a photograph: items, what is true of each, and what the camera must see.

A game's own module (`datasets.zoo_table`, `datasets.island_table`) lays a spread; `datasets.still`
photographs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from datasets.art.paint import Rng
from datasets.items import Item, Points

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Laid:
    """An item, and what a truth file says of it: id, kind, rotation, row, ...; None: nothing."""

    item: Item
    facts: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Outline:
    """A flat shape on the table whose place in the picture goes into the truth file.

    Attributes:
        points_mm: Array of shape (n, 2) on the table plane.
        lift_mm: How high it lies.
    """

    points_mm: Points
    lift_mm: float


@dataclass(frozen=True, slots=True)
class Spread:
    """A laid table.

    Attributes:
        laid: From the lowest to the highest.
        position: The question that the table is (contract §2).
        reach: What the camera is to see.
        board: The grid's corners, clockwise from its north-west; None without a board.
        spaces: The spaces of the board, by row and column.
        seats: Where each player's cards lie: (name, side, middle).
    """

    laid: tuple[Laid, ...]
    position: Json
    reach: Points
    board: Outline | None = None
    spaces: Mapping[tuple[int, int], Outline] | None = None
    seats: tuple[tuple[str, str, tuple[float, float]], ...] = ()


@dataclass(frozen=True, slots=True)
class Care:
    """How carefully things are laid: the furthest that they stray, in millimetres and radians."""

    shift_mm: float
    turn: float

    def stray(self, rng: Rng) -> tuple[float, float, float]:
        """Draws by lot how far a thing lies off, and by how much it is turned."""
        dx, dy = (rng.normal(0, self.shift_mm / 2, 2)).clip(-self.shift_mm, self.shift_mm)
        turn = float(np.clip(rng.normal(0, self.turn / 2), -self.turn, self.turn))
        return float(dx) * 0.7, float(dy) * 0.7, turn


def sample_care(rng: Rng) -> Care:
    """Draws by lot how carefully a table is laid: up to 3 mm and 5 degrees off."""
    share = float(rng.choice((0.15, 0.5, 1.0)))
    return Care(3.0 * share, float(np.radians(5.0)) * share)
