"""A live source: one thread grabs, whoever looks takes frames at leisure, faults are told.

    source = open_live("0")                  # or a name, a URL, a recording; vision.live_open
    source.subscribe(lambda notice: ...)     # from the grabbing or the looking thread
    for frame in source.frames(): ...        # every frame in order; the oldest go when too late
    source.newest                            # for pages: the newest frame, at any time
    source.close()                           # from any thread: `frames` ends

Times are stamped at the grab on a clock that never goes back, first frame = 0; a recording that
stands in for a camera keeps its own timestamps and is held back until each is due. A camera that
was pulled out, hangs or repeats its last picture is opened again until it gives pictures.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vision.camera import Shot
from vision.errors import SourceError
from vision.frame import Frame
from vision.live_buffer import Filling, FrameBuffer
from vision.live_feed import Feed, FeedLostError
from vision.live_health import LagWatch, RateWatch, Repetition
from vision.table import Notice

_TICK_S = 0.1
_TELL_DROPS_EVERY_S = 5.0
_CLOSE_WITHIN_S = 2.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How long which fault is borne.

    Attributes:
        opening_s: Opening that takes longer is told; some cameras need half a minute.
        frozen_s: Silence, or the same picture, for this long is a stall.
        hung_s: A read that has not come back by then is given up; OpenCV's own limit is 10 s.
        retry_s: Pause before a lost camera is opened again.
    """

    opening_s: float = 2.0
    frozen_s: float = 1.0
    hung_s: float = 12.0
    retry_s: float = 0.5


@dataclass(frozen=True, slots=True)
class Gap:
    """A time of the source in which nothing was seen; `until_s` is infinite while it lasts."""

    from_s: float
    until_s: float


