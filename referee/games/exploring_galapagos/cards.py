"""Exploring Galapagos' card objects, as deck packs and questions spell them (contract §1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.fields import (
    Json,
    read_choice,
    read_each,
    read_integer,
    read_kind,
    read_object,
    read_text,
)
from referee.games.exploring_galapagos.model import (
    COLORS,
    METHODS,
    TIMES,
    ZONES,
    Card,
    CardBack,
    HabitatAnimal,
    HabitatCard,
)

KINDS = ("habitat", "back")
"""The kinds of card of this game; the first is the main one."""

_ANY_CARD = frozenset({"image", "mm"})
_BACK = frozenset({"id", "kind", "of"})
_HABITAT = frozenset({"id", "kind", "value", "method", "time", "impact", "animals"})
_ANIMAL = frozenset({"color", "zone"})
_ANIMAL_OWN = frozenset({"time"})


def read_card(value: object, place: str) -> Card:
    """Returns a card object as a piece of the game; `image` and `mm` are left to the deck.

    Raises:
        FormatError: if a key is missing, unknown or has a wrong value.
    """
    if read_kind(value, place, KINDS) == "back":
        source = read_object(value, place, _BACK, _ANY_CARD)
        return CardBack(read_text(source, "id", place), read_choice(source, "of", place, KINDS))
    source = read_object(value, place, _HABITAT, _ANY_CARD)
    time = read_choice(source, "time", place, TIMES)
    animals = read_each(source, "animals", place, _read_animal)
    return HabitatCard(
        id=read_text(source, "id", place),
        value=read_integer(source, "value", place, 1),
        method=read_choice(source, "method", place, METHODS),
        time=time,
        impact=read_integer(source, "impact", place, 0, 2),
        animals=tuple(a if a.time else replace(a, time=time) for a in animals),
    )


def check_cards(cards: Sequence[Card]) -> list[str]:
    """Returns what is odd about a whole deck, though each of its cards can be read."""
    owners: dict[int, str] = {}
    problems = []
    for card in cards:
        if isinstance(card, HabitatCard):
            first = owners.setdefault(card.value, card.id)
            if first != card.id:
                problems.append(f"{card.id}: value {card.value} is that of {first} already")
    return problems if owners else ["no Habitat card"]


def _read_animal(value: object, place: str) -> HabitatAnimal:
    source: Json = read_object(value, place, _ANIMAL, _ANIMAL_OWN)
    return HabitatAnimal(
        color=read_choice(source, "color", place, COLORS),
        zone=read_choice(source, "zone", place, ZONES),
        time=read_choice(source, "time", place, TIMES) if "time" in source else "",
    )
