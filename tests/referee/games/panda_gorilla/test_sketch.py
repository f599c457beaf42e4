"""The zoo drawn with letters."""

import pytest

from referee.games.panda_gorilla.model import Board, PathCard, Proposal, Size, Space, Tile
from referee.games.panda_gorilla.sketch import KEY, draw_cards, draw_zoo

BOARD = Board(8, 9, (Space(0, 4),), (Space(0, 3), Space(0, 5)))
CORNER = PathCard("p1", frozenset("ne"), ("dark", "light", "dark", "dark"))
MEADOW = PathCard("p02", frozenset(), ("light",) * 4)


def drawn(*tiles, chips=(), board=BOARD):
    lines = draw_zoo(board, tiles, chips).removesuffix(f"\n{KEY}").split("\n")
    return [line.rstrip() for line in lines]


def test_an_empty_zoo_has_its_entrance_and_signs():
    assert drawn() == [
        "     2     3     4     5     6",
        "               =====",
        " 0         s   =====   s",
        "               =====",
        "",
        " 1",
        "",
    ]


def test_cards_lie_as_they_are_turned_and_the_last_one_lies_on_top():
    chips = [
        Proposal(Space(1, 4), "sw", "red", Size.LARGE),
        Proposal(Space(1, 5), "nw", "blue", Size.SMALL),
    ]
    tiles = [
        Tile(Space(1, 3), CORNER),
        Tile(Space(1, 4), None),
        Tile(Space(1, 4), CORNER, 90),
        Tile(Space(1, 5), MEADOW),
        Tile(Space(2, 4), None),
    ]
    assert drawn(*tiles, chips=chips) == [
        "     2     3     4     5     6",
        "               =====",
        " 0         s   =====   s",
        "               =====",
        "         ##|.. ##### bS...",
        " 1       ##+-- ##+-- .....",
        "         ##### rL|.. .....",
        "               ~~~~~",
        " 2             ~~~~~",
        "               ~~~~~",
        "",
        " 3",
        "",
    ]


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        (Board(1, 1, (), ()), ["     0", "", " 0", ""]),
        (Board(4, 1, (), (Space(3, 0),)), ["     0", "", " 2", "", "", " 3   s", ""]),
        (Board(1, 2, (Space(0, 1),), ()), ["     0     1", "         =====", " 0       =====",
                                           "         ====="]),
    ],
)  # fmt: skip
def test_a_zoo_is_drawn_no_larger_than_it_is(board, expected):
    assert drawn(board=board) == expected


def test_cards_stand_side_by_side_under_their_ids():
    assert draw_cards([]) == ""
    assert draw_cards([CORNER, MEADOW]).splitlines() == [
        "p1      p02",
        "##|..   .....",
        "##+--   .....",
        "#####   .....",
    ]
