"""Our Exploring Galapagos deck: 18 cards of which nothing is dealt unevenly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product

import cv2
import numpy as np
import pytest

from datasets.art.build_deck import DEFAULT_OUT
from datasets.art.exploring_deck import plan_deck
from datasets.art.habitat_animals import ANIMALS
from datasets.art.rendering import render_rgba
from datasets.art.svg import Box, Part, document, placed
from referee.deck_check import check_deck
from referee.decks import load_deck
from referee.games.exploring_galapagos.model import COLORS, TIMES, ZONES, HabitatCard
from tests.datasets.art.committed import (
    assert_face_is_current,
    assert_pack_is_current,
    assert_same_on_every_run,
    small_pictures,
)

PACK = DEFAULT_OUT / "exploring-galapagos"
METHODS = ("time", "color", "zone")


@pytest.fixture(scope="module")
def cards() -> list[HabitatCard]:
    return [piece for piece in load_deck(PACK).pieces if isinstance(piece, HabitatCard)]


def test_values_are_one_to_eighteen(cards: list[HabitatCard]) -> None:
    assert [card.value for card in cards] == list(range(1, 19))


def test_every_pair_of_time_and_method_is_there_twice_with_other_impact(
    cards: list[HabitatCard],
) -> None:
    pairs = Counter((card.time, card.method) for card in cards)
    assert pairs == dict.fromkeys(product(TIMES, METHODS), 2)
    assert len({(card.time, card.method, card.impact) for card in cards}) == 18
    assert Counter(card.impact for card in cards) == {0: 6, 1: 6, 2: 6}


def test_low_and_high_values_are_alike(cards: list[HabitatCard]) -> None:
    for half in (cards[:9], cards[9:]):
        assert len({(card.time, card.method) for card in half}) == 9
        assert 17 <= sum(len(card.animals) for card in half) <= 19


def test_animals_are_evenly_dealt(cards: list[HabitatCard]) -> None:
    animals = [animal for card in cards for animal in card.animals]
    assert Counter(animal.color for animal in animals) == dict.fromkeys(COLORS, 9)
    assert Counter(animal.zone for animal in animals) == dict.fromkeys(ZONES, 12)
    assert Counter((a.color, a.time) for a in animals) == dict.fromkeys(product(COLORS, TIMES), 3)
    assert Counter((a.zone, a.time) for a in animals) == dict.fromkeys(product(ZONES, TIMES), 4)
    by_method = Counter[str]()
    for card in cards:
        by_method[card.method] += len(card.animals)
    assert by_method == dict.fromkeys(METHODS, 12)


def test_no_two_cards_have_the_same_animals_and_none_has_one_twice(
    cards: list[HabitatCard],
) -> None:
    groups = [tuple(sorted((a.color, a.zone) for a in card.animals)) for card in cards]
    assert len(set(groups)) == 18
    assert all(len(group) == len(set(group)) for group in groups)


def test_committed_pack_is_the_one_that_the_code_writes() -> None:
    assert_pack_is_current(plan_deck())


@pytest.mark.parametrize("card_id", ["h01", "h11", "h18", "back-habitat"])
def test_committed_picture_shows_its_drawing(card_id: str) -> None:
    assert_face_is_current(plan_deck(), card_id)


def test_drawings_do_not_depend_on_the_run() -> None:
    assert_same_on_every_run(plan_deck())


def test_committed_pack_has_nothing_wrong_and_is_small() -> None:
    assert check_deck(PACK) == []
    assert sum(path.stat().st_size for path in PACK.rglob("*.*")) < 2e6


def test_no_two_faces_look_alike_from_afar() -> None:
    pixels = small_pictures("exploring-galapagos", (70, 98), "h", "back")
    assert len(pixels) == 19
    for index, picture in enumerate(pixels[:-1]):
        assert np.abs(pixels[index + 1 :] - picture).mean(axis=1).min() > 4.5


def drawn(part: Part, margin: float = 8) -> np.ndarray:
    box = part.box.grown(margin)
    frame = Box(0, 0, 300, 300 * box.height / box.width)
    svg = document(placed(part.to_svg(), box, frame), frame.width, frame.height)
    return render_rgba(svg, 300, round(frame.height))


@pytest.mark.parametrize("draw", [*ANIMALS.values()])
def test_box_holds_the_whole_animal(draw: Callable[[], Part]) -> None:
    alpha = drawn(draw())[..., 3]
    edge = np.concatenate([alpha[0], alpha[-1], alpha[:, 0], alpha[:, -1]])
    assert not edge.any()


HUES = {"blue-fish": (105, 120), "orange-mammal": (8, 18), "green-reptile": (55, 70)}


@pytest.mark.parametrize(("key", "draw"), ANIMALS.items())
def test_animal_has_the_colour_of_its_kind(key: tuple[str, str], draw: Callable[[], Part]) -> None:
    rgba = drawn(draw())
    hsv = cv2.cvtColor(np.ascontiguousarray(rgba[..., :3]), cv2.COLOR_RGB2HSV)
    body = (rgba[..., 3] > 250) & (hsv[..., 2] > 110)  # neither the outline nor the ground
    vivid = body & (hsv[..., 1] > 120)
    if key[0] == "gray-bird":
        assert vivid.sum() < 0.2 * body.sum()  # its bill and feet
        return
    low, high = HUES[key[0]]
    hues = hsv[..., 0][vivid]
    assert vivid.sum() > 0.4 * body.sum()
    assert np.mean((hues >= low) & (hues <= high)) > 0.9
