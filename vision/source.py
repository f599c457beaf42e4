"""Where frames come from: video files read with their own timestamps and rotation.

Every frame of a file is given, none dropped as if it were live (failure C22), and times are the
file's presentation timestamps, never a frame counter divided by a nominal rate (failure C17).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

import av
import av.error
import av.video.frame
import av.video.reformatter
import av.video.stream
import cv2
import numpy as np

from vision.errors import SourceError
from vision.frame import Frame, Image
from vision.gate import shrink
from vision.read_ahead import read_ahead

_PLANAR_LUMA = frozenset({"yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "nv12", "gray"})
_QUARTER_TURNS = {
    1: cv2.ROTATE_90_COUNTERCLOCKWISE,
    2: cv2.ROTATE_180,
    3: cv2.ROTATE_90_CLOCKWISE,
}

_PIXELS_AHEAD = 45 * 2**20
"""Pixels that may wait decoded, a byte and a half each: one and a half seconds of 720p."""
_MOST_AHEAD = 48

_OWN = threading.local()
"""What makes colours of pictures, one for each thread: making one anew takes longer than using
it."""

_HDR_TRANSFERS = frozenset({16, 18})
"""PQ and HLG, by their numbers in ITU-T H.273: their brightness is not the one of usual video."""
_HDR = "the video is HDR and looks washed out here; turn HDR off in the camera's settings"


class FrameSource(Protocol):
    """Something that gives frames in the order of time."""

    @property
    def frame_count(self) -> int | None:
        """About how many frames there will be, or None where nobody knows."""

    @property
    def broken(self) -> str | None:
        """Why the source ended early, in one sentence, or None."""

    def frames(self) -> Iterator[Frame]:
        """Frames with strictly increasing timestamps."""


class VideoFile:
    """A recording on disk.

    Args:
        path: Any file that FFmpeg can demux.

    Attributes:
        remarks: What a person should know about the file, in words.

    Raises:
        SourceError: The file is missing, is no video, or holds no frame.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._broken: str | None = None
        self.remarks: tuple[str, ...] = ()
        if not path.is_file():
            raise SourceError(f"{path}: expected a video file, found {_what_is_there(path)}")
        try:
            with av.open(str(path)) as container:
                if not container.streams.video:
                    raise SourceError(f"{path}: expected a video, the file holds no video stream")
                stream = container.streams.video[0]
                self._frame_count = _expected_frames(stream)
                self._size_px = stream.width * stream.height
                if stream.codec_context.color_trc in _HDR_TRANSFERS:
                    self.remarks = (_HDR,)
        except (av.error.FFmpegError, OSError) as error:
            raise SourceError(
                f"{path}: expected a video file, it cannot be read as one ({_reason(error)})"
            ) from error

    @property
    def frame_count(self) -> int | None:
        """Frames by the container's own account; a truncated file has fewer."""
        return self._frame_count

    @property
    def broken(self) -> str | None:
        """Why decoding stopped before the end of the file, or None."""
        return self._broken

    def frames(self) -> Iterator[Frame]:
        """Decodes the whole file; a broken tail ends the iteration and sets `broken`.

        The pictures are decoded ahead on a thread of their own: most pass the gate in a moment,
        and while one is looked at the decoder need not wait. That thread does nothing else, as it
        and whoever uses the frames would take the interpreter from each other.

        Raises:
            SourceError: Not a single frame could be decoded.
        """
        self._broken = None
        index = 0
        start_s = last_s = 0.0
        for picture in self._pictures():
            if picture.pts is None or picture.time is None:
                continue
            if index == 0:
                start_s = picture.time
            timestamp_s = picture.time - start_s
            if index and timestamp_s <= last_s:
                continue  # a doubled timestamp says nothing new about when (failure C18)
            last_s = timestamp_s
            frame = to_frame(picture, index, timestamp_s)
            yield replace(frame, small=shrink(frame.luma))
            index += 1
        if index == 0:
            raise SourceError(f"{self.path}: expected a video, not one frame can be decoded")
        if self._broken is None and self._frame_count and index < 0.9 * self._frame_count:
            self._broken = f"only {index} of {self._frame_count} frames are there"

    def _pictures(self) -> Iterator[av.video.frame.VideoFrame]:
        """What can be decoded; sets `broken` where the rest cannot."""
        count = 0
        with av.open(str(self.path)) as container:
            stream = container.streams.video[0]
            stream.thread_type = "AUTO"
            # One processor is for whoever looks at the frames.
            stream.codec_context.thread_count = max(1, (os.cpu_count() or 1) - 1)
            ahead = read_ahead(container.decode(stream), _frames_ahead(self._size_px))
            # The thread must have ended before the container that it reads is closed.
            with closing(ahead):
                try:
                    for picture in ahead:
                        yield picture
                        count += 1
                except av.error.FFmpegError as error:
                    self._broken = f"decoding stopped after frame {count} ({_reason(error)})"


def _frames_ahead(size_px: int) -> int:
    return int(np.clip(_PIXELS_AHEAD // max(size_px, 1), 2, _MOST_AHEAD))


def to_frame(picture: av.video.frame.VideoFrame, index: int, timestamp_s: float) -> Frame:
    """A frame of a decoded picture, upright as its rotation tag says."""
    turns = (picture.rotation // 90) % 4
    return Frame(index, timestamp_s, _turn(_luma(picture), turns), partial(_to_bgr, picture, turns))


def _luma(picture: av.video.frame.VideoFrame) -> Image:
    if picture.format.name in _PLANAR_LUMA:
        plane = picture.planes[0]
        rows: Image = np.frombuffer(memoryview(plane), np.uint8).reshape(
            plane.height, plane.line_size
        )
        return rows[: picture.height, : picture.width]
    return np.asarray(picture.to_ndarray(format="gray"), np.uint8)


def _to_bgr(picture: av.video.frame.VideoFrame, turns: int) -> Image:
    if not hasattr(_OWN, "reformatter"):
        _OWN.reformatter = av.video.reformatter.VideoReformatter()
    coloured = _OWN.reformatter.reformat(picture, format="bgr24")
    return np.ascontiguousarray(_turn(np.asarray(coloured.to_ndarray(), np.uint8), turns))


def _turn(image: Image, quarter_turns: int) -> Image:
    """Turns counter-clockwise, as FFmpeg's display matrix counts."""
    if quarter_turns == 0:
        return image
    return np.asarray(cv2.rotate(image, _QUARTER_TURNS[quarter_turns]), np.uint8)


def _expected_frames(stream: av.video.stream.VideoStream) -> int | None:
    if stream.frames:
        return stream.frames
    if stream.duration and stream.time_base and stream.average_rate:
        return round(float(stream.duration * stream.time_base * stream.average_rate))
    return None


def _what_is_there(path: Path) -> str:
    return "a folder" if path.is_dir() else "nothing there"


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
