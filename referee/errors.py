"""What can be wrong with an input to the rule side of the house.

    RefereeError
    ├── FormatError        an input breaks the format that was agreed for it
    │   ├── PositionError  a question to a rule engine
    │   ├── DeckError      a deck pack
    │   └── JournalError   (referee.journal) a file in which a match is kept
    └── RuleViolation      (referee.rules) a caller applied an action that is not legal

A player's mistake is never an error: it is a verdict with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from reprlib import Repr

_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 60
_MOST_WORDS = 6
_PLAIN = {None: "null", True: "true", False: "false"}
"""As JSON and YAML spell them."""


def shown(value: object) -> str:
    """Returns a value as a message for people shows it: short, however large or deep it is.

    >>> shown("a99"), shown(None), shown([3, 4]), shown({}), shown(("h03", "h05"))
    ("'a99'", 'null', 'a list of 2', 'an empty object', 'h03, h05')
    """
    if value is None or isinstance(value, bool):
        return _PLAIN[value]
    if isinstance(value, Mapping):
        return f"an object with {counted(len(value), 'key')}" if value else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, tuple):
        words = [str(each) for each in value[:_MOST_WORDS]]
        return ", ".join([*words, *["..."] * (len(value) > _MOST_WORDS)]) or "none"
    return _SHORT.repr(value)


def counted(number: int, word: str) -> str:
    """Returns a number of things in words.

    >>> counted(1, "card"), counted(0, "card")
    ('1 card', '0 cards')
    """
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


class RefereeError(Exception):
    """Something on the rule side could not be done; the message says what, where and why."""


class FormatError(RefereeError):
    """An input breaks its format.

    Attributes:
        place: Where in the input, such as `actions[2].player`; empty for the input as a whole.
        expected: What should have been there.
        got: What was there.
    """

    def __init__(self, place: str, expected: str, got: str) -> None:
        self.place = place
        self.expected = expected
        self.got = got
        super().__init__(f"{place}: expected {expected}, got {got}")


class PositionError(FormatError):
    """A question to a rule engine that cannot be answered as it stands."""


class DeckError(FormatError):
    """A deck pack that cannot be used.

    Attributes:
        file: The pack, or the file in it, that is wrong.
    """

    def __init__(self, file: str, place: str, expected: str, got: str) -> None:
        super().__init__(f"{file}: {place}" if place else file, expected, got)
        self.place = place
        self.file = file
