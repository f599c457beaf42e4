"""Which cards are the layout and which are somebody's: by where they lie.

The layout lies in the middle in rows; won cards lie face up at the players' sides, in fans or
single, beside the Camera that waits there. Plain geometry on a reading, in millimetres where the
table plane is known and in pixels otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import atan2, cos, hypot, sin
from statistics import median

from vision.table import PieceKind, PieceReading, Point, Quad

MOST_ROWS = 3
MOST_COLUMNS = 6
"""Fifteen or sixteen cards are laid out as three rows of five, or one more."""
_FAN_OVERLAP = 0.12
"""Part of a card hidden by another one: laid-out cards touch, fanned ones overlap."""
_AS_FAR = 0.35
"""Part of a card by which a won card may lie farther in than its player's Camera."""
_ON_IT = 0.4
"""Part of a card by which the middle of a Camera may lie beside that of the card it lies on."""
_ONE_STRIP = 0.6
"""Won cards lie beside the Camera: what lies farther out than it by this part of a card does not.
"""
_ROW_GAP = 0.55
"""Rows and columns are told apart by gaps larger than this part of a card."""


@dataclass(frozen=True, slots=True)
class Placing:
    """Animal cards by where they lie.

    Attributes:
        layout: The cards laid out in the middle, in reading order.
        won: Each player's cards, the one won last at the end.
    """

    layout: tuple[PieceReading, ...]
    won: dict[str, tuple[str, ...]]


def sort_cards(
    animals: Sequence[PieceReading], homes: dict[str, Point], known_layout: Iterable[str] = ()
) -> Placing:
    """Tells the layout from the won cards.

    Args:
        animals: Animal cards, lowest first.
        homes: Where each player's Camera waits beside the layout, as far as it is seen there.
        known_layout: Cards that are known to belong to the layout.
    """
    known = frozenset(known_layout)
    if not animals:
        return Placing((), {})
    turn = table_turn(animals)
    straight = {str(card.face_id): card for card in animals}
    animals = [_turned(card, turn) for card in animals]
    homes = {player: turned_back(place, turn) for player, place in homes.items()}
    aside = _fanned(animals) - known
    inner = [card for card in animals if card.face_id not in aside]
    aside |= {str(card.face_id) for card in _beyond_homes(inner, animals, homes)} - known
    inner = [card for card in animals if card.face_id not in aside]
    aside |= {str(card.face_id) for card in _outside_rows(inner)} - known
    layout = [card for card in animals if card.face_id not in aside]
    won: dict[str, tuple[str, ...]] = {}
    for card in animals:
        owner = nearest_home(place_of(card), homes) if card.face_id in aside else None
        if owner is not None:
            won[owner] = (*won.get(owner, ()), str(card.face_id))
    ordered = in_reading_order(layout)
    return Placing(tuple(straight[str(card.face_id)] for card in ordered), won)


def seats_clockwise(homes: dict[str, Point], middle: Point) -> list[str]:
    """Players in seating order, clockwise as seen from above, by where their Cameras wait."""
    return sorted(
        homes, key=lambda player: atan2(homes[player][1] - middle[1], homes[player][0] - middle[0])
    )


def nearest_home(place: Point, homes: dict[str, Point]) -> str | None:
    """The player whose Camera waits nearest to a place."""
    return min(homes, key=lambda player: _distance(homes[player], place), default=None)


def place_of(piece: PieceReading) -> Point:
    """Centre of a piece in the plane that all geometry here uses."""
    quad = _quad(piece)
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4


def lies_on_unknown(piece: PieceReading, pieces: Iterable[PieceReading]) -> bool:
    """Whether a piece lies on a card that has no name."""
    return any(
        other.kind is PieceKind.CARD
        and other.face_id is None
        and _distance(place_of(piece), place_of(other)) < _ON_IT * card_size([other])
        for other in pieces
    )


def middle_of(pieces: Sequence[PieceReading]) -> Point:
    """Centre of several pieces: a few that lie far off do not shift it."""
    places = [place_of(piece) for piece in pieces]
    return median(x for x, _ in places), median(y for _, y in places)


