"""A board that was seen becomes a position, an answer and doubts."""

from __future__ import annotations

from dataclasses import replace
from time import process_time
from typing import Any

import pytest

from referee.adapter.panda_gorilla import judge_board
from referee.games.panda_gorilla.model import Board, CardBack, Chip, PathCard, Size, Space
from vision.table import BoardReading, ChipReading, ObscureReading, Quad, SpaceReading, SpaceState

QUAD: Quad = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
BOARD = Board(3, 4, entrance=(Space(0, 1),), signs=(Space(0, 0), Space(0, 2), Space(1, 1)))
DARK, LIGHT = ("dark",) * 4, ("light",) * 4
CARDS = (
    PathCard("cross", frozenset("nesw"), DARK),
    PathCard("bright", frozenset("nesw"), LIGHT),
    PathCard("straight", frozenset("ns"), DARK),
    CardBack("back-path", "path"),
    Chip("red-large", "red", Size.LARGE),
    Chip("red-small", "red", Size.SMALL),
    Chip("blue-small", "blue", Size.SMALL),
)  # fmt: skip


def board(
    laid: dict[tuple[int, int], str | tuple[str, int]],
    chips: list[ChipReading] | None = None,
    states: dict[tuple[int, int], SpaceState] | None = None,
) -> BoardReading:
    spaces = []
    for row in range(BOARD.rows):
        for col in range(BOARD.cols):
            face = laid.get((row, col))
            name, rotation = (face, 0) if isinstance(face, str) else face or (None, 0)
            state = SpaceState.COVERED if name else SpaceState.EMPTY
            state = (states or {}).get((row, col), state)
            kind = "back" if name == "back-path" else "path" if name else None
            spaces.append(
                SpaceReading(row, col, state, 0.9, QUAD, name, kind, rotation, ("straight", 90))
            )
    return BoardReading(0.0, 640, 480, BOARD.rows, BOARD.cols, tuple(spaces), tuple(chips or ()))


def chip(row: int, col: int, quarter: str, face: str, **more: Any) -> ChipReading:
    return ChipReading(row, col, quarter, face, 0.9, QUAD, **more)


def rules(answer: dict[str, Any]) -> set[tuple[int, int, str]]:
    return {(each["row"], each["col"], each["rule"]) for each in answer["illegal"]}


def test_an_empty_board_is_worth_nothing() -> None:
    answer = judge_board(board({}), BOARD, CARDS)
    assert answer["areas"] == answer["illegal"] == answer["doubts"] == []
    assert answer["points"] == {}
    assert answer["position"]["tiles"] == []


def test_cards_ponds_and_rotations_reach_the_position() -> None:
    answer = judge_board(board({(0, 0): ("straight", 90), (2, 3): "back-path"}), BOARD, CARDS)
    assert sorted(map(str, answer["position"]["tiles"])) == sorted(
        map(
            str,
            [
                {"row": 0, "col": 0, "card": "straight", "rotation": 90},
                {"row": 2, "col": 3, "pond": True},
            ],
        )
    )


def test_a_complete_area_with_a_chip_is_scored() -> None:
    """The north-west quarters of two cards beside each other lie between wall and paths."""
    laid: dict[tuple[int, int], str | tuple[str, int]] = {(0, 2): "cross", (0, 3): "cross"}
    answer = judge_board(board(laid, [chip(0, 3, "nw", "blue-small")]), BOARD, CARDS)
    assert answer["points"] == {"blue": 1}


def test_open_areas_are_scored_at_the_end_only() -> None:
    reading = board({(0, 0): "cross"}, [chip(0, 0, "se", "red-small")])
    assert judge_board(reading, BOARD, CARDS)["points"] == {}
    assert "red" in judge_board(reading, BOARD, CARDS, is_final=True)["points"]


@pytest.mark.parametrize("quarter", ["nw", "ne", "se", "sw"])
def test_the_quarter_of_a_chip_is_that_of_the_board(quarter: str) -> None:
    answer = judge_board(
        board({(1, 1): ("straight", 90)}, [chip(1, 1, quarter, "red-large")]), BOARD, CARDS
    )
    assert answer["position"]["chips"] == [
        {"row": 1, "col": 1, "quarter": quarter, "player": "red", "size": "large"}
    ]


def test_colours_that_meet_are_reported() -> None:
    answer = judge_board(board({(0, 2): "cross", (0, 3): "bright"}), BOARD, CARDS)
    assert {rule for _, _, rule in rules(answer)} == {"colour"}


def test_the_card_at_odds_with_most_is_the_one_reported() -> None:
    laid: dict[tuple[int, int], str | tuple[str, int]] = {
        (1, 1): "cross", (1, 2): "bright", (1, 3): "cross", (2, 2): "cross", (0, 2): "cross",
        (2, 1): "cross", (2, 3): "cross",
    }  # fmt: skip
    answer = judge_board(board(laid), BOARD, CARDS)
    assert rules(answer) == {(1, 2, "colour")}


