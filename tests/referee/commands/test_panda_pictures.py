"""The answer to a photograph of a zoo board, in words and drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from referee.commands import panda_pictures
from referee.commands.panda_pictures import draw_panda, print_panda
from referee.decks import Deck
from vision.board_overlay import BoardMarks
from vision.frame import Image

Json = dict[str, Any]

PICTURE = np.full((400, 600, 3), 128, np.uint8)
CARD = [[100, 100], [200, 100], [200, 200], [100, 200]]
BEYOND = [[550, 100], [650, 100], [650, 200], [550, 200]]


def doubt(col: int, quad: list[list[int]] | None = None) -> Json:
    text = f"row 1, column {col} was not seen"
    return {"kind": "space", "quad": quad or CARD, "text": text, "row": 1, "col": col}


def area(points: dict[str, int], *, is_complete: bool, has_chips: bool = True) -> Json:
    chips = [{"player": "red", "size": "large"}] if has_chips else []
    packing = [{"size": "small", "quarters": [[0, 0, "nw"], [0, 0, "ne"]]}] if points else []
    return {
        "quarters": [[0, 0, quarter] for quarter in ("nw", "ne", "se", "sw")],
        "colour": "dark",
        "complete": is_complete,
        "chips": chips,
        "animals": {"large": 0, "medium": 0, "small": len(packing)},
        "packing": packing,
        "points": points,
    }


def answer(*areas: Json, is_final: bool = False, doubts: tuple[Json, ...] = ()) -> Json:
    seen = {"id": "p1", "kind": "path", "quad": CARD, "row": 0, "col": 0, "rotation": 0}
    return {
        "position": {"tiles": [{}], "final": is_final},
        "areas": list(areas),
        "points": {"red": 1},
        "illegal": [],
        "doubts": list(doubts),
        "seen": [seen],
    }


def told(what: Json, deck: Deck, capsys: pytest.CaptureFixture[str]) -> str:
    print_panda(what, deck)
    return " ".join(capsys.readouterr().out.split())


@pytest.fixture
def deck() -> Deck:
    return None  # type: ignore[return-value]  # neither words nor drawing look at it


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch, deck: Deck) -> Any:
    """Draws an answer, and returns what was to be drawn."""
    kept: list[BoardMarks] = []
    draw = panda_pictures.draw_board

    def keep(picture: Image, marks: BoardMarks) -> Image:
        kept.append(marks)
        return draw(picture, marks)

    monkeypatch.setattr(panda_pictures, "draw_board", keep)

    def marks_of(what: Json) -> BoardMarks:
        draw_panda(PICTURE, what, deck)
        return kept[-1]

    return marks_of


def test_people_are_told_how_rows_and_columns_are_counted(
    deck: Deck, capsys: pytest.CaptureFixture[str]
) -> None:
    words = told(answer(area({"red": 1}, is_complete=True)), deck, capsys)
    assert "rows and columns count from 0 at the north-west" in words
    assert "0, 0 nw" in words


def test_many_unseen_spaces_are_told_in_one_line(
    deck: Deck, capsys: pytest.CaptureFixture[str]
) -> None:
    few = told(answer(doubts=(doubt(2), doubt(5))), deck, capsys)
    assert "In doubt: row 1, column 5 was not seen" in few
    other = {"text": "a chip may lie unread"}
    many = told(answer(doubts=(other, *(doubt(col) for col in (2, 5, 6)))), deck, capsys)
    assert many.count("In doubt") == 2
    assert "In doubt: a chip may lie unread" in many
    assert "spaces that were not seen, by their columns: row 1: 2, 5, 6" in many


@pytest.mark.parametrize(
    ("areas", "is_final", "title"),
    [
        ([], False, "0 complete areas with chips scored"),
        ([area({"red": 1}, is_complete=True)], False, "1 complete area with chips scored"),
        (
            [area({"red": 1}, is_complete=True), area({}, is_complete=False)],
            False,
            "1 complete area with chips scored · orange: no points yet",
        ),
        (
            [
                area({"red": 1}, is_complete=False),
                area({"red": 0}, is_complete=True),
                area({}, is_complete=True, has_chips=False),
            ],
            True,
            "End of the game: 2 areas with chips scored · orange: no points · "
            "white: complete, no chips",
        ),
    ],
)
def test_the_drawing_says_what_it_counts_and_what_its_colours_mean(
    drawn: Any, areas: list[Json], is_final: bool, title: str
) -> None:
    assert drawn(answer(*areas, is_final=is_final)).title == title


def test_spaces_beyond_the_edge_are_told_below_the_drawing_and_not_marked(drawn: Any) -> None:
    marks = drawn(answer(doubts=(doubt(2, BEYOND), doubt(3))))
    assert len(marks.doubts) == 1
    assert marks.notice == "2 in doubt: row 1, column 2 was not seen"
