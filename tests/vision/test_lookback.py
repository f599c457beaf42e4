"""The first frame at rest is found to the frame, whatever the hand does afterwards."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.films import CardFilm
from vision.in_place import comes_at_once
from vision.lookback import find_landing
from vision.resting import RestView, resemblance
from vision.ring import PastPatch

PLACE = (slice(54, 156), slice(84, 162))


def past_of(film: CardFilm, until: int) -> list[PastPatch]:
    return [
        PastPatch(index, index / film.fps, 1.0, film.luma(index)[PLACE]) for index in range(until)
    ]


def piece_mask() -> np.ndarray:
    mask = np.zeros((102, 78), np.bool_)
    mask[6:96, 6:72] = True
    return mask


@pytest.mark.parametrize("fps", [15, 30, 60])
@pytest.mark.parametrize("step_px", [2, 4, 9, 25])
def test_a_landing_in_full_view_is_exact(fps: int, step_px: int) -> None:
    past = past_of(CardFilm(lands_at=24, step_px=step_px, fps=fps), 40)
    landing = find_landing(past, len(past) - 1, piece_mask())
    assert landing is not None
    assert landing.index == 24
    assert landing.timestamp_s == pytest.approx(24 / fps)
    assert landing.half_width_s == pytest.approx((0.5 if step_px > 4 else 1.0) / fps)
    assert landing.clear > 0.3


@pytest.mark.parametrize("way_px", [0.3, 0.6])
def test_the_last_half_pixel_of_a_slide_is_no_rest_yet(way_px: float) -> None:
    past = past_of(CardFilm(lands_at=20), 40)
    soft = [cv2.GaussianBlur(patch.luma, (0, 0), 1.2) for patch in past]
    shift = np.array([[1, 0, way_px], [0, 1, 0]], np.float32)
    soft[20] = cv2.warpAffine(
        soft[20], shift, soft[20].shape[::-1], borderMode=cv2.BORDER_REPLICATE
    )
    landing = find_landing(
        [replace(patch, luma=luma) for patch, luma in zip(past, soft, strict=True)],
        len(past) - 1,
        piece_mask(),
    )
    assert landing is not None
    assert landing.index == 21


@pytest.mark.parametrize("hand_until", [27, 32, 45])
def test_a_hand_that_holds_the_card_does_not_delay_the_claim_c30(hand_until: int) -> None:
    past = past_of(CardFilm(lands_at=20, hand_until=hand_until), 55)
    landing = find_landing(past, len(past) - 1, piece_mask())
    assert landing is not None
    assert landing.index == 20


def test_a_look_while_the_hand_is_there_gives_the_same_moment() -> None:
    past = past_of(CardFilm(lands_at=20, hand_until=50), 26)
    landing = find_landing(past, len(past) - 1, piece_mask())
    assert landing is not None
    assert landing.index == 20


def test_a_card_that_a_hand_uncovers_bit_by_bit_may_have_landed_long_before() -> None:
    past = past_of(CardFilm(lands_at=20), 60)
    covered = []
    for patch in past:
        # An arm hides the place from before the landing on; then it draws back row by row.
        luma = patch.luma.copy()
        hidden_from = int(np.clip((patch.index - 40) * 16, 0, luma.shape[0]))
        if patch.index >= 16:
            luma[hidden_from:] = 130
        covered.append(replace(patch, luma=luma))
    landing = find_landing(covered, len(covered) - 1, piece_mask())
    assert landing is not None
    earliest, latest = (landing.timestamp_s + side * landing.half_width_s for side in (-1, 1))
    assert earliest < 17 / 30
    assert 40 / 30 < latest < 43 / 30


def under_arm(past: list[PastPatch], frames: range, rows: slice) -> list[PastPatch]:
    """The same patches with an arm over some rows for some frames."""
    covered = []
    for patch in past:
        luma = patch.luma.copy()
        if patch.index in frames:
            luma[rows] = 130
        covered.append(replace(patch, luma=luma))
    return covered


def test_a_hand_that_leaves_in_an_instant_shows_what_had_landed_long_before() -> None:
    past = under_arm(past_of(CardFilm(lands_at=20), 60), range(16, 40), slice(None))
    # All but a few rows stay hidden for two frames more: then the rest is there at once.
    past = under_arm(past, range(40, 42), slice(30, None))
    landing = find_landing(past, len(past) - 1, piece_mask())
    assert landing is not None
    earliest, latest = (landing.timestamp_s + side * landing.half_width_s for side in (-1, 1))
    assert earliest < 17 / 30
    assert 40 / 30 <= latest < 42 / 30


def test_a_card_that_was_seen_in_the_shadow_of_an_arm_had_landed_before_that_left() -> None:
    past = under_arm(past_of(CardFilm(lands_at=20), 60), range(16, 40), slice(36, None))
    shadow = np.float32(0.6)
    for index in range(22, 40):
        luma = past[index].luma.copy()
        luma[:36] = np.round(luma[:36] * shadow)
        past[index] = replace(past[index], luma=luma)
    luma = past[20].luma.copy()
    luma[:36] = 130
    past[20] = past[21] = replace(past[20], luma=luma)
    past[21] = replace(past[21], index=21, timestamp_s=21 / 30)
    landing = find_landing(past, len(past) - 1, piece_mask())
    assert landing is not None
    earliest, latest = (landing.timestamp_s + side * landing.half_width_s for side in (-1, 1))
    assert earliest < 20 / 30 < latest < 25 / 30


@pytest.mark.parametrize(("is_bare", "seen_s"), [(False, 0.2), (True, 0.2), (True, 0.5)])
def test_what_lies_bare_at_once_was_uncovered_and_landed_under_the_hand(
    is_bare: bool, seen_s: float
) -> None:
    last = 40 + round(seen_s * 30)
    past = under_arm(past_of(CardFilm(lands_at=20), last + 1), range(16, 40), slice(None))
    landing = find_landing(past, last, piece_mask(), is_bare=is_bare)
    assert landing is not None
    if is_bare and seen_s < 0.25:
        earliest, latest = (landing.timestamp_s + side * landing.half_width_s for side in (-1, 1))
        assert earliest < 17 / 30
        assert 40 / 30 <= latest < 42 / 30
    else:  # a hand that let go as the card lay, or one that nobody saw leave
        assert landing.index == 40
        assert landing.half_width_s < 0.05


def test_a_landing_seen_between_the_fingers_is_exact_though_the_hand_stays() -> None:
    past = under_arm(past_of(CardFilm(lands_at=20), 60), range(12, 45), slice(34, None))
    landing = find_landing(past, len(past) - 1, piece_mask())
    assert landing is not None
    assert landing.index == 20
    assert landing.half_width_s <= 1 / 30


@pytest.mark.parametrize(
    ("shares", "is_landing"),
    [([0.0, 0.02, 0.12, 0.13, 0.13, 0.14], True), ([0.09, 0.11, 0.18, 0.18, 0.18, 0.15], False)],
)
def test_what_creeps_into_sight_beside_an_arm_has_not_landed_then(
    shares: list[float], is_landing: bool
) -> None:
    parts = np.array([0.0, 0.0, 0.06, 0.06, 0.06, 0.06])
    times = [frame / 30 for frame in range(6)]
    assert comes_at_once((parts, np.array(shares)), 2, times) is is_landing


def test_a_hidden_landing_is_dated_by_when_the_hand_over_it_calms_down() -> None:
    past = past_of(CardFilm(lands_at=20), 60)
    rng = np.random.default_rng(4)
    covered = []
    for patch in past:
        luma = patch.luma.copy()
        if 10 <= patch.index < 21:
            luma[:] = rng.integers(90, 170, luma.shape, np.uint8)
        elif 21 <= patch.index < 45:
            luma[: 102 - 24 * max(0, patch.index - 41)] = 130
        covered.append(replace(patch, luma=luma))
    landing = find_landing(covered, len(covered) - 1, piece_mask())
    assert landing is not None
    assert abs(landing.index - 21) <= 1
    assert landing.timestamp_s + landing.half_width_s > 40 / 30


def test_a_piece_did_not_land_while_it_still_lay_elsewhere() -> None:
    past = past_of(CardFilm(lands_at=30), 50)
    # Something like the piece passes its place and stops there for a moment.
    early = [
        replace(patch, luma=past[45].luma) if 8 <= patch.index < 16 else patch for patch in past
    ]
    chance = find_landing(early, len(early) - 1, piece_mask())
    landing = find_landing(early, len(early) - 1, piece_mask(), not_before_s=20 / 30)
    assert chance is not None
    assert landing is not None
    assert (chance.index, landing.index) == (8, 30)


def test_drifting_light_does_not_move_the_landing_c6() -> None:
    film = CardFilm(lands_at=24)
    past = [
        PastPatch(
            index,
            index / 30,
            1 - 0.008 * index,
            (film.luma(index)[PLACE] * (1 - 0.008 * index)).astype(np.uint8),
        )
        for index in range(40)
    ]
    landing = find_landing(past, 39, piece_mask())
    assert landing is not None
    assert landing.index == 24


def test_a_card_that_lay_there_all_the_time_has_no_landing() -> None:
    past = past_of(CardFilm(lands_at=-5), 30)
    assert find_landing(past, 29, piece_mask()) is None


def test_resemblance_tells_the_card_from_the_bare_table() -> None:
    lying, gone = CardFilm(lands_at=0), CardFilm(lands_at=0, leaves_at=0)
    then, still, bare = past_of(lying, 11)[5], past_of(lying, 11)[10], past_of(gone, 11)[10]
    assert resemblance(then, still, piece_mask()) > 0.95
    assert resemblance(then, bare, piece_mask()) < 0.3


def test_parts_in_shadow_are_known_by_their_pattern_not_by_their_brightness() -> None:
    past = past_of(CardFilm(lands_at=4), 12)
    rest = past[-1].luma
    shaded = replace(past[8], luma=np.round(rest * np.float32(0.6)).astype(np.uint8))
    plain = replace(past[8], luma=np.full_like(rest, int(rest.mean())))
    view = RestView([past[0], shaded, plain, past[-2], past[-1]], piece_mask())
    assert view.shaded_parts(slice(0, 4)) == pytest.approx([0, 1, 0, 1], abs=0.06)
    assert view.parts[1] < 0.2
