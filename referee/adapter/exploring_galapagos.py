"""An Exploring Galapagos table at rest: who holds what, and what the round comes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.adapter.exploring_hands import Hands, find_hands
from referee.adapter.exploring_hidden import with_hidden_cards
from referee.adapter.exploring_last_card import with_last_card
from referee.adapter.exploring_lying import Lying, centre_of, lay_out
from referee.adapter.exploring_sides import SIDES, is_off_side, name_sides
from referee.games.exploring_galapagos.model import (
    LARGEST_HAND,
    MAX_PLAYERS,
    SHARED_SIZE,
    Card,
    HabitatCard,
    Method,
    PlayerCards,
    PlayerRuling,
    RoundPosition,
    Rulings,
)
from referee.games.exploring_galapagos.position import format_ruling
from referee.games.exploring_galapagos.scoring import count_doubts, rule_round
from vision.table import PieceKind, PieceReading, TableReading

_SURE_TO_LIE = 0.4
"""Detections from which something lies there, though it has no name."""
_COST_OF_UNKNOWN = 0.8
"""Less than a card too few costs: a gap in a hand is filled by what lies there."""


@dataclass(frozen=True, slots=True)
class Seating:
    """What a camera cannot see.

    Attributes:
        seats: The side of each player by name; without it players are named by their side.
        used: The methods that each player has used in earlier rounds.
        rulings: The house rulings.
        count: How many play, where it is known without seats.
    """

    seats: Mapping[str, str] = field(default_factory=dict)
    used: Mapping[str, tuple[Method, ...]] = field(default_factory=dict)
    rulings: Rulings = field(default_factory=Rulings)
    count: int | None = None


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """A player's cards as they were seen.

    Attributes:
        name: Who, or the side where nobody has said who sits there.
        side: bottom, left, top-left, top, top-right or right.
        hand: Cards in the row; one without a name is unknown.
        locked: The locked-in card, or None.
    """

    name: str
    side: str
    hand: tuple[PieceReading, ...]
    locked: PieceReading | None

    @property
    def own(self) -> tuple[PieceReading, ...]:
        """All of the player's cards."""
        return self.hand if self.locked is None else (*self.hand, self.locked)


@dataclass(frozen=True, slots=True)
class SeenRound:
    """A round as it lies on the table.

    Attributes:
        players: Clockwise from the side of the camera.
        shared: The row in the middle.
        rulings: What the rules say, by the players' names; None where it cannot be said.
        doubts: What is not sure, in words.
    """

    players: tuple[SeatedPlayer, ...]
    shared: tuple[PieceReading, ...]
    rulings: Mapping[str, PlayerRuling | None]
    doubts: tuple[str, ...]


def see_round(
    reading: TableReading, cards: Sequence[Card], seating: Seating, *, is_only_look: bool = False
) -> SeenRound:
    """Returns who holds what on a table at rest, and what the rules say of it.

    A player some of whose cards have no name, or who cannot hold so many, gets no ruling.

    Args:
        reading: The table.
        cards: The deck's cards.
        seating: What cannot be seen.
        is_only_look: Whether no other look can show what this one does not. The last card of a
            deck is then told by all others, and cards under a hand are unknown, not missing.
    """
    by_id = {card.id: card for card in cards if isinstance(card, HabitatCard)}
    named = [piece for piece in reading.pieces if piece.face_id in by_id]
    unknown = [piece for piece in reading.pieces if _may_be_card(piece)]
    hands = _find_hands(named, unknown, len(seating.seats) or seating.count)
    sides = name_sides(hands, tuple(seating.seats.values()))
    names = {side: name for name, side in seating.seats.items()}
    players = tuple(
        SeatedPlayer(
            names.get(side, side),
            side,
            tuple(card.piece for card in hand.cards),
            None if hand.locked is None else hand.locked.piece,
        )
        for hand, side in zip(hands.hands[:MAX_PLAYERS], sides, strict=True)
    )
    shared = tuple(card.piece for card in hands.shared)
    last = None
    if is_only_look:
        over = [piece.quad_px for piece in reading.pieces if piece.kind is PieceKind.HAND]
        (players, shared), last = with_last_card((players, shared), by_id, over)
        players, shared = with_hidden_cards((players, shared), over)
    rulings, doubts = _ruled(players, shared, by_id, seating)
    if last is not None:
        doubts.append(f"{last} is told by elimination: all other cards of the deck are seen")
    doubts += _doubts_of_places(hands, players, seating)
    return SeenRound(players, shared, rulings, tuple(doubts))


def format_round(seen: SeenRound, seating: Seating) -> dict[str, Any]:
    """Returns a round as `judge` answers, with the position, and the doubts as texts.

    Where nothing can be ruled, a player's method is null, the points are null, and the reason
    says why.
    """
    return {
        "players": [_format_player(player, seen.rulings[player.name]) for player in seen.players],
        "position": {
            "game": "exploring-galapagos",
            "players": [
                {
                    "name": player.name,
                    "hand": [piece.face_id for piece in player.hand],
                    "locked": None if player.locked is None else player.locked.face_id,
                    "used": [method.value for method in seating.used.get(player.name, ())],
                }
                for player in seen.players
            ],
            "shared": [piece.face_id for piece in seen.shared],
        },
        "doubts": [{"text": text} for text in seen.doubts],
    }


