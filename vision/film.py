"""Writing a film: the frames of a recording, painted anew, at their own times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import cast

import av
import numpy as np

from vision.errors import SourceError
from vision.frame import Frame, Image

Paint = Callable[[Image, float], Image]
"""Takes a frame (height, width, 3, uint8, BGR) and its time in seconds, returns it painted."""

_CODECS = (("libx264", {"preset": "veryfast", "crf": "21"}), ("mpeg4", {"q": "4"}))
"""Best first; an FFmpeg without x264 still has its own MPEG-4."""

_CLOCK = Fraction(1, 90_000)
"""The film's clock: fine enough for every frame rate and for irregular frames."""


class Film:
    """An H.264 file being written, frame by frame."""

    def __init__(self, path: Path, size_wh: tuple[int, int]) -> None:
        """Chooses the encoder; the file itself is opened with the first frame that is written.

        Raises:
            SourceError: If no encoder is there.
        """
        # Chroma comes in blocks of 2x2 pixels, so an odd last line or column is left out.
        self._width, self._height = size_wh[0] // 2 * 2, size_wh[1] // 2 * 2
        codec, options = _best_codec()
        self._path = path
        self._container = av.open(str(path), "w")
        stream = self._container.add_stream(codec, rate=30, options=options)
        self._stream = cast(av.VideoStream, stream)
        self._stream.width, self._stream.height = self._width, self._height
        self._stream.pix_fmt = "yuv420p"
        self._stream.codec_context.time_base = _CLOCK
        self._last_pts = -1

    def close(self) -> None:
        """Writes what the encoder still holds and the end of the file.

        Raises:
            SourceError: If the file cannot be written.
        """
        self._write(None)
        with self._refusals_told():
            self._container.close()

    def _write(self, frame: av.VideoFrame | None) -> None:
        with self._refusals_told():
            self._container.mux(self._stream.encode(frame))

    @contextmanager
    def _refusals_told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = error.strerror or error
            raise SourceError(
                f"{self._path}: expected a file to write to, got: {reason}"
            ) from error

    def add(self, image_bgr: Image, timestamp_s: float) -> None:
        """Appends a frame of (height, width, 3) uint8 that is shown from this time on.

        Raises:
            SourceError: If the file cannot be written.
        """
        whole = np.ascontiguousarray(image_bgr[: self._height, : self._width])
        frame = av.VideoFrame.from_ndarray(whole, format="bgr24")
        self._last_pts = max(round(timestamp_s / _CLOCK), self._last_pts + 1)
        frame.pts, frame.time_base = self._last_pts, _CLOCK
        self._write(frame)


def repaint(frames: Iterable[Frame], path: Path, paint: Paint) -> int:
    """Writes every frame of a recording, painted, and returns how many there were.

    Raises:
        SourceError: If there are no frames, or the file cannot be written.
    """
    count = write_film(
        ((paint(frame.to_bgr(), frame.timestamp_s), frame.timestamp_s) for frame in frames), path
    )
    if not count:
        raise SourceError(f"{path}: expected frames to write, got none")
    return count


def write_film(pictures: Iterable[tuple[Image, float]], path: Path) -> int:
    """Writes pictures, each with its time in seconds, and returns how many there were.

    The first one gives the size; of no pictures no file is made.

    Raises:
        SourceError: If the file cannot be written.
    """
    count = 0
    film: Film | None = None
    try:
        for image, timestamp_s in pictures:
            film = film or Film(path, (image.shape[1], image.shape[0]))
            film.add(image, timestamp_s)
            count += 1
    finally:
        if film is not None:
            film.close()
    return count


def _best_codec() -> tuple[str, dict[str, str]]:
    for name, options in _CODECS:
        if name in av.codecs_available:
            return name, options
    raise SourceError("expected an FFmpeg that can write H.264 or MPEG-4, got one without")
