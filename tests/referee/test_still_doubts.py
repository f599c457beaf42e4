"""A photograph of another deck than the one that was named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.adapter.answers import Json
from referee.decks import load_deck
from referee.still_doubts import doubt_deck
from referee.still_orders import StillOptions, StillOrder
from tests.builders import write_tiny_deck
from vision.errors import NoTableError
from vision.still import open_reader

STRANGE = {"kind": "card", "score": 0.9, "quad": [[0, 0], [9, 0], [9, 9], [0, 9]], "text": "?"}


def answer(named: int, strange: int) -> Json:
    told = {"text": "cards of only one player are seen"}
    return {"seen": [{"id": "a1"}] * named, "doubts": [told, *[STRANGE] * strange]}


@pytest.fixture
def order(tmp_path: Path) -> StillOrder:
    deck = load_deck(write_tiny_deck(tmp_path / "tiny"))
    picture = np.zeros((9, 9, 3), np.uint8)
    path = Path("table.jpg")
    return StillOrder(path, picture, deck, (), lambda: open_reader(()), StillOptions())


@pytest.mark.parametrize(("named", "strange"), [(0, 0), (0, 1), (1, 1), (5, 5), (15, 0), (2, 6)])
def test_the_right_deck_is_not_doubted(order: StillOrder, named: int, strange: int) -> None:
    assert doubt_deck(answer(named, strange), order) == answer(named, strange)


@pytest.mark.parametrize(
    ("named", "told"), [(1, "only 1 of them is of"), (3, "only 3 of them are of")]
)
def test_a_deck_of_which_little_is_seen_is_doubted(
    order: StillOrder, named: int, told: str
) -> None:
    doubts = doubt_deck(answer(named, 15), order)["doubts"]
    assert f"{named + 15} cards and other pieces were seen, {told} 'Tiny deck'" in doubts[0]["text"]
    assert doubts[1:] == answer(named, 15)["doubts"]


def test_a_deck_of_which_nothing_is_seen_is_refused(order: StillOrder) -> None:
    with pytest.raises(NoTableError, match=r"table\.jpg: 15 cards .* none of them is of"):
        doubt_deck(answer(0, 15), order)
