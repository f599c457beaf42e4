"""A whole game of Galapa Go as the rules see it: what was set up, and what lies where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from referee.games.galapa_go.model import (
    AnimalCard,
    AnyTask,
    PlayerAction,
    Rulings,
    Variant,
)


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game begins; whose pet is the largest is the players' to say (G36).

    Attributes:
        players: Clockwise.
        lead: The first lead player.
        animals: The Animal deck as it was shuffled, the top card first.
        tasks: The Task deck as it was shuffled, the top card first.
        variant: Normal or complex.
        rulings: The house rulings.
    """

    players: tuple[str, ...]
    lead: str
    animals: tuple[AnimalCard, ...]
    tasks: tuple[AnyTask, ...]
    variant: Variant = Variant.NORMAL
    rulings: Rulings = field(default_factory=Rulings)


class Phase(StrEnum):
    """What happens next."""

    LAYING = "laying"  # the lead lays out Animal cards
    TURNING = "turning"  # the lead turns a Task card, or shuffles the used ones
    RUNNING = "running"  # the players look
    CHECKING = "checking"  # the round has ended and is about to be settled
    OVER = "over"


@dataclass(frozen=True, slots=True)
class State:
    """What lies where.

    Attributes:
        setup: How the game began.
        lead: The lead player.
        deck: The Animal deck, the top card first.
        layout: The Animal cards on the table.
        task_deck: The Task deck, the top card first.
        discard: The used Task cards in the order in which they were put away.
        tasks: The Task cards turned for this round.
        won: The ids of each player's won cards, the one won last at the end.
        box: The ids of the cards that are out of the game.
        actions: What the players have done in this round, in the order of time.
    """

    setup: Setup
    lead: str
    deck: tuple[AnimalCard, ...]
    layout: tuple[AnimalCard, ...]
    task_deck: tuple[AnyTask, ...]
    discard: tuple[AnyTask, ...]
    tasks: tuple[AnyTask, ...]
    won: Mapping[str, tuple[str, ...]]
    box: tuple[str, ...]
    actions: tuple[PlayerAction, ...]


@dataclass(frozen=True, slots=True)
class LayOut:
    """The lead lays out the next Animal cards."""


@dataclass(frozen=True, slots=True)
class TurnTask:
    """The lead turns the top card of the Task deck."""


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The used Task cards become the Task deck; `order` is how they lie now, the top id first."""

    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EndRound:
    """The players take, give up and put away what the round's ruling says."""


Action = LayOut | TurnTask | Shuffle | EndRound | PlayerAction
