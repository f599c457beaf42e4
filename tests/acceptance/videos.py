"""Replays every recording, and holds it against its truth and against decoding alone."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import av

from referee.decks import load_deck
from referee.watch import watch
from referee.watch_orders import WatchSettings
from tests.acceptance.comparing import Tally, compare_rounds
from tests.acceptance.truth import load_recording, read_rounds


@dataclass(frozen=True, slots=True)
class Run:
    """One recording that was replayed.

    Attributes:
        name: Of the recording.
        is_plain: Whether every round of it must be right.
        tally: How well it was seen.
        speed: Speed of the replay as a share of that of decoding alone.
        decode_s: Seconds that decoding alone took.
        replay_s: Seconds that the replay took.
        notices: What the replay remarked.
    """

    name: str
    is_plain: bool
    tally: Tally
    decode_s: float
    replay_s: float
    notices: tuple[str, ...]

    @property
    def speed(self) -> float:
        """Speed of the replay as a share of that of decoding alone."""
        return self.decode_s / self.replay_s


def run_recording(video: Path) -> Run:
    """Decodes a recording, replays it, and compares."""
    recording = load_recording(video)
    deck = load_deck(recording.deck)
    times_s, decode_s = decode_only(video)
    settings = WatchSettings(
        players=recording.players, lead=recording.lead, variant=recording.variant, rulings={}
    )
    started_s = time.perf_counter()
    lines = list(watch(video, deck, settings, None, None))
    replay_s = time.perf_counter() - started_s
    return Run(
        name=video.stem,
        is_plain="plain" in video.stem,
        tally=compare_rounds(recording.rounds, read_rounds(lines), times_s),
        decode_s=decode_s,
        replay_s=replay_s,
        notices=tuple(line["text"] for line in lines if line["type"] == "notice"),
    )


def decode_only(video: Path) -> tuple[list[float], float]:
    """Returns the time of every frame, first frame = 0, and how long decoding alone took."""
    started_s = time.perf_counter()
    with av.open(str(video)) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        times_s = [frame.time for frame in container.decode(stream) if frame.time is not None]
    return [time_s - times_s[0] for time_s in times_s], time.perf_counter() - started_s
