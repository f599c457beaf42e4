"""A whole game of Exploring Galapagos as the rules see it: what was set up, and what lies where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from referee.games.exploring_galapagos.model import (
    HabitatCard,
    PlayerAction,
    Record,
    Rulings,
)


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game begins; who photographed an animal last is the players' to say (E21).

    Attributes:
        players: Clockwise, each by a name without blanks.
        lead: The first lead photographer.
        cards: The 18 Habitat cards; how they lie after a shuffle is told by each `Deal`.
        rulings: The house rulings.
    """

    players: tuple[str, ...]
    lead: str
    cards: tuple[HabitatCard, ...]
    rulings: Rulings = field(default_factory=Rulings)


class Phase(StrEnum):
    """What happens next."""

    DEALING = "dealing"  # the lead shuffles all cards and deals
    CHOOSING = "choosing"  # Step 1: the players add to the draft or lock in
    LAYING = "laying"  # the added cards and one of the deck are laid in a row
    DRAFTING = "drafting"  # Step 2: the players choose from the row
    SCORING = "scoring"  # the round has ended and is about to be recorded
    OVER = "over"


@dataclass(frozen=True, slots=True)
class State:
    """What lies where.

    Attributes:
        setup: How the game began.
        lead: The lead photographer, also where no deck is left to show it.
        deck: The deck, the top card first; between rounds all cards.
        hands: Each player's hand.
        locked: By player the locked-in card, of those who have locked in.
        added: By player the card added to the draft in this turn.
        row: The face-up cards that nobody has chosen yet.
        chosen: By player the card chosen from the row.
        shared: The shared hand.
        records: What was written down after each finished round, by player.
    """

    setup: Setup
    lead: str
    deck: tuple[HabitatCard, ...]
    hands: Mapping[str, tuple[HabitatCard, ...]]
    locked: Mapping[str, HabitatCard]
    added: Mapping[str, HabitatCard]
    row: tuple[HabitatCard, ...]
    chosen: Mapping[str, HabitatCard]
    shared: tuple[HabitatCard, ...]
    records: tuple[Mapping[str, Record], ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """The lead shuffles and deals; `order` is how all cards lie after the shuffle, the top first.

    Each player gets the hand in one go, the lead first, then clockwise.
    """

    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LayRow:
    """The added cards and one of the deck are shuffled; `order` is how they lie in the row."""

    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EndRound:
    """Scores and methods are written down as the round's ruling says, and all cards gathered."""


Action = Deal | LayRow | EndRound | PlayerAction
