"""Network streams: RTSP cameras, phones and anything that FFmpeg reads over HTTP.

Only the address that a person named is opened: the protocols are a short list, formats that name
other addresses (playlists) are not read, and no redirect is followed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import av
import av.error
import av.video.frame

from vision.camera import Shot
from vision.errors import SourceError
from vision.live_feed import Feed, FeedLostError
from vision.source import to_frame

SCHEMES = ("rtsp", "rtsps", "http", "https")
_PROTOCOLS = {
    "rtsp": "rtsp,rtp,tcp,udp",
    "rtsps": "rtsp,rtp,tcp,udp,tls",
    "http": "http,tcp",
    "https": "https,http,tls,tcp",
}
_FORMATS = "rtsp,rtp,sdp,mpjpeg,mjpeg,jpeg_pipe,mpegts,matroska,webm,mov,mp4,flv,asf,avi,h264,hevc"
_CLOCKLESS = frozenset({"mpjpeg", "mjpeg", "jpeg_pipe", "h264", "hevc"})
"""Formats without a time of their own: FFmpeg makes one up at 25 frames a second."""
_OPEN_S, _READ_S = 10.0, 5.0


class StreamFeed(Feed):
    """A stream at an address.

    Times come from the sender where the format carries them, so that a network that delivers in
    bursts does not shift claims (failure C21); else the arrival counts.

    Args:
        url: The address, exactly as a person gave it.

    Raises:
        SourceError: It is no address of a stream.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._scheme, name = _split(url)
        super().__init__(name)
        self._container: Any = None
        self._pictures: Iterator[av.video.frame.VideoFrame] = iter(())
        self._has_clock = False
        self._is_finite = False
        self._offset_s: float | None = None

    def open(self) -> list[str]:
        """Connects.

        Raises:
            SourceError: There is no stream of pictures at this address.
        """
        options = {
            "protocol_whitelist": _PROTOCOLS[self._scheme],
            "format_whitelist": _FORMATS,
            # What is read to find out about the stream is old by then, and not shown.
            "fflags": "nobuffer",
            "analyzeduration": "500000",
        }
        options |= {"rtsp_transport": "tcp"} if "rtsp" in self._scheme else {"max_redirects": "0"}
        try:
            self._container = av.open(self._url, options=options, timeout=(_OPEN_S, _READ_S))
            streams = self._container.streams.video
            if not streams:
                raise SourceError(f"{self.name}: expected pictures, the stream has none")
            self._pictures = self._container.decode(streams[0])
        except (av.error.FFmpegError, OSError) as error:
            reason = getattr(error, "strerror", None) or self._masked(str(error))
            # Without its cause, which names the whole address, password and all.
            raise SourceError(f"{self.name}: expected a stream, got: {reason}") from None
        names = set(self._container.format.name.split(","))
        self._has_clock = not names & _CLOCKLESS
        self._is_finite = self._container.duration is not None
        self._offset_s = None
        if self._has_clock:
            return []
        return ["the stream carries no times of its own; claims are timed by when frames arrive"]

    def read(self) -> Shot | None:
        """Waits for the next picture; None at the end of a stream that has one.

        Raises:
            FeedLostError: None came.
        """
        try:
            picture = next(self._pictures, None)
        except (av.error.FFmpegError, OSError) as error:
            reason = getattr(error, "strerror", None) or self._masked(str(error))
            raise FeedLostError(f"the stream stopped ({reason})") from None
        if picture is None:
            if self._is_finite:
                return None
            raise FeedLostError("the stream ended")
        frame = to_frame(picture, 0, 0.0)
        time_s = self._time_of(picture, time.monotonic())
        return Shot(time_s, frame.luma, frame.to_bgr, frame.luma.size * 3 // 2)

    def close(self) -> None:
        """Disconnects."""
        if self._container is not None:
            self._container.close()
            self._container = None
        self._pictures = iter(())

    def _masked(self, text: str) -> str:
        return masked(text, self._url)

    def _time_of(self, picture: av.video.frame.VideoFrame, arrived_s: float) -> float:
        """The sender's time, carried over to the clock of this machine at the first picture."""
        if not self._has_clock or picture.pts is None or picture.time is None:
            return arrived_s
        if self._offset_s is None:
            self._offset_s = arrived_s - picture.time
        time_s = picture.time + self._offset_s
        self.lag_s = arrived_s - time_s
        return time_s


def public_address(url: str) -> str:
    """The address of a stream as it may be shown and logged: without a password or a query.

    >>> public_address("rtsp://me:secret@10.0.0.7:554/table?key=1")
    'rtsp://10.0.0.7:554/table'

    Raises:
        SourceError: It is no address of a stream.
    """
    return _split(url)[1]


def masked(text: str, url: str) -> str:
    """A text that may hold the address of a stream, with no more of it than may be shown.

    >>> masked("cannot open 'rtsp://me:secret@10.0.0.7/table'", "rtsp://me:secret@10.0.0.7/table")
    "cannot open 'rtsp://10.0.0.7/table'"

    Raises:
        SourceError: It is no address of a stream.
    """
    text = text.replace(url, public_address(url))
    secret, _, _ = urlsplit(url).netloc.rpartition("@")
    return text.replace(f"{secret}@", "") if secret else text


def _split(url: str) -> tuple[str, str]:
    """The scheme of an address, and what may be shown of it."""
    expected = f"expected the address of a stream ({', '.join(SCHEMES)})"
    if not url.isprintable() or " " in url:
        raise SourceError(f"{url!r}: {expected}, without spaces and line breaks")
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError as error:  # a port of no number, half of an IPv6 address
        raise SourceError(f"{url}: {expected}, got: {error}") from error
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise SourceError(f"{url}: {expected}")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return parts.scheme, f"{parts.scheme}://{host}{port}{parts.path}"
