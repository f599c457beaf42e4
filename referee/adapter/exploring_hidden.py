"""Cards of which a photograph shows nothing, as a hand lies over them.

Who has fewer cards than the game gives while the others have all of theirs, and has a hand over the
table beside them, has the rest under it. That they are unknown is more than that they are missing:
their owner cannot be scored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import dist

from referee.adapter.exploring_lying import centre_of
from referee.adapter.exploring_seated import SeatedPlayer
from referee.games.exploring_galapagos.model import SHARED_SIZE
from referee.games.exploring_galapagos.scoring import hand_size
from vision.table import PieceReading, Point, Quad

Places = tuple[tuple[SeatedPlayer, ...], tuple[PieceReading, ...]]
"""The players with their cards, and the shared hand."""

_MOST_HIDDEN = 2
"""A hand covers no more cards than this."""
_NEAR = 1.2
"""Lengths of a card from its middle to a hand that may lie over the next one."""
_STEPS = 4


def with_hidden_cards(places: Places, hands_px: Sequence[Quad]) -> Places:
    """Returns who holds what with cards without a name where hands hide some.

    Args:
        places: The players' cards and the shared hand, as they were seen.
        hands_px: Boxes of people's hands.
    """
    players, shared = places
    wanted = hand_size(max(2, len(players)))
    counts = [len(player.own) for player in players]
    if not counts or max(counts) != wanted or not hands_px:
        return places  # nobody knows how many play, or nothing is hidden
    completed = tuple(_completed(player, wanted, hands_px) for player in players)
    is_open = any(p.locked is None and len(p.own) == wanted for p in players)
    if is_open and len(shared) < SHARED_SIZE:
        shared = (*shared, *_hidden(shared, SHARED_SIZE, hands_px))
    return completed, shared


def under_hand(seen: Sequence[PieceReading], hands_px: Sequence[Quad]) -> PieceReading:
    """Returns a card without a name under the hand that is nearest to some cards."""
    spots = [centre_of(piece.quad_px) for piece in seen]
    nearest = min(hands_px, key=lambda quad: _away([centre_of(quad)], spots))
    return replace(seen[0], score=0.0, quad_px=nearest, quad_mm=None, face_id=None, runner_up=None)


def _completed(player: SeatedPlayer, wanted: int, hands_px: Sequence[Quad]) -> SeatedPlayer:
    return replace(player, hand=(*player.hand, *_hidden(player.own, wanted, hands_px)))


def _hidden(
    seen: Sequence[PieceReading], wanted: int, hands_px: Sequence[Quad]
) -> list[PieceReading]:
    """Returns the cards that are missing, if a hand beside the others may lie over them."""
    missing = wanted - len(seen)
    spots = [centre_of(piece.quad_px) for piece in seen]
    near = [quad for quad in hands_px if spots and _away(_outline(quad), spots) < _reach(seen)]
    if not near or not 0 < missing <= _MOST_HIDDEN:
        return []
    return [under_hand(seen, near)] * missing


def _reach(seen: Sequence[PieceReading]) -> float:
    """Returns pixels from the middle of a card to a hand that may lie over the next one."""
    corners = [piece.quad_px for piece in seen]
    return _NEAR * max(max(dist(q[0], q[1]), dist(q[1], q[2])) for q in corners)


def _away(points: Iterable[Point], spots: Sequence[Point]) -> float:
    return min(dist(point, spot) for point in points for spot in spots)


def _outline(quad: Quad) -> Iterator[Point]:
    """Gives points along the sides of a quad, and its middle."""
    yield centre_of(quad)
    for (x, y), (to_x, to_y) in zip(quad, (*quad[1:], quad[0]), strict=True):
        for step in range(_STEPS):
            yield x + (to_x - x) * step / _STEPS, y + (to_y - y) * step / _STEPS
