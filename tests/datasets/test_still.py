"""Stills of Panda and Exploring tables: the picture shows what its truth says, where it says so."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from datasets.art.build_deck import DEFAULT_OUT
from datasets.deck_art import read_face
from datasets.still import Recipe, Still, app, make_still
from datasets.still_styles import STYLES, sample_camera
from referee.decks import Deck, load_deck
from referee.judge import judge

PANDA, EXPLORING = "panda-gorilla", "exploring-galapagos"


def load(game: str) -> Deck:
    return load_deck(DEFAULT_OUT / game)


@pytest.fixture(scope="module")
def panda() -> Still:
    return make_still(Recipe(23, "plain"), load(PANDA), "decks/ours")


@pytest.fixture(scope="module")
def exploring() -> Still:
    return make_still(Recipe(23, "plain"), load(EXPLORING), "decks/ours")


def likeness(still: Still, deck: Deck, seen: dict[str, object]) -> float:
    """How well the picture inside a quad agrees with the face that the truth names, -1 to 1."""
    face = read_face(deck, deck.card(str(seen["id"])))
    size = (64, round(64 * face.shape[0] / face.shape[1]))
    small = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
    target = np.float32([[0, 0], [size[0], 0], size, [0, size[1]]])
    move = cv2.getPerspectiveTransform(np.float32(seen["quad"]), target)
    crop = cv2.warpPerspective(still.image, move, size, flags=cv2.INTER_AREA)
    inside = small[..., 3] > 250
    soft = [cv2.GaussianBlur(image[..., :3], (0, 0), 1.5) for image in (small, crop)]
    one, other = (image[inside].astype(float).ravel() for image in soft)
    return float(np.corrcoef(one, other)[0, 1])


@pytest.mark.parametrize("game", [PANDA, EXPLORING])
def test_every_quad_holds_the_face_that_it_names_the_right_way_up(
    game: str, request: pytest.FixtureRequest
) -> None:
    still = request.getfixturevalue("panda" if game == PANDA else "exploring")
    deck = load(game)
    whole = [seen for seen in still.truth["seen"] if seen["visible"] > 0.97]
    assert len(whole) > 8
    for seen in whole:
        right = likeness(still, deck, seen)
        assert right > 0.8, seen
        turned = seen | {"quad": seen["quad"][2:] + seen["quad"][:2]}
        assert likeness(still, deck, turned) < right - 0.01, seen


def test_panda_truth_says_what_lies_on_the_board(panda: Still) -> None:
    truth, deck = panda.truth, load(PANDA)
    assert truth["game"] == PANDA
    assert truth["deck"] == "decks/ours"
    assert truth["size"] == [panda.image.shape[1], panda.image.shape[0]]
    assert truth["expect"] == judge(truth["position"], deck)
    assert truth["unseen"] == []
    laid = [seen for seen in truth["seen"] if seen["kind"] in ("path", "back") and "row" in seen]
    told = truth["position"]["tiles"]
    assert len(laid) == len(told)
    assert {(s["row"], s["col"]) for s in laid} == {(t["row"], t["col"]) for t in told}
    chips = [seen for seen in truth["seen"] if seen["kind"] == "chip" and "row" in seen]
    assert {(c["row"], c["col"], c["quarter"]) for c in chips} == {
        (c["row"], c["col"], c["quarter"]) for c in truth["position"]["chips"]
    }


def test_the_boards_quad_is_that_of_its_grid(panda: Still) -> None:
    """Flattened by it, each card lies in the middle of its space."""
    target = np.float32([[0, 0], [9, 0], [9, 8], [0, 8]])
    move = cv2.getPerspectiveTransform(np.float32(panda.truth["board_quad"]), target)
    for seen in panda.truth["seen"]:
        if "rotation" in seen:
            quad = cv2.perspectiveTransform(np.float32([seen["quad"]]), move)[0]
            middle = (seen["col"] + 0.5, seen["row"] + 0.5)
            assert np.hypot(*(quad.mean(0) - middle)) < 0.12  # 3 mm of 45, and what it is raised


def test_exploring_truth_says_who_holds_what(exploring: Still) -> None:
    truth = exploring.truth
    assert truth["expect"] == judge(truth["position"], load(EXPLORING))
    for player in truth["position"]["players"]:
        cards = [s for s in truth["seen"] if s.get("place") == player["name"]]
        assert {s["id"] for s in cards if not s.get("locked")} == set(player["hand"])
        assert [s["id"] for s in cards if s.get("locked")] == [
            card for card in [player["locked"]] if card
        ]
    shared = [s for s in truth["seen"] if s.get("place") == "shared"]
    assert [s["id"] for s in sorted(shared, key=lambda s: s["quad"][0][0])] == truth["position"][
        "shared"
    ]
    assert {seat["name"] for seat in truth["seats"]} == {
        player["name"] for player in truth["position"]["players"]
    }


def test_same_recipe_gives_the_same_still(exploring: Still) -> None:
    again = make_still(Recipe(23, "plain"), load(EXPLORING), "decks/ours")
    assert np.array_equal(again.image, exploring.image)
    assert again.truth == exploring.truth
    other = make_still(Recipe(24, "plain"), load(EXPLORING), "decks/ours")
    assert other.truth["position"] != exploring.truth["position"]


def test_what_the_picture_cuts_off_is_said_to_be_unseen() -> None:
    still = make_still(Recipe(4, "cut"), load(PANDA), "x")
    truth = still.truth
    width, height = truth["size"]
    unseen = {tuple(space) for space in truth["unseen"]}
    assert 0 < len(unseen) < 72
    assert 0.25 <= min(seen["visible"] for seen in truth["seen"]) < 0.8
    laid = {(t["row"], t["col"]) for t in truth["position"]["tiles"]}
    seen = {(s["row"], s["col"]) for s in truth["seen"] if "rotation" in s}
    assert seen < laid
    move = cv2.getPerspectiveTransform(
        np.float32([[0, 0], [9, 0], [9, 8], [0, 8]]), np.float32(truth["board_quad"])
    )
    for row in range(8):
        for col in range(9):
            spot = np.float32([[[col + 0.5, row + 0.5]]])
            x, y = cv2.perspectiveTransform(spot, move)[0, 0]
            margin = min(x, width - x, y, height - y)
            if abs(margin) > 15:
                assert ((row, col) in unseen) == (margin < 0)
    assert truth["expect"] == judge(truth["position"], load(PANDA))


def test_what_a_hand_covers_is_said_to_be_less_visible() -> None:
    still = make_still(Recipe(1, "hand"), load(PANDA), "x")
    assert min(seen["visible"] for seen in still.truth["seen"]) < 0.9
    laid = {(t["row"], t["col"]) for t in still.truth["position"]["tiles"]}
    seen = {(s["row"], s["col"]) for s in still.truth["seen"] if "rotation" in s}
    assert {tuple(s) for s in still.truth["unseen"]} or seen < laid


def test_a_card_of_which_a_hand_leaves_hardly_anything_is_said_to_be_unseen() -> None:
    truth = make_still(Recipe(890218, "hand"), load(EXPLORING), "x").truth
    laid = {*truth["position"]["shared"]}
    for player in truth["position"]["players"]:
        laid |= {*player["hand"], player["locked"]}
    assert truth["unseen"] == ["h15"]
    assert {s["id"] for s in truth["seen"] if s["kind"] == "card"} == laid - {"h15", None}


def test_nothing_is_unseen_on_a_table_that_nothing_covers(exploring: Still) -> None:
    assert exploring.truth["unseen"] == []


@pytest.mark.parametrize("style", [s for s in STYLES if s != "cut"])
@pytest.mark.parametrize("any_side", [True, False])
def test_the_camera_sees_all_that_it_is_to_see(style: str, *, any_side: bool) -> None:
    reach = np.asarray([[-234, -212], [234, -212], [234, 212], [-234, 212]], np.float64)
    turns = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        camera = sample_camera(rng, STYLES[style], reach, any_side=any_side)
        pixels, is_seen = camera.view.project(reach)
        pixels = camera.view.distort(pixels)
        assert is_seen
        assert (pixels > 0).all()
        assert (pixels < camera.view.size).all()
        assert 0 <= camera.tilt_deg <= 45
        turns.append(abs(camera.turn_deg))
    assert (max(turns) > 80) == any_side


def test_held_out_tables_are_others() -> None:
    deck = load(EXPLORING)
    ours, held = (make_still(Recipe(2, "cloth", h), deck, "x") for h in (False, True))
    assert ours.truth["position"] == held.truth["position"]
    assert np.abs(ours.image.astype(int) - held.image).mean() > 5


def test_command_writes_pictures_with_their_truth_and_keeps_what_is_there(tmp_path: Path) -> None:
    args = ["exploring", "--out", str(tmp_path), "--count", "1", "--style", "plain", "--seed", "5"]
    result = CliRunner().invoke(app, args)
    assert result.exit_code == 0, result.output
    picture = tmp_path / "exploring-0005-plain.jpg"
    truth = json.loads(picture.with_suffix(".truth.json").read_text())
    assert cv2.imread(str(picture)).shape[:2] == tuple(reversed(truth["size"]))
    assert (tmp_path / truth["deck"] / "deck.yaml").exists()
    stamp = picture.stat().st_mtime_ns
    assert CliRunner().invoke(app, args).exit_code == 0
    assert picture.stat().st_mtime_ns == stamp


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (["panda", "--style", "foggy"], "foggy"),
        (["panda", "--deck", str(DEFAULT_OUT / EXPLORING)], "panda-gorilla"),
        (["panda", "--deck", "nowhere"], "nowhere"),
    ],
)
def test_wrong_options_are_named(args: list[str], named: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, [*args, "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert named in result.output