def places_of(seen: SeenRound) -> dict[str, dict[str, Any]]:
    """Returns whose each card is, by its id: `place`, and `locked` where it is locked in."""
    places: dict[str, dict[str, Any]] = {
        str(piece.face_id): {"place": "shared"} for piece in seen.shared
    }
    for player in seen.players:
        for piece in player.hand:
            places[str(piece.face_id)] = {"place": player.name}
        if player.locked is not None:
            places[str(player.locked.face_id)] = {"place": player.name, "locked": True}
    return places


def _find_hands(
    named: Sequence[PieceReading], unknown: Sequence[PieceReading], players: int | None
) -> Hands:
    """Returns what lies where; unknown things that do not fit in are taken for no cards."""
    known, all_cards = lay_out(named), lay_out(named, unknown)
    hands = find_hands(all_cards, players)
    extra = len(all_cards) - len(known)
    if not extra:
        return hands
    without = find_hands(known, players)
    return without if without.cost + _COST_OF_UNKNOWN * extra < hands.cost else hands


def _may_be_card(piece: PieceReading) -> bool:
    is_unknown = piece.face_id is None and piece.score >= _SURE_TO_LIE
    return is_unknown and piece.kind is PieceKind.CARD


def _ruled(
    players: Sequence[SeatedPlayer],
    shared: Sequence[PieceReading],
    by_id: Mapping[str, HabitatCard],
    seating: Seating,
) -> tuple[dict[str, PlayerRuling | None], list[str]]:
    """Returns the rulings, and why some cannot be given or may be wrong."""
    doubts: list[str] = []
    rulings: dict[str, PlayerRuling | None] = {player.name: None for player in players}
    if any(piece.face_id is None for piece in shared):
        doubts.append("a card of the shared hand could not be named: nobody can be scored")
        return rulings, doubts
    if len(shared) > SHARED_SIZE:
        doubts.append(f"{len(shared)} cards in the middle, expected at most {SHARED_SIZE}")
        return rulings, doubts
    known: list[PlayerCards] = []
    whole: list[PlayerCards] = []
    for player in players:
        cards = _player_cards(player, by_id, seating)
        whole.append(cards)
        reason = _why_unruled(player, len(shared))
        if reason:
            doubts.append(f"{player.name}: {reason}")
        else:
            known.append(cards)
    middle = tuple(by_id[str(piece.face_id)] for piece in shared)
    for ruling in rule_round(RoundPosition(tuple(known), middle, seating.rulings)):
        rulings[ruling.name] = ruling
    told = count_doubts(RoundPosition(tuple(whole), middle, seating.rulings))
    starts = tuple(f"{player.name} has " for player in known)
    doubts += [text for text in told if text.startswith(starts)]
    return rulings, doubts


def _why_unruled(player: SeatedPlayer, shared: int) -> str:
    """Returns why a player cannot be scored, or nothing."""
    unknown = sum(piece.face_id is None for piece in player.own)
    if unknown:
        return f"{unknown} of {len(player.own)} cards could not be named"
    if len(player.own) > LARGEST_HAND:
        return f"{len(player.own)} cards, expected at most {LARGEST_HAND}"
    if player.locked is None and shared != SHARED_SIZE:
        return (
            f"no locked-in card is seen, and {shared} cards in the middle; "
            f"expected one or the other of a locked-in card and {SHARED_SIZE} shared cards"
        )
    return ""


def _player_cards(
    player: SeatedPlayer, by_id: Mapping[str, HabitatCard], seating: Seating
) -> PlayerCards:
    def card(piece: PieceReading) -> HabitatCard:
        # An unknown card stands for itself where only their number is asked.
        return by_id.get(str(piece.face_id)) or HabitatCard("?", 0, Method.TIME, "day", 0, ())

    return PlayerCards(
        player.name,
        tuple(card(piece) for piece in player.hand),
        None if player.locked is None else card(player.locked),
        seating.used.get(player.name, ()),
    )


def _doubts_of_places(
    hands: Hands, players: Sequence[SeatedPlayer], seating: Seating
) -> Iterator[str]:
    for card in hands.doubtful:
        yield f"{_told(card)} could also be another player's, or lie in another place"
    for hand, player in zip(hands.hands, players, strict=False):
        if seating.seats and player.side not in seating.seats.values():
            yield f"cards lie at {player.side}, where nobody was said to sit"
        elif seating.seats and is_off_side(hands, hand, player.side):
            yield f"the cards taken for {player.name}'s do not lie at {player.side}"
    for name, side in seating.seats.items():
        if all(player.name != name for player in players):
            yield f"no cards are seen at {side}, where {name} sits"
    if len(hands.hands) > MAX_PLAYERS:
        yield f"cards of {len(hands.hands)} players are seen, expected at most {MAX_PLAYERS}"
    if len(players) == 1:
        yield "the cards of only one player are seen"


def _told(card: Lying) -> str:
    if card.piece.face_id is not None:
        return card.piece.face_id
    x, y = centre_of(card.piece.quad_px)
    return f"the unknown card at {x:.0f}, {y:.0f}"


def _format_player(player: SeatedPlayer, ruling: PlayerRuling | None) -> dict[str, Any]:
    if ruling is not None:
        answer: dict[str, Any] = format_ruling([ruling])["players"][0]
        return answer
    points = ("base", "own_impact", "shared_impact", "impact", "score")
    return {
        "name": player.name,
        "method": None,
        "choice": None,
        **dict.fromkeys(points),
        "reason": "not scored: a card, their number or an earlier method is not known",
    }


__all__ = [
    "SIDES",
    "SeatedPlayer",
    "Seating",
    "SeenRound",
    "format_round",
    "places_of",
    "see_round",
]
