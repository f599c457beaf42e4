"""Dating by the hand: a card is laid when the hand that hid it came to rest."""

from __future__ import annotations

import numpy as np
import pytest

from vision.board_watch_landing import find_landing_by_hand
from vision.frame import Image
from vision.ring import PastPatch

FPS = 30
SIDE = 60
CARD = np.zeros((SIDE, SIDE), bool)
CARD[10:50, 10:50] = True


def pattern(seed: int) -> Image:
    small = np.random.default_rng(seed).integers(40, 220, (SIDE // 5, SIDE // 5))
    return np.asarray(np.kron(small, np.ones((5, 5))), np.uint8)


BARE, CARD_FACE, HAND = pattern(1), pattern(2), pattern(3)


def scene(laid: bool, hand_x: int | None) -> Image:
    """The table, a card on it or not, and a hand that covers all from a column on."""
    image = BARE.copy()
    if laid:
        image[CARD] = CARD_FACE[CARD]
    if hand_x is not None and hand_x < SIDE:
        image[:, max(0, hand_x) :] = np.roll(HAND, hand_x, axis=1)[:, max(0, hand_x) :]
    return image


def patches(scenes: list[Image]) -> list[PastPatch]:
    return [PastPatch(i, i / FPS, 1.0, image) for i, image in enumerate(scenes)]


def film(hold: int, laid_at_hold: bool = True) -> list[PastPatch]:
    """Nothing; the hand comes in six frames, holds still, draws back in six; the card lies."""
    come = [scene(False, x) for x in range(50, -10, -10)]
    rest = [scene(laid_at_hold, 0)] * hold
    go = [scene(True, x) for x in range(10, 70, 10)]
    return patches([scene(False, None)] * 5 + come + rest + go + [scene(True, None)] * 8)


def landing(past: list[PastPatch]) -> tuple[int, float] | None:
    found = find_landing_by_hand(past, len(past) - 1, CARD)
    return None if found is None else (found.index, round(found.half_width_s * FPS, 2))


def test_nothing_that_changes_has_no_landing() -> None:
    assert landing(patches([scene(True, None)] * 10)) is None


def test_a_card_hidden_by_the_hand_is_laid_when_the_hand_comes_to_rest() -> None:
    assert landing(film(hold=8)) == (10, 1.0)


def test_a_card_laid_in_full_view_is_laid_when_it_is_seen() -> None:
    past = patches([scene(False, None)] * 10 + [scene(True, None)] * 10)
    assert landing(past) == (10, 0.5)


def test_a_hand_that_only_turns_back_dates_nothing() -> None:
    found = landing(film(hold=1))
    assert found is not None
    assert found[0] > 12


@pytest.mark.parametrize("wait", [20, 40])
def test_a_hand_that_rested_long_before_dates_nothing(wait: int) -> None:
    rest = [scene(False, 0)] * 8
    past = [scene(False, None)] * 3 + rest + [scene(False, None)] * wait + [scene(True, None)] * 8
    assert landing(patches(past)) == (11 + wait, 0.5)
