"""What Exploring Galapagos is made of: its Habitat cards."""

from __future__ import annotations

from dataclasses import dataclass

METHODS = ("time", "color", "zone")
TIMES = ("morning", "day", "night")
COLORS = ("gray-bird", "blue-fish", "orange-mammal", "green-reptile")
ZONES = ("sky", "sea", "land")


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
        method: How the card lets a player score: by `time`, `color` or `zone`.
        time: The time of day it shows.
        impact: Impact icons, 0 to 2.
        animals: What it shows; an animal without a time of its own has the card's (E1).
    """

    id: str
    value: int
    method: str
    time: str
    impact: int
    animals: tuple[HabitatAnimal, ...]


@dataclass(frozen=True, slots=True)
class CardBack:
    """The back of the cards of one kind."""

    id: str
    of: str


Card = HabitatCard | CardBack
