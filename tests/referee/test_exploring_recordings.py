"""A recording of Exploring Galapagos, from its frames to what people and programs are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli import app
from referee.decks import load_deck
from referee.judge import judge
from tests.acceptance.island_videos import compare_hands

ROOT = Path(__file__).parents[2]
VIDEO = ROOT / "tests" / "data" / "recordings" / "exploring.mp4"
DECK = ROOT / "datasets" / "decks" / "exploring-galapagos"
TRUTH = json.loads(VIDEO.with_suffix(".truth.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def replayed(tmp_path_factory):
    """What is printed, and the lines in the file."""
    out = tmp_path_factory.mktemp("replayed") / "lines.jsonl"
    order = ["replay", str(VIDEO), "--deck", str(DECK), "--out", str(out)]
    result = CliRunner(env={"COLUMNS": "120"}).invoke(app, order)
    assert result.exit_code == 0, result.output
    return result.stdout, [json.loads(line) for line in out.read_text().splitlines()]


def test_every_round_is_told_once_and_right(replayed):
    _, lines = replayed
    hands = [line for line in lines if line["type"] == "hands"]
    assert compare_hands(hands, TRUTH) == [[], []]
    assert [line["doubts"] for line in hands] == [[], []]
    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)
    assert not any(line["type"] == "notice" for line in lines)


def test_what_was_asked_is_a_question_that_judge_answers_alike(replayed):
    deck = load_deck(DECK)
    for line in replayed[1]:
        if line["type"] == "hands":
            assert judge(line["position"], deck)["players"] == line["players"]


def test_layouts_tell_the_cards_that_lie_open(replayed):
    layouts = [line for line in replayed[1] if line["type"] == "layout"]
    by_round = [{seen["id"] for seen in each["seen"]} for each in TRUTH["rounds"]]
    told = [{card["id"] for card in line["cards"]} for line in layouts]
    backs = {card.id for card in load_deck(DECK).of_kind("back")}
    assert all(cards - backs in told for cards in by_round)


def test_people_are_told_hands_reasons_and_totals(replayed):
    printed, lines = replayed
    last = [line for line in lines if line["type"] == "hands"][-1]
    for player in last["players"]:
        assert f"{player['name']}: {player['reason']}" in printed
    points = ", ".join(f"{name} {total}" for name, total in last["totals"].items())
    assert f"In all:  {points}" in printed
