"""How many questions a second the rule engines answer, in one process.

The questions of Galapa Go and Exploring Galapagos are those of the tests; the boards of Panda,
Gorilla & Co are those of games half played by chance, with two cards offered.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from rich.table import Table

from referee.decks import load_deck
from referee.games.catalog import GAMES
from referee.games.panda_gorilla.model import Board, PathCard
from referee.games.panda_gorilla.position import format_position
from referee.games.panda_gorilla.state import State
from referee.games.panda_gorilla.table import TablePosition
from referee.judge import judge
from referee.rules import Table as Seating
from vision.resources import find_resource

Question = Mapping[str, Any]

GOALS = {"galapa-go": 2_000, "exploring-galapagos": 2_000, "panda-gorilla": 100}
"""Questions a second that the house promises; of Panda boards in the middle of a game."""

_POSITIONS = Path(__file__).parents[1] / "data" / "positions"
_PANDA_DECK = "datasets/decks/panda-gorilla"
_BOARDS = 5
_ROUNDS = 3
_ROUND_S = 1.0


@dataclass(frozen=True, slots=True)
class Rate:
    """How fast the questions of one game are answered.

    Attributes:
        game: Its name.
        questions: How many different ones were asked, again and again.
        per_second: How many were answered a second, in the best of a few rounds: what else runs on
            the machine only ever slows a round down.
        slowest_ms: The longest that one of them took, in its best round.
    """

    game: str
    questions: int
    per_second: float
    slowest_ms: float


def measure_judging(round_s: float = _ROUND_S) -> list[Rate]:
    """Returns how fast each game that has a rule engine is judged, `round_s` seconds a round."""
    return [
        _measure(name, questions_of(name), round_s)
        for name, game in GAMES.items()
        if game.judge is not None
    ]


def questions_of(game: str) -> list[Question]:
    """Returns the questions that are asked about a game."""
    if game == "panda-gorilla":
        return [panda_board(seed) for seed in range(_BOARDS)]
    folder = _POSITIONS / game.replace("-", "_")
    cards = json.loads((folder / "cards.json").read_text(encoding="utf-8"))
    return [
        {**case["position"], "cards": cards}
        for path in sorted(folder.glob("*.json"))
        if path.name != "cards.json"
        for case in json.loads(path.read_text(encoding="utf-8"))
    ]


def panda_board(seed: int) -> Question:
    """Returns a board half full, laid by legal moves that chance chose, with two cards offered."""
    state, cards = play_panda(seed, 0.5)
    return _question_about(state, cards)


def play_panda(seed: int, fill: float) -> tuple[State, list[PathCard]]:
    """Plays by legal moves that chance chooses until so much of the board is full.

    Returns:
        The state, and the cards of the deck.
    """
    rng = Random(seed)
    deck = load_deck(find_resource(_PANDA_DECK))
    cards = {card.id: card for card in deck.pieces if isinstance(card, PathCard)}
    pile = [replace(card, count=1) for card in cards.values() for _ in range(card.count)]
    board = deck.board
    assert isinstance(board, Board)
    rules = GAMES["panda-gorilla"].rules
    assert rules is not None
    setup = rules.set_up([board, *rng.sample(pile, len(pile))], Seating(("red", "blue"), "red"))
    state: State = rules.initial_state(setup)
    full = int(board.rows * board.cols * fill)
    while len(state.tiles) < full or state.is_proposing:
        if not (actions := rules.legal_actions(state)):
            break
        state = rules.apply(state, rng.choice(actions))
    return state, list(cards.values())


def judging_table(rates: Sequence[Rate]) -> Table:
    """Returns the figures as a table for people."""
    table = Table("Game", "Questions a second", "Goal", "Slowest", title="Judge, in one process")
    table.title_justify = "left"
    for rate in rates:
        table.add_row(
            f"{rate.game} ({rate.questions} questions)",
            f"{rate.per_second:,.0f}",
            f"{GOALS[rate.game]:,}",
            f"{rate.slowest_ms:.2f} ms",
        )
    return table


def _measure(game: str, questions: Sequence[Question], round_s: float) -> Rate:
    best_s = [float("inf")] * len(questions)
    per_second = 0.0
    for _ in range(_ROUNDS):
        answered, started_s = 0, time.perf_counter()
        while (spent_s := time.perf_counter() - started_s) < round_s or not answered:
            for index, took_s in enumerate(_times(questions)):
                best_s[index] = min(best_s[index], took_s)
            answered += len(questions)
        per_second = max(per_second, answered / spent_s)
    return Rate(game, len(questions), per_second, 1000 * max(best_s))


def _times(questions: Sequence[Question]) -> Iterator[float]:
    for question in questions:
        started_s = time.perf_counter()
        judge(question)
        yield time.perf_counter() - started_s


def _question_about(state: State, cards: Sequence[PathCard]) -> Question:
    """Returns a state as contract §2 asks about it, without what has been scored before."""
    table = TablePosition(state.setup.board, state.tiles, state.proposals)
    return {
        **format_position(table),
        "cards": [
            {
                "id": card.id,
                "kind": "path",
                "paths": sorted(card.paths),
                "quarters": dict(zip(("nw", "ne", "se", "sw"), card.quarters, strict=True)),
            }
            for card in cards
        ],
        "offer": [card.id for card in cards[-2:]],
    }
