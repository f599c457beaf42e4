"""What Galapa Go is made of: its pieces, what players do, and what the rules believe.

Sections named in docstrings are those of the rulebook; `G1` to `G36` are the readings of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

COLOURS = ("red", "yellow", "green", "blue", "orange", "purple")
"""The six Camera colours; a player is named by the colour."""

SPECIES = ("crocodile", "elephant", "giraffe", "lion", "gorilla")
"""The species of the printed game; a deck may bring others."""

CRABS = ("red", "blue")

LAYOUT_SIZE = 15
"""Animal cards that one layout brings (Game Flow)."""


class Variant(StrEnum):
    """How many Tasks are turned at once, and when cards are laid out again (Complex Variant)."""

    NORMAL = "normal"
    COMPLEX = "complex"

    @property
    def tasks(self) -> int:
        """Number of Task cards turned at the same time."""
        return 2 if self is Variant.COMPLEX else 1

    @property
    def few_left(self) -> int:
        """With so many Animal cards left or fewer, new ones come or the game ends (G19, G22)."""
        return 4 if self is Variant.COMPLEX else 1


class SpecialKind(StrEnum):
    """The five Special Task cards."""

    ANY_UNUSUAL = "any-unusual"
    ANY_NORMAL = "any-normal"
    MOST = "most"
    LEAST = "least"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Animal:
    """One animal drawn on a card: normal where head and body are of one species."""

    head: str
    body: str

    @property
    def is_normal(self) -> bool:
        """Whether the animal is no cross."""
        return self.head == self.body


@dataclass(frozen=True, slots=True)
class AnimalCard:
    """An Animal card.

    Attributes:
        id: The deck's id.
        animals: One or two animals.
        crabs: `red`, `blue`, both or none.
        species: Every species of a head or body on it; a half counts as its species (G3).
        features: What a Task may ask for: the species, `red-crab`, `blue-crab`.
    """

    id: str
    animals: tuple[Animal, ...]
    crabs: tuple[str, ...] = ()
    species: frozenset[str] = field(init=False, compare=False)
    features: frozenset[str] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        species = frozenset([part for a in self.animals for part in (a.head, a.body)])
        object.__setattr__(self, "species", species)
        crabs = [f"{colour}-crab" for colour in self.crabs]
        object.__setattr__(self, "features", species.union(crabs) if crabs else species)


@dataclass(frozen=True, slots=True)
class Task:
    """A Task card: green circles require a feature, red ones forbid it."""

    id: str
    require: frozenset[str] = frozenset()
    forbid: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Special:
    """A Special Task card."""

    id: str
    kind: SpecialKind


AnyTask = Task | Special


@dataclass(frozen=True, slots=True)
class CameraCard:
    """A player's Camera card."""

    id: str
    player: str


@dataclass(frozen=True, slots=True)
class CardBack:
    """The back of the cards of one kind."""

    id: str
    of: str


Card = AnimalCard | Task | Special | CameraCard | CardBack


@dataclass(frozen=True, slots=True)
class Rulings:
    """The house rulings of this game (G9, G27, G31); the defaults are those of the house.

    Attributes:
        late_claims: `void` or `judged`: what a Camera counts that comes after the round's end.
        most_least_counts: `animals` or `cards`: whether two lions on one card count twice.
        most_least_wrong: `penalty` or `none`: what a wrong Camera costs with Most and Least.
    """

    late_claims: str = "void"
    most_least_counts: str = "animals"
    most_least_wrong: str = "penalty"


@dataclass(frozen=True, slots=True)
class Cover:
    """A player puts the Camera on an Animal card; `t` is in seconds."""

    t: float
    player: str
    card: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """A player takes the Camera back."""

    t: float
    player: str


@dataclass(frozen=True, slots=True)
class Pass:
    """A player gives up looking in this round (G10), or gives no guess (Memory)."""

    t: float
    player: str


@dataclass(frozen=True, slots=True)
class NoMatch:
    """A player says that no card fits (G12)."""

    t: float
    player: str


@dataclass(frozen=True, slots=True)
class Guess:
    """A player names animals: those under the lead's Camera (Memory), or the answer (Most, Least).

    Attributes:
        t: Seconds.
        player: Who speaks.
        animals: The species named.
        card: With Most and Least, the card that the player takes for a right answer.
    """

    t: float
    player: str
    animals: tuple[str, ...]
    card: str | None = None


@dataclass(frozen=True, slots=True)
class GiveUp:
    """A player names the won card that a wrong claim costs (G17)."""

    t: float
    player: str
    card: str


PlayerAction = Cover | Withdraw | Pass | NoMatch | Guess | GiveUp
"""What a player does while a round runs, or before it is settled."""


class EndedBy(StrEnum):
    """Why a round ended."""

    ANSWERED = "answered"
    ALL_COVERED = "all-covered"
    NONE_LEFT = "none-left"
    NO_MATCH = "no-match"
    ALL_PASSED = "all-passed"
    GUESSED = "guessed"


class Verdict(StrEnum):
    """What came of a claim."""

    CORRECT = "correct"
    WRONG = "wrong"
    WITHDRAWN = "withdrawn"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Claim:
    """A Camera on a card, and what came of it.

    Attributes:
        player: Whose Camera.
        card: The Animal card under it.
        order: Counts from 1 over all claims of the round as they were placed.
        t: When it came to lie there, in seconds.
        verdict: What came of it, or would if the round ended now.
        reason: Why, in words for the table.
    """

    player: str
    card: str
    order: int
    t: float
    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True)
class RoundPosition:
    """What lies on the table when the Task is turned, and what was won before.

    Attributes:
        players: Clockwise.
        lead: The lead player.
        layout: The Animal cards on the table.
        tasks: One Task or Special, or two Tasks in the complex variant.
        won: The ids of each player's won cards, the one won last at the end.
        box: The ids of the cards that are out of the game.
        deck_left: Animal cards still in the deck.
        variant: Normal or complex.
        rulings: The house rulings.
    """

    players: tuple[str, ...]
    lead: str
    layout: tuple[AnimalCard, ...]
    tasks: tuple[AnyTask, ...]
    won: Mapping[str, tuple[str, ...]]
    box: tuple[str, ...] = ()
    deck_left: int = 0
    variant: Variant = Variant.NORMAL
    rulings: Rulings = Rulings()


@dataclass(frozen=True, slots=True)
class RoundRuling:
    """What the rules say about a round.

    Attributes:
        matching: The cards on the table that fit, in the order of the layout.
        ended_by: Why the round ended; None while it runs.
        ended_at: Index of the action that ended it; None while it runs.
        ended_t: When it ended, in seconds; None while it runs.
        claims: Every claim in the order of placing.
        won: Each player's cards after the round.
        box: The cards out of the game after the round.
        layout: The cards left on the table.
        lead: The next lead player.
        redeal: Whether new cards are laid out now.
        game_over: Whether the game has ended.
        winners: Who won; empty until the game is over.
    """

    matching: tuple[str, ...]
    ended_by: EndedBy | None
    ended_at: int | None
    ended_t: float | None
    claims: tuple[Claim, ...]
    won: Mapping[str, tuple[str, ...]]
    box: tuple[str, ...]
    layout: tuple[str, ...]
    lead: str
    redeal: bool
    game_over: bool
    winners: tuple[str, ...]
