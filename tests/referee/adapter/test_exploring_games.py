"""Whole games played by chance: drafts, hidden hands, hands revealed one by one, cards gathered.

Each round is to be told once, as it was when all hands lay open.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from referee.adapter.exploring_watched import ExploringSettings, ExploringTable
from referee.games.exploring_galapagos import rules
from referee.games.exploring_galapagos.course import ids, phase
from referee.games.exploring_galapagos.model import HabitatCard, LockIn
from referee.games.exploring_galapagos.state import EndRound, Phase, Setup, State
from tests.referee.adapter.islands import DECK, Camera, hand, piece
from vision.table import Settled, TableReading

SIDES = {
    2: ("bottom", "right"),
    3: ("bottom", "left", "top"),
    4: ("bottom", "left", "top-left", "top-right"),
    5: ("bottom", "left", "top-left", "top-right", "right"),
}
DRAFT_MM = 55.0
"""The row of the draft lies so far below the middle, the shared hand above it."""


class Game:
    """A game by chance, and what a camera sees of it after every action."""

    def __init__(self, seed: int, players: int) -> None:
        self.rng = random.Random(seed)
        self.seats = dict(zip(("ann", "bob", "cat", "dan", "eve"), SIDES[players], strict=False))
        self.camera = Camera(self.rng.uniform(-12, 12), self.rng.uniform(0, 35), seed * 40)
        cards = tuple(card for card in DECK if isinstance(card, HabitatCard))
        self.state = rules.initial_state(Setup((*self.seats,), "ann", cards))
        self.t = 0.0
        self.played: list[State] = []

    def looks(self) -> Iterator[Settled]:
        for _ in range(3):
            while phase(self.state) is not Phase.SCORING:
                self.state = rules.apply(self.state, self._action())
                yield self._look(())
            shown: list[str] = []
            for player in self._shuffled():
                shown.append(player)
                yield self._look(shown)
            self.played.append(self.state)
            for player in self._shuffled()[: self.rng.randint(1, len(self.seats))]:
                shown.remove(player)
                yield self._look(shown)
            self.state = rules.apply(self.state, EndRound())
            if self.rng.random() < 0.5:
                yield self._look(())

    def _action(self):
        shuffled = rules.shuffle(self.state, lambda cards: self.rng.sample([*cards], len(cards)))
        if shuffled is not None:
            return shuffled
        actions = rules.legal_actions(self.state)
        locks = [action for action in actions if isinstance(action, LockIn)]
        others = [action for action in actions if action not in locks]
        return self.rng.choice(locks if locks and self.rng.random() < 0.25 else others)

    def _shuffled(self) -> list[str]:
        return self.rng.sample([*self.seats], len(self.seats))

    def _look(self, shown) -> Settled:
        self.t += self.rng.uniform(1, 4)
        is_draft = bool(self.state.row)
        pieces = [
            *self._row(self.state.shared, -DRAFT_MM if is_draft else 0.0),
            *self._row(self.state.row, DRAFT_MM),
        ]
        for player, side in self.seats.items():
            own = ids(self.state.hands[player]) if player in shown else ()
            locked = self.state.locked.get(player)
            pieces += hand(self.camera, side, own, locked and locked.id)
        return Settled(self.t, TableReading(self.t, 1800, 1400, tuple(pieces)))

    def _row(self, cards, y):
        return [
            piece(self.camera, card.id, ((index - (len(cards) - 1) / 2) * 70, y), 0)
            for index, card in enumerate(cards)
        ]


@pytest.mark.parametrize("players", SIDES)
@pytest.mark.parametrize("seed", range(3))
def test_each_round_of_a_game_is_told_once_as_it_ended(seed, players):
    game, table = Game(seed, players), ExploringTable(DECK, ExploringSettings())
    lines = [line for event in game.looks() for line in table.take(event)]
    told = [line.to_json() for line in [*lines, *table.finish(game.t)]]
    hands = [line for line in told if line["type"] == "hands"]
    assert len(hands) == 3
    for line, state in zip(hands, game.played, strict=True):
        ruled = {game.seats[player.name]: player for player in rules.ruling(state)}
        assert {p["name"]: p["score"] for p in line["players"]} == {
            side: player.score for side, player in ruled.items()
        }
        assert {p["name"]: p["method"] for p in line["players"]} == {
            side: player.method for side, player in ruled.items()
        }
        held = {p["name"]: sorted(p["hand"]) for p in line["position"]["players"]}
        assert held == {
            side: sorted(ids(state.hands[player])) for player, side in game.seats.items()
        }
    assert [line["t"] for line in told] == sorted(line["t"] for line in told)
    assert hands[-1]["totals"] == {
        game.seats[player]: total
        for player, total in rules.outcome(rules.apply(game.played[-1], EndRound())).scores.items()
    }
