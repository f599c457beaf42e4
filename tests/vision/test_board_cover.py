"""What lies over cards is found by its colours, and the cards beside it are left in sight."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.board_cover import (
    colour_bins,
    colour_shares,
    find_cover,
    judge_beneath,
    means_alike,
    seen_beneath,
    with_rim,
)
from vision.board_looks import EVEN_LIGHT, FINE_PX, Lying, SpaceLook
from vision.board_print import PrintedFace
from vision.board_view import FlatBoard

SIDE = 58
LAWN, PATH, SKIN = (0.2, 0.6, 0.25), (0.6, 0.85, 0.95), (0.45, 0.6, 0.85)
SAND = (0.5, 0.66, 0.88)
FLAT = FlatBoard(
    np.zeros((2 * FINE_PX, 2 * FINE_PX, 3), np.uint8),
    np.ones((2 * FINE_PX, 2 * FINE_PX), np.bool_),
    (0.0, 0.0),
    FINE_PX,
)


def crossing(upright: bool) -> np.ndarray:
    """(SIDE, SIDE, 3) a path over a lawn, from north to south or from west to east."""
    face = np.tile(np.array(LAWN, np.float32), (SIDE, SIDE, 1))
    face[:, 22:36] = PATH
    return face if upright else face.transpose(1, 0, 2)


FACES = np.stack([crossing(each).transpose(2, 0, 1).reshape(3, -1) for each in (True, False)])
BARE = [np.full((3, SIDE, SIDE), 0.9, np.float32)]


PRINTED = colour_shares(colour_bins(FACES.transpose(0, 2, 1)).ravel())


def look_at(row: int, col: int) -> SpaceLook:
    errors = np.zeros((SIDE, SIDE), np.float32)
    centre = (col + 0.5, row + 0.5)
    return SpaceLook(row, col, None, (), centre, 0.0, 0.5, errors, 1.0, EVEN_LIGHT)


def board() -> np.ndarray:
    """A board of two by two spaces, a card on the first."""
    light = np.full((2 * FINE_PX, 2 * FINE_PX, 3), 0.9, np.float32)
    light[3 : 3 + SIDE, 3 : 3 + SIDE] = crossing(True)
    return light


def test_nothing_lies_over_a_card_of_the_deck() -> None:
    cover = find_cover(board(), FLAT, [look_at(0, 0)], FACES, BARE, PRINTED)
    assert not cover.any()
    seen = seen_beneath(cover, FLAT, look_at(0, 0))
    assert (seen.visible, seen.hidden) == (1.0, ())


def test_grain_hides_nothing() -> None:
    grain = np.random.default_rng(5).normal(0, 0.06, board().shape)
    light = (board() + grain).astype(np.float32)
    assert not find_cover(light, FLAT, [look_at(0, 0)], FACES, BARE, PRINTED).any()


@pytest.mark.parametrize(
    ("low", "high", "hidden"),
    [((0, 32), (64, 64), ("se", "sw")), ((34, 0), (64, 30), ("ne",))],
    ids=["half", "quarter"],
)
def test_skin_is_found_and_its_quarters_are_hidden(
    low: tuple[int, int], high: tuple[int, int], hidden: tuple[str, ...]
) -> None:
    light = board()
    cv2.rectangle(light, low, (high[0] - 1, high[1] - 1), SKIN, -1)
    cover = find_cover(light, FLAT, [look_at(0, 0)], FACES, BARE, PRINTED)
    seen = seen_beneath(cover, FLAT, look_at(0, 0))
    assert seen.hidden == hidden
    assert abs(seen.visible - (1 - len(hidden) / 4)) < 0.08


def test_what_is_narrower_than_a_finger_is_left() -> None:
    light = board()
    cv2.line(light, (50, 0), (50, 64), SKIN, 3)
    assert not find_cover(light, FLAT, [look_at(0, 0)], FACES, BARE, PRINTED).any()


CLOSE = 1.2
CARDS = [
    Lying(PrintedFace(name, "path", np.zeros((4, 4, 4), np.uint8), (44, 44), (name,) * 4), 0, 0.01)
    for name in ("straight", "bend")
]


def read_as(card: int, margin: float) -> SpaceLook:
    return replace(look_at(0, 0), best=CARDS[card], rivals=((CARDS[1 - card], margin),))


def test_a_part_of_a_card_must_say_more_than_all_of_it() -> None:
    hidden = replace(read_as(0, 1.0), visible=0.5, hidden=("se", "sw"))
    vague = judge_beneath(hidden, read_as(0, 1.3), CLOSE)
    assert vague.margin < CLOSE
    assert (vague.visible, vague.hidden) == (0.5, ("se", "sw"))
    assert judge_beneath(hidden, read_as(0, 2.0), CLOSE).margin > CLOSE


def test_a_part_that_says_otherwise_than_all_of_it_is_a_doubt() -> None:
    before = replace(read_as(0, 1.8), visible=0.5)
    assert judge_beneath(before, read_as(1, 3.0), CLOSE).margin == 1.0
    same = judge_beneath(before, read_as(0, 3.0), CLOSE)
    assert (same.best, same.margin, same.visible) == (CARDS[0], 1.8, 1.0)


def test_what_shows_between_fingers_is_not_covered() -> None:
    """A gap so narrow that it would be closed, were it not of another colour than the fingers."""
    light = board()
    cv2.rectangle(light, (0, 34), (30, 63), SKIN, -1)
    cv2.rectangle(light, (38, 34), (63, 63), SKIN, -1)
    light[34:, 31:38] = light[10, 31:38]
    cover = find_cover(light, FLAT, [look_at(0, 0)], FACES, BARE, PRINTED)
    assert cover[50, [15, 50]].all()
    assert not cover[45:55, 33:36].any()


def test_a_hand_goes_on_over_what_it_is_no_stranger_than() -> None:
    """Over a path skin is within a card's colours; its flanks tell that it is still the hand."""
    light = board()
    light[3 : 3 + SIDE, 25:39] = SAND
    sandy = np.stack([light[3 : 3 + SIDE, 3 : 3 + SIDE].transpose(2, 0, 1).reshape(3, -1)])
    printed = colour_shares(colour_bins(sandy.transpose(0, 2, 1)).ravel())
    light[34:56, 3 : 3 + SIDE] = SKIN
    cover = find_cover(light, FLAT, [look_at(0, 0)], sandy, BARE, printed)
    assert cover[45, [15, 31, 50]].all()
    assert not cover[:30].any()


