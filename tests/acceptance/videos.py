"""Replays every recording, and holds it against its truth and against decoding alone."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av

from referee.decks import load_deck
from referee.watch import watch
from referee.watch_orders import WatchSettings
from tests.acceptance.comparing import Tally, compare_rounds
from tests.acceptance.truth import load_recording, read_rounds


@dataclass(frozen=True, slots=True)
class Replayed:
    """A recording that was replayed, and decoded alone beside that.

    Attributes:
        name: Of the recording.
        lines: What the replay told.
        times_s: The time of every frame.
        decode_s: Seconds that decoding alone took.
        replay_s: Seconds that the replay took.
    """

    name: str
    lines: list[dict[str, Any]]
    times_s: list[float]
    decode_s: float
    replay_s: float

    @property
    def notices(self) -> list[str]:
        """What the replay remarked."""
        return [line["text"] for line in self.lines if line["type"] == "notice"]


@dataclass(frozen=True, slots=True)
class Run:
    """One recording of Galapa Go that was replayed.

    Attributes:
        replayed: What came of it.
        is_plain: Whether every round of it must be right.
        tally: How well it was seen.
    """

    replayed: Replayed
    is_plain: bool
    tally: Tally


def run_recording(video: Path) -> Run:
    """Decodes a recording, replays it, and compares."""
    recording = load_recording(video)
    settings = WatchSettings(
        players=recording.players, lead=recording.lead, variant=recording.variant, rulings={}
    )
    replayed = replay_timed(video, recording.deck, settings)
    return Run(
        replayed=replayed,
        is_plain="plain" in video.stem,
        tally=compare_rounds(recording.rounds, read_rounds(replayed.lines), replayed.times_s),
    )


def replay_timed(video: Path, pack: Path, settings: WatchSettings) -> Replayed:
    """Decodes a recording, and then replays it."""
    deck = load_deck(pack)
    times_s, decode_s = decode_only(video)
    started_s = time.perf_counter()
    lines = list(watch(video, deck, settings))
    return Replayed(video.stem, lines, times_s, decode_s, time.perf_counter() - started_s)


def decode_only(video: Path) -> tuple[list[float], float]:
    """Returns the time of every frame, first frame = 0, and how long decoding alone took."""
    started_s = time.perf_counter()
    with av.open(str(video)) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        times_s = [frame.time for frame in container.decode(stream) if frame.time is not None]
    return [time_s - times_s[0] for time_s in times_s], time.perf_counter() - started_s
