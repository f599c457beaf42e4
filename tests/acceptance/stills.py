"""Photographs of a whole table: are the layout's cards named, and none of them wrongly?"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.decks import Deck
from referee.watch import score_picture
from tests.acceptance.true_stills import load_still

_NAMEABLE = 0.35
"""Of a face that shows less than this share, nobody is expected to know the name."""


@dataclass(frozen=True, slots=True)
class StillRun:
    """One still: how many of the layout's cards are expected, right, and wrongly named."""

    name: str
    expected: int
    right: int
    wrong: tuple[str, ...]
    missed: tuple[str, ...]
    is_matching_right: bool


def run_still(truth_path: Path, decks: dict[Path, Deck]) -> StillRun:
    """Reads one still and compares it with its truth."""
    still = load_still(truth_path, decks)
    truth = still.truth
    answer = score_picture(still.picture, still.deck)
    layout = _nameable(truth, truth_path, frozenset(truth["position"]["layout"]))
    seen = [each for each in answer["seen"] if each.get("id") is not None]
    found = {face for face in layout if any(_is_at(each, face, truth) for each in seen)}
    wrong = [each["id"] for each in seen if not _is_at(each, each["id"], truth)]
    expected = truth["expect"].get("matching")
    return StillRun(
        name=still.name,
        expected=len(layout),
        right=len(found),
        wrong=tuple(wrong),
        missed=tuple(sorted(layout - found)),
        is_matching_right=expected is None or set(answer.get("matching", ())) == set(expected),
    )


def _is_at(seen: dict[str, Any], face: str, truth: dict[str, Any]) -> bool:
    """Returns whether a seen face has this name and lies where the truth has it."""
    if seen["id"] != face:
        return False
    centre = np.mean(seen["quad"], axis=0)
    return any(
        cv2.pointPolygonTest(
            np.asarray(each["quad"], np.float32), (float(centre[0]), float(centre[1])), False
        )
        >= 0
        for each in truth["seen"]
        if each["id"] == face
    )


def _nameable(truth: dict[str, Any], truth_path: Path, layout: frozenset[str]) -> frozenset[str]:
    """Returns the layout's faces of which enough is visible."""
    notes_path = truth_path.with_name("notes.json")
    notes = json.loads(notes_path.read_text(encoding="utf-8")) if notes_path.exists() else {}
    noted = notes.get(truth_path.name.replace(".truth.json", ""), {}).get("visible", {})
    visible = {
        face["id"]: noted.get(face["id"], _visible_share(truth["seen"], index))
        for index, face in enumerate(truth["seen"])
    }
    return frozenset(face for face in layout if visible.get(face, 0.0) >= _NAMEABLE)


def _visible_share(seen: list[dict[str, Any]], index: int) -> float:
    """Returns the share of a face that no face above it covers; `seen` runs from the lowest up."""
    quads = [np.round(each["quad"]).astype(np.int32) for each in seen[index:]]
    high = max(int(quad[:, 1].max()) for quad in quads) + 1
    wide = max(int(quad[:, 0].max()) for quad in quads) + 1
    mask: NDArray[np.uint8] = np.zeros((high, wide), np.uint8)
    cv2.fillConvexPoly(mask, quads[0], (1,))
    whole = int(mask.sum())
    for quad in quads[1:]:
        cv2.fillConvexPoly(mask, quad, (0,))
    return int(mask.sum()) / whole if whole else 0.0
