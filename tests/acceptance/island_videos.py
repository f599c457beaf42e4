"""Recordings of Exploring Galapagos: every round as it is judged, against the truth."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from referee.watch_orders import WatchSettings
from tests.acceptance.tables import compare_round
from tests.acceptance.videos import Replayed, replay_timed

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class IslandRun:
    """One recording that was replayed.

    Attributes:
        replayed: What came of it.
        rounds: How many were played.
        rounds_right: How many were told with everything right, and when they lay there.
        faults: What is wrong, in words.
    """

    replayed: Replayed
    rounds: int
    rounds_right: int
    faults: tuple[str, ...]


def run_islands(video: Path) -> IslandRun:
    """Decodes a recording, replays it with players named by their side, and compares."""
    truth = json.loads(video.with_suffix(".truth.json").read_text(encoding="utf-8"))
    replayed = replay_timed(video, (video.parent / truth["deck"]).resolve(), WatchSettings())
    faults = compare_hands([line for line in replayed.lines if line["type"] == "hands"], truth)
    return IslandRun(
        replayed=replayed,
        rounds=len(truth["rounds"]),
        rounds_right=sum(not each for each in faults[: len(truth["rounds"])]),
        faults=tuple(fault for each in faults for fault in each),
    )


def compare_hands(told: Sequence[Json], truth: Json) -> list[list[str]]:
    """Returns what is wrong with each round that was played, and with each that was not."""
    sides = {seat["name"]: seat["side"] for seat in truth["seats"]}
    rounds = zip_longest(told, truth["rounds"])
    return [
        [f"round {number}: {fault}" for fault in _faults(line, true, sides)]
        for number, (line, true) in enumerate(rounds, start=1)
    ]


def _faults(line: Json | None, true: Json | None, sides: dict[str, str]) -> list[str]:
    if line is None:
        return ["not told"]
    if true is None:
        return [f"told at {line['t']:.2f} s, was never played"]
    faults = compare_round(line, true, sides)
    if "t" in true and not true["t"] <= line["t"] <= true.get("until", line["t"]):
        faults.append(f"told at {line['t']:.2f} s, expected from {true['t']:.2f} s on")
    return faults
