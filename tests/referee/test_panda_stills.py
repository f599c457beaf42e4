"""A photograph of a Panda board from the command line: JSON, words, a drawing, one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from referee.cli import app
from vision.photo import read_photo

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "tests/data/pictures/panda-gorilla.jpg"
TRUTH = json.loads(PICTURE.with_suffix(".truth.json").read_text(encoding="utf-8"))
DECK = str(ROOT / "datasets/decks/panda-gorilla")
CORNERS = [f"{x},{y}" for x, y in TRUTH["board_quad"]]


def score(*arguments: str, picture: Path = PICTURE) -> str:
    result = CliRunner().invoke(app, ["score", str(picture), "--deck", DECK, *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def unordered(areas: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The areas, the chips of each in one order: which was laid first cannot be seen."""
    return [area | {"chips": sorted(area["chips"], key=str)} for area in areas]


def test_answer_is_that_of_the_rules_for_the_true_position() -> None:
    answer = json.loads(score("--json"))
    expected = TRUTH["expect"]
    assert answer["doubts"] == []
    assert unordered(answer["areas"]) == unordered(expected["areas"])
    assert answer["points"] == expected["points"]
    assert {tuple(chip) for chip in (each.keys() for each in answer["seen"])} == {
        ("id", "kind", "score", "quad", "rotation", "row", "col"),
        ("id", "kind", "score", "quad", "row", "col", "quarter"),
    }


def test_final_scoring_gives_no_less() -> None:
    now, then = json.loads(score("--json")), json.loads(score("--json", "--final"))
    assert then["position"]["final"] is True
    assert sum(then["points"].values()) > sum(now["points"].values())


def test_corners_by_hand_give_the_same_answer() -> None:
    by_border, by_hand = json.loads(score("--json")), json.loads(
        score("--json", "--corners", *CORNERS)
    )  # fmt: skip
    assert by_hand["areas"] == by_border["areas"]


def test_people_are_told_and_shown(tmp_path: Path) -> None:
    drawn = tmp_path / "drawn.png"
    told = score("--final", "--out", str(drawn))
    assert "Points: " in told
    picture, before = read_photo(drawn), read_photo(PICTURE)
    assert picture.shape[0] > before.shape[0]  # the points stand below the board
    board = picture[: before.shape[0]].astype(int)
    assert np.abs(board - before).mean() > 3


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        (["1,1", "9,1", "9,9", "x,9"], "'x,9'"),
        (["1,1", "1,9", "9,9", "9,1"], "clockwise"),
        (["1,1", "9,1", "9,9", "nan,9"], "x,y in pixels"),
    ],
)
def test_corners_must_be_four_points_clockwise(corners: list[str], words: str) -> None:
    arguments = ["score", str(PICTURE), "--deck", DECK, "--corners", *corners]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert words in result.stderr


@pytest.mark.parametrize(
    ("look", "words"),
    [
        ("black", "expected a picture of the board, got one that is all but one colour"),
        ("noise", "expected the board of this deck, its printed border in view, and found none"),
        ("mirrored", "expected the board as people see it, got one that is mirrored"),
    ],
)
def test_a_picture_that_cannot_be_read_is_one_sentence(
    tmp_path: Path, look: str, words: str
) -> None:
    looks = {
        "black": np.zeros((300, 400, 3), np.uint8),
        "noise": np.random.default_rng(2).integers(0, 256, (300, 400, 3)).astype(np.uint8),
        "mirrored": read_photo(PICTURE)[:, ::-1],
    }
    path = tmp_path / f"{look}.png"
    cv2.imwrite(str(path), looks[look])
    result = CliRunner().invoke(app, ["score", str(path), "--deck", DECK])
    assert result.exit_code == 2
    assert f"{look}.png: {words}" in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.parametrize("colour", [(250, 252, 255), (235, 225, 215), (20, 20, 20)])
def test_paper_that_lies_over_spaces_is_not_taken_for_the_bare_board(
    tmp_path: Path, colour: tuple[int, int, int]
) -> None:
    seen = [each for each in TRUTH["seen"] if each["kind"] == "path" and "row" in each]
    hidden = max(seen, key=lambda each: (min(each["row"], 7 - each["row"]), -each["col"]))
    quad = np.array(hidden["quad"])
    sheet = np.round(quad.mean(axis=0) + 1.25 * (quad - quad.mean(axis=0))).astype(np.int32)
    picture = read_photo(PICTURE).copy()
    cv2.fillConvexPoly(picture, sheet, colour)
    path = tmp_path / "paper.png"
    cv2.imwrite(str(path), picture)
    answer = json.loads(score("--json", picture=path))
    place = (hidden["row"], hidden["col"])
    assert place not in {(tile["row"], tile["col"]) for tile in answer["position"]["tiles"]}
    doubted = [each for each in answer["doubts"] if (each.get("row"), each.get("col")) == place]
    assert doubted, answer["doubts"]


def test_of_half_a_board_the_half_in_view_is_read(tmp_path: Path) -> None:
    path = tmp_path / "half.png"
    picture = read_photo(PICTURE)
    cv2.imwrite(str(path), picture[:, : picture.shape[1] // 2])
    answer = json.loads(score("--json", "--final", picture=path))
    texts = [doubt["text"] for doubt in answer["doubts"]]
    part = "only part of the board is in the picture, without 34 of its 71 spaces"
    assert texts[0].startswith(part)
    assert texts[1].startswith("points may be others in ")
    assert not any("right deck" in text for text in texts)
    read = [seen for seen in answer["seen"] if seen["kind"] == "path"]
    assert len(read) > 15
    truth = {
        (seen["row"], seen["col"]): (seen["id"], seen["rotation"])
        for seen in TRUTH["seen"]
        if seen["kind"] == "path" and "row" in seen
    }
    assert all(truth[seen["row"], seen["col"]] == (seen["id"], seen["rotation"]) for seen in read)


@pytest.mark.parametrize("look", ["grey", "dim"])
def test_whose_chips_lie_there_is_not_guessed_where_a_picture_has_no_colours(
    tmp_path: Path, look: str
) -> None:
    picture = read_photo(PICTURE)
    if look == "grey":
        picture = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    else:
        picture = (picture * 0.3).astype(np.uint8)
    path = tmp_path / "look.png"
    cv2.imwrite(str(path), picture)
    result = CliRunner().invoke(app, ["score", str(path), "--deck", DECK])
    if look == "dim":
        assert result.exit_code == 0, result.output
        return
    assert result.exit_code == 2
    assert "expected a picture in colour" in result.output
    assert "Points" not in result.output


def test_a_board_that_is_seen_small_is_doubted(tmp_path: Path) -> None:
    picture = read_photo(PICTURE)
    path = tmp_path / "small.png"
    cv2.imwrite(str(path), cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    first = json.loads(score("--json", picture=path))["doubts"][0]["text"]
    assert "38 pixels long" in first
    assert "chips may be misread" in first
    assert "In doubt: a space is 38 pixels long" in score(picture=path)
