"""A round of Exploring Galapagos as it lies on a table: what is said of it, and what is seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.games.exploring_galapagos.model import Method, PlayerRuling, Rulings
from vision.table import PieceReading


@dataclass(frozen=True, slots=True)
class Seating:
    """What a camera cannot see.

    Attributes:
        seats: The side of each player by name; without it players are named by their side.
        used: The methods that each player has used in earlier rounds.
        rulings: The house rulings.
        count: How many play, where it is known without seats.
    """

    seats: Mapping[str, str] = field(default_factory=dict)
    used: Mapping[str, tuple[Method, ...]] = field(default_factory=dict)
    rulings: Rulings = field(default_factory=Rulings)
    count: int | None = None

    @property
    def said(self) -> int:
        """How many players somebody has named or counted; 0 where nobody has."""
        return self.count or len(self.seats)


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """A player's cards as they were seen.

    Attributes:
        name: Who, or the side where nobody has said who sits there.
        side: bottom, left, top-left, top, top-right or right.
        hand: Cards in the row; one without a name is unknown.
        locked: The locked-in card, or None.
        is_elsewhere: Whether the cards lie so far from the side that they may be another's.
    """

    name: str
    side: str
    hand: tuple[PieceReading, ...]
    locked: PieceReading | None
    is_elsewhere: bool = False

    @property
    def own(self) -> tuple[PieceReading, ...]:
        """All of the player's cards."""
        return self.hand if self.locked is None else (*self.hand, self.locked)


@dataclass(frozen=True, slots=True)
class SeenRound:
    """A round as it lies on the table.

    Attributes:
        players: Clockwise from the side of the camera.
        shared: The row in the middle.
        rulings: What the rules say, by the players' names; None where it cannot be said.
        doubts: What is not sure, in words.
        reasons: Why nothing can be said of some players, by their names.
    """

    players: tuple[SeatedPlayer, ...]
    shared: tuple[PieceReading, ...]
    rulings: Mapping[str, PlayerRuling | None]
    doubts: tuple[str, ...]
    reasons: Mapping[str, str] = field(default_factory=dict)
