"""Photographs of Exploring Galapagos tables: who holds what, what is locked in, the points."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from referee.decks import Deck
from referee.still_orders import StillOptions
from referee.watch import score_picture
from tests.acceptance.out_of_sight import SHARED, left_open
from tests.acceptance.true_stills import ScoredRun, load_still


def run_table(truth_path: Path, decks: dict[Path, Deck]) -> ScoredRun:
    """Scores one photograph, players named by their side, and compares it with its truth."""
    still = load_still(truth_path, decks)
    truth = still.truth
    sides = {seat["name"]: seat["side"] for seat in truth["seats"]}
    used = {sides[p["name"]]: tuple(p["used"]) for p in truth["position"]["players"]}
    answer = score_picture(still.picture, still.deck, options=StillOptions(used=used))
    faults = compare_round(answer, truth, sides)
    excused = excused_of(faults, answer, truth, sides)
    return ScoredRun(
        name=still.name,
        faults=tuple(fault for fault in faults if fault not in excused),
        doubts=tuple(doubt["text"] for doubt in answer["doubts"]),
        out_of_sight=tuple(excused),
    )


def compare_round(answer: dict[str, Any], true: dict[str, Any], sides: dict[str, str]) -> list[str]:
    """Returns what an answer, in which players are named by their side, has wrong of a round.

    Args:
        answer: Of a photograph, or the line of a recording.
        true: Its truth.
        sides: The side of each player of the truth.
    """
    seen, held = _held(answer["position"], {}), _held(true["position"], sides)
    points, expected = _points(answer, {}), _points(true["expect"], sides)
    return [
        f"{place}: {got.get(place)}, expected {wanted.get(place)}"
        for got, wanted in ((seen, held), (points, expected))
        for place in sorted(got.keys() | wanted.keys())
        if got.get(place) != wanted.get(place)
    ]


def excused_of(
    faults: Sequence[str], answer: dict[str, Any], true: dict[str, Any], sides: dict[str, str]
) -> list[str]:
    """Returns the faults that are none where cards that nobody can see need not be named.

    Args:
        faults: What `compare_round` has told.
        answer: Of a photograph.
        true: Its truth, which may list cards as `unseen`.
        sides: The side of each player of the truth.
    """
    cards, points = left_open(answer, true, sides)
    places = {_place_of(name) for name in cards} | {f"points at {name}" for name in points}
    return [fault for fault in faults if fault.partition(":")[0] in places]


def _place_of(name: str) -> str:
    return name if name == SHARED else f"cards at {name}"


def _held(position: dict[str, Any], sides: dict[str, str]) -> dict[str, str]:
    """Returns in words which cards lie in each place."""
    held = {"shared": _ids(position["shared"])}
    for player in position["players"]:
        place = _place_of(sides.get(player["name"], player["name"]))
        held[place] = f"{_ids(player['hand'])}, locked in {player['locked']}"
    return held


def _points(answer: dict[str, Any], sides: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Returns all that an answer says of a player but the reason."""
    return {
        f"points at {sides.get(player['name'], player['name'])}": {
            key: value for key, value in player.items() if key not in ("name", "reason")
        }
        for player in answer["players"]
    }


def _ids(cards: list[str | None]) -> str:
    return " ".join(sorted(card or "?" for card in cards)) or "none"
