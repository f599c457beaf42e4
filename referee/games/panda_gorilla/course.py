"""The course of a game: what happens next, and what follows from what lies on the board.

Rulebook: Game Sequence, End of the Game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from referee.games.panda_gorilla.areas import Area, find_areas
from referee.games.panda_gorilla.grounds import Grounds
from referee.games.panda_gorilla.laying import lay_tiles
from referee.games.panda_gorilla.model import (
    CHIPS_OF_A_SIZE,
    Board,
    PathCard,
    Placement,
    Proposal,
    Rulings,
    Size,
    Tile,
)
from referee.games.panda_gorilla.placing import placements
from referee.games.panda_gorilla.scoring import areas_with_chips
from referee.games.panda_gorilla.state import Phase, State

CARDS_TURNED = 2
"""Cards that a player turns to choose from (Action "Card")."""


@dataclass(frozen=True, slots=True)
class Zoo:
    """The board of a state, to be read only.

    Attributes:
        grounds: What lies there.
        areas: All areas in reading order.
        has_empty: Whether nothing lies on some space.
    """

    grounds: Grounds
    areas: tuple[Area, ...]
    has_empty: bool


def zoo_of(state: State) -> Zoo:
    """Returns the board of a state."""
    setup = state.setup
    return _make_zoo(setup.board, state.tiles, setup.rulings)


@lru_cache(maxsize=64)
def _make_zoo(board: Board, tiles: tuple[Tile, ...], rulings: Rulings) -> Zoo:
    """The same board is asked about again and again: what is legal, what against it, what then."""
    grounds, _ = lay_tiles(board, tiles, rulings)
    has_empty = next(grounds.empty_spaces(), None) is not None
    return Zoo(grounds, tuple(find_areas(grounds)), has_empty)


def phase(state: State) -> Phase:
    """Returns what happens next."""
    if state.is_proposing:
        return Phase.PROPOSING
    if state.proposals and any(area.is_complete for area, _ in chip_areas(state)):
        return Phase.SCORING
    if has_ended(state):
        return Phase.FINAL if state.proposals else Phase.OVER
    if state.drawn:
        return Phase.PLACING
    return Phase.DRAWING if state.tiles or state.face_up is not None else Phase.OPENING


def has_ended(state: State) -> bool:
    """Returns whether no further card is laid (End of the Game; P29 to P31).

    Where everything is covered and the player on turn can cover no pond with the face-up card,
    two others are turned; the end comes where they cover none either, or none is left to turn.
    Without a card to draw the game ends too, whatever is still empty.
    """
    zoo = zoo_of(state)
    if zoo.has_empty:
        return not state.drawn and state.face_up is None and not state.pile
    if not zoo.grounds.ponds:
        return True
    if state.drawn:
        return not fitting(state, state.drawn)
    return not state.pile and not is_worth_taking(state)


def is_worth_taking(state: State) -> bool:
    """Returns whether the face-up card may be taken.

    Where it fits nowhere it may become a pond (P10), unless everything is covered.
    """
    if state.face_up is None:
        return False
    return zoo_of(state).has_empty or bool(fitting(state, [state.face_up]))


def fitting(state: State, cards: Iterable[PathCard]) -> list[Placement]:
    """Returns every way to lay one of the cards."""
    return placements(zoo_of(state).grounds, cards)


def chip_areas(state: State) -> list[tuple[Area, tuple[Proposal, ...]]]:
    """Returns the areas with chips, in reading order, and the chips of each."""
    pairs = areas_with_chips(zoo_of(state).areas, state.proposals)
    return [(area, proposals) for area, proposals in pairs if proposals]


def areas_to_score(state: State) -> list[tuple[Area, tuple[Proposal, ...]]]:
    """Returns the areas that are scored now: the complete ones, at the end of the game all."""
    is_final = phase(state) is Phase.FINAL
    return [pair for pair in chip_areas(state) if is_final or pair[0].is_complete]


def chips_left(state: State, player: str, size: Size) -> int:
    """Returns how many chips of a size lie before a player."""
    laid = [each for each in state.proposals if (each.player, each.size) == (player, size)]
    return CHIPS_OF_A_SIZE - len(laid)
