"""Turns that are filmed: each is one of a legal match, and together they lead to its end."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.art.build_deck import DEFAULT_OUT
from datasets.zoo_turns import Match, play_match
from referee.decks import Deck, load_deck
from referee.games.panda_gorilla.position import format_position
from referee.judge import judge

SEEDS = range(12)


@pytest.fixture(scope="module")
def deck() -> Deck:
    return load_deck(DEFAULT_OUT / "panda-gorilla")


def match(deck: Deck, seed: int) -> Match:
    return play_match(np.random.default_rng(seed), deck, 0.25, 5)


@pytest.mark.parametrize("seed", SEEDS)
def test_turns_lead_from_the_start_to_the_end(deck: Deck, seed: int) -> None:
    played = match(deck, seed)
    chips = list(played.start.chips)
    for turn in played.turns:
        chips += [turn.chip] if turn.chip is not None else []
        assert set(turn.returned) <= set(chips)
        chips = [chip for chip in chips if chip not in turn.returned]
    assert tuple(chips) == played.end.chips
    assert played.end.tiles == (*played.start.tiles, *(turn.tile for turn in played.turns))
    assert len(played.turns) == 5


@pytest.mark.parametrize("seed", SEEDS)
def test_players_take_turns_and_lay_what_the_rules_allow(deck: Deck, seed: int) -> None:
    played = match(deck, seed)
    players = played.start.players
    for one, after in zip(played.turns, played.turns[1:], strict=False):
        assert players.index(after.player) == (players.index(one.player) + 1) % len(players)
    assert all(t.chip is None or t.chip.player == t.player for t in played.turns)
    assert all(t.chip is None or t.chip.space == t.tile.space for t in played.turns)
    assert judge(format_position(played.end.position), deck)["illegal"] == []


def test_scored_areas_are_those_whose_chips_go_home(deck: Deck) -> None:
    scored = 0
    for seed in range(40):
        for turn in match(deck, seed).turns:
            told = {
                (chip["row"], chip["col"], chip["quarter"])
                for area in turn.scored
                for chip in area["chips"]
            }
            assert told == {(c.space.row, c.space.col, c.quarter) for c in turn.returned}
            assert all(area["complete"] and area["points"] for area in turn.scored)
            scored += len(turn.scored)
    assert scored > 5


def test_nothing_waits_to_be_scored_when_a_film_begins(deck: Deck) -> None:
    for seed in SEEDS:
        areas = judge(format_position(match(deck, seed).start.position), deck)["areas"]
        assert not [area for area in areas if area["complete"] and area["chips"]]


def test_the_turn_that_ends_the_game_scores_what_is_open_too(deck: Deck) -> None:
    played = play_match(np.random.default_rng(3), deck, 0.97, 20)
    last = played.turns[-1]
    assert played.end.is_final
    assert not played.end.chips
    assert any(not area["complete"] for area in last.scored)
    assert sum(len(area["chips"]) for area in last.scored) == len(last.returned)
