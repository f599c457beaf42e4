"""The last seconds of a source as JPEG pictures: what evidence is taken from."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import cv2
import numpy as np

from vision.frame import Image
from vision.pipeline import LOOK_BACK_S

KEPT_S = LOOK_BACK_S + 1.5
"""A landing is searched this far back, and becomes known a moment after it was found."""
AFTER_S = 0.5
"""The picture after a claim is taken this long after it."""
_WIDEST_PX = 1280
_QUALITY = 82
_EPSILON_S = 0.001
"""Times of claims are rounded to a millisecond."""


def encode_jpeg(image_bgr: Image, widest_px: int = _WIDEST_PX) -> bytes:
    """Returns a picture as JPEG, made smaller where it is wider than that."""
    height, width = image_bgr.shape[:2]
    if width > widest_px:
        size = (widest_px, round(height * widest_px / width))
        image_bgr = np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    done, data = cv2.imencode(".jpg", image_bgr, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))
    return data.tobytes() if done else b""


class FilmRing:
    """Frames of the last seconds, the oldest first, and the evidence that still waits for one."""

    def __init__(self) -> None:
        self._frames: deque[tuple[float, bytes]] = deque()
        self._waiting: list[tuple[float, Path]] = []

    def add(self, timestamp_s: float, jpeg: bytes) -> None:
        """Takes the next frame, and forgets those that are too old."""
        self._frames.append((timestamp_s, jpeg))
        while self._frames[0][0] < timestamp_s - KEPT_S:
            self._frames.popleft()
        due = [path for at_s, path in self._waiting if at_s <= timestamp_s]
        self._waiting = [each for each in self._waiting if each[0] > timestamp_s]
        for path in due:
            path.write_bytes(jpeg)

    def keep(self, stem: Path, t: float, dt: float) -> None:
        """Writes the pictures before, at and after a moment: `STEM-before.jpg` and so on.

        Args:
            stem: Where they lie, without the end of their names.
            t: The first moment at which a thing lay there.
            dt: Half the width of the interval that the frames allow.
        """
        earlier = [jpeg for at_s, jpeg in self._frames if at_s < t - dt - _EPSILON_S]
        later = [jpeg for at_s, jpeg in self._frames if at_s >= t - _EPSILON_S]
        if earlier:
            _named(stem, "before").write_bytes(earlier[-1])
        if later:
            _named(stem, "at").write_bytes(later[0])
        after_s = t + AFTER_S
        after = [jpeg for at_s, jpeg in self._frames if at_s >= after_s]
        if after:
            _named(stem, "after").write_bytes(after[0])
        else:
            self._waiting.append((after_s, _named(stem, "after")))

    def finish(self) -> None:
        """Gives what still waits the last frame: none will come."""
        for _, path in self._waiting if self._frames else ():
            path.write_bytes(self._frames[-1][1])
        self._waiting = []


def _named(stem: Path, moment: str) -> Path:
    return stem.with_name(f"{stem.name}-{moment}.jpg")
