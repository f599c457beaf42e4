"""How much of a round of Exploring Galapagos a look shows, and whether two looks show the same one.

Hands are hidden until a round is scored, and cards come and go one by one: most looks show no round
as it can end.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import dist

from referee.adapter.exploring_lying import centre_of
from referee.adapter.exploring_seated import Seating, SeenRound
from referee.games.exploring_galapagos.model import MAX_PLAYERS, MIN_PLAYERS, SHARED_SIZE
from referee.games.exploring_galapagos.scoring import hand_size
from vision.table import PieceKind, PieceReading, Quad, TableReading

_MOST, _NEARLY_ALL = 0.5, 0.8
"""Shares of the cards that lie where they lay, or with whom where the camera was moved. Cards that
are dealt anew come to the same owner by chance, seldom to the same place."""
_MOST_SOUGHT = 6
"""Cards that hands may lack and are worth being sought."""
_MOST_DECKS = 2
"""The deck, perhaps in two parts."""
_NEAR = 0.5
"""A card that is pushed by less than this share of its width lies where it lay."""
_MOST_MISSING = 1
"""Cards that a round may lack and still is one: a draft looks like hands that lack more."""


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
            self.seating.count in (None, len(self.seen.players))
            and len(self.seen.players) >= MIN_PLAYERS
            and all(len(player.own) == wanted for player in self.seen.players)
            and all(ruling is not None for ruling in self.seen.rulings.values())
            and len(self.seen.shared) <= SHARED_SIZE
        )

    @property
    def is_hidden(self) -> bool:
        """Whether more cards lie face down than decks do: hands that are not revealed yet."""
        backs = sum(piece.kind is PieceKind.BACK for piece in self.reading.pieces)
        return backs > _MOST_DECKS

    @property
    def is_nearly_whole(self) -> bool:
        """Whether it is a round of which a card could not be seen, or some could not be named."""
        count = self.seating.count or len(self.seating.seats)
        wanted = hand_size(count or len(self.seen.players))
        missing = [wanted - len(player.own) for player in self.seen.players]
        return (
            max(MIN_PLAYERS, count - 1) <= len(self.seen.players) <= (count or MAX_PLAYERS)
            and all(number >= 0 for number in missing)
            and sum(missing) <= _MOST_MISSING
            and len(self.seen.shared) <= SHARED_SIZE
            and not self.is_hidden
        )

    @property
    def may_lack(self) -> bool:
        """Whether cards that were not seen may lie beside those that were."""
        players = self.seen.players
        if self.is_whole:
            is_open = all(player.locked is not None for player in players)
            return is_open and 0 < len(self.seen.shared) < SHARED_SIZE
        wanted = hand_size(max(self.seating.said, len(players)))
        missing = [wanted - len(player.own) for player in players]
        return (
            MIN_PLAYERS <= len(players) <= MAX_PLAYERS
            and all(number >= 0 for number in missing)
            and sum(missing) <= _MOST_SOUGHT
            and not self.is_hidden
        )

    @property
    def worth(self) -> tuple[bool, bool, int]:
        """What makes one look better than another."""
        return self.is_whole, self.is_nearly_whole, self.named


def stays(old: Look, new: Look) -> bool:
    """Returns whether of the cards of one look most lie as they did in another."""
    return _share_in_place(old, new) >= _MOST or _share_owned(old, new) >= _NEARLY_ALL


def is_remnant(new: Look, closed: Look) -> bool:
    """Returns whether nearly all that a look shows lay there in a round that is over."""
    return max(_share_in_place(new, closed), _share_owned(new, closed)) >= _NEARLY_ALL


def is_in_place(one: Quad, other: Quad) -> bool:
    """Returns whether a card that lay as one quad does lies there still as the other does."""
    return dist(centre_of(one), centre_of(other)) < _NEAR * dist(one[0], one[1])


def _share_in_place(one: Look, other: Look) -> float:
    """Share of the cards of a look that lie in the same places in another."""
    places, own = _places(other.reading), _places(one.reading)
    cards = [card for card in one.owners if card in places]
    return sum(is_in_place(own[card], places[card]) for card in cards) / max(1, one.named)


def _share_owned(one: Look, other: Look) -> float:
    """Share of the cards of a look that have the same owners in another."""
    theirs = other.owners
    return sum(theirs.get(card) == owner for card, owner in one.owners.items()) / max(1, one.named)


def _places(reading: TableReading) -> dict[str, Quad]:
    return {_id(piece): piece.quad_px for piece in reading.pieces if piece.face_id is not None}


def _id(piece: PieceReading) -> str:
    return piece.face_id or ""
