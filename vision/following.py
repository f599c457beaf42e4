"""Going through a source frame by frame: what every eye over time has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from vision.frame import Frame
from vision.source import FrameSource

Event = TypeVar("Event")


class Follower(ABC, Generic[Event]):
    """Follows one source and tells what happens in it.

    Args:
        progress: Called with the number of frames done, or None.

    Attributes:
        now_s: Time of the newest frame.
    """

    def __init__(self, progress: Callable[[int], None] | None = None) -> None:
        self._progress = progress
        self.now_s = 0.0

    def watch(self, source: FrameSource) -> Iterator[Event]:
        """All events of a source in the order in which they become known.

        Raises:
            SourceError: The source gives not one frame.
        """
        previous: Frame | None = None
        for frame in source.frames():
            self.now_s = frame.timestamp_s
            if previous is None:
                yield from self._start(frame)
            else:
                yield from self._follow(frame, previous)
            previous = frame
            if self._progress:
                self._progress(frame.index + 1)
        if previous is not None:
            yield from self._finish(previous, source)

    @abstractmethod
    def _start(self, frame: Frame) -> Iterator[Event]:
        """Takes the first frame."""

    @abstractmethod
    def _follow(self, frame: Frame, previous: Frame) -> Iterator[Event]:
        """Takes a later frame."""

    @abstractmethod
    def _finish(self, last: Frame, source: FrameSource) -> Iterator[Event]:
        """The source has ended."""
