"""A printed board with cards and chips upon it, read from a drawn photograph."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.still import Recipe, make_still, write_still
from referee.deck_faces import deck_faces
from referee.decks import load_deck
from referee.still_panda import open_board_reader
from vision.board import BoardReader
from vision.board_registration import Registration
from vision.errors import NoTableError
from vision.frame import Image
from vision.photo import read_photo
from vision.table import BoardReading, SpaceReading, SpaceState

Json = dict[str, Any]

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "tests/data/pictures/panda-gorilla.jpg"
TRUTH = json.loads(PICTURE.with_suffix(".truth.json").read_text(encoding="utf-8"))
GRID_PX = TRUTH["board_quad"]


@pytest.fixture(scope="module")
def reader() -> BoardReader:
    deck = load_deck(ROOT / "datasets/decks/panda-gorilla")
    return open_board_reader(deck, deck_faces(deck))


@pytest.fixture(scope="module")
def photo() -> Image:
    return read_photo(PICTURE)


@pytest.fixture(scope="module")
def reading(reader: BoardReader, photo: Image) -> BoardReading:
    return reader.read(photo, reader.find(photo))


def cards_of(reading: BoardReading) -> dict[tuple[int, int], tuple[str | None, int]]:
    """Which face lies on which space; a pond looks alike whichever way it is turned."""
    return {
        (space.row, space.col): (
            space.face_id,
            space.rotation if space.face_kind == "path" else 0,
        )
        for space in reading.spaces
        if space.state is SpaceState.COVERED
    }


def true_cards(
    truth: Json = TRUTH, hidden: Collection[tuple[int, ...]] = ()
) -> dict[tuple[int, int], tuple[str, int]]:
    return {
        (seen["row"], seen["col"]): (
            seen["id"],
            seen["rotation"] if seen["kind"] == "path" else 0,
        )
        for seen in truth["seen"]
        if seen["kind"] != "chip" and "row" in seen and (seen["row"], seen["col"]) not in hidden
    }


def true_chips(
    truth: Json = TRUTH, hidden: Collection[tuple[int, ...]] = ()
) -> set[tuple[int, int, str, str]]:
    return {
        (seen["row"], seen["col"], seen["quarter"], seen["id"])
        for seen in truth["seen"]
        if seen["kind"] == "chip" and "row" in seen and (seen["row"], seen["col"]) not in hidden
    }


def space_at(reading: BoardReading, row: int, col: int) -> SpaceReading:
    return reading.spaces[row * reading.cols + col]


def test_grid_is_found_within_two_pixels(reader: BoardReader, photo: Image) -> None:
    corners = reader.find(photo).view.in_picture(reader.board.grid)
    assert np.abs(corners - GRID_PX).max() < 2


def test_a_board_is_found_from_one_strip_of_its_border(reader: BoardReader) -> None:
    """The features found lie on the near left; where the far right is, they say 1300 pixels off."""
    deck = load_deck(ROOT / "datasets/decks/panda-gorilla")
    still = make_still(Recipe(810065, "cut", held=True), deck, "deck")
    place = reader.find(np.ascontiguousarray(still.image))
    corners = place.view.in_picture(reader.board.grid)
    assert np.abs(corners - still.truth["board_quad"]).max() < 3


def assert_cards_lie_at_home(place: Registration, truth: Json) -> None:
    laid = [card for card in truth["seen"] if card["kind"] == "path" and "row" in card]
    middles = place.view.on_board(np.array([np.mean(card["quad"], axis=0) for card in laid]))
    homes = np.array([(card["col"] + 0.5, card["row"] + 0.5) for card in laid])
    # Cards are laid up to 3 mm off, a fifteenth of a space, either way.
    assert np.abs(middles - homes).max() < 0.15
    assert np.median(np.abs(middles - homes)) < 0.03


@pytest.mark.parametrize("seed", [820087, 790010, 780098])
def test_a_board_is_found_where_little_of_its_border_is_in_sight(
    reader: BoardReader, seed: int
) -> None:
    """By its sand; by the features of strips that the edge cuts; seen near, and so coarsely."""
    deck = load_deck(ROOT / "datasets/decks/panda-gorilla")
    still = make_still(Recipe(seed, "cut", held=True), deck, "deck")
    assert_cards_lie_at_home(reader.find(np.ascontiguousarray(still.image)), still.truth)


def test_a_board_seen_steeply_is_found(reader: BoardReader, tmp_path: Path) -> None:
    """Its near border lies beyond the picture, and what is in sight is half as high as wide."""
    deck = load_deck(ROOT / "datasets/decks/panda-gorilla")
    still = make_still(Recipe(840076, "cut", held=True), deck, "deck")
    write_still(still, tmp_path / "board.jpg")
    assert_cards_lie_at_home(reader.find(read_photo(tmp_path / "board.jpg")), still.truth)


def test_every_space_is_read_right(reading: BoardReading) -> None:
    assert len(reading.spaces) == 72
    assert cards_of(reading) == true_cards()


def test_every_chip_is_read_right(reading: BoardReading) -> None:
    chips = {(chip.row, chip.col, chip.quarter, chip.face_id) for chip in reading.chips}
    assert chips == true_chips()


def test_quads_start_at_the_own_top_left_of_a_card(reading: BoardReading) -> None:
    laid = [seen for seen in TRUTH["seen"] if seen["kind"] == "path" and "row" in seen]
    assert {seen["rotation"] for seen in laid} == {0, 90, 180, 270}
    for seen in laid:
        quad = space_at(reading, seen["row"], seen["col"]).quad_px
        assert np.abs(np.subtract(quad, seen["quad"])).max() < 5


def test_sureness_lies_between_nought_and_one(reading: BoardReading) -> None:
    assert all(0 <= space.score <= 1 for space in reading.spaces)
    assert all(0 <= chip.score <= 1 for chip in reading.chips)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_board_is_read_from_every_side(reader: BoardReader, photo: Image, turns: int) -> None:
    turned = np.ascontiguousarray(np.rot90(photo, turns))
    assert cards_of(reader.read(turned, reader.find(turned))) == true_cards()


def test_half_a_turn_is_another_reading(reader: BoardReader, photo: Image) -> None:
    """A card that is lifted and laid back the other way round is not the same."""
    seen = next(
        seen
        for seen in TRUTH["seen"]
        if seen["kind"] == "path"
        and "row" in seen
        and not any(chip[:2] == (seen["row"], seen["col"]) for chip in true_chips())
    )
    quad = np.array(seen["quad"], np.float32)
    about = cv2.getPerspectiveTransform(quad, np.roll(quad, 2, axis=0))
    turned = cv2.warpPerspective(photo, about, (photo.shape[1], photo.shape[0]))
    mask = np.zeros(photo.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 255)
    changed = np.where(mask[..., None] > 0, turned, photo)
    again = reader.read(changed, reader.find(photo), spaces=[(seen["row"], seen["col"])])
    face, rotation = cards_of(again)[seen["row"], seen["col"]]
    assert (face, rotation) == (seen["id"], (seen["rotation"] + 180) % 360)


def test_what_lies_under_a_hand_is_not_guessed(reader: BoardReader, photo: Image) -> None:
    seen = next(s for s in TRUTH["seen"] if s["kind"] == "path" and "row" in s)
    covered = photo.copy()
    noise = np.random.default_rng(3).integers(90, 170, photo.shape[:2]).astype(np.uint8)
    hand = np.stack([noise // 2, noise - 20, noise + 40], axis=2)
    mask = np.zeros(photo.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(seen["quad"]).astype(np.int32), 255)
    covered[mask > 0] = hand[mask > 0]
    place = reader.find(covered)
    (space,) = reader.read(covered, place, spaces=[(seen["row"], seen["col"])]).spaces
    assert space.state in (SpaceState.UNSEEN, SpaceState.DOUBTFUL)


@pytest.mark.parametrize(
    "seed",
    [4100002, 4100043, 812011, 812015, 850141, 850196],
    ids=[
        "half a card",
        "finger tips",
        "two fifths of a card",
        "skin over paths",
        "a finger's rim",
        "a chip's rim beside a finger",
    ],
)
def test_what_a_hand_leaves_in_sight_is_read(reader: BoardReader, seed: int) -> None:
    """Half a card tells its name, and finger tips are round but no chips."""
    deck = load_deck(ROOT / "datasets/decks/panda-gorilla")
    still = make_still(Recipe(seed, "hand", held=True), deck, "deck")
    picture = np.ascontiguousarray(still.image)
    reading = reader.read(picture, reader.find(picture))
    hidden = {tuple(space) for space in still.truth["unseen"]}
    cards = {space: card for space, card in cards_of(reading).items() if space not in hidden}
    assert cards == true_cards(still.truth, hidden)
    assert min(seen["visible"] for seen in still.truth["seen"] if "row" in seen) < 0.7
    chips = {(chip.row, chip.col, chip.quarter, chip.face_id) for chip in reading.chips}
    assert {chip for chip in chips if chip[:2] not in hidden} == true_chips(still.truth, hidden)


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(795006, "dim", held=True),
        Recipe(840105, "dim", held=True),
        Recipe(795115, "glare", held=True),
    ],
    ids=["grain", "one figure in two colours", "glare"],
)
def test_chips_are_read_in_bad_light(reader: BoardReader, recipe: Recipe, tmp_path: Path) -> None:
    """As JPEG leaves them, too: small, grainy and hardly coloured, or half washed out."""
    deck = load_deck(ROOT / "datasets/decks/panda-gorilla")
    still = make_still(recipe, deck, "deck")
    write_still(still, tmp_path / "board.jpg")
    picture = read_photo(tmp_path / "board.jpg")
    reading = reader.read(picture, reader.find(picture))
    chips = {(chip.row, chip.col, chip.quarter, chip.face_id) for chip in reading.chips}
    assert chips == true_chips(still.truth)
    ponds = {
        (seen["row"], seen["col"])
        for seen in still.truth["seen"]
        if seen["kind"] == "back" and "row" in seen
    }
    assert {(each.row, each.col) for each in reading.obscure} <= ponds


def test_a_sharp_shadow_makes_no_card_and_hides_none(reader: BoardReader, photo: Image) -> None:
    """Cut through sand, ponds and cards alike; what is even turns two-coloured by it."""
    height, width = photo.shape[:2]
    y, x = np.mgrid[:height, :width]
    edge = np.clip(((x - 0.45 * width) - (y - 0.5 * height) * 0.7) / 12, 0, 1)
    dark = np.round(photo * (1 - 0.55 * edge[..., None])).astype(np.uint8)
    reading = reader.read(dark, reader.find(dark))
    assert cards_of(reading) == true_cards()
    assert all(space.state is not SpaceState.DOUBTFUL for space in reading.spaces)
    assert {(c.row, c.col, c.quarter, c.face_id) for c in reading.chips} == true_chips()


def test_a_lawn_in_glare_is_not_taken_for_tinted_sand(reader: BoardReader) -> None:
    deck = load_deck(ROOT / "datasets/decks/panda-gorilla")
    still = make_still(Recipe(812203, "glare", held=True), deck, "deck")
    picture = np.ascontiguousarray(still.image)
    reading = reader.read(picture, reader.find(picture))
    assert cards_of(reading) == true_cards(still.truth)


def read_glare(reader: BoardReader, seed: int, spaces: list[tuple[int, int]]) -> BoardReading:
    """A board drawn in glare, of which some spaces are read."""
    deck = load_deck(ROOT / "datasets/decks/panda-gorilla")
    still = make_still(Recipe(seed, "glare", held=True), deck, "deck")
    picture = np.ascontiguousarray(still.image)
    return reader.read(picture, reader.find(picture), spaces=spaces)


def test_a_card_in_glare_is_told_by_the_colours_that_a_lamp_leaves(reader: BoardReader) -> None:
    around = [(row, col) for row in range(2, 5) for col in range(6, 9)]
    reading = read_glare(reader, 820126, around)
    space = reading.spaces[around.index((3, 7))]
    assert (space.state, space.face_id, space.rotation) == (SpaceState.COVERED, "p10", 180)


def test_a_chip_in_glare_is_read_upon_its_card(reader: BoardReader) -> None:
    around = [(row, col) for row in range(5, 8) for col in range(4)]
    reading = read_glare(reader, 820093, around)
    assert reading.spaces[around.index((7, 0))].face_id == "p16"
    assert (7, 0, "nw", "chip-green-small") in {
        (chip.row, chip.col, chip.quarter, chip.face_id) for chip in reading.chips
    }


def test_a_chip_in_glare_is_seen_in_the_light_of_its_card(
    reader: BoardReader, tmp_path: Path
) -> None:
    deck = load_deck(ROOT / "datasets/decks/panda-gorilla")
    still = make_still(Recipe(830027, "glare", held=True), deck, "deck")
    write_still(still, tmp_path / "board.jpg")
    picture = read_photo(tmp_path / "board.jpg")
    reading = reader.read(picture, reader.find(picture))
    assert (5, 4, "ne", "chip-yellow-medium") in {
        (chip.row, chip.col, chip.quarter, chip.face_id) for chip in reading.chips
    }


def test_what_a_lamp_makes_all_white_is_not_taken_for_sand(reader: BoardReader) -> None:
    around = [(row, col) for row in range(1, 5) for col in range(5, 9)]
    reading = read_glare(reader, 820104, around)
    assert reading.spaces[around.index((2, 7))].state is SpaceState.DOUBTFUL


def test_no_second_chip_is_read_upon_the_rim_of_one(reader: BoardReader) -> None:
    deck = load_deck(ROOT / "datasets/decks/panda-gorilla")
    still = make_still(Recipe(6100008, "dim", held=True, size=(1440, 1080)), deck, "deck")
    picture = np.ascontiguousarray(still.image)
    reading = reader.read(picture, reader.find(picture), spaces=[(5, 6)])
    assert [(chip.quarter, chip.face_id) for chip in reading.chips] == [("ne", "chip-blue-small")]


def test_spaces_beyond_the_edge_are_not_seen(reader: BoardReader, photo: Image) -> None:
    view = reader.find(photo).view
    cut = np.ascontiguousarray(photo[:, : photo.shape[1] // 2])
    reading = reader.read(cut, reader.find(cut))
    places = np.array([[s.col + 0.5, s.row + 0.5] for s in reading.spaces])
    for space, (x, _) in zip(reading.spaces, view.in_picture(places), strict=True):
        if x > cut.shape[1] + 40:
            assert space.state is SpaceState.UNSEEN
        if x < cut.shape[1] - 60 and (space.row, space.col) in true_cards():
            assert space.state is SpaceState.COVERED


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((480, 640, 3), np.uint8),
        np.full((480, 640, 3), 255, np.uint8),
        np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.uint8),
        np.zeros((3, 4, 3), np.uint8),
    ],
    ids=["black", "white", "noise", "tiny"],
)
def test_no_board_is_said_and_not_made_up(reader: BoardReader, picture: Image) -> None:
    with pytest.raises(NoTableError, match=r"board.*(found none|all but one colour)"):
        reader.find(picture)


def test_another_table_has_no_board(reader: BoardReader) -> None:
    with pytest.raises(NoTableError):
        reader.find(read_photo(PICTURE.with_name("table.jpg")))


def test_corners_by_hand_need_not_be_exact(reader: BoardReader, photo: Image) -> None:
    shaken = [(x + dx, y + dy) for (x, y), (dx, dy) in zip(
        GRID_PX, [(4, -3), (-3, 4), (3, 3), (-4, -2)], strict=True)]  # fmt: skip
    place = reader.find(photo, shaken)
    assert np.abs(place.view.in_picture(reader.board.grid) - GRID_PX).max() < 2


def test_corners_show_a_board_without_its_border(reader: BoardReader, photo: Image) -> None:
    outside = np.full(photo.shape[:2], 255, np.uint8)
    cv2.fillConvexPoly(outside, np.round(GRID_PX).astype(np.int32), 0)
    bare = photo.copy()
    bare[outside > 0] = (70, 90, 120)
    place = reader.find(bare, [(x, y) for x, y in GRID_PX])
    cards = cards_of(reader.read(bare, place))
    assert cards.items() <= true_cards().items()
    assert len(cards) >= len(true_cards()) - 2


def test_a_chip_hides_its_quarter_only(reader: BoardReader, reading: BoardReading) -> None:
    chipped = {chip[:2] for chip in true_chips()}
    assert chipped
    for row, col in chipped:
        assert space_at(reading, row, col).state is SpaceState.COVERED


def test_glare_is_read_by_the_light_around_it(reader: BoardReader, photo: Image) -> None:
    """Where a lamp is mirrored in some cards, those beside them tell how much it adds."""
    place = reader.find(photo)
    height, width = photo.shape[:2]
    pixels = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=2).reshape(-1, 2)
    away = ((place.view.on_board(pixels) - [6.0, 3.5]) ** 2).sum(axis=1).reshape(height, width)
    lamp = 110 * np.exp(-away / (2 * 1.2**2))
    glossy = np.clip(np.round(photo + lamp[..., None]), 0, 255).astype(np.uint8)
    part = [(row, col) for row in range(1, 6) for col in range(3, 9)]
    cards = cards_of(reader.read(glossy, place, spaces=part))
    assert cards == {space: card for space, card in true_cards().items() if space in part}


def test_a_round_thing_that_is_no_chip_is_told_and_not_named(
    reader: BoardReader, photo: Image, reading: BoardReading
) -> None:
    assert reading.obscure == ()
    chipped = {chip[:2] for chip in true_chips()}
    row, col = next(space for space in sorted(true_cards()) if space not in chipped)
    place = reader.find(photo)
    ring = 0.16 * np.array([[np.cos(a), np.sin(a)] for a in np.linspace(0, 6.2, 40)])
    disc = place.view.in_picture(np.array([col + 0.25, row + 0.75]) + ring)
    marred = photo.copy()
    cv2.fillConvexPoly(marred, np.round(disc).astype(np.int32), (150, 20, 160))
    again = reader.read(marred, place, spaces=[(row, col)])
    assert again.chips == ()
    assert [(each.row, each.col, each.quarter) for each in again.obscure] == [(row, col, "sw")]


def test_readings_are_the_same_each_time(
    reader: BoardReader, photo: Image, reading: BoardReading
) -> None:
    again = reader.read(photo, reader.find(photo), 1.5)
    assert replace(again, timestamp_s=0.0) == reading
