"""Where things lie on a Panda table: on their spaces and quarters, a little off."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from datasets.art.build_deck import DEFAULT_OUT
from datasets.items import Item
from datasets.spread import Spread
from datasets.zoo_play import play_zoo
from datasets.zoo_table import lay_zoo
from referee.decks import Deck, load_deck

MOST_MM, MOST_DEG = 3.0, 5.0
SIGNS = {"nw": (-1, -1), "ne": (1, -1), "se": (1, 1), "sw": (-1, 1)}


@pytest.fixture(scope="module")
def deck() -> Deck:
    return load_deck(DEFAULT_OUT / "panda-gorilla")


def spread(deck: Deck, seed: int) -> Spread:
    rng = np.random.default_rng(seed)
    return lay_zoo(rng, deck, play_zoo(rng, deck, 0.6))


def on_board(spread: Spread, *kinds: str) -> list[tuple[Item, Mapping[str, object]]]:
    return [
        (each.item, each.facts)
        for each in spread.laid
        if each.facts is not None and "row" in each.facts and each.item.kind in kinds
    ]


def middle(row: object, col: object) -> tuple[float, float]:
    """The middle of a space, measured from the middle of a board of 8 x 9 spaces of 45 mm."""
    return (float(str(col)) - 4) * 45.0, (float(str(row)) - 3.5) * 45.0


@pytest.mark.parametrize("seed", range(4))
def test_cards_lie_on_their_spaces_up_to_three_millimetres_and_five_degrees_off(
    deck: Deck, seed: int
) -> None:
    laid = spread(deck, seed)
    tiles = on_board(laid, "path", "back")
    assert len(tiles) == len(laid.position["tiles"])
    strays = []
    for item, facts in tiles:
        off = np.subtract(item.at_mm, middle(facts["row"], facts["col"]))
        turn = np.degrees(item.angle) - float(str(facts["rotation"]))
        strays.append((float(np.hypot(*off)), abs((turn + 180) % 360 - 180)))
    assert max(far for far, _ in strays) <= MOST_MM
    assert max(turn for _, turn in strays) <= MOST_DEG
    assert max(far for far, _ in strays) > 0.1


def test_some_tables_are_laid_carelessly_and_some_with_care(deck: Deck) -> None:
    worst = []
    for seed in range(8):
        tiles = on_board(spread(deck, seed), "path")
        offs = [np.subtract(item.at_mm, middle(f["row"], f["col"])) for item, f in tiles]
        worst.append(max(float(np.hypot(*off)) for off in offs))
    assert min(worst) < 0.7
    assert max(worst) > 2.0


@pytest.mark.parametrize("seed", range(4))
def test_chips_lie_in_their_quarters_and_above_the_cards(deck: Deck, seed: int) -> None:
    laid = spread(deck, seed)
    lifts = [item.lift_mm + item.thick_mm for item, _ in on_board(laid, "path")]
    chips = on_board(laid, "chip")
    assert len(chips) == len(laid.position["chips"])
    for item, facts in chips:
        x, y = np.subtract(item.at_mm, middle(facts["row"], facts["col"]))
        sign_x, sign_y = SIGNS[str(facts["quarter"])]
        assert 0 < sign_x * x < 22.5
        assert 0 < sign_y * y < 22.5
        assert item.lift_mm >= max(lifts)


def test_truth_and_position_name_the_same_cards(deck: Deck) -> None:
    laid = spread(deck, 1)
    seen = {(f["row"], f["col"], f["id"]) for _, f in on_board(laid, "path", "back")}
    told = {(t["row"], t["col"], t.get("card", "back-path")) for t in laid.position["tiles"]}
    assert seen == told


def test_spaces_tile_the_grid(deck: Deck) -> None:
    laid = spread(deck, 0)
    assert laid.board is not None
    assert laid.spaces is not None
    assert np.allclose(laid.board.points_mm, [[-202.5, -180], [202.5, -180], [202.5, 180], [-202.5, 180]], atol=0.5)  # fmt: skip  # noqa: E501
    assert len(laid.spaces) == 72
    assert np.allclose(laid.spaces[7, 8].points_mm[2], laid.board.points_mm[2])
    assert np.allclose(laid.spaces[0, 1].points_mm[0], laid.spaces[0, 0].points_mm[1])


def test_nothing_of_what_lies_beside_is_on_the_grid(deck: Deck) -> None:
    for seed in range(6):
        laid = spread(deck, seed)
        for each in laid.laid:
            if each.facts is not None and "row" not in each.facts:
                assert np.abs(each.item.corners()[:, 0]).min() > 202.5
