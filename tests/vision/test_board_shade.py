"""The edge of a shadow across a space is found, and taken from what is seen there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from referee.deck_faces import deck_faces
from referee.decks import load_deck
from referee.still_panda import open_board_reader
from vision.board_fit import FloatArray
from vision.board_looks import FINE_PX
from vision.board_print import PrintedFace
from vision.board_shade import ShadeEdge, ShadeReader
from vision.board_sight import Sight
from vision.board_spaces import SpaceReader

ROOT = Path(__file__).parents[2]
SPACE = (3, 4)
SHADOW = ShadeEdge(
    (4.5, 3.5), 135.0, 0.1, 0.08, np.array([[0.8, 0.8, 0.8], [1.4, 1.4, 1.35]], np.float32)
)


@pytest.fixture(scope="module")
def spaces() -> SpaceReader:
    """A real board's, with one card: a path between a dark and a light lawn."""
    deck = load_deck(ROOT / "datasets/decks/panda-gorilla")
    board = open_board_reader(deck, deck_faces(deck)).board
    picture = np.full((200, 200, 4), 255, np.uint8)
    picture[:80, :, :3], picture[120:, :, :3] = (60, 90, 20), (90, 200, 150)
    card = PrintedFace("card", "path", picture, (45.0, 45.0), ("a", "b", "c", "d"))
    return SpaceReader(board, [card])


def sight_of(spaces: SpaceReader, light: FloatArray | None = None) -> Sight:
    """The bare board, or what is given at `FINE_PX`, as it is printed."""
    flat = spaces.board.flat(FINE_PX)
    printed = np.asarray(flat.image / np.float32(255), np.float32)
    seen = printed if light is None else light
    every = np.ones(seen.shape[:2], np.float32)
    return Sight(flat, flat, seen, seen, every, np.zeros(seen.shape, np.bool_))


def shaded(sight: Sight, edge: ShadeEdge) -> Sight:
    """The same with an edge across all of it."""
    high, wide = sight.light.shape[:2]
    places = sight.flat.place_of(np.stack(np.meshgrid(np.arange(wide), np.arange(high)), axis=2))
    seen = np.asarray(sight.light * edge.light_at(places), np.float32)
    return replace(sight, near_light=seen, light=seen)


def around(sight: Sight) -> FloatArray:
    """The pixels of the space, and none beyond it."""
    low, high = np.round(sight.flat.pixel_of(np.array([[4.0, 3.0], [5.0, 4.0]]))).astype(int)
    return sight.light[low[1] : high[1], low[0] : high[0]]


def test_an_edge_across_sand_is_found_and_taken_off(spaces: SpaceReader) -> None:
    bare = sight_of(spaces)
    dark = shaded(bare, SHADOW)
    edge = ShadeReader(spaces).find(dark, dark.free, SPACE)
    assert edge is not None
    assert np.abs(around(dark) - around(bare)).mean() > 0.1
    assert np.abs(around(edge.taken_from(dark)) - around(bare)).mean() < 0.02


def test_an_edge_across_a_card_laid_askew_is_found(spaces: SpaceReader) -> None:
    bare = sight_of(spaces)
    card = spaces.fine.pixels[1].reshape(3, 58, 58).transpose(1, 2, 0)
    askew = bare.flat.pixel_of(np.array([[4.55, 3.47]]))[0]
    x, y = np.round(askew).astype(int)
    light = bare.light.copy()
    light[y - 29 : y + 29, x - 29 : x + 29] = card
    laid = sight_of(spaces, light)
    dark = shaded(laid, SHADOW)
    edge = ShadeReader(spaces).find(dark, dark.free, SPACE)
    assert edge is not None
    assert np.abs(around(edge.taken_from(dark)) - around(laid)).mean() < 0.03


@pytest.mark.parametrize(
    "gains",
    [[[1.0] * 3] * 2, [[0.6] * 3] * 2, [[0.9] * 3, [1.05] * 3], [[0.7, 1.0, 0.7], [1.4, 0.9, 1.4]]],
    ids=["even", "all in shade", "hardly an edge", "no shadow but another colour"],
)
def test_what_is_no_edge_of_a_shadow_is_left(spaces: SpaceReader, gains: list[list[float]]) -> None:
    dark = shaded(sight_of(spaces), replace(SHADOW, gains=np.array(gains, np.float32)))
    assert ShadeReader(spaces).find(dark, dark.free, SPACE) is None


def test_other_spaces_keep_their_light(spaces: SpaceReader) -> None:
    bare = sight_of(spaces)
    evened = SHADOW.taken_from(bare)
    changed = np.abs(evened.light - bare.light).max(axis=2) > 0
    rows, cols = np.nonzero(changed)
    places = bare.flat.place_of(np.stack([cols, rows], axis=1))
    assert np.abs(places - [4.5, 3.5]).max() < 0.65
    assert np.abs(bare.light - sight_of(spaces).light).max() == 0
