"""The lattice of quarters that cards lay out, and regions of it (How Much Space ...?).

A board of so many rows and columns of spaces has twice as many rows and columns of quarters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Quarter(NamedTuple):
    """A quarter of a card, counted from 0 at the board's north-west; sorts in reading order."""

    row: int
    col: int


@dataclass(frozen=True, slots=True)
class Region:
    """What an area offers to animals.

    Attributes:
        quarters: The quarters it consists of.
        walls: The borders that no animal may lie across, though both sides belong to the area:
            each the two quarters beside it, the earlier in reading order first. Borders to
            quarters outside of the area need not be named.
    """

    quarters: frozenset[Quarter]
    walls: frozenset[tuple[Quarter, Quarter]] = frozenset()
