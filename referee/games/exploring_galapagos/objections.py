"""What the rules have against an action, with the section of the rulebook that says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.games.exploring_galapagos.course import draft_cards, ids, next_player, phase
from referee.games.exploring_galapagos.model import (
    AddToDraft,
    Draft,
    HabitatCard,
    LockIn,
    PlayerAction,
)
from referee.games.exploring_galapagos.state import (
    Action,
    Deal,
    EndRound,
    LayRow,
    Phase,
    State,
)
from referee.rules import Objection

_SETUP = "Setup (Every Round)"
_STEP_1 = "Step 1: Add To Draft or Lock In"
_STEP_2 = "Step 2: Draft"
_SCORING = "Scoring"
_END = "Recording Scores"
_DUE = {
    Phase.DEALING: ("the lead photographer shuffles and deals first", _SETUP),
    Phase.CHOOSING: ("the players add to the draft or lock in first", _STEP_1),
    Phase.LAYING: ("the cards of the draft are laid in a row first", _STEP_2),
    Phase.DRAFTING: ("the players choose from the row first", _STEP_2),
    Phase.SCORING: ("the round has ended and is scored", _SCORING),
    Phase.OVER: ("the game is over after three rounds", _END),
}
_PHASES: Mapping[type[Action], Phase] = {
    Deal: Phase.DEALING,
    AddToDraft: Phase.CHOOSING,
    LockIn: Phase.CHOOSING,
    LayRow: Phase.LAYING,
    Draft: Phase.DRAFTING,
    EndRound: Phase.SCORING,
}


def object_to(state: State, action: Action) -> Objection | None:
    """Returns what the rules have against an action now, or None."""
    now = phase(state)
    if _PHASES[type(action)] is not now:
        return Objection(*_DUE[now])
    match action:
        case AddToDraft() | LockIn():
            return _to_player(state, action, state.hands, _STEP_1)
        case Draft():
            rows = dict.fromkeys(state.setup.players, state.row)
            return _to_player(state, action, rows, _STEP_2)
        case Deal(order):
            return _to_order(order, state.setup.cards, _SETUP)
        case LayRow(order):
            return _to_order(order, draft_cards(state), _STEP_2)
        case EndRound():
            return None


def _to_player(
    state: State,
    action: PlayerAction,
    choices: Mapping[str, Iterable[HabitatCard]],
    section: str,
) -> Objection | None:
    player, due = action.player, next_player(state)
    if player not in state.setup.players:
        return Objection(f"{player} does not play", _SETUP)
    if player in state.locked:
        return Objection(f"{player} has locked in and drafts no more in this round", _STEP_1)
    if player != due:
        return Objection(f"it is the turn of {due}, not of {player}", section)
    if all(card.id != action.card for card in choices[player]):
        where = "the row" if isinstance(action, Draft) else f"the hand of {player}"
        return Objection(f"{action.card} is not in {where}", section)
    return None


def _to_order(
    order: tuple[str, ...], cards: Iterable[HabitatCard], section: str
) -> Objection | None:
    expected = sorted(ids(cards))
    if sorted(order) == expected:
        return None
    got = ", ".join(order) or "nothing"
    return Objection(f"expected an order of {', '.join(expected)}, got {got}", section)
