"""From the threads that watch tables to the event loop that serves people: the latest value wins.

Nobody waits for a slow reader. Events are read from the match itself, from wherever a reader has
come to; of pictures a reader gets the newest one each time it is ready for one.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager


class Bell:
    """Wakes everybody who waits, from any thread; each waiter finds out itself what is new."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiters: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}

    @property
    def waiters(self) -> int:
        """How many listen."""
        return len(self._waiters)

    @contextmanager
    def listen(self) -> Iterator[asyncio.Event]:
        """Gives an event that is set at each ring, until the block ends."""
        event = asyncio.Event()
        with self._lock:
            self._waiters[event] = asyncio.get_running_loop()
        try:
            yield event
        finally:
            with self._lock:
                del self._waiters[event]

    def ring(self) -> None:
        """Wakes everybody."""
        with self._lock:
            waiters = list(self._waiters.items())
        for event, loop in waiters:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)


class Latest:
    """A buffer for one picture: the newest."""

    def __init__(self) -> None:
        self.bell = Bell()
        self._picture: tuple[int, bytes] = (0, b"")
        self._is_closed = False

    @property
    def picture(self) -> bytes:
        """The newest picture as JPEG, empty before there is one."""
        return self._picture[1]

    def put(self, picture: bytes) -> None:
        """Takes a newer picture."""
        self._picture = (self._picture[0] + 1, picture)
        self.bell.ring()

    def close(self) -> None:
        """Lets everybody go who looks: there will be no picture any more."""
        self._is_closed = True
        self.bell.ring()

    async def pictures(self, again_s: float) -> AsyncIterator[bytes]:
        """Yields the newest picture whenever there is a newer one, and the same after a while.

        Args:
            again_s: A picture is repeated after this time: browsers show one when the next begins.
        """
        shown = 0
        with self.bell.listen() as event:
            while not self._is_closed:
                event.clear()
                number, picture = self._picture
                if number == shown:
                    try:
                        await asyncio.wait_for(event.wait(), again_s)
                        continue
                    except TimeoutError:
                        if not picture:
                            continue
                shown = number
                yield picture
