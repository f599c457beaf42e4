"""One table, watched in a process of its own: frames in, lines, pictures and figures out.

The process ends with its source, when its pipe is closed, or when the service dies, however hard.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue

from referee.adapter.lines import NoticeLine
from referee.annotation import paint_signs
from referee.decks import Deck, load_deck
from referee.errors import RefereeError
from referee.live import Told, watch_live, with_gaps
from referee.records import Json, key_of
from referee.server.clips import ClipWriter
from referee.server.evidence import stem_of
from referee.server.film_ring import FilmRing, encode_jpeg
from referee.server.kept_film import KeptFilm
from referee.server.lost_evidence import forget_parts, lacking, losses
from referee.server.memory import give_back_memory
from referee.server.settings import Painter
from referee.server.sources import open_source
from referee.watch import nothing_seen, shows_cards
from referee.watch_orders import WatchSettings
from vision.errors import SourceError, VisionError
from vision.film import Paint
from vision.frame import Frame, Image
from vision.live import LiveSource
from vision.live_stream import masked
from vision.source import FrameSource
from vision.table import Notice

_log = logging.getLogger(__name__)

LATE_S = 0.1
"""A frame that is watched this long after its time is late."""
_COUNT_EVERY_S = 0.25
_GIVE_BACK_EVERY_S = 5.0
_WATCHED_EVERY_S = 1 / 12
_UNWATCHED_EVERY_S = 1.0
"""Pictures a second where somebody looks; enough for the first one otherwise."""
_PICTURE_PX = 1280


@dataclass(frozen=True, slots=True)
class WatchOrder:
    """What a process is to watch.

    Attributes:
        deck: The pack that is played with.
        kind: `recording`, `camera` or `stream`.
        what: The path, name or address.
        settings: What a camera cannot see.
        is_paced: Whether a recording is watched at its own pace, as a camera would give it.
        said: Lines of this table that are known already.
        evidence: Folder for pictures and films of claims.
        recording: Where a camera's or stream's pictures are kept, or None.
        painter: Returns what draws lines upon pictures.
    """

    deck: Path
    kind: str
    what: str
    settings: WatchSettings
    is_paced: bool
    said: tuple[Json, ...]
    evidence: Path
    recording: Path | None = None
    painter: Painter = paint_signs


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines that hold together only."""

    told: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """The newest annotated picture."""

    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Counted:
    """Figures by name (`figures.TableFigures`)."""

    values: dict[str, float]


@dataclass(frozen=True, slots=True)
class Over:
    """The source has ended; `reason` is empty unless something failed."""

    reason: str = ""


Message = Lines | Picture | Counted | Over


