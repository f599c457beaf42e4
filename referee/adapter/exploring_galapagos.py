"""An Exploring Galapagos table at rest: who holds what, and what the round comes to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.adapter.answers import middle_in_view
from referee.adapter.exploring_hands import Hands, find_hands
from referee.adapter.exploring_hidden import with_hidden_cards
from referee.adapter.exploring_last_card import with_last_card
from referee.adapter.exploring_lying import Lying, lay_out
from referee.adapter.exploring_ruling import Dealt, rule_seen
from referee.adapter.exploring_seated import SeatedPlayer, Seating, SeenRound
from referee.adapter.exploring_sides import is_off_side, name_sides
from referee.games.exploring_galapagos.model import MAX_PLAYERS, Card, HabitatCard
from referee.games.exploring_galapagos.position import format_ruling
from vision.table import PieceKind, PieceReading, TableReading

_SURE_TO_LIE = 0.4
"""Detections from which something lies there, though it has no name."""
_COST_OF_UNKNOWN = 0.8
"""Less than a card too few costs: a gap in a hand is filled by what lies there."""


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
    hands = _find_hands(named, unknown, seating.said or None)
    sides = name_sides(hands, tuple(seating.seats.values()))
    names = {side: name for name, side in seating.seats.items()}
    players = tuple(
        SeatedPlayer(
            names.get(side, side),
            side,
            tuple(card.piece for card in hand.cards),
            None if hand.locked is None else hand.locked.piece,
            side in names and is_off_side(hands, hand, side),
        )
        for hand, side in zip(hands.hands[:MAX_PLAYERS], sides, strict=True)
    )
    shared = tuple(card.piece for card in hands.shared)
    last = None
    if is_only_look:
        over = [piece.quad_px for piece in reading.pieces if piece.kind is PieceKind.HAND]
        (players, shared), last = with_last_card((players, shared), by_id, over)
        players, shared = with_hidden_cards((players, shared), over)
    size_px = reading.width_px, reading.height_px
    contested = [card.piece.quad_px for card in hands.doubtful]
    dealt = Dealt(players, shared, size_px, is_only_look, len(hands.hands), contested)
    ruled = rule_seen(dealt, by_id, seating)
    doubts = [*ruled.doubts]
    if last is not None:
        doubts.append(f"{last} is told by elimination: all other cards of the deck are seen")
    doubts += [
        f"{_told(card, size_px)} could also be another player's, or lie in another place"
        for card in hands.doubtful
    ]
    doubts += _doubts_of_places(players, seating)
    return SeenRound(players, shared, ruled.rulings, tuple(doubts), ruled.reasons)


def format_round(seen: SeenRound, seating: Seating) -> dict[str, Any]:
    """Returns a round as `judge` answers, with the position, and the doubts as texts.

    Where nothing can be ruled, a player's method is null, the points are null, and the reason
    says why.
    """
    return {
        "players": [_format_player(player.name, seen) for player in seen.players],
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


def _doubts_of_places(players: Sequence[SeatedPlayer], seating: Seating) -> Iterator[str]:
    for player in players:
        if seating.seats and player.side not in seating.seats.values():
            yield f"cards lie at {player.side}, where nobody was said to sit"
    for name, side in seating.seats.items():
        if all(player.name != name for player in players):
            yield f"no cards are seen at {side}, where {name} sits"
    if len(players) == 1:
        yield "the cards of only one player are seen"


def _told(card: Lying, size_px: tuple[int, int]) -> str:
    if card.piece.face_id is not None:
        return card.piece.face_id
    x, y = middle_in_view(card.piece.quad_px, size_px)
    return f"the unknown card at {x:.0f}, {y:.0f}"


def _format_player(name: str, seen: SeenRound) -> dict[str, Any]:
    ruling = seen.rulings[name]
    if ruling is not None:
        answer: dict[str, Any] = format_ruling([ruling])["players"][0]
        return answer
    points = ("base", "own_impact", "shared_impact", "impact", "score")
    why = seen.reasons.get(name, "an earlier method is not known")
    return {
        "name": name,
        "method": None,
        "choice": None,
        **dict.fromkeys(points),
        "reason": f"not scored: {why}",
    }
