"""Panda, Gorilla & Co in plain sentences, for people at the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.errors import counted
from referee.games.panda_gorilla.areas import Area
from referee.games.panda_gorilla.course import (
    CARDS_TURNED,
    areas_to_score,
    chips_left,
    phase,
)
from referee.games.panda_gorilla.grounds import name_of, quarter_at, space_of
from referee.games.panda_gorilla.model import EDGES, PathCard, Size, Space
from referee.games.panda_gorilla.packing import Supply
from referee.games.panda_gorilla.rules import ruling
from referee.games.panda_gorilla.scoring import count_of
from referee.games.panda_gorilla.sketch import draw_cards, draw_zoo
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

_EDGES: Mapping[str, str] = {"n": "north", "e": "east", "s": "south", "w": "west"}
_QUARTERS: Mapping[str, str] = {
    "nw": "north-west",
    "ne": "north-east",
    "se": "south-east",
    "sw": "south-west",
}


def describe_action(state: State, action: Action) -> str:
    """Returns an action in words: `red lays p03 at row 1, column 4, turned by 90 degrees`."""
    if phase(state) is Phase.OPENING and isinstance(action, TurnUp):
        return f"the card {' '.join(action.cards)} is turned face up"
    if isinstance(action, ScoreArea):
        return f"the area with {_quarter(action.space, action.quarter)} is scored"
    return f"{state.turn} {_describe_deed(state, action)}"


def describe_choice(state: State, action: Action) -> str:
    """Returns an action in words for whoever chooses it: not which cards the pile will bring."""
    if isinstance(action, Propose):
        where = _QUARTERS.get(action.quarter, action.quarter)
        return f"{state.turn} proposes {action.size} animals in the {where} of the card"
    if not isinstance(action, TurnUp):
        return describe_action(state, action)
    if phase(state) is Phase.OPENING:
        return "the top card of the pile is turned face up"
    number = min(CARDS_TURNED, len(state.pile))
    cards = f"{number} new cards" if number > 1 else "the last card"
    boxed = ", and the face-up card goes to the box" if state.face_up is not None else ""
    return f"{state.turn} turns {cards} of the pile{boxed}"


def chooser(state: State) -> None:
    """Returns None: all that a player chooses by lies open."""


def withhold(state: State, _now: State) -> State:
    """Returns the state as it is: no face that was seen is to be remembered in this game."""
    return state


def describe_state(
    state: State, _viewer: str | None = None, /, *, is_open: bool = False
) -> tuple[tuple[str, str], ...]:
    """Returns what lies open on the table, and who is on turn; if it is open, the pile as well."""
    lines = tuple(_lines(state))
    if is_open and state.pile:
        lines += (("The pile", f"{' '.join(card.id for card in state.pile)}, the top card first"),)
    return lines


def news(before: State, after: State) -> tuple[str, ...]:
    """Returns the cards that came to light, areas that grew complete, animals and points."""
    return tuple(_news(before, after))


def _lines(state: State) -> Iterator[tuple[str, str]]:
    yield "Now", _what_is_due(state)
    if state.face_up is not None:
        yield "Face up", draw_cards([state.face_up])
    if state.drawn:
        yield "Drawn", draw_cards(state.drawn)
    yield "Board", draw_zoo(state.setup.board, state.tiles, state.proposals)
    for player, points in state.points.items():
        chips = ", ".join(f"{chips_left(state, player, size)} {size}" for size in Size)
        yield f"{player} has", f"{points} points; chips {chips}"
    yield "Animals left", _counted(state.supply)
    yield "Face down", f"{len(state.pile)} path cards; {len(state.box)} in the box"


def _what_is_due(state: State) -> str:
    areas = [_describe_area(area) for area, _ in areas_to_score(state)]
    return {
        Phase.OPENING: "the top card of the pile is turned face up",
        Phase.DRAWING: f"{state.turn} draws a card",
        Phase.PLACING: f"{state.turn} lays a card",
        Phase.PROPOSING: f"{state.turn} may put a chip on the card just laid",
        Phase.SCORING: f"{state.turn} scores what is complete: {'; '.join(areas)}",
        Phase.FINAL: f"the game has ended; the last areas are scored: {'; '.join(areas)}",
        Phase.OVER: "the game is over",
    }[phase(state)]


def _describe_deed(state: State, action: Action) -> str:
    match action:
        case TurnUp(cards):
            words = f"turns {' and '.join(cards)}"
        case TakeFaceUp():
            words = "takes the face-up card"
        case Lay(card, space, rotation):
            turned = f", turned by {rotation} degrees" if rotation else ""
            words = f"lays {card} at {_space(space)}{turned}"
        case LayPond(card, space):
            words = f"lays {card} face down at {_space(space)}, as a pond"
        case Propose(quarter, size):
            on = _space(state.tiles[-1].space) if state.is_proposing else "the card just laid"
            words = f"proposes {size} animals at the {_QUARTERS.get(quarter, quarter)} of {on}"
        case NoProposal():
            words = "proposes nothing"
        case ScoreArea(space, quarter):
            words = f"scores the area with {_quarter(space, quarter)}"
    return words


def _news(before: State, after: State) -> Iterator[str]:
    came = [card for card in (*after.drawn, after.face_up) if card is not None]
    if len(after.pile) < len(before.pile):
        yield from (f"Turned: {_describe_card(card)}" for card in came)
    if len(after.proposals) < len(before.proposals):
        yield from _news_of_scoring(before, after)
    elif phase(after) is Phase.SCORING:
        yield from (f"Complete: {_describe_area(area)}" for area, _ in areas_to_score(after))
    if phase(after) is Phase.FINAL and phase(before) is not Phase.FINAL:
        yield "The game has ended; areas in which chips lie are scored"
    elif after.turn != before.turn and phase(after) is not Phase.OVER:
        yield f"It is {after.turn}'s turn"


def _news_of_scoring(before: State, after: State) -> Iterator[str]:
    gone = [chip for chip in before.proposals if chip not in after.proposals]
    quarter = quarter_at(gone[0].space, gone[0].quarter)
    scored = next(each for each in ruling(before).areas if quarter in each.area.quarters)
    where = _describe_area(scored.area)
    moved = Supply(
        large=before.supply.large - after.supply.large,
        medium=before.supply.medium - after.supply.medium,
        small=before.supply.small - after.supply.small,
    )
    if before.setup.rulings.supply == "unlimited":
        moved = scored.packing.counts
    yield f"Into the {where} move {_counted(moved) or 'no animals'}"
    for player in dict.fromkeys(chip.player for chip in gone):
        points = after.points[player] - before.points[player]
        yield f"{player} gets {counted(points, 'point')}"
    for size in Size:
        if count_of(before.supply, size) and not count_of(after.supply, size):
            yield f"No {size} animal is left"


def _describe_area(area: Area) -> str:
    first = area.quarters[0]
    size = f"{len(area.quarters)} quarters" if len(area.quarters) > 1 else "1 quarter"
    return f"{area.colour} area of {size} from {_quarter(space_of(first), name_of(first))}"


def _describe_card(card: PathCard) -> str:
    """Returns what is on a card: its paths, then its lawns clockwise from the north-west."""
    paths = " ".join(_EDGES[edge] for edge in EDGES if edge in card.paths)
    return f"{card.id} (paths {paths or 'none'}; lawns {' '.join(card.quarters)})"


def _quarter(space: Space, name: str) -> str:
    return f"the {_QUARTERS.get(name, name)} of {_space(space)}"


def _space(space: Space) -> str:
    return f"row {space.row}, column {space.col}"


def _counted(animals: Supply) -> str:
    numbers = ((count_of(animals, size), size) for size in Size)
    return ", ".join(f"{number} {size}" for number, size in numbers if number)
