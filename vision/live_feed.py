"""What a grab thread reads: a camera, a stream, or a file that stands in for a camera."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator

from vision.camera import WANTED, CameraDriver, CameraMode, Shot, negotiate, shortfalls
from vision.camera_opencv import why_closed
from vision.errors import SourceError
from vision.frame import Frame
from vision.source import VideoFile

SETTLING_S = 0.5


class FeedLostError(SourceError):
    """A feed that gave pictures gives none any more; it may come back."""


class Feed(ABC):
    """A source of shots that is opened, read by one thread, and closed.

    Attributes:
        name: What people call it.
        is_paced: Shots are there before their time, and are held until it comes.
        repeats_when_lost: The same picture twice, bit by bit, means that the sensor gives none; a
            living one never repeats itself.
        rate_fps: Frames a second that it says it gives, 0 where it does not say.
        lag_s: How late the last shot came, as far as is known.
        broken: Why it ended early, or None.
    """

    is_paced = False
    repeats_when_lost = False
    rate_fps = 0.0
    lag_s = 0.0
    broken: str | None = None

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def open(self) -> list[str]:
        """Opens it; returns what is not as asked, in words.

        Raises:
            SourceError: It cannot be opened.
        """

    @abstractmethod
    def read(self) -> Shot | None:
        """Waits for the next shot; None when the feed is at its end for good.

        Raises:
            FeedLostError: No picture came; opening it again may help.
            SourceError: No picture has ever come: it may not be used.
        """

    @abstractmethod
    def close(self) -> None:
        """Lets go of it."""


class CameraFeed(Feed):
    """A camera of this machine.

    Args:
        driver: The camera.
        name: What people call it.
        wanted: The mode to ask for.
        settling_s: Pictures of this first time are left out: the exposure is still being found,
            and the table must not be read from them.
    """

    repeats_when_lost = True

    def __init__(
        self,
        driver: CameraDriver,
        name: str,
        wanted: CameraMode = WANTED,
        settling_s: float = SETTLING_S,
    ) -> None:
        super().__init__(name)
        self._settling_s = settling_s
        self._settled_at_s: float | None = None
        self._driver = driver
        self._wanted = wanted
        self._has_given = False

    def open(self) -> list[str]:
        """Opens the camera, negotiates, and says what was not granted.

        Raises:
            SourceError: It cannot be opened.
        """
        self._driver.open()
        mode = negotiate(self._driver, self._wanted)
        self.rate_fps = mode.rate_fps
        return shortfalls(self._wanted, mode)

    def read(self) -> Shot | None:
        """Waits for the next picture.

        Raises:
            FeedLostError: None came.
            SourceError: None has ever come: the camera may not be used.
        """
        while (shot := self._driver.read()) is not None:
            self._has_given = True
            if self._settled_at_s is None:
                self._settled_at_s = shot.time_s + self._settling_s
            if shot.time_s >= self._settled_at_s:
                return shot
        if not self._has_given:
            raise SourceError(
                f"{self.name}: it opens but gives no picture; {why_closed(sys.platform)}"
            )
        raise FeedLostError(f"{self.name}: expected a picture, none came")

    def close(self) -> None:
        """Gives the camera back."""
        self._driver.close()


class FileFeed(Feed):
    """A recording that stands in for a camera, at the pace of its own timestamps.

    Args:
        video: The recording.
        is_paced: Whether it keeps that pace; otherwise frames come as fast as they are taken.
    """

    def __init__(self, video: VideoFile, *, is_paced: bool = True) -> None:
        super().__init__(str(video.path))
        self.is_paced = is_paced
        self._video = video
        self._frames: Iterator[Frame] = iter(())

    def open(self) -> list[str]:
        """Starts from the beginning; returns what is to be known about the file."""
        self._frames = self._video.frames()
        return list(self._video.remarks)

    def read(self) -> Shot | None:
        """The next frame, ahead of its time; None at the end of the file."""
        frame = next(self._frames, None)
        if frame is None:
            self.broken = self._video.broken
            return None
        # Decoders keep colour at half the resolution in both directions.
        return Shot(frame.timestamp_s, frame.luma, frame.to_bgr, frame.luma.size * 3 // 2)

    def close(self) -> None:
        """Lets go of the file."""
        self._frames = iter(())
