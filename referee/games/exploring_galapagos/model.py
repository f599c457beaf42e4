"""What Exploring Galapagos is made of: its pieces, what players do, and what the rules believe.

Sections named in docstrings are those of the rulebook; `E1` to `E22` are the readings of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

TIMES = ("morning", "day", "night")
COLORS = ("gray-bird", "blue-fish", "orange-mammal", "green-reptile")
ZONES = ("sky", "sea", "land")

MIN_PLAYERS, MAX_PLAYERS = 2, 5
"""Number of players (Setup)."""

DECK_SIZE = 18
"""Habitat cards of the game (Components)."""

SHARED_SIZE = 3
"""With so many cards in the shared hand a round ends; one comes with each draft (Step 2)."""

LARGEST_HAND = 4
"""Cards that a player can own at most, the locked-in one among them (Setup)."""

ROUNDS = 3
"""Rounds of a game (Gameplay)."""


class Method(StrEnum):
    """How a player scores in a round."""

    TIME = "time"
    COLOR = "color"
    ZONE = "zone"


CHOICES: Mapping[Method, tuple[str, ...]] = {
    Method.TIME: TIMES,
    Method.COLOR: COLORS,
    Method.ZONE: ZONES,
}
"""What a player of each method may choose, in the rulebook's order (Score Calculation)."""


@dataclass(frozen=True, slots=True)
class HabitatAnimal:
    """One animal on a Habitat card; its colour and its zone are independent (E2)."""

    color: str
    zone: str
    time: str


@dataclass(frozen=True, slots=True)
class HabitatCard:
    """A Habitat card.

    Attributes:
        id: The deck's id.
        value: 1 to 18 in the printed game; no two cards have the same.
        method: How the card lets a player score.
        time: The time of day it shows.
        impact: Impact icons, 0 to 2.
        animals: What it shows; an animal without a time of its own has the card's (E1).
    """

    id: str
    value: int
    method: Method
    time: str
    impact: int
    animals: tuple[HabitatAnimal, ...]


@dataclass(frozen=True, slots=True)
class CardBack:
    """The back of the cards of one kind."""

    id: str
    of: str


Card = HabitatCard | CardBack


@dataclass(frozen=True, slots=True)
class Rulings:
    """The house rulings of this game (E10); the defaults are those of the house.

    Attributes:
        impact_on_zero: Whether the impact icons still count where the method brings no points.
    """

    impact_on_zero: bool = False


@dataclass(frozen=True, slots=True)
class AddToDraft:
    """A player puts a card of the hand face down in the middle (Step 1)."""

    player: str
    card: str


@dataclass(frozen=True, slots=True)
class LockIn:
    """A player puts a card of the hand face up in front and drafts no more (Step 1)."""

    player: str
    card: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A player chooses a card of the row (Step 2)."""

    player: str
    card: str


PlayerAction = AddToDraft | LockIn | Draft
"""What a player does in a round."""


@dataclass(frozen=True, slots=True)
class PlayerCards:
    """What a player has when a round is scored.

    Attributes:
        name: Who.
        hand: The cards of the hand.
        locked: The locked-in card, or None.
        used: The methods recorded in earlier rounds, whatever they scored (E8).
    """

    name: str
    hand: tuple[HabitatCard, ...]
    locked: HabitatCard | None = None
    used: tuple[Method, ...] = ()

    @property
    def own(self) -> tuple[HabitatCard, ...]:
        """The hand and the locked-in card: what counts as the player's own (E3, E12)."""
        return self.hand if self.locked is None else (*self.hand, self.locked)


@dataclass(frozen=True, slots=True)
class RoundPosition:
    """What lies on the table when a round is scored.

    Attributes:
        players: What each player has, clockwise.
        shared: The shared hand: three cards, or fewer if everybody has locked in.
        rulings: The house rulings.
    """

    players: tuple[PlayerCards, ...]
    shared: tuple[HabitatCard, ...]
    rulings: Rulings = Rulings()


@dataclass(frozen=True, slots=True)
class PlayerRuling:
    """What the rules say about a player's round.

    Attributes:
        name: Who.
        method: How the player scores; None where no method was determined (E6).
        choice: What scores most, such as `day`; None where the method brings no points.
        base: Animals that show the choice.
        own_impact: Icons on the player's own cards.
        shared_impact: Icons in the shared hand.
        impact: Points for the icons, before the floor; negative where they are subtracted.
        score: The points of the round.
        reason: Why, in words for the table.
    """

    name: str
    method: Method | None
    choice: str | None
    base: int
    own_impact: int
    shared_impact: int
    impact: int
    score: int
    reason: str


@dataclass(frozen=True, slots=True)
class Record:
    """What is written down for a player after a round (Recording Scores).

    Attributes:
        method: The method that the player used, whatever it scored (E8); None for none (E6).
        score: The points of the round.
    """

    method: Method | None
    score: int
