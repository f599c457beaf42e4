"""Exploring Galapagos in plain sentences, for people at the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from referee.errors import counted
from referee.games.exploring_galapagos.course import ids, next_player, phase
from referee.games.exploring_galapagos.model import AddToDraft, Draft, HabitatCard, LockIn
from referee.games.exploring_galapagos.rules import ruling
from referee.games.exploring_galapagos.scoring import totals
from referee.games.exploring_galapagos.state import Action, Deal, EndRound, LayRow, Phase, State


def describe_action(state: State, action: Action) -> str:
    """Returns an action in words; what is added to the draft face down stays hidden.

    `ann locks in time with h07 (value 7, scores time, day, blue-fish sea)`.
    """
    cards = {card.id: card for card in state.setup.cards}
    match action:
        case Deal():
            return f"{state.lead} shuffles all cards and deals"
        case LayRow():
            return "the cards of the draft and one of the deck are shuffled and laid in a row"
        case EndRound():
            return "points and methods are written down"
        case AddToDraft(player):
            return f"{player} adds a card to the draft, face down"
        case LockIn(player, card_id):
            card = cards.get(card_id)
            method = f" {card.method}" if card is not None else ""
            return f"{player} locks in{method} with {_name(card_id, card)}"
        case Draft(player, card_id):
            return f"{player} chooses {_name(card_id, cards.get(card_id))}"


def describe_choice(state: State, action: Action) -> str:
    """Returns an action in words for whoever chooses it, and has its card before their eyes."""
    match action:
        case AddToDraft(player, card_id):
            return f"{player} adds {card_id} to the draft, face down"
        case LockIn(player, card_id):
            methods = {card.id: f" {card.method}" for card in state.setup.cards}
            return f"{player} locks in{methods.get(card_id, '')} with {card_id}"
        case Draft(player, card_id):
            return f"{player} chooses {card_id}"
        case _:
            return describe_action(state, action)


def chooser(state: State) -> str | None:
    """Returns whose turn it is: everybody chooses by the hand that the others do not see."""
    is_choosing = phase(state) in (Phase.CHOOSING, Phase.DRAFTING)
    return next_player(state) if is_choosing else None


def withhold(state: State, _now: State) -> State:
    """Returns the state as it is: no face that was seen is to be remembered in this game."""
    return state


def describe_state(
    state: State, viewer: str | None = None, /, *, is_open: bool = False
) -> tuple[tuple[str, str], ...]:
    """Returns what lies on the table and what was written down.

    Hands stay hidden until they are scored (E22), but that of the viewer; if it is open, nothing
    does.
    """
    has_ended = phase(state) is Phase.SCORING
    seen = state.setup.players if is_open or has_ended else (viewer,)
    return tuple(_lines(state, seen, is_open))


def news(before: State, after: State) -> tuple[str, ...]:
    """Returns who locks in, what lies in the row, who leads, and what a round brings."""
    return tuple(_news(before, after))


def _lines(state: State, seen: Collection[str | None], is_open: bool) -> Iterator[tuple[str, str]]:
    yield "Now", _what_is_due(state)
    yield "Lead", state.lead
    if state.row:
        yield "Row", _names(state.row)
    yield "Shared hand", _names(state.shared)
    for player in state.setup.players:
        parts = [counted(len(state.hands[player]), "card") + " in hand"]
        if player in state.locked:
            locked = state.locked[player]
            parts.append(f"locked in {locked.method} with {_name(locked.id, locked)}")
        if player in state.added:
            added = state.added[player]
            what = _name(added.id, added) if player in seen else "one card"
            parts.append(f"{what} in the draft")
        if player in state.chosen:
            chosen = state.chosen[player]
            parts.append(f"chose {_name(chosen.id, chosen)}")
        yield player, "; ".join(parts)
        if player in seen and state.hands[player]:
            yield f"{player} holds", _names(state.hands[player])
    yield "Face down", f"{counted(len(state.deck), 'card')} in the deck"
    if is_open and any(state.hands.values()):
        yield "Deck", f"{' '.join(ids(state.deck)) or 'empty'}, the top card first"
    if state.records:
        for player, total in totals(state.setup.players, state.records).items():
            used = [record[player].method or "no method" for record in state.records]
            yield f"{player} has", f"{counted(total, 'point')} by {', '.join(used)}"


def _what_is_due(state: State) -> str:
    match phase(state):
        case Phase.DEALING:
            return f"{state.lead} shuffles and deals for round {len(state.records) + 1}"
        case Phase.CHOOSING:
            return f"{next_player(state)} adds a card to the draft or locks in"
        case Phase.LAYING:
            return f"{state.lead} lays the row"
        case Phase.DRAFTING:
            return f"{next_player(state)} chooses a card of the row"
        case Phase.SCORING:
            return "the round is over and is scored"
        case Phase.OVER:
            return "the game is over"


def _news(before: State, after: State) -> Iterator[str]:
    for player, card in after.locked.items():
        if player not in before.locked:
            yield f"{player} locks in {card.method}"
    if after.row and not before.row:
        yield f"In the row: {_names(after.row)}"
    if len(after.shared) > len(before.shared):
        card = after.shared[-1]
        yield f"{_name(card.id, card)} goes to the shared hand"
        yield f"{after.lead} chose the lowest value and leads"
    if phase(after) is Phase.SCORING:
        yield f"The round is over: {_ending(after)}"
        for ruled in ruling(after):
            yield f"{ruled.name} scores {counted(ruled.score, 'point')}: {ruled.reason}"
    if len(after.records) > len(before.records):
        scores = totals(after.setup.players, after.records)
        told = ", ".join(f"{player} {score}" for player, score in scores.items())
        yield f"After round {len(after.records)}: {told}"


def _ending(state: State) -> str:
    if len(state.locked) == len(state.setup.players):
        return "everybody has locked in"
    return "three cards lie in the shared hand"


def _names(cards: Sequence[HabitatCard]) -> str:
    return ", ".join(_name(card.id, card) for card in cards) or "none"


def _name(card_id: str, card: HabitatCard | None) -> str:
    """Returns a card by its id and what counts on it; the animals as often as they are there."""
    if card is None:
        return card_id
    shown = Counter(
        f"{animal.color} {animal.zone}" + (f" {animal.time}" if animal.time != card.time else "")
        for animal in card.animals
    )
    animals = [f"{count} {animal}" if count > 1 else animal for animal, count in shown.items()]
    impact = [counted(card.impact, "icon")] if card.impact else []
    head = [f"value {card.value}", f"scores {card.method}", card.time]
    return f"{card_id} ({', '.join([*head, *impact, *animals])})"
