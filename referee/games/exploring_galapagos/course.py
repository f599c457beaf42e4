"""The course of a round: whose turn it is and what happens next.

The rulebook's Turn Structure, step by step; `rules` is what comes of the actions.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.exploring_galapagos.model import (
    ROUNDS,
    SHARED_SIZE,
    HabitatCard,
)
from referee.games.exploring_galapagos.state import (
    Phase,
    State,
)


def phase(state: State) -> Phase:
    """Returns what happens next (Turn Structure; E13, E15)."""
    if len(state.records) == ROUNDS:
        return Phase.OVER
    if not any(state.hands.values()):
        return Phase.DEALING
    if state.row:
        return Phase.DRAFTING
    if len(state.shared) == SHARED_SIZE or len(state.locked) == len(state.setup.players):
        return Phase.SCORING
    return Phase.LAYING if next_player(state) is None else Phase.CHOOSING


def next_player(state: State) -> str | None:
    """Returns whose turn it is: the next clockwise from the lead who has not locked in (E14, E18).

    None where everybody has added a card or locked in.
    """
    done = state.chosen if state.row else state.added
    for player in clockwise(state):
        if player not in state.locked and player not in done:
            return player
    return None


def clockwise(state: State) -> tuple[str, ...]:
    """Returns the players in their order from the lead on."""
    players = state.setup.players
    seat = players.index(state.lead)
    return players[seat:] + players[:seat]


def draft_cards(state: State) -> tuple[HabitatCard, ...]:
    """Returns what makes the row: the added cards and the top card of the deck (Step 2)."""
    return (*state.added.values(), state.deck[0])


def ids(cards: Iterable[HabitatCard]) -> tuple[str, ...]:
    """Returns the ids of cards in their order."""
    return tuple(card.id for card in cards)
