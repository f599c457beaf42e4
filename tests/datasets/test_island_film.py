"""Films of Exploring rounds: every round lies there as its truth says, and is taken back after."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from datasets.art.build_deck import DEFAULT_OUT
from datasets.deck_art import read_face
from datasets.filming import Film
from datasets.island_film import IslandTake, describe_film, play_rounds
from datasets.island_play import format_position
from datasets.island_recording import Recipe, app, prepare
from referee.decks import Deck, load_deck
from referee.judge import judge

RECIPE = Recipe(3, players=2, rounds=2, size=(960, 540))


@pytest.fixture(scope="module")
def deck() -> Deck:
    return load_deck(DEFAULT_OUT / "exploring-galapagos")


@pytest.fixture(scope="module")
def take(deck: Deck) -> IslandTake:
    return prepare(RECIPE, deck)


@pytest.fixture(scope="module")
def truth(take: IslandTake, deck: Deck) -> dict:
    return describe_film(take, deck, "x")


def frame(take: IslandTake, t_s: float) -> np.ndarray:
    film = take.film
    return Film(film.filmed, film.props, lambda _: film.camera.view).frame(t_s)


def likeness(image: np.ndarray, deck: Deck, seen: dict) -> float:
    """How well a picture inside a quad agrees with the face that the truth names, -1 to 1."""
    small = cv2.resize(read_face(deck, deck.card(seen["id"])), (50, 70), cv2.INTER_AREA)
    target = np.float32([[0, 0], [50, 0], [50, 70], [0, 70]])
    move = cv2.getPerspectiveTransform(np.float32(seen["quad"]), target)
    crop = cv2.warpPerspective(image, move, (50, 70), flags=cv2.INTER_AREA)
    inside = small[..., 3] > 250
    soft = [cv2.GaussianBlur(each[..., :3], (0, 0), 1.2) for each in (small, crop)]
    one, other = (each[inside].astype(float).ravel() for each in soft)
    return float(np.corrcoef(one, other)[0, 1])


def test_methods_used_in_one_round_are_those_used_before_the_next(deck: Deck) -> None:
    for seed in range(8):
        tables = play_rounds(np.random.default_rng(seed), deck, 3, 3)
        used: dict[str, set[str]] = {player.name: set() for player in tables[0].players}
        for table in tables:
            assert {player.name: set(player.used) for player in table.players} == used
            for answer in judge(format_position(table), deck)["players"]:
                if answer["method"] is not None:
                    used[answer["name"]].add(answer["method"])


def test_truth_tells_every_round(truth: dict, deck: Deck) -> None:
    assert len(truth["rounds"]) == 2
    last = 0.0
    for told in truth["rounds"]:
        assert last < told["t"] < told["until"]
        last = told["until"]
        assert told["expect"] == judge(told["position"], deck)
        for player in told["position"]["players"]:
            mine = [seen for seen in told["seen"] if seen["place"] == player["name"]]
            assert {s["id"] for s in mine if not s.get("locked")} == set(player["hand"])
        shared = {seen["id"] for seen in told["seen"] if seen["place"] == "shared"}
        assert shared == set(told["position"]["shared"])
    assert truth["rounds"][-1]["until"] == pytest.approx((truth["frames"] - 1) / truth["fps"])


@pytest.mark.parametrize("index", [0, 1])
def test_pictures_show_each_round_while_it_lies_there(
    take: IslandTake, truth: dict, deck: Deck, index: int
) -> None:
    told, shown = truth["rounds"][index], take.rounds[index]
    hands_gone = max(t.end_s for t in take.film.motion.trips if t.start_s < shown.ready_s)
    assert hands_gone < told["until"]
    image = frame(take, hands_gone + 0.05)
    for seen in told["seen"]:
        assert likeness(image, deck, seen) > 0.85, seen


def test_table_is_empty_before_and_between_the_rounds(
    take: IslandTake, truth: dict, deck: Deck
) -> None:
    _, _, *clearing = take.film.motion.trips[:4]  # two players lay, and then take back
    for t_s in (0.0, max(trip.end_s for trip in clearing) + 0.02):
        image = frame(take, t_s)
        cards = [seen for seen in truth["rounds"][0]["seen"] if seen["kind"] == "card"]
        pile = next(seen for seen in truth["rounds"][0]["seen"] if seen["kind"] == "back")
        assert likeness(image, deck, pile) > 0.85
        away = [likeness(image, deck, seen) for seen in cards]
        assert max(away) < 0.6


def test_a_round_is_not_complete_one_frame_before_its_time(take: IslandTake, truth: dict) -> None:
    for shown, told in zip(take.rounds, truth["rounds"], strict=True):
        tracks = [take.film.motion.tracks[each.item.file] for each in shown.spread.laid]
        step = 1 / take.film.fps
        assert not any(track.moves(told["t"], told["t"] + step / 2) for track in tracks)
        assert any(track.moves(told["t"] - step, told["t"]) for track in tracks)


def test_same_recipe_gives_the_same_film(take: IslandTake, truth: dict, deck: Deck) -> None:
    again = prepare(RECIPE, deck)
    assert describe_film(again, deck, "x") == truth
    assert np.array_equal(frame(again, 2.0), frame(take, 2.0))


def test_command_writes_a_film_with_its_truth(tmp_path: Path) -> None:
    video = tmp_path / "islands.mp4"
    args = [str(video), "--rounds", "1", "--width", "320", "--fps", "5"]
    result = CliRunner().invoke(app, args)
    assert result.exit_code == 0, result.output
    told = json.loads((tmp_path / "islands.truth.json").read_text())
    film = cv2.VideoCapture(str(video))
    assert int(film.get(cv2.CAP_PROP_FRAME_COUNT)) == told["frames"]


def test_deck_of_another_game_is_refused(tmp_path: Path) -> None:
    args = [str(tmp_path / "islands.mp4"), "--deck", str(DEFAULT_OUT / "panda-gorilla")]
    result = CliRunner().invoke(app, args)
    assert result.exit_code == 2
    assert "exploring-galapagos" in result.output
