"""What a live table's camera shows, kept as a recording that can be watched again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from queue import Full, Queue

import cv2
import numpy as np

from vision.errors import SourceError
from vision.film import write_film
from vision.frame import Image

_WAITING = 150
"""Frames that may wait: five seconds, 30 MB."""
LACKS_FRAMES = "recording-lacks-frames"
HAS_ENDED = "recording-ended"

TellNotice = Callable[[str, str], None]
"""Takes the code and the text of a notice, from whatever thread."""


class KeptFilm:
    """Writes every frame of a live table into a recording, in a thread of its own.

    The table goes before: where the machine is too slow for both, frames are left out of the
    recording, and that is told once. Matroska can be read whatever stopped the program.

    Args:
        path: The recording, ending in `.mkv`.
        tell: Told what the recording lacks.
    """

    def __init__(self, path: Path, tell: TellNotice) -> None:
        self._path = path
        self._tell = tell
        self._frames: Queue[tuple[float, bytes] | None] = Queue(_WAITING)
        self._lacks_frames = False
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def add(self, timestamp_s: float, jpeg: bytes) -> None:
        """Takes the next frame."""
        try:
            self._frames.put_nowait((timestamp_s, jpeg))
        except Full:
            if not self._lacks_frames:
                self._lacks_frames = True
                text = "this machine is too slow to keep every frame in the recording"
                self._tell(LACKS_FRAMES, text)

    def finish(self) -> None:
        """Waits until all that was taken is written."""
        self._frames.put(None)
        self._thread.join()

    def _work(self) -> None:
        frames = iter(self._frames.get, None)
        try:
            write_film(((_decode(jpeg), at_s) for at_s, jpeg in frames), self._path)
        except SourceError as error:
            reason = str(error).replace(str(self._path), self._path.name)
            self._tell(HAS_ENDED, f"no recording is kept any more: {reason}")
            for _ in frames:
                pass  # what still comes is not kept


def _decode(jpeg: bytes) -> Image:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def parts_of(folder: Path, table_id: str) -> list[Path]:
    """Returns the recordings of a table, in order; each time that it is watched makes one."""
    found = folder.glob(f"{table_id}-*.mkv")
    return sorted(found, key=lambda path: (len(path.name), path.name))


def next_part(folder: Path, table_id: str) -> Path:
    """Returns where the next recording of a table goes."""
    return folder / f"{table_id}-{len(parts_of(folder, table_id)) + 1}.mkv"
