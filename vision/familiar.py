"""How the table looks where it was looked at with nothing unknown about: no need to look again.

A hand that passes leaves most of what it moved over as it was. The change gate tells only that it
has come to rest; what was there when a detector last saw it, with no hand near and nothing strange
upon it, is remembered here.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.gate import Cells, MotionGate

_SAME_LEVELS = 5.0
"""Brightness steps within which a place looks the same: less than the gate calls a change, as a
pale card on a pale cloth must be looked at."""


class FamiliarPicture:
    """Cells of the shrunken picture as they looked when they were seen.

    Args:
        gate: Has the newest frame.
    """

    def __init__(self, gate: MotionGate) -> None:
        self._gate = gate
        self._seen = np.zeros(gate.small.shape, np.float32)
        self._is_seen: Cells = np.zeros_like(gate.moving)

    def learn(self, cells: Cells, brightness: float) -> None:
        """Takes how some cells look now.

        Args:
            cells: Where all that lies there was seen.
            brightness: Of the newest frame, as a multiple of the first one's.
        """
        now = self._gate.small * np.float32(1 / brightness)
        cv2.copyTo(now, self._gate.pixels_of(cells), self._seen)
        self._is_seen |= cells

    def forget(self) -> None:
        """Forgets all: the camera was moved."""
        self._is_seen[:] = False

    def cells(self, brightness: float) -> Cells:
        """Cells that look as they did when they were learned."""
        if not self._is_seen.any():
            return self._is_seen.copy()
        expected = self._seen * np.float32(brightness)
        return self._is_seen & ~self._gate.differs_from(expected, _SAME_LEVELS)
