"""Who holds what on a table of Exploring Galapagos: the row in the middle, hands, locked cards.

Of all ways to see the cards as rows the one is taken that a round could have left: a row of at
most three in the middle, hands around it that face it, at most one card across before each, and
as many cards for each player as the game gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import atan2, cos, degrees, hypot, pi, sin

from referee.adapter.exploring_lying import Lying, between, mean_axis, middle
from referee.adapter.exploring_rows import (
    Row,
    looseness,
    misfit_in_front,
    partitions,
    tightness,
)
from referee.games.exploring_galapagos.model import LARGEST_HAND, MAX_PLAYERS, SHARED_SIZE
from referee.games.exploring_galapagos.scoring import hand_size
from vision.table import Point

_CLOSE_CALL = 0.5
"""Two ways to see a table whose costs differ by less are both to be told."""
_APART_DEG = 28.0
"""Players who sit next to each other are seen at least this far apart from the middle."""
_CLEARLY_AHEAD, _TO_CENTRE = 0.8, 3.0
"""Widths of a card from a hand to the card locked in before it, at least, and to the middle."""
_WRONG_COUNT, _NO_SHARED, _NO_PLAYERS, _SAME_SIDE, _BESIDE = 1.0, 2.5, 20.0, 4.0, 3.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A player's cards.

    Attributes:
        cards: The row, from the left as the picture shows it.
        locked: The card across before it, or None.
        at: Middle of the row, in widths of a card.
        axis: Direction of the long sides of its cards, in radians.
    """

    cards: tuple[Lying, ...]
    locked: Lying | None
    at: Point
    axis: float

    @property
    def own(self) -> tuple[Lying, ...]:
        """All of the player's cards."""
        return self.cards if self.locked is None else (*self.cards, self.locked)


@dataclass(frozen=True, slots=True)
class Hands:
    """What lies where.

    Attributes:
        shared: The row in the middle, from the left.
        hands: The players' cards, clockwise from the side of the camera.
        centre: Middle of the table.
        doubtful: Cards that another, nearly as likely way to see the table gives to others.
        cost: What speaks against this way to see the table; 0 is a neat one.
    """

    shared: tuple[Lying, ...]
    hands: tuple[Hand, ...]
    centre: Point
    doubtful: tuple[Lying, ...] = ()
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to see the table: rows by the numbers of their cards, and what speaks against it."""

    shared: Row
    hands: tuple[tuple[Row, int | None], ...]
    cost: float

    @property
    def owners(self) -> dict[int, tuple[frozenset[int], bool]]:
        """Whose card each is, by that player's row, and whether it is locked in."""
        owners = dict.fromkeys(self.shared, (frozenset[int](), False))
        for row, locked in self.hands:
            own = frozenset(row) | ({locked} if locked is not None else frozenset())
            owners |= {number: (own, number == locked) for number in own}
        return owners


def find_hands(cards: Sequence[Lying], players: int | None = None) -> Hands:
    """Tells the shared hand and the players' cards apart.

    Args:
        cards: Everything that lies face up.
        players: How many play, where it is known.
    """
    if not cards:
        return Hands((), (), (0.0, 0.0))
    ways = sorted(_ways(cards, players), key=lambda way: way.cost)
    best = ways[0]
    doubtful: set[int] = set()
    for way in ways[1:]:
        if way.cost - best.cost > _CLOSE_CALL:
            break
        others = way.owners
        doubtful |= {n for n, owner in best.owners.items() if others[n] != owner}
    doubtful |= _may_be_locked(cards, best, players)
    rows = [row for row, _ in best.hands]
    centre = _centre(cards, best.shared, rows)
    hands = [
        Hand(
            _from_left(cards, row),
            None if locked is None else cards[locked],
            middle([cards[number] for number in row]),
            mean_axis([cards[number] for number in row]),
        )
        for row, locked in best.hands
    ]
    if not best.shared:
        centre = _ahead_of(hands, centre)
    return Hands(
        _from_left(cards, best.shared),
        tuple(sorted(hands, key=lambda hand: direction(centre, hand.at))),
        centre,
        tuple(cards[number] for number in sorted(doubtful)),
        best.cost,
    )


def _may_be_locked(cards: Sequence[Lying], way: _Way, players: int | None) -> set[int]:
    """Returns shared cards that lie as if locked in before a row that is not whole, and that row.

    Whoever sits at the left or right locks in a card that lies as the shared ones do; where one of
    these is out of view it fits in among them.
    """
    wanted = hand_size(max(players or len(way.hands), 2))
    centre = middle([cards[number] for number in way.shared] or cards)
    found: set[int] = set()
    for row, locked in way.hands:
        named = tuple(number for number in row if cards[number].piece.face_id is not None)
        if locked is not None or not named or len(named) >= wanted:
            continue
        before = (n for n in way.shared if misfit_in_front(cards, n, named, centre) is not None)
        found |= {each for number in before for each in (number, *row)}
    return found


def direction(centre: Point, at: Point) -> float:
    """Returns where something lies seen from the centre, in degrees clockwise from the bottom.

    >>> [round(direction((0, 0), at)) for at in ((0, 1), (-1, 0), (0, -1), (1, 0))]
    [0, 90, 180, 270]
    """
    degree = degrees(atan2(centre[0] - at[0], at[1] - centre[1])) % 360
    # A seat at the bottom is the first, also where it lies a little to the right.
    return degree - 360 if degree > 315 else degree


