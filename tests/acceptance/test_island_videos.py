"""The measuring stick of Exploring recordings: a right replay is right, each fault is told."""

from __future__ import annotations

from typing import Any

import pytest

from tests.acceptance.island_videos import compare_hands

SIDES = {"ann": "bottom", "bob": "top"}


def a_round(names: dict[str, str], t: float) -> dict[str, Any]:
    players = [
        {"name": names["ann"], "hand": ["h01", "h02", "h03"], "locked": "h04", "used": []},
        {"name": names["bob"], "hand": ["h05", "h06", "h07"], "locked": "h08", "used": ["time"]},
    ]
    answers = [{"name": player["name"], "score": 7, "reason": t} for player in players]
    return {"t": t, "position": {"players": players, "shared": ["h09"]}, "players": answers}


def true_round(t: float) -> dict[str, Any]:
    played = a_round({"ann": "ann", "bob": "bob"}, t)
    return {**played, "until": t + 2, "expect": {"players": played.pop("players")}}


SEATS = [{"name": name, "side": side} for name, side in SIDES.items()]
TRUTH = {"seats": SEATS, "rounds": [true_round(3.0), true_round(9.0)]}
TOLD = [a_round(SIDES, 3.4), a_round(SIDES, 9.5)]


def test_nothing_played_and_nothing_told() -> None:
    assert compare_hands([], {"seats": [], "rounds": []}) == []


def test_what_was_played_is_right() -> None:
    assert compare_hands(TOLD, TRUTH) == [[], []]


def changed(**more: Any) -> list[dict[str, Any]]:
    return [TOLD[0], {**TOLD[1], **more}]


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        (TOLD[:1], "not told"),
        ([*TOLD, a_round(SIDES, 12.0)], "never played"),
        (changed(t=12.0), "expected from 9.00 s on"),
        (changed(position={**TOLD[1]["position"], "shared": []}), "shared: none"),
        (changed(players=[{"name": "top", "score": 6}, TOLD[1]["players"][0]]), "points at top"),
        (
            changed(position=a_round({"ann": "top", "bob": "bottom"}, 9.5)["position"]),
            "cards at bottom",
        ),
    ],
)
def test_each_fault_is_told(told: list[dict[str, Any]], fault: str) -> None:
    faults = compare_hands(told, TRUTH)
    assert any(fault in each for each in faults[-1])
    assert faults[0] == []
