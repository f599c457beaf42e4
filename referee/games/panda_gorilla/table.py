"""What can be asked about a table of Panda, Gorilla & Co, and what the rules answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.games.panda_gorilla.areas import Area
from referee.games.panda_gorilla.model import (
    Board,
    Breach,
    PathCard,
    Placement,
    Proposal,
    Rulings,
    Tile,
)
from referee.games.panda_gorilla.packing import FULL_SUPPLY, Packing, Supply


@dataclass(frozen=True, slots=True)
class TablePosition:
    """What lies on a table.

    Attributes:
        board: The board.
        tiles: The path cards in the order in which they were laid, face down or up.
        proposals: The chips on them.
        supply: The animals that are left.
        offer: The cards that may be laid next.
        is_final: Whether the game has ended, so that open areas are scored too.
        rulings: The house rulings.
    """

    board: Board
    tiles: tuple[Tile, ...]
    proposals: tuple[Proposal, ...] = ()
    supply: Supply = FULL_SUPPLY
    offer: tuple[PathCard, ...] = ()
    is_final: bool = False
    rulings: Rulings = field(default_factory=Rulings)


@dataclass(frozen=True, slots=True)
class AreaRuling:
    """What the rules say about a zoo area.

    Attributes:
        area: The area.
        proposals: The chips in it.
        packing: The animals that move in now; empty unless the area is scored.
        points: What each player with a chip there gets now; empty unless the area is scored.
    """

    area: Area
    proposals: tuple[Proposal, ...]
    packing: Packing
    points: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TableRuling:
    """What the rules say about a table.

    Attributes:
        areas: In reading order of their first quarters.
        breaches: The rules that cards and chips break, in the order of laying.
        placements: Every way to lay one of the cards offered.
        points: What each player gets now, over all areas.
    """

    areas: tuple[AreaRuling, ...]
    breaches: tuple[Breach, ...]
    placements: tuple[Placement, ...]
    points: Mapping[str, int]