def run(order: WatchOrder, pipe: Connection) -> None:
    """Watches until there is nothing left to watch; the main function of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the service stops its tables itself
    threading.Thread(target=_die_with_parent, daemon=True).start()
    try:
        pipe.send(Over(_watch(order, pipe)))
    except (BrokenPipeError, ConnectionError):
        return  # nobody listens any more
    except (RefereeError, VisionError) as error:  # said in one sentence: the table tells it
        pipe.send(Over(_shown(str(error), order)))
    except Exception as error:  # the top of the process: whatever it was, people see it
        _log.error("watching %s failed\n%s", order.kind, _shown(traceback.format_exc(), order))
        pipe.send(Over(_shown(str(error) or type(error).__name__, order)))


def _shown(text: str, order: WatchOrder) -> str:
    """Returns what went wrong without what lets others into the stream."""
    try:
        return masked(text, order.what) if order.kind == "stream" else text
    except SourceError:  # it is no address: nothing of it is shown
        return text.replace(order.what, "the stream")


def _watch(order: WatchOrder, pipe: Connection) -> str:
    """Watches to the end; returns what was wrong with the source, or nothing."""
    deck = load_deck(order.deck)
    source = open_source(order.kind, order.what)
    is_again = order.kind != "recording" and bool(order.said)
    later = Later.after(order.said) if is_again else Later()
    eye = _Eye(order, source, deck, pipe, later)
    said = () if is_again else order.said
    if isinstance(source, LiveSource):
        source.subscribe(eye.notice)
    # A recording is watched on from its start, and its films are made whole then.
    if order.kind != "recording" or order.recording is not None:
        signal.signal(signal.SIGTERM, _leave)
    try:
        for news in watch_live(eye, deck, order.settings, said):
            told = tuple(later.shifted(eye.marked(each)) for each in news)
            eye.keep(told)
            pipe.send(Lines(told))
    finally:
        eye.end_films()
    eye.finish()
    if order.kind == "recording" and not eye.has_seen_cards:
        return nothing_seen(deck)
    return ""


def _leave(*_: object) -> None:
    raise SystemExit


def _die_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # a process without a service watches for nobody


@dataclass(frozen=True, slots=True)
class Later:
    """A camera that is opened again begins at 0: its lines go on where the match was."""

    t: float = 0.0
    rounds: int = 0

    @classmethod
    def after(cls, said: tuple[Json, ...]) -> Later:
        """Returns how much later the lines after some others are."""
        rounds = max((line["round"] for line in said if "round" in line), default=0)
        return cls(max(line["t"] for line in said) + 1.0, rounds)

    def shifted(self, told: Told) -> Told:
        """Returns a line on the clock of the match, its round counted on."""
        if self == Later():
            return told
        question = told.question
        if question is not None and "actions" in question:
            actions = [self._moved(action) for action in question["actions"]]
            question = {**question, "actions": actions}
        line = self._moved(told.line)
        if "round" in line:
            line["round"] += self.rounds
        if "claims" in line:
            line["claims"] = [self._moved(claim) for claim in line["claims"]]
        return Told(line, question)

    def _moved(self, plain: Json) -> Json:
        return {**plain, "t": round(plain["t"] + self.t, 3)}


def holding(lines: Iterable[Json]) -> list[Json]:
    """Returns those lines that hold, the last of each key, in the order of time."""
    last = {key_of(line): line for line in lines}
    return sorted((line for line in last.values() if not line.get("taken")), key=lambda x: x["t"])


class _Eye:
    """A source whose frames are paced, counted, kept for a while and shown on their way."""

    def __init__(
        self, order: WatchOrder, source: FrameSource, deck: Deck, pipe: Connection, later: Later
    ) -> None:
        self._order = order
        self._later = later
        self._source = source
        self._deck = deck
        self._pipe = pipe
        self._is_patient = not order.is_paced and not isinstance(source, LiveSource)
        self._clips = ClipWriter(self._is_patient)
        self._paint: Paint | None = None
        self._last: tuple[Image, float] | None = None
        self._ring = FilmRing(self._clips)
        self._lines: list[Json] = list(order.said)
        self._paced_from_s = max((line["t"] for line in order.said), default=0.0)
        self._figures = dict.fromkeys(("frames_grabbed", "frames_processed", "frames_late"), 0.0)
        self._notices: SimpleQueue[NoticeLine] = SimpleQueue()
        self._kept = KeptFilm(order.recording, self._notice_now) if order.recording else None
        self._round_began_s: dict[int, float] = {}
        self._viewers = 0
        self._counted_at = self._shown_at = self._gave_back_at = -1e9
        self._seen_s = 0.0
        forget_parts(order.evidence)
        is_seen_again = order.kind == "recording"
        self._again = deque(lacking(order.evidence, order.said) if is_seen_again else ())
        for text in () if is_seen_again else losses(order.evidence, order.said):
            self._notice_now("evidence-lost", text)

    @property
    def frame_count(self) -> int | None:
        return self._source.frame_count

    @property
    def broken(self) -> str | None:
        return self._source.broken

    def frames(self) -> Iterator[Frame]:
        """Yields the frames of the source, each at its time."""
        due: float | None = None
        for frame in self._source.frames():
            # Making ready takes seconds at the first frame: the clock starts with the second.
            is_ready = frame.index > 0 and frame.timestamp_s >= self._paced_from_s
            # What was seen before goes by as fast as its films are written.
            self._clips.is_patient = self._is_patient or not is_ready
            if self._order.is_paced and is_ready:
                due = due or time.monotonic() - frame.timestamp_s
                time.sleep(max(0.0, due + frame.timestamp_s - time.monotonic()))
            self._show(frame)
            yield frame
            self._count(frame, self._late_s(frame, due))

    def _notice_now(self, code: str, text: str) -> None:
        self._notices.put(NoticeLine(self._seen_s, code, text))

    def notice(self, notice: Notice) -> None:
        """Takes what a live source tells of itself, from whatever thread."""
        self._notices.put(NoticeLine(notice.timestamp_s, notice.code, notice.text))

    def _late_s(self, frame: Frame, due: float | None) -> float:
        """Returns how long after its time a frame was watched."""
        if isinstance(self._source, LiveSource):
            return max(0.0, self._source.now_s() - frame.timestamp_s)
        return 0.0 if due is None else max(0.0, time.monotonic() - due - frame.timestamp_s)

    @property
    def has_seen_cards(self) -> bool:
        """Whether a line has told of cards."""
        return any(map(shows_cards, self._lines))

    def keep(self, told: tuple[Told, ...]) -> None:
        """Keeps pictures and films of the claims among some lines."""
        self._lines += [each.line for each in told]
        self._paint = None
        for each in told:
            if each.line["type"] == "claim":
                self._film(each.line)

    def _film(self, claim: Json) -> None:
        stem = self._order.evidence / stem_of(claim)
        self._ring.keep(stem, claim["t"] - self._later.t, claim["dt"])

    def marked(self, told: Told) -> Told:
        """Returns a line, a round marked during which a live source was lost."""
        line = told.line
        if line["type"] == "task":
            self._round_began_s[line["round"]] = line["t"]
        if line["type"] != "round" or not isinstance(self._source, LiveSource):
            return told
        since_s = self._round_began_s.get(line["round"], 0.0)
        return Told(with_gaps(line, since_s, self._source.gaps), told.question)

    def end_films(self) -> None:
        """Writes the films that wait for frames, and the recording, where one is kept."""
        self._clips.is_patient = True  # no frame waits any more
        self._ring.finish()
        if self._kept is not None:
            self._kept.finish()

    def finish(self) -> None:
        """Tells the last notices and figures, and shows how the table was left."""
        self._tell_notices()
        self._send_picture()
        self._pipe.send(Counted(dict(self._figures)))

    def _tell_notices(self) -> None:
        while not self._notices.empty():
            line = self._notices.get().to_json()
            self._pipe.send(Lines((self._later.shifted(Told(line)),)))

    def _show(self, frame: Frame) -> None:
        image = frame.to_bgr()
        jpeg, self._seen_s = encode_jpeg(image), frame.timestamp_s
        self._ring.add(frame.timestamp_s, jpeg)
        while self._again and self._again[0]["t"] <= frame.timestamp_s:
            self._film(self._again.popleft())
        if self._kept is not None:
            self._kept.add(frame.timestamp_s, jpeg)
        self._tell_notices()
        while self._pipe.poll():
            self._viewers = self._pipe.recv()
        now, every = time.monotonic(), _WATCHED_EVERY_S if self._viewers else _UNWATCHED_EVERY_S
        self._last = image, frame.timestamp_s
        if now - self._shown_at >= every:
            self._shown_at = now
            self._send_picture()

    def _send_picture(self) -> None:
        """Sends the newest frame, painted with what is known by now."""
        if self._last is None:
            return
        image, timestamp_s = self._last
        if self._paint is None:
            self._paint = self._order.painter(holding(self._lines), self._deck)
        painted = self._paint(image, self._later.t + timestamp_s)
        self._pipe.send(Picture(encode_jpeg(painted, _PICTURE_PX)))

    def _count(self, frame: Frame, late_s: float) -> None:
        grabbed = self._source.grabbed if isinstance(self._source, LiveSource) else frame.index + 1
        self._figures["frames_grabbed"] = grabbed
        self._figures["frames_processed"] += 1
        self._figures["frames_late"] += late_s > LATE_S
        self._figures["latency_seconds"] = round(late_s, 4)
        self._figures["clock_seconds"] = self._later.t + frame.timestamp_s
        now = time.monotonic()
        if now - self._counted_at >= _COUNT_EVERY_S:
            self._counted_at = now
            self._pipe.send(Counted(dict(self._figures)))
        if now - self._gave_back_at >= _GIVE_BACK_EVERY_S:
            self._gave_back_at = now
            give_back_memory()
