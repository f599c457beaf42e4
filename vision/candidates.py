"""Faces as they may lie in one place, and how far the best of them is to be believed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.comparing import Comparison
from vision.flatten import Quad

CLEAR_FIT = 0.9
"""Correlation from which no other start is tried."""

_GAP_TELLS, _CHANCE_GAP = 22.0, 0.06
"""What the gap to a rival says against it. Where no face fits well, small gaps are chance: of 1,450
that were named right all but four had 0.27 and more, wrong ones in hard shadow 0.01 to 0.23, and
one on a flowered cloth 0.08."""
_PLAIN_MARGIN = 0.6
"""Margin over each rival that a face has where nothing is amiss."""

_EVEN_FIT, _FIT_SPARED = 0.87, 0.05
_FAR_AHEAD = (0.45, 0.75)
"""Gap to all rivals from which less fit is asked, and from which no less: of things in no deck that
fitted 0.7 and more it was 0.37 at most, of overexposed cards 0.68 and more."""

MOSTLY_SEEN = 0.7
"""With less in view two faces may look alike where they lie a little differently."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A face as it may lie: its row in a bank, and its quad from the face's own top left."""

    bank: int
    face: int
    roll: int
    quad: Quad
    energy: float


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """A candidate laid exactly, and its comparison with its rivals."""

    lead: Candidate
    rivals: tuple[Candidate, ...]
    comparison: Comparison

    @property
    def first(self) -> Candidate:
        """The candidate that fits best in the place of the lead."""
        return self.rivals[int(self.comparison.order[0])]

    @property
    def is_clear(self) -> bool:
        """Whether no other start needs to be tried: it fits, and nearly all of it is in view."""
        seen = float(self.comparison.visible.mean())
        return self.comparison.fit >= CLEAR_FIT and seen > MOSTLY_SEEN

    @property
    def is_plain(self) -> bool:
        """Whether what tells its face from all others is seen to be there."""
        comparison = self.comparison
        return (
            comparison.fit >= CLEAR_FIT
            and float(comparison.margins[1:].min(initial=1.0)) >= _PLAIN_MARGIN
        )


def score_of(
    comparison: Comparison,
    rivals: Sequence[int],
    elsewhere: Sequence[float] = (),
    *,
    is_strict: bool = True,
) -> float:
    """Probability that the first face is right, from its fit and its lead over its rivals.

    Args:
        comparison: Faces compared with the crop.
        rivals: Rows of the comparison that show another face.
        elsewhere: Misfit of other faces that were laid in their own way, as multiples of that
            of the first.
        is_strict: Whether all that is left of a covered face must fit. On a table that is being
            watched a hand that nobody masked lies over a card for a moment, and looks follow.
    """
    seen = float(comparison.visible.mean())
    # Much is alike among the faces of a deck: what is left of a covered one must fit all over.
    trust = min(1.0, seen / MOSTLY_SEEN) if is_strict else 1.0
    doubt = sum(float(np.exp(-8 * max(times - 1, 0.0))) for times in elsewhere)
    gaps = [float(gap) for gap in comparison.gaps[list(rivals)]]
    for row, gap in zip(rivals, gaps, strict=True):
        lead = min(
            float(comparison.advantages[row]) / 4,
            12 * float(comparison.margins[row]),
            _GAP_TELLS * (gap - _CHANCE_GAP),
        )
        doubt += float(np.exp(-max(lead * trust, 0.0)))
    certain = 1 / (1 + doubt)
    is_whole = seen > MOSTLY_SEEN
    fits = 1 / (1 + float(np.exp(-(comparison.fit - _fit_asked(gaps, is_whole)) / 0.012)))
    if trust == 1:
        return certain * fits
    whole = 1 / (1 + float(np.exp(-(comparison.explained - 0.945) / 0.008)))
    return certain * fits * whole


def _fit_asked(gaps: Sequence[float], is_whole: bool) -> float:
    """The fit at which it is even odds that a face lies there and not what is in no deck.

    What is overexposed fits less, but the other faces fit it less still; to what is in no deck
    the best face is hardly nearer than the next.
    """
    if not is_whole or not gaps:
        return _EVEN_FIT
    low, high = _FAR_AHEAD
    return _EVEN_FIT - _FIT_SPARED * float(np.clip((min(gaps) - low) / (high - low), 0, 1))


def energy_of(candidate: Candidate) -> float:
    """Misfit of the small picture."""
    return candidate.energy


def misfit_of(finding: Finding) -> float:
    """Misfit of the face that fits best."""
    return float(finding.comparison.energies[0])


def distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The best of each face and roll."""
    best: dict[tuple[int, int, int], Candidate] = {}
    for candidate in candidates:
        best.setdefault((candidate.bank, candidate.face, candidate.roll), candidate)
    return list(best.values())
