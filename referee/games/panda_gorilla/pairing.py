"""How many small animals fit beside each other: a maximum matching of quarters."""

from __future__ import annotations

from referee.games.panda_gorilla.bitgrid import BitGrid


def settle(grid: BitGrid, cells: int, kept: int) -> tuple[int, list[int]]:
    """Places the small animals that cost nothing, and drops quarters where none fits.

    A quarter with one neighbour may as well be paired with it, where neither is kept for others.

    Returns:
        The quarters still open, those kept among them, and the small animals placed.
    """
    width = grid.width
    placed: list[int] = []
    while loose := cells & ~kept:
        right, below = grid.beside & cells & cells >> 1, grid.below & cells & cells >> width
        left, above = right << 1, below << width
        once = right | left | below | above
        cells &= once | kept
        loose &= once & ~(right & (left | below | above) | left & (below | above) | below & above)
        before, open_ = len(placed), cells & ~kept
        if not loose:
            break
        # Ends that point the same way never share their neighbour, so they are paired at once.
        for step, ends in (
            (1, loose & right),
            (1, (loose & left) >> 1),
            (width, loose & below),
            (width, (loose & above) >> width),
        ):
            if ends and (ends := ends & open_ & open_ >> step):
                open_ &= ~(ends | ends << step)
                placed += _each(ends, step)
        if len(placed) == before:
            break
        cells = open_ | cells & kept
    return cells, placed


def _each(ends: int, step: int) -> list[int]:
    pairs = []
    while ends:
        end = ends & -ends
        pairs.append(end | end << step)
        ends ^= end
    return pairs


def pair(grid: BitGrid, cells: int) -> list[int]:
    """Returns as many small animals as fit into a set of quarters."""
    if not cells & cells - 1:
        return []
    cells, placed = settle(grid, cells, 0)
    if not cells:
        return placed
    core, rest, paired = cells, cells, []
    while rest:
        # No quarter has a single neighbour: pair the first with one, and mend later.
        first = rest & -rest
        second = first << (1 if first & grid.beside and first << 1 & rest else grid.width)
        paired.append(first | second)
        rest, forced = settle(grid, rest ^ (first | second), 0)
        paired += forced
    most = min((core & grid.black).bit_count(), (core & grid.white).bit_count())
    if len(paired) < most:
        paired = _augment(grid, core, paired)
    return placed + paired


def _augment(grid: BitGrid, cells: int, paired: list[int]) -> list[int]:
    """Mends a matching until no path of changes makes it larger (Berge)."""
    mates: dict[int, int] = {}
    for both in paired:
        first = both & -both
        mates[first], mates[both ^ first] = both ^ first, first
    lonely = cells & grid.black
    while lonely:
        start = lonely & -lonely
        lonely ^= start
        if start not in mates:
            _mend(grid, cells, mates, start)
    return [first | second for first, second in mates.items() if first < second]


def _mend(grid: BitGrid, cells: int, mates: dict[int, int], start: int) -> None:
    width, waiting = grid.width, [start]
    came_from: dict[int, int] = {}
    while waiting:
        here = waiting.pop()
        right, below = (here & grid.beside) << 1, (here & grid.below) << width
        left, above = here >> 1 & grid.beside, here >> width & grid.below
        for there in (right, below, left, above):
            if not there & cells or there in came_from:
                continue
            came_from[there] = here
            if there in mates:
                waiting.append(mates[there])
                continue
            end: int | None = there
            while end is not None:
                before = came_from[end]
                next_end = mates.get(before)
                mates[before], mates[end] = end, before
                end = next_end
            return
