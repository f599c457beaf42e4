"""How long one photograph takes: from the command to the end of its answer, in its own process."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from tests.benchmarks.measuring import COMMAND, wait_for_end
from vision.photo import read_photo

_ROOT = Path(__file__).parents[2]
PICTURES = {
    "galapa-go": "table.jpg",
    "exploring-galapagos": "exploring-galapagos.jpg",
    "panda-gorilla": "panda-gorilla.jpg",
}
"""Of each game the sample picture; on it lies the house deck, which is called as the game is."""
GOAL_S = 3.0
"""Within which one photograph of 1920x1080 is scored on two cores, start included."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """One photograph, scored.

    Attributes:
        game: Whose table it shows.
        size: Its width and height.
        decode_s: Seconds that decoding it took, alone.
        total_s: Seconds from the command to its end.
        busy_s: Seconds that cores were kept busy; where nothing else runs it takes no longer.
    """

    game: str
    size: tuple[int, int]
    decode_s: float
    total_s: float
    busy_s: float


def measure_scoring(games: Sequence[str] = tuple(PICTURES), repeats: int = 3) -> list[Scoring]:
    """Scores the sample picture of some games; the quickest of some times counts."""
    return [
        min((_score_once(game) for _ in range(repeats)), key=lambda each: each.total_s)
        for game in games
    ]


def scoring_table(scorings: Sequence[Scoring]) -> Table:
    """Returns the figures as a table for people."""
    table = Table("Game", "Picture", "Decoding alone", "Command to end", "Cores busy")
    table.title = f"One photograph, goal {GOAL_S:.0f} s"
    table.title_justify = "left"
    for each in scorings:
        table.add_row(
            each.game, f"{each.size[0]}x{each.size[1]}", f"{1000 * each.decode_s:.0f} ms",
            f"{each.total_s:.2f} s", f"{each.busy_s:.2f} s",
        )  # fmt: skip
    return table


def _score_once(game: str) -> Scoring:
    picture, pack = _ROOT / "tests/data/pictures" / PICTURES[game], _ROOT / "datasets/decks" / game
    started_s = time.perf_counter()
    height, width = read_photo(picture).shape[:2]
    decode_s = time.perf_counter() - started_s
    order = [*COMMAND, "score", str(picture), "--deck", str(pack), "--json"]
    started_s = time.perf_counter()
    with subprocess.Popen(order, stdout=subprocess.DEVNULL) as child:
        usage = wait_for_end(child)
    total_s = time.perf_counter() - started_s
    if child.returncode:
        sys.exit(f"{picture}: expected an answer, got the exit code {child.returncode}")
    return Scoring(game, (width, height), decode_s, total_s, usage.ru_utime + usage.ru_stime)