def test_what_a_reading_explains_in_glare_is_no_thing() -> None:
    light = (0.6 * board() + 0.4).astype(np.float32)
    unread = look_at(0, 0)
    assert find_cover(light, FLAT, [unread], FACES, BARE, PRINTED).any()
    read = replace(unread, best=CARDS[0], rivals=((CARDS[1], 1.5),), explained=0.8)
    assert not find_cover(light, FLAT, [read], FACES, BARE, PRINTED).any()


def test_a_clear_part_may_say_otherwise_than_all_of_it() -> None:
    """All of it was read with the hand upon it, half explained."""
    before = replace(read_as(0, 1.25), visible=0.5)
    clear = judge_beneath(before, read_as(1, 3.0), CLOSE)
    assert clear.best == CARDS[1]
    assert clear.margin > CLOSE
    vague = judge_beneath(before, read_as(1, 1.7), CLOSE)
    assert vague.margin == 1.0


def test_a_card_alike_both_ways_is_turned_as_its_part_in_sight_says() -> None:
    other = PrintedFace("p", "path", np.zeros((1, 1, 4), np.uint8), (44, 44), ("a", "a", "a", "a"))
    before, part = (replace(read_as(0, 1.9), best=Lying(other, turn, 0.0)) for turn in (0, 180))
    judged = judge_beneath(before, part, 1.2)
    assert judged.best is not None
    assert (judged.best.rotation, judged.margin) == (180, 1.9)


def test_the_rim_of_a_thing_is_left_out_all_around_it() -> None:
    cover = np.zeros((20, 20), np.bool_)
    cover[8:12, 8:12] = True
    rim = with_rim(cover)
    assert rim[10, 5]
    assert rim[5, 10]
    assert not rim[10, 4]
    assert not rim[4, 4]
    assert cover.sum() == 16


def test_looks_mean_alike_by_what_their_cards_mean() -> None:
    """A twin's picture may be another one; of what was not read nothing is alike."""
    one, twin, other = (
        PrintedFace(name, "path", np.zeros((1, 1, 4), np.uint8), (44, 44), (sameness,) * 4)
        for name, sameness in (("a", "same"), ("b", "same"), ("c", "else"))
    )
    looks = [replace(look_at(0, 0), best=Lying(face, 0, 0.0)) for face in (one, twin, other)]
    assert means_alike(looks[0], looks[1])
    assert not means_alike(looks[0], looks[2])
    assert not means_alike(look_at(0, 0), look_at(0, 0))
