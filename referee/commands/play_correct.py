"""What is asked when an event of a match is corrected at the keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import Any

from referee.commands.play_menu import (
    Menu,
    Option,
    Refusal,
    is_chosen_by_chance,
    offer,
    understand,
)
from referee.commands.play_screen import Screen
from referee.commands.play_view import View, state_before
from referee.engines import Engine
from referee.events import ActionObserved, Correction
from referee.match import Entry, Session
from referee.session import refusal_in, step

_NOTHING = "nothing"
_LEAVING = frozenset({"", "back", "quit", "q", "exit", "cancel"})
_COMMANDS = frozenset({"help", "?", "state", "history", "undo", "finish", "note", "more", "all"})
_CORRECTION = re.compile(r"correct( \d+.*)?")
_TRUTHS = (
    "      here: an action or its number, `state` for the table before it, `history`; "
    "`nothing` if it did not happen, Enter to leave it"
)
_WHY = "      why? Enter for no reason, `back` to leave it"


class Left(Enum):
    """A correction that was left before it was made."""

    LEFT = "left"


LEFT = Left.LEFT


class Corrector:
    """Asks what an event was in truth, and why.

    Whatever is typed to leave, nothing is corrected then; it never becomes a reason.
    """

    def __init__(
        self,
        engine: Engine,
        view: View,
        screen: Screen,
        ask: Callable[[str], str],
        seat: Callable[[str | None], None],
    ) -> None:
        """Makes one that asks.

        Args:
            engine: The game.
            view: What may be seen.
            screen: Where it is shown.
            ask: Returns what is typed after a prompt.
            seat: Lets a player sit at the keyboard alone.
        """
        self._engine = engine
        self._view = view
        self._screen = screen
        self._ask = ask
        self._seat = seat

    def ask_for(self, session: Session, rest: str) -> Correction | Refusal | Left:
        """Returns the correction of what follows the word `correct`.

        Raises:
            EOFError: If nobody types any more.
        """
        number, _, text = rest.partition(" ")
        if not number.isdecimal() or len(number) > 6:
            return Refusal("expected the number of an event, such as: correct 4; see history")
        seq = int(number)
        without, said = step(session, Correction(seq, None))
        reason = refusal_in(said)
        if reason is not None:
            return Refusal(reason, is_ruled=True)
        since = self._view.hidden_since(session)
        if since is not None and seq < since:
            return Refusal(
                f"what was seen is to be remembered since event {since}, and what happened before "
                "it would tell: it is corrected once the round is over",
                is_ruled=True,
            )
        entry = session.entry_of(seq)
        truth: ActionObserved | None = None
        if entry is not None:
            meant = self._ask_truth(session, entry, text.strip())
            if isinstance(meant, Left):
                return LEFT
            truth = ActionObserved(meant.text) if meant is not None else None
        elif text:
            return Refusal(f"{number} is no action; correct {number} would take it back")
        else:
            self._screen.question(f"{seq}: {self._view.tell(session, seq)}. To correct it means:")
            self._screen.foretell(self._view.said(without, said))
        why = self._ask_why()
        return why if isinstance(why, Left) else Correction(seq, truth, why)

    def _ask_truth(self, session: Session, entry: Entry, text: str) -> Option | Left | None:
        """Returns what happened in truth: an action, None for nothing, or that it is left."""
        state = state_before(session, entry)
        self._seat(self._view.chooser_in(state))
        menu, told = self._offer_instead(state, entry)
        if not text:
            words = self._view.in_full(session, entry)
            self._screen.question(f"{entry.seq}: {words}. What was it in truth?")
            if self._view.chooser_in(state) is not None:
                self._screen.table(self._view.table_in(state), "the table before it")
            self._screen.menu(menu)
            self._screen.remark(told + "      `nothing` if it did not happen, Enter to leave it")
        while True:
            text = text or self._ask("in truth? ")
            if text in _LEAVING:
                return LEFT
            if text == _NOTHING:
                return None
            if self._answer(session, state, text):
                text = ""
                continue
            meant = understand(self._engine, state, menu, text, may_tell=True)
            if isinstance(meant, Option):
                return meant
            if isinstance(meant, Refusal):
                self._screen.decline(meant)
            else:
                menu = meant
                self._screen.menu(menu)
            text = ""

    def _answer(self, session: Session, state: Any, text: str) -> bool:
        """Answers a command of the match, which is no action, and returns whether it was one."""
        word = text.partition(" ")[0]
        if text == "state":
            self._screen.table(self._view.table_in(state), "the table before it")
        elif text == "history":
            self._screen.history(session, lambda seq: self._view.tell(session, seq))
        elif word in _COMMANDS - {"more", "all"} or _CORRECTION.fullmatch(text):
            self._screen.remark(_TRUTHS)
        else:
            return False
        return True

    def _offer_instead(self, state: Any, entry: Entry) -> tuple[Menu, str]:
        """Returns what can have happened in place of an action, and a word on chance.

        What chance brought is not drawn once more: cards that lay shuffled came as they lay, and
        how a shuffle came out is for whoever saw it to say.
        """
        menu = offer(self._engine, state, list, is_open=self._view.is_open)
        action = self._view.action(entry)
        if action is None or not is_chosen_by_chance(self._engine, action):
            return menu, ""
        typed = self._engine.notation.format_choice(action)
        others = [option for option in menu.options if option.typed != typed]
        menu = Menu(tuple(replace(each, number=n) for n, each in enumerate(others, start=1)))
        if self._engine.rules.shuffle(state, list) is None:
            return menu, "      The pile lay shuffled, so no other cards can have come.\n"
        told = f"      Chance does it once. If the cards lay otherwise, type how: {typed} CARD ..."
        return menu, f"{told}, the first on top\n"

    def _ask_why(self) -> str | Left:
        self._screen.remark(_WHY)
        while True:
            why = self._ask("why? ")
            if why in _COMMANDS or _CORRECTION.fullmatch(why):
                self._screen.remark(_WHY)  # meant for the match, so it is no reason either
            else:
                return LEFT if why in _LEAVING - {""} else why
