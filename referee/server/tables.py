"""A table as the service knows it: its match, kept before it is told, and who watches it."""

from __future__ import annotations

import logging
import multiprocessing
import re
import shutil
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from referee.decks import Deck
from referee.errors import FormatError
from referee.judge import judge
from referee.ledger import Match, announcements, fold
from referee.records import Json, Kind, Record
from referee.server.corrections import check_correction
from referee.server.feed import Bell, Latest
from referee.server.figures import TableFigures
from referee.server.kept_film import parts_of
from referee.server.problems import Code, Problem, bad_input, of_format, too_large
from referee.server.watching import Counted, Lines, Over, Picture, WatchOrder, run
from referee.server.zoo import zoo_doubt
from referee.storage import Storage, StorageError, StoredTable
from vision.errors import SourceError
from vision.live_stream import public_address

_log = logging.getLogger(__name__)
_SPAWN = multiprocessing.get_context("spawn")
_STOP_S = 5.0
_MOST_ACTIONS = 2000
"""An evening has some hundred; each is judged with all the others."""

OPEN, ENDED = "open", "ended"
_STOPPED = "watching has stopped: "


class Table:
    """One table.

    Args:
        kept: As it is stored.
        deck: The deck that is played with.
        storage: Where its records are.
        evidence: Folder for pictures and films of claims.
        recordings: Folder for what its camera showed, where that is kept.

    Attributes:
        id: Its name in requests.
        records: Everything that is kept, in order; only ever longer.
        match: What that comes to.
        latest: The newest annotated picture.
        bell: Rings when there are new records, or the table's state has changed.
    """

    def __init__(
        self, kept: StoredTable, deck: Deck, storage: Storage, evidence: Path, recordings: Path
    ) -> None:
        self.id = kept.id
        self.kept = kept
        self.deck = deck
        self.evidence = evidence
        self._cards = frozenset(card.id for card in deck.cards)
        self._recordings = recordings
        self.latest = Latest()
        self.bell = Bell()
        self.records: list[Record] = storage.records(kept.id)
        self.match: Match = fold(self.records, self._judge)
        self._storage = storage
        self._lock = threading.RLock()
        self._figures: dict[str, float] = {}
        self._counted_at = time.monotonic()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._is_stopping = False
        self._viewers = 0
        with self._lock:
            self._announce([])  # what a kill kept from being announced

    # ---- what is asked --------------------------------------------------------------------

    @property
    def state(self) -> str:
        """`open`, `ended`, or why it failed."""
        return self.kept.state

    @property
    def is_watched(self) -> bool:
        """Whether a process watches it now."""
        return self._process is not None

    def public_spec(self) -> Json:
        """Returns how it was asked for, the address of a stream without what lets others in."""
        spec, source = self.kept.spec, self.kept.spec["source"]
        if "stream" not in source:
            return spec
        try:
            shown = public_address(source["stream"])
        except SourceError:  # kept by a version that took other addresses
            shown = ""
        return {**spec, "source": {"stream": shown}}

    def recordings(self) -> list[Path]:
        """Returns what was kept of its camera, in order."""
        return parts_of(self._recordings, self.id)

    def events(self, after: int) -> list[Json]:
        """Returns the lines of contract §3 after a number, each with its own."""
        return [each.to_event() for each in self.records[max(after, 0) :] if each.is_announced]

    def clock_s(self) -> float:
        """Returns the present on the table's own clock."""
        clock = self._figures.get("clock_seconds", self._last_s())
        if self.is_watched and self.kept.spec.get("realtime", True) and self._figures:
            clock += time.monotonic() - self._counted_at
        return round(max(clock, 0.0), 3)

    def figures(self) -> TableFigures:
        """Returns what is counted at this table."""
        rulings = sum(each.kind is Kind.RULING for each in self.records)
        own = {"rulings": float(rulings), "events": float(len(self.records))}
        values = {**self._figures, **own, "viewers": float(self.latest.bell.waiters)}
        return TableFigures(self.id, self.kept.spec["game"], self.is_watched, values)

    # ---- what happens ---------------------------------------------------------------------

    def act(self, action: Json) -> Json:
        """Keeps what somebody told, and returns its event.

        Raises:
            Problem: 422 if it cannot be an action of that round, 409 if there is no round, 413 if
                too much was said.
        """
        with self._lock:
            said = sum(record.kind is Kind.ACTION for record in self.records)
            if said >= _MOST_ACTIONS:
                raise too_large("", f"at most {_MOST_ACTIONS} actions")
            number = action.setdefault("round", max(self.match.rounds, default=0))
            asked = self.match.rounds.get(number)
            if asked is None or asked.question is None:
                raise Problem(409, Code.NO_ROUND, "There is no round that this could be said of")
            action.setdefault("t", self.clock_s())
            record = self._next(Kind.ACTION, action)
            doubt = fold([*self.records, record], self._judge).rounds[number].doubt
            if doubt and not asked.doubt:
                raise _refused(doubt)
            return self._announce([record])[0].to_event()

    def correct(self, seq: int, told: Json | None, why: str) -> Json:
        """Keeps a correction, and returns its event.

        Raises:
            Problem: 422 if there is nothing to correct, or the rules cannot take it.
        """
        with self._lock:
            try:
                check_correction(self.records, self._cards, seq, told)
            except FormatError as error:
                raise of_format(error) from error
            body = {"seq": seq, "replace": told, "why": why, "t": self.clock_s()}
            record = self._next(Kind.CORRECTION, body)
            before = {str(each.doubt) for each in self.match.rounds.values()}
            match = fold([*self.records, record], self._judge)
            for each in match.rounds.values():
                if each.doubt and str(each.doubt) not in before:
                    raise _refused(each.doubt, "replace")
            doubt = self._zoo_doubt(match)
            if doubt and not self._zoo_doubt(self.match):
                raise _refused(doubt, "replace")
            return self._announce([record])[0].to_event()

    def start(self, order: WatchOrder) -> None:
        """Has a process watch the source."""
        with self._lock:
            self.evidence.mkdir(parents=True, exist_ok=True)
            ours, theirs = _SPAWN.Pipe()
            process = _SPAWN.Process(target=run, args=(order, theirs), daemon=True)
            with _without_ctrl_c():
                process.start()
            theirs.close()
            self._process, self._pipe = process, ours
        threading.Thread(target=self._listen, args=(ours, process), daemon=True).start()

    def give_up(self, reason: str) -> None:
        """Tells why it cannot be watched on."""
        with self._lock:
            self._close(Over(reason))

    def stop(self, is_for_good: bool = False) -> None:
        """Stops watching; the match stays, and goes on when it is started again.

        Args:
            is_for_good: Whether films and a recording that are being written may be cut short.
        """
        with self._lock:
            self._is_stopping = True
            process, pipe = self._process, self._pipe
        if process is not None:
            (process.kill if is_for_good else process.terminate)()
            process.join(_STOP_S)
            if process.is_alive():
                process.kill()
        if pipe is not None:
            self._process = None

    def remove(self) -> None:
        """Stops watching and forgets everything, pictures and recordings too."""
        self.stop(is_for_good=True)
        with self._lock:
            self._storage.remove_table(self.id)
            self.kept = replace(self.kept, state="removed")
        shutil.rmtree(self.evidence, ignore_errors=True)
        for path in self.recordings():
            path.unlink(missing_ok=True)
        self.bell.ring()
        self.latest.close()

    def tell_viewers(self, change: int) -> None:
        """Tells the watching process how many people look at its picture."""
        with self._lock:
            self._viewers += change
            if self._pipe is not None and self.is_watched:
                try:
                    self._pipe.send(self._viewers)
                except OSError:
                    return  # it has just ended

    # ---- the watching process ---------------------------------------------------------------

    def _listen(self, pipe: Connection, process: BaseProcess) -> None:
        over: Over | None = None
        try:
            while over is None:
                message = pipe.recv()
                match message:
                    case Lines():
                        self._take(message)
                    case Picture():
                        self.latest.put(message.jpeg)
                    case Counted():
                        self._figures, self._counted_at = message.values, time.monotonic()
                    case Over():
                        over = message
        except (EOFError, OSError):
            over = Over("the process that watched it has died")
        except StorageError as error:
            _log.exception("the table %s cannot be kept", self.id)
            over = Over(str(error))
        process.join(_STOP_S)
        with self._lock:
            self._process = None
            if not self._is_stopping:
                self._close(over)
        self.bell.ring()

    def _take(self, message: Lines) -> None:
        with self._lock:
            first = len(self.records) + 1
            self._announce(
                [
                    Record(first + index, Kind.LINE, told.line, told.question)
                    for index, told in enumerate(message.told)
                ]
            )

    def _close(self, over: Over) -> None:
        if over.reason:
            text = _STOPPED + over.reason
            line = {"type": "notice", "t": self.clock_s(), "code": "watch-stopped", "text": text}
            self._announce([self._next(Kind.LINE, line)])
        state = f"failed: {over.reason}" if over.reason else ENDED
        self._storage.set_state(self.id, state)
        self.kept = replace(self.kept, state=state)

    # ---- the match ------------------------------------------------------------------------

    def _announce(self, new: list[Record]) -> list[Record]:
        """Keeps records and what the rules make of them, all at once, and only then tells them."""
        records = [*self.records, *new]
        match = fold(records, self._judge)
        rulings = [
            Record(len(records) + index, Kind.RULING, line)
            for index, line in enumerate(announcements(records, match), start=1)
        ]
        if new or rulings:
            self._storage.append(self.id, [*new, *rulings])
        # A new list, so that whoever reads the old one reads on undisturbed.
        self.records, self.match = [*records, *rulings], match
        self.bell.ring()
        return [*new, *rulings]

    def _next(self, kind: Kind, body: Json) -> Record:
        return Record(len(self.records) + 1, kind, body)

    def _zoo_doubt(self, match: Match) -> FormatError | None:
        return zoo_doubt(match, self.deck, self.kept.spec.get("rulings", {}))

    def _judge(self, question: Json) -> Json:
        return judge(question, self.deck)

    def _last_s(self) -> float:
        return max((float(each.body.get("t", 0.0)) for each in self.records), default=0.0)


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Starts processes that a terminal's Ctrl-C does not reach: the service stops them itself."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    # It is started with the first process, and would let Ctrl-C through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def state_after(records: Sequence[Record]) -> str:
    """Returns the state of a table that nobody watches, by the last that was seen of it."""
    seen = [record.body for record in records if record.kind is Kind.LINE]
    if seen and seen[-1].get("code") == "watch-stopped":
        reason = seen[-1]["text"].removeprefix(_STOPPED)
        return "failed: " + "".join(sign if sign.isprintable() else " " for sign in reason)
    return ENDED


