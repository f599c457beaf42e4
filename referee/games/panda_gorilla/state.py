"""A whole game of Panda, Gorilla & Co as the rules see it: what was set up, what lies where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from referee.games.panda_gorilla.model import (
    Board,
    PathCard,
    Proposal,
    Rulings,
    Size,
    Space,
    Tile,
)
from referee.games.panda_gorilla.packing import FULL_SUPPLY, Supply


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game begins; who was in the zoo last is the players' to say (P35).

    Attributes:
        players: Clockwise.
        lead: The player who begins.
        board: The board.
        pile: The path cards as they were shuffled, the top card first.
        supply: The animals beside the board.
        rulings: The house rulings.
    """

    players: tuple[str, ...]
    lead: str
    board: Board
    pile: tuple[PathCard, ...]
    supply: Supply = FULL_SUPPLY
    rulings: Rulings = field(default_factory=Rulings)


class Phase(StrEnum):
    """What happens next."""

    OPENING = "opening"  # the first card is turned face up
    DRAWING = "drawing"  # the player on turn takes the face-up card or turns others
    PLACING = "placing"  # the player lays one of the cards drawn
    PROPOSING = "proposing"  # the player may put a chip on the card just laid
    SCORING = "scoring"  # areas have been completed
    FINAL = "final"  # the game has ended; areas with chips are scored
    OVER = "over"


@dataclass(frozen=True, slots=True)
class State:
    """What lies where.

    Attributes:
        setup: How the game began.
        turn: The player on turn.
        pile: The path cards that are face down, the top card first.
        face_up: The card that lies face up beside the pile, or None.
        drawn: The cards that the player on turn chooses from; empty before that.
        box: The cards that are out of the game.
        tiles: The cards on the board in the order of laying; face down those that became ponds.
        is_proposing: Whether the player on turn may put a chip on the last of them.
        proposals: The chips on the board; all others lie before their players.
        supply: The animals beside the board.
        points: Each player's points.
    """

    setup: Setup
    turn: str
    pile: tuple[PathCard, ...]
    face_up: PathCard | None
    drawn: tuple[PathCard, ...]
    box: tuple[PathCard, ...]
    tiles: tuple[Tile, ...]
    is_proposing: bool
    proposals: tuple[Proposal, ...]
    supply: Supply
    points: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TurnUp:
    """Cards of the pile are turned: one at the start, later two to choose from.

    A face-up card goes to the box before. The ids are those of the cards as they are seen; they
    need not be the top ones of a pile whose order nobody knows.
    """

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakeFaceUp:
    """The player on turn takes the face-up card."""


@dataclass(frozen=True, slots=True)
class Lay:
    """The player on turn lays a card on the board; `rotation` is clockwise, in degrees."""

    card: str
    space: Space
    rotation: int


@dataclass(frozen=True, slots=True)
class LayPond:
    """The player on turn lays a card face down, as a pond."""

    card: str
    space: Space


@dataclass(frozen=True, slots=True)
class Propose:
    """The player on turn puts a chip on a quarter of the card just laid."""

    quarter: str
    size: Size


@dataclass(frozen=True, slots=True)
class NoProposal:
    """The player on turn puts no chip on the card just laid."""


@dataclass(frozen=True, slots=True)
class ScoreArea:
    """The area that a quarter is of is scored."""

    space: Space
    quarter: str


Action = TurnUp | TakeFaceUp | Lay | LayPond | Propose | NoProposal | ScoreArea
