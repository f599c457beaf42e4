"""Which animals move into an area, and where they lie (Scoring; P19 to P23, P28).

Large animals move in first, then medium, then small, and whoever places a later one may move the
earlier: so the result is the lexicographic maximum of (large, medium, small) over all placements.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from referee.games.panda_gorilla.lattice import Quarter, Region
from referee.games.panda_gorilla.model import Size


@dataclass(frozen=True, slots=True)
class Counts:
    """A number of animals of each size."""

    large: int = 0
    medium: int = 0
    small: int = 0


Supply = Counts
"""The animals that lie beside the board."""

FULL_SUPPLY = Supply(large=17, medium=15, small=27)
"""All animals of the box (Components)."""


@dataclass(frozen=True, slots=True)
class Animal:
    """An animal that has moved in; its quarters are in reading order."""

    size: Size
    quarters: tuple[Quarter, ...]


@dataclass(frozen=True, slots=True)
class Packing:
    """The animals of an area, by size and then in reading order, and how many they are."""

    animals: tuple[Animal, ...]
    counts: Counts


def pack(region: Region, sizes: Collection[Size], supply: Supply = FULL_SUPPLY) -> Packing:
    """Returns a packing that no other beats: most large, then most medium, then most small.

    Args:
        region: The area; it may be of several pieces.
        sizes: The sizes whose chip lies in the area; no other moves in.
        supply: How many animals of each size there are to move in.
    """
    limits = tuple(getattr(supply, size) if size in sizes else 0 for size in Size)
    grid = _Grid(region)
    large, medium, small = 0, 0, 0
    placed: list[tuple[Size, int]] = []
    for large in range(limits[0], -1, -1):
        if (found := grid.fill(grid.free, large, 0, 0)) is not None:
            placed = found
            break
    for medium in range(limits[1], -1, -1):
        if (found := grid.fill(grid.free, large, medium, 0)) is not None:
            placed = found
            break
    for small in range(limits[2], -1, -1):
        if (found := grid.fill(grid.free, large, medium, small)) is not None:
            placed = found
            break
    animals = sorted(
        (Animal(size, grid.quarters(cells)) for size, cells in placed),
        key=lambda animal: (tuple(Size).index(animal.size), animal.quarters),
    )
    return Packing(tuple(animals), Counts(large, medium, small))


class _Grid:
    """A region as bit masks: a bit for each quarter, row by row, and a spare column."""

    def __init__(self, region: Region) -> None:
        self._top = min((quarter.row for quarter in region.quarters), default=0)
        self._left = min((quarter.col for quarter in region.quarters), default=0)
        right = max((quarter.col for quarter in region.quarters), default=0)
        self.width = right - self._left + 2
        self.free = sum(self._bit(quarter) for quarter in region.quarters)
        self.beside = self.free & self.free >> 1
        self.below = self.free & self.free >> self.width
        for first, second in region.walls:
            if first.row == second.row:
                self.beside &= ~self._bit(first)
            else:
                self.below &= ~self._bit(first)
        square = self.beside & self.beside >> self.width & self.below & self.below >> 1
        self.square = square

    def fill(self, free: int, large: int, medium: int, small: int) -> list[tuple[Size, int]] | None:
        """Returns so many animals in free quarters, or None where they do not fit."""
        return self._fill(free, large, medium, small, set())

    def _fill(
        self, free: int, large: int, medium: int, small: int, failed: set[tuple[int, int, int, int]]
    ) -> list[tuple[Size, int]] | None:
        if not (large or medium or small):
            return []
        key = (free, large, medium, small)
        if free.bit_count() < 6 * large + 4 * medium + 2 * small or key in failed:
            return None
        first = free & -free
        for size, cells in self._options(free, first):
            left = (
                large - (size is Size.LARGE),
                medium - (size is Size.MEDIUM),
                small - (size is Size.SMALL),
            )
            if min(left) >= 0:
                found = self._fill(free & ~cells, *left, failed)
                if found is not None:
                    return [(size, cells), *found]
        found = self._fill(free & ~first, large, medium, small, failed)
        if found is None:
            failed.add(key)
        return found

    def _options(self, free: int, first: int) -> list[tuple[Size, int]]:
        width = self.width
        pair = first | first << 1
        options = []
        for size, cells, squares in (
            (Size.LARGE, pair | first << 2 | (pair | first << 2) << width, pair),
            (Size.LARGE, pair | pair << width | pair << 2 * width, first | first << width),
            (Size.MEDIUM, pair | pair << width, first),
        ):
            if squares & ~self.square == 0 and cells & ~free == 0:
                options.append((size, cells))
        if first & self.beside and pair & ~free == 0:
            options.append((Size.SMALL, pair))
        if first & self.below and (first << width) & free:
            options.append((Size.SMALL, first | first << width))
        return options

    def quarters(self, cells: int) -> tuple[Quarter, ...]:
        """Returns the quarters of a mask in reading order."""
        return tuple(
            Quarter(self._top + index // self.width, self._left + index % self.width)
            for index in range(cells.bit_length())
            if cells >> index & 1
        )

    def _bit(self, quarter: Quarter) -> int:
        return 1 << (quarter.row - self._top) * self.width + quarter.col - self._left
