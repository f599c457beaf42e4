"""What OR-tools CP-SAT says about packing: another program, told nothing but the rule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import pairwise

from ortools.sat.python import cp_model

from referee.games.panda_gorilla.lattice import Quarter, Region
from referee.games.panda_gorilla.model import Size
from referee.games.panda_gorilla.packing import Counts, Supply

SHAPES = (
    (Size.LARGE, 2, 3),
    (Size.LARGE, 3, 2),
    (Size.MEDIUM, 2, 2),
    (Size.SMALL, 1, 2),
    (Size.SMALL, 2, 1),
)
"""Rows and columns of quarters that an animal covers (How Much Space Does an Animal Need?)."""


def count_animals(region: Region, sizes: Collection[Size], supply: Supply) -> Counts:
    """Returns how many animals move in, proven by CP-SAT in one solve and one thread."""
    model = cp_model.CpModel()
    chosen: dict[Size, list[cp_model.IntVar]] = {size: [] for size in Size}
    covering: dict[Quarter, list[cp_model.IntVar]] = defaultdict(list)
    for size, quarters in placements(region):
        if size in sizes:
            variable = model.new_bool_var("")
            chosen[size].append(variable)
            for quarter in quarters:
                covering[quarter].append(variable)
    for variables in covering.values():
        model.add_at_most_one(variables)
    for size, variables in chosen.items():
        model.add(sum(variables) <= getattr(supply, size))
    # One animal more of a size outweighs all that could be won or lost of the smaller ones.
    weight = len(region.quarters) + 1
    large, medium, small = (sum(chosen[size]) for size in Size)
    model.maximize(weight * weight * large + weight * medium + small)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    assert status == cp_model.OPTIMAL, solver.status_name(status)
    return Counts(*(sum(map(solver.value, chosen[size])) for size in Size))


def placements(region: Region) -> Iterator[tuple[Size, list[Quarter]]]:
    """Yields every place for an animal: its quarters in the area, no wall between two of them."""
    for row, col in sorted(region.quarters):
        for size, rows, cols in SHAPES:
            quarters = [Quarter(row + y, col + x) for y in range(rows) for x in range(cols)]
            if region.quarters.issuperset(quarters) and not _is_crossed(region, quarters, cols):
                yield size, quarters


def _is_crossed(region: Region, quarters: list[Quarter], cols: int) -> bool:
    """Returns whether a wall lies inside a block of quarters, so many of them in a row."""
    beside = pairwise(quarters)  # ends of rows are nobody's neighbours
    below = zip(quarters, quarters[cols:], strict=False)
    return any(pair in region.walls for pairs in (beside, below) for pair in pairs)
