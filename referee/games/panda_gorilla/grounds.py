"""What lies on the zoo grounds, and the lattice of quarters that it makes.

Rulebook: Action "Card"; How Much Space Does an Animal Need?
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from referee.games.panda_gorilla.lattice import Quarter
from referee.games.panda_gorilla.model import QUARTERS, Board, Face, Rulings, Space, Tile

EDGE_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Rows and columns from a space to its neighbour, in the order of `EDGES`."""

_CORNERS = ((0, 0), (0, 1), (1, 1), (1, 0))
"""Rows and columns of a card's quarters, in the order of `QUARTERS`."""

_AT_EDGE = ((0, 1), (1, 2), (3, 2), (0, 3))
"""The quarters beside an edge's path, the earlier in reading order first."""

_SPACES_KEPT = 1024
"""Spaces whose quarters and neighbours are remembered: those of any board of a plausible size."""


@dataclass(slots=True)
class Grounds:
    """The board with everything that lies on it.

    Attributes:
        board: The board.
        rulings: The house rulings.
        entrance: The spaces that the entrance fills.
        signs: The spaces with a sign.
        faces: The face-up cards as they lie.
        ponds: The spaces with a pond that is not built over.
        order: When the card of a space was laid: its index among the tiles.
        lawns: The colour of each quarter of a face-up card.
        paths: Pairs of quarters of one card that a path runs between, the earlier in reading
            order first.
    """

    board: Board
    rulings: Rulings
    entrance: frozenset[Space] = field(init=False)
    signs: frozenset[Space] = field(init=False)
    faces: dict[Space, Face] = field(default_factory=dict)
    ponds: set[Space] = field(default_factory=set)
    order: dict[Space, int] = field(default_factory=dict)
    lawns: dict[Quarter, str] = field(default_factory=dict)
    paths: set[tuple[Quarter, Quarter]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.entrance = frozenset(self.board.entrance)
        self.signs = frozenset(self.board.signs)

    def is_space(self, space: Space) -> bool:
        """Returns whether cards may lie there: on the board and not on the entrance."""
        on_board = 0 <= space.row < self.board.rows and 0 <= space.col < self.board.cols
        return on_board and space not in self.entrance

    def is_open(self, space: Space) -> bool:
        """Returns whether a card may still come to lie there: on nothing or on a pond."""
        return self.is_space(space) and space not in self.faces

    def empty_spaces(self) -> Iterator[Space]:
        """Yields the spaces on which nothing lies, in reading order."""
        for row in range(self.board.rows):
            for col in range(self.board.cols):
                space = Space(row, col)
                if self.is_open(space) and space not in self.ponds:
                    yield space

    def lay(self, tile: Tile, order: int) -> None:
        """Lays a card on a space that is open, or a pond on an empty one."""
        if tile.card is None:
            self.ponds.add(tile.space)
            return
        face = tile.card.faces[tile.rotation // 90]
        self.ponds.discard(tile.space)
        self.faces[tile.space] = face
        self.order[tile.space] = order
        quarters = quarters_of(tile.space)
        self.lawns.update(zip(quarters, face.lawns, strict=True))
        for has_path, (one, other) in zip(face.paths, _AT_EDGE, strict=True):
            if has_path:
                self.paths.add((quarters[one], quarters[other]))


@lru_cache(maxsize=_SPACES_KEPT)
def quarters_of(space: Space) -> tuple[Quarter, ...]:
    """Returns the quarters of a space, in the order of `QUARTERS`.

    >>> quarters_of(Space(1, 2))[2]
    Quarter(row=3, col=5)
    """
    row, col = 2 * space.row, 2 * space.col
    return tuple([Quarter(row + south, col + east) for south, east in _CORNERS])


def quarter_at(space: Space, name: str) -> Quarter:
    """Returns the quarter of a space with that name.

    >>> quarter_at(Space(1, 2), "sw")
    Quarter(row=3, col=4)
    """
    return quarters_of(space)[QUARTERS.index(name)]


def space_of(quarter: Quarter) -> Space:
    """Returns the space that a quarter is of."""
    return Space(quarter.row // 2, quarter.col // 2)


def name_of(quarter: Quarter) -> str:
    """Returns which quarter of its space it is.

    >>> name_of(Quarter(3, 4))
    'sw'
    """
    return ("ns"[quarter.row % 2]) + ("we"[quarter.col % 2])


@lru_cache(maxsize=_SPACES_KEPT)
def neighbours_of(space: Space) -> tuple[Space, ...]:
    """Returns the spaces beside a space, in the order of `EDGES`; some may be off the board."""
    return tuple([Space(space.row + row, space.col + col) for row, col in EDGE_STEPS])
