"""The borders of the house that import-linter cannot see: what a fresh process loads."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"numpy", "cv2", "av", "pydantic", "yaml", "rich", "typer", "torch", "ultralytics"}
PIXELS = {"numpy", "cv2", "av", "torch", "ultralytics"}
WORKSHOPS = {"models", "datasets"}


def loaded_by(module: str) -> set[str]:
    """Returns the top-level names that importing a module brings into a fresh process."""
    program = f"import {module}, sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "module",
    [
        "vision",
        "vision.table",
        "vision.errors",
        "referee",
        "referee.rules",
        "referee.rulings",
        "referee.games.galapa_go.rules",
        "referee.judge",
    ],
)
def test_the_seam_and_the_core_are_standard_library_only(module: str):
    assert loaded_by(module) & HEAVY == set()


@pytest.mark.parametrize("module", ["referee.cli", "referee.decks", "referee.adapter.galapa_go"])
def test_rules_decks_and_command_line_start_without_pixels(module: str):
    assert loaded_by(module) & PIXELS == set()


def test_the_run_time_loads_no_workshop_and_no_torch():
    assert loaded_by("referee.watch") & (WORKSHOPS | {"torch", "ultralytics", "PIL"}) == set()
