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
        typed: What is typed to do it: `text` without the cards that chance brings.
    """

    number: int
    words: str
    text: str
    typed: str


@dataclass(frozen=True, slots=True)
class Menu:
    """The actions that are offered.

    Attributes:
        options: All of them that may be listed.
        is_whole: Whether that is all that may be done; some lists would tell what lies hidden.
        words: Only those are listed in which each of these words is found.
        page: Which page of them is shown, from 0.
    """

    options: tuple[Option, ...]
    is_whole: bool = True
    words: tuple[str, ...] = ()
    page: int = 0

    @property
    def listed(self) -> tuple[Option, ...]:
        """The options that the words leave; those that begin with the first word go before all."""
        found = [
            option
            for option in self.options
            if all(word in f"{option.words} {option.typed}".casefold() for word in self.words)
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


def offer(engine: Engine, state: Any, mix: Mix, *, is_open: bool = False) -> Menu:
    """Returns what the rules allow in a state.

    Args:
        engine: The game.
        state: The state.
        mix: Gives the order of cards that are shuffled.
        is_open: Whether what would tell what lies hidden is listed too.
    """
    telling = engine.telling
    legal: Sequence[Any] = engine.rules.legal_actions(state)
    mixed = engine.rules.shuffle(state, mix)
    if mixed is not None:
        legal = [mixed, *(action for action in legal if type(action) is not type(mixed))]
    told = [(telling.describe_choice(state, action), action) for action in legal]
    if is_open:
        told = [(words or telling.describe_action(state, action), action) for words, action in told]
    return Menu(
        tuple(
            Option(
                number,
                words,
                engine.notation.format_action(action),
                engine.notation.format_choice(action),
            )
            for number, (words, action) in enumerate((each for each in told if each[0]), start=1)
        ),
        is_whole=all(words for words, _ in told),
    )


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing is done.

    Attributes:
        reason: Why, in words.
        is_ruled: Whether an action was understood that cannot happen; otherwise nothing was.
    """

    reason: str
    is_ruled: bool = False


def understand(
    engine: Engine, state: Any, menu: Menu, text: str, *, may_tell: bool = False, time: str = "0"
) -> Option | Menu | Refusal:
    """Returns what a person means by a text: an action, a narrower menu, or why it is neither.

    A number is an option; nothing is the menu once more; a line of notation is its action, also
    without the time at its beginning; `more` turns the page, `all` lists everything again, and
    other words narrow the menu.

    Args:
        engine: The game.
        state: The state in which the action is to be done.
        menu: What is offered.
        text: What was typed.
        may_tell: Whether a person may say how cards lie after a shuffle, which is chance's
            otherwise.
        time: The time of the last action that bore one, for a line that lacks it.
    """
    if text in ("", "more", "all"):
        return {"": menu, "more": menu.turn_page(), "all": menu.narrow("")}[text]
    if text.isdecimal() and len(text) < 6:
        option = menu.pick(int(text))
        got = f"there are {len(menu.options)} actions to choose from, and {text} is none of them"
        return option or Refusal(got)
    offered = [option for option in menu.options if text in (option.typed, option.text)]
    if offered:
        return offered[0]
    read = _read_action(engine, menu, text, time)
    if isinstance(read, Refusal):
        narrowed = menu.narrow(text)
        return narrowed if narrowed.listed else read
    line, action = read
    return _object(engine, state, menu, action, may_tell) or Option(
        0, engine.telling.describe_choice(state, action) or line, line, line
    )


def is_chosen_by_chance(engine: Engine, action: Any) -> bool:
    """Returns whether an action names cards that chance brings."""
    return engine.notation.format_choice(action) != engine.notation.format_action(action)


def _object(engine: Engine, state: Any, menu: Menu, action: Any, may_tell: bool) -> Refusal | None:
    """Returns why an action that was typed cannot happen, or None."""
    typed = engine.notation.format_choice(action)
    due = [each for each in engine.rules.legal_actions(state) if _is_drawn(engine, each, typed)]
    hint = f": type `{typed}`" if any(option.typed == typed for option in menu.options) else ""
    is_mixed_now = engine.rules.shuffle(state, list) is not None
    if due and not is_mixed_now and action not in due:
        reason = "the pile lies shuffled, and what comes next are the cards on top of it"
        return Refusal(f"{reason}{hint}", is_ruled=True)
    if due and is_mixed_now and not may_tell:
        return Refusal(f"how cards lie after a shuffle is chance's{hint}", is_ruled=True)
    objection = engine.rules.explain(state, action)
    if objection is None or objection.can_happen:
        return None
    reason = f"{objection.reason} (rulebook: {objection.section})"
    return Refusal(f"{typed}: {reason}", is_ruled=True)  # in words it might tell a hidden card


def _is_drawn(engine: Engine, action: Any, typed: str) -> bool:
    """Returns whether an action is chance's, and chosen by these words."""
    is_meant = engine.notation.format_choice(action) == typed
    return is_meant and is_chosen_by_chance(engine, action)


def bears_time(line: str) -> bool:
    """Returns whether a line of notation begins with a time."""
    return line.partition(" ")[0].replace(".", "", 1).isdecimal()


def _read_action(engine: Engine, menu: Menu, text: str, time: str) -> tuple[str, Any] | Refusal:
    reason = ""
    for line in (text, *_with_time(engine, menu, text, time)):
        try:
            return line, engine.notation.parse_action(line)
        except FormatError as error:
            is_near = error.place != "action"  # an action that is known, but for a part of it
            reason = reason or (f"{error}; " if is_near else "")
    expected = _form_of(engine, text) or f"no action offered has the words {text!r}"
    return Refusal(f"{reason}{expected}; help tells what to type")


def _form_of(engine: Engine, text: str) -> str:
    """Returns how the action is typed that a text names, but for a part of it."""
    words = text.casefold().split()
    for form, meaning in engine.notation.action_forms():
        verb = next(word for word in form.split() if not word.isupper() and word != "...")
        if verb in words:
            return f"expected {form.removeprefix('SECONDS ')} ({meaning}), got {text!r}"
    return ""


def _with_time(engine: Engine, menu: Menu, text: str, time: str) -> list[str]:
    """Returns the text with the time of the actions offered, where the game's actions bear one."""
    if not any(form.startswith("SECONDS ") for form, _ in engine.notation.action_forms()):
        return []
    times = [option.text.partition(" ")[0] for option in menu.options if bears_time(option.text)]
    return [f"{[*times, time][0]} {text}"]