class LiveSource:
    """Frames of a feed, as a `FrameSource`.

    Args:
        make_feed: Makes the feed, anew each time that it has to be opened.
        patience: How long which fault is borne.
        filling: What becomes of frames when nobody takes them in time.

    Attributes:
        name: What people call the source.
        grabbed: Frames that came.
        gaps: Times in which nothing was seen.
    """

    def __init__(
        self,
        make_feed: Callable[[], Feed],
        patience: Patience | None = None,
        filling: Filling = Filling.DROP_OLDEST,
    ) -> None:
        self._make_feed = make_feed
        self._patience = patience or Patience()
        self.name = make_feed().name
        self.grabbed = 0
        self.gaps: list[Gap] = []
        self._buffer = FrameBuffer(filling)
        self._listeners: list[Callable[[Notice], None]] = []
        self._untold: list[Notice] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._generation = 0
        self._thread: threading.Thread | None = None
        self._broken: str | None = None
        self._error: SourceError | None = None
        self._newest: Frame | None = None
        self._zero_s = self._started_s = 0.0
        self._heard_s: float | None = None
        self._is_silence_told = False
        self._drops_told, self._drops_told_s = 0, 0.0

    @property
    def frame_count(self) -> int | None:
        """Nobody knows how long a live source goes on."""
        return None

    @property
    def broken(self) -> str | None:
        """Why the source ended early, or None."""
        return self._broken

    @property
    def newest(self) -> Frame | None:
        """The newest frame that was grabbed, whoever has looked at it."""
        return self._newest

    @property
    def dropped(self) -> int:
        """Frames that were grabbed and never looked at, as the looker was late."""
        return self._buffer.dropped

    def now_s(self) -> float:
        """The present on the clock of the frames' timestamps: what is older is that much late."""
        return time.monotonic() - self._started_s if self.grabbed else 0.0

    def subscribe(self, listener: Callable[[Notice], None]) -> None:
        """Has every notice told to a listener, those before it came as well."""
        with self._lock:
            self._listeners.append(listener)
            untold, self._untold = self._untold, []
        for notice in untold:
            listener(notice)

    def frames(self) -> Iterator[Frame]:
        """Frames from the start of the grabbing to its end; can be taken once.

        Raises:
            SourceError: The source cannot be opened, or may not be used.
        """
        opened_s = time.monotonic()
        self._start_grabbing()
        try:
            while not self._stop.is_set():
                frame = self._buffer.get(_TICK_S)
                if frame is not None:
                    yield frame
                elif self._buffer.is_over:
                    break
                else:
                    self._mind_silence(opened_s)
        finally:
            self.close()
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        """Ends `frames` and lets go of the camera; a thread that hangs in it is left behind."""
        self._stop.set()
        self._buffer.close()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(_CLOSE_WITHIN_S)

    # ---- the looking thread --------------------------------------------------------------

    def _start_grabbing(self) -> None:
        self._generation += 1
        self._heard_s = None
        self._thread = threading.Thread(
            target=self._grab, args=(self._generation,), name=f"grab {self.name}", daemon=True
        )
        self._thread.start()

    def _mind_silence(self, opened_s: float) -> None:
        """Tells that nothing comes, and in the end gives up a read that never returns."""
        heard_s, now_s = self._heard_s, time.monotonic()
        if heard_s is None:
            if not self.grabbed and now_s - opened_s > self._patience.opening_s:
                self._tell_silence("camera-opening", f"{self.name} is still being opened")
            return
        if now_s - heard_s > self._patience.frozen_s:
            self._tell_silence("camera-stalled", f"{self.name} gives no picture")
        if now_s - heard_s > self._patience.hung_s:
            self._lose("it hangs")
            self._start_grabbing()

    def _tell_silence(self, code: str, text: str) -> None:
        if not self._is_silence_told:
            self._is_silence_told = True
            self._tell(code, text)

    # ---- the grabbing thread -------------------------------------------------------------

    def _grab(self, generation: int) -> None:
        def is_mine() -> bool:
            return self._generation == generation and not self._stop.is_set()

        try:
            while is_mine():
                feed = self._make_feed()
                try:
                    if not self._open(feed):
                        continue
                    self._read(feed, is_mine)
                    break
                except FeedLostError as error:
                    if is_mine():
                        self._lose(str(error))
                finally:
                    feed.close()
        except SourceError as error:
            self._error = error
        except Exception as error:
            # The one place where anything is caught: nobody would see a thread die.
            self._error = SourceError(f"{self.name}: the camera failed ({error!r})")
        finally:
            if self._generation == generation:
                self._tell_drops(is_last=True)
                self._buffer.close()

    def _open(self, feed: Feed) -> bool:
        """Opens a feed; one that has given pictures before is waited for.

        Raises:
            SourceError: It has never been open.
        """
        try:
            remarks = feed.open()
        except SourceError:
            if not self.grabbed:
                raise
            self._stop.wait(self._patience.retry_s)
            return False
        if not self.grabbed:
            for remark in remarks:
                self._tell("camera-mode", remark)
        return True

    def _read(self, feed: Feed, is_mine: Callable[[], bool]) -> None:
        """Reads until the feed is at its end.

        Raises:
            FeedLostError: It gives no pictures any more.
            SourceError: It has never given one.
        """
        repetition, rate, lag = Repetition(), RateWatch(feed.rate_fps), LagWatch()
        while is_mine():
            try:
                shot = feed.read()
            except FeedLostError:
                raise
            except SourceError as error:
                raise FeedLostError(str(error)) if self.grabbed else error from error
            if shot is None:
                self._broken = feed.broken
                return
            if feed.repeats_when_lost and repetition.repeats(shot.luma, shot.time_s):
                self._expect_alive(repetition, shot)
                continue
            if feed.is_paced and self.grabbed:
                due_s = self._started_s + shot.time_s - self._zero_s
                self._heard_s = due_s  # a pause in a recording is no silence
                self._stop.wait(max(0.0, due_s - time.monotonic()))
            if not is_mine() or not self._deliver(shot):
                return
            at_s = shot.time_s - self._zero_s
            for notice in (rate.take(at_s), lag.take(at_s, feed.lag_s)):
                if notice is not None:
                    self._tell(notice.code, notice.text)

    def _expect_alive(self, repetition: Repetition, shot: Shot) -> None:
        if repetition.since_s is None:
            return
        if shot.time_s - repetition.since_s > self._patience.frozen_s:
            if repetition.is_black:
                raise FeedLostError("its picture is black: is the lens covered?")
            raise FeedLostError("it repeats its last picture")

    def _deliver(self, shot: Shot) -> bool:
        """Hands a shot to the lookers; False where it fits nothing that came before."""
        now_s = time.monotonic()
        if not self.grabbed:
            self._zero_s, self._started_s = shot.time_s, now_s
        newest, timestamp_s = self._newest, shot.time_s - self._zero_s
        if newest is not None and shot.luma.shape != newest.luma.shape:
            was, now = (f"{w}x{h}" for h, w in (newest.luma.shape, shot.luma.shape))
            self._broken = f"the picture changed from {was} to {now}"
            return False
        self._heard_s = now_s
        if self.gaps and self.gaps[-1].until_s == float("inf"):
            lost_s = timestamp_s - self.gaps[-1].from_s
            self.gaps[-1] = Gap(self.gaps[-1].from_s, timestamp_s)
            text = f"{self.name} is back; what happened in {lost_s:.1f} s was not seen"
            self._tell("camera-back", text, timestamp_s)
        if newest is not None and timestamp_s <= newest.timestamp_s:
            return True  # a doubled stamp says nothing new about when
        self._is_silence_told = False
        frame = Frame(self.grabbed, timestamp_s, shot.luma, shot.to_bgr)
        self._newest = frame
        self.grabbed += 1
        self._buffer.put(frame, shot.nbytes)
        self._tell_drops()
        return True

    def _lose(self, why: str) -> None:
        if not self.gaps or self.gaps[-1].until_s != float("inf"):
            last_s = self._newest.timestamp_s if self._newest is not None else 0.0
            self.gaps.append(Gap(last_s, float("inf")))
            self._heard_s = None
            text = f"{self.name} is lost: {why}; it is opened again as soon as it is there"
            self._tell("camera-lost", text)
        self._stop.wait(self._patience.retry_s)

    def _tell_drops(self, *, is_last: bool = False) -> None:
        new, now_s = self._buffer.dropped - self._drops_told, time.monotonic()
        if new and (is_last or now_s - self._drops_told_s > _TELL_DROPS_EVERY_S):
            self._drops_told, self._drops_told_s = self._buffer.dropped, now_s
            what = "1 frame was" if new == 1 else f"{new} frames were"
            text = f"{what} dropped, as this machine is late; times are less exact there"
            self._tell("frames-dropped", text)

    def _tell(self, code: str, text: str, timestamp_s: float | None = None) -> None:
        if timestamp_s is None:
            timestamp_s = self._newest.timestamp_s if self._newest is not None else 0.0
        notice = Notice(timestamp_s, code, text)
        with self._lock:
            listeners = list(self._listeners)
            if not listeners:
                self._untold.append(notice)
        for listener in listeners:
            listener(notice)
