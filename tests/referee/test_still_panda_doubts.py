"""What is in doubt about a photographed board as a whole."""

from __future__ import annotations

import numpy as np
import pytest

from referee.games.panda_gorilla.model import Board, Space
from referee.still_panda_doubts import doubt_place, doubt_ruling
from vision.board_registration import Patches, Registration
from vision.board_view import BoardView, Lens, Points
from vision.table import BoardReading, Quad, SpaceReading, SpaceState

BOARD = Board(2, 3, entrance=(Space(1, 1),), signs=())
SIZE = (300, 200)
_NONE = np.zeros((0, 2))


def place(side_px: float = 100.0, **said: object) -> Registration:
    """A board whose spaces are so long, its north-west corner in that of the picture."""
    view = BoardView(np.diag([side_px, side_px, 1.0]), Lens.of(SIZE), SIZE)
    return Registration(view, Patches(_NONE, _NONE, np.zeros((0, 3))), **said)  # type: ignore[arg-type]


def square(x: float, y: float, side: float = 100.0) -> Quad:
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


def reading(*unseen: tuple[int, int], right: float = 0.0) -> BoardReading:
    """All spaces bare but some, all moved so far to the right."""
    spaces = tuple(
        SpaceReading(
            row,
            col,
            SpaceState.UNSEEN if (row, col) in unseen else SpaceState.EMPTY,
            1.0,
            square(100.0 * col + right, 100.0 * row),
        )
        for row in range(2)
        for col in range(3)
    )
    return BoardReading(0.0, *SIZE, rows=2, cols=3, spaces=spaces, chips=())


def told(where: Registration, what: BoardReading, *, is_shown: bool = False) -> list[str]:
    return [doubt["text"] for doubt in doubt_place(where, what, BOARD, is_shown=is_shown)]


def test_a_board_that_is_seen_whole_is_not_doubted() -> None:
    assert told(place(), reading()) == []
    # What a hand lies over is told space by space.
    assert told(place(), reading((0, 0))) == []


@pytest.mark.parametrize(
    ("away", "side"),
    [((400, 40), "left"), ((-400, 0), "right"), ((10, 300), "top"), ((10, -300), "bottom")],
)
def test_another_board_is_told_with_the_side_of_the_one_that_was_read(
    away: tuple[float, float], side: str
) -> None:
    another: Points = np.array([[0, 0], [300, 0], [300, 200], [0, 200]]) + np.array(away)
    (doubt,) = doubt_place(place(another=another), reading(), BOARD, is_shown=False)
    assert f"two boards are in sight, and only the one at the {side} was read" in doubt["text"]
    assert doubt["quad"] == another.tolist()


def test_spaces_beyond_the_edge_are_counted_but_for_the_entrance() -> None:
    (text,) = told(place(), reading((0, 2), (1, 1), (1, 2), right=40))
    assert "only part of the board is in the picture, without 2 of its 5 spaces" in text


def test_corners_that_no_print_proves_are_told_where_somebody_showed_them() -> None:
    assert told(place(is_proven=False), reading()) == []
    assert told(place(is_proven=False), reading(), is_shown=True)[0].startswith(
        "the print in sight does not show whether the corners given"
    )
    assert told(place(), reading(), is_shown=True) == []


def test_a_board_that_is_seen_small_is_told() -> None:
    assert "a space is 49 pixels long" in told(place(49.0), reading())[0]
    assert told(place(51.0), reading()) == []


def ruling(
    *quarters: str, broken: int = 0, laid: int = 20, rule: str = "path"
) -> dict[str, object]:
    """One scored area on the space in row 0, column 0, and some cards that break a rule."""
    return {
        "position": {"tiles": [{"card": "p1"}] * laid + [{"pond": True}]},
        "illegal": [{"row": 0, "col": col, "rule": rule} for col in range(broken)],
        "areas": [
            {"points": {"red": 3}, "quarters": [(0, 0, quarter) for quarter in quarters]},
            {"points": {}, "quarters": [(0, 0, "se")]},
        ],
    }


@pytest.mark.parametrize(
    ("quarters", "unseen", "is_told"),
    [
        (("nw",), (), False),
        (("nw",), ((0, 1), (1, 0)), False),
        (("nw", "ne"), ((0, 1),), True),
        (("sw",), ((1, 0),), True),
        (("ne",), ((1, 0),), False),
    ],
)
def test_points_beside_what_was_not_seen_are_doubted(
    quarters: tuple[str, ...], unseen: tuple[tuple[int, int], ...], is_told: bool
) -> None:
    doubts = list(doubt_ruling(ruling(*quarters), reading(*unseen), BOARD))
    told = "points may be others in 1 area beside spaces that were not seen"
    assert [doubt["text"] for doubt in doubts] == [told] * is_told


def test_beside_the_entrance_points_stand() -> None:
    beside = ruling() | {"areas": [{"points": {"red": 3}, "quarters": [(1, 0, "ne")]}]}
    assert list(doubt_ruling(beside, reading((1, 1)), BOARD)) == []


@pytest.mark.parametrize(
    ("broken", "laid", "is_told"), [(4, 20, False), (5, 20, True), (5, 40, False), (12, 40, True)]
)
def test_so_many_broken_rules_are_doubted(broken: int, laid: int, is_told: bool) -> None:
    doubts = list(doubt_ruling(ruling(broken=broken, laid=laid), reading(), BOARD))
    assert len(doubts) == is_told
    assert all(f"{broken} of {laid} cards break a rule" in doubt["text"] for doubt in doubts)


@pytest.mark.parametrize(("chips", "is_told"), [(3, False), (4, True)])
def test_many_chips_that_nobody_may_lay_are_doubted(chips: int, is_told: bool) -> None:
    doubts = list(doubt_ruling(ruling(broken=chips, rule="chip-colour"), reading(), BOARD))
    assert any(f"{chips} chips are of a colour" in each["text"] for each in doubts) == is_told
