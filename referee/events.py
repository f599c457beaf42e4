"""What happens in a match, as values that can be written down: the events that a session takes in.

An event is known by its `seq`, its number in the match, counted from 1. As plain objects (JSON)
events have a `type` and the keys that are named here; a key with its default is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

from referee.errors import FormatError
from referee.fields import (
    Json,
    at,
    read_choice,
    read_integer,
    read_number,
    read_object,
    read_text,
    read_texts,
    refuse,
)

Value = str | bool


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match begins.

    Attributes:
        game: As contract §1 spells it.
        setup: The setup in the game's notation, house rulings included.
        deck: Which deck is played with, by its name, for people.
        rulings: The house rulings that differ from the defaults, for people and programs that do
            not read the notation.
    """

    game: str
    setup: str
    deck: str = ""
    rulings: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ActionObserved:
    """Somebody did something, or is believed to have.

    Attributes:
        action: In the game's notation.
        t: When, in seconds on the clock of the recording or camera; None where nobody knows.
        dt: Half the width of the interval in which it happened, in seconds; None with `t`.
        evidence: Names of the pictures and clips that show it.
    """

    action: str
    t: float | None = None
    dt: float | None = None
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Correction:
    """A person says that an event was another one, or none.

    Attributes:
        seq: The event: an action; or, to be taken back (`replace` None), also a correction, an
            undo or the end of the match.
        replace: What happened in truth; None for nothing.
        why: In the words of whoever corrects.
    """

    seq: int
    replace: ActionObserved | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Undo:
    """The last event that stands is taken back: an action, a correction or the match's end."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The players stop, whether or not the game is over by its rules."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Words that are kept with the match and change nothing."""

    text: str


Event = MatchStarted | ActionObserved | Correction | Undo | MatchEnded | Note

TYPES: Mapping[str, type[Event]] = {
    "match-started": MatchStarted,
    "action": ActionObserved,
    "correction": Correction,
    "undo": Undo,
    "match-ended": MatchEnded,
    "note": Note,
}
_NAMES = {kind: name for name, kind in TYPES.items()}


def event_to_plain(event: Event) -> dict[str, Any]:
    """Returns an event as a plain object.

    >>> event_to_plain(Correction(3, ActionObserved("lay out"), "a slip"))
    {'type': 'correction', 'seq': 3, 'replace': {'action': 'lay out'}, 'why': 'a slip'}
    """
    return {"type": _NAMES[type(event)], **_keys(event)}


def event_from_plain(value: object, place: str) -> Event:
    """Returns the event of a plain object.

    Raises:
        FormatError: if it is none.
    """
    if not isinstance(value, Mapping):
        refuse(place, "an object with named keys", value)
    if "type" not in value:
        raise FormatError(at(place, "type"), "this key", "nothing")
    kind = TYPES[read_choice(value, "type", place, TYPES)]
    source = {key: item for key, item in value.items() if key != "type"}
    return kind(**_read_keys(kind, source, place))


def _keys(event: Event) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for each in fields(event):
        value = getattr(event, each.name)
        if value == _default(each):
            continue
        if isinstance(value, ActionObserved):
            value = _keys(value)
        elif isinstance(value, tuple):
            value = list(value)
        elif isinstance(value, Mapping):
            value = dict(value)
        plain[each.name] = value
    return plain


def _default(each: Any) -> Any:
    return each.default_factory() if each.default_factory is not MISSING else each.default


def _read_keys(kind: type[Event], value: object, place: str) -> dict[str, Any]:
    names = {each.name: _default(each) is MISSING for each in fields(kind)}
    required = frozenset(name for name, is_required in names.items() if is_required)
    source = read_object(value, place, required, frozenset(names) - required)
    return {key: _read_key(source, key, place) for key in source}


def _read_key(source: Json, key: str, place: str) -> Any:
    return _READERS.get(key, read_text)(source, key, place)


def _read_replacement(source: Json, key: str, place: str) -> ActionObserved | None:
    if source[key] is None:
        return None
    return ActionObserved(**_read_keys(ActionObserved, source[key], at(place, key)))


def _read_rulings(source: Json, key: str, place: str) -> dict[str, Value]:
    value, place = source[key], at(place, key)
    if not isinstance(value, Mapping):
        refuse(place, "an object with named keys", value)
    for name, choice in value.items():
        if type(choice) not in (str, bool):
            refuse(at(place, str(name)), "a word, true or false", choice)
    return dict(value)


_READERS: Mapping[str, Callable[[Json, str, str], Any]] = {
    "seq": lambda source, key, place: read_integer(source, key, place, 1),
    "t": read_number,
    "dt": read_number,
    "evidence": read_texts,
    "rulings": _read_rulings,
    "replace": _read_replacement,
}
"""How a key is read that is not just a text."""
