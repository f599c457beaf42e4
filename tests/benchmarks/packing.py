"""How fast animals are packed into areas, beside CP-SAT on the same areas in the same run."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from statistics import median

from rich.table import Table

from referee.games.panda_gorilla.areas import find_areas, region_of
from referee.games.panda_gorilla.grounds import Grounds
from referee.games.panda_gorilla.lattice import Region
from referee.games.panda_gorilla.model import Size
from referee.games.panda_gorilla.packing import FULL_SUPPLY, Counts, Supply, pack
from tests.benchmarks.judging import play_panda
from tests.referee.games.panda_gorilla.cp_sat import count_animals
from tests.referee.games.panda_gorilla.regions import grow_region, rectangle

MEDIAN_GOAL = 50
"""How many times faster than CP-SAT the house promises to be in the median."""
WHOLE_BOARD_GOAL_MS = 50.0

_UNLIMITED = Supply(1000, 1000, 1000)
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class PackingTimes:
    """How long the areas of one kind took, each in the best of a few rounds.

    Attributes:
        areas: What they are.
        ours_ms: Milliseconds that each took to pack.
        cp_sat_ms: Milliseconds that CP-SAT took for the same, its model included.
    """

    areas: str
    ours_ms: tuple[float, ...]
    cp_sat_ms: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """How many times longer CP-SAT took, in the median over the areas."""
        pairs = zip(self.cp_sat_ms, self.ours_ms, strict=True)
        return median(theirs / ours for theirs, ours in pairs)


def measure_packing(areas: int = 300) -> list[PackingTimes]:
    """Returns the times of so many areas of any shape, and of the whole board as one area."""
    whole = [rectangle(16, 18)]
    return [
        _measure("4-80 quarters, of played boards", played_regions(areas, 4, 80), FULL_SUPPLY),
        _measure("4-80 quarters, of any shape", random_regions(areas, 4, 80), FULL_SUPPLY),
        _measure("81-160 quarters", random_regions(areas // 10, 81, 160), FULL_SUPPLY),
        _measure("whole 8x9 board, 288 quarters", whole, FULL_SUPPLY),
        _measure("whole 8x9 board, unlimited supply", whole, _UNLIMITED),
    ]


def played_regions(areas: int, least: int, most: int) -> list[Region]:
    """Returns areas of boards three quarters full, laid by legal moves that chance chose."""
    found: list[Region] = []
    for seed in count():
        if len(found) >= areas:
            break
        state, _ = play_panda(seed, 0.75)
        grounds = Grounds(state.setup.board, state.setup.rulings)
        for order, tile in enumerate(state.tiles):
            grounds.lay(tile, order)
        found += [
            region_of(grounds, area)
            for area in find_areas(grounds)
            if least <= len(area.quarters) <= most
        ]
    return found[:areas]


def random_regions(areas: int, least: int, most: int) -> list[Region]:
    """Returns areas of any shape and size within limits, some with holes, some with walls."""
    rng = Random(f"{least} {most}")
    found: list[Region] = []
    while len(found) < areas:
        region = grow_region(
            rng,
            rng.randint(least, most),
            compact=rng.random(),
            holes=rng.choice([0, 0.1, 0.2]),
            walls=rng.choice([0, 0.05, 0.15]),
        )
        if len(region.quarters) >= least:
            found.append(region)
    return found


def packing_table(kinds: Sequence[PackingTimes]) -> Table:
    """Returns the figures as a table for people; milliseconds."""
    table = Table(
        "Areas", "Median", "Worst", "CP-SAT median", "CP-SAT worst", "Times faster, median",
        title=f"Packing, all sizes (goals: {MEDIAN_GOAL} times faster in the median, "
        f"whole board {WHOLE_BOARD_GOAL_MS:.0f} ms)",
        title_justify="left",
    )  # fmt: skip
    for kind in kinds:
        table.add_row(
            f"{kind.areas} ({len(kind.ours_ms)})",
            f"{median(kind.ours_ms):.3f} ms",
            f"{max(kind.ours_ms):.1f} ms",
            f"{median(kind.cp_sat_ms):.2f} ms",
            f"{max(kind.cp_sat_ms):.1f} ms",
            f"{kind.ratio:.0f}",
        )
    return table


def _measure(areas: str, regions: Sequence[Region], supply: Supply) -> PackingTimes:
    def ours(region: Region) -> Counts:
        return pack(region, list(Size), supply).counts

    def theirs(region: Region) -> Counts:
        return count_animals(region, list(Size), supply)

    ours_ms, cp_sat_ms = [], []
    for region in regions:
        took_ms, found = _time(ours, region)
        their_ms, expected = _time(theirs, region)
        assert found == expected, f"{found}, but CP-SAT has {expected}: {region}"
        ours_ms.append(took_ms)
        cp_sat_ms.append(their_ms)
    return PackingTimes(areas, tuple(ours_ms), tuple(cp_sat_ms))


def _time(solve: Callable[[Region], Counts], region: Region) -> tuple[float, Counts]:
    best_s = float("inf")
    gc.collect()
    for _ in range(_ROUNDS):
        started_s = time.perf_counter()
        counts = solve(region)
        best_s = min(best_s, time.perf_counter() - started_s)
    return 1000 * best_s, counts
