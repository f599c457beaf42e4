"""Frames on their way from the thread that grabs them to whoever looks at them.

Named policies say what happens when the looker is late, so that a file is never treated as if it
were live (failure C22), nor a live camera as if it could wait (failure C16).
"""

from __future__ import annotations

import threading
from collections import deque
from enum import Enum

from vision.frame import Frame

BYTES_KEPT = 96 * 2**20
"""About two seconds of 1280x720: longer than any look at a table takes."""


class Filling(Enum):
    """What becomes of a new frame when the buffer is full."""

    WAIT = "wait"
    """The grab waits: no frame is lost, the source falls behind the clock."""
    DROP_OLDEST = "drop oldest"
    """The oldest frame goes: the source keeps up with the clock."""


class Consuming(Enum):
    """Which frame the looker is given."""

    LAZY = "lazy"
    """Every frame in its order: looking back needs them all."""
    EAGER = "eager"
    """The newest; those before it are dropped: what is shown to people must be fresh."""


class FrameBuffer:
    """A bounded queue between two threads.

    Args:
        filling: What becomes of a new frame when it is full.
        consuming: Which frame is given out.
        bytes_kept: How much may wait.

    Attributes:
        dropped: How many frames nobody has been given.
    """

    def __init__(
        self,
        filling: Filling = Filling.DROP_OLDEST,
        consuming: Consuming = Consuming.LAZY,
        bytes_kept: int = BYTES_KEPT,
    ) -> None:
        self._filling = filling
        self._consuming = consuming
        self._limit = bytes_kept
        self._waiting: deque[tuple[Frame, int]] = deque()
        self._bytes = 0
        self._is_closed = False
        self._changed = threading.Condition()
        self.dropped = 0

    def put(self, frame: Frame, nbytes: int) -> None:
        """Adds the newest frame, which takes `nbytes`; after `close` it is thrown away."""
        with self._changed:
            while self._filling is Filling.WAIT and self._is_full(nbytes) and not self._is_closed:
                self._changed.wait()
            if self._is_closed:
                return
            while self._is_full(nbytes):
                self._drop()
            self._waiting.append((frame, nbytes))
            self._bytes += nbytes
            self._changed.notify_all()

    def get(self, timeout_s: float) -> Frame | None:
        """The next frame, or None where none came in time or none will come any more."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closed, timeout_s)
            if not self._waiting:
                return None
            while self._consuming is Consuming.EAGER and len(self._waiting) > 1:
                self._drop()
            frame, nbytes = self._waiting.popleft()
            self._bytes -= nbytes
            self._changed.notify_all()
            return frame

    def close(self) -> None:
        """No frame comes any more; those that wait are still given out."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    @property
    def is_over(self) -> bool:
        """Whether it is closed and empty."""
        with self._changed:
            return self._is_closed and not self._waiting

    def _is_full(self, nbytes: int) -> bool:
        return bool(self._waiting) and self._bytes + nbytes > self._limit

    def _drop(self) -> None:
        _, nbytes = self._waiting.popleft()
        self._bytes -= nbytes
        self.dropped += 1
