"""Questions about Exploring Galapagos as contract §2 spells them: position in, ruling out.

A question may show a part of a table, such as one player, but never more than the game has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from referee.errors import FormatError
from referee.fields import (
    Json,
    at,
    listed,
    read_cards,
    read_distinct,
    read_each,
    read_object,
    read_text,
    read_texts,
    refuse,
)
from referee.games.exploring_galapagos.cards import read_card
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
from referee.games.exploring_galapagos.scoring import rule_round
from referee.rulings import read_rulings

GAME = "exploring-galapagos"

_REQUIRED = frozenset({"game", "players", "shared"})
_OPTIONAL = frozenset({"cards", "rulings"})
_PLAYER = frozenset({"name", "hand", "locked", "used"})
_METHODS = {method.value: method for method in Method}

Cards = Mapping[str, HabitatCard]


def judge(position: Json, deck_cards: Iterable[Card] | None) -> dict[str, Any]:
    """Returns the answer to a question.

    Args:
        position: The question, its keys still unchecked.
        deck_cards: The cards of the deck given with it; the question's own `cards` go before.

    Raises:
        FormatError: if the question breaks its format.
    """
    return format_ruling(rule_round(read_position(position, deck_cards)))


def read_position(value: object, deck_cards: Iterable[Card] | None) -> RoundPosition:
    """Returns a question as the rules take it.

    Raises:
        FormatError: if it breaks its format.
    """
    source = read_object(value, "", _REQUIRED, _OPTIONAL)
    cards = {
        card_id: card
        for card_id, card in read_cards(source, deck_cards, read_card).items()
        if isinstance(card, HabitatCard)
    }
    position = RoundPosition(
        players=read_each(source, "players", "", partial(_read_player, cards=cards)),
        shared=_read_hand(source, "shared", "", cards, SHARED_SIZE),
        rulings=_read_rulings(source),
    )
    _refuse_wrong_players(position)
    _refuse_card_in_two_places(position)
    _refuse_unlocked_without_shared(position)
    return position


def format_ruling(ruling: Sequence[PlayerRuling]) -> dict[str, Any]:
    """Returns a ruling as contract §2 spells the answer."""
    return {
        "players": [
            {
                "name": player.name,
                "method": None if player.method is None else player.method.value,
                "choice": player.choice,
                "base": player.base,
                "own_impact": player.own_impact,
                "shared_impact": player.shared_impact,
                "impact": player.impact,
                "score": player.score,
                "reason": player.reason,
            }
            for player in ruling
        ]
    }


def _read_player(value: object, place: str, cards: Cards) -> PlayerCards:
    source = read_object(value, place, _PLAYER)
    name = read_text(source, "name", place)
    locked = source["locked"]
    if locked is not None:
        if type(locked) is not str or locked not in cards:
            refuse(at(place, "locked"), "the id of a Habitat card, or null", locked)
        locked = cards[locked]
    room = LARGEST_HAND if locked is None else LARGEST_HAND - 1
    hand = _read_hand(source, "hand", place, cards, room)
    return PlayerCards(name, hand, locked, _read_used(source, place))


def _read_hand(
    source: Json, key: str, place: str, cards: Cards, most: int
) -> tuple[HabitatCard, ...]:
    ids = read_distinct(source, key, place)
    if len(ids) > most:
        refuse(at(place, key), f"at most {most} cards", ids)
    for index, card_id in enumerate(ids):
        if card_id not in cards:
            refuse(f"{at(place, key)}[{index}]", "the id of a Habitat card", card_id)
    return tuple([cards[card_id] for card_id in ids])


def _read_used(source: Json, place: str) -> tuple[Method, ...]:
    """Returns the methods used before; one may come twice, for a repeat is recorded too (E8)."""
    words = read_texts(source, "used", place)
    for index, word in enumerate(words):
        if word not in _METHODS:
            refuse(f"{at(place, 'used')}[{index}]", listed(_METHODS), word)
    return tuple([_METHODS[word] for word in words])


def _read_rulings(source: Json) -> Rulings:
    if "rulings" not in source:
        return Rulings()
    chosen = read_rulings(GAME, source["rulings"], "rulings")
    return Rulings(impact_on_zero=chosen["impact_on_zero"] is True)


def _refuse_wrong_players(position: RoundPosition) -> None:
    names = [player.name for player in position.players]
    if not 1 <= len(names) <= MAX_PLAYERS:
        raise FormatError("players", f"1 to {MAX_PLAYERS} players", str(len(names)))
    for index, name in enumerate(names):
        if name in names[:index]:
            raise FormatError(f"players[{index}].name", "a name of its own", f"{name} again")


def _refuse_card_in_two_places(position: RoundPosition) -> None:
    seen: dict[str, str] = {}
    piles = [("shared", position.shared)]
    for index, player in enumerate(position.players):
        piles.append((f"players[{index}].hand", player.hand))
        if player.locked is not None:
            piles.append((f"players[{index}].locked", (player.locked,)))
    for place, cards in piles:
        for card in cards:
            if card.id in seen:
                raise FormatError(place, "each card in one place", f"{card.id} of {seen[card.id]}")
            seen[card.id] = place


def _refuse_unlocked_without_shared(position: RoundPosition) -> None:
    """Refuses what cannot be: a round with an unlocked player ends with three shared cards."""
    for index, player in enumerate(position.players):
        if player.locked is None and len(position.shared) != SHARED_SIZE:
            raise FormatError(
                f"players[{index}].locked",
                f"a locked-in card, or {SHARED_SIZE} shared cards",
                f"null for {player.name} and {len(position.shared)} in shared",
            )
