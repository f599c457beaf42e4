"""The measuring stick itself: a right replay counts as right, and each fault is counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.acceptance.cases import difference
from tests.acceptance.comparing import compare_rounds
from tests.acceptance.photos import compare_photo, overlap
from tests.acceptance.truth import Claim, ClaimKey, Round, read_rounds

TIMES_S = [index / 30 for index in range(600)]
RED = Claim(ClaimKey("red", "a01", "correct"), 4.0, 0.017)
BLUE = Claim(ClaimKey("blue", "a02", "wrong"), 5.0, 0.017)
WON = {"red": frozenset({"a01"})}
PLAYED = Round(
    frozenset({"t01"}), 2.0, (RED, BLUE), {"won": WON, "ended_by": "all-covered", "lead": "red"}
)


def test_nothing_played_and_nothing_seen() -> None:
    tally = compare_rounds([], [], TIMES_S)
    assert (tally.rounds, tally.claims, tally.share_right) == (0, 0, 1.0)


def test_what_was_played_is_right() -> None:
    tally = compare_rounds([PLAYED], [PLAYED], TIMES_S)
    assert (tally.rounds_right, tally.frames_off, tally.within_dt) == (1, [0, 0], 2)
    assert (tally.wrong_orders, tally.claims_false, tally.faults) == (0, 0, [])


@pytest.mark.parametrize(
    ("seen", "fault"),
    [
        (replace(PLAYED, tasks=frozenset({"t02"})), "task"),
        (replace(PLAYED, claims=(RED,)), "claims"),
        (replace(PLAYED, claims=(RED, replace(BLUE, key=BLUE.key._replace(card="a03")))), "claims"),
        (replace(PLAYED, claims=(BLUE, RED)), "claims"),
        (replace(PLAYED, outcome=PLAYED.outcome | {"won": {}}), "won"),
        (replace(PLAYED, outcome=PLAYED.outcome | {"ended_by": "none-left"}), "ended_by"),
        (replace(PLAYED, outcome=PLAYED.outcome | {"lead": "blue"}), "lead"),
    ],
)
def test_one_fault_makes_a_round_wrong(seen: Round, fault: str) -> None:
    tally = compare_rounds([PLAYED], [seen], TIMES_S)
    assert tally.rounds_right == 0
    assert [text.split()[2] for text in tally.faults] == [fault]


def test_a_round_not_seen_and_one_not_played_are_both_wrong() -> None:
    assert compare_rounds([PLAYED], [], TIMES_S).share_right == 0
    assert compare_rounds([PLAYED], [PLAYED, PLAYED], TIMES_S).share_right == 0.5


def test_time_errors_are_counted_in_frames_of_the_recording() -> None:
    late = replace(PLAYED, claims=(replace(RED, t=4.1), BLUE))
    tally = compare_rounds([PLAYED], [late], TIMES_S)
    assert tally.frames_off == [3, 0]
    assert (tally.share_within(2), tally.share_within(3), tally.within_dt) == (0.5, 1.0, 1)


def test_a_claim_not_found_is_not_within_any_frame() -> None:
    tally = compare_rounds([PLAYED], [replace(PLAYED, claims=(RED,))], TIMES_S)
    assert tally.share_within(99) == tally.share_found == 0.5


def test_wrong_order_counts_unless_it_was_called_too_close() -> None:
    swapped = replace(PLAYED, claims=(BLUE, RED))
    close = replace(swapped, close=frozenset({frozenset({"red", "blue"})}))
    assert compare_rounds([PLAYED], [swapped], TIMES_S).wrong_orders == 1
    assert compare_rounds([PLAYED], [close], TIMES_S).wrong_orders == 0


def test_rounds_are_read_from_the_lines_of_a_replay() -> None:
    claim = {"player": "red", "card": "a01", "order": 1, "t": 4.0, "dt": 0.017}
    lines = [
        {"type": "task", "t": 2.0, "round": 1, "tasks": ["t01"]},
        {"type": "claim", "round": 1, **claim},
        {"type": "round", "t": 6.0, "round": 1, "claims": [{**claim, "verdict": "correct"}],
         "won": {"red": ["a01"], "blue": []}, "ended_by": "none-left", "lead": "red", "close": []},
    ]  # fmt: skip
    outcome = {"won": WON, "ended_by": "none-left", "lead": "red"}
    assert read_rounds(lines) == (Round(frozenset({"t01"}), 2.0, (RED,), outcome),)


SQUARE = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]]


@pytest.mark.parametrize(("shift", "iou"), [(0, 1.0), (5, 1 / 3), (20, 0.0)])
def test_overlap(shift: float, iou: float) -> None:
    moved = [[x + shift, y] for x, y in SQUARE]
    assert overlap(SQUARE, moved) == pytest.approx(iou, abs=1e-6)


def test_a_second_answer_on_one_card_is_false_and_a_partly_visible_card_is_not_counted() -> None:
    card = {"kind": "card", "score": 0.9, "quad": SQUARE}
    answers = [card, {**card, "score": 0.8}, {**card, "kind": "hand"}]
    run = compare_photo("photo", [SQUARE], answers, 0)
    assert (run.found, run.fitting, run.answers, run.false) == (1, 1, 2, 1)
    run = compare_photo("photo", [SQUARE], answers, 1)
    assert (run.answers, run.false) == (1, 0)


@pytest.mark.parametrize(
    ("expected", "got", "place"),
    [
        ({}, {}, ""),
        ({"matching": ["a", "b"]}, {"matching": ["b", "a"]}, ""),
        ({"matching": ["a"]}, {"matching": ["a", "b"]}, ".matching"),
        ({"claims": [{"order": 1, "reason": "x"}]}, {"claims": [{"order": 1, "reason": "y"}]}, ""),
        ({"claims": [{"order": 1}]}, {"claims": [{"order": 2}]}, ".claims[0].order"),
        ({"won": {"red": ["a", "b"]}}, {"won": {"red": ["b", "a"]}}, ""),
        ({"lead": {"any_of": ["red", "blue"]}}, {"lead": "blue"}, ""),
        ({"lead": {"any_of": ["red", "blue"]}}, {"lead": "green"}, ".lead"),
        ({"redeal": False}, {}, ".redeal"),
    ],
)
def test_difference_names_the_first_wrong_place(expected: Any, got: Any, place: str) -> None:
    assert difference(expected, got).split(":")[0] == place