def _ways(cards: Sequence[Lying], players: int | None) -> Iterator[_Way]:
    for rows in partitions(cards):
        for shared in ((), *(row for row in rows if len(row) <= SHARED_SIZE)):
            yield _way(cards, shared, [row for row in rows if row != shared], players)


def _way(cards: Sequence[Lying], shared: Row, rows: Sequence[Row], players: int | None) -> _Way:
    centre = middle([cards[number] for number in shared]) if shared else middle(cards)
    singles = [row[0] for row in rows if len(row) == 1]
    fits = sorted(
        (misfit + (len(host) == 1), single, host)
        for single in singles
        for host in rows
        if (misfit := misfit_in_front(cards, single, host, centre)) is not None
    )
    locked: dict[Row, int] = {}
    cost = 0.0
    for misfit, single, host in fits:
        is_taken = single in locked.values() or (single,) in locked
        if host not in locked and host[0] not in locked.values() and not is_taken:
            locked[host] = single
            cost += 0.3 * misfit
    taken = {(number,) for number in locked.values()}
    hands = [(row, locked.get(row)) for row in rows if row not in taken]
    cost += _cost_of_counts(len(shared), hands, players)
    cost += _cost_of_places(cards, shared, [row for row, _ in hands])
    return _Way(shared, tuple(hands), cost)


def _cost_of_counts(
    shared: int, hands: Sequence[tuple[Row, int | None]], players: int | None
) -> float:
    """Returns what the numbers of cards say against a way to see the table."""
    count = len(hands)
    wanted = hand_size(max(players or count, 2))
    cost = 0.0
    for row, locked in hands:
        own = len(row) + (locked is not None)
        cost += _WRONG_COUNT * abs(own - wanted) + _NO_PLAYERS * max(0, own - LARGEST_HAND)
        if locked is None and shared != SHARED_SIZE:
            cost += _NO_SHARED
        if len(row) == 1:
            cost += _BESIDE
    if not 2 <= count <= MAX_PLAYERS:
        cost += 2.0 if count == 1 else _NO_PLAYERS
    return cost + (0.0 if players is None else 1.5 * abs(players - count))


def _cost_of_places(cards: Sequence[Lying], shared: Row, rows: Sequence[Row]) -> float:
    """Returns what the places of the rows say against a way to see the table."""
    everything = [*rows, shared] if shared else [*rows]
    cost = sum(looseness(cards, row) for row in everything)
    cost += sum(2 * tightness(cards, one, other) for one, other in combinations(everything, 2))
    if not rows:
        return cost
    centre = _centre(cards, shared, rows)
    if shared:
        x, y = _centre(cards, (), rows)
        cost += 0.6 * max(0.0, hypot(centre[0] - x, centre[1] - y) - 1.5)
    places = [middle([cards[number] for number in row]) for row in rows]
    for (one, a), (other, b) in combinations(zip(rows, places, strict=True), 2):
        off = abs(direction(centre, a) - direction(centre, b)) % 360
        if min(off, 360 - off) < _APART_DEG and one != other:
            cost += _SAME_SIDE
    for row, (x, y) in zip(rows, places, strict=True):
        axis = mean_axis([cards[number] for number in row])
        dx, dy = centre[0] - x, centre[1] - y
        aside = abs(dy * cos(axis) - dx * sin(axis)) / max(hypot(dx, dy), 1e-6)
        # Whoever sits at a corner of the table faces its side: to 45 degrees (0.7) all is well.
        cost += 4 * max(0.0, aside - 0.75)
        cost += 2 * max(0.0, 1.6 - hypot(dx, dy))
    return cost


def _centre(cards: Sequence[Lying], shared: Row, rows: Sequence[Row]) -> Point:
    """Returns the middle of the table: that of the shared hand, or else what the hands face.

    A row along a side says how far to the left or right the middle lies, one along the left or
    right side how far up or down; the other way it lies half-way between the outermost.
    """
    if shared or not rows:
        return middle([cards[number] for number in shared] or cards)
    places = [middle([cards[number] for number in row]) for row in rows]
    is_upright = [
        between(mean_axis([cards[number] for number in row]), pi / 2) < pi / 4 for row in rows
    ]
    centre: list[float] = []
    for axis in (0, 1):
        facing = [
            place[axis]
            for place, upright in zip(places, is_upright, strict=True)
            if upright == (axis == 0)
        ]
        aside = [place[axis] for place in places]
        half_way = (min(aside) + max(aside)) / 2
        centre.append(sum(facing) / len(facing) if facing else half_way)
    return centre[0], centre[1]


def _ahead_of(hands: Sequence[Hand], centre: Point) -> Point:
    """Returns the middle of a table at which all sit along one side, as locked-in cards tell."""
    moved = [*centre]
    for axis in (0, 1):
        ahead = [
            0.0 if hand.locked is None else hand.locked.at[axis] - hand.at[axis] for hand in hands
        ]
        if min(ahead) > _CLEARLY_AHEAD or max(ahead) < -_CLEARLY_AHEAD:
            out = _TO_CENTRE if ahead[0] > 0 else -_TO_CENTRE
            moved[axis] = sum(hand.at[axis] for hand in hands) / len(hands) + out
    return moved[0], moved[1]


def _from_left(cards: Sequence[Lying], row: Row) -> tuple[Lying, ...]:
    """Returns a row's cards from the left, or from the top where it runs downwards."""
    own = [cards[number] for number in row]
    if not own:
        return ()
    wide = max(c.x for c in own) - min(c.x for c in own)
    high = max(c.y for c in own) - min(c.y for c in own)
    return tuple(sorted(own, key=lambda card: card.x if wide >= high else card.y))
