"""A detection on its way to a reading."""

from __future__ import annotations

from dataclasses import dataclass

from vision.flatten import Quad
from vision.sighting import Effort, FaceMatch
from vision.table import PieceKind

SURE_SCORE = 0.95
"""From this score on a piece is used to judge others by: plane, white balance, cover."""

_SURE_FIT = 0.9


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One detection on its way to a reading.

    Attributes:
        kind: What the detector took it for.
        confidence: How sure the detector is.
        box: Its box.
        corners: The box laid onto edges.
        effort: How much it is worth where it does not lie in plain view.
        match: The face that was found there.
        attempt: How it was last tried and what was known then: whether there was a table plane,
            which sure faces touch it, and what it looked like. It is tried again when more is
            known.
    """

    kind: PieceKind
    confidence: float
    box: Quad
    corners: Quad
    effort: Effort = Effort.THOROUGH
    match: FaceMatch | None = None
    attempt: tuple[Effort, bool, tuple[str, ...], str] | None = None

    @property
    def quad(self) -> Quad:
        """The best known corners: of the face where it is named."""
        return self.match.quad_px if self.match is not None and self.is_named else self.corners

    @property
    def is_named(self) -> bool:
        """Whether the piece has a name."""
        return self.match is not None and self.match.id is not None

    @property
    def is_sure(self) -> bool:
        """Whether other pieces may be judged by this one."""
        match = self.match
        return match is not None and match.score >= SURE_SCORE and match.fit >= _SURE_FIT
