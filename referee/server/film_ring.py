"""The last seconds of a source as JPEG pictures: what pictures and films of claims are made of."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import cv2
import numpy as np

from referee.server.clips import ClipWriter, Shot
from referee.server.evidence import clip_name, picture_name
from vision.frame import Image
from vision.landing_dates import LOOK_BACK_S

FILM_S = (-1.0, 0.8)
"""A film of a claim begins and ends that long after it."""
KEPT_S = LOOK_BACK_S + 1.5 - FILM_S[0]
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
    """Frames of the last seconds, the oldest first, and the evidence that still waits for one.

    Args:
        clips: Writes the films.
    """

    def __init__(self, clips: ClipWriter) -> None:
        self._clips = clips
        self._frames: deque[Shot] = deque()
        self._waiting: list[tuple[float, Path]] = []
        self._films: list[tuple[float, Path]] = []

    def add(self, timestamp_s: float, jpeg: bytes) -> None:
        """Takes the next frame, and forgets those that are too old."""
        self._frames.append((timestamp_s, jpeg))
        while self._frames[0][0] < timestamp_s - KEPT_S:
            self._frames.popleft()
        due = [path for at_s, path in self._waiting if at_s <= timestamp_s]
        self._waiting = [each for each in self._waiting if each[0] > timestamp_s]
        for path in due:
            path.write_bytes(jpeg)
        while self._films and self._films[0][0] + FILM_S[1] <= timestamp_s:
            self._order(*self._films.pop(0))

    def keep(self, stem: Path, t: float, dt: float) -> None:
        """Writes the pictures before, at and after a moment, and a film of it.

        Args:
            stem: Where they lie, without the end of their names.
            t: The first moment at which a thing lay there.
            dt: Half the width of the interval that the frames allow.
        """
        earlier = [jpeg for at_s, jpeg in self._frames if at_s < t - dt - _EPSILON_S]
        later = [jpeg for at_s, jpeg in self._frames if at_s >= t - _EPSILON_S]
        if earlier:
            picture_name(stem, "before").write_bytes(earlier[-1])
        if later:
            picture_name(stem, "at").write_bytes(later[0])
        after_s = t + AFTER_S
        after = [jpeg for at_s, jpeg in self._frames if at_s >= after_s]
        if after:
            picture_name(stem, "after").write_bytes(after[0])
        else:
            self._waiting.append((after_s, picture_name(stem, "after")))
        self._films = sorted([*self._films, (t, clip_name(stem))])

    def finish(self) -> None:
        """Gives what still waits the last frame, and ends the films: no frame will come."""
        for _, path in self._waiting if self._frames else ():
            path.write_bytes(self._frames[-1][1])
        self._waiting = []
        for t, path in self._films:
            self._order(t, path)
        self._films = []
        self._clips.finish()

    def _order(self, t: float, path: Path) -> None:
        from_s, until_s = (t + after_s for after_s in FILM_S)
        self._clips.order(path, [each for each in self._frames if from_s <= each[0] <= until_s])
