"""How long people wait: from a Camera card's landing to its claim and to the verdict, live.

The recording stands in for a camera, at its own pace, through the same source, thread and buffer.
Landings are those of the truth beside the recording, so that a late look is not excused by a late
time. The verdict of a round is measured from the landing of the Camera card that ended it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from rich.table import Table

from referee.decks import load_deck
from referee.live import watch_live
from referee.watch import Json
from referee.watch_orders import WatchSettings
from tests.acceptance.truth import Recording, load_recording
from vision.live_open import open_live

VERDICT_GOAL_S = 0.5
"""Within which the house promises the verdict after the last Camera card has landed."""

_STANDING = frozenset({"correct", "wrong"})


@dataclass(frozen=True, slots=True)
class Latency:
    """What was measured in some real-time replays of a recording.

    Attributes:
        claims_s: From each landing to the first line that tells of it.
        verdicts_s: From the landing that ended each round to the first line that rules on it.
        missed: Landings and rounds of which no line told.
        frames: Frames that were grabbed.
        dropped: Frames that were dropped, as the machine was late.
    """

    claims_s: list[float] = field(default_factory=list)
    verdicts_s: list[float] = field(default_factory=list)
    missed: int = 0
    frames: int = 0
    dropped: int = 0


def measure_latency(video: Path, pack: Path, repeats: int = 3) -> Latency:
    """Replays a recording with truth beside it in real time, some times over."""
    recording = load_recording(video)
    runs = [_measure_once(recording, video, pack) for _ in range(repeats)]
    return Latency(
        [wait_s for run in runs for wait_s in run.claims_s],
        [wait_s for run in runs for wait_s in run.verdicts_s],
        sum(run.missed for run in runs),
        sum(run.frames for run in runs),
        sum(run.dropped for run in runs),
    )


def latency_table(latency: Latency) -> Table:
    """Returns the figures as a table for people."""
    table = Table("From landing to", "Median", "Worst", "Goal", "Times")
    table.title = "Live, a recording at its own pace"
    table.title_justify = "left"
    for name, waits_s, goal in (
        ("claim line", latency.claims_s, ""),
        ("verdict line", latency.verdicts_s, f"{VERDICT_GOAL_S:.2f} s"),
    ):
        if waits_s:
            figures = (f"{median(waits_s):.2f} s", f"{max(waits_s):.2f} s")
            table.add_row(name, *figures, goal, " ".join(f"{wait:.2f}" for wait in sorted(waits_s)))
    table.caption = (
        f"{latency.dropped} of {latency.frames} frames dropped, {latency.missed} lines missed"
    )
    return table


def waits_of(told: Sequence[tuple[float, Json]], recording: Recording) -> Latency:
    """Returns how long people waited for lines that were told at these moments of a recording.

    A claim counts as told by its first line, a ruling by its last: before, it was another one.
    """
    claims_s: list[float] = []
    verdicts_s: list[float] = []
    missed = 0
    for number, truth in enumerate(recording.rounds, start=1):
        for claim in truth.claims:
            key = ("claim", number, claim.key.player, claim.key.card)
            told_s = [at_s for at_s, line in told if _key(line) == key]
            claims_s += [told_s[0] - claim.t] if told_s else []
            missed += not told_s
        standing_s = [claim.t for claim in truth.claims if claim.key.verdict in _STANDING]
        ruled_s = [at_s for at_s, line in told if _key(line)[:2] == ("round", number)]
        verdicts_s += [ruled_s[-1] - max(standing_s)] if ruled_s and standing_s else []
        missed += not ruled_s
    return Latency(claims_s, verdicts_s, missed)


def _measure_once(recording: Recording, video: Path, pack: Path) -> Latency:
    source = open_live(str(video))
    settings = WatchSettings(recording.players, recording.lead, recording.variant)
    told = [
        (source.now_s(), each.line)
        for news in watch_live(source, load_deck(pack), settings)
        for each in news
    ]
    waits = waits_of(told, recording)
    return Latency(waits.claims_s, waits.verdicts_s, waits.missed, source.grabbed, source.dropped)


def _key(line: Json) -> tuple[str, int, str, str]:
    return line["type"], line.get("round", 0), line.get("player", ""), line.get("card", "")
