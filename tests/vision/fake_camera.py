"""A camera for tests: it does what cameras do, faults included, at a pace of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from vision.camera import CameraMode, Setting, Shot, to_fourcc
from vision.camera_opencv import shot_of
from vision.errors import SourceError
from vision.live import LiveSource, Patience
from vision.live_feed import CameraFeed

WANTED = CameraMode("MJPG", (64, 48), 100.0)
QUICK = Patience(opening_s=0.15, frozen_s=0.15, hung_s=0.6, retry_s=0.05)
"""The faults of real cameras, some ten times as fast."""


@dataclass
class FakeCamera:
    """A driver whose faults are switched on and off while it runs.

    Attributes:
        rate_fps: Frames a second that it gives.
        opens_in_s: How long opening takes.
        refuses: Why it cannot be opened.
        is_plugged: Reading and opening fail while it is not.
        repeats: It gives its last picture again and again, and says that all is well.
        hangs: A read does not come back until this is set.
        grants: What it says and does whatever it is asked for.
        forgets_format: Setting the size brings its own pixel format back.
        black: Its pictures show nothing.
    """

    rate_fps: float = 100.0
    opens_in_s: float = 0.0
    refuses: str = ""
    is_plugged: bool = True
    repeats: bool = False
    gives_nothing: bool = False
    hangs: threading.Event | None = None
    grants: dict[Setting, float] = field(default_factory=dict)
    forgets_format: bool = False
    black: bool = False
    calls: list[str] = field(default_factory=list)
    settings: dict[Setting, float] = field(default_factory=dict)
    count: int = 0
    times_opened: int = 0

    def open(self) -> None:
        time.sleep(self.opens_in_s)
        if self.refuses or not self.is_plugged:
            raise SourceError(self.refuses or "fake: expected a camera, it is not there")
        self.times_opened += 1

    def set(self, setting: Setting, value: float) -> bool:
        self.calls.append(setting.name)
        self.settings[setting] = value
        if self.forgets_format and setting is Setting.WIDTH:
            self.settings[Setting.PIXEL_FORMAT] = to_fourcc("YUYV")
        return True

    def get(self, setting: Setting) -> float:
        return self.grants.get(setting, self.settings.get(setting, 0.0))

    def read(self) -> Shot | None:
        if self.hangs is not None:
            self.hangs.wait()
        time.sleep(1 / self.rate_fps)
        if not self.is_plugged or self.gives_nothing:
            return None
        if not self.repeats:
            self.count += 1
        width, height = int(self.get(Setting.WIDTH)), int(self.get(Setting.HEIGHT))
        noise = np.random.default_rng(self.count).integers(0, 255, (height, width, 3), np.uint8)
        return shot_of(noise * (0 if self.black else 1), time.monotonic())

    def close(self) -> None:
        pass


class Watched:
    """A live source on a fake camera, read by a thread of its own, with all that it told."""

    def __init__(self, camera: FakeCamera, patience: Patience = QUICK) -> None:
        self.source = LiveSource(lambda: CameraFeed(camera, "fake", WANTED, 0), patience)
        self.notices: list[tuple[float, str, str]] = []
        self.times_s: list[float] = []
        self.error: SourceError | None = None
        self.source.subscribe(lambda n: self.notices.append((n.timestamp_s, n.code, n.text)))
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, *_: object) -> None:
        self.source.close()
        self.join()

    def _read(self) -> None:
        try:
            for frame in self.source.frames():
                self.times_s.append(frame.timestamp_s)
        except SourceError as error:
            self.error = error

    def join(self) -> None:
        self._thread.join(10)
        assert not self._thread.is_alive()

    @property
    def codes(self) -> list[str]:
        return [code for _, code, _ in self.notices]

    def text_of(self, code: str) -> str:
        return next(text for _, told, text in self.notices if told == code)


def wait_for(condition: Callable[[], bool], timeout_s: float = 10.0) -> None:
    """Waits until something has come true, and fails where it does not."""
    until_s = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < until_s, "it did not come true in time"
        time.sleep(0.005)
