"""Where on a board chips may lie that were not read: what no card explains, or something hides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vision.board_chip_naming import ChipLook
from vision.board_chips import ChipReader
from vision.board_fit import ERROR_CAP
from vision.board_looks import QUARTERS, SpaceLook, quarter_of

_UNEXPLAINED = 0.02
"""Mean squared error, capped, in a disc of the smallest chip's size: half of it does not agree."""
_OBSCURE = 0.03
"""Where this much is left and no chip was read, one may lie. Chips leave 0.036 and more; what else
is on cards, blurred and in bad light, 0.027 and less."""
_DAZZLED = 0.5
"""Where all colours of a card are full so much less is enough: chips are as full there."""
_RIM = 0.8
"""So near to a chip, in radii of the smallest one, it is the chip's rim that is unlike the card."""
_AROUND = tuple(float(step) for step in np.arange(-4, 5) * 0.02)
"""Where the middle of a chip is tried around such a disc, in spaces."""
_MOST_PEAKS = 40
_QUARTER = 0.25
"""A chip of a quarter has its middle this near to the quarter's, in spaces."""


@dataclass(frozen=True, slots=True, eq=False)
class Obscure:
    """A quarter of a card on which a chip may lie unread.

    Attributes:
        look: The card's space.
        quarter: nw, ne, se or sw.
        centre: The middle of what is unlike the card, or hidden, in spaces.
        size: How large that is, in spaces.
        score: How much speaks for the card alone, 0 to 1.
    """

    look: SpaceLook
    quarter: str
    centre: tuple[float, float]
    size: float
    score: float


def is_taken(
    chips: ChipReader, place: tuple[float, float], found: Sequence[ChipLook], beyond: float = 0.0
) -> bool:
    """Whether a place, in spaces, lies on a chip that was found, or so far beyond its rim."""
    return any(
        np.hypot(place[0] - chip.centre[0], place[1] - chip.centre[1]) < chips.radius(chip) + beyond
        for chip in found
    )


def unexplained_places(
    chips: ChipReader, looks: Sequence[SpaceLook], found: Sequence[ChipLook]
) -> list[tuple[float, float]]:
    """Places on cards that look round and unlike the card, no chip being known there."""
    peaks = [peak for _, peak in _peaks(chips, looks, found, _UNEXPLAINED)]
    likeliest = sorted(peaks, key=lambda peak: -peak[2])[:_MOST_PEAKS]
    return [(x + right, y + down) for x, y, _ in likeliest for right in _AROUND for down in _AROUND]


def find_obscure(
    chips: ChipReader, looks: Sequence[SpaceLook], found: Sequence[ChipLook], least: float
) -> Iterator[Obscure]:
    """Where chips may lie unread on cards that were read; one a quarter.

    Args:
        chips: Knows how large the deck's chips are.
        looks: The spaces.
        found: The chips that were read.
        least: Where less of a space is explained, all of it is in doubt.
    """
    told = set()
    radius = min(chips.radii, default=0.0)
    for look, (x, y, error) in _peaks(chips, looks, found, _OBSCURE, _RIM * radius):
        quarter = quarter_of(x - look.centre[0], y - look.centre[1])
        if look.explained >= least and (look, quarter) not in told:
            told.add((look, quarter))
            score = max(0.0, 1 - error / ERROR_CAP)
            yield Obscure(look, quarter, (x, y), 2 * radius, score)
    for look in looks:
        for quarter in look.hidden:
            right, down = QUARTERS[quarter]
            middle = (look.centre[0] + right, look.centre[1] + down)
            is_read = any(np.hypot(*np.subtract(c.centre, middle)) < _QUARTER for c in found)
            if not is_read and (look, quarter) not in told:
                yield Obscure(look, quarter, middle, 2 * _QUARTER, look.visible)


def _peaks(
    chips: ChipReader,
    looks: Sequence[SpaceLook],
    found: Sequence[ChipLook],
    most: float,
    beyond: float = 0.0,
) -> Iterator[tuple[SpaceLook, tuple[float, float, float]]]:
    """Round places on cards in which the error peaks, and no chip was found."""
    radii = chips.radii
    for look in looks:
        if radii and look.best is not None and look.best.face is not None:
            least = most * (1 - _DAZZLED * look.dazzled)
            for peak in look.unexplained(min(radii), least):
                if not is_taken(chips, peak[:2], found, beyond):
                    yield look, peak
