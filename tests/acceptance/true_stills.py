"""A still and its truth (contract §4), and what an answer has wrong of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.decks import Deck, load_deck

_SUFFIXES = (".png", ".jpg", ".jpeg")


@dataclass(frozen=True, slots=True)
class TrueStill:
    """A photograph of a table, with what lies there in truth."""

    name: str
    picture: Path
    deck: Deck
    truth: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A photograph that was scored.

    Attributes:
        name: Of the picture.
        faults: What is wrong in the answer.
        doubts: What the answer doubts.
        out_of_sight: What a strict count calls wrong, too: it depends on what nobody can see.
    """

    name: str
    faults: tuple[str, ...]
    doubts: tuple[str, ...]
    out_of_sight: tuple[str, ...] = ()


def load_still(truth_path: Path, decks: dict[Path, Deck]) -> TrueStill:
    """Reads a truth and finds its picture; decks that were read before are not read again."""
    truth = json.loads(truth_path.read_text(encoding="utf-8"))
    stem = truth_path.name.removesuffix(".truth.json")
    picture = next(
        path for suffix in _SUFFIXES if (path := truth_path.with_name(stem + suffix)).exists()
    )
    pack = (truth_path.parent / truth["deck"]).resolve()
    deck = decks.get(pack) or decks.setdefault(pack, load_deck(pack))
    return TrueStill(stem, picture, deck, truth)
