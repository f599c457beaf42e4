"""The whole game of Exploring Galapagos: what may be done, and what comes of it.

The ruling of one round is `scoring.rule_round`; here turns and rounds follow each other (Setup,
Turn Structure, Recording Scores).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.games.exploring_galapagos.course import (
    clockwise,
    draft_cards,
    ids,
    next_player,
    phase,
)
from referee.games.exploring_galapagos.model import (
    DECK_SIZE,
    MAX_PLAYERS,
    MIN_PLAYERS,
    AddToDraft,
    Draft,
    HabitatCard,
    LockIn,
    Method,
    PlayerCards,
    PlayerRuling,
    Record,
    RoundPosition,
    Rulings,
)
from referee.games.exploring_galapagos.objections import object_to
from referee.games.exploring_galapagos.scoring import hand_size, rule_round, totals, winners
from referee.games.exploring_galapagos.state import (
    Action,
    Deal,
    EndRound,
    LayRow,
    Phase,
    Setup,
    State,
)
from referee.rules import Mix, Objection, Outcome, RuleViolation, Table


def set_up(pieces: Sequence[object], table: Table) -> Setup:
    """Returns the setup of a game with the cards of a deck.

    Raises:
        RuleViolation: if these players cannot play with these cards.
    """
    if table.variant != "normal":
        raise RuleViolation(f"expected the variant normal, got {table.variant}")
    setup = Setup(
        players=table.players,
        lead=table.lead,
        cards=tuple(piece for piece in pieces if isinstance(piece, HabitatCard)),
        rulings=Rulings(**{name: value is True for name, value in table.rulings.items()}),
    )
    initial_state(setup)
    return setup


def initial_state(setup: Setup) -> State:
    """Returns the table before the first hands are dealt (Setup).

    Raises:
        RuleViolation: if the players, the lead or the cards are not those of a game.
    """
    fault = _setup_fault(setup)
    if fault:
        raise RuleViolation(fault)
    return State(
        setup=setup,
        lead=setup.lead,
        deck=setup.cards,
        hands=dict.fromkeys(setup.players, ()),
        locked={},
        added={},
        row=(),
        chosen={},
        shared=(),
        records=(),
    )


def legal_actions(state: State) -> tuple[Action, ...]:
    """Returns what the rules allow now.

    Of the orders in which cards may lie after shuffling only one is listed: for the deck that of
    the setup, for the row that of the values. Any other order can be applied as well.
    """
    player = next_player(state) or ""
    match phase(state):
        case Phase.DEALING:
            return (Deal(ids(state.setup.cards)),)
        case Phase.CHOOSING:
            hand = state.hands[player]
            return (
                *(AddToDraft(player, card.id) for card in hand),
                *(LockIn(player, card.id) for card in hand),
            )
        case Phase.LAYING:
            return (LayRow(ids(sorted(draft_cards(state), key=_value))),)
        case Phase.DRAFTING:
            return tuple(Draft(player, card.id) for card in state.row)
        case Phase.SCORING:
            return (EndRound(),)
        case Phase.OVER:
            return ()


def apply(state: State, action: Action) -> State:
    """Returns the state after an action.

    Raises:
        RuleViolation: if the action is not allowed; `explain` says what is against it.
    """
    objection = explain(state, action)
    if objection is not None:
        raise RuleViolation(f"{objection.reason} ({objection.section})")
    match action:
        case Deal(order):
            return _deal(state, order)
        case AddToDraft(player, card_id):
            card, hands = _play(state, player, card_id)
            return replace(state, hands=hands, added={**state.added, player: card})
        case LockIn(player, card_id):
            card, hands = _play(state, player, card_id)
            return replace(state, hands=hands, locked={**state.locked, player: card})
        case LayRow(order):
            by_id = {card.id: card for card in draft_cards(state)}
            row = tuple(by_id[card_id] for card_id in order)
            return replace(state, row=row, deck=state.deck[1:], added={})
        case Draft(player, card_id):
            return _draft(state, player, card_id)
        case EndRound():
            return _end_round(state)


def explain(state: State, action: Action) -> Objection | None:
    """Returns what the rules have against an action now; None for one that they allow.

    What is played or chosen against the rules is put back, so nothing of it `can_happen`.
    """
    return object_to(state, action)


def shuffle(state: State, mix: Mix) -> Deal | LayRow | None:
    """Returns the dealing of all cards or the laying of the row, in the order of `mix`."""
    match phase(state):
        case Phase.DEALING:
            return Deal(tuple(mix(ids(state.setup.cards))))
        case Phase.LAYING:
            return LayRow(tuple(mix(ids(draft_cards(state)))))
        case _:
            return None


def outcome(state: State) -> Outcome | None:
    """Returns the totals and who has most, or None while the game runs (Winning the Game)."""
    if phase(state) is not Phase.OVER:
        return None
    scores = totals(state.setup.players, state.records)
    return Outcome(scores, winners(scores))


def round_position(state: State) -> RoundPosition:
    """Returns what lies on the table as the ruling takes it."""
    return RoundPosition(
        players=tuple(
            PlayerCards(
                name=player,
                hand=state.hands[player],
                locked=state.locked.get(player),
                used=_used(state, player),
            )
            for player in state.setup.players
        ),
        shared=state.shared,
        rulings=state.setup.rulings,
    )


def ruling(state: State) -> tuple[PlayerRuling, ...]:
    """Returns what the rules say about a round that has ended.

    Raises:
        RuleViolation: if the round still runs: an unlocked player has no method then.
    """
    if phase(state) is not Phase.SCORING:
        raise RuleViolation("expected a round that has ended (Scoring)")
    return rule_round(round_position(state))


def _setup_fault(setup: Setup) -> str | None:
    players = setup.players
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS or len(set(players)) < len(players):
        expected = f"{MIN_PLAYERS} to {MAX_PLAYERS} different players"
        return f"expected {expected}, got {', '.join(players) or 'none'}"
    if any(name.split() != [name] for name in players) or setup.lead not in players:
        return f"expected players by names without blanks and one of them as lead, got {setup.lead}"
    names, values = set(ids(setup.cards)), {card.value for card in setup.cards}
    if not len(names) == len(values) == len(setup.cards) == DECK_SIZE:
        return f"expected {DECK_SIZE} Habitat cards, each with an id and a value of its own"
    return None


def _used(state: State, player: str) -> tuple[Method, ...]:
    """Returns the methods written down for a player, whatever they scored (E6, E8)."""
    methods = (record[player].method for record in state.records)
    return tuple(method for method in methods if method is not None)


def _deal(state: State, order: tuple[str, ...]) -> State:
    """Gives 4 cards to each of 2 or 3 players and 3 to each of 4 or 5 (Setup)."""
    by_id = {card.id: card for card in state.setup.cards}
    deck = tuple(by_id[card_id] for card_id in order)
    size = hand_size(len(state.setup.players))
    hands = dict(state.hands)
    for player in clockwise(state):
        hands[player], deck = deck[:size], deck[size:]
    return replace(state, hands=hands, deck=deck)


def _play(
    state: State, player: str, card_id: str
) -> tuple[HabitatCard, dict[str, tuple[HabitatCard, ...]]]:
    card, rest = _taken(state.hands[player], card_id)
    return card, {**state.hands, player: rest}


def _draft(state: State, player: str, card_id: str) -> State:
    """Takes a card of the row; after the last the lowest chosen value leads (E14 to E16)."""
    card, row = _taken(state.row, card_id)
    chosen = {**state.chosen, player: card}
    if len(row) > 1:  # one more than the players who draft, so one is left at last
        return replace(state, row=row, chosen=chosen)
    hands = {
        name: (*hand, chosen[name]) if name in chosen else hand
        for name, hand in state.hands.items()
    }
    return replace(
        state,
        lead=min(chosen, key=lambda name: chosen[name].value),
        hands=hands,
        row=(),
        chosen={},
        shared=(*state.shared, *row),
    )


def _end_round(state: State) -> State:
    """Writes the round down; the lead stays for the next one (Recording Scores; E8, E17)."""
    record = {player.name: Record(player.method, player.score) for player in ruling(state)}
    return replace(
        state,
        deck=state.setup.cards,
        hands=dict.fromkeys(state.setup.players, ()),
        locked={},
        shared=(),
        records=(*state.records, record),
    )


def _taken(
    cards: tuple[HabitatCard, ...], card_id: str
) -> tuple[HabitatCard, tuple[HabitatCard, ...]]:
    """Returns a card and the others."""
    index = ids(cards).index(card_id)
    return cards[index], cards[:index] + cards[index + 1 :]


def _value(card: HabitatCard) -> int:
    return card.value
