"""Loosely laid Exploring Galapagos tables: fanned hands, any seats, things around."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest

from datasets.art.build_deck import DEFAULT_OUT
from datasets.island_habits import sample_any_sides
from datasets.items import Item
from datasets.spreads import spread_loose_exploring
from referee.decks import Deck, load_deck

SEEDS = range(24)


@pytest.fixture(scope="module")
def deck() -> Deck:
    return load_deck(DEFAULT_OUT / "exploring-galapagos")


def shared_mm2(one: Item, other: Item) -> float:
    corners = (item.corners().astype(np.float32) for item in (one, other))
    return float(cv2.intersectConvexConvex(*corners)[0])


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_players_sit_clockwise_and_no_one_beside_a_pair_at_the_far_side(count: int) -> None:
    drawn = {sample_any_sides(np.random.default_rng(seed), count) for seed in range(80)}
    order = ["bottom", "left", "top-left", "top", "top-right", "right"]
    for sides in drawn:
        assert len(set(sides)) == count
        assert list(sides) == sorted(sides, key=order.index)
        assert ("top-left" in sides) == ("top-right" in sides)
        assert not ("top" in sides and "top-left" in sides)
    assert len(drawn) > (count < 5)


def test_hands_are_fanned_and_no_card_is_more_than_half_covered_by_the_next(deck: Deck) -> None:
    covered = []
    for seed in SEEDS:
        laid = spread_loose_exploring(np.random.default_rng(seed), deck).laid
        cards = [each for each in laid if each.item.kind == "card"]
        for one, other in combinations(cards, 2):
            share = shared_mm2(one.item, other.item) / np.prod(one.item.size_mm)
            covered.append(share)
            is_hand = one.facts["place"] == other.facts["place"] != "shared"
            assert share < (0.6 if is_hand else 0.1)
    assert max(covered) > 0.4


def test_what_lies_around_covers_no_card(deck: Deck) -> None:
    kinds = set()
    for seed in SEEDS:
        laid = spread_loose_exploring(np.random.default_rng(seed), deck).laid
        cards = [each.item for each in laid if each.item.kind == "card"]
        others = [each.item for each in laid if each.item.kind != "card"]
        kinds |= {item.kind for item in others}
        assert all(shared_mm2(one, other) == 0 for one in others for other in cards)
    assert kinds == {"back", "thing"}
