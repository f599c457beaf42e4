"""Regions to pack: drawn as pictures, or grown by chance."""

from __future__ import annotations

from random import Random

from referee.games.panda_gorilla.lattice import Quarter, Region

Wall = tuple[Quarter, Quarter]


def draw_region(*lines: str) -> Region:
    """Returns a region drawn line by line: `#` is a quarter, `|` and `-` are walls.

    Quarters lie at even places of even lines; what is drawn between two of them is their border.
    """
    quarters, walls = set(), set()
    for y, line in enumerate(lines):
        for x, sign in enumerate(line):
            row, col = y // 2, x // 2
            if sign == "#":
                assert y % 2 == x % 2 == 0, f"a quarter between quarters: line {y}, place {x}"
                quarters.add(Quarter(row, col))
            elif sign == "|":
                walls.add((Quarter(row, col), Quarter(row, col + 1)))
            elif sign == "-":
                walls.add((Quarter(row, col), Quarter(row + 1, col)))
            else:
                assert sign == " ", f"an unknown sign: {sign}"
    return Region(frozenset(quarters), frozenset(walls))


def rectangle(rows: int, cols: int) -> Region:
    """Returns an open rectangle of quarters."""
    return Region(frozenset(Quarter(row, col) for row in range(rows) for col in range(cols)))


def grow_region(
    rng: Random, size: int, *, compact: float = 0.5, holes: float = 0.0, walls: float = 0.0
) -> Region:
    """Returns an area of up to so many quarters, grown quarter by quarter on an 8x9 board.

    Args:
        rng: What chance draws from.
        size: How many quarters it has, unless holes shut it in.
        compact: How likely the next quarter is the best surrounded of a few; else it is any.
        holes: How likely a quarter is left out for good.
        walls: How likely a border between two quarters is a wall.
    """
    edge = [Quarter(rng.randrange(16), rng.randrange(18))]
    quarters: set[Quarter] = set()
    seen = set(edge)
    while edge and len(quarters) < size:
        drawn = [rng.randrange(len(edge)) for _ in range(4 if rng.random() < compact else 1)]
        best = max(drawn, key=lambda index: len(quarters.intersection(_around(edge[index]))))
        edge[best], edge[-1] = edge[-1], edge[best]
        quarter = edge.pop()
        if quarters and rng.random() < holes:
            continue
        quarters.add(quarter)
        fresh = [near for near in _around(quarter) if near not in seen and _on_board(near)]
        seen.update(fresh)
        edge += fresh
    return Region(frozenset(quarters), _walls(rng, quarters, walls))


def scatter_region(rng: Random, rows: int, cols: int, *, holes: float, walls: float) -> Region:
    """Returns a rectangle with holes and walls anywhere; it may fall into many pieces."""
    quarters = {q for q in sorted(rectangle(rows, cols).quarters) if rng.random() >= holes}
    return Region(frozenset(quarters), _walls(rng, quarters, walls))


def _walls(rng: Random, quarters: set[Quarter], likely: float) -> frozenset[Wall]:
    return frozenset(
        (quarter, other)
        for quarter in sorted(quarters)
        for other in (
            Quarter(quarter.row, quarter.col + 1),
            Quarter(quarter.row + 1, quarter.col),
        )
        if other in quarters and rng.random() < likely
    )


def _around(quarter: Quarter) -> list[Quarter]:
    row, col = quarter
    return [
        Quarter(row - 1, col),
        Quarter(row, col - 1),
        Quarter(row, col + 1),
        Quarter(row + 1, col),
    ]


def _on_board(quarter: Quarter) -> bool:
    return 0 <= quarter.row < 16 and 0 <= quarter.col < 18
