"""What Galapa Go is made of: its pieces, what players do, and what the rules believe.

Sections named in docstrings are those of the rulebook; `G1` to `G36` are the readings of it.
"""

from __future__ import annotations

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
        species = frozenset(part for a in self.animals for part in (a.head, a.body))
        object.__setattr__(self, "species", species)
        crabs = [f"{colour}-crab" for colour in self.crabs]
        object.__setattr__(self, "features", species.union(crabs) if crabs else species)

    @property
    def is_unusual(self) -> bool:
        """Whether a cross is drawn on it; two normal animals do not count (G25)."""
        return any(animal.head != animal.body for animal in self.animals)


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
