"""How much of a round of Exploring Galapagos a look shows, and whether two looks show the same one.

Hands are hidden until a round is scored, and cards come and go one by one: most looks show no round
as it can end.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

from referee.adapter.exploring_galapagos import Seating, SeenRound
from referee.games.exploring_galapagos.model import MIN_PLAYERS, SHARED_SIZE
from referee.games.exploring_galapagos.scoring import hand_size
from vision.table import PieceReading, Point, TableReading

_SAME_ROUND = 0.5
"""Share of the cards that lie as they lay: below it the round was cleared away."""
_NEAR = 0.5
"""A card that is pushed by less than this share of its width lies where it lay."""
_MOST_MISSING = 2
"""Cards that a round may lack and still is one: others are still to be laid, or taken already."""


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen of a round.

    Attributes:
        t: When it was seen first.
        seen: Who holds what, and what the rules say.
        reading: Where everything lay.
        seating: What was known beforehand.
    """

    t: float
    seen: SeenRound
    reading: TableReading
    seating: Seating

    @property
    def named(self) -> int:
        """How many cards have a name and a place."""
        return len(self.owners)

    @property
    def owners(self) -> dict[str, tuple[str, bool]]:
        """Whose each named card is, by side, and whether it is locked in; the row is nobody's."""
        owners = {_id(piece): ("", False) for piece in self.seen.shared}
        for player in self.seen.players:
            owners |= {_id(piece): (player.side, False) for piece in player.hand}
            if player.locked is not None:
                owners[_id(player.locked)] = (player.side, True)
        return {card: owner for card, owner in owners.items() if card}

    @property
    def is_whole(self) -> bool:
        """Whether a round can end so: every card named, every hand complete, everybody scored."""
        wanted = hand_size(len(self.seen.players))
        return (
            self._is_count_right(self.seating.count or MIN_PLAYERS)
            and all(len(player.own) == wanted for player in self.seen.players)
            and all(ruling is not None for ruling in self.seen.rulings.values())
            and len(self.seen.shared) <= SHARED_SIZE
        )

    @property
    def is_nearly_whole(self) -> bool:
        """Whether it is a round of which a few cards could not be seen or named."""
        wanted = hand_size(self.seating.count or len(self.seen.players))
        missing = [wanted - len(player.own) for player in self.seen.players]
        return (
            self._is_count_right(max(MIN_PLAYERS, (self.seating.count or 0) - 1))
            and all(0 <= number <= 1 for number in missing)
            and sum(missing) <= _MOST_MISSING
            and len(self.seen.shared) <= SHARED_SIZE
        )

    @property
    def worth(self) -> tuple[bool, bool, int]:
        """What makes one look better than another."""
        return self.is_whole, self.is_nearly_whole, self.named

    def _is_count_right(self, least: int) -> bool:
        count = len(self.seen.players)
        return least <= count and (self.seating.count is None or count <= self.seating.count)


def stays(old: Look, new: Look) -> bool:
    """Returns whether of the cards of one look most lie as they did in another."""
    return _share_staying(old, new) >= _SAME_ROUND


def is_remnant(new: Look, closed: Look) -> bool:
    """Returns whether most of what a look shows lay there in a round that is over."""
    return _share_staying(new, closed) >= _SAME_ROUND


def _share_staying(one: Look, other: Look) -> float:
    """Share of the named cards of one look that lie in the same place, or with the same owner."""
    mine, theirs = one.owners, other.owners
    places = _places(other.reading)
    staying = 0
    for piece in one.reading.pieces:
        card = _id(piece)
        if card in mine:
            is_same = theirs.get(card) == mine[card]
            staying += is_same or (card in places and _is_near(piece, places[card]))
    return staying / max(1, len(mine))


def _places(reading: TableReading) -> dict[str, PieceReading]:
    return {_id(piece): piece for piece in reading.pieces if piece.face_id is not None}


def _is_near(one: PieceReading, other: PieceReading) -> bool:
    (x, y), (u, v) = _centre(one), _centre(other)
    (left, top), (right, bottom) = one.quad_px[0], one.quad_px[1]
    return hypot(x - u, y - v) < _NEAR * hypot(right - left, bottom - top)


def _centre(piece: PieceReading) -> Point:
    x, y = (sum(corner[axis] for corner in piece.quad_px) / 4 for axis in (0, 1))
    return x, y


def _id(piece: PieceReading) -> str:
    return piece.face_id or ""
