"""Items are read ahead on another thread, and nobody who takes them sees a difference."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from vision.read_ahead import read_ahead


def readers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "read-ahead"]


def counting(taken: list[int], fails_at: int = 10_000) -> Iterator[int]:
    for number in range(100):
        if number == fails_at:
            raise ValueError("worn tape")
        taken.append(number)
        yield number


def test_all_items_come_in_their_order() -> None:
    assert list(read_ahead(counting([]), most=3)) == list(range(100))
    assert not readers()


def test_only_so_many_items_are_read_ahead() -> None:
    taken: list[int] = []
    items = read_ahead(counting(taken), most=3)
    assert next(items) == 0
    deadline_s = time.monotonic() + 5
    while len(taken) < 5 and time.monotonic() < deadline_s:
        time.sleep(0.01)
    time.sleep(0.1)
    assert taken == [0, 1, 2, 3, 4]  # one in use, three waiting, one in hand
    items.close()


def test_what_reading_raises_is_raised_in_its_place() -> None:
    items = read_ahead(counting([], fails_at=2), most=5)
    assert [next(items), next(items)] == [0, 1]
    with pytest.raises(ValueError, match="worn tape"):
        next(items)
    assert not readers()


def test_leaving_early_ends_the_thread() -> None:
    for _ in read_ahead(counting([]), most=2):
        break
    items = read_ahead(counting([]), most=2)
    next(items)
    assert readers()
    items.close()
    assert not readers()
