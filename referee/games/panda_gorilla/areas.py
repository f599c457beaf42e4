"""The zoo areas: lawns that have grown together, and when they are complete.

Rulebook: Action "Scoring", How Much Space Does an Animal Need?
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from referee.games.panda_gorilla.grounds import Grounds, neighbours_of, quarters_of, space_of
from referee.games.panda_gorilla.lattice import Quarter, Region

_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
_CORNER_EDGES = ((0, 3), (0, 1), (2, 1), (2, 3))
"""By quarter, in the order of `QUARTERS`, the two edges of the card that it lies at."""


@dataclass(frozen=True, slots=True)
class Area:
    """A zoo area.

    Attributes:
        quarters: In reading order.
        colour: The lawn's colour.
        is_complete: Whether wall, entrance and paths bound it on all sides.
    """

    quarters: tuple[Quarter, ...]
    colour: str
    is_complete: bool


def find_areas(grounds: Grounds) -> list[Area]:
    """Returns all areas, in reading order of their first quarters.

    An area beside an empty space or a pond is open, for a card may still come there (P14, P15).
    """
    open_quarters = _open_quarters(grounds)
    areas, seen = [], set[Quarter]()
    for quarter in sorted(grounds.lawns):
        if quarter not in seen:
            quarters = grown_together(grounds, quarter)
            seen |= quarters
            is_complete = open_quarters.isdisjoint(quarters)
            areas.append(Area(tuple(sorted(quarters)), grounds.lawns[quarter], is_complete))
    return areas


def grown_together(grounds: Grounds, quarter: Quarter, until: int | None = None) -> set[Quarter]:
    """Returns the quarters of the area that a quarter is of, as it was after the tile `until`.

    Quarters side by side are of one area where no path runs between them and they have the same
    colour; contact at a corner joins nothing.
    """
    lawns, paths, order = grounds.lawns, grounds.paths, grounds.order
    colour = lawns[quarter]
    found, todo = {quarter}, [quarter]
    while todo:
        here = todo.pop()
        for there in _beside(here):
            if there in found or lawns.get(there) != colour:
                continue
            border = (here, there) if here < there else (there, here)
            if border in paths:
                continue
            if until is not None and order[space_of(there)] > until:
                continue
            found.add(there)
            todo.append(there)
    return found


def region_of(grounds: Grounds, area: Area) -> Region:
    """Returns what the area offers to animals: none may lie across a path (P22)."""
    quarters = frozenset(area.quarters)
    walls = [(one, other) for one, other in grounds.paths if one in quarters and other in quarters]
    return Region(quarters, frozenset(walls))


@lru_cache(maxsize=4096)
def _beside(quarter: Quarter) -> tuple[Quarter, ...]:
    row, col = quarter
    return tuple([Quarter(row + south, col + east) for south, east in _STEPS])


def _open_quarters(grounds: Grounds) -> set[Quarter]:
    found = set()
    for space in grounds.faces:
        is_open = [grounds.is_open(neighbour) for neighbour in neighbours_of(space)]
        if any(is_open):
            for quarter, (one, other) in zip(quarters_of(space), _CORNER_EDGES, strict=True):
                if is_open[one] or is_open[other]:
                    found.add(quarter)
    return found
