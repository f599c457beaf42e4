"""A region as bit masks: a bit for each quarter, so that sets of quarters are whole numbers.

Bits run along the region's narrower side, with a spare bit behind each line, so that shifting by
one or by `width` moves a whole set to its neighbours. Everything an animal covers is one mask:
six bits are a large animal, four a medium one, two a small one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from referee.games.panda_gorilla.lattice import Region

# Masks of all bits are made for so many lines more at a time, for many grids to share.
_LINES = 32


Place = tuple[int, int, int, int, int]
"""Where an animal lies: minus its size, row, column, height and breadth, all in quarters.

Places sort by size, largest first, and then in reading order.
"""


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
        "_left", "_shapes", "_top", "_transposed", "below", "beside", "black", "free",
        "parities", "square", "white", "width",
    )  # fmt: skip

    def __init__(self, region: Region) -> None:
        quarters = region.quarters
        rows, cols = zip(*quarters, strict=True) if quarters else ((0,), (0,))
        self._top, self._left = top, left = min(rows), min(cols)
        lines, breadth = max(rows) - top + 1, max(cols) - left + 1
        self._transposed = is_transposed = breadth > lines
        if is_transposed:
            lines, breadth = breadth, lines
        width: int = breadth + 1
        self.width = width
        down, right = (1, width) if is_transposed else (width, 1)
        start = top * down + left * right
        free = walled_beside = walled_below = 0
        for row, col in quarters:
            free |= 1 << row * down + col * right - start
        for (row, col), (other_row, _) in region.walls:
            bit = 1 << row * down + col * right - start
            if (row == other_row) is is_transposed:
                walled_below |= bit
            else:
                walled_beside |= bit
        self.free = free
        self.beside = beside = free & free >> 1 & ~walled_beside
        self.below = below = free & free >> width & ~walled_below
        self.square = beside & beside >> width & below & below >> 1
        self.parities, self.black, self.white = _colours(width, lines + -lines % _LINES)
        self._shapes = _shapes(width, is_transposed)

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
        """Yields places for medium animals that hang together by sharing quarters."""
        left, width = self.square, self.width
        while left:
            found, grown = 0, left & -left
            while grown != found:
                found = grown
                reach = found | found << 1 | found >> 1
                grown = left & (reach | reach << width | reach >> width)
            left ^= found
            yield found

    def lay_large(self, squares: int, most: int) -> tuple[list[int], int]:
        """Lays large animals down one by one wherever the first one fits.

        Returns:
            Up to so many, and of the places for medium animals those that are left.
        """
        pieces: list[int] = []
        width = self.width
        high, broad = 0b11 | 0b11 << width | 0b11 << 2 * width, 0b111 | 0b111 << width
        while len(pieces) < most:
            lying = squares & squares >> 1
            if not (places := lying | squares & squares >> width):
                break
            first = places & -places
            piece = (broad if lying & first else high) * first
            squares &= ~(piece | piece >> 1 | piece >> width | piece >> width + 1)
            pieces.append(piece)
        return pieces, squares

    def lay_medium(self, squares: int, most: int) -> list[int]:
        """Returns up to so many medium animals, laid down one by one where the first one fits."""
        pieces: list[int] = []
        width = self.width
        medium = 0b11 | 0b11 << width
        while squares and len(pieces) < most:
            piece = medium * (squares & -squares)
            squares &= ~(piece | piece >> 1 | piece >> width | piece >> width + 1)
            pieces.append(piece)
        return pieces

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

    def places(self, pieces: Sequence[int]) -> list[Place]:
        """Returns where animals lie, by size and then in reading order."""
        width, top, left, shapes = self.width, self._top, self._left, self._shapes
        found = []
        for piece in pieces:
            first = (piece & -piece).bit_length() - 1
            row, col = divmod(first, width)
            if self._transposed:
                row, col = col, row
            minus_size, height, breadth = shapes[piece >> first]
            found.append((minus_size, row + top, col + left, height, breadth))
        found.sort()
        return found


@lru_cache(maxsize=64)
def _shapes(width: int, is_transposed: bool) -> dict[int, tuple[int, int, int]]:
    """Returns by the bits of an animal, from its first one on: minus its size, height, breadth."""
    found = {}
    for lines, places in ((3, 2), (2, 3), (2, 2), (2, 1), (1, 2)):
        bits = sum((1 << places) - 1 << width * line for line in range(lines))
        across = (places, lines) if is_transposed else (lines, places)
        found[bits] = (-lines * places, *across)
    return found


@lru_cache(maxsize=64)
def _colours(width: int, lines: int) -> tuple[tuple[int, int, int, int], int, int]:
    """Returns the bits by the parities of line and place, those of one colour, of the other."""
    even = sum(1 << index for index in range(0, width, 2))
    odd = sum(1 << index for index in range(1, width, 2))
    first = sum(1 << width * line for line in range(0, lines, 2))
    second = sum(1 << width * line for line in range(1, lines, 2))
    parities = even * first, odd * first, even * second, odd * second
    return parities, parities[0] | parities[3], parities[1] | parities[2]
