"""What happens on a watched board becomes turns and lines, whatever hands do in between."""

from __future__ import annotations

from typing import Any

import pytest

from referee.adapter.panda_table import PandaTable
from referee.games.panda_gorilla.model import Board, CardBack, Chip, PathCard, Rulings, Size, Space
from vision.table import (
    BoardEvent,
    BoardReading,
    BoardSettled,
    CardLaid,
    CardLifted,
    ChipLaid,
    ChipLifted,
    ChipReading,
    Notice,
    Quad,
    SpaceReading,
    SpaceState,
)

QUAD: Quad = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
BOARD = Board(2, 4, entrance=(Space(0, 1),), signs=(Space(0, 0), Space(0, 2)))
ACROSS = PathCard("across", frozenset("ew"), ("light", "light", "dark", "dark"))
CROSS = PathCard("cross", frozenset("nesw"), ("light", "light", "dark", "dark"))
CARDS = (
    ACROSS,
    CROSS,
    CardBack("back-path", "path"),
    *(
        Chip(f"{player}-{size.value}", player, size)
        for player in ("red", "blue")
        for size in (Size.SMALL, Size.MEDIUM)
    ),
)


def space(row: int, col: int, face: str, rotation: int = 0) -> SpaceReading:
    kind = "back" if face == "back-path" else "path"
    return SpaceReading(row, col, SpaceState.COVERED, 0.9, QUAD, face, kind, rotation)


def card(t: float, row: int, col: int, face: str, rotation: int = 0) -> CardLaid:
    return CardLaid(t, 0.02, space(row, col, face, rotation), round(t * 30))


def chip(t: float, row: int, col: int, quarter: str, face: str) -> ChipLaid:
    return ChipLaid(t, 0.02, ChipReading(row, col, quarter, face, 0.9, QUAD), round(t * 30))


def lifted(t: float, event: CardLaid | ChipLaid) -> CardLifted | ChipLifted:
    if isinstance(event, CardLaid):
        return CardLifted(t, 0.02, event.space, round(t * 30))
    return ChipLifted(t, 0.02, event.chip, round(t * 30))


def settled(t: float, sure_until_s: float | None = None) -> BoardSettled:
    sure_s = t if sure_until_s is None else sure_until_s
    return BoardSettled(t, sure_s, BoardReading(t, 640, 480, 2, 4, (), ()))


def table(**rulings: Any) -> PandaTable:
    return PandaTable(BOARD, CARDS, Rulings(**rulings))


def told(panda: PandaTable, *events: BoardEvent) -> list[dict[str, Any]]:
    """What the events make known for good, each of them followed by a look."""
    lines = []
    for event in events:
        lines += panda.take(event)
        lines += panda.take(settled(event.timestamp_s))
    return [line.to_json() for line in lines]


def all_told(*events: BoardEvent, **rulings: Any) -> list[dict[str, Any]]:
    panda = table(**rulings)
    lines = told(panda, *events)
    return lines + [line.to_json() for line in panda.finish(99.0)]


def of_type(lines: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["type"] == kind]


