"""Exploring Galapagos' card objects, as deck packs and questions spell them (contract §1)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

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
    TIMES,
    ZONES,
    Card,
    CardBack,
    HabitatAnimal,
    HabitatCard,
    Method,
)

KINDS = ("habitat", "back")
"""The kinds of card of this game; the first is the main one."""

_ANY_CARD = frozenset({"image", "mm"})
_BACK = frozenset({"id", "kind", "of"})
_HABITAT = frozenset({"id", "kind", "value", "method", "time", "impact", "animals"})
_ANIMAL = frozenset({"color", "zone"})
_ANIMAL_OWN = frozenset({"time"})
_METHODS = {method.value: method for method in Method}
_make_animal = lru_cache(maxsize=64)(HabitatAnimal)
"""There are 36 animals and cards show them again and again; frozen values may be shared."""


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
    return HabitatCard(
        id=read_text(source, "id", place),
        value=read_integer(source, "value", place, 1),
        method=_METHODS[read_choice(source, "method", place, _METHODS)],
        time=time,
        impact=read_integer(source, "impact", place, 0, 2),
        animals=read_each(source, "animals", place, partial(_read_animal, card_time=time)),
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


def _read_animal(value: object, place: str, card_time: str) -> HabitatAnimal:
    source: Json = read_object(value, place, _ANIMAL, _ANIMAL_OWN)
    return _make_animal(
        read_choice(source, "color", place, COLORS),
        read_choice(source, "zone", place, ZONES),
        read_choice(source, "time", place, TIMES) if "time" in source else card_time,
    )
