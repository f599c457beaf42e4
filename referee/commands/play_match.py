"""The match that is played at the keyboard: a new one, or one that its journal brings back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from referee.commands.console import CommandError
from referee.commands.play_setup import PlayOrder, start_match
from referee.engines import Engine
from referee.errors import FormatError
from referee.events import Event
from referee.journal import Journal, JournalError, read_journal
from referee.match import Announcement, Session
from referee.session import replay, step


class Match:
    """A session whose every event is safe on the disk before anybody hears of it.

    Attributes:
        session: The match so far.
        journal: Where it is kept; None for nowhere.
        remarks: What is to be said of how it begins.
    """

    def __init__(self, session: Session, journal: Journal | None, remarks: Sequence[str]) -> None:
        self.session = session
        self.journal = journal
        self.remarks = remarks

    def take(self, event: Event) -> tuple[Announcement, ...]:
        """Returns what is to be said about an event."""
        session, said = step(self.session, event)
        if self.journal is not None:
            self.journal.append(event)
        self.session = session
        return said


def begin_match(order: PlayOrder, engine: Engine, seed: int) -> Match:
    """Returns the match of the journal, or a new one where there is none.

    Raises:
        RefereeError: If the order or the journal is not as it should be; nothing is written then.
    """
    path = order.journal
    kept = read_journal(path).events if path is not None and path.exists() else ()
    if path is not None and kept:
        return _resume(order, engine, path, kept)
    start = start_match(order, engine, seed)
    where = "It is not kept; --journal FILE would keep it."
    if path is not None:
        where = f"It is kept in {path}."
    shuffled = f"Shuffled with the seed {seed}; --seed {seed} deals the same again."
    match = Match(Session(), Journal(path) if path is not None else None, (shuffled, where))
    match.take(start)
    return match


def _resume(order: PlayOrder, engine: Engine, path: Path, kept: Sequence[Event]) -> Match:
    options = ("players", "lead", "variant", "rulings", "deck")
    for option in options:
        if getattr(order, option):
            raise CommandError(
                f"{path}: a match that goes on brings its own players, deck and rulings; "
                f"expected no --{option.removesuffix('s') if option == 'rulings' else option}"
            )
    try:
        session, _ = replay(kept)
    except FormatError as error:
        raise JournalError(str(path), error.place, error.expected, error.got) from error
    if session.engine is None or session.engine.game != engine.game:
        got = f"one of {session.engine.game}" if session.engine else "one that never began"
        raise CommandError(f"{path}: expected a match of {engine.game}, got {got}")
    journal = Journal(path)
    remarks = [f"The match of {path} goes on after {len(kept)} events."]
    if journal.torn:
        remarks.append("Its last line was cut off when the program was stopped, and is dropped.")
    return Match(session, journal, remarks)