def places(lines: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [
        (line["t"], line["row"], line["col"], line.get("card"), line.get("rotation"))
        for line in of_type(lines, "placed")
    ]


def test_an_empty_board_tells_nothing() -> None:
    panda = table()
    assert (
        list(panda.take(settled(0.0))) == list(panda.running(1.0)) == list(panda.finish(1.0)) == []
    )


def test_what_lies_there_at_first_is_placed_at_nought_in_an_order_that_may_be() -> None:
    panda = table()
    assert not list(panda.take(card(0.0, 0, 3, "across")))
    assert not list(panda.take(card(0.0, 0, 2, "across")))
    assert not list(panda.take(settled(0.0)))
    lines = [line.to_json() for line in panda.take(settled(0.1))]
    assert places(lines) == [(0.0, 0, 2, "across", 0), (0.0, 0, 3, "across", 0)]
    assert all("illegal" not in line for line in lines)


def test_a_card_is_told_with_its_chip_when_the_next_one_lies() -> None:
    first, with_it = card(2.0, 0, 2, "across"), chip(4.0, 0, 2, "sw", "red-small")
    panda = table()
    assert told(panda, first, with_it) == []
    (line,) = told(panda, card(7.0, 0, 3, "across"))
    assert line["chip"] == {
        "quarter": "sw", "player": "red", "size": "small", "t": 4.0, "dt": 0.02,
    }  # fmt: skip
    assert (line["t"], line["dt"], line["card"], line["rotation"]) == (2.0, 0.02, "across", 0)
    assert places([each.to_json() for each in panda.finish(9.0)]) == [(7.0, 0, 3, "across", 0)]


def test_what_runs_is_told_at_once_to_a_live_table() -> None:
    panda = table()
    told(panda, card(2.0, 0, 2, "across"))
    assert places([line.to_json() for line in panda.running(2.5)]) == [(2.0, 0, 2, "across", 0)]


def test_a_live_table_is_told_of_a_look_when_all_of_it_is_known() -> None:
    panda = table()
    assert not list(panda.take(card(0.0, 0, 2, "across")))
    assert not list(panda.running(0.0))
    assert not list(panda.take(chip(0.0, 0, 2, "sw", "red-small")))
    list(panda.take(settled(0.0)))
    (line,) = panda.running(0.0)
    assert line.to_json()["chip"]["size"] == "small"


def test_an_area_is_scored_when_its_chip_lies_and_once_only() -> None:
    laid = chip(4.0, 0, 0, "nw", "red-small")
    lines = all_told(card(2.0, 0, 0, "across"), laid, lifted(6.0, laid), card(8.0, 0, 2, "across"))
    (area,) = of_type(lines, "scored")
    assert (area["t"], area["points"], area["totals"]) == (4.0, {"red": 1}, {"red": 1})
    assert area["quarters"] == [[0, 0, "nw"], [0, 0, "ne"]]
    assert [line["type"] for line in lines] == ["placed", "scored", "placed"]


def test_totals_grow_and_animals_leave_the_supply() -> None:
    lines = all_told(
        card(2.0, 0, 0, "across"), chip(3.0, 0, 0, "nw", "red-small"),
        card(5.0, 0, 2, "across"), card(7.0, 0, 3, "across"), chip(8.0, 0, 3, "nw", "blue-small"),
    )  # fmt: skip
    assert [area["totals"] for area in of_type(lines, "scored")] == [
        {"red": 1},
        {"red": 1, "blue": 2},
    ]


def test_a_chip_that_was_scored_counts_no_more_though_it_still_lies_there() -> None:
    lines = all_told(
        card(2.0, 0, 0, "across"), chip(3.0, 0, 0, "nw", "red-small"),
        card(5.0, 1, 0, "cross", 180), chip(6.0, 1, 0, "se", "red-small"),
    )  # fmt: skip
    assert [len(area["chips"]) for area in of_type(lines, "scored")] == [1]
    assert "chip-size" not in str(lines)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (card(2.0, 0, 2, "across", 90), card(4.0, 0, 2, "across")),
        (card(2.0, 0, 3, "across"), card(4.0, 0, 2, "across")),
        (card(2.0, 0, 2, "cross"), card(4.0, 0, 2, "across")),
    ],
    ids=["turned", "elsewhere", "another"],
)
def test_a_card_that_is_put_right_was_laid_once(wrong: CardLaid, right: CardLaid) -> None:
    lines = all_told(wrong, lifted(3.0, wrong), right, card(7.0, 0, 3, "across"))
    assert places(lines) == [(4.0, 0, 2, "across", 0), (7.0, 0, 3, "across", 0)]
    assert [line["type"] for line in lines] == ["placed", "placed"]


def test_a_card_seen_otherwise_before_the_next_one_was_laid_once() -> None:
    lines = all_told(card(2.0, 0, 2, "across", 90), card(4.0, 0, 2, "across"))
    assert places(lines) == [(4.0, 0, 2, "across", 0)]


def test_a_card_that_is_pushed_into_place_keeps_its_chip_and_one_pushed_later_its_time() -> None:
    events = [card(2.0, 0, 2, "across"), chip(3.0, 0, 2, "sw", "red-small")]
    lines = all_told(
        *events, card(4.0, 0, 2, "across"), card(7.0, 0, 3, "across"), card(8.0, 0, 2, "across")
    )
    assert places(lines) == [(4.0, 0, 2, "across", 0), (7.0, 0, 3, "across", 0)]
    assert lines[0]["chip"]["quarter"] == "sw"


def test_a_chip_that_is_put_right_was_laid_once() -> None:
    wrong = chip(3.0, 0, 2, "nw", "red-small")
    for events in (
        [wrong, lifted(4.0, wrong), chip(4.5, 0, 2, "sw", "red-small")],
        [wrong, lifted(4.0, wrong), chip(4.5, 0, 2, "sw", "red-medium")],
    ):
        (line,) = all_told(card(2.0, 0, 2, "across"), *events)
        assert (line["chip"]["t"], line["chip"]["quarter"]) == (4.5, "sw")


def test_every_rule_counts_for_the_order_of_laying_is_known() -> None:
    lines = all_told(card(2.0, 1, 3, "across"), card(4.0, 0, 2, "across", 90))
    rules = [[each["rule"] for each in line["illegal"]] for line in of_type(lines, "placed")]
    assert rules == [["sign"], ["path"]]
    assert "entrance" in of_type(lines, "placed")[1]["illegal"][0]["reason"]


