"""Strict reading of plain objects (JSON, YAML): every doubt becomes a `FormatError` with its place.

The functions take the object, the key and the place of the object, and join the last two only
when something is wrong: questions to the engines are asked by the thousand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from math import isfinite
from typing import Any, NoReturn, Protocol, TypeVar

from referee.errors import FormatError, shown

T = TypeVar("T")


class HasId(Protocol):
    """Whatever has an id: every card."""

    @property
    def id(self) -> str:
        """What it is called by, once in a deck."""
        ...


CardT = TypeVar("CardT", bound=HasId)

LARGEST_NUMBER = 10**9
"""Nothing that is counted or measured at a table comes near it."""

Json = Mapping[str, Any]
"""A plain object as `json` or `yaml` gives it, its keys still unchecked."""


def at(place: str, key: str) -> str:
    """Returns the place of a key: `at("cards[3]", "id")` is `cards[3].id`."""
    return f"{place}.{key}" if place else key


def refuse(place: str, expected: str, got: object) -> NoReturn:
    """Refuses a value.

    Raises:
        FormatError: always.
    """
    raise FormatError(place, expected, shown(got))


def listed(words: Collection[str], last: str = "or") -> str:
    """Returns words as a message lists them.

    >>> listed(["red", "blue", "green"]), listed(["t", "do"], "and")
    ('red, blue or green', 't and do')
    """
    *others, final = words or ("",)
    return f"{', '.join(others)} {last} {final}" if others else final


def read_object(
    value: object, place: str, required: Set[str], optional: Set[str] = frozenset()
) -> Json:
    """Returns the object, which has all required keys and no unknown one; all that lack are told.

    Raises:
        FormatError: if it is no object, lacks a key or has an unknown one.
    """
    if type(value) is not dict and not isinstance(value, Mapping):
        refuse(place or "the input", "an object with named keys", value)
    keys = value.keys()
    if keys == required:
        return value
    for key in keys:
        if key not in required and key not in optional:
            known = listed(sorted(required | optional))
            raise FormatError(at(place, str(key)), f"one of the keys {known}", "an unknown key")
    if not keys >= required:
        missing = [at(place, key) for key in sorted(required - keys)]
        expected = "this key" if len(missing) == 1 else "these keys"
        raise FormatError(listed(missing, "and"), expected, "nothing")
    return value


def read_kind(value: object, place: str, kinds: Collection[str]) -> str:
    """Returns the `kind` of an object whose other keys depend on it.

    Raises:
        FormatError: if it is no object or has no kind that is allowed.
    """
    if type(value) is not dict and not isinstance(value, Mapping):
        refuse(place, "an object with named keys", value)
    if "kind" not in value:
        raise FormatError(at(place, "kind"), "this key", "nothing")
    return read_choice(value, "kind", place, kinds)


def read_text(source: Json, key: str, place: str) -> str:
    """Returns a text that is not empty.

    Raises:
        FormatError: if it is something else.
    """
    value = source[key]
    if not _is_text(value):
        refuse(at(place, key), "a text", value)
    text: str = value
    return text


def read_choice(source: Json, key: str, place: str, choices: Collection[str]) -> str:
    """Returns one of the words allowed.

    Raises:
        FormatError: if it is something else.
    """
    value = source[key]
    if type(value) is not str or value not in choices:
        refuse(at(place, key), listed(choices), value)
    return value


def read_integer(source: Json, key: str, place: str, low: int, high: int = LARGEST_NUMBER) -> int:
    """Returns an integer of at least `low` and at most `high`.

    Raises:
        FormatError: if it is something else.
    """
    value = source[key]
    if type(value) is not int or not low <= value <= high:
        is_open = high == LARGEST_NUMBER and (type(value) is not int or value < low)
        limits = f"at least {low}" if is_open else f"from {low} to {high}"
        refuse(at(place, key), f"a whole number, {limits}", value)
    return value


def read_flag(source: Json, key: str, place: str) -> bool:
    """Returns true or false.

    Raises:
        FormatError: if it is something else.
    """
    value = source[key]
    if type(value) is not bool:
        refuse(at(place, key), "true or false", value)
    return value


def read_number(source: Json, key: str, place: str, low: float = 0.0) -> float:
    """Returns a finite number of at least `low`, an integer as it stands.

    Raises:
        FormatError: if it is something else.
    """
    value = source[key]
    if not _is_number(value) or value < low:
        refuse(at(place, key), f"a number from {low:g} to {LARGEST_NUMBER}", value)
    number: float = value
    return number


def _is_number(value: object) -> bool:
    """Whether it is a number that counts something: JSON also spells some of any length."""
    if type(value) is int:
        return -LARGEST_NUMBER <= value <= LARGEST_NUMBER
    return type(value) is float and isfinite(value) and abs(value) <= LARGEST_NUMBER


def _is_text(value: object) -> bool:
    """Whether it is a text that can be written down: JSON also spells halves of characters."""
    if type(value) is not str or not value:
        return False
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)


def read_list(source: Json, key: str, place: str) -> Sequence[Any]:
    """Returns a list, its items still unchecked.

    Raises:
        FormatError: if it is something else.
    """
    value = source[key]
    if type(value) not in (list, tuple):
        refuse(at(place, key), "a list", value)
    items: Sequence[Any] = value
    return items


def read_texts(source: Json, key: str, place: str) -> tuple[str, ...]:
    """Returns a list of texts, none of them empty.

    Raises:
        FormatError: if it is something else.
    """
    items = read_list(source, key, place)
    for index, item in enumerate(items):
        if not _is_text(item):
            refuse(f"{at(place, key)}[{index}]", "a text", item)
    return tuple(items)


def read_words(source: Json, key: str, place: str, choices: Collection[str]) -> tuple[str, ...]:
    """Returns a list of different words, each one of the words allowed.

    Raises:
        FormatError: if it is something else or a word comes twice.
    """
    words = read_distinct(source, key, place)
    for index, word in enumerate(words):
        if word not in choices:
            refuse(f"{at(place, key)}[{index}]", listed(choices), word)
    return words


def read_distinct(source: Json, key: str, place: str) -> tuple[str, ...]:
    """Returns a list of texts that are all different.

    Raises:
        FormatError: if it is something else or a text comes twice.
    """
    texts = read_texts(source, key, place)
    if len(set(texts)) < len(texts):
        for index, text in enumerate(texts):
            if text in texts[:index]:
                raise FormatError(f"{at(place, key)}[{index}]", "each only once", f"{text} again")
    return texts


def read_pair(source: Json, key: str, place: str) -> tuple[float, float]:
    """Returns two positive numbers, such as a width and a height.

    Raises:
        FormatError: if it is something else.
    """
    items = read_list(source, key, place)
    if len(items) != 2 or not all(_is_number(item) and item > 0 for item in items):
        refuse(at(place, key), "two positive numbers [width, height]", items)
    return float(items[0]), float(items[1])


def read_point(value: object, place: str) -> tuple[float, float]:
    """Returns two numbers, integers as they stand, such as `[x, y]` or `[row, column]`.

    Raises:
        FormatError: if it is something else.
    """
    if not isinstance(value, list | tuple) or len(value) != 2:
        refuse(place, "two numbers", value)
    if not all(_is_number(item) for item in value):
        refuse(place, "two numbers", value)
    return value[0], value[1]


def read_each(
    source: Json, key: str, place: str, read_item: Callable[[object, str], T]
) -> tuple[T, ...]:
    """Returns a list whose items are read one by one, each with its own place.

    Raises:
        FormatError: if it is no list or an item is wrong.
    """
    where = at(place, key)
    return tuple(
        [
            read_item(item, f"{where}[{index}]")
            for index, item in enumerate(read_list(source, key, place))
        ]
    )


def read_cards(
    source: Json,
    deck_cards: Iterable[CardT] | None,
    read_card: Callable[[object, str], CardT],
    check: Callable[[CardT, str], None] | None = None,
) -> dict[str, CardT]:
    """Returns the cards that a question is asked with, by id.

    Args:
        source: The question; its own `cards` go before those of the deck.
        deck_cards: The cards of the deck given with it, which have been read before.
        read_card: Reads one card: `(object, place) -> card`.
        check: Refuses a card of the question that is read well and yet cannot be: `(card, place)`.

    Raises:
        FormatError: if there are no cards, one is wrong, or an id comes twice.
    """
    if "cards" not in source:
        if deck_cards is None:
            raise FormatError("cards", "the cards of the game, here or as a deck", "neither")
        return {card.id: card for card in deck_cards}
    cards: dict[str, CardT] = {}
    for index, value in enumerate(read_list(source, "cards", "")):
        place = f"cards[{index}]"
        card = read_card(value, place)
        if card.id in cards:
            raise FormatError(f"{place}.id", "an id of its own", f"{card.id} again")
        if check is not None:
            check(card, place)
        cards[card.id] = card
    return cards
