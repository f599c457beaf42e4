"""Piles beside Camera cards: what a player has won lies fanned there, most of it in strips.

A detector seldom finds a card of which a third peeks out, and finds it more often when it sees it
larger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from vision.detection import Detections
from vision.flatten import Quad, side_lengths
from vision.gate import Region
from vision.slots import hidden_share, to_quad
from vision.stacking import overlap_share
from vision.table import PieceKind

Find = Callable[[Region, float], Detections]
"""What a detector finds in a region that it sees so many times as large as usual."""

_SURE = 0.5
_ON_IT, _BESIDE = 0.5, 1.7
"""Distances between which a pile lies from its Camera card, centre to centre, in its lengths."""
_LARGER = 2.0
_ROOM = 0.6
"""Lengths of a card that a pile may reach beyond its uppermost one."""
_MOST_HIDDEN = 0.85
"""Share of a finding in one that was found before from which it is that one, or a part of it."""
_LEAST_LONG, _MOST_BROAD = 0.8, 0.8
"""Sides of a strip, as multiples of the short side of the card over it."""
_LEAST, _MOST = 0.2, 3
"""Confidence of a strip that is worth a try, and how many in a pile are."""


def with_piles(found: Detections, size_wh: tuple[int, int], find: Find) -> Detections:
    """What was found, and the strips that a closer look at each pile adds to it.

    Args:
        found: All that was found in a picture.
        size_wh: Width and height of the picture.
        find: Looks closer.
    """
    sure = found.select(found.confidence >= _SURE)
    known = [to_quad(quad) for quad in sure.quads]
    for card in _beside_cameras(sure):
        closer = find(_around(card, size_wh), _LARGER)
        strips = [
            row
            for row in closer.rows_of(PieceKind.CARD)
            if closer.confidence[row] >= _LEAST
            and _is_strip(closer.quads[row], card)
            and hidden_share(to_quad(closer.quads[row]), known) < _MOST_HIDDEN
        ]
        found = found.joined(closer.select(np.array(strips[:_MOST], np.intp)))
    return found


def _beside_cameras(sure: Detections) -> Iterator[Quad]:
    """The card that lies nearest to each Camera card, close beside it."""
    cards = sure.quads[sure.rows_of(PieceKind.CARD)]
    for quad in sure.quads[sure.rows_of(PieceKind.CAMERA)]:
        away_px = np.linalg.norm(cards.mean(axis=1) - quad.mean(axis=0), axis=1)
        away = away_px / float(side_lengths(quad).max())
        beside = np.flatnonzero((away > _ON_IT) & (away < _BESIDE))
        if beside.size:
            yield cards[beside[int(away[beside].argmin())]]


def _around(card: Quad, size_wh: tuple[int, int]) -> Region:
    room_px = _ROOM * float(side_lengths(card).max())
    low = np.maximum(card.min(axis=0) - room_px, 0).astype(int)
    high = np.minimum(card.max(axis=0) + room_px, size_wh).astype(int)
    return Region(int(low[0]), int(low[1]), int(high[0]), int(high[1]))


def _is_strip(quad: Quad, card: Quad) -> bool:
    """Whether a finding touches a card and is as long as one of its sides."""
    sides, short_px = side_lengths(quad), float(side_lengths(card).min())
    is_long = bool(sides.max() > _LEAST_LONG * short_px and sides.min() < _MOST_BROAD * short_px)
    return is_long and overlap_share(quad, card) > 0
