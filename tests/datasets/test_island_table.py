"""Exploring Galapagos tables that pictures show: dealt by the rules, laid at their seats."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest

from datasets.art.build_deck import DEFAULT_OUT
from datasets.island_play import deal_islands, format_position
from datasets.island_table import lay_islands
from datasets.spread import Laid, Spread
from referee.decks import Deck, load_deck
from referee.judge import judge

SEEDS = range(16)


@pytest.fixture(scope="module")
def deck() -> Deck:
    return load_deck(DEFAULT_OUT / "exploring-galapagos")


def spread(deck: Deck, seed: int) -> Spread:
    rng = np.random.default_rng(seed)
    return lay_islands(rng, deck, deal_islands(rng, deck))


def of(laid: Spread, place: str, *, locked: bool = False) -> list[Laid]:
    return [
        each
        for each in laid.laid
        if each.facts is not None
        and each.facts["place"] == place
        and bool(each.facts.get("locked")) == locked
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_deals_are_those_that_a_round_can_end_with(deck: Deck, seed: int) -> None:
    table = deal_islands(np.random.default_rng(seed), deck)
    own = 4 if len(table.players) <= 3 else 3
    cards = list(table.shared)
    for player in table.players:
        assert len(player.hand) + (player.locked is not None) == own
        cards += [*player.hand, *([player.locked] if player.locked else [])]
    assert len(cards) == len(set(cards))
    assert len(cards) + table.pile == 18
    if any(player.locked is None for player in table.players):
        assert len(table.shared) == 3
    answer = judge(format_position(table), deck)
    assert [player["name"] for player in answer["players"]] == [p.name for p in table.players]


def test_deals_differ_in_everything_that_matters(deck: Deck) -> None:
    tables = [deal_islands(np.random.default_rng(seed), deck) for seed in range(60)]
    assert {len(table.players) for table in tables} == {2, 3, 4, 5}
    assert {len(table.shared) for table in tables} == {0, 1, 2, 3}
    assert {len(p.used) for table in tables for p in table.players} == {0, 1, 2}
    assert {p.locked is None for table in tables for p in table.players} == {True, False}


@pytest.mark.parametrize("seed", SEEDS)
def test_no_card_lies_on_another(deck: Deck, seed: int) -> None:
    laid = spread(deck, seed)
    for one, other in combinations(laid.laid, 2):
        shared, _ = cv2.intersectConvexConvex(
            one.item.corners().astype(np.float32), other.item.corners().astype(np.float32)
        )
        assert shared < 0.12 * one.item.size_mm[0] * one.item.size_mm[1]


def test_the_deck_covers_no_card(deck: Deck) -> None:
    """Also on the fullest tables, where there is no room for it among the cards."""
    for seed in range(60):
        laid = spread(deck, seed)
        pile = [each.item for each in laid.laid if each.item.kind == "back"]
        others = [each.item for each in laid.laid if each.item.kind == "card"]
        for one, other in ((one, other) for one in pile for other in others):
            shared, _ = cv2.intersectConvexConvex(
                one.corners().astype(np.float32), other.corners().astype(np.float32)
            )
            assert shared == 0, seed


@pytest.mark.parametrize("seed", SEEDS)
def test_locked_card_lies_crosswise_before_the_hand_towards_the_middle(
    deck: Deck, seed: int
) -> None:
    laid = spread(deck, seed)
    for name, _, at in laid.seats:
        hand = of(laid, name)
        for each in of(laid, name, locked=True):
            turn = np.degrees(each.item.angle - hand[0].item.angle) % 180
            assert abs(turn - 90) < 11
            nearest = min(np.hypot(*np.subtract(c.item.at_mm, each.item.at_mm)) for c in hand)
            assert nearest < 115
            assert np.hypot(*each.item.at_mm) < np.hypot(*at) + 40


@pytest.mark.parametrize("seed", SEEDS)
def test_seats_are_at_their_sides_and_cards_face_their_players(deck: Deck, seed: int) -> None:
    laid = spread(deck, seed)
    outward = {"bottom": (0, 1), "left": (-1, 0), "right": (1, 0), "top": (0, -1)}
    for name, side, at in laid.seats:
        out = np.asarray(outward[side.split("-")[0]])
        assert np.dot(at, out) > 100
        if side.endswith(("left", "right")):
            assert (at[0] < 0) == side.endswith("left")
        for each in of(laid, name):
            corners = each.item.corners()
            foot = corners[2:].mean(0) - corners[:2].mean(0)  # from its head to its foot
            assert np.dot(foot / np.hypot(*foot), out) > 0.98


def test_shared_cards_lie_in_a_row_in_the_middle(deck: Deck) -> None:
    for seed in SEEDS:
        shared = of(spread(deck, seed), "shared")
        spots = np.asarray([each.item.at_mm for each in shared]).reshape(-1, 2)
        assert np.abs(spots[:, 1]).max(initial=0) < 40
        assert np.all(np.diff(spots[:, 0]) > 60)
