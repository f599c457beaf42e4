"""`table-referee play`: a match at the keyboard, by the same rules that a table is watched with.

Chance lives here: the deck is shuffled by a seed, and whatever is shuffled later is told to the
rules as the order that it came to.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

import typer

from referee.commands.console import output
from referee.commands.play_correct import LEFT, Corrector
from referee.commands.play_help import show_help
from referee.commands.play_match import Match, begin_match
from referee.commands.play_menu import Menu, Refusal, offer, understand
from referee.commands.play_screen import Screen
from referee.commands.play_setup import PlayOrder, find_engine
from referee.commands.play_typing import ask_line, forgive_bytes, is_typed
from referee.commands.play_view import View
from referee.engines import Engine
from referee.events import ActionObserved, Correction, Event, MatchEnded, Note, Undo
from referee.match import Kind, Stage
from referee.session import refusal_in

_INTERRUPTED = 130


def play(order: PlayOrder) -> None:
    """Plays a match until the players leave it, or nobody types any more.

    Raises:
        RefereeError: If the game, the deck, the players or the journal are not as they should be.
        typer.Exit: With status 130 after Ctrl-C.
    """
    forgive_bytes()
    engine = find_engine(order.game)
    seed = secrets.randbelow(1_000_000) if order.seed is None else order.seed
    view = View(engine, order.is_open)
    game = Keyboard(engine, begin_match(order, engine, seed), view)
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
    """A match that is played by typing; where hands are hidden, one player sits here at a time.

    Attributes:
        screen: Where it is shown.
    """

    def __init__(self, engine: Engine, match: Match, view: View) -> None:
        self._engine = engine
        self._match = match
        self._view = view
        self._menu = self._offer()
        self._seated: str | None = None
        players = tuple(getattr(match.session.start.setup, "players", ()))
        self.screen = Screen(output(), players)

    def run(self) -> None:
        """Shows the match, asks what is done, and does it, until somebody leaves.

        Raises:
            EOFError: At the end of what is typed.
            KeyboardInterrupt: At Ctrl-C.
        """
        open_ = ["Everything lies open, hands and decks too."] * self._view.is_open
        lines = [*self._match.remarks, *open_, "Type help for help, quit to leave."]
        self.screen.title(self._engine.game, lines)
        self._seat(self._chooser)
        self._show_table()
        self._show_menu()
        while True:
            line = self.ask(f"{self._seated or ''}> ")
            word, _, rest = line.partition(" ")
            if line in ("quit", "q", "exit"):
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

    def ask(self, prompt: str) -> str:
        """Returns a line that was typed.

        Raises:
            EOFError: If there is none.
        """
        return ask_line(self.screen.console.file, prompt)

    @property
    def _chooser(self) -> str | None:
        return self._view.chooser(self._match.session)

    def _commands(self) -> Mapping[str, Callable[[str], None]]:
        return {
            "help": lambda _: self._help(),
            "?": lambda _: self._help(),
            "state": lambda _: self._show_table(),
            "history": lambda _: self._show_history(),
            "undo": lambda why: self._take(Undo(why)),
            "correct": self._correct,
            "note": self._note,
            "finish": lambda why: self._take(MatchEnded(why)),
        }

    def _do(self, line: str) -> None:
        """Does what a line means."""
        if not line:
            self._show_menu()
            return
        if self._match.session.stage is Stage.ENDED:
            self.screen.refuse("the match has ended; undo takes its end back, quit leaves")
            return
        if self._match.session.outcome is not None:
            self.screen.refuse("the game is over; undo takes the last action back, quit leaves")
            return
        meant = understand(
            self._engine,
            self._match.session.state,
            self._menu,
            line,
            may_tell=self._view.is_open,
            time=self._match.time,
        )
        if isinstance(meant, Refusal):
            self.screen.decline(meant)
        elif isinstance(meant, Menu):
            self._menu = meant
            self._show_menu()
        else:
            self._take(ActionObserved(meant.text))

    def _take(self, event: Event) -> None:
        """Takes an event in and tells what comes of it, to whoever may hear it."""
        before = self._view.striking(self._match.session)
        said = self._match.take(event)
        reason = refusal_in(said)
        if reason is not None:
            self.screen.refuse(reason)
            return
        is_moved = self._seated != self._chooser
        if is_moved:
            self._clear_seat()
        self.screen.say(self._view.said(self._match.session, said))
        if isinstance(event, Note):
            return
        self._menu = self._offer()
        self._seat(self._chooser)
        is_news = any(each.kind is Kind.NEWS for each in said)
        is_news = is_news or before != self._view.striking(self._match.session)
        if is_news or is_moved or isinstance(event, Correction | Undo | MatchEnded):
            self._show_table()
        self._show_menu()

    def _note(self, text: str) -> None:
        if text:
            self._take(Note(text))
        else:
            self.screen.puzzle("expected some words to keep, such as: note Ann had the sun behind")

    def _correct(self, rest: str) -> None:
        """Asks what an event was in truth, and why, and corrects it."""
        session = self._match.session
        corrector = Corrector(self._engine, self._view, self.screen, self.ask, self._seat)
        try:
            correction = corrector.ask_for(session, rest)
        except EOFError:
            self.screen.remark("")
            correction = LEFT
        if isinstance(correction, Correction):
            self._take(correction)
            return
        if isinstance(correction, Refusal):
            self.screen.decline(correction)
        else:
            self.screen.remark("      left as it is: nothing was corrected")
        if self._seated != self._chooser:
            self._seat(self._chooser)
            self._show_table()
            self._show_menu()

    def _seat(self, player: str | None) -> None:
        """Lets a player sit down alone, once what the former one saw is out of sight.

        Where lines come from a file or pipe nobody sits there, and nobody is waited for.
        """
        if player == self._seated:
            return
        self._clear_seat()
        self._seated = player
        if player is None:
            return
        self.screen.seat(player)
        if is_typed():
            self.ask(f"Give the keyboard to {player}, then press Enter. ")

    def _clear_seat(self) -> None:
        if self._seated is not None:
            self.screen.clear()
        self._seated = None

    def _offer(self) -> Menu:
        state, is_open = self._match.session.state, self._view.is_open
        return offer(self._engine, state, self._match.mix, is_open=is_open)

    def _help(self) -> None:
        show_help(self.screen, self._engine, self._menu)

    def _show_history(self) -> None:
        session = self._match.session
        self.screen.history(session, lambda seq: self._view.tell(session, seq))

    def _show_table(self) -> None:
        self.screen.table(self._view.table(self._match.session))

    def _show_menu(self) -> None:
        session = self._match.session
        if session.outcome is not None:
            self.screen.scores(session.outcome)
        if session.stage is Stage.ENDED or session.outcome is not None:
            self.screen.remark("      quit leaves; undo and correct N still judge anew")
        else:
            self.screen.menu(self._menu)
