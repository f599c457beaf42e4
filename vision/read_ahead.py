"""Preparing the next frames on a thread of their own, while the present one is looked at."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterator
from typing import Generic, TypeVar

Item = TypeVar("Item")

_WAIT_S = 0.1
"""How often a thread that waits for room looks whether anybody still wants more."""


class _Failed:
    """The end of the items: what was raised, or None where they just ended."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


class _Reader(threading.Thread, Generic[Item]):
    """Takes items ahead of whoever uses them, in their order.

    Args:
        items: What is read.
        most: How many items wait at most.
    """

    def __init__(self, items: Iterator[Item], most: int) -> None:
        super().__init__(name="read-ahead", daemon=True)
        self._items = items
        self._ready: queue.Queue[Item | _Failed] = queue.Queue(most)
        self._is_wanted = True

    def run(self) -> None:
        error: BaseException | None = None
        try:
            for item in self._items:
                if not self._put(item):
                    break
        except BaseException as caught:
            error = caught
        self._put(_Failed(error))

    def take(self) -> Item | _Failed:
        """The next item, or the end; waits for it."""
        return self._ready.get()

    def stop(self) -> None:
        """Ends the thread; what is being read is read to its end."""
        self._is_wanted = False
        self.join()

    def _put(self, item: Item | _Failed) -> bool:
        while self._is_wanted:
            try:
                self._ready.put(item, timeout=_WAIT_S)
            except queue.Full:
                continue
            return True
        return False


def read_ahead(items: Iterator[Item], most: int) -> Generator[Item]:
    """The same items in the same order, read on another thread.

    What reading raises is raised here, in its place. Closing this iterator, or leaving it, ends the
    thread.

    Args:
        items: What is read; nobody else may take from it.
        most: How many items may wait, beside the one being read and the one in use.
    """
    reader = _Reader(items, most)
    reader.start()
    try:
        while True:
            item = reader.take()
            if isinstance(item, _Failed):
                if item.error is not None:
                    raise item.error
                return
            yield item
    finally:
        reader.stop()
