"""Panda tables that pictures show: played by the rules, with the cards that the deck has."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from datasets import zoo_play
from datasets.art.build_deck import DEFAULT_OUT
from datasets.zoo_play import ZooTable, play_zoo, with_chips, with_mistake, with_ponds
from referee.decks import Deck, load_deck
from referee.games.panda_gorilla.model import PathCard
from referee.games.panda_gorilla.position import format_position
from referee.judge import judge


@pytest.fixture(scope="module")
def deck() -> Deck:
    return load_deck(DEFAULT_OUT / "panda-gorilla")


def play(deck: Deck, seed: int, share: float) -> ZooTable:
    return play_zoo(np.random.default_rng(seed), deck, share)


@pytest.mark.parametrize(("seed", "share"), [(0, 0.02), (1, 0.2), (2, 0.6), (3, 1.0)])
def test_tables_are_legal(
    deck: Deck, seed: int, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zoo_play, "_MISTAKE_CHANCE", 0.0)
    table = play(deck, seed, share)
    answer = judge(format_position(table.position), deck)
    assert answer["illegal"] == []
    assert len(table.tiles) >= share * 71


@pytest.mark.parametrize("seed", range(6))
def test_no_card_and_no_chip_is_there_more_often_than_in_the_box(deck: Deck, seed: int) -> None:
    table = play(deck, seed, 1.0)
    box = {piece.id: piece.count for piece in deck.pieces if isinstance(piece, PathCard)}
    laid = Counter(tile.card.id for tile in table.tiles if tile.card is not None)
    if table.face_up is not None:
        laid[table.face_up.id] += 1
    assert all(count <= box[card] for card, count in laid.items())
    chips = Counter((chip.player, chip.size) for chip in table.chips)
    assert max(chips.values(), default=0) <= 3
    assert {chip.player for chip in table.chips} <= set(table.players)


def test_some_tables_have_ponds_and_some_have_chips(deck: Deck) -> None:
    tables = [play(deck, seed, 0.3) for seed in range(12)]
    ponds = [sum(tile.card is None for tile in table.tiles) for table in tables]
    assert 0 in ponds
    assert max(ponds) > 1
    assert max(len(table.chips) for table in tables) > 4
    assert {table.is_final for table in tables} == {True, False}


@pytest.mark.parametrize("seed", range(30))
def test_a_mistake_breaks_a_rule_and_moves_no_card(
    deck: Deck, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zoo_play, "_MISTAKE_CHANCE", 0.0)
    table = replace(play(deck, seed, 0.12), chips=())
    wrong = with_mistake(np.random.default_rng(seed), table)
    assert judge(format_position(wrong.position), deck)["illegal"]
    assert [tile.space for tile in wrong.tiles] == [tile.space for tile in table.tiles]


def test_ponds_lie_on_empty_spaces_and_come_from_the_pile(deck: Deck) -> None:
    table = play(deck, 9, 0.3)
    more = [with_ponds(np.random.default_rng(seed), table) for seed in range(60)]
    counts = {len(each.tiles) - len(table.tiles) for each in more}
    assert {0, 1, 4} <= counts <= {0, 1, 2, 3, 4}
    for each in more:
        spaces = [tile.space for tile in each.tiles]
        assert len(spaces) == len(set(spaces))
        assert not set(spaces) & set(table.board.entrance)
        assert table.pile - each.pile == len(each.tiles) - len(table.tiles)
        assert all(tile.card is None for tile in each.tiles[len(table.tiles) :])


def test_more_chips_lie_one_on_a_card_and_as_the_rules_allow(deck: Deck) -> None:
    table = replace(play(deck, 4, 0.5), chips=())
    full = with_chips(np.random.default_rng(4), table, 12)
    spaces = [chip.space for chip in full.chips]
    assert 6 < len(spaces) == len(set(spaces)) <= 12
    broken = {entry["rule"] for entry in judge(format_position(full.position), deck)["illegal"]}
    assert not broken & {"chip-size", "chip-colour"}


def test_same_seed_plays_the_same_table(deck: Deck) -> None:
    assert play(deck, 7, 0.5) == play(deck, 7, 0.5)
    assert play(deck, 7, 0.5) != play(deck, 8, 0.5)
