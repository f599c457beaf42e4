"""Whether cards lie so near the edge of a picture that it may cut off others beside them.

A row goes on to the left and right of its cards' faces; what is locked in lies crosswise, so that
to its left and right are its owner's row and the middle of the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import dist, hypot, inf

from referee.adapter.exploring_lying import centre_of
from vision.table import PieceReading, Point, Quad

_ROOM = 1.0
"""Heights of a card to the edge of the picture, at the sides of a face, in which one beside it is
seen that lies crosswise or to which it lies crosswise. On 308 photographs of whole tables no
shared or locked-in card had less than 1.2."""

_BEYOND = 0.8
"""Heights of a card from its middle to that of another one that lies above or below it."""


def may_be_cut(
    cards: Sequence[PieceReading], size_px: tuple[int, int], *, is_row: bool = False
) -> bool:
    """Returns whether a card beside some cards may lie outside the picture.

    Args:
        cards: Some that were seen; where one without a name lies is not asked.
        size_px: Width and height of the picture.
        is_row: Whether they lie side by side, so that a next one does so, too.
    """
    return any(
        _room(at, way, size_px) < _wanted(piece.quad_px, is_row=is_row)
        for piece in cards
        if piece.face_id is not None
        for at, way in _aside(piece.quad_px)
    )


def is_at_edge(locked: PieceReading, row: Sequence[PieceReading], size_px: tuple[int, int]) -> bool:
    """Returns whether the picture ends so soon behind a locked-in card that it may be another's.

    Args:
        locked: A card that lies before a row.
        row: The row, to its left or right.
        size_px: Width and height of the picture.
    """
    if locked.face_id is None or not row:
        return False
    x, y = centre_of(locked.quad_px)
    to_row = [sum(centre_of(p.quad_px)[axis] for p in row) / len(row) for axis in (0, 1)]
    return any(
        _room(at, way, size_px) < _wanted(locked.quad_px, is_row=False)
        for at, way in _aside(locked.quad_px)
        if way[0] * (to_row[0] - x) + way[1] * (to_row[1] - y) < 0
    )


def lies_between(card: PieceReading, others: Sequence[Sequence[PieceReading]]) -> bool:
    """Returns whether some of other cards lie above a face and some below it, as it lies."""
    a, _, _, d = card.quad_px
    x, y = centre_of(card.quad_px)
    high_px = dist(a, d)
    below = [
        ((u - x) * (d[0] - a[0]) + (v - y) * (d[1] - a[1])) / high_px**2
        for cards in others
        for u, v in (centre_of(piece.quad_px) for piece in cards if piece.face_id is not None)
    ]
    return bool(below) and min(below) < -_BEYOND and max(below) > _BEYOND


def _wanted(quad: Quad, *, is_row: bool) -> float:
    return dist(quad[0], quad[1]) if is_row else _ROOM * dist(quad[1], quad[2])


def _aside(quad: Quad) -> Iterator[tuple[Point, Point]]:
    """Gives the middles of the left and of the right side of a face, and the ways out there."""
    a, b, c, d = quad
    left, right = ((a[0] + d[0]) / 2, (a[1] + d[1]) / 2), ((b[0] + c[0]) / 2, (b[1] + c[1]) / 2)
    across = right[0] - left[0], right[1] - left[1]
    yield left, (-across[0], -across[1])
    yield right, across


def _room(at: Point, way: Point, size_px: tuple[int, int]) -> float:
    """Returns the pixels from a point to the edge of the picture; 0 where it lies outside."""
    steps = [
        ((size if step > 0 else 0) - place) / step if step else inf
        for place, step, size in zip(at, way, size_px, strict=True)
    ]
    is_inside = all(0 <= place <= size for place, size in zip(at, size_px, strict=True))
    return min(steps) * hypot(*way) if is_inside else 0.0