def test_a_second_chip_of_a_size_in_an_area_is_illegal() -> None:
    lines = all_told(
        card(2.0, 0, 2, "across"), chip(3.0, 0, 2, "sw", "red-small"),
        card(5.0, 0, 3, "across"), chip(6.0, 0, 3, "sw", "blue-small"),
    )  # fmt: skip
    first, second = of_type(lines, "placed")
    assert "illegal" not in first
    assert [each["rule"] for each in second["illegal"]] == ["chip-size"]


def test_a_card_laid_upon_a_card_of_an_earlier_turn_is_illegal() -> None:
    lines = all_told(card(2.0, 0, 2, "across"), card(4.0, 0, 3, "across"), card(6.0, 0, 2, "cross"))
    assert [each["rule"] for each in of_type(lines, "placed")[-1]["illegal"]] == ["occupied"]


def test_a_pond_may_be_built_over() -> None:
    lines = all_told(card(2.0, 0, 2, "back-path"), card(4.0, 0, 3, "back-path"),
                     card(6.0, 0, 2, "across"))  # fmt: skip
    assert [line.get("pond") for line in of_type(lines, "placed")] == [True, True, None]
    assert all("illegal" not in line for line in lines)


def test_a_chip_on_a_card_of_an_earlier_turn_is_told_and_counts() -> None:
    lines = all_told(
        card(2.0, 0, 0, "across"), card(4.0, 0, 2, "across"), chip(6.0, 0, 0, "nw", "red-small")
    )
    assert places(lines)[-1] == (6.0, 0, 0, "across", 0)
    assert [line["points"] for line in of_type(lines, "scored")] == [{"red": 1}]
    assert [line["code"] for line in of_type(lines, "notice")] == ["chip-late"]


def test_a_chip_taken_from_an_open_area_is_remarked_and_counts_no_more() -> None:
    laid = chip(3.0, 0, 2, "sw", "red-small")
    lines = all_told(
        card(2.0, 0, 2, "across"), laid, card(5.0, 0, 3, "across"), lifted(6.0, laid),
        card(7.0, 1, 2, "cross", 180),
    )  # fmt: skip
    assert [line["code"] for line in of_type(lines, "notice")] == ["chip-taken"]
    assert of_type(lines, "scored") == []


def test_a_chip_where_no_card_was_read_is_remarked() -> None:
    lines = all_told(card(2.0, 0, 2, "back-path"), chip(3.0, 0, 2, "sw", "red-small"))
    assert [line["type"] for line in lines] == ["placed", "notice"]


def test_a_card_taken_later_is_remarked_and_gone() -> None:
    first = card(2.0, 0, 2, "across")
    lines = all_told(
        first, card(4.0, 0, 3, "across"), lifted(6.0, first), card(8.0, 0, 2, "across")
    )
    assert [line["code"] for line in of_type(lines, "notice")] == ["card-taken"]
    assert "illegal" not in of_type(lines, "placed")[-1]


def test_a_card_that_became_known_late_is_judged_where_it_belongs() -> None:
    panda = table()
    lines = list(panda.take(card(4.0, 0, 3, "across")))
    lines += panda.take(settled(4.5, sure_until_s=1.9))
    lines += panda.take(card(2.0, 0, 2, "across"))
    lines += panda.take(settled(9.0))
    lines += panda.finish(9.0)
    assert places([line.to_json() for line in lines]) == [
        (2.0, 0, 2, "across", 0),
        (4.0, 0, 3, "across", 0),
    ]
    assert all("illegal" not in line.to_json() for line in lines)


def test_notices_keep_their_place_in_time() -> None:
    panda = table()
    moved = Notice(3.0, "camera-moved", "the camera was moved")
    assert told(panda, card(2.0, 0, 2, "across"), moved) == []
    lines = told(panda, card(6.0, 0, 3, "across"))
    assert [(line["type"], line["t"]) for line in lines] == [("placed", 2.0), ("notice", 3.0)]


def test_open_areas_are_scored_when_face_up_cards_lie_everywhere() -> None:
    row = [card(2.0 + col, 0, col, "across") for col in (0, 2, 3)]
    below = [card(6.0 + col, 1, col, "across", 180) for col in range(4)]
    lines = all_told(row[0], row[1], chip(3.5, 0, 2, "nw", "red-small"), *row[2:], *below)
    assert {line["t"] for line in of_type(lines, "scored")} == {5.0}
    open_one = chip(9.5, 1, 3, "sw", "blue-medium")
    ended = all_told(*row, *below, open_one)
    assert of_type(ended, "scored")[-1]["t"] == 9.5


def test_house_rulings_count() -> None:
    laid = (card(2.0, 0, 2, "across"), card(4.0, 0, 3, "across"))
    assert "illegal" not in str(all_told(*laid))
    lines = all_told(*laid, path_into_wall=False)
    assert [each["rule"] for each in of_type(lines, "placed")[-1]["illegal"]] == ["path"]
