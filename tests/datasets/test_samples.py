"""The sample pictures and recording of Panda and Exploring are those of their recipes."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets import island_film, island_recording
from datasets.recording import ISLANDS, TABLES_SHOWN, ZOO
from datasets.still import DECKS, make_still
from datasets.truth import name_deck
from datasets.zoo_film import describe_film
from datasets.zoo_recording import prepare
from referee.decks import load_deck

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize("game", TABLES_SHOWN)
def test_picture_is_that_of_its_recipe(game: str) -> None:
    picture, deck = DATA / "pictures" / f"{game}.jpg", load_deck(DECKS / game)
    told = json.loads(picture.with_suffix(".truth.json").read_text())
    still = make_still(TABLES_SHOWN[game], deck, name_deck(deck.path, picture.parent))
    assert still.truth == told
    assert load_deck(picture.parent / told["deck"]).game == game
    _, written = cv2.imencode(".jpg", still.image, [cv2.IMWRITE_JPEG_QUALITY, still.jpeg])
    shown = cv2.imread(str(picture)).astype(int)
    assert np.abs(shown - cv2.imdecode(written, cv2.IMREAD_COLOR)).mean() < 1


def test_recording_is_that_of_its_recipe() -> None:
    video, deck = DATA / "recordings" / "panda.mp4", load_deck(DECKS / "panda-gorilla")
    told = json.loads(video.with_suffix(".truth.json").read_text())
    take = prepare(ZOO, deck)
    assert describe_film(take, deck, name_deck(deck.path, video.parent)) == told
    film = cv2.VideoCapture(str(video))
    assert int(film.get(cv2.CAP_PROP_FRAME_COUNT)) == told["frames"]


def test_recording_of_islands_is_that_of_its_recipe() -> None:
    video, deck = DATA / "recordings" / "exploring.mp4", load_deck(DECKS / "exploring-galapagos")
    told = json.loads(video.with_suffix(".truth.json").read_text())
    take = island_recording.prepare(ISLANDS, deck)
    name = name_deck(deck.path, video.parent)
    assert island_film.describe_film(take, deck, name) == told
    film = cv2.VideoCapture(str(video))
    assert int(film.get(cv2.CAP_PROP_FRAME_COUNT)) == told["frames"]


def test_samples_show_what_people_want_to_know() -> None:
    """Points for two players, somebody locked in and somebody not, an area scored in a film."""
    panda, exploring, film = (
        json.loads((DATA / name).read_text())
        for name in (
            "pictures/panda-gorilla.truth.json",
            "pictures/exploring-galapagos.truth.json",
            "recordings/panda.truth.json",
        )
    )
    assert sum(points > 0 for points in panda["expect"]["points"].values()) == 2
    locked = {player["locked"] is None for player in exploring["position"]["players"]}
    assert locked == {True, False}
    assert film["scored"]
    assert film["taken"]
