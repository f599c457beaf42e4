"""The match that is played at the keyboard: a new one, or one that its journal brings back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from referee.commands.console import CommandError
from referee.commands.play_menu import bears_time
from referee.commands.play_resume import expect_own_options, is_own_seed
from referee.commands.play_setup import PlayOrder, start_match
from referee.engines import Engine
from referee.errors import FormatError
from referee.events import ActionObserved, Correction, Event, MatchEnded, MatchStarted, Note, Undo
from referee.journal import Journal, JournalError, read_journal
from referee.match import Announcement, Session, Stage, Standing
from referee.session import refusal_in, replay, step


class Match:
    """A session whose every event is safe on the disk before anybody hears of it.

    Attributes:
        session: The match so far.
        journal: Where it is kept; None for nowhere.
        remarks: What is to be said of how it begins.
    """

    def __init__(
        self,
        session: Session,
        journal: Journal | None,
        remarks: Sequence[str],
        salt: int | None = None,
    ) -> None:
        """Makes a match.

        Args:
            session: The match so far.
            journal: Where it is kept; None for nowhere.
            remarks: What is to be said of how it begins.
            salt: What changes how cards are shuffled from now on; None for nothing.
        """
        self.session = session
        self.journal = journal
        self.remarks = remarks
        self._salt = salt

    @property
    def time(self) -> str:
        """The time of the last action that bore one, as it was typed; 0 before."""
        lines = [entry.observed.action for entry in self.session.entries]
        times = [line.partition(" ")[0] for line in lines if bears_time(line)]
        return times[-1] if times else "0"

    def mix(self, ids: Sequence[str]) -> Sequence[str]:
        """Returns ids shuffled, always alike at one point of one match, also when it goes on.

        The setup was shuffled by the seed and is kept with the match, so it is the seed of what is
        shuffled later. What was taken back does not count: nobody deals again until it pleases.
        """
        start = next(event for event in self.session.events if isinstance(event, MatchStarted))
        done = sum(entry.standing is Standing.COUNTS for entry in self.session.entries)
        mixed = list(ids)
        Random(f"{start.setup} {self._salt} {done}").shuffle(mixed)
        return mixed

    def take(self, event: Event) -> tuple[Announcement, ...]:
        """Returns what is to be said about an event; one that cannot be is not kept."""
        session, said = step(self.session, event)
        if refusal_in(said) is not None:
            return said
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
    if path is not None and not path.absolute().parent.is_dir():
        raise CommandError(f"--journal: expected a file in a folder that exists, got {path}")
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
    try:
        session, _ = replay(kept)
    except FormatError as error:
        raise JournalError(str(path), error.place, error.expected, error.got) from error
    if session.engine is None or session.engine.game != engine.game:
        got = f"one of {session.engine.game}" if session.engine else "one that never began"
        raise CommandError(f"{path}: expected a match of {engine.game}, got {got}")
    starts = [seq for seq, event in enumerate(kept, start=1) if isinstance(event, MatchStarted)]
    if len(starts) > 1:
        place = f"event {starts[1]}"
        raise JournalError(str(path), place, "a match that starts once", "a second start")
    start = next(event for event in kept if isinstance(event, MatchStarted))
    expect_own_options(order, engine, start)
    salt = None if is_own_seed(order, engine, start) else order.seed
    journal = Journal(path)
    how = "has ended, after" if session.stage is Stage.ENDED else "goes on after"
    last = describe_event(session, len(kept))
    remarks = [f"The match of {path} {how} {len(kept)} events, the last: {last}."]
    if journal.torn:
        remarks.append("Its last line was cut off when the program was stopped, and is dropped.")
    return Match(session, journal, remarks, salt)


def describe_event(session: Session, seq: int) -> str:
    """Returns an event of a match in words, as everybody may hear it."""
    event, target = session.events[seq - 1], session.targets.get(seq)
    why = (
        f": {event.why}" if isinstance(event, Correction | Undo | MatchEnded) and event.why else ""
    )
    match event:
        case MatchStarted(game):
            return f"the match of {game} begins"
        case ActionObserved(action):
            entry = session.entry_of(seq)
            return entry.words if entry is not None else action
        case Correction() | Undo():
            name = "undo of" if isinstance(event, Undo) else "correction of"
            return f"{name} {target}{why}" if target else f"{name} nothing{why}"
        case MatchEnded():
            return f"the match ends{why}"
        case Note(text):
            return f"note: {text}"
