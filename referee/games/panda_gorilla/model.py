"""What Panda, Gorilla & Co is made of: path cards, chips and the board."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

COLOURS = ("red", "yellow", "green", "blue")
"""The four colours of chips; a player is named by the colour."""


class Size(StrEnum):
    """The sizes of animals and their chips, in the order in which animals move in (Scoring)."""

    LARGE = "large"
    MEDIUM = "medium"
    SMALL = "small"


SIZES = tuple(size.value for size in Size)
EDGES = ("n", "e", "s", "w")
QUARTERS = ("nw", "ne", "se", "sw")
LAWNS = ("dark", "light")


class Space(NamedTuple):
    """A space of the board, counted from 0 at the north-west."""

    row: int
    col: int


@dataclass(frozen=True, slots=True)
class PathCard:
    """A path card, upright as its image shows it.

    Attributes:
        id: The deck's id.
        paths: The edges whose midpoint a path joins to the card's centre.
        quarters: The lawn's colour by quarter, in the order of `QUARTERS`.
        count: How many of this card the deck has.
    """

    id: str
    paths: frozenset[str]
    quarters: tuple[str, str, str, str]
    count: int = 1


@dataclass(frozen=True, slots=True)
class Chip:
    """A player's chip."""

    id: str
    player: str
    size: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class CardBack:
    """The back of the cards of one kind; a path card's back is a pond."""

    id: str
    of: str


@dataclass(frozen=True, slots=True)
class Board:
    """The zoo grounds.

    Attributes:
        rows: Number of rows.
        cols: Number of columns.
        entrance: The spaces that the entrance fills.
        signs: The spaces with a sign.
        space_mm: Side of a space, or None in a question.
        image: The board's picture in the pack, or None in a question.
        corners_px: The grid's outer north-west, north-east, south-east and south-west corner in
            that picture; empty in a question.
    """

    rows: int
    cols: int
    entrance: tuple[Space, ...]
    signs: tuple[Space, ...]
    space_mm: float | None = None
    image: str | None = None
    corners_px: tuple[tuple[float, float], ...] = ()


Card = PathCard | Chip | CardBack
