"""Searches that place so many animals in a region of bits, or prove that they do not fit.

Each looks at the first quarter still of use: an animal begins there, or nothing lies on it. Before
that it drops what is of no use and compares what is left with what is wanted; and it remembers
what failed, for the same rest is met over and over. All of them are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from referee.games.panda_gorilla.bitgrid import BitGrid
from referee.games.panda_gorilla.pairing import pair, settle

Pieces = list[int]
"""The quarters of each animal: six, four or two bits."""

_Rest = tuple[int, int, int, int]
"""A cluster's quarters still of use, all open quarters, large and medium animals wanted there."""

_NEVER = 1 << 30

# A search that failed so often is no easy one: a bound that costs more begins to pay.
_EASY = 60

# In more quarters that bound would be sought deeper than Python likes to call.
_DEEP = 1500


class Cluster(NamedTuple):
    """Quarters in which so many large and medium animals are to lie."""

    cells: int
    large: int
    medium: int

    @property
    def pairs(self) -> int:
        """How many small animals would lie there instead."""
        return 3 * self.large + 2 * self.medium

    @property
    def is_full(self) -> bool:
        """Whether they leave no quarter free."""
        return 6 * self.large + 4 * self.medium == self.cells.bit_count()


class _Later(NamedTuple):
    """The clusters that come after the one in hand, all their quarters, and all their pairs."""

    clusters: Sequence[Cluster]
    kept: int
    pairs: int


