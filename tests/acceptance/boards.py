"""Photographs of Panda boards: which card, chip or pond lies where, and what it is worth."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from referee.decks import Deck
from referee.watch import score_picture
from tests.acceptance.true_stills import ScoredRun, load_still
from vision.errors import NoTableError


def run_board(truth_path: Path, decks: dict[Path, Deck]) -> ScoredRun:
    """Scores one photograph and compares it with its truth, the final scoring too.

    A board that is not found is one fault more; the run goes on.
    """
    still = load_still(truth_path, decks)
    truth = still.truth
    try:
        answer = score_picture(still.picture, still.deck, bool(truth["position"].get("final")))
    except NoTableError as error:
        return ScoredRun(still.name, (str(error),), ())
    got, wanted = _on_board(answer["seen"]), _on_board(truth["seen"])
    # A truth may list what cannot be read: spaces beyond the picture's edge or under a hand.
    hidden = {tuple(space) for space in truth.get("unseen", ())}
    faults = [
        f"{place}: {got.get(place)}, expected {wanted.get(place)}"
        for place in sorted(got.keys() | wanted.keys())
        if got.get(place) != wanted.get(place) and place[:2] not in hidden
    ]
    if not hidden:
        faults += _compare_areas(answer, truth["expect"])
    return ScoredRun(still.name, tuple(faults), tuple(doubt["text"] for doubt in answer["doubts"]))


def _on_board(seen: Iterable[dict[str, Any]]) -> dict[tuple[Any, ...], str]:
    """Returns what lies in each space and quarter; a pond looks alike from every side."""
    return {
        (each["row"], each["col"], each.get("quarter", "")): (
            f"{each['id']} at {each['rotation']}" if each["kind"] == "path" else each["id"]
        )
        for each in seen
        if "row" in each
    }


def _compare_areas(answer: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    got, wanted = _areas(answer), _areas(expected)
    faults = [f"area {area}: not expected" for area in sorted(got - wanted)]
    faults += [f"area {area}: expected" for area in sorted(wanted - got)]
    points = [
        {player: number for player, number in each["points"].items() if number}
        for each in (answer, expected)
    ]
    if points[0] != points[1]:
        faults.append(f"points: {points[0]}, expected {points[1]}")
    return faults


def _areas(answer: dict[str, Any]) -> set[str]:
    return {
        json.dumps(
            [
                sorted(area["quarters"]),
                area["colour"],
                area["complete"],
                area["animals"],
                {player: number for player, number in area["points"].items() if number},
            ],
            sort_keys=True,
        )
        for area in answer["areas"]
    }