def card_size(pieces: Sequence[PieceReading]) -> float:
    """Median length of a side."""
    sides = sorted(
        _distance(start, end)
        for piece in pieces
        for start, end in pairwise((*_quad(piece), _quad(piece)[0]))
    )
    return sides[len(sides) // 2] if sides else 1.0


def short_and_long_side(pieces: Sequence[PieceReading]) -> tuple[float, float]:
    """Median width and height of upright cards."""
    if not pieces:
        return 1.0, 1.0
    quads = [_quad(piece) for piece in pieces]
    return (
        median(_distance(quad[0], quad[1]) for quad in quads),
        median(_distance(quad[1], quad[2]) for quad in quads),
    )


def table_turn(pieces: Sequence[PieceReading]) -> float:
    """Angle of the rows of cards against the axes of the plane in radians, within 90 degrees.

    Cards stand upright or on their heads, so their upper and lower edges run along the rows.
    """
    cosine = sine = 0.0
    for piece in pieces:
        left, right = _quad(piece)[:2]
        angle = atan2(right[1] - left[1], right[0] - left[0])
        cosine, sine = cosine + cos(2 * angle), sine + sin(2 * angle)
    return atan2(sine, cosine) / 2


def in_reading_order(cards: Sequence[PieceReading]) -> list[PieceReading]:
    """Cards row by row as the picture shows them, each row from the left."""
    if not cards:
        return []
    rows = _clusters([place_of(card)[1] for card in cards], _ROW_GAP * card_size(cards))
    order = sorted(range(len(cards)), key=lambda item: (rows[item], place_of(cards[item])[0]))
    return [cards[item] for item in order]


def _quad(piece: PieceReading) -> Quad:
    return piece.quad_px if piece.quad_mm is None else piece.quad_mm


def _turned(piece: PieceReading, turn: float) -> PieceReading:
    one, two, three, four = (turned_back(corner, turn) for corner in _quad(piece))
    return replace(piece, quad_mm=(one, two, three, four))


def turned_back(point: Point, turn: float) -> Point:
    """A point after the table was turned so that its rows run along the first axis."""
    cosine, sine = cos(-turn), sin(-turn)
    return cosine * point[0] - sine * point[1], sine * point[0] + cosine * point[1]


def _fanned(animals: Sequence[PieceReading]) -> set[str]:
    """Cards that overlap with another Animal card."""
    found: set[str] = set()
    for index, one in enumerate(animals):
        for other in animals[index + 1 :]:
            if _overlap(_quad(one), _quad(other)) > _FAN_OVERLAP:
                found |= {str(one.face_id), str(other.face_id)}
    return found


def _beyond_homes(
    cards: Sequence[PieceReading], animals: Sequence[PieceReading], homes: dict[str, Point]
) -> list[PieceReading]:
    """Cards that lie as far out as the Camera of the player whose side they are on."""
    if not cards:
        return []
    middle, size = middle_of(cards), card_size(animals)
    beyond: dict[str, PieceReading] = {}
    for home in homes.values():
        far_x, far_y = (abs(home[axis] - middle[axis]) for axis in (0, 1))
        farther, others = (
            _as_far_out(cards, middle, home, axis) for axis in ((0, 1) if far_x > far_y else (1, 0))
        )
        # A small layout may be wider than its players sit apart: they sit where it ends first.
        is_wider = any(out > _ONE_STRIP * size for _, out in farther)
        for card, _ in others if is_wider and len(others) < len(farther) else farther:
            if _distance(place_of(card), home) < 4 * size:
                beyond[str(card.face_id)] = card
    return list(beyond.values())


def _as_far_out(
    cards: Sequence[PieceReading], middle: Point, home: Point, axis: int
) -> list[tuple[PieceReading, float]]:
    """Cards on a Camera's side of the middle that lie as far out as it along one axis.

    Each with how much farther out it lies.
    """
    out = home[axis] - middle[axis]
    size = card_size(cards)
    places = [(card, place_of(card)[axis] - middle[axis]) for card in cards]
    farther = [(card, abs(place) - abs(out)) for card, place in places if place * out > 0]
    return [(card, beyond) for card, beyond in farther if beyond > -_AS_FAR * size]


def _outside_rows(cards: Sequence[PieceReading]) -> list[PieceReading]:
    """Cards in rows or columns beyond those that a layout has, the emptiest outer one first."""
    if not cards:
        return []
    gap = _ROW_GAP * card_size(cards)
    outside: list[PieceReading] = []
    for axis, most in ((1, MOST_ROWS), (0, MOST_COLUMNS)):
        left = [card for card in cards if card not in outside]
        lines = _clusters([place_of(card)[axis] for card in left], gap)
        while lines and max(lines) - min(lines) >= most:
            first, last = min(lines), max(lines)
            drop = first if lines.count(first) <= lines.count(last) else last
            outside += [card for card, line in zip(left, lines, strict=True) if line == drop]
            kept = [pair for pair in zip(left, lines, strict=True) if pair[1] != drop]
            left, lines = [card for card, _ in kept], [line for _, line in kept]
    return outside


def _clusters(values: Sequence[float], gap: float) -> list[int]:
    """Number of the cluster of each value; clusters are apart by more than a gap."""
    order = sorted(range(len(values)), key=lambda item: values[item])
    labels = [0] * len(values)
    for before, after in pairwise(order):
        labels[after] = labels[before] + (values[after] - values[before] > gap)
    return labels


def _overlap(one: Quad, other: Quad) -> float:
    """Shared area of two convex quads as a part of the smaller one (Sutherland-Hodgman)."""
    polygon: list[Point] = list(one)
    sign = 1.0 if _signed_area(other) > 0 else -1.0
    for start, end in pairwise((*other, other[0])):
        polygon = _clip(polygon, start, end, sign)
        if len(polygon) < 3:
            return 0.0
    smaller = min(abs(_signed_area(one)), abs(_signed_area(other)))
    return abs(_signed_area(polygon)) / max(smaller, 1e-9)


def _clip(polygon: Sequence[Point], start: Point, end: Point, sign: float) -> list[Point]:
    def side(point: Point) -> float:
        return sign * (
            (end[0] - start[0]) * (point[1] - start[1])
            - (end[1] - start[1]) * (point[0] - start[0])
        )

    kept: list[Point] = []
    for before, after in zip((polygon[-1], *polygon[:-1]), polygon, strict=True):
        before_side, after_side = side(before), side(after)
        if (before_side < 0) != (after_side < 0):
            part = before_side / (before_side - after_side)
            kept.append(
                (
                    before[0] + part * (after[0] - before[0]),
                    before[1] + part * (after[1] - before[1]),
                )
            )
        if after_side >= 0:
            kept.append(after)
    return kept


def _signed_area(polygon: Sequence[Point]) -> float:
    pairs = zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs) / 2


def _distance(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])
