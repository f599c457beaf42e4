"""Writes frames into an MP4 file with true timestamps and, if asked, a rotation tag."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import cast

import av
import numpy as np
from av.codec import Codec
from av.codec.codec import UnknownCodecError
from av.video.stream import VideoStream

from datasets.art.paint import Image

_FIXED = 1 << 16  # 16.16 numbers in the box that says how a picture is turned
_W_ONE = 1 << 30


@dataclass(frozen=True, slots=True)
class Format:
    """How frames are stored.

    Attributes:
        size: Width and height of the frames as people see them.
        fps: Nominal frames a second.
        ticks: Of the clock in a second.
        quality: Constant rate factor of H.264; lower is better and larger.
        preset: How much work H.264 takes to make the file small.
        turned: Whether the picture is stored turned, with a tag that says so.
    """

    size: tuple[int, int]
    fps: int
    ticks: int
    quality: int = 24
    preset: str = "medium"
    turned: bool = False


def write_video(path: Path, frames: Iterable[tuple[Image, int]], form: Format) -> None:
    """Writes frames (BGR) with the tick at which each is shown."""
    width, height = form.size
    with av.open(str(path), "w", options={"movflags": "faststart"}) as container:
        stream = cast(VideoStream, container.add_stream(_codec(), rate=form.fps))
        stream.width, stream.height = (height, width) if form.turned else (width, height)
        stream.pix_fmt = "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, form.ticks)
        if stream.codec_context.name == "libx264":
            stream.options = {"preset": form.preset, "crf": str(form.quality)}
        else:
            stream.bit_rate = 4_000_000
        for image, tick in frames:
            stored = np.ascontiguousarray(np.rot90(image)) if form.turned else image
            frame = av.VideoFrame.from_ndarray(stored, format="bgr24").reformat(format="yuv420p")
            frame.pts, frame.time_base = tick, Fraction(1, form.ticks)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    if form.turned:
        _tag_rotation(path, (height, width))


def _codec() -> str:
    try:
        Codec("libx264", "w")
    except UnknownCodecError:
        return "mpeg4"
    return "libx264"


def _tag_rotation(path: Path, stored: tuple[int, int]) -> None:
    """Sets the track's matrix so that a player turns the picture a quarter clockwise."""
    data = bytearray(path.read_bytes())
    at = data.index(b"tkhd") + 4
    matrix = at + (52 if data[at] == 1 else 40)
    numbers = (0, _FIXED, 0, -_FIXED, 0, 0, stored[1] * _FIXED, 0, _W_ONE)
    data[matrix : matrix + 36] = struct.pack(">9i", *numbers)
    path.write_bytes(data)
