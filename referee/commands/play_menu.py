"""What may be done, as a numbered list that a person narrows by typing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.engines import Engine
from referee.errors import FormatError
from referee.rules import Mix

PAGE = 18
"""Lines of one page: with the table above it, a small window."""


@dataclass(frozen=True, slots=True)
class Option:
    """An action that is offered.

    Attributes:
        number: What is typed to do it: the same however the list is narrowed.
        words: The action in words.
        text: The action in the game's notation.
    """

    number: int
    words: str
    text: str


@dataclass(frozen=True, slots=True)
class Menu:
    """The actions that are offered.

    Attributes:
        options: All of them.
        words: Only those are listed in which each of these words is found.
        page: Which page of them is shown, from 0.
    """

    options: tuple[Option, ...]
    words: tuple[str, ...] = ()
    page: int = 0

    @property
    def listed(self) -> tuple[Option, ...]:
        """The options that the words leave; those that begin with the first word go before all."""
        found = [
            option
            for option in self.options
            if all(word in f"{option.words} {option.text}".casefold() for word in self.words)
        ]
        if self.words:
            first = [o for o in found if o.words.casefold().startswith(f"{self.words[0]} ")]
            found = first or found
        return tuple(found)

    @property
    def shown(self) -> tuple[Option, ...]:
        """The options of this page."""
        return self.listed[self.page * PAGE : (self.page + 1) * PAGE]

    def narrow(self, text: str) -> Menu:
        """Returns the menu with only those options that have each word of a text."""
        return replace(self, words=tuple(text.casefold().split()), page=0)

    def turn_page(self) -> Menu:
        """Returns the menu at its next page, the first after the last."""
        pages = max(1, -(-len(self.listed) // PAGE))
        return replace(self, page=(self.page + 1) % pages)

    def pick(self, number: int) -> Option | None:
        """Returns the option of a number, or None."""
        return self.options[number - 1] if 1 <= number <= len(self.options) else None


def offer(engine: Engine, state: Any, mix: Mix) -> Menu:
    """Returns what the rules allow in a state; where cards are shuffled, in the order of `mix`."""
    legal: Sequence[Any] = engine.rules.legal_actions(state)
    mixed = engine.rules.shuffle(state, mix)
    if mixed is not None:
        legal = [mixed, *(action for action in legal if type(action) is not type(mixed))]
    return Menu(
        tuple(
            Option(
                number,
                engine.telling.describe_action(state, action),
                engine.notation.format_action(action),
            )
            for number, action in enumerate(legal, start=1)
        )
    )


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a text is nothing that can be done."""

    reason: str


def understand(engine: Engine, state: Any, menu: Menu, text: str) -> Option | Menu | Refusal:
    """Returns what a person means by a text: an action, a narrower menu, or why it is neither.

    A number is an option; nothing is the only option listed; a line of notation is its action,
    also without the time at its beginning; `more` turns the page, `all` lists everything again, and
    other words narrow the menu.
    """
    if text in ("more", "all"):
        return menu.turn_page() if text == "more" else menu.narrow("")
    if not text:
        only = menu.listed
        return only[0] if len(only) == 1 else Refusal("type a number, an action, or help")
    if text.isdecimal() and len(text) < 6:
        option = menu.pick(int(text))
        got = f"there are {len(menu.options)} actions to choose from, and {text} is none of them"
        return option or Refusal(got)
    read = _read_action(engine, menu, text)
    if isinstance(read, Refusal):
        narrowed = menu.narrow(text)
        return narrowed if narrowed.listed else read
    line, action = read
    objection = engine.rules.explain(state, action)
    words = engine.telling.describe_action(state, action)
    if objection is not None and not objection.can_happen:
        return Refusal(f"{words}: {objection.reason} (rulebook: {objection.section})")
    return Option(0, words, line)


def _read_action(engine: Engine, menu: Menu, text: str) -> tuple[str, Any] | Refusal:
    reason = ""
    for line in (text, *_with_time(menu, text)):
        try:
            return line, engine.notation.parse_action(line)
        except FormatError as error:
            reason = reason or f"{error}; nor has any action offered these words"
    return Refusal(reason)


def _with_time(menu: Menu, text: str) -> list[str]:
    """Returns the text with the time that the actions offered bear, where they bear one."""
    times = {option.text.partition(" ")[0] for option in menu.options}
    return [f"{time} {text}" for time in sorted(times) if time.replace(".", "", 1).isdecimal()][:1]
