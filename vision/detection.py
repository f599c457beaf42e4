"""What a detector found in one picture: parallel arrays, validated once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.table import PieceKind

KINDS: tuple[PieceKind, ...] = (
    PieceKind.CARD,
    PieceKind.CAMERA,
    PieceKind.PATH,
    PieceKind.CHIP,
    PieceKind.BACK,
    PieceKind.HAND,
)
"""Kinds in the order of the class numbers of every model."""


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """Pieces found in one picture, a row each.

    Attributes:
        quads: (N, 4, 2) float32 corners in pixels, clockwise (y down).
        class_id: (N,) int64, a place in `KINDS`.
        confidence: (N,) float32 from 0 to 1.
    """

    quads: NDArray[np.float32]
    class_id: NDArray[np.int64]
    confidence: NDArray[np.float32]

    def __post_init__(self) -> None:
        count = len(self.confidence)
        _check("quads", self.quads, (count, 4, 2), "float32")
        _check("class_id", self.class_id, (count,), "int64")
        _check("confidence", self.confidence, (count,), "float32")
        if count and not (self.class_id.min() >= 0 and self.class_id.max() < len(KINDS)):
            raise ValueError(f"class_id holds {self.class_id.tolist()}; expected 0 to 5")
        if not np.isfinite(self.quads).all():
            raise ValueError("quads hold values that are not finite")

    @classmethod
    def empty(cls) -> Detections:
        """Detections of a picture that shows nothing."""
        return cls(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.int64), np.zeros(0, np.float32))

    def __len__(self) -> int:
        return len(self.confidence)

    def kind(self, row: int) -> PieceKind:
        """What the piece in a row was taken for."""
        return KINDS[int(self.class_id[row])]

    def rows_of(self, kind: PieceKind) -> list[int]:
        """The rows of all pieces that were taken for a kind."""
        return [row for row in range(len(self)) if self.kind(row) is kind]

    def select(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Detections:
        """The given rows, in their order."""
        return Detections(self.quads[rows], self.class_id[rows], self.confidence[rows])

    def joined(self, others: Detections) -> Detections:
        """These pieces, and then others."""
        return Detections(
            np.concatenate([self.quads, others.quads]),
            np.concatenate([self.class_id, others.class_id]),
            np.concatenate([self.confidence, others.confidence]),
        )

    def shifted(self, offset_px: tuple[float, float]) -> Detections:
        """The same pieces in a picture whose origin lies elsewhere."""
        moved = self.quads + np.array(offset_px, np.float32)
        return Detections(moved.astype(np.float32), self.class_id, self.confidence)


def _check(name: str, array: NDArray[np.generic], shape: tuple[int, ...], kind: str) -> None:
    if array.shape != shape or array.dtype != np.dtype(kind):
        raise ValueError(
            f"{name} has shape {array.shape} and type {array.dtype}; expected {shape} of {kind}"
        )
