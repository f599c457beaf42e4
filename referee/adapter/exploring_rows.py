"""Ways to see the cards of an Exploring Galapagos table as rows that lie side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from math import cos, pi, radians, sin

from referee.adapter.exploring_lying import Lying, between, mean_axis, middle
from vision.table import Point

PITCH = 1.3
"""Widths between the middles of neighbours in a row, at most, where people lay them neatly."""

_SKEW = radians(28)
_STEP = 0.5
"""Cards beside each other are moved lengthwise by less than this part of their height."""
_WIDEST = 2.5
_LARGEST_ROW = 4
_AHEAD = (0.8, 2.1)
"""Widths between the middles of a row and of the card locked in before it."""
_ASIDE = 1.2
_MOST_CONTESTED = 4

Row = tuple[int, ...]
"""Numbers of the cards in a row, in the order in which they lie."""


def partitions(cards: Sequence[Lying]) -> Iterator[tuple[Row, ...]]:
    """Gives the ways in which cards may be rows, by how wide a gap ends one.

    A row longer than any hand is cut in every way; a card that lies across before a row may
    be locked in there though it lies beside another row.
    """
    gaps = {
        (i, j): gap
        for i, j in combinations(range(len(cards)), 2)
        if (gap := _gap(cards[i], cards[j])) is not None
    }
    widths = sorted({round(max(gap, PITCH), 3) for gap in gaps.values()} | {PITCH - 0.15, PITCH})
    seen: set[tuple[Row, ...]] = set()
    for width in widths:
        rows = _rows(cards, [pair for pair, gap in gaps.items() if gap <= width])
        for cut in product(*(_cuts(cards, row) for row in rows)):
            for option in _with_singles(cards, [part for parts in cut for part in parts]):
                if option not in seen:
                    seen.add(option)
                    yield option


def misfit_in_front(cards: Sequence[Lying], card: int, row: Row, centre: Point) -> float | None:
    """Returns how ill a card lies before a row, across it and towards the centre.

    None where it does not lie there at all.
    """
    own = [cards[number] for number in row]
    axis = mean_axis(own)
    ahead, aside = _in_frame(own, axis, cards[card].at)
    if _in_frame(own, axis, centre)[0] < 0:
        ahead = -ahead
    skew = pi / 2 - between(axis, cards[card].axis)
    half = max(abs(_in_frame(own, axis, each.at)[1]) for each in own)
    beyond = max(0.0, abs(aside) - half)
    if skew > _SKEW or not _AHEAD[0] < ahead < _AHEAD[1] or beyond > _ASIDE:
        return None
    ideal = (1 + own[0].tall) / 2 + 0.12
    return (skew / _SKEW) ** 2 + ((ahead - ideal) / 0.5) ** 2 + (beyond / 0.7) ** 2


def looseness(cards: Sequence[Lying], row: Row) -> float:
    """Returns by how many widths the gaps of a row are wider than they are in a neat one."""
    gaps = [_gap(cards[i], cards[j]) for i, j in pairwise(row)]
    return sum(max(0.0, (gap or _WIDEST) - PITCH) for gap in gaps)


def tightness(cards: Sequence[Lying], one: Row, other: Row) -> float:
    """Returns by how many widths two rows lie nearer side by side than strangers do."""
    gaps = [gap for i in one for j in other if (gap := _gap(cards[i], cards[j])) is not None]
    return max(0.0, PITCH + 0.1 - min(gaps)) if gaps else 0.0


def _gap(one: Lying, other: Lying) -> float | None:
    """Widths between two cards that lie side by side, or None where they do not."""
    if between(one.axis, other.axis) > _SKEW:
        return None
    ahead, aside = _in_frame([one], mean_axis([one, other]), other.at)
    if abs(ahead) > _STEP * one.tall or abs(aside) > _WIDEST:
        return None
    return abs(aside)


def _in_frame(row: Sequence[Lying], axis: float, point: Point) -> tuple[float, float]:
    """Returns a point seen from a row's middle: along the long sides, and across them."""
    x, y = middle(row)
    dx, dy = point[0] - x, point[1] - y
    return dx * cos(axis) + dy * sin(axis), dy * cos(axis) - dx * sin(axis)


def _rows(cards: Sequence[Lying], pairs: Sequence[tuple[int, int]]) -> list[Row]:
    owner = list(range(len(cards)))
    for one, other in pairs:
        old, new = owner[other], owner[one]
        owner = [new if each == old else each for each in owner]
    groups = {number: [i for i, each in enumerate(owner) if each == number] for number in owner}
    return [_in_order(cards, group) for group in groups.values()]


def _in_order(cards: Sequence[Lying], group: Sequence[int]) -> Row:
    own = [cards[number] for number in group]
    axis = mean_axis(own)
    return tuple(sorted(group, key=lambda number: _in_frame(own, axis, cards[number].at)[1]))


def _cuts(cards: Sequence[Lying], row: Row) -> Sequence[tuple[Row, ...]]:
    """Returns the ways to cut a row into parts that hands can be; one that fits stays whole."""
    if len(row) <= _LARGEST_ROW:
        return [(row,)]
    # A hand has two cards at least: one at the end of a row is none.
    halves: list[tuple[Row, ...]] = [
        (row[:at], row[at:])
        for at in range(2, len(row) - 1)
        if max(at, len(row) - at) <= _LARGEST_ROW
    ]
    if halves:
        return halves
    gaps = [_gap(cards[i], cards[j]) or _WIDEST for i, j in pairwise(row)]
    at = max(range(1, len(gaps) - 1), key=lambda number: gaps[number]) + 1
    return [(*left, *right) for left in _cuts(cards, row[:at]) for right in _cuts(cards, row[at:])]


def _with_singles(cards: Sequence[Lying], rows: Sequence[Row]) -> Iterator[tuple[Row, ...]]:
    """Gives the rows, and what is left of them without cards that may be locked in elsewhere."""
    centre = middle(cards)
    contested = [
        number
        for row in rows
        if len(row) > 1
        for number in {row[0], row[-1]}
        if any(
            misfit_in_front(cards, number, other, centre) is not None
            for other in rows
            if other is not row
        )
    ][:_MOST_CONTESTED]
    for count in range(len(contested) + 1):
        for taken in combinations(contested, count):
            left = [tuple(n for n in row if n not in taken) for row in rows]
            yield tuple(sorted([*(row for row in left if row), *((n,) for n in taken)]))
