"""Where cards lie on a table of Exploring Galapagos, as its players see it.

The plane of a reading has an origin and a turn that mean nothing. Here it is turned so that the
table's sides run along the axes, the side nearest to the picture's lower edge at the bottom, and
lengths are in widths of a card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, dist, hypot, pi, sin
from statistics import median

from vision.table import PieceReading, Point, Quad

_OFF_SIZE = 0.2
"""An unknown thing whose sides are off by more than this share is none of the cards."""
_SAME_PLACE = 0.6
"""An unknown thing nearer than this to a card, in widths, is a part of it."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A card on the table.

    Attributes:
        piece: As it was read; without a name where nobody knows which card it is.
        x: To the right, in widths of a card.
        y: Towards the picture's lower edge, in widths of a card.
        axis: Direction of its long sides in radians, from 0 (along x) to pi.
        tall: Its height in widths.
    """

    piece: PieceReading
    x: float
    y: float
    axis: float
    tall: float

    @property
    def at(self) -> Point:
        """Its middle."""
        return self.x, self.y


def lay_out(named: Sequence[PieceReading], unknown: Sequence[PieceReading] = ()) -> list[Lying]:
    """Returns the cards in the table's own directions.

    Args:
        named: Cards whose face is known.
        unknown: Things without a name that may be cards; those of another size are left out, and
            those that lie where a card lies.
    """
    if not named:
        return []
    width, height = (median(_sides(piece)[axis] for piece in named) for axis in (0, 1))
    cards = [*named]
    for piece in unknown:
        across, along = _sides(piece)
        if max(abs(across / width - 1), abs(along / height - 1)) > _OFF_SIZE:
            continue
        if all(_apart(piece, card) > _SAME_PLACE * width for card in cards):
            cards.append(piece)
    turn = _turn_to_picture(named)
    laid = [_laid(piece, turn, width, height / width) for piece in cards]
    fours = [4 * card.axis for card in laid]
    turn += atan2(sum(map(sin, fours)), sum(map(cos, fours))) / 4
    return [_laid(piece, turn, width, height / width) for piece in cards]


def centre_of(quad: Sequence[Point]) -> Point:
    """Returns the mean of four corners."""
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4


def between(one: float, other: float) -> float:
    """Returns the angle between two axes, from 0 to pi / 2."""
    off = abs(one - other) % pi
    return min(off, pi - off)


def middle(cards: Sequence[Lying]) -> Point:
    """Returns the mean of the middles of some cards."""
    return sum(c.x for c in cards) / len(cards), sum(c.y for c in cards) / len(cards)


def mean_axis(cards: Sequence[Lying]) -> float:
    """Returns the mean direction of the long sides of some cards."""
    twice = [2 * card.axis for card in cards]
    return atan2(sum(map(sin, twice)), sum(map(cos, twice))) / 2 % pi


def _laid(piece: PieceReading, turn: float, width: float, tall: float) -> Lying:
    quad = [_turned(corner, -turn) for corner in _plane_quad(piece)]
    x, y = centre_of(quad)
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise((*quad, quad[0]))]
    first = 0 if lengths[0] + lengths[2] > lengths[1] + lengths[3] else 1
    start, end = quad[first], quad[first + 1]
    axis = atan2(end[1] - start[1], end[0] - start[0]) % pi
    return Lying(piece, x / width, y / width, axis, tall)


def _turn_to_picture(pieces: Sequence[PieceReading]) -> float:
    """Returns the angle of the picture's right in the plane: of the rotation nearest to its map."""
    seen = [corner for piece in pieces for corner in piece.quad_px]
    laid = [corner for piece in pieces for corner in _plane_quad(piece)]
    seen, laid = _centred(seen), _centred(laid)
    # Of a map that shortens one direction (a tilted camera) the two would differ; whitening the
    # pixels first leaves the map itself.
    xx, xy, yy = (sum(p[i] * p[j] for p in seen) for i, j in ((0, 0), (0, 1), (1, 1)))
    det = max(xx * yy - xy * xy, 1e-9)
    ux, uy, vx, vy = (
        sum(p[i] * q[j] for p, q in zip(seen, laid, strict=True))
        for i, j in ((0, 0), (1, 0), (0, 1), (1, 1))
    )
    a, b = (ux * yy - uy * xy) / det, (uy * xx - ux * xy) / det
    c, d = (vx * yy - vy * xy) / det, (vy * xx - vx * xy) / det
    return atan2(c - b, a + d)


def _centred(points: Sequence[Point]) -> list[Point]:
    x, y = (sum(point[axis] for point in points) / len(points) for axis in (0, 1))
    return [(point[0] - x, point[1] - y) for point in points]


def _sides(piece: PieceReading) -> tuple[float, float]:
    quad = _plane_quad(piece)
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise((*quad, quad[0]))]
    one, other = (lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2
    return min(one, other), max(one, other)


def _apart(one: PieceReading, other: PieceReading) -> float:
    return dist(centre_of(_plane_quad(one)), centre_of(_plane_quad(other)))


def _plane_quad(piece: PieceReading) -> Quad:
    return piece.quad_px if piece.quad_mm is None else piece.quad_mm


def _turned(point: Point, turn: float) -> Point:
    cosine, sine = cos(turn), sin(turn)
    return cosine * point[0] - sine * point[1], sine * point[0] + cosine * point[1]
