"""Short films of claims, written beside the watching: nothing waits for them."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Sequence
from pathlib import Path
from queue import Full, Queue

import cv2
import numpy as np

from referee.pictures import picture_size
from vision.errors import SourceError
from vision.film import write_film
from vision.frame import Image

_log = logging.getLogger(__name__)

Shot = tuple[float, bytes]
"""When a frame was, in seconds, and the frame as JPEG."""

_WIDEST_PX = 640
"""The pictures beside a film show what is small; the film shows what moved."""
_MOST_FRAMES = 90
"""Of a film of two seconds: all of them at 30 frames a second, every third at 120."""
_MOST_FILMS = 400
"""At a table: about 40 MB. The oldest film goes first; the pictures of its claim stay."""
_WAITING = 8
_PART = ".part"


class ClipWriter:
    """Writes films one after another in a thread of its own.

    Args:
        is_patient: Whether an order waits while many others do. At a live table it is left out
            instead: a claim without its film is better than frames that come late.

    Attributes:
        is_patient: The same, as it is now.
    """

    def __init__(self, is_patient: bool) -> None:
        self.is_patient = is_patient
        self._orders: Queue[tuple[Path, Sequence[Shot]] | None] = Queue(_WAITING)
        self._thread: threading.Thread | None = None

    def order(self, path: Path, shots: Sequence[Shot]) -> None:
        """Has a film written; it is there, whole, some time later."""
        if not shots:
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, daemon=True)
            self._thread.start()
        try:
            self._orders.put((path, shots), block=self.is_patient)
        except Full:
            _log.warning("%s is left out: too many films wait to be written", path.name)

    def finish(self) -> None:
        """Waits for all films that were ordered."""
        if self._thread is not None:
            self._orders.put(None)
            self._thread.join()
            self._thread = None

    def _work(self) -> None:
        while (order := self._orders.get()) is not None:
            path, shots = order
            try:
                write_clip(path, shots)
                _forget_oldest(path.parent)
            except (SourceError, OSError) as error:
                _log.warning("%s is left out: %s", path.name, error)


def write_clip(path: Path, shots: Sequence[Shot]) -> None:
    """Writes an H.264 film of some frames, at most 640 pixels wide; its time begins at 0.

    Raises:
        SourceError: If it cannot be written.
    """
    part = path.with_name(f"{path.stem}{_PART}{path.suffix}")
    try:
        few = shots[:: math.ceil(len(shots) / _MOST_FRAMES)]
        write_film(((_small(jpeg), at_s - few[0][0]) for at_s, jpeg in few), part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _small(jpeg: bytes) -> Image:
    # A JPEG is decoded at a half or a quarter of its size for much less than at the whole.
    wide = (picture_size(jpeg) or (0, 0))[0]
    flag = cv2.IMREAD_COLOR
    if wide > 2 * _WIDEST_PX:
        flag = cv2.IMREAD_REDUCED_COLOR_4
    elif wide > _WIDEST_PX:
        flag = cv2.IMREAD_REDUCED_COLOR_2
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), flag) if jpeg else None
    if image is None:
        raise SourceError("expected a frame as JPEG, got other data")
    return np.asarray(image, np.uint8)


def _forget_oldest(folder: Path) -> None:
    films = [path for path in folder.glob("*.mp4") if _PART not in path.suffixes]
    if len(films) > _MOST_FILMS:
        films.sort(key=lambda path: path.stat().st_mtime_ns)
        for path in films[:-_MOST_FILMS]:
            path.unlink(missing_ok=True)
