"""Streams over HTTP on the loopback: phones that send pictures, senders with a clock."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import IO

import av
import cv2
import numpy as np
import pytest

from tests.vision.fake_camera import QUICK
from vision.errors import SourceError
from vision.live import LiveSource
from vision.live_stream import StreamFeed

Send = Callable[[IO[bytes]], None]


@contextmanager
def serving(kind: str, send: Send, moved_to: str = "", length: int = 0) -> Iterator[str]:
    """A server that answers every request with this, of a length where it has one."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(302 if moved_to and self.path == "/" else 200)
            if moved_to:
                self.send_header("Location", moved_to)
            if length:
                self.send_header("Content-Length", str(length))
            self.send_header("Content-Type", kind)
            self.end_headers()
            with suppress(OSError):  # the reader has gone
                send(self.wfile)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def picture(index: int) -> np.ndarray:
    noise = np.random.default_rng(index).integers(0, 255, (48, 64, 3))
    return noise.astype(np.uint8)


def phone(count: int) -> Send:
    """What phone apps send: a JPEG after the other, without times."""

    def send(out: IO[bytes]) -> None:
        for index in range(count):
            data = cv2.imencode(".jpg", picture(index))[1].tobytes()
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            out.write(head.encode() + data + b"\r\n")
            out.flush()
            time.sleep(0.04)

    return send


def encoded(count: int, fps: int, container_format: str = "mpegts") -> bytes:
    """MPEG-TS, as network cameras send it, or a file: every frame with the sender's time."""
    buffer = io.BytesIO()
    with av.open(buffer, "w", format=container_format) as container:
        stream = container.add_stream("libx264", rate=fps)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.options = {"tune": "zerolatency", "preset": "ultrafast", "g": "5"}
        for index in range(count):
            frame = av.VideoFrame.from_ndarray(picture(index), format="bgr24")
            frame.pts, frame.time_base = index, Fraction(1, fps)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return buffer.getvalue()


def in_bursts(data: bytes, parts: int, pause_s: float) -> Send:
    def send(out: IO[bytes]) -> None:
        size = -(-len(data) // parts)
        for start in range(0, len(data), size):
            out.write(data[start : start + size])
            out.flush()
            time.sleep(pause_s)

    return send


def test_a_phone_is_timed_by_arrival_and_that_is_told_c21() -> None:
    told: list[str] = []
    with serving("multipart/x-mixed-replace; boundary=frame", phone(40)) as url:
        source = LiveSource(lambda: StreamFeed(url), QUICK)
        source.subscribe(lambda notice: told.append(notice.text))
        times_s, size = [], (0, 0)
        for frame in source.frames():
            times_s.append(frame.timestamp_s)
            size = frame.to_bgr().shape[:2]
            if len(times_s) == 15:
                source.close()
    assert size == (48, 64)
    assert any("timed by when frames arrive" in text for text in told)
    assert times_s[-1] - times_s[5] > 9 * 0.03


def test_frames_in_bursts_keep_the_senders_times_c21() -> None:
    data = encoded(120, fps=25)
    with serving("video/mp2t", in_bursts(data, 16, 0.1)) as url:
        source = LiveSource(lambda: StreamFeed(url), QUICK)
        times_s = []
        for frame in source.frames():
            times_s.append(frame.timestamp_s)
            if len(times_s) == 30:
                source.close()
    assert np.diff(times_s) == pytest.approx([0.04] * 29, abs=1e-6)


def test_a_stream_that_stops_is_opened_again_c15() -> None:
    told: list[str] = []
    with serving("multipart/x-mixed-replace; boundary=frame", phone(12)) as url:
        source = LiveSource(lambda: StreamFeed(url), QUICK)
        source.subscribe(lambda notice: told.append(notice.code))
        for _ in source.frames():
            if "camera-back" in told:
                source.close()
    assert [code for code in told if code in ("camera-lost", "camera-back")] == [
        "camera-lost",
        "camera-back",
    ]


def test_a_stream_that_ends_is_opened_again_and_a_film_is_over_c15() -> None:
    for kind, comes_back in (("mpegts", True), ("matroska", False)):
        told: list[str] = []
        data = encoded(60, 25, kind)
        with serving("video/x", in_bursts(data, 1, 0), length=len(data)) as url:
            source = LiveSource(partial(StreamFeed, url), QUICK)
            source.subscribe(lambda notice, told=told: told.append(notice.code))
            for _ in source.frames():
                if "camera-back" in told:
                    source.close()
        assert ("camera-back" in told) == comes_back


def test_no_redirect_is_followed_to_what_nobody_named() -> None:
    asked: list[bool] = []

    def send_and_tell(out: IO[bytes]) -> None:
        asked.append(True)
        phone(30)(out)

    kind = "multipart/x-mixed-replace; boundary=frame"
    with (
        serving(kind, send_and_tell) as elsewhere,
        serving(kind, lambda _: None, moved_to=elsewhere) as url,
        pytest.raises(SourceError, match="expected a stream"),
    ):
        StreamFeed(url).open()
    assert asked == []


def test_a_playlist_that_names_other_addresses_is_not_read() -> None:
    asked: list[bool] = []

    def send_and_tell(out: IO[bytes]) -> None:
        asked.append(True)

    with serving("video/mp2t", send_and_tell) as elsewhere:
        playlist = f"#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n{elsewhere}a.ts\n#EXT-X-ENDLIST"
        listed = playlist.encode()
        with (
            serving("application/vnd.apple.mpegurl", lambda out: out.write(listed)) as url,
            pytest.raises(SourceError, match="expected a stream"),
        ):
            StreamFeed(url).open()
    assert asked == []


def test_nobody_there_is_said_in_one_sentence() -> None:
    with serving("video/mp2t", lambda _: None) as url:
        pass
    with pytest.raises(SourceError, match=r"127\.0\.0\.1.*expected a stream, got"):
        StreamFeed(url).open()


@pytest.mark.parametrize(
    "url", ["rtsp://anna:secret@10.0.0.7:554/live?key=secret", "https://anna:secret@phone/video"]
)
def test_what_is_shown_of_an_address_holds_no_password(url: str) -> None:
    name = StreamFeed(url).name
    assert "secret" not in name
    assert name.startswith(url.split("anna", maxsplit=1)[0])
