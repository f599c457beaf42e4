"""Where a watched board lies in the picture, as the camera is moved, sinks, or loses it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.board import BoardReader
from vision.board_registration import Registration
from vision.board_view import BoardView
from vision.errors import NoTableError
from vision.frame import Frame
from vision.stopwatch import stopwatch

_SEEK_EVERY_S = 1.0
"""While no board is seen it is sought this often: it takes about as long as a second's frames."""
_LONGEST_SEEK_S = 8.0
_PLACE_AGAIN_S = 5.0
"""A camera on a soft arm sinks by a few pixels a minute: before a look the board is fitted anew."""

Homography = NDArray[np.float64]
"""(3, 3), from the pixels of an old frame to those of a new one."""


class PlaceKeeper:
    """Knows where one board lies.

    Args:
        reader: Of the board.

    Attributes:
        place: Where it lies, or None while it is not seen.
        was_seen: Whether it has ever been found.
    """

    def __init__(self, reader: BoardReader) -> None:
        self._reader = reader
        self.place: Registration | None = None
        self.was_seen = False
        self._last: Registration | None = None
        self._brightness = 1.0
        self._fitted_s = 0.0
        self._seek_s, self._wait_s = -np.inf, _SEEK_EVERY_S

    def seek(self, frame: Frame, brightness: float) -> bool:
        """Looks for the board in the whole picture, if its time has come."""
        if frame.timestamp_s < self._seek_s:
            return False
        self._seek_s = frame.timestamp_s + self._wait_s
        self._wait_s = min(2 * self._wait_s, _LONGEST_SEEK_S)
        try:
            with stopwatch("board"):
                found = self._reader.find(frame.to_bgr())
        except NoTableError:
            return False
        self._wait_s = _SEEK_EVERY_S
        self._take(found, frame.timestamp_s, brightness)
        return True

    def lose(self, frame: Frame) -> None:
        """The board is not where it was; it is sought from now on."""
        self.place = None
        self._seek_s = frame.timestamp_s + self._wait_s

    def fit(self, frame: Frame, brightness: float) -> bool:
        """Fits the board to the picture once more; False where too little of it agrees."""
        self._fitted_s = frame.timestamp_s
        if self.place is None:
            return False
        with stopwatch("board"):
            found = self._reader.finder.refine(frame.to_bgr(), self.place.view)
        if found is not None:
            self._take(found, frame.timestamp_s, brightness)
        return found is not None

    def is_due(self, timestamp_s: float) -> bool:
        """Whether the last fit is so old that the camera may have sunk."""
        return timestamp_s - self._fitted_s > _PLACE_AGAIN_S

    def move(self, homography: Homography) -> None:
        """The picture went elsewhere, and the board with it."""
        if self.place is not None:
            view = self.place.view
            moved = BoardView(np.asarray(homography @ view.matrix), view.lens, view.image_wh)
            self.place = replace(self.place, view=moved)

    def went(self) -> Homography | None:
        """Where the board went since this was asked last, or None where it was not seen then."""
        before, self._last = self._last, self.place
        if before is None or self.place is None:
            self._last = self.place or before
            return None
        return np.asarray(self.place.view.matrix @ np.linalg.inv(before.view.matrix))

    def lit(self, brightness: float) -> Registration | None:
        """Where it lies, its print as bright as it is now."""
        if self.place is None:
            return None
        patches = self.place.patches
        gains = patches.gains * (brightness / self._brightness)
        return replace(self.place, patches=replace(patches, gains=gains))

    def _take(self, place: Registration, timestamp_s: float, brightness: float) -> None:
        self.place, self.was_seen = place, True
        self._brightness, self._fitted_s = brightness, timestamp_s
