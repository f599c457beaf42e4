"""Which player sits at which side of an Exploring Galapagos table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import cos, pi

from referee.adapter.exploring_hands import Hand, Hands, direction
from referee.adapter.exploring_lying import between
from referee.games.exploring_galapagos.model import MAX_PLAYERS

SIDES: Mapping[str, float] = {
    "bottom": 0.0, "left": 90.0, "top-left": 145.0, "top": 180.0, "top-right": 215.0,
    "right": 270.0,
}  # fmt: skip
"""The sides clockwise, with the direction in which each is seen from the middle, in degrees."""

_ACROSS = frozenset({"left", "right"})
_OFF_SIDE_DEG = 60.0
"""A hand that lies further from its player's side may be another's."""


def name_sides(hands: Hands, named: Sequence[str] = ()) -> list[str]:
    """Returns the side of each hand, no two the same.

    Args:
        hands: What lies where.
        named: Sides at which players are known to sit; all others are unlikely then.
    """
    seen = hands.hands[:MAX_PLAYERS]
    if not seen:
        return []
    named = [side for side in SIDES if side in named]
    choice = named if len(named) >= len(seen) else [*SIDES]
    unlikely = dict.fromkeys(SIDES, 0.0) | {
        side: 90.0**2 for side in choice if named and side not in named
    }

    def cost(sides: tuple[str, ...]) -> float:
        total = sum(
            _off(hands, hand, side) ** 2 + _unfacing(hand, side) + unlikely[side]
            for hand, side in zip(seen, sides, strict=True)
        )
        # Two who share the far side sit left and right there.
        is_odd = "top" in sides and ("top-left" in sides or "top-right" in sides)
        return total + (60.0**2 if is_odd and not named else 0.0)

    best: tuple[str, ...] = min(permutations(choice, len(seen)), key=cost)
    return [*best]


def is_off_side(hands: Hands, hand: Hand, side: str) -> bool:
    """Returns whether a hand lies so far from a side that it may be another player's."""
    return _off(hands, hand, side) > _OFF_SIDE_DEG


def _off(hands: Hands, hand: Hand, side: str) -> float:
    off = abs(direction(hands.centre, hand.at) - SIDES[side]) % 360
    return min(off, 360 - off)


def _unfacing(hand: Hand, side: str) -> float:
    """Returns how ill the cards of a hand face a side, in square degrees."""
    axis = 0.0 if side in _ACROSS else pi / 2
    return 35.0**2 if cos(2 * between(hand.axis, axis)) < 0 else 0.0
