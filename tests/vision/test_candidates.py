"""How far the best face is believed, from its fit and from its lead over the others."""

from __future__ import annotations

import numpy as np
import pytest

from vision.candidates import score_of
from vision.comparing import Comparison

NAMED = 0.8


def compared(fit: float, gaps: list[float], *, seen: float = 1.0) -> Comparison:
    """A comparison whose first face leads clearly, each rival's misfit larger by a part of it."""
    energies = 0.006 * (1 + np.array([0.0, *gaps], np.float32))
    return Comparison(
        order=np.arange(len(energies)),
        energies=energies,
        advantages=np.full(len(energies), 2000, np.float32),
        margins=np.full(len(energies), 0.9, np.float32),
        visible=np.full((10, 10), seen, np.float32),
        explained=seen,
        fit=fit,
        gains=np.ones(3, np.float32),
    )


@pytest.mark.parametrize(
    ("fit", "gap", "is_named"),
    [
        (0.95, 1.2, True),
        (0.95, 0.4, True),  # two that differ in a crab
        (0.95, 0.02, False),  # a hard shadow, in which none of them fits
        (0.95, 0.08, False),  # a flowered cloth
        (0.85, 0.9, True),  # overexposed
        (0.85, 0.35, False),  # in no deck
        (0.80, 2.0, False),
    ],
)
def test_fit_and_lead_are_believed_together(fit: float, gap: float, is_named: bool) -> None:
    score = score_of(compared(fit, [gap, gap + 0.3, 2.5]), [1, 2, 3])
    assert (score >= NAMED) is is_named


def test_of_a_covered_face_no_less_fit_is_asked() -> None:
    covered = compared(0.85, [0.9, 1.2, 2.5], seen=0.5)
    assert score_of(covered, [1, 2, 3], is_strict=False) < NAMED


def test_a_face_without_rivals_is_believed_by_its_fit() -> None:
    assert score_of(compared(0.95, []), []) >= NAMED
    assert score_of(compared(0.85, []), []) < NAMED