class Search:
    """The searches over one region; what failed for one question serves the next."""

    def __init__(self, grid: BitGrid) -> None:
        self._grid = grid
        self._width = width = grid.width
        self._square, self._parities = grid.square, grid.parities
        self._lying = 0b111 | 0b111 << width
        self._standing = 0b11 | 0b11 << width | 0b11 << 2 * width
        self._medium = 0b11 | 0b11 << width
        self._uncovered = {0: (-1, 0)}
        self._failed: dict[tuple[int, int], int] = {}
        self._failed_small: dict[_Rest, int] = {}

    def place(self, cells: int, large: int, medium: int) -> Pieces | None:
        """Returns so many large and medium animals, or None where they do not fit together."""
        if not (large or medium):
            return []
        failed, passed = self._failed, []
        while True:
            cells, squares = self._narrow(cells, large, medium)
            key = (cells, large)
            if not cells or failed.get(key, _NEVER) <= medium:
                break
            if medium and len(failed) > _EASY and not self._can_cover(cells, large, medium):
                break
            first = cells & -cells
            # It is the first quarter of a place, or it would not be of use.
            for piece, larges, mediums in self._options(squares, first, large, medium):
                found = self.place(cells ^ piece, larges, mediums)
                if found is not None:
                    found.append(piece)
                    return found
            passed.append(key)
            cells ^= first
        for key in passed:
            failed[key] = medium
        return None

    def place_with_small(
        self, clusters: Sequence[Cluster], open_: int, small: int
    ) -> Pieces | None:
        """Returns what clusters want and at least so many small animals, or None.

        Open are the quarters of the clusters and whatever else small animals may lie on.
        """
        if not clusters:
            open_ &= self._grid.joined(open_)
            if self._grid.most_pairs(open_) < small:
                return None
            pairs = pair(self._grid, open_)
            return pairs if len(pairs) >= small else None
        first, *others = clusters
        kept = sum([cluster.cells for cluster in others])
        later = _Later(others, kept, sum([cluster.pairs for cluster in others]))
        return self._place_with_small(first, open_, small, later)

    def _place_with_small(
        self, wanted: tuple[int, int, int], open_: int, small: int, later: _Later
    ) -> Pieces | None:
        cells, large, medium = wanted
        if not (large or medium):
            return self.place_with_small(later.clusters, open_, small)
        passed: list[tuple[_Rest, int]] = []
        pairs, kept = small + 3 * large + 2 * medium + later.pairs, later.kept
        settled: Pieces = []
        failed = self._failed_small
        while True:
            cells, squares = self._narrow(cells, large, medium)
            if not cells:
                break
            if len(failed) > _EASY:
                open_, pieces = settle(self._grid, open_, cells | kept)
                settled += pieces
                pairs -= len(pieces)
                small -= len(pieces)
            else:
                open_ &= self._grid.joined(open_) | cells | kept
            claimed = self._claimed(cells, open_, pairs, kept)
            if claimed is None:
                break
            if claimed:
                cells ^= claimed
                continue
            key = (cells, open_, large, medium)
            is_hard = len(failed) > _EASY
            if failed.get(key, _NEVER) <= pairs or (
                is_hard and not self._can_cover(cells, large, medium)
            ):
                break
            first = cells & -cells
            for piece, larges, mediums in self._options(squares, first, large, medium):
                found = self._place_with_small(
                    (cells ^ piece, larges, mediums), open_ ^ piece, small, later
                )
                if found is not None:
                    return [*found, piece, *settled]
            passed.append((key, pairs))
            cells ^= first
        failed.update(passed)
        return None

    def _claimed(self, cells: int, open_: int, pairs: int, kept: int) -> int | None:
        """Returns the quarters that small animals must have of some, or None if too few are open.

        A small animal takes a black and a white quarter. Where no black one can be spared, each
        that no larger animal may lie on needs a white one, be it the only one beside it.
        """
        grid = self._grid
        black, white = open_ & grid.black, open_ & grid.white
        spare_black, spare_white = black.bit_count() - pairs, white.bit_count() - pairs
        if spare_black > 0 and spare_white > 0:
            return 0
        if spare_black < 0 or spare_white < 0:
            return None
        needy = (0 if spare_black else black) | (0 if spare_white else white)
        needy &= ~(cells | kept)
        return grid.only_neighbours(needy, open_) & cells if needy else 0

    def _can_cover(self, cells: int, large: int, medium: int) -> bool:
        """Returns whether large and medium animals of any number can cover as many quarters."""
        quarters = cells.bit_count()
        return quarters > _DEEP or self._covers(cells, quarters - 6 * large - 4 * medium)

    def _covers(self, cells: int, spare: int) -> bool:
        """Returns whether large and medium animals can cover all but so many quarters."""
        grid, known, passed = self._grid, self._uncovered, []
        covers = False
        while True:
            before = cells.bit_count()
            squares = grid.squares(cells)
            cells = grid.covered(squares)
            spare -= before - cells.bit_count()
            low, high = known.get(cells, (-1, _NEVER))
            if spare <= low or spare >= high:
                covers = spare >= high
                break
            passed.append((cells, spare))
            first = cells & -cells
            for piece, _, _ in self._options(squares, first, 1, 1):
                if self._covers(cells ^ piece, spare):
                    covers = True
                    break
            if covers:
                break
            cells ^= first
            spare -= 1
        for cells, spare in passed:
            low, high = known.get(cells, (-1, _NEVER))
            known[cells] = (low, min(high, spare)) if covers else (max(low, spare), high)
        return covers

    def _narrow(self, cells: int, large: int, medium: int) -> tuple[int, int]:
        """Returns the quarters of use and where squares begin; no quarters if they are too few."""
        width = self._width
        squares = cells & cells >> 1
        squares &= self._square & squares >> width
        if large:
            lying, standing = squares & squares >> 1, squares & squares >> width
            larges = lying | lying << 1 | standing | standing << width
            larges |= larges << 1
            larges |= larges << width
            if larges.bit_count() < 6 * large:
                return 0, 0
            if not medium:
                return larges, squares
        cells = squares | squares << 1
        cells |= cells << width
        wanted = large + medium
        if cells.bit_count() < 4 * wanted + 2 * large:
            return 0, 0
        for parity in self._parities:
            if (cells & parity).bit_count() < wanted:
                return 0, 0
        return cells, squares

    def _options(
        self, squares: int, first: int, large: int, medium: int
    ) -> list[tuple[int, int, int]]:
        """Returns the animals that begin at a quarter, each with what is wanted after it."""
        if not large:
            return [(self._medium * first, 0, medium - 1)]
        options = []
        if squares >> 1 & first:
            options.append((self._lying * first, large - 1, medium))
        if squares >> self._width & first:
            options.append((self._standing * first, large - 1, medium))
        if medium:
            options.append((self._medium * first, large, medium - 1))
        return options
