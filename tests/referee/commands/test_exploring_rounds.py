"""Rounds of Exploring Galapagos told to people and drawn upon their recording."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from referee.commands.exploring_film import HandsFilm
from referee.commands.tellings import painter, rulings_table
from referee.decks import load_deck
from vision.resources import find_resource

DECK = load_deck(find_resource("datasets/decks/exploring-galapagos"))
SIZE_HW = (240, 400)
PLACES = {"h01": (30, 40), "h02": (90, 40), "h03": (170, 40), "h04": (300, 60)}


def quad(card: str) -> list[list[float]]:
    x, y = PLACES[card]
    return [[x, y], [x + 40, y], [x + 40, y + 56], [x, y + 56]]


def layout(t: float, *cards: str) -> dict[str, Any]:
    lying = [{"id": card, "quad": quad(card), "score": 1.0} for card in cards]
    return {"type": "layout", "t": t, "cards": lying}


def player(name: str, score: int | None, **more: Any) -> dict[str, Any]:
    told = {"method": "time", "choice": "day", "base": 9, "own_impact": 2, "shared_impact": 2}
    return {"name": name, **told, "impact": -2, "score": score, "reason": "because", **more}


def hands(t: float, number: int, *players: dict[str, Any], **more: Any) -> dict[str, Any]:
    held = [("ann", ["h01", "h02"], "h04"), ("bob", [None], None)]
    position = {
        "game": "exploring-galapagos",
        "players": [
            {"name": name, "hand": own, "locked": lock, "used": []} for name, own, lock in held
        ],
        "shared": ["h03"],
    }
    return {
        "type": "hands", "t": t, "round": number, "players": list(players), "position": position,
        "doubts": [], "totals": {p["name"]: p["score"] for p in players}, "game_over": False,
        "winners": [], **more,
    }  # fmt: skip


LINES = [
    layout(1.0, "h01", "h02", "h03", "h04"),
    hands(1.0, 1, player("ann", 7), player("bob", 0, choice=None, method=None)),
    {"type": "notice", "t": 1.5, "code": "round-incomplete", "text": "a card has no name"},
    layout(2.0, "h01"),
    hands(
        3.0, 3, player("ann", 12), player("bob", None, choice=None, impact=None),
        doubts=[{"text": "bob: 1 of 4 cards could not be named"}], game_over=True, winners=["ann"],
    ),
]  # fmt: skip


def printed(lines: list[dict[str, Any]]) -> str:
    console = Console(width=120, file=io.StringIO())
    console.print(rulings_table(lines, DECK))
    return console.file.getvalue()


def test_replay_without_a_round_says_so():
    assert "No round was scored" in printed(LINES[:1])


def test_rounds_are_told_with_hands_sums_reasons_doubts_and_totals():
    text = printed(LINES)
    for words in (
        "Round 1", "h01 h02", "h04", "9 day", "-2", "ann: because", "Shared hand: h03",
        "In all:  ann 7, bob 0", "Round 3", "In doubt: bob: 1 of 4 cards could not be named",
        "In all:  ann 12, bob ?", "won by ann", "1.50 s  a card has no name",
    ):  # fmt: skip
        assert words in text
    assert "?" in next(line for line in text.splitlines() if line.startswith("│ bob"))


@pytest.mark.parametrize(
    ("winners", "told"),
    [(["ann", "bob"], "won by ann and bob"), ([], "who has won cannot be told")],
)
def test_end_of_a_game(winners, told):
    assert told in printed([{**LINES[-1], "winners": winners}])


def table(*cards: str) -> np.ndarray:
    """A picture of some cards on a grey table, each of another pattern."""
    picture = np.full((*SIZE_HW, 3), 120, np.uint8)
    for card in cards:
        x, y = PLACES[card]
        pattern = np.random.default_rng(int(card[1:])).integers(0, 256, (7, 5, 1))
        picture[y : y + 56, x : x + 40] = np.kron(pattern, np.ones((8, 8, 3)))
    return picture


def is_drawn(film: HandsFilm, picture: np.ndarray, at_s: float, card: str) -> bool:
    x, y = PLACES[card]
    edge = (slice(y - 3, y), slice(x + 8, x + 32))
    return bool((film.paint(picture, at_s)[edge] != picture[edge]).any())


def test_cards_are_outlined_while_they_lie_in_view():
    film, cards = HandsFilm(LINES[:4]), (*PLACES,)
    assert not any(is_drawn(film, table(*cards), 0.5, card) for card in cards)
    assert all(is_drawn(film, table(*cards), 1.1, card) for card in cards)
    without = table("h01", "h03", "h04")
    assert [is_drawn(film, without, 1.2, card) for card in cards] == [True, False, True, True]
    assert [is_drawn(film, table("h01"), 2.1, card) for card in cards] == [True, *[False] * 3]


def test_frames_keep_their_size_while_more_and_more_is_told():
    paint = painter(LINES, DECK)
    sizes = {paint(table(*PLACES), at_s).shape for at_s in (0.0, 1.0, 2.0, 3.0)}
    assert len(sizes) == 1
    assert next(iter(sizes))[0] > SIZE_HW[0]


def test_scored_round_is_told_below_the_picture_from_its_moment_on():
    film, picture = HandsFilm(LINES[:2]), table(*PLACES)
    before, after = (film.paint(picture, at_s)[SIZE_HW[0] :] for at_s in (0.9, 1.0))
    assert (before != after).any()
    assert (film.paint(picture, 1.1)[SIZE_HW[0] :] == after).all()
