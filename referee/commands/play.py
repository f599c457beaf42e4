"""`table-referee play`: a match at the keyboard, by the same rules that a table is watched with.

Chance lives here: the deck is shuffled by a seed, and whatever is shuffled later is told to the
rules as the order that it came to.
"""

from __future__ import annotations

import io
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from random import Random

import typer

from referee.commands.console import output
from referee.commands.play_match import Match, begin_match
from referee.commands.play_menu import Menu, Option, Refusal, offer, understand
from referee.commands.play_screen import Screen
from referee.commands.play_setup import PlayOrder, find_engine
from referee.engines import Engine
from referee.events import ActionObserved, Correction, Event, MatchEnded, Note, Undo
from referee.match import Entry, Kind, Stage

_INTERRUPTED = 130
_NOTHING = "nothing"


def play(order: PlayOrder) -> None:
    """Plays a match until the players leave it, or nobody types any more.

    Raises:
        RefereeError: If the game, the deck, the players or the journal are not as they should be.
        typer.Exit: With status 130 after Ctrl-C.
    """
    _forgive_bytes()
    engine = find_engine(order.game)
    seed = secrets.randbelow(1_000_000) if order.seed is None else order.seed
    game = Keyboard(engine, begin_match(order, engine, seed), seed)
    try:
        game.run()
    except EOFError:
        game.screen.remark("\nNobody types any more.")
    except KeyboardInterrupt:
        game.screen.remark("\nStopped.")
        raise typer.Exit(_INTERRUPTED) from None
    finally:
        game.leave()


class Keyboard:
    """A match that is played by typing.

    Attributes:
        screen: Where it is shown.
    """

    def __init__(self, engine: Engine, match: Match, seed: int) -> None:
        self._engine = engine
        self._match = match
        self._seed = seed
        self._menu = self._offer()
        players = tuple(getattr(match.session.start.setup, "players", ()))
        self.screen = Screen(output(), players)

    def run(self) -> None:
        """Shows the match, asks what is done, and does it, until somebody leaves.

        Raises:
            EOFError: At the end of what is typed.
            KeyboardInterrupt: At Ctrl-C.
        """
        self.screen.title(self._engine.game, [*self._match.remarks, "Type help for help."])
        self._show_table()
        self._show_menu()
        while True:
            line = self._ask("> ")
            word, _, rest = line.partition(" ")
            if word in ("quit", "q") or (not line and self._is_over()):
                return
            command = self._commands().get(word)
            if command is not None:
                command(rest.strip())
            else:
                self._do(line)

    def leave(self) -> None:
        """Says where the match is kept."""
        journal = self._match.journal
        if journal is not None:
            count, seal = len(self._match.session.events), journal.seal[:12]
            self.screen.remark(f"The match is kept in {journal.path}: {count} events, seal {seal}.")
            journal.close()

    def _commands(self) -> Mapping[str, Callable[[str], None]]:
        return {
            "help": lambda _: self.screen.help(),
            "?": lambda _: self.screen.help(),
            "state": lambda _: self._show_table(),
            "history": lambda _: self.screen.history(self._match.session),
            "undo": lambda why: self._take(Undo(why)),
            "correct": self._correct,
            "note": self._note,
            "finish": lambda why: self._take(MatchEnded(why)),
        }

    def _do(self, line: str) -> None:
        """Does what a line means."""
        if self._match.session.stage is Stage.ENDED:
            self.screen.refuse("the match has ended; correct its end to play on: see history")
            return
        meant = understand(self._engine, self._match.session.state, self._menu, line)
        if isinstance(meant, Refusal):
            self.screen.refuse(meant.reason)
        elif isinstance(meant, Menu):
            self._list(meant)
        else:
            self._take(ActionObserved(meant.text))

    def _take(self, event: Event) -> None:
        said = self._match.take(event)
        self.screen.say(said)
        if any(each.kind in (Kind.NOTE, Kind.REFUSED) for each in said):
            return
        self._menu = self._offer()
        if any(each.kind is Kind.NEWS for each in said) or isinstance(event, Correction | Undo):
            self._show_table()
        self._show_menu()

    def _note(self, text: str) -> None:
        if text:
            self._take(Note(text))
        else:
            self.screen.refuse("expected some words to keep, such as: note Ann had the sun behind")

    def _correct(self, rest: str) -> None:
        """Asks what an event was in truth, and why, and corrects it."""
        number, _, text = rest.partition(" ")
        session = self._match.session
        if not number.isdecimal() or len(number) > 6:
            self.screen.refuse("expected the number of an action, such as: correct 4; see history")
            return
        entry = next((each for each in session.entries if each.seq == int(number)), None)
        truth: ActionObserved | None = None
        if entry is not None:
            meant = self._ask_truth(entry, text.strip())
            if meant is None:
                return
            truth = ActionObserved(meant.text) if isinstance(meant, Option) else None
        elif text:
            self.screen.refuse(f"{number} is no action; correct {number} would take it back")
            return
        self._take(Correction(int(number), truth, self._ask("why? ")))

    def _ask_truth(self, entry: Entry, text: str) -> Option | str | None:
        """Returns what happened in truth: an action, `nothing`, or None to leave it as it is."""
        session = self._match.session
        place = session.entries.index(entry)
        state = session.entries[place - 1].state if place else session.start
        menu = offer(self._engine, state, self._mix)
        if not text:
            self.screen.remark(f"{entry.seq}: {entry.words}. What was it in truth?")
            self.screen.menu(menu)
            self.screen.remark("      or `nothing` if it did not happen, `back` to leave it")
        while True:
            text = text or self._ask("in truth? ")
            if text == "back":
                return None
            if text == _NOTHING:
                return _NOTHING
            meant = understand(self._engine, state, menu, text)
            if isinstance(meant, Option):
                return meant
            if isinstance(meant, Refusal):
                self.screen.refuse(meant.reason)
            else:
                menu = meant
                self.screen.menu(menu)
            text = ""

    def _ask(self, prompt: str) -> str:
        """Returns a line that was typed; one that comes from a file or pipe is shown."""
        is_typed = sys.stdin.isatty()
        if is_typed:
            return input(prompt).strip()
        self.screen.console.file.write(prompt)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        self.screen.console.file.write(f"{line.strip()}\n")
        return line.strip()

    def _offer(self) -> Menu:
        return offer(self._engine, self._match.session.state, self._mix)

    def _mix(self, ids: Sequence[str]) -> Sequence[str]:
        """Returns ids shuffled, always alike at one point of a match with one seed."""
        mixed = list(ids)
        Random(f"{self._seed} {len(self._match.session.events)}").shuffle(mixed)
        return mixed

    def _list(self, menu: Menu) -> None:
        self._menu = menu
        self.screen.menu(menu)

    def _show_table(self) -> None:
        self.screen.table(self._engine.telling.describe_state(self._match.session.state))

    def _show_menu(self) -> None:
        outcome = self._match.session.outcome
        if outcome is not None:
            self.screen.scores(outcome)
        if self._is_over():
            self.screen.remark("      Enter leaves; undo and correct N still judge anew")
        else:
            self.screen.menu(self._menu)

    def _is_over(self) -> bool:
        session = self._match.session
        return session.stage is Stage.ENDED or session.outcome is not None


def _forgive_bytes() -> None:
    """Lets a stray byte that is typed, or a letter that cannot be shown, be a question mark."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
