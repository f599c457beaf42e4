"""Plays Panda, Gorilla & Co by its rules until a table worth photographing lies there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, TypeVar

from datasets.art.paint import Rng
from referee.decks import Deck
from referee.games.panda_gorilla import rules
from referee.games.panda_gorilla.course import phase
from referee.games.panda_gorilla.model import (
    QUARTERS,
    ROTATIONS,
    Board,
    PathCard,
    Proposal,
    Size,
    Space,
    Tile,
)
from referee.games.panda_gorilla.scoring import rule_table
from referee.games.panda_gorilla.state import (
    Action,
    Lay,
    NoProposal,
    Phase,
    Propose,
    State,
    TakeFaceUp,
)
from referee.games.panda_gorilla.table import TablePosition
from referee.rules import Table

Json = dict[str, Any]
_T = TypeVar("_T")
PLAYERS = ("red", "yellow", "green", "blue")

_CHIP_CHANCE = 0.45
"""How often a player proposes an animal: about what keeps a third of the chips on the board."""

_FINAL_CHANCE = 0.25
_MISTAKE_CHANCE = 0.12
"""How often one card lies as no rule allows: the referee has to read that too."""

_MOST_ACTIONS = 800
"""More than a whole game takes: 74 cards, each drawn, laid, proposed for and scored."""


@dataclass(frozen=True, slots=True)
class ZooTable:
    """What lies on the board.

    Attributes:
        board: The board.
        tiles: Path cards and ponds in the order of laying.
        chips: The chips on them.
        players: Who plays.
        is_final: Whether open areas are to be scored too.
        pile: How many cards are left face down.
        face_up: The card that lies face up beside the pile, if any.
    """

    board: Board
    tiles: tuple[Tile, ...]
    chips: tuple[Proposal, ...]
    players: tuple[str, ...]
    is_final: bool
    pile: int
    face_up: PathCard | None

    @property
    def position(self) -> TablePosition:
        """What the rule engine is asked about."""
        return TablePosition(self.board, self.tiles, self.chips, is_final=self.is_final)


def play_zoo(rng: Rng, deck: Deck, share: float) -> ZooTable:
    """Plays by chance until a share of the spaces is covered, or until the game ends.

    Areas that are complete are scored as in a game, so that their chips go home; then some chips
    are put back, as if they had been forgotten or had not been scored yet.

    Raises:
        RuleViolation: if a game cannot be played with this deck.
    """
    state = play_until(rng, begin(rng, deck), share)
    table = table_of(state)
    if rng.random() < _FINAL_CHANCE:
        table = replace(table, is_final=True)
    if rng.random() < _MISTAKE_CHANCE:
        table = with_mistake(rng, table)
    return with_chips(rng, with_ponds(rng, table), int(rng.integers(0, 7)))


def table_of(state: State) -> ZooTable:
    """Returns what lies on the table in a state of the game."""
    return ZooTable(
        board=state.setup.board,
        tiles=state.tiles,
        chips=state.proposals,
        players=state.setup.players,
        is_final=phase(state) in (Phase.FINAL, Phase.OVER),
        pile=len(state.pile),
        face_up=state.face_up,
    )


def with_ponds(rng: Rng, table: ZooTable) -> ZooTable:
    """Turns up to four empty spaces into ponds on a part of the tables."""
    taken = {tile.space for tile in table.tiles} | set(table.board.entrance)
    spaces = (Space(*at) for at in product(range(table.board.rows), range(table.board.cols)))
    free = [space for space in spaces if space not in taken]
    count = min(len(free), table.pile, int(rng.integers(1, 5)))
    if rng.random() < 0.6 or not count:
        return table
    chosen = sorted(int(i) for i in rng.choice(len(free), count, replace=False))
    ponds = tuple(Tile(free[i], None) for i in chosen)
    return replace(table, tiles=table.tiles + ponds, pile=table.pile - count)


def with_mistake(rng: Rng, table: ZooTable) -> ZooTable:
    """Turns one card so that it breaks a rule, if any of a few tries does."""
    breaches = _count_breaches(table)
    for _ in range(12):
        index = int(rng.integers(len(table.tiles)))
        tile = table.tiles[index]
        turned = replace(tile, rotation=(tile.rotation + _pick(rng, ROTATIONS[1:])) % 360)
        tiles = (*table.tiles[:index], turned, *table.tiles[index + 1 :])
        wrong = replace(table, tiles=tiles)
        if tile.card is not None and _count_breaches(wrong) > breaches:
            return wrong
    return table


def with_chips(rng: Rng, table: ZooTable, count: int) -> ZooTable:
    """Puts up to that many more chips on the board, each as the rules allow it."""
    breaches = _count_breaches(table)
    for _ in range(count):
        bare = [
            tile
            for tile in table.tiles
            if tile.card is not None and all(chip.space != tile.space for chip in table.chips)
        ]
        if not bare:
            break
        tile = bare[int(rng.integers(len(bare)))]
        chip = Proposal(
            tile.space, _pick(rng, QUARTERS), _pick(rng, table.players), _pick(rng, tuple(Size))
        )
        more = replace(table, chips=(*table.chips, chip))
        if _count_breaches(more) == breaches:
            table = more
    return table


def begin(rng: Rng, deck: Deck) -> State:
    """Returns a game of two to four players with a shuffled deck."""
    count = int(rng.integers(2, 5))
    chosen = sorted(int(i) for i in rng.choice(len(PLAYERS), count, replace=False))
    players = tuple(PLAYERS[i] for i in chosen)
    cards = [
        replace(piece, count=1)
        for piece in deck.pieces
        if isinstance(piece, PathCard)
        for _ in range(piece.count)
    ]
    shuffled = [cards[int(i)] for i in rng.permutation(len(cards))]
    setup = rules.set_up([*shuffled, deck.board], Table(players, players[0]))
    return rules.initial_state(setup)


def play_until(rng: Rng, state: State, share: float) -> State:
    """Plays by chance until a share of the spaces is covered, or until the game ends."""
    board = state.setup.board
    wanted = share * (board.rows * board.cols - len(board.entrance))
    for _ in range(_MOST_ACTIONS):
        actions = rules.legal_actions(state)
        is_between = phase(state) in (Phase.DRAWING, Phase.SCORING)
        if not actions or (is_between and len(state.tiles) >= wanted):
            break
        state = rules.apply(state, choose(rng, actions))
    return state


def choose(rng: Rng, actions: Sequence[Action]) -> Action:
    """Chooses as people do: a card that lies there and fits is taken, chips are saved up."""
    for action in actions:
        if isinstance(action, TakeFaceUp):
            return action
    proposals = [action for action in actions if isinstance(action, Propose)]
    if proposals:
        return _pick(rng, proposals) if rng.random() < _CHIP_CHANCE else NoProposal()
    lays = [action for action in actions if isinstance(action, Lay)]
    return _pick(rng, lays or actions)


def _pick(rng: Rng, things: Sequence[_T]) -> _T:
    return things[int(rng.integers(len(things)))]


def _count_breaches(table: ZooTable) -> int:
    return len(rule_table(table.position).breaches)
