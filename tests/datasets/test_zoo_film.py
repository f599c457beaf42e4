"""Films of Panda turns: what the truth says lies where it says, from the frame it names."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from datasets.art.build_deck import DEFAULT_OUT
from datasets.deck_art import read_face
from datasets.filming import Film
from datasets.zoo_film import ZooTake, describe_film
from datasets.zoo_recording import Recipe, app, prepare
from referee.decks import Deck, load_deck
from referee.judge import judge

SEED_BUILT_OVER = 1
"""On this table two ponds have been built over."""

RECIPE = Recipe(29, turns=3, share=0.2, size=(960, 540))


@pytest.fixture(scope="module")
def deck() -> Deck:
    return load_deck(DEFAULT_OUT / "panda-gorilla")


@pytest.fixture(scope="module")
def take(deck: Deck) -> ZooTake:
    return prepare(RECIPE, deck)


@pytest.fixture(scope="module")
def truth(take: ZooTake, deck: Deck) -> dict[str, object]:
    return describe_film(take, deck, "x")


def frame(take: ZooTake, t_s: float) -> np.ndarray:
    return Film(take.film.filmed, take.film.props, lambda _: take.film.camera.view).frame(t_s)


def likeness(image: np.ndarray, deck: Deck, seen: dict[str, object]) -> float:
    """How well a picture inside a quad agrees with the face that the truth names, -1 to 1."""
    face = read_face(deck, deck.card(str(seen["id"])))
    small = cv2.resize(face, (40, 40), interpolation=cv2.INTER_AREA)
    target = np.float32([[0, 0], [40, 0], [40, 40], [0, 40]])
    move = cv2.getPerspectiveTransform(np.float32(seen["quad"]), target)
    crop = cv2.warpPerspective(image, move, (40, 40), flags=cv2.INTER_AREA)
    inside = small[..., 3] > 250
    soft = [cv2.GaussianBlur(each[..., :3], (0, 0), 1.2) for each in (small, crop)]
    one, other = (each[inside].astype(float).ravel() for each in soft)
    return float(np.corrcoef(one, other)[0, 1])


def test_truth_tells_the_match(take: ZooTake, truth: dict, deck: Deck) -> None:
    assert len(truth["placed"]) == 3
    assert truth["expect"] == judge(truth["position"], deck)
    start, end = truth["start"], truth["position"]
    added = [{k: v for k, v in p.items() if k not in ("t", "chip")} for p in truth["placed"]]
    assert start["tiles"] + added == end["tiles"]
    assert len(truth["scored"]) == 1
    assert len(truth["taken"]) == 1
    proposed = sum("chip" in placed for placed in truth["placed"])
    assert len(start["chips"]) + proposed - len(truth["taken"]) == len(end["chips"])
    assert truth["frames"] == len(take.film.ticks)


def test_times_are_in_the_order_of_events(truth: dict) -> None:
    last = 0.0
    for placed in truth["placed"]:
        assert placed["t"] > last
        last = placed["t"]
        if "chip" in placed:
            assert placed["chip"]["t"] > last
            last = placed["chip"]["t"]
    assert truth["scored"][0]["t"] in {
        placed.get("chip", placed)["t"] for placed in truth["placed"]
    }
    assert truth["taken"][0]["t"] > truth["scored"][0]["t"]
    assert truth["frames"] / truth["fps"] > last


def test_a_card_lies_still_from_its_frame_on_and_not_before(take: ZooTake, truth: dict) -> None:
    for happening, placed in zip(take.happenings, truth["placed"], strict=True):
        space = happening.turn.tile.space
        name = next(
            name
            for name, facts in take.film.facts.items()
            if name.startswith("tile") and (facts.get("row"), facts.get("col")) == tuple(space)
        )
        track = take.film.motion.tracks[name]
        assert track.at(placed["t"]) == track.end
        before = track.at(placed["t"] - 1 / take.film.fps)
        moved = np.hypot(before.x_mm - track.end.x_mm, before.y_mm - track.end.y_mm)
        assert moved > 0.05


def test_last_picture_shows_what_the_truth_says(take: ZooTake, truth: dict, deck: Deck) -> None:
    image = frame(take, take.film.motion.end_s)
    laid = [seen for seen in truth["seen"] if "rotation" in seen]
    assert {(s["row"], s["col"]) for s in laid} == {
        (t["row"], t["col"]) for t in truth["position"]["tiles"]
    }
    chips = [seen for seen in truth["seen"] if "quarter" in seen]
    assert sorted((c["row"], c["col"], c["quarter"]) for c in chips) == sorted(
        (c["row"], c["col"], c["quarter"]) for c in truth["position"]["chips"]
    )
    for seen in truth["seen"]:
        assert likeness(image, deck, seen) > (0.6 if seen["kind"] == "chip" else 0.75), seen


def test_card_is_seen_where_it_lies_and_not_a_second_earlier(
    take: ZooTake, truth: dict, deck: Deck
) -> None:
    placed = truth["placed"][0]
    seen = next(
        s
        for s in truth["seen"]
        if (s.get("row"), s.get("col")) == (placed["row"], placed["col"]) and "rotation" in s
    )
    gone = take.film.motion.trips[0].end_s
    assert likeness(frame(take, gone + 0.05), deck, seen) > 0.75
    assert likeness(frame(take, 0.0), deck, seen) < 0.6


def test_pond_that_is_built_over_is_not_seen(deck: Deck) -> None:
    take = prepare(replace(RECIPE, seed=SEED_BUILT_OVER, turns=1, share=0.85), deck)
    truth = describe_film(take, deck, "x")
    spaces = [(tile["row"], tile["col"]) for tile in truth["position"]["tiles"]]
    seen = [(s["row"], s["col"]) for s in truth["seen"] if "rotation" in s]
    assert len(spaces) > len(set(spaces))
    assert sorted(seen) == sorted(set(spaces))


def test_hands_are_out_of_sight_at_the_start_and_at_the_end(take: ZooTake) -> None:
    assert min(trip.start_s for trip in take.film.motion.trips) > 0
    assert max(trip.end_s for trip in take.film.motion.trips) < take.film.motion.end_s


def test_same_recipe_gives_the_same_film(take: ZooTake, truth: dict, deck: Deck) -> None:
    again = prepare(RECIPE, deck)
    assert describe_film(again, deck, "x") == truth
    assert np.array_equal(frame(again, 1.5), frame(take, 1.5))


def test_command_writes_a_film_with_its_truth(tmp_path: Path) -> None:
    video = tmp_path / "zoo.mp4"
    args = [str(video), "--turns", "1", "--width", "320", "--fps", "10", "--share", "0.1"]
    result = CliRunner().invoke(app, args)
    assert result.exit_code == 0, result.output
    told = json.loads((tmp_path / "zoo.truth.json").read_text())
    film = cv2.VideoCapture(str(video))
    assert int(film.get(cv2.CAP_PROP_FRAME_COUNT)) == told["frames"]
    assert [film.get(cv2.CAP_PROP_FRAME_WIDTH), film.get(cv2.CAP_PROP_FRAME_HEIGHT)] == told["size"]


def test_deck_of_another_game_is_refused(tmp_path: Path) -> None:
    args = [str(tmp_path / "zoo.mp4"), "--deck", str(DEFAULT_OUT / "galapa-go")]
    result = CliRunner().invoke(app, args)
    assert result.exit_code == 2
    assert "panda-gorilla" in result.output
