"""Turns of Panda, Gorilla & Co as people see them: the table of a replay, and its film."""

from __future__ import annotations

from io import StringIO
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from referee.commands.panda_film import ZooFilm
from referee.commands.tellings import rulings_table
from referee.decks import Deck, load_deck
from vision.frame import Image
from vision.resources import find_resource


def quad(row: int, col: int) -> list[list[float]]:
    left, top = 100.0 + 60 * col, 60.0 + 60 * row
    return [[left, top], [left + 56, top], [left + 56, top + 56], [left, top + 56]]


def placed(t: float, row: int, col: int, **more: Any) -> dict[str, Any]:
    lying = {"card": "p04", "rotation": 0} | more
    return {"type": "placed", "t": t, "dt": 0.02, "row": row, "col": col, "quad": quad(row, col),
            **lying}  # fmt: skip


CHIP = {"quarter": "nw", "player": "red", "size": "small", "t": 3.5, "dt": 0.02}
BREACH = {"row": 3, "col": 3, "rule": "path", "reason": "its path ends in a lawn at e"}
QUARTERS = [[1, 2, "nw"], [1, 2, "ne"]]
SCORED = {
    "type": "scored", "t": 3.5, "quarters": QUARTERS, "colour": "light", "complete": True,
    "chips": [{"row": 1, "col": 2, **CHIP}], "animals": {"large": 0, "medium": 0, "small": 1},
    "packing": [{"size": "small", "quarters": QUARTERS}],
    "points": {"red": 1}, "totals": {"red": 4},
}  # fmt: skip
LINES = [
    placed(0.0, 1, 1),
    placed(0.0, 2, 2, pond=True),
    placed(2.0, 1, 2, chip=CHIP),
    SCORED,
    placed(8.0, 3, 3, card="p05", rotation=90, illegal=[BREACH]),
    {"type": "notice", "t": 9.0, "code": "camera-moved", "text": "the camera was moved"},
]


@pytest.fixture(scope="module")
def deck() -> Deck:
    return load_deck(find_resource("datasets/decks/panda-gorilla"))


def told(lines: list[dict[str, Any]], deck: Deck) -> str:
    console = Console(width=100, record=True, file=StringIO())
    console.print(rulings_table(lines, deck))
    return console.export_text()


def test_a_recording_without_a_turn_says_so(deck: Deck) -> None:
    text = told([], deck)
    assert "No card was laid in this recording." in text
    assert "none yet" in text


def test_turns_points_totals_and_broken_rules_are_told(deck: Deck) -> None:
    text = told(LINES, deck)
    for words in (
        "At first: 1 path cards, 1 ponds, 0 chips",
        "p04 on row 1, column 2, red's small chip on nw at 3.500 s",
        "2 light quarters from nw of row 1, column 2: 1 small",
        "red +1",
        "red 4",
        "p05 turned by 90° on row 3, column 3",
        "not allowed: its path ends in a lawn at e (path)",
        "9.00 s  the camera was moved",
    ):
        assert words in text


def painted(at_s: float) -> Image:
    film = ZooFilm(LINES)
    blank = np.full((480, 640, 3), 90, np.uint8)
    frames = [film.paint(blank, t) for t in (*np.arange(0.0, at_s, 0.5), at_s)]
    assert len({frame.shape for frame in frames}) == 1
    return frames[-1]


def changed(image: Image, row: int, col: int) -> float:
    (left, top), _, (right, low), _ = np.array(quad(row, col), int)
    return float(np.mean(np.any(image[top:low, left:right] != 90, axis=2)))


def test_the_film_shows_what_was_laid_scored_and_not_allowed() -> None:
    assert changed(painted(1.0), 1, 2) == 0
    assert 0 < changed(painted(2.1), 1, 2) < 0.3
    assert changed(painted(3.6), 1, 2) > 0.4
    late = painted(8.95)
    assert changed(late, 1, 2) == 0
    assert changed(late, 3, 3) > 0.1


def test_what_lay_elsewhere_before_the_camera_moved_is_not_drawn() -> None:
    assert changed(painted(9.1), 3, 3) == 0


def test_the_chip_is_told_when_it_lies() -> None:
    strips = [painted(t)[480:] for t in (3.0, 3.6)]
    assert strips[0].shape == strips[1].shape
    assert np.count_nonzero(strips[0] != strips[1]) > 100
