"""`table-referee watch`: a live table, and every ruling as it falls."""

from __future__ import annotations

import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from rich.text import Text

from referee.commands.console import PLAYER_STYLES, CommandError, json_line, messages, output
from referee.commands.outputs import replacing_each
from referee.commands.panda_turns import told_line
from referee.commands.tellings import rulings_table
from referee.decks import Deck
from referee.live import watch_live, with_gaps
from referee.watch import Json, nothing_seen, shows_cards
from referee.watch_orders import WatchSettings
from referee.wording import Line, describe_tasks, format_time
from vision.live import LiveSource
from vision.live_open import open_live
from vision.table import Notice


@dataclass(frozen=True, slots=True)
class WatchOrder:
    """What to watch, and how to tell of it.

    Attributes:
        camera: A camera's name or index, the address of a stream, or a video file.
        deck: The deck that is played with.
        settings: Who plays, and by which rules.
        is_realtime: A video file keeps its own pace, as if it were a camera.
        weights: A detector other than the one that ships with the program.
        lines_to: File for the JSON lines.
        is_for_programs: Print the JSON lines instead of words.
    """

    camera: str
    deck: Deck
    settings: WatchSettings = field(default_factory=WatchSettings)
    is_realtime: bool = False
    weights: Path | None = None
    lines_to: Path | None = None
    is_for_programs: bool = False


def watch_table(order: WatchOrder) -> None:
    """Watches until the source ends or a person presses Ctrl-C, and tells every line at once.

    Raises:
        RefereeError: If the deck, an output or a setting is not as it should be.
        VisionError: If there is no such source, it may not be used, or it shows no card.
    """
    deck = order.deck
    source = open_live(order.camera, is_realtime=order.is_realtime)
    teller = _JsonTeller() if order.is_for_programs else _WordTeller(deck)
    lines = LiveLines(source, deck, order.settings, order.weights)
    messages().print(f"Watching {source.name}; Ctrl-C ends it", markup=False)
    has_cards = False
    with replacing_each(order.lines_to) as (lines_to,):
        file = lines_to.open("w", encoding="utf-8") if lines_to is not None else None
        try:
            with _ctrl_c_calls(lines.interrupt):
                for line in lines.as_they_fall():
                    teller.tell(line)
                    if file is not None:
                        file.write(json_line(line))
                    has_cards = has_cards or shows_cards(line)
        finally:
            source.close()
            if file is not None:
                file.close()
        if not has_cards and not lines.was_interrupted:
            raise CommandError(f"{source.name}: {nothing_seen(deck)}")


@contextmanager
def _ctrl_c_calls(end: Callable[[], None]) -> Iterator[None]:
    """Has the first Ctrl-C call a function wherever the program is; the second one stops it."""

    def handle(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        end()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class LiveLines:
    """Lines of a live table and notices of its source, as one iterator that can be interrupted.

    The table is watched by a thread of its own: what waits for a camera must not keep a notice
    about that camera from being told, nor a person from ending it.

    Args:
        source: Where the frames come from.
        deck: The deck that is played with.
        settings: What a camera cannot see.
        weights: A detector other than the one that ships with the program.

    Attributes:
        was_interrupted: Whether a person has ended it.
    """

    def __init__(
        self, source: LiveSource, deck: Deck, settings: WatchSettings, weights: Path | None = None
    ) -> None:
        self._source = source
        self._what = (deck, settings, weights)
        self._told: queue.SimpleQueue[Json | Exception | None] = queue.SimpleQueue()
        self.was_interrupted = False

    def as_they_fall(self) -> Iterator[Json]:
        """Every line as soon as it is known, to the end of the source or of the watching.

        Raises:
            VisionError: The source, the weights or the deck's pictures cannot be used.
            DeckError: The deck is of another game.
        """
        self._source.subscribe(lambda notice: self._told.put(_notice_line(notice)))
        threading.Thread(target=self._watch, name="watch", daemon=True).start()
        opened_s: dict[int, float] = {}
        while (line := self._next()) is not None:
            if line["type"] == "task":
                opened_s[line["round"]] = line["t"]
            if line["type"] == "round":
                since_s = opened_s.get(line["round"], 0.0)
                line = with_gaps(line, since_s, self._source.gaps)
            yield line

    def interrupt(self) -> None:
        """Ends the watching; what is known by then is still told."""
        self.was_interrupted = True
        self._source.close()

    def _next(self) -> Json | None:
        told = self._told.get()
        if isinstance(told, Exception):
            raise told
        return told

    def _watch(self) -> None:
        deck, settings, weights = self._what
        try:
            for news in watch_live(self._source, deck, settings, weights=weights):
                for each in news:
                    self._told.put(each.line)
            self._told.put(None)
        except Exception as error:
            # Whatever happens in this thread is told by the one that a person sees.
            self._told.put(None if self.was_interrupted else error)


class _JsonTeller:
    """Prints the lines for programs."""

    def tell(self, line: Json) -> None:
        _write(sys.stdout, line)


class _WordTeller:
    """Prints the lines for people."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._console = output()
        self._ruled: set[int] = set()

    def tell(self, line: Json) -> None:
        kind = line["type"]
        if kind in ("round", "hands"):
            self._tell_ruling(line)
        elif kind == "notice":
            text = Text(f"{line['t']:8.2f} s  {line['text']}", style="yellow")
            self._console.print(text, soft_wrap=True)
        else:
            self._console.print(_words(line, self._deck), soft_wrap=True)

    def _tell_ruling(self, line: Json) -> None:
        if line["round"] in self._ruled:
            self._console.print(Text("Seen better, this round is ruled anew:", style="yellow"))
        self._ruled.add(line["round"])
        self._console.print(rulings_table([line], self._deck))
        if line.get("incomplete"):
            text = "The camera was lost while this round ran: the ruling is incomplete."
            self._console.print(Text(text, style="bold yellow"))


def _words(line: Line, deck: Deck) -> Text:
    text = Text(f"{line['t']:8.2f} s  ")
    match line["type"]:
        case "layout":
            where = "in the middle" if deck.game == "galapa-go" else "open"
            text.append(f"{len(line['cards'])} cards lie {where}")
        case "task":
            text.append(f"Round {line['round']}   {describe_tasks(line['tasks'], deck)}", "bold")
        case "claim":
            text.append(f"{line['order']}. ")
            text.append(line["player"], PLAYER_STYLES.get(line["player"], ""))
            text.append(f" on {line['card']} at {format_time(line)}")
        case "withdrawn":
            text.append(line["player"], PLAYER_STYLES.get(line["player"], ""))
            text.append(f" took the Camera card back from {line['card']}")
        case "placed" | "scored":
            if line.get("taken"):
                text.append("no longer: ", "yellow")
            text.append_text(told_line(line))
        case other:
            text.append(other)
    return text


def _notice_line(notice: Notice) -> Json:
    at_s = round(notice.timestamp_s, 3)
    return {"type": "notice", "t": at_s, "code": notice.code, "text": notice.text}


def _write(stream: TextIO, line: Mapping[str, object]) -> None:
    stream.write(json_line(line))
    stream.flush()
