"""A view known along one line is carried over the board by its cards; what stays vague is lost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.board_looks import EVEN_LIGHT, SpaceLook
from vision.board_registration import Patches, Registration
from vision.board_steadying import Space, steady
from vision.board_view import BoardView, Lens, Points, project

SIZE = (9, 8)
WIDE, HIGH = 1000, 900
TRUE = np.array([[100, 6, 40.0], [-4, 98, 60], [0.002, 0.003, 1]])
MIDDLES = np.array([(col + 0.5, row + 0.5) for row in range(SIZE[1]) for col in range(SIZE[0])])
EMPTY = np.zeros((4, 4), np.float32)


def view(matrix: NDArray[np.float64]) -> BoardView:
    return BoardView(matrix, Lens.of((WIDE, HIGH)), (WIDE, HIGH))


def found(places: Points) -> Registration:
    """A board found by patches at some places, seen 0.005 spaces off, and badly far from them."""
    grain = np.random.default_rng(3).normal(0, 0.005, places.shape)
    pixels = project(TRUE, places + grain)
    far = np.array([[1.06, 0, -0.54], [0, 1, 0.0], [0.006, 0, 0.946]])
    return Registration(view(TRUE @ far), Patches(places, pixels, np.ones((len(places), 3))))


EAST = np.array([(x, y) for x in (9.1, 9.3) for y in np.linspace(0.3, 7.7, 12)])
ROUND = np.concatenate([EAST, np.array([(-0.2, y) for y in np.linspace(0.3, 7.7, 12)])])


def worst(place: Registration) -> float:
    """How far a space is from where it is taken to be, at most, in spaces."""
    away = place.view.on_board(project(TRUE, MIDDLES)) - MIDDLES
    return float(np.linalg.norm(away, axis=1).max())


class Cards:
    """Cards on every space, laid a millimetre off, that are found where they should nearly be."""

    def __init__(self) -> None:
        self.asked: list[Space] = []
        self._off = np.random.default_rng(4).normal(0, 0.025, (SIZE[1], SIZE[0], 2))

    def __call__(self, place: Registration, spaces: Sequence[Space]) -> list[SpaceLook]:
        self.asked += spaces
        looks = []
        for row, col in spaces:
            home = np.array([col + 0.5, row + 0.5])
            pixel = project(TRUE, (home + self._off[row, col])[None])
            x, y = place.view.on_board(pixel)[0]
            if np.hypot(x - home[0], y - home[1]) < 0.15:
                centre = (float(x), float(y))
                looks.append(
                    SpaceLook(row, col, None, (), centre, 0.0, 0.9, EMPTY, 1.0, EVEN_LIGHT)
                )
        return looks


def test_cards_carry_the_view_to_the_far_side() -> None:
    start, cards = found(EAST), Cards()
    assert worst(start) > 0.25
    steadied = steady(start, SIZE, cards)
    assert worst(steadied) < 0.06
    assert steadied.lost == frozenset()
    assert len(cards.asked) == len(set(cards.asked))
    assert min(col for _, col in cards.asked[:16]) > 3


def test_what_stays_vague_is_not_read() -> None:
    lost = steady(found(EAST), SIZE, lambda place, spaces: []).lost
    assert {(row, 0) for row in range(8)} <= lost
    assert not {(row, 8) for row in range(8)} & lost


def test_a_board_whose_border_is_seen_all_around_needs_no_cards() -> None:
    start, cards = found(ROUND), Cards()
    assert steady(start, SIZE, cards).view is start.view
    assert cards.asked == []


def test_corners_of_a_person_are_left() -> None:
    none = np.zeros((0, 2))
    start = Registration(view(TRUE), Patches(none, none, np.zeros((0, 3))))
    cards = Cards()
    assert steady(start, SIZE, cards) is start
    assert cards.asked == []
