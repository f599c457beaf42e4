"""Looking for a board: two of them, mirrored ones, corners that the print contradicts, nothing."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.deck_faces import deck_faces
from referee.decks import load_deck
from referee.still_panda import open_board_reader
from vision.board_bearing import Bearing
from vision.board_registration import BoardFinder
from vision.board_search import find_board, find_by_corners
from vision.board_view import Points, project
from vision.errors import NoTableError
from vision.frame import Image
from vision.photo import read_photo

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "tests/data/pictures/panda-gorilla.jpg"
GRID_PX = np.array(json.loads(PICTURE.with_suffix(".truth.json").read_text("utf-8"))["board_quad"])
SIZE = np.array([9, 8])


@pytest.fixture(scope="module")
def finder() -> BoardFinder:
    deck = load_deck(ROOT / "datasets/decks/panda-gorilla")
    return open_board_reader(deck, deck_faces(deck)).finder


@pytest.fixture(scope="module")
def photo() -> Image:
    return read_photo(PICTURE)


@pytest.fixture(scope="module")
def two(photo: Image) -> Image:
    """The board, and at its right the same one smaller, on one table."""
    small = cv2.resize(photo, None, fx=0.8, fy=0.8, interpolation=cv2.INTER_AREA)
    right = np.full((photo.shape[0], small.shape[1], 3), (90, 120, 150), np.uint8)
    right[: small.shape[0]] = small
    return np.ascontiguousarray(np.hstack([photo, right]))


def moved(east: float, south: float) -> Points:
    """The corners, shown so many spaces beside where they are."""
    grid = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * SIZE
    matrix = cv2.getPerspectiveTransform(grid.astype(np.float32), GRID_PX.astype(np.float32))
    return project(np.asarray(matrix, np.float64), grid + np.array([east, south]))


def bare_of_print(photo: Image) -> Image:
    """The board with a cloth over all that is printed around its spaces."""
    inside = np.zeros(photo.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(GRID_PX).astype(np.int32), 255)
    return np.where(inside[..., None] > 0, photo, np.array([60, 90, 70], np.uint8))


def test_one_board_is_found_alone_and_proven(finder: BoardFinder, photo: Image) -> None:
    found = find_board(finder, photo)
    assert found.is_proven
    assert found.another is None


def test_another_board_in_the_picture_is_seen(finder: BoardFinder, two: Image) -> None:
    found = find_board(finder, two)
    expected = [GRID_PX, GRID_PX * 0.8 + [1280, 0]]
    corners = [found.view.in_picture(finder.board.grid), found.another]
    if np.mean(corners[0], axis=0)[0] > 1280:
        expected.reverse()
    for seen, true in zip(corners, expected, strict=True):
        assert seen is not None
        assert np.abs(seen - true).max() < 4


def test_corners_say_which_of_two_boards_is_meant(finder: BoardFinder, two: Image) -> None:
    for corners in (GRID_PX, GRID_PX * 0.8 + [1280, 0]):
        found = find_by_corners(finder, two, corners)
        assert np.abs(found.view.in_picture(finder.board.grid) - corners).max() < 4
        assert found.is_proven
        assert found.another is None


@pytest.mark.parametrize("axis", [0, 1])
def test_a_mirrored_board_is_refused(finder: BoardFinder, photo: Image, axis: int) -> None:
    mirrored = np.ascontiguousarray(np.flip(photo, axis))
    with pytest.raises(NoTableError, match="one that is mirrored"):
        find_board(finder, mirrored)


def test_a_mirrored_board_is_refused_at_its_corners(finder: BoardFinder, photo: Image) -> None:
    mirrored = np.ascontiguousarray(photo[:, ::-1])
    corners = (GRID_PX * [-1, 1] + [photo.shape[1] - 1, 0])[[1, 0, 3, 2]]
    with pytest.raises(NoTableError, match="one that is mirrored"):
        find_by_corners(finder, mirrored, corners)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_corners_in_another_order_are_refused(
    finder: BoardFinder, photo: Image, turns: int
) -> None:
    given = np.roll(GRID_PX, -turns, axis=0)
    with pytest.raises(NoTableError) as refused:
        find_by_corners(finder, photo, given)
    told = str(refused.value)
    assert f"turned by {turns * 90} degrees" in told
    assert "from the north-west clockwise, which the print shows at 336,178 988,221" in told
    assert f"got {given[0][0]:.0f},{given[0][1]:.0f} " in told


@pytest.mark.parametrize("way", [(-1, 0), (0, 1), (2, 0)])
def test_corners_spaces_beside_are_refused(
    finder: BoardFinder, photo: Image, way: tuple[int, int]
) -> None:
    with pytest.raises(NoTableError, match=rf"lie up to {max(map(abs, way))}\.\d spaces beside"):
        find_by_corners(finder, photo, moved(*way))


@pytest.mark.parametrize("seed", range(2))
def test_corners_as_exact_as_a_hand_are_taken(finder: BoardFinder, photo: Image, seed: int) -> None:
    """To two of a hundred parts of the board; the print puts them right."""
    off = np.random.default_rng(seed).uniform(-13, 13, (4, 2))
    found = find_by_corners(finder, photo, GRID_PX + off)
    assert found.is_proven
    assert np.abs(found.view.in_picture(finder.board.grid) - GRID_PX).max() < 2


def test_corners_are_believed_where_no_print_tells(finder: BoardFinder, photo: Image) -> None:
    found = find_by_corners(finder, bare_of_print(photo), GRID_PX)
    assert not found.is_proven
    assert np.abs(found.view.in_picture(finder.board.grid) - GRID_PX).max() < 12


@pytest.mark.parametrize("level", [0, 255])
def test_a_picture_of_nothing_is_told(finder: BoardFinder, level: int) -> None:
    nothing = np.full((300, 400, 3), level, np.uint8)
    with pytest.raises(NoTableError, match="all but one colour"):
        find_board(finder, nothing)
    with pytest.raises(NoTableError, match="all but one colour"):
        find_by_corners(finder, nothing, np.array([[50, 50], [350, 50], [350, 250], [50, 250]]))


def test_noise_is_no_board(finder: BoardFinder) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (300, 400, 3)).astype(np.uint8)
    with pytest.raises(NoTableError, match="found none"):
        find_board(finder, noise)


def test_which_way_round_a_board_lies_is_told_by_its_print(
    finder: BoardFinder, photo: Image
) -> None:
    place = finder.place(photo, GRID_PX)
    turned = finder.place(photo, np.roll(GRID_PX, 2, axis=0))
    assert finder.bearing.judge(photo, place.view) is Bearing.RIGHT
    assert finder.bearing.judge(photo, turned.view) is Bearing.TURNED
    beside = finder.place(photo, moved(0, 1))
    assert finder.bearing.judge(photo, beside.view, may_be_shifted=True) is Bearing.OTHER
    hidden = bare_of_print(photo)
    assert finder.bearing.judge(hidden, place.view) is Bearing.UNTOLD
