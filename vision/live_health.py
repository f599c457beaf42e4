"""What is wrong with a live picture: it repeats itself, it is black, or it comes too slowly."""

from __future__ import annotations

from collections import deque
from statistics import median

import numpy as np

from vision.frame import Image
from vision.table import Notice

_STEP_PX = 8
_BLACK_LEVEL = 22.0
"""Black is 16 in the brightness of video."""
_WINDOW_FRAMES = 21
_SLOW = 0.7
"""Share of the usual rate below which a camera is slow: cameras halve their rate in the dark."""
_RESTORED = 0.9
_LEAST_FPS = 1.0
_LATE_S = 1.0


class Repetition:
    """Whether a picture is the one before it, bit by bit, which a living sensor never gives."""

    def __init__(self) -> None:
        self._before: Image | None = None
        self.since_s: float | None = None

    def repeats(self, luma: Image, time_s: float) -> bool:
        """Takes the next picture; `since_s` then is when the first of its kind came."""
        sample = luma[::_STEP_PX, ::_STEP_PX]
        is_same = self._before is not None and np.array_equal(sample, self._before)
        if not is_same:
            self._before, self.since_s = sample.copy(), time_s
        return is_same

    @property
    def is_black(self) -> bool:
        """Whether the last picture shows nothing at all."""
        return self._before is not None and float(self._before.mean()) < _BLACK_LEVEL


class RateWatch:
    """Notices when frames come slower than they should, and when that is over.

    Args:
        usual_fps: What the source says it gives, 0 where it does not say; the best rate that is
            seen counts where it is higher.
    """

    def __init__(self, usual_fps: float) -> None:
        self._usual_fps = usual_fps
        self._times_s: deque[float] = deque(maxlen=_WINDOW_FRAMES + 1)
        self._is_slow = False

    def take(self, time_s: float) -> Notice | None:
        """Takes the time of the next frame, and tells what has changed."""
        self._times_s.append(time_s)
        if len(self._times_s) <= _WINDOW_FRAMES:
            return None
        times_s = np.array(self._times_s)
        step_s = median(np.diff(times_s).tolist())
        now_fps = 1 / max(step_s, 1e-3)
        self._usual_fps = max(self._usual_fps, now_fps, _LEAST_FPS)
        if not self._is_slow and now_fps < _SLOW * self._usual_fps:
            self._is_slow = True
            return Notice(
                time_s,
                "camera-slow",
                f"{now_fps:.0f} frames a second come instead of {self._usual_fps:.0f}, as in too "
                f"little light; claims are timed to ±{step_s / 2:.3f} s; more light on the table "
                "helps",
            )
        if self._is_slow and now_fps > _RESTORED * self._usual_fps:
            self._is_slow = False
            return Notice(
                time_s, "camera-rate-restored", f"{now_fps:.0f} frames a second come again"
            )
        return None


class LagWatch:
    """Notices when a stream falls behind its sender, and when it has caught up."""

    def __init__(self) -> None:
        self._is_late = False

    def take(self, time_s: float, lag_s: float) -> Notice | None:
        """Takes how late the frame of a time came, and tells what has changed."""
        if not self._is_late and lag_s > _LATE_S:
            self._is_late = True
            text = f"the stream is {lag_s:.1f} s late; rulings come that much later"
            return Notice(time_s, "stream-late", text)
        if self._is_late and lag_s < _LATE_S / 2:
            self._is_late = False
            return Notice(time_s, "stream-caught-up", "the stream is on time again")
        return None
