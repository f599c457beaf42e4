"""A region as bit masks: a bit for each quarter, so that sets of quarters are whole numbers.

Bits run along the region's narrower side, with a spare bit behind each line, so that shifting by
one or by `width` moves a whole set to its neighbours. Everything an animal covers is one mask:
six bits are a large animal, four a medium one, two a small one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from referee.games.panda_gorilla.lattice import Quarter, Region

# Masks of all bits are made for so many lines more at a time, for many grids to share.
_LINES = 32


class BitGrid:
    """The masks that the search for a packing works on.

    Attributes:
        width: How far apart the bits of neighbouring lines are.
        free: All quarters of the region.
        beside: The quarters that a small animal can share with the next one of the line.
        below: The quarters that it can share with the same one of the next line.
        square: The first quarters of all places for a medium animal.
        parities: All bits in four classes by the parity of line and place; every medium animal
            covers one of each, every large one at least one.
        black: All bits of one colour of a chessboard.
        white: All bits of the other.
    """

    __slots__ = (
        "_quarter_at", "_transposed", "below", "beside", "black", "free",
        "parities", "square", "white", "width",
    )  # fmt: skip

    width: int

    def __init__(self, region: Region) -> None:
        rows, cols = zip(*region.quarters, strict=True) if region.quarters else ((0,), (0,))
        top, left = min(rows), min(cols)
        height, breadth = max(rows) - top + 1, max(cols) - left + 1
        self._transposed = breadth > height
        lines, self.width = (breadth, height + 1) if self._transposed else (height, breadth + 1)
        down, right = (1, self.width) if self._transposed else (self.width, 1)
        start = top * down + left * right
        self._quarter_at = {
            1 << quarter.row * down + quarter.col * right - start: quarter
            for quarter in region.quarters
        }
        self.free: int = sum(self._quarter_at)
        self.beside = self.free & self.free >> 1
        self.below = self.free & self.free >> self.width
        for first, second in region.walls:
            bit = 1 << first.row * down + first.col * right - start
            if (first.row == second.row) is self._transposed:
                self.below &= ~bit
            else:
                self.beside &= ~bit
        self.square = self.beside & self.beside >> self.width & self.below & self.below >> 1
        self.parities = _parities(self.width, lines + -lines % _LINES)
        self.black = self.parities[0] | self.parities[3]
        self.white = self.parities[1] | self.parities[2]

    def squares(self, cells: int) -> int:
        """Returns the first quarters of the places for a medium animal in a set."""
        cells &= cells >> 1
        return self.square & cells & cells >> self.width

    def larges(self, squares: int) -> int:
        """Returns all quarters of the places for a large animal, two places for a medium each."""
        lying, standing = squares & squares >> 1, squares & squares >> self.width
        return self.covered(lying | lying << 1 | standing | standing << self.width)

    def covered(self, squares: int) -> int:
        """Returns all quarters of some places for a medium animal."""
        squares |= squares << 1
        return squares | squares << self.width

    def joined(self, cells: int) -> int:
        """Returns the quarters of a set where a small animal can lie."""
        right, below = self.beside & cells & cells >> 1, self.below & cells & cells >> self.width
        return right | right << 1 | below | below << self.width

    def only_neighbours(self, some: int, cells: int) -> int:
        """Returns the neighbours of those quarters that have just one within a set."""
        width = self.width
        right, below = self.beside & cells & cells >> 1, self.below & cells & cells >> width
        left, above = right << 1, below << width
        some &= ~(right & (left | below | above) | left & (below | above) | below & above)
        beside = (some & right) << 1 | (some & left) >> 1
        return beside | (some & below) << width | (some & above) >> width

    def most_pairs(self, cells: int) -> int:
        """Returns how many small animals fit at most: each takes a quarter of either colour."""
        return min((cells & self.black).bit_count(), (cells & self.white).bit_count())

    def most_squares(self, cells: int) -> int:
        """Returns how many medium animals fit at most: each takes a quarter of every parity."""
        one, two, three, four = self.parities
        return min(
            (cells & one).bit_count(),
            (cells & two).bit_count(),
            (cells & three).bit_count(),
            (cells & four).bit_count(),
        )

    def clusters(self) -> Iterator[int]:
        """Yields the quarters where places for medium animals hang together by sharing quarters."""
        left = self.square
        while left:
            found, grown = 0, left & -left
            while grown != found:
                found = grown
                reach = self.covered(found)
                reach |= reach >> 1
                grown = left & (reach | reach >> self.width)
            left ^= found
            yield self.covered(found)

    def components(self, cells: int) -> Iterator[int]:
        """Yields the parts of a set that no small animal joins."""
        beside, below, width = self.beside & cells & cells >> 1, self.below & cells, self.width
        below &= cells >> width
        while cells:
            found, grown = 0, cells & -cells
            while grown != found:
                found = grown
                grown |= (found & beside) << 1 | (found & below) << width
                grown |= found >> 1 & beside | found >> width & below
            cells ^= found
            yield found

    def quarters(self, cells: int) -> tuple[Quarter, ...]:
        """Returns the quarters of a set in reading order."""
        quarter_at, found = self._quarter_at, []
        while cells:
            rest = cells & cells - 1
            found.append(quarter_at[cells ^ rest])
            cells = rest
        if self._transposed:
            found.sort()
        return tuple(found)


@lru_cache(maxsize=64)
def _parities(width: int, lines: int) -> tuple[int, int, int, int]:
    even = sum(1 << index for index in range(0, width, 2))
    odd = sum(1 << index for index in range(1, width, 2))
    first = sum(1 << width * line for line in range(0, lines, 2))
    second = sum(1 << width * line for line in range(1, lines, 2))
    return even * first, odd * first, even * second, odd * second
