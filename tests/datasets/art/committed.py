"""What every committed deck pack of ours is checked for."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.art.build_deck import DEFAULT_OUT, deck_yaml
from datasets.art.deck_plan import DeckPlan
from datasets.art.rendering import render_rgba

ROOT = Path(__file__).parents[3]


def assert_pack_is_current(plan: DeckPlan) -> None:
    """The committed `deck.yaml` and picture names are those that the code writes."""
    pack = DEFAULT_OUT / plan.game
    assert (pack / "deck.yaml").read_text(encoding="utf-8") == deck_yaml(plan)
    names = {path.name for path in (pack / "cards").iterdir()}
    assert names == {f"{face.id}.png" for face in plan.faces}


def assert_picture_is_current(svg: str, size_px: tuple[int, int], committed: Path) -> None:
    """A committed picture shows its drawing; a palette may shift tones a little."""
    drawn = render_rgba(svg, *size_px).astype(float)
    picture = cv2.imread(str(committed), cv2.IMREAD_UNCHANGED)
    picture = cv2.cvtColor(picture, cv2.COLOR_BGRA2RGBA).astype(float)
    visible = drawn[..., 3] == 255
    assert np.abs(drawn - picture)[visible].mean() < 2.0
    assert np.abs(drawn[..., 3] - picture[..., 3]).max() < 30


def assert_face_is_current(plan: DeckPlan, card_id: str) -> None:
    """The committed picture of a face shows its drawing."""
    face = next(face for face in plan.faces if face.id == card_id)
    path = DEFAULT_OUT / plan.game / "cards" / f"{card_id}.png"
    assert_picture_is_current(face.svg, face.size_px or plan.card_px, path)


def assert_same_on_every_run(plan: DeckPlan) -> None:
    """Another process with another hash seed draws the same deck."""
    code = (
        "import hashlib, sys; from datasets.art.build_deck import DECKS;"
        "plan = DECKS[sys.argv[1]]();"
        "print(hashlib.sha256(''.join(f.svg for f in plan.faces).encode()).hexdigest())"
    )
    other = subprocess.run(
        [sys.executable, "-c", code, plan.game],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    here = hashlib.sha256("".join(face.svg for face in plan.faces).encode()).hexdigest()
    assert other.stdout.strip() == here


def small_pictures(game: str, size: tuple[int, int], *prefixes: str) -> NDArray[np.float32]:
    """Faces as seen from afar, one row each; those whose names start so."""
    rows = []
    for path in sorted((DEFAULT_OUT / game / "cards").iterdir()):
        if path.name.startswith(prefixes):
            picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
            rows.append(cv2.resize(picture, size, interpolation=cv2.INTER_AREA).ravel())
    return np.array(rows, np.float32)
