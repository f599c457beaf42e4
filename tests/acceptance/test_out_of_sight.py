"""The measuring stick of tables of which a hand hides a card: said to be unknown it is no fault."""

from __future__ import annotations

from typing import Any

import pytest

from tests.acceptance.tables import compare_round, excused_of

SIDES = {"ann": "bottom", "bob": "top", "cat": "top-left"}
SCORE = {"method": "time", "score": 7}
OPEN = {"method": None, "score": None}
TOLD = "top: 1 of 4 cards could not be named"

Cards = list[str | None]
Hand = tuple[Cards, str | None]

ANN: Hand = (["h01", "h02", "h03"], "h04")
CAT: Hand = (["h09", "h10", "h11"], "h12")


def true_round(*unseen: str, shared: str = "h13") -> dict[str, Any]:
    held: dict[str, Hand] = {"ann": ANN, "bob": (["h05", "h06", "h07"], "h08"), "cat": CAT}
    return {
        "unseen": list(unseen),
        "position": position(held, [shared]),
        "expect": {"players": [{"name": name, **SCORE} for name in held]},
    }


def answer(
    bob: Hand, *doubts: str, shared: str | None = "h13", unscored: tuple[str, ...] = ("top",)
) -> dict[str, Any]:
    held = {"bottom": ANN, "top": bob, "top-left": CAT}
    return {
        "position": position(held, [shared]),
        "players": [{"name": name, **(OPEN if name in unscored else SCORE)} for name in held],
        "doubts": [{"text": text} for text in doubts],
    }


def position(held: dict[str, Hand], shared: Cards) -> dict[str, Any]:
    players = [{"name": n, "hand": hand, "locked": locked} for n, (hand, locked) in held.items()]
    return {"players": players, "shared": shared}


def faults_left(told: dict[str, Any], true: dict[str, Any]) -> list[str]:
    faults = compare_round(told, true, SIDES)
    excused = excused_of(faults, told, true, SIDES)
    return [fault.partition(":")[0] for fault in faults if fault not in excused]


@pytest.mark.parametrize(
    "told",
    [
        answer((["h05", "h06", "h07"], "h08"), unscored=()),
        answer((["h05", "h06", None], "h08"), TOLD),
        answer((["h05", "h06"], "h08"), "top has 3 cards, expected 4"),
    ],
    ids=["named", "unknown", "missing with a doubt"],
)
def test_an_unseen_card_is_named_or_doubted(told: dict[str, Any]) -> None:
    assert faults_left(told, true_round("h07")) == []


def test_an_unseen_locked_in_card_may_be_unknown_among_the_others() -> None:
    told = answer((["h05", "h06", "h07", None], None), TOLD)
    assert faults_left(told, true_round("h08")) == []


def test_nobody_can_be_scored_without_a_card_of_the_shared_hand() -> None:
    everybody = ("bottom", "top", "top-left")
    bob: Hand = (["h05", "h06", "h07"], "h08")
    doubt = "a card of the shared hand could not be named"
    told = answer(bob, doubt, shared=None, unscored=everybody)
    assert faults_left(told, true_round("h13")) == []
    assert faults_left(told, true_round("h07")) == [
        "shared", "points at bottom", "points at top", "points at top-left",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("told", "left"),
    [
        (answer((["h05", "h06"], "h08")), ["cards at top"]),
        (answer((["h05", "h06", None], "h08"), "top-left has 3 cards"), ["cards at top"]),
        (answer((["h05", "h06", "h14"], "h08"), TOLD), ["cards at top"]),
        (answer((["h05", "h06", None, None], "h08"), TOLD), ["cards at top"]),
        (answer((["h05", None, None], "h08"), TOLD), ["cards at top"]),
        (answer((["h05", "h06", None], None), TOLD), ["cards at top"]),
        (
            answer((["h05", "h06", None], "h08"), TOLD, unscored=("top", "bottom")),
            ["points at bottom"],
        ),
    ],
    ids=[
        "silently missing",
        "doubted at another place",
        "wrongly named",
        "one unknown too many",
        "a card in sight unknown",
        "a locked-in card in sight missing",
        "points that do not depend on it",
    ],
)
def test_what_is_in_sight_must_be_right(told: dict[str, Any], left: list[str]) -> None:
    assert faults_left(told, true_round("h07")) == left


def test_points_that_cannot_be_known_must_not_be_told_wrongly() -> None:
    told = answer((["h05", "h06"], "h08"), "top has 3 cards, expected 4", unscored=())
    told["players"][1]["score"] = 6
    assert faults_left(told, true_round("h07")) == ["points at top"]


def test_a_truth_without_unseen_cards_is_counted_strictly() -> None:
    told = answer((["h05", "h06", None], "h08"), TOLD)
    true = true_round()
    assert faults_left(told, true) == ["cards at top", "points at top"]
    del true["unseen"]
    assert faults_left(told, true) == ["cards at top", "points at top"]
