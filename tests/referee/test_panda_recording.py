"""A recording of Panda, Gorilla & Co: every card and chip, what is scored, and when."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.decks import load_deck
from referee.watch import watch
from referee.watch_orders import WatchSettings
from tests.acceptance.zoo_videos import compare_placed, compare_scored
from vision.errors import NoTableError

RECORDING = Path(__file__).parents[1] / "data" / "recordings" / "panda.mp4"
TRUTH = json.loads(RECORDING.with_suffix(".truth.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def lines() -> list[dict[str, Any]]:
    deck = load_deck((RECORDING.parent / TRUTH["deck"]).resolve())
    return list(watch(RECORDING, deck, WatchSettings()))


def test_every_card_and_chip_is_placed_when_it_was(lines: list[dict[str, Any]]) -> None:
    faults, times = compare_placed(lines, TRUTH)
    assert not faults
    assert len(times) == 4
    assert all(abs(got - wanted) < 2.5 / TRUTH["fps"] for got, wanted in times)


def test_the_area_is_scored_once_when_it_is_complete(lines: list[dict[str, Any]]) -> None:
    assert not compare_scored(lines, TRUTH)
    (scored,) = [line for line in lines if line["type"] == "scored"]
    assert scored["totals"] == TRUTH["scored"][0]["points"]


def test_lines_are_in_the_order_of_time_and_nothing_is_illegal(
    lines: list[dict[str, Any]],
) -> None:
    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)
    assert {line["type"] for line in lines} == {"placed", "scored"}
    assert not [line for line in lines if "illegal" in line]


def test_a_recording_of_another_game_is_refused_by_name() -> None:
    deck = load_deck((RECORDING.parent / TRUTH["deck"]).resolve())
    with pytest.raises(NoTableError, match=r"tiny\.mp4: expected the board of this deck"):
        list(watch(RECORDING.with_name("tiny.mp4"), deck, WatchSettings()))
