"""What every rule engine of the house can be asked, whatever the game.

Engines are modules of pure functions over frozen values. A shuffle arrives as an observed order,
time as a number in an action; nothing is read from a clock or a die.

A game offers three modules, each of them one of the protocols below, and names them in
`games.catalog`: `rules` (`Rules`), `notation` (`Notation`) and `telling` (`Telling`: what people at
the table are told). `session` and `play` know a game by these alone. That holds together where,
for every state and action,

- `explain` is None for each of `legal_actions`;
- `apply` raises `RuleViolation` exactly where `explain` gives an objection that `can_happen` is
  False of: a table where it can happen all the same is ruled upon, one where it cannot is told why;
- `shuffle`, where it is not None, is an action that `explain` has nothing against.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from referee.errors import RefereeError

SetupT = TypeVar("SetupT")
StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
StateT_contra = TypeVar("StateT_contra", contravariant=True)
ActionT_contra = TypeVar("ActionT_contra", contravariant=True)


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


@dataclass(frozen=True, slots=True)
class Objection:
    """Why the rules do not allow an action: a player's mistake as a value.

    Attributes:
        reason: What is against it, in words for the table.
        section: The section of the rulebook that says so.
        can_happen: Whether it can happen at a table all the same, such as a Camera on a card that
            has been taken: `apply` takes it then, and the rules say what it counts.
    """

    reason: str
    section: str
    can_happen: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Who sits down to play, and by which of the rules that a table may choose.

    Attributes:
        players: Clockwise.
        lead: Who begins.
        variant: `normal`, or another one that the game has.
        rulings: Every house ruling of the game (`referee.rulings`).
    """

    players: tuple[str, ...]
    lead: str
    variant: str = "normal"
    rulings: Mapping[str, str | bool] = field(default_factory=dict)


Mix = Callable[[Sequence[str]], Sequence[str]]
"""Gives the same words in another order: the chance that the core itself has none of."""


class Rules(Protocol[SetupT, StateT, ActionT]):
    """The rules of one game."""

    def set_up(self, pieces: Sequence[object], table: Table, /) -> SetupT:
        """Returns the setup of a game with the cards of a deck.

        Args:
            pieces: What is on the deck's cards, in the order in which they were shuffled, a card
                with a `count` as often as there is of it; the board too where the game has one.
                Those that take no part in the play, such as backs, are passed over.
            table: Who plays.

        Raises:
            RuleViolation: if these players cannot play the game with these cards.
        """
        ...

    def initial_state(self, setup: SetupT, /) -> StateT:
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

    def explain(self, state: StateT, action: ActionT, /) -> Objection | None:
        """Returns what the rules have against an action now; None for one that they allow."""
        ...

    def shuffle(self, state: StateT, mix: Mix, /) -> ActionT | None:
        """Returns the action that shuffles cards now, in the order that `mix` gives their ids.

        None where nothing is to be shuffled.
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

    def format_choice(self, action: ActionT, /) -> str:
        """Returns what a player types to choose an action: `turn` for `turn p03 p11`.

        That is its line without the cards that chance brings by it, and so the line of
        `format_action` for all that chance has no part in.
        """
        ...

    def parse_action(self, text: str, /) -> ActionT:
        """Returns the action of a line of text.

        Raises:
            FormatError: if the line is none.
        """
        ...

    def action_forms(self) -> tuple[tuple[str, str], ...]:
        """Returns how actions are typed, as (form, what it means); capitals are to be filled in."""
        ...


class Telling(Protocol[StateT_contra, ActionT_contra]):
    """What people at the table are told: plain sentences, no notation.

    Nothing that lies hidden is told but where it says so.
    """

    def describe_action(self, state: StateT_contra, action: ActionT_contra, /) -> str:
        """Returns an action in words, such as `red covers a07 (lion-elephant, red crab)`."""
        ...

    def describe_choice(self, state: StateT_contra, action: ActionT_contra, /) -> str:
        """Returns an action in the words of whoever may choose it, before it is done.

        With the cards that only this player sees, and without those that chance has yet to bring.
        Empty where a list of such actions would give away what lies hidden.
        """
        ...

    def chooser(self, state: StateT_contra, /) -> str | None:
        """Returns who chooses now by what the others may not see; None where nobody does."""
        ...

    def withhold(self, state: StateT_contra, now: StateT_contra, /) -> Any:
        """Returns an earlier state as it may be told of while the game is at the state `now`.

        It lacks the faces that the players have seen and are to remember now; where there are none
        it is the state itself.
        """
        ...

    def describe_state(
        self, state: StateT_contra, viewer: str | None = None, /, *, is_open: bool = False
    ) -> tuple[tuple[str, str], ...]:
        """Returns what lies on the table as (what, how): `("Task", "t05: crocodile")`.

        The first says whose turn it is or what is done now.

        Args:
            state: The state.
            viewer: The player whose hidden cards are told too; None for what all may see.
            is_open: Whether everything is told, whoever it is hidden from.
        """
        ...

    def news(self, before: StateT_contra, after: StateT_contra, /) -> tuple[str, ...]:
        """Returns what is to be said at the table because `before` became `after`.

        Verdicts, points, who leads; nothing for an action that only was done. The end of the game
        is not among it: `outcome` has it.
        """
        ...