def test_a_path_that_ends_in_a_lawn_is_reported() -> None:
    answer = judge_board(board({(1, 1): "cross", (1, 2): "straight"}), BOARD, CARDS)
    assert (1, 2, "path") in rules(answer)


def test_rules_that_need_an_order_are_left_out() -> None:
    """A card far from all others was laid against a rule, or before the others were taken away."""
    answer = judge_board(board({(2, 3): "cross"}), BOARD, CARDS)
    assert answer["illegal"] == []


def test_two_sizes_alike_in_one_area_may_have_merged() -> None:
    laid: dict[tuple[int, int], str | tuple[str, int]] = {(1, 1): "cross", (1, 2): "cross"}
    chips = [chip(1, 1, "ne", "red-small"), chip(1, 2, "nw", "blue-small")]
    assert judge_board(board(laid, chips), BOARD, CARDS)["illegal"] == []


def test_two_chips_on_one_card_are_reported() -> None:
    chips = [chip(1, 1, "ne", "red-small"), chip(1, 1, "sw", "red-large")]
    answer = judge_board(board({(1, 1): "cross"}, chips), BOARD, CARDS)
    assert rules(answer) == {(1, 1, "chip-colour")}


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (SpaceState.UNSEEN, "row 1, column 1 was not seen"),
        (SpaceState.DOUBTFUL, "row 1, column 1: cross turned by 0° or straight turned by 90°"),
    ],
)
def test_what_is_not_sure_is_a_doubt_and_no_tile(state: SpaceState, words: str) -> None:
    answer = judge_board(board({(1, 1): "cross"}, states={(1, 1): state}), BOARD, CARDS)
    assert answer["position"]["tiles"] == []
    assert [doubt["text"] for doubt in answer["doubts"]] == [words]
    assert (answer["doubts"][0]["row"], answer["doubts"][0]["col"]) == (1, 1)


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        (chip(2, 2, "nw", "red-large"), "face-up card"),
        (chip(1, 1, "nw", "red-large", runner_up="red-small"), "red-small"),
        (chip(1, 1, "nw", "red-large", is_between=True), "border"),
    ],
)
def test_chips_that_are_not_sure_are_doubts(seen: ChipReading, words: str) -> None:
    answer = judge_board(board({(1, 1): "cross"}, [seen]), BOARD, CARDS)
    assert len(answer["doubts"]) == 1
    assert words in answer["doubts"][0]["text"]


def test_a_chip_on_a_pond_is_no_proposal() -> None:
    answer = judge_board(
        board({(1, 1): "back-path"}, [chip(1, 1, "nw", "red-large")]), BOARD, CARDS
    )
    assert answer["position"]["chips"] == []
    assert len(answer["doubts"]) == 1


def test_nobody_asks_what_lies_on_the_entrance() -> None:
    states = dict.fromkeys([(0, 1), (2, 2)], SpaceState.DOUBTFUL)
    doubts = judge_board(board({}, states=states), BOARD, CARDS)["doubts"]
    assert [(doubt["row"], doubt["col"]) for doubt in doubts] == [(2, 2)]


def test_a_chip_that_may_lie_unread_is_a_doubt_on_face_up_cards_only() -> None:
    reading = board({(0, 0): "cross", (1, 0): "back-path"})
    obscure = tuple(ObscureReading(row, 0, "se", 0.1, QUAD) for row in (0, 1, 2))
    answer = judge_board(replace(reading, obscure=obscure), BOARD, CARDS)
    assert [(doubt["row"], doubt["quarter"]) for doubt in answer["doubts"]] == [(0, "se")]
    assert "a chip may lie unread" in answer["doubts"][0]["text"]
    assert answer["position"]["chips"] == []


def test_what_is_taken_for_a_card_on_the_entrance_carries_no_chip() -> None:
    laid = {(0, 0): "cross", (0, 1): "cross"}
    answer = judge_board(board(laid, [chip(0, 1, "nw", "red-small")]), BOARD, CARDS)
    assert rules(answer) == {(0, 1, "occupied")}
    assert answer["position"]["chips"] == []
    assert "expected a face-up card beneath it" in answer["doubts"][0]["text"]


def test_a_board_on_which_everything_is_at_odds_is_judged_at_once() -> None:
    """As where a lamp blinds the camera: it took half a minute to seek the cards that cause it."""
    large = Board(8, 9, entrance=(Space(0, 4),), signs=(Space(0, 3), Space(0, 5), Space(1, 4)))
    faces = (("straight", 0), ("straight", 90), ("bright", 0))
    spaces = tuple(
        SpaceReading(row, col, SpaceState.COVERED, 0.9, QUAD, *name_and_turn)
        for row in range(8)
        for col in range(9)
        for face, turn in [faces[(row + 2 * col) % 3]]
        for name_and_turn in [(face, "path", turn, None)]
        if (row, col) != (0, 4)
    )
    start = process_time()
    answer = judge_board(BoardReading(0.0, 640, 480, 8, 9, spaces, ()), large, CARDS)
    assert len(rules(answer)) > 40
    assert process_time() - start < 3
