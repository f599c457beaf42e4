"""How people at an Exploring Galapagos table lay their cards: side by side, or fanned out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.art.paint import Rng

_AROUND = ("bottom", "left", "top", "right")
_FAR_PAIR = ("top-left", "top-right")
_CLOCKWISE = ("bottom", "left", "top-left", "top", "top-right", "right")


@dataclass(frozen=True, slots=True)
class Habits:
    """How cards are laid, beside where.

    Attributes:
        overlap: Share of a card's width that its neighbour in the hand covers; 0 is side by side.
        fan: Turn of each card of a hand against its neighbour, in radians.
        turn: Turn of each hand as a whole, in radians, at most.
        flipped: Chance that a card lies head down for whoever holds it.
        spare: How many cards lie face down beside the deck.
        things: How many things stand around.
    """

    overlap: float = 0.0
    fan: float = 0.0
    turn: float = 0.0
    flipped: float = 0.0
    spare: int = 0
    things: int = 0


NEAT = Habits()
"""Hands side by side, and nothing else on the table."""


def sample_habits(rng: Rng) -> Habits:
    """Draws by lot how a table is laid on which people play rather than pose."""
    is_fan = rng.random() < 0.6
    return Habits(
        overlap=float(rng.uniform(0.12, 0.5)) if is_fan else 0.0,
        fan=float(np.radians(rng.uniform(2, 9))) if is_fan and rng.random() < 0.7 else 0.0,
        turn=float(np.radians(rng.uniform(0, 10))),
        flipped=float(rng.choice((0.0, 0.0, 0.3))),
        spare=int(rng.choice((0, 0, 1, 2))),
        things=int(rng.choice((0, 2, 4))),
    )


def sample_any_sides(rng: Rng, count: int) -> tuple[str, ...]:
    """Draws by lot at which sides that many players sit, clockwise, in any way that tells them.

    Two at the far side sit left and right there, one sits in its middle.
    """
    pair = _FAR_PAIR if count > len(_AROUND) or rng.random() < 0.4 else ()
    others = [side for side in _AROUND if side != "top" or not pair]
    chosen = [others[int(i)] for i in rng.permutation(len(others))[: count - len(pair)]]
    return tuple(side for side in _CLOCKWISE if side in chosen or side in pair)
