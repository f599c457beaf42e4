"""What Panda, Gorilla & Co is made of: path cards, chips, the board, and what lies on it.

Sections named in docstrings are those of the rulebook; `P1` to `P37` are the readings of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
CHIPS_OF_A_SIZE = 3
"""Chips of each size that a player has (Components)."""

EDGES = ("n", "e", "s", "w")
QUARTERS = ("nw", "ne", "se", "sw")
"""Clockwise, as `EDGES`: a quarter turn moves both on by one."""

LAWNS = ("dark", "light")
ROTATIONS = (0, 90, 180, 270)
"""Clockwise, in degrees."""


class Space(NamedTuple):
    """A space of the board, counted from 0 at the north-west."""

    row: int
    col: int


@dataclass(frozen=True, slots=True)
class Face:
    """A path card as it lies.

    Attributes:
        paths: By edge, in the order of `EDGES`, whether a path joins its midpoint to the centre.
        lawns: By quarter, in the order of `QUARTERS`, the lawn's colour.
    """

    paths: tuple[bool, ...]
    lawns: tuple[str, ...]

    def turned(self, rotation: int) -> Face:
        """Returns the face after a clockwise turn, in degrees.

        >>> Face((True, False, False, False), ("dark", "light", "light", "light")).turned(90)
        Face(paths=(False, True, False, False), lawns=('light', 'dark', 'light', 'light'))
        """
        turns = -(rotation // 90)
        paths, lawns = self.paths, self.lawns
        return Face(paths[turns:] + paths[:turns], lawns[turns:] + lawns[:turns])


@dataclass(frozen=True, slots=True)
class PathCard:
    """A path card, upright as its image shows it.

    Attributes:
        id: The deck's id.
        paths: The edges whose midpoint a path joins to the card's centre.
        quarters: The lawn's colour by quarter, in the order of `QUARTERS`.
        count: How many of this card the deck has.
        faces: How it lies in each of the `ROTATIONS`.
    """

    id: str
    paths: frozenset[str]
    quarters: tuple[str, str, str, str]
    count: int = 1
    faces: tuple[Face, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        upright = Face(tuple([edge in self.paths for edge in EDGES]), self.quarters)
        faces = tuple([upright.turned(rotation) for rotation in ROTATIONS])
        object.__setattr__(self, "faces", faces)


@dataclass(frozen=True, slots=True)
class Chip:
    """A player's chip."""

    id: str
    player: str
    size: Size
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


@dataclass(frozen=True, slots=True)
class Rulings:
    """The house rulings of this game (P2, P6, P28, P25); the defaults are those of the house.

    Attributes:
        path_into_wall: Whether a path may end at the wall.
        pond_adjacency: Whether a pond is a card that another one may be laid beside.
        supply: `limited` or `unlimited`: whether an animal must be left to move in.
        same_player_twice: `once` or `each`: how often a size pays a player with two chips of it.
    """

    path_into_wall: bool = True
    pond_adjacency: bool = False
    supply: str = "limited"
    same_player_twice: str = "once"

    @classmethod
    def of(cls, chosen: Mapping[str, str | bool]) -> Rulings:
        """Returns rulings that were chosen by their names (contract §2), the others by default."""
        house = cls()
        return cls(
            path_into_wall=chosen.get("path_into_wall", house.path_into_wall) is True,
            pond_adjacency=chosen.get("pond_adjacency", house.pond_adjacency) is True,
            supply=str(chosen.get("supply", house.supply)),
            same_player_twice=str(chosen.get("same_player_twice", house.same_player_twice)),
        )


@dataclass(frozen=True, slots=True)
class Tile:
    """A path card that was laid on the board.

    Attributes:
        space: Where.
        card: Which; None for one that lies face down, a pond.
        rotation: Clockwise, in degrees, from the card as its image shows it.
    """

    space: Space
    card: PathCard | None
    rotation: int = 0


@dataclass(frozen=True, slots=True)
class Proposal:
    """A chip that lies on a path card (Action "Proposal").

    Attributes:
        space: The space of the card.
        quarter: The quarter as it lies on the board: one of `QUARTERS`.
        player: Whose chip.
        size: The size of the animals proposed.
    """

    space: Space
    quarter: str
    player: str
    size: Size


@dataclass(frozen=True, slots=True)
class Placement:
    """How a card may be laid."""

    card: str
    space: Space
    rotation: int


class Rule(StrEnum):
    """A rule that a card or a chip on the board can break."""

    SIGN = "sign"
    ADJACENCY = "adjacency"
    PATH = "path"
    COLOUR = "colour"
    OCCUPIED = "occupied"
    CHIP_SIZE = "chip-size"
    CHIP_COLOUR = "chip-colour"

    @property
    def section(self) -> str:
        """The section of the rulebook that says so."""
        is_of_chips = self in (Rule.CHIP_SIZE, Rule.CHIP_COLOUR)
        return 'Action "Proposal"' if is_of_chips else 'Action "Card"'


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule that a card breaks, or the chip on it.

    Attributes:
        space: Where the card was laid.
        rule: Which rule.
        reason: Why, in words for the table.
    """

    space: Space
    rule: Rule
    reason: str
