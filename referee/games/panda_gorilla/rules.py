"""The whole game of Panda, Gorilla & Co: what may be done, and what comes of it.

What a table comes to is `scoring.rule_table`; here turns follow each other (Setup, Game Sequence,
the three actions, End of the Game).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.fields import listed
from referee.games.panda_gorilla.areas import Area
from referee.games.panda_gorilla.course import (
    CARDS_TURNED,
    areas_to_score,
    chips_left,
    fitting,
    is_worth_taking,
    phase,
    zoo_of,
)
from referee.games.panda_gorilla.grounds import name_of, quarter_at, space_of
from referee.games.panda_gorilla.laying import same_size_in_area
from referee.games.panda_gorilla.model import (
    COLOURS,
    Board,
    PathCard,
    Proposal,
    Rulings,
    Size,
    Tile,
)
from referee.games.panda_gorilla.objections import object_to
from referee.games.panda_gorilla.scoring import (
    house_animals,
    rule_table,
    share_points,
    supply_left,
    winners,
)
from referee.games.panda_gorilla.state import (
    Action,
    Lay,
    LayPond,
    NoProposal,
    Phase,
    Propose,
    ScoreArea,
    Setup,
    State,
    TakeFaceUp,
    TurnUp,
)
from referee.games.panda_gorilla.table import TablePosition, TableRuling
from referee.rules import Mix, Objection, Outcome, RuleViolation, Table

MIN_PLAYERS, MAX_PLAYERS = 2, 4
"""Number of players (Components: chips of four colours)."""

_READING_ORDER = ("nw", "ne", "sw", "se")


def set_up(pieces: Sequence[object], table: Table) -> Setup:
    """Returns the setup of a game with the cards and the board of a deck.

    Raises:
        RuleViolation: if these players cannot play with these cards.
    """
    if table.variant != "normal":
        raise RuleViolation(f"expected the variant normal, got {table.variant}")
    board = next((piece for piece in pieces if isinstance(piece, Board)), None)
    if board is None:
        raise RuleViolation("expected a board among the pieces, got none")
    cards = (piece for piece in pieces if isinstance(piece, PathCard))
    setup = Setup(
        players=table.players,
        lead=table.lead,
        board=Board(board.rows, board.cols, board.entrance, board.signs),
        pile=tuple(replace(card, count=1) for card in cards),
        rulings=Rulings.of(table.rulings),
    )
    initial_state(setup)
    return setup


def initial_state(setup: Setup) -> State:
    """Returns the table before the first card is turned face up (Setup).

    Raises:
        RuleViolation: if the players, the lead, the cards or the board are not those of a game.
    """
    fault = _setup_fault(setup)
    if fault:
        raise RuleViolation(fault)
    return State(
        setup=setup,
        turn=setup.lead,
        pile=setup.pile,
        face_up=None,
        drawn=(),
        box=(),
        tiles=(),
        is_proposing=False,
        proposals=(),
        supply=setup.supply,
        points=dict.fromkeys(setup.players, 0),
    )


def legal_actions(state: State) -> tuple[Action, ...]:
    """Returns what the rules allow now.

    Of the cards that may come to light only the top ones of the pile are listed, and of an area's
    quarters only the first: for a chip the first of the card just laid.
    """
    now = phase(state)
    match now:
        case Phase.OPENING | Phase.DRAWING:
            return tuple(_drawing_actions(state, 1 if now is Phase.OPENING else CARDS_TURNED))
        case Phase.PLACING:
            return tuple(_placing_actions(state))
        case Phase.PROPOSING:
            return (*_proposals(state), NoProposal())
        case Phase.SCORING:
            return tuple(_score(area) for area, _ in areas_to_score(state))
        case Phase.FINAL:
            return (_score(areas_to_score(state)[0][0]),)
        case Phase.OVER:
            return ()


def apply(state: State, action: Action) -> State:
    """Returns the state after an action.

    Raises:
        RuleViolation: if the action cannot happen; `explain` says what is against it.
    """
    objection = explain(state, action)
    if objection is not None and not objection.can_happen:
        raise RuleViolation(f"{objection.reason} ({objection.section})")
    match action:
        case TurnUp() | TakeFaceUp():
            return _draw(state, action)
        case Lay() | LayPond():
            return _lay(state, action)
        case Propose() | NoProposal():
            return _propose(state, action)
        case ScoreArea():
            return _score_area(state, action)


def explain(state: State, action: Action) -> Objection | None:
    """Returns what the rules have against an action now; None for one that they allow."""
    return object_to(state, action)


def shuffle(state: State, mix: Mix) -> None:
    """Returns None: the path cards are shuffled once, before the game (P29)."""


def outcome(state: State) -> Outcome | None:
    """Returns the points and who is furthest ahead, or None while the game runs."""
    if phase(state) is not Phase.OVER:
        return None
    return Outcome(dict(state.points), winners(state.points))


def table_position(state: State) -> TablePosition:
    """Returns what lies on the table as the ruling takes it."""
    face_up = () if state.face_up is None else (state.face_up,)
    return TablePosition(
        board=state.setup.board,
        tiles=state.tiles,
        proposals=state.proposals,
        supply=state.supply,
        offer=state.drawn or face_up,
        is_final=phase(state) in (Phase.FINAL, Phase.OVER),
        rulings=state.setup.rulings,
    )


def ruling(state: State) -> TableRuling:
    """Returns what the rules say about the table."""
    return rule_table(table_position(state))


def _setup_fault(setup: Setup) -> str | None:
    players, cards = setup.players, set(setup.pile)
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS or len(set(players)) < len(players):
        expected = f"{MIN_PLAYERS} to {MAX_PLAYERS} different players"
        return f"expected {expected}, got {', '.join(players) or 'none'}"
    if not set(players) <= set(COLOURS) or setup.lead not in players:
        got = f"{', '.join(players)}, led by {setup.lead}"
        return f"expected players and lead by their colours {listed(COLOURS)}, got {got}"
    if not cards or len({card.id for card in cards}) < len(cards):
        return "expected path cards, each kind with an id of its own"
    if not set(setup.board.signs) - set(setup.board.entrance):
        return "expected a board with a sign on which the first card can be laid"
    return None


def _drawing_actions(state: State, number: int) -> Iterator[Action]:
    if is_worth_taking(state):
        yield TakeFaceUp()
    if state.pile:
        yield TurnUp(tuple(card.id for card in state.pile[:number]))


def _placing_actions(state: State) -> Iterator[Action]:
    """Yields the ways to lay a card or, where none of the cards drawn fits, a pond (P9, P11)."""
    ways = fitting(state, state.drawn)
    yield from (Lay(way.card, way.space, way.rotation) for way in ways)
    if not ways:
        spaces = list(zoo_of(state).grounds.empty_spaces())
        for card_id in dict.fromkeys(card.id for card in state.drawn):
            yield from (LayPond(card_id, space) for space in spaces)


def _proposals(state: State) -> Iterator[Propose]:
    """Yields the chips that may be put on the card just laid, area by area (P16, P17)."""
    space, grounds = state.tiles[-1].space, zoo_of(state).grounds
    firsts = {
        area: name
        for name in reversed(_READING_ORDER)
        for area in zoo_of(state).areas
        if quarter_at(space, name) in area.quarters
    }
    for name in sorted(firsts.values(), key=_READING_ORDER.index):
        for size in Size:
            proposal = Proposal(space, name, state.turn, size)
            if chips_left(state, state.turn, size) and not same_size_in_area(
                grounds, proposal, state.proposals
            ):
                yield Propose(name, size)


def _score(area: Area) -> ScoreArea:
    first = area.quarters[0]
    return ScoreArea(space_of(first), name_of(first))


def _draw(state: State, action: TurnUp | TakeFaceUp) -> State:
    """Takes the face-up card, or turns cards; then a face-up one is boxed before (P8).

    The card turned at the start is to lie beside the pile.
    """
    old = () if state.face_up is None else (state.face_up,)
    if isinstance(action, TakeFaceUp):
        return replace(state, face_up=None, drawn=old)
    pile, turned = list(state.pile), []
    for card_id in action.cards:
        card = next(card for card in pile if card.id == card_id)
        pile.remove(card)
        turned.append(card)
    if phase(state) is Phase.OPENING:
        return replace(state, pile=tuple(pile), face_up=turned[0])
    box = (*state.box, *old)
    return replace(state, pile=tuple(pile), face_up=None, drawn=tuple(turned), box=box)


def _lay(state: State, action: Lay | LayPond) -> State:
    """Lays a card; the one left over is face up for the next player (P8).

    A pond ends the turn, for it has no zoo area to propose anything for (P12).
    """
    index = [card.id for card in state.drawn].index(action.card)
    rest = state.drawn[:index] + state.drawn[index + 1 :]
    face_up = rest[0] if rest else None
    is_pond = isinstance(action, LayPond)
    tile = (
        Tile(action.space, None)
        if isinstance(action, LayPond)
        else Tile(action.space, state.drawn[index], action.rotation)
    )
    tiles = (*state.tiles, tile)
    state = replace(state, face_up=face_up, drawn=(), tiles=tiles, is_proposing=not is_pond)
    return _pass_turn(state) if is_pond else state


def _propose(state: State, action: Propose | NoProposal) -> State:
    chips = state.proposals
    if isinstance(action, Propose):
        space = state.tiles[-1].space
        chips = (*chips, Proposal(space, action.quarter, state.turn, action.size))
    return _pass_turn(replace(state, proposals=chips, is_proposing=False))


def _score_area(state: State, action: ScoreArea) -> State:
    """Lets the animals move in; all chips of the area go home (P19 to P28)."""
    quarter = quarter_at(action.space, action.quarter)
    area, proposals = next(pair for pair in areas_to_score(state) if quarter in pair[0].quarters)
    rulings = state.setup.rulings
    counts = house_animals(zoo_of(state).grounds, area, proposals, state.supply).counts
    gained = share_points(counts, proposals, rulings)
    scored = replace(
        state,
        proposals=tuple(each for each in state.proposals if each not in proposals),
        supply=supply_left(state.supply, counts, rulings),
        points={player: old + gained.get(player, 0) for player, old in state.points.items()},
    )
    return _pass_turn(scored)


def _pass_turn(state: State) -> State:
    """Gives the turn to the player on the left once nothing is left to score (P35)."""
    if phase(state) in (Phase.SCORING, Phase.FINAL):
        return state
    players = state.setup.players
    return replace(state, turn=players[(players.index(state.turn) + 1) % len(players)])