def answer_of(table: Table) -> dict[str, Any]:
    """Returns a table as requests see it."""
    spec, state = table.public_spec(), table.state
    players = spec.get("players")
    for each in table.match.rounds.values():
        players = players or (each.question or {}).get("players")
    for line in table.match.of_type("hands"):
        players = players or [player["name"] for player in line["players"]]
    return {
        "id": table.id,
        **{name: spec[name] for name in ("game", "deck", "source", "variant", "rulings")},
        "players": players or [],
        "lead": spec.get("lead"),
        "seats": spec.get("seats", {}),
        "used": spec.get("used", {}),
        "realtime": spec.get("realtime", True),
        "recordings": [path.name for path in table.recordings()],
        "created": round(table.kept.created, 3),
        "state": state.partition(":")[0],
        "reason": state.partition(": ")[2],
        "clock": table.clock_s(),
        "round": max(table.match.rounds, default=None),
        "last_seq": len(table.records),
    }


def _refused(doubt: FormatError, whole: str = "") -> Problem:
    """What the rules cannot take, told of what was sent and not of the question it became part of.

    Args:
        doubt: What is wrong with the question.
        whole: The key of the request's body that was put into it; empty for the body itself.
    """
    key = re.sub(r"^actions\[\d+\]\.?", "", doubt.place)
    return bad_input(".".join(filter(None, (whole, key))), doubt.expected, doubt.got)
