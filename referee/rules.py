"""What every rule engine of the house can be asked, whatever the game.

Engines are modules of pure functions over frozen values. A shuffle arrives as an observed order,
time as a number in an action; nothing is read from a clock or a die.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from referee.errors import RefereeError

SetupT = TypeVar("SetupT")
SetupT_contra = TypeVar("SetupT_contra", contravariant=True)
StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")


class RuleViolation(RefereeError):  # noqa: N818 - the game's word, not a failure of the program
    """A caller applied an action that the state does not allow: a bug, not a player's mistake."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    Attributes:
        scores: Each player's points.
        winners: Who has most; tied players share.
    """

    scores: Mapping[str, int]
    winners: tuple[str, ...]


class Rules(Protocol[SetupT_contra, StateT, ActionT]):
    """The rules of one game."""

    def initial_state(self, setup: SetupT_contra, /) -> StateT:
        """Returns the state before anybody has done anything.

        Raises:
            RuleViolation: if the setup is not one of this game.
        """
        ...

    def legal_actions(self, state: StateT, /) -> Sequence[ActionT]:
        """Returns what may be done now, in a fixed order; nothing once the game is over."""
        ...

    def apply(self, state: StateT, action: ActionT, /) -> StateT:
        """Returns the state after an action.

        Raises:
            RuleViolation: if the action cannot happen in this state.
        """
        ...

    def outcome(self, state: StateT, /) -> Outcome | None:
        """Returns how the game ended, or None while it runs."""
        ...


class Notation(Protocol[SetupT, StateT, ActionT]):
    """The text form of one game: what is formatted can be parsed again, and is then the same.

    In every text a line that starts with `#` is for people and is not read.
    """

    def format_setup(self, setup: SetupT, /) -> str:
        """Returns a setup as text."""
        ...

    def parse_setup(self, text: str, /) -> SetupT:
        """Returns the setup of a text.

        Raises:
            FormatError: if the text is none.
        """
        ...

    def format_state(self, state: StateT, /) -> str:
        """Returns a state as text, without its setup."""
        ...

    def parse_state(self, text: str, setup: SetupT, /) -> StateT:
        """Returns the state of a text.

        Raises:
            FormatError: if the text is none.
        """
        ...

    def format_action(self, action: ActionT, /) -> str:
        """Returns an action as one line of text."""
        ...

    def parse_action(self, text: str, /) -> ActionT:
        """Returns the action of a line of text.

        Raises:
            FormatError: if the line is none.
        """
        ...
