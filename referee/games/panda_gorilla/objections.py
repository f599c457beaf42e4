"""What the rules have against an action, with the section of the rulebook that says so.

Some mistakes cannot happen at a table, such as laying a card that was not drawn. Others can, such
as a path that ends in a lawn: then the card lies there, and `judge` names what it breaks.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.panda_gorilla.course import (
    CARDS_TURNED,
    areas_to_score,
    chips_left,
    fitting,
    is_worth_taking,
    phase,
    zoo_of,
)
from referee.games.panda_gorilla.grounds import quarter_at
from referee.games.panda_gorilla.laying import same_size_in_area, size_reason
from referee.games.panda_gorilla.model import (
    QUARTERS,
    ROTATIONS,
    PathCard,
    Proposal,
    Rule,
    Space,
    Tile,
)
from referee.games.panda_gorilla.placing import breaches
from referee.games.panda_gorilla.state import (
    Action,
    Lay,
    LayPond,
    NoProposal,
    Phase,
    Propose,
    ScoreArea,
    State,
    TakeFaceUp,
    TurnUp,
)
from referee.rules import Objection

SETUP, SEQUENCE, END = "Setup", "Game Sequence", "End of the Game"
CARD, PROPOSAL, SCORING = 'Action "Card"', 'Action "Proposal"', 'Action "Scoring"'

_DUE: Mapping[Phase, tuple[str, str]] = {
    Phase.OPENING: ("the top card of the pile is to be turned face up first", SETUP),
    Phase.DRAWING: ("a card is to be drawn first", CARD),
    Phase.PLACING: ("a card has been drawn and is to be laid first", CARD),
    Phase.PROPOSING: ("a chip, or none, is to be put on the card just laid", PROPOSAL),
    Phase.SCORING: ("areas have been completed and are to be scored first", SCORING),
    Phase.FINAL: ("the game has ended; areas with chips are scored", END),
    Phase.OVER: ("the game is over", END),
}
_PHASES: Mapping[type[Action], tuple[Phase, ...]] = {
    TurnUp: (Phase.OPENING, Phase.DRAWING),
    TakeFaceUp: (Phase.DRAWING,),
    Lay: (Phase.PLACING,),
    LayPond: (Phase.PLACING,),
    Propose: (Phase.PROPOSING,),
    NoProposal: (Phase.PROPOSING,),
    ScoreArea: (Phase.SCORING, Phase.FINAL),
}
"""When each action may be done."""


def object_to(state: State, action: Action) -> Objection | None:
    """Returns what the rules have against an action, or None."""
    now = phase(state)
    if now not in _PHASES[type(action)]:
        return Objection(*_DUE[now])
    objection: Objection | None = None
    match action:
        case TurnUp(cards):
            wanted = 1 if now is Phase.OPENING else CARDS_TURNED
            objection = _to_turning(state, cards, wanted)
        case TakeFaceUp():
            objection = _to_taking(state)
        case Lay():
            objection = _to_card(state, action)
        case LayPond():
            objection = _to_pond(state, action)
        case Propose():
            objection = _to_chip(state, action)
        case ScoreArea():
            objection = _to_scoring(state, action, now)
        case NoProposal():
            pass  # a player may always do without
    return objection


def _to_turning(state: State, cards: tuple[str, ...], wanted: int) -> Objection | None:
    number = min(wanted, len(state.pile))
    if number == 0:
        return Objection("no card is left to turn", CARD)
    if len(cards) != number:
        return Objection(f"expected {number} of the pile's cards, got {len(cards)}", CARD)
    left = [card.id for card in state.pile]
    for card in cards:
        if card not in left:
            return Objection(f"the card {card} is not in the pile", CARD)
        left.remove(card)
    return None


def _to_taking(state: State) -> Objection | None:
    if state.face_up is None:
        return Objection("no card lies face up", CARD)
    if not is_worth_taking(state):
        return Objection(f"{state.face_up.id} covers no pond, and no space is empty", END)
    return None


def _to_card(state: State, action: Lay) -> Objection | None:
    card = _drawn(state, action.card)
    if card is None:
        return _not_drawn(state, action.card)
    if action.rotation not in ROTATIONS:
        return Objection(f"expected a rotation of 0, 90, 180 or 270, got {action.rotation}", CARD)
    return _to_tile(state, Tile(action.space, card, action.rotation))


def _to_pond(state: State, action: LayPond) -> Objection | None:
    if _drawn(state, action.card) is None:
        return _not_drawn(state, action.card)
    objection = _to_tile(state, Tile(action.space, None))
    if objection is not None:
        return objection
    ways = fitting(state, state.drawn)
    if ways:
        card, space = ways[0].card, _named(ways[0].space)
        return Objection(f"{card} fits, such as at {space}", CARD, can_happen=True)
    return None


def _to_tile(state: State, tile: Tile) -> Objection | None:
    board = state.setup.board
    if not (0 <= tile.space.row < board.rows and 0 <= tile.space.col < board.cols):
        return Objection(f"the board has no space {_named(tile.space)}", CARD)
    faults = breaches(zoo_of(state).grounds, tile)
    if not faults:
        return None
    can_happen = all(fault.rule is not Rule.OCCUPIED for fault in faults)
    return Objection("; ".join(fault.reason for fault in faults), CARD, can_happen)


def _to_chip(state: State, action: Propose) -> Objection | None:
    if action.quarter not in QUARTERS:
        return Objection(f"a card has no quarter {action.quarter}", PROPOSAL)
    if not chips_left(state, state.turn, action.size):
        return Objection(f"{state.turn} has no {action.size} chip left", PROPOSAL)
    proposal = Proposal(state.tiles[-1].space, action.quarter, state.turn, action.size)
    other = same_size_in_area(zoo_of(state).grounds, proposal, state.proposals)
    if other is not None:
        return Objection(size_reason(proposal, other), PROPOSAL, can_happen=True)
    return None


def _to_scoring(state: State, action: ScoreArea, now: Phase) -> Objection | None:
    areas = [area for area, _ in areas_to_score(state)]
    quarter = quarter_at(action.space, action.quarter) if action.quarter in QUARTERS else None
    if all(quarter not in area.quarters for area in areas):
        where = f"{action.quarter} of {_named(action.space)}"
        return Objection(f"no area that is scored now has the quarter {where}", SCORING)
    if now is Phase.FINAL and quarter not in areas[0].quarters:
        return Objection("the last areas are scored in reading order", END, can_happen=True)
    return None


def _drawn(state: State, card_id: str) -> PathCard | None:
    return next((card for card in state.drawn if card.id == card_id), None)


def _not_drawn(state: State, card_id: str) -> Objection:
    drawn = " or ".join(card.id for card in state.drawn)
    return Objection(f"expected the card drawn, {drawn}, got {card_id}", CARD)


def _named(space: Space) -> str:
    return f"({space.row}, {space.col})"
