import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from referee.cli import app
from referee.commands.console import CommandError
from referee.commands.still_options import parse_seats, parse_used
from referee.decks import load_deck
from referee.judge import judge
from tests.referee.refusals import refusal

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "tests" / "data" / "pictures" / "exploring-galapagos.jpg"
DECK = ROOT / "datasets" / "decks" / "exploring-galapagos"


@pytest.fixture(scope="module")
def truth():
    """The picture's truth, as if one player had used the method of this round before."""
    truth = json.loads(PICTURE.with_suffix(".truth.json").read_text(encoding="utf-8"))
    ruled = {player["name"]: player["method"] for player in truth["expect"]["players"]}
    player = next(p for p in truth["position"]["players"] if ruled[p["name"]] is not None)
    player["used"] = [ruled[player["name"]]]
    return truth | {"expect": judge(truth["position"], load_deck(DECK))}


@pytest.fixture(scope="module")
def answer(truth, tmp_path_factory):
    seats = ",".join(f"{seat['name']}@{seat['side']}" for seat in truth["seats"])
    used = [
        f"{player['name']}:{'+'.join(player['used'])}"
        for player in truth["position"]["players"]
        if player["used"]
    ]
    out = tmp_path_factory.mktemp("drawn") / "hands.png"
    options = ["--seats", seats, "--out", str(out), "--json"]
    options += [word for text in used for word in ("--used", text)]
    result = CliRunner().invoke(app, ["score", str(PICTURE), "--deck", str(DECK), *options])
    assert result.exit_code == 0, result.output
    assert cv2.imread(str(out)).shape[0] > cv2.imread(str(PICTURE)).shape[0]
    return json.loads(result.stdout)


def in_sets(position):
    return (
        sorted(position["shared"]),
        {p["name"]: (sorted(p["hand"]), p["locked"], p["used"]) for p in position["players"]},
    )


def test_a_photograph_tells_who_holds_what(answer, truth):
    assert in_sets(answer["position"]) == in_sets(truth["position"])
    assert answer["doubts"] == []


def test_a_photograph_is_scored_as_the_rules_score_its_table(answer, truth):
    def bare(players):
        return {p["name"]: {key: p[key] for key in p if key != "reason"} for p in players}

    assert bare(answer["players"]) == bare(truth["expect"]["players"])


def test_seen_cards_carry_their_place(answer, truth):
    seen = {each["id"]: (each.get("place"), each.get("locked", False)) for each in answer["seen"]}
    for each in truth["seen"]:
        if each["kind"] == "card":
            assert seen[each["id"]] == (each["place"], each.get("locked", False))


@pytest.mark.parametrize("shade", [0, 130])
def test_a_picture_without_a_table_is_refused_in_one_sentence(tmp_path, shade):
    picture = tmp_path / "empty.png"
    cv2.imwrite(str(picture), np.full((480, 640, 3), shade, np.uint8))
    result = CliRunner().invoke(app, ["score", str(picture), "--deck", str(DECK)])
    assert result.exit_code == 2
    assert "expected a table of Exploring Galapagos" in result.output
    assert "got a picture in which no cards are seen" in result.output


def test_a_mirrored_picture_is_refused(tmp_path):
    picture = tmp_path / "mirrored.jpg"
    cv2.imwrite(str(picture), cv2.imread(str(PICTURE))[:, ::-1])
    result = CliRunner().invoke(app, ["score", str(picture), "--deck", str(DECK)])
    assert result.exit_code == 2
    assert "got one that seems mirrored" in refusal(result)


def test_a_picture_cut_at_its_lower_edge_has_no_points_for_whose_cards_it_cuts(truth, tmp_path):
    picture = tmp_path / "cut.jpg"
    cv2.imwrite(str(picture), cv2.imread(str(PICTURE))[:800])
    result = CliRunner().invoke(app, ["score", str(picture), "--deck", str(DECK), "--json"])
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    scores = {player["name"]: player["score"] for player in answer["players"]}
    position = json.loads(json.dumps(truth["position"]))
    for player in position["players"]:
        player["used"] = []
    sides = {seat["name"]: seat["side"] for seat in truth["seats"]}
    whole = {sides[p["name"]]: p["score"] for p in judge(position, load_deck(DECK))["players"]}
    assert scores == whole | {"bottom": None}
    (doubt,) = answer["doubts"]
    assert doubt["text"] == "bottom: 2 cards seen, expected 3; the rest may lie outside the picture"


def test_a_card_of_a_second_deck_leaves_both_owners_without_points(truth, tmp_path):
    """Where the last card of the left hand lay, one like a card of the top hand lies."""
    quads = {each["id"]: np.array(each["quad"], np.float32) for each in truth["seen"]}
    held = {seat["side"]: seat["name"] for seat in truth["seats"]}
    hands = {player["name"]: player["hand"] for player in truth["position"]["players"]}
    copied, hidden = hands[held["top"]][0], hands[held["left"]][-1]
    image = cv2.imread(str(PICTURE))
    size = image.shape[1::-1]
    matrix = cv2.getPerspectiveTransform(quads[copied], quads[hidden])
    place = cv2.fillConvexPoly(np.zeros(size[::-1], np.uint8), np.int32(quads[hidden]), 1)
    image[place > 0] = cv2.warpPerspective(image, matrix, size)[place > 0]
    picture = tmp_path / "two-decks.png"
    cv2.imwrite(str(picture), image)
    result = CliRunner().invoke(app, ["score", str(picture), "--deck", str(DECK), "--json"])
    answer = json.loads(result.stdout)
    assert {p["name"] for p in answer["players"] if p["score"] is None} == {"left", "top"}
    told = f"{copied} is seen in two places, as if cards of two decks lay here"
    assert told in [doubt["text"] for doubt in answer["doubts"]]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "name@side"),
        ("ann", "name@side"),
        ("ann@middle", "'middle'"),
        ("ann@top,ann@left", "every name and side once"),
        ("ann@top,bob@top", "every name and side once"),
    ],
)
def test_seats_that_cannot_be_are_named(text, named):
    with pytest.raises(CommandError, match="--seats") as error:
        parse_seats(text)
    assert named in str(error.value)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("ann", "name:methods"),
        ("ann:", "''"),
        ("ann:luck", "'luck'"),
        ("ann:time,ann:zone", "ann again"),
    ],
)
def test_methods_that_cannot_be_are_named(text, named):
    with pytest.raises(CommandError, match="--used") as error:
        parse_used([text])
    assert named in str(error.value)
