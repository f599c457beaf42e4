"""Recordings of Panda, Gorilla & Co: what is placed when, what is scored, against the truth."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.watch_orders import WatchSettings
from tests.acceptance.videos import Replayed, replay_timed

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ZooRun:
    """One recording that was replayed.

    Attributes:
        replayed: What came of it.
        placed: How many cards and chips were placed while it ran.
        faults: What is wrong, in words.
        frames_off: By how many frames each placement was told too late or too early.
    """

    replayed: Replayed
    placed: int
    faults: tuple[str, ...]
    frames_off: tuple[int, ...]


def run_zoo(video: Path) -> ZooRun:
    """Decodes a recording, replays it, and compares."""
    truth = json.loads(video.with_suffix(".truth.json").read_text(encoding="utf-8"))
    replayed = replay_timed(video, (video.parent / truth["deck"]).resolve(), WatchSettings())
    faults, times = compare_placed(replayed.lines, truth)
    return ZooRun(
        replayed=replayed,
        placed=len(times),
        faults=(*faults, *compare_scored(replayed.lines, truth)),
        frames_off=tuple(round(abs(got - wanted) * truth["fps"]) for got, wanted in times),
    )


def compare_placed(
    lines: Iterable[Json], truth: Json
) -> tuple[list[str], list[tuple[float, float]]]:
    """Returns what is wrong about the placements, and the times told and true of the right ones."""
    told = [line for line in lines if line["type"] == "placed"]
    got_start = Counter(_tile(line) for line in told if line["t"] == 0)
    true_start = Counter(_tile(tile) for tile in _start(truth))
    faults = [f"at the start: {tile} not expected" for tile in got_start - true_start]
    faults += [f"at the start: {tile} expected" for tile in true_start - got_start]
    got, wanted = [line for line in told if line["t"] > 0], list(truth["placed"])
    times: list[tuple[float, float]] = []
    for line, true in zip(got, wanted, strict=False):
        if _tile(line) != _tile(true):
            faults.append(f"{line['t']:.2f} s: {_tile(line)}, expected {_tile(true)}")
            continue
        times.append((line["t"], true["t"]))
        if "chip" in true:
            times.append((line["chip"]["t"], true["chip"]["t"]))
    faults += [f"{line['t']:.2f} s: {_tile(line)} not expected" for line in got[len(wanted) :]]
    faults += [f"{true['t']:.2f} s: {_tile(true)} expected" for true in wanted[len(got) :]]
    return faults, times


def compare_scored(lines: Iterable[Json], truth: Json) -> list[str]:
    """Returns what is wrong about the areas that were scored."""
    got = [line for line in lines if line["type"] == "scored"]
    told, wanted = ([_area(area) for area in areas] for areas in (got, truth["scored"]))
    if told != wanted:
        return [f"scored: {told}, expected {wanted}"]
    slack_s = 3 / truth["fps"]
    return [
        f"scored at {line['t']:.2f} s, expected {true['t']:.2f} s"
        for line, true in zip(got, truth["scored"], strict=True)
        if abs(line["t"] - true["t"]) > slack_s
    ]


def _start(truth: Json) -> list[Json]:
    chips = {(chip["row"], chip["col"]): chip for chip in truth["start"]["chips"]}
    # A pond that was built over before the recording began cannot be seen.
    tiles = {(tile["row"], tile["col"]): tile for tile in truth["start"]["tiles"]}
    return [
        {**tile, "chip": chips[place]} if place in chips else tile for place, tile in tiles.items()
    ]


def _tile(placed: Json) -> str:
    card = "a pond" if "pond" in placed else f"{placed['card']} turned by {placed['rotation']}"
    words = f"{card} on row {placed['row']}, column {placed['col']}"
    if "chip" in placed:
        chip = placed["chip"]
        words += f" with {chip['player']}'s {chip['size']} chip on {chip['quarter']}"
    return words


def _area(area: Json) -> str:
    points = {player: number for player, number in sorted(area["points"].items()) if number}
    return f"{sorted(area['quarters'])} {area['animals']} {points}"
