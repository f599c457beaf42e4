"""Galapa Go's card objects, as deck packs and questions spell them (contract §1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from referee.fields import (
    Json,
    at,
    read_choice,
    read_distinct,
    read_each,
    read_kind,
    read_object,
    read_text,
    read_words,
    refuse,
)
from referee.games.galapa_go.model import (
    COLOURS,
    CRABS,
    SPECIES,
    Animal,
    AnimalCard,
    CameraCard,
    Card,
    CardBack,
    Special,
    SpecialKind,
    Task,
)

KINDS = ("animal", "task", "special", "camera", "back")
"""The kinds of card of this game; the first is the main one."""

_SPECIALS = {kind.value: kind for kind in SpecialKind}
_ANY_CARD = frozenset({"image", "mm"})
_REQUIRED = {
    "animal": frozenset({"id", "kind", "animals"}),
    "task": frozenset({"id", "kind"}),
    "special": frozenset({"id", "kind", "special"}),
    "camera": frozenset({"id", "kind", "player"}),
    "back": frozenset({"id", "kind", "of"}),
}
_OPTIONAL = {
    "animal": _ANY_CARD | {"crabs"},
    "task": _ANY_CARD | {"require", "forbid"},
    "special": _ANY_CARD,
    "camera": _ANY_CARD,
    "back": _ANY_CARD,
}
_ANIMAL = frozenset({"head", "body"})
_make_animal = lru_cache(maxsize=256)(Animal)
_make_animal_card = lru_cache(maxsize=4096)(AnimalCard)
"""The same cards are asked about again and again; frozen values may be shared."""


def read_card(value: object, place: str) -> Card:
    """Returns a card object as a piece of the game; `image` and `mm` are left to the deck.

    Raises:
        FormatError: if a key is missing, unknown or has a wrong value.
    """
    kind = read_kind(value, place, KINDS)
    source = read_object(value, place, _REQUIRED[kind], _OPTIONAL[kind])
    card_id = read_text(source, "id", place)
    if kind == "animal":
        return _read_animal_card(source, card_id, place)
    if kind == "task":
        return _read_task(source, card_id, place)
    if kind == "special":
        return Special(card_id, _SPECIALS[read_choice(source, "special", place, _SPECIALS)])
    if kind == "camera":
        return CameraCard(card_id, read_choice(source, "player", place, COLOURS))
    return CardBack(card_id, read_choice(source, "of", place, KINDS))


def check_cards(cards: Sequence[Card]) -> list[str]:
    """Returns what is odd about a whole deck, though each of its cards can be read.

    >>> check_cards([Task("t1", require=frozenset({"zebra"}))])
    ["t1: no Animal card shows 'zebra'", 'no Animal card', 'no Camera card']
    """
    shown = {"red-crab", "blue-crab"}
    for card in cards:
        if isinstance(card, AnimalCard):
            shown |= card.species
    problems = []
    for card in cards:
        if isinstance(card, Task):
            if not card.require and not card.forbid:
                problems.append(f"{card.id}: the Task neither requires nor forbids anything")
            unknown = sorted((card.require | card.forbid) - shown)
            problems += [f"{card.id}: no Animal card shows '{feature}'" for feature in unknown]
    for piece, kind in (("Animal", AnimalCard), ("Camera", CameraCard)):
        if not any(isinstance(card, kind) for card in cards):
            problems.append(f"no {piece} card")
    return problems


def known_species(cards: Iterable[Card]) -> tuple[str, ...]:
    """Returns the animals that a player can name: those of the game, then others of these cards.

    >>> known_species([Task("t1", require=frozenset({"zebra", "lion", "red-crab"}))])
    ('crocodile', 'elephant', 'giraffe', 'lion', 'gorilla', 'zebra')
    """
    named: set[str] = set()
    for card in cards:
        if isinstance(card, AnimalCard):
            named |= card.species
        elif isinstance(card, Task):
            named |= card.require | card.forbid
    others = named.difference(SPECIES, (f"{colour}-crab" for colour in CRABS))
    return (*SPECIES, *sorted(others))


def _read_animal_card(source: Json, card_id: str, place: str) -> AnimalCard:
    animals = read_each(source, "animals", place, _read_animal)
    if not animals:
        refuse(at(place, "animals"), "at least one animal", source["animals"])
    crabs = read_words(source, "crabs", place, CRABS) if "crabs" in source else ()
    return _make_animal_card(card_id, animals, crabs)


def _read_animal(value: object, place: str) -> Animal:
    source = read_object(value, place, _ANIMAL)
    return _make_animal(read_text(source, "head", place), read_text(source, "body", place))


def _read_task(source: Json, card_id: str, place: str) -> Task:
    require = read_distinct(source, "require", place) if "require" in source else ()
    forbid = read_distinct(source, "forbid", place) if "forbid" in source else ()
    return Task(card_id, frozenset(require), frozenset(forbid))
