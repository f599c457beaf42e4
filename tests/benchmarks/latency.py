"""How long people wait: from a Camera card's landing to its claim and to the verdict, live.

The recording stands in for a camera, at its own pace, through the same source, thread and buffer.
Landings are those of the truth beside the recording, so that a late look is not excused by a late
time. The verdict of a round is measured from the landing of the Camera card that ended it. Lines
that the truth does not know are counted: being early is worth nothing where it is wrong.

Where other programs keep the machine busy, the waits hold their share too. So each recording is
also followed without a clock: a frame comes at its own time, and what is done with it takes as
long as the looking thread keeps a core busy. That is how long people wait at a machine that does
nothing else, where a second core decodes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import NamedTuple

from rich.table import Table

from referee.decks import load_deck
from referee.live import watch_live
from referee.watch import Json
from referee.watch_orders import WatchSettings
from tests.acceptance.truth import Recording, load_recording
from vision.frame import Frame
from vision.live import LiveSource
from vision.live_open import open_live
from vision.source import VideoFile

VERDICT_GOAL_S = 0.5
"""Within which the house promises the verdict after the last Camera card has landed."""

_STANDING = frozenset({"correct", "wrong"})


class Told(NamedTuple):
    """A line, and when it was told."""

    at_s: float
    line: Json


@dataclass(frozen=True, slots=True)
class Latency:
    """What was measured in some real-time replays of recordings.

    Attributes:
        claims_s: From each landing to the first line that tells of it.
        verdicts_s: From the landing that ended each round to the first line that rules on it as
            the last one does.
        missed: Landings and rounds of which no line told.
        false: Claims that were told, and of which the truth knows nothing.
        reversed: Rulings that were told, and gave the cards to others than the last one does.
        frames: Frames that were grabbed.
        dropped: Frames that were dropped, as the machine was late.
    """

    claims_s: list[float] = field(default_factory=list)
    verdicts_s: list[float] = field(default_factory=list)
    missed: int = 0
    false: int = 0
    reversed: int = 0
    frames: int = 0
    dropped: int = 0

    def plus(self, other: Latency) -> Latency:
        """Returns both together."""
        return Latency(
            *(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True))
        )


def measure_latency(video: Path, pack: Path | None = None, repeats: int = 3) -> Latency:
    """Replays a recording with truth beside it in real time, some times over.

    Args:
        video: The recording.
        pack: Its deck; the one that the truth names by default.
        repeats: How many times.
    """
    recording = load_recording(video)
    total = Latency()
    for _ in range(repeats):
        total = total.plus(_measure_once(recording, video, pack))
    return total


def work_out_latency(video: Path, pack: Path | None = None) -> Latency:
    """Follows a recording with truth beside it as on a machine that does nothing else."""
    recording = load_recording(video)
    source = _PacedByWork(VideoFile(video))
    return waits_of(_told_of(source, recording, pack), recording)


def latency_table(latency: Latency, idle: Latency) -> Table:
    """Returns the figures as a table for people.

    Args:
        latency: As measured.
        idle: As worked out for a machine that does nothing else.
    """
    table = Table("From landing to", "Median", "Worst", "Goal", "Times")
    table.title = "Live, a recording at its own pace"
    table.title_justify = "left"
    for name, waits_s, goal in (
        ("claim line", latency.claims_s, ""),
        ("verdict line", latency.verdicts_s, f"{VERDICT_GOAL_S:.2f} s"),
        ("claim, machine idle", idle.claims_s, ""),
        ("verdict, machine idle", idle.verdicts_s, f"{VERDICT_GOAL_S:.2f} s"),
    ):
        if waits_s:
            figures = (f"{median(waits_s):.2f} s", f"{max(waits_s):.2f} s")
            table.add_row(name, *figures, goal, " ".join(f"{wait:.2f}" for wait in sorted(waits_s)))
    table.caption = (
        f"{latency.dropped} of {latency.frames} frames dropped, {latency.missed} lines missed, "
        f"{latency.false} claims false, {latency.reversed} rulings reversed (idle: {idle.missed}, "
        f"{idle.false}, {idle.reversed})"
    )
    return table


def waits_of(told: Sequence[Told], recording: Recording) -> Latency:
    """Returns how long people waited for lines that were told at these moments of a recording."""
    claims_s: list[float] = []
    verdicts_s: list[float] = []
    missed = reversed_ = 0
    true_keys = set()
    for number, truth in enumerate(recording.rounds, start=1):
        for claim in truth.claims:
            key = ("claim", number, claim.key.player, claim.key.card)
            true_keys.add(key)
            told_s = [each.at_s for each in told if _key(each.line) == key]
            claims_s += [told_s[0] - claim.t] if told_s else []
            missed += not told_s
        standing_s = [claim.t for claim in truth.claims if claim.key.verdict in _STANDING]
        rulings = [each for each in told if _key(each.line)[:2] == ("round", number)]
        missed += not rulings
        if rulings and standing_s:
            held = _since_when_it_held(rulings)
            reversed_ += held
            verdicts_s.append(rulings[held].at_s - max(standing_s))
    moments = {(_key(each.line), each.line["t"]) for each in told if each.line["type"] == "claim"}
    # A claim told once more at another time is a second one, and nobody takes it back.
    false = len(moments) - len({key for key, _ in moments} & true_keys)
    return Latency(claims_s, verdicts_s, missed, false, reversed_)


def _since_when_it_held(rulings: Sequence[Told]) -> int:
    """Position of the first ruling from which on the same claims stand and the same cards are won.

    Cards that are cleared away later tell more of a late claim, and change nothing of that.
    """
    essence = [
        (
            each.line.get("won"),
            [
                (claim["player"], claim["card"], claim["verdict"])
                for claim in each.line.get("claims", ())
                if claim["verdict"] in _STANDING
            ],
        )
        for each in rulings
    ]
    different = [number for number, each in enumerate(essence) if each != essence[-1]]
    return different[-1] + 1 if different else 0


def _measure_once(recording: Recording, video: Path, pack: Path | None) -> Latency:
    source = open_live(str(video))
    waits = waits_of(_told_of(source, recording, pack), recording)
    return replace(waits, frames=source.grabbed, dropped=source.dropped)


class _PacedByWork:
    """A recording whose clock goes on by the work of the thread that takes its frames."""

    def __init__(self, video: VideoFile) -> None:
        self._video = video
        self._free_s = 0.0
        self._taken_s = 0.0
        self.frame_count, self.broken = video.frame_count, video.broken

    def now_s(self) -> float:
        """When the work on the newest frame had come this far."""
        return self._free_s + time.thread_time() - self._taken_s

    def frames(self) -> Iterator[Frame]:
        """Gives frames; each starts when it comes, or when the one before it is done."""
        for frame in self._video.frames():
            self._free_s = max(self._free_s, frame.timestamp_s)
            self._taken_s = time.thread_time()
            yield frame
            self._free_s = self.now_s()


def _told_of(
    source: LiveSource | _PacedByWork, recording: Recording, pack: Path | None
) -> list[Told]:
    """Watches a source to its end; returns its lines, and when its own clock told them."""
    settings = WatchSettings(recording.players, recording.lead, recording.variant)
    return [
        Told(source.now_s(), each.line)
        for news in watch_live(source, load_deck(pack or recording.deck), settings)
        for each in news
    ]


def _key(line: Json) -> tuple[str, int, str, str]:
    return line["type"], line.get("round", 0), line.get("player", ""), line.get("card", "")
