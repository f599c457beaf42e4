"""Lines of words, in which the engines write setups and states down for people and read them again.

A line is a key and its words, apart by blanks; a line that starts with `#` is for people alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar

from referee.errors import FormatError, shown

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")


def join_line(key: str, words: Iterable[str]) -> str:
    """Returns a key and its words as one line."""
    return " ".join([key, *words])


def split_lines(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yields the key and the words of each line that is not for people alone."""
    for line in text.splitlines():
        words = line.split()
        if words and not line.startswith("#"):
            yield words[0], words[1:]


def ruling_lines(rulings: DataclassInstance) -> Iterator[str]:
    """Yields a line for each house ruling that is not the default."""
    for each in fields(rulings):
        value = getattr(rulings, each.name)
        if value != each.default:
            yield f"ruling {each.name} {format_value(value)}"


def format_value(value: str | bool) -> str:
    """Returns the word that a house ruling's value is spelt by.

    >>> format_value("judged"), format_value(True)
    ('judged', 'true')
    """
    return value if isinstance(value, str) else str(value).lower()


def parse_value(word: str) -> str | bool:
    """Returns the value of a house ruling that a word spells.

    >>> parse_value("judged"), parse_value("true")
    ('judged', True)
    """
    return {"true": True, "false": False}.get(word, word)


def find_cards(ids: Sequence[str], by_id: Mapping[str, T], place: str) -> tuple[T, ...]:
    """Returns the cards of some ids.

    Raises:
        FormatError: if an id is of no card of the setup; it names `place`.
    """
    for card_id in ids:
        if card_id not in by_id:
            raise FormatError(place, "a card of the setup", shown(card_id))
    return tuple([by_id[card_id] for card_id in ids])
