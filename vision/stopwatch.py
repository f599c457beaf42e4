"""How long each stage of the eye takes, measured from outside and only when somebody asks.

    with StageClock() as clock:
        for event in pipeline:
            ...
    clock.shares()  # {"decode": 0.41, "gate": 0.12, ...}

The stages themselves say `with stopwatch("gate"):`, which costs a dictionary look-up and no clock
reading while nobody measures. Time inside an inner stage counts for that stage only.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

_running: list[StageClock] = []


class StageClock:
    """Adds up the time of every stage while it is entered; one at a time in a process.

    Attributes:
        seconds: Time spent in each stage by itself, without its inner stages.
        calls: How often each stage was entered.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.calls: dict[str, int] = defaultdict(int)
        self._open: list[str] = []
        self._since_s = 0.0
        self._entered_s = 0.0
        self.total_s = 0.0

    def __enter__(self) -> Self:
        _running[:] = [self]
        self._entered_s = self._since_s = time.perf_counter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _running.clear()
        self.total_s = time.perf_counter() - self._entered_s

    def shares(self) -> dict[str, float]:
        """Returns each stage's share of the whole time, largest first; the rest is "other"."""
        rest = self.total_s - sum(self.seconds.values())
        stages = [*sorted(self.seconds.items(), key=lambda stage: -stage[1]), ("other", rest)]
        return {name: seconds / self.total_s for name, seconds in stages} if self.total_s else {}

    def _switch(self, stage: str | None) -> None:
        """Books the time since the last switch on the open stage, then opens or closes one."""
        now_s = time.perf_counter()
        if self._open:
            self.seconds[self._open[-1]] += now_s - self._since_s
        self._since_s = now_s
        if stage is None:
            self._open.pop()
        else:
            self._open.append(stage)
            self.calls[stage] += 1


@contextmanager
def stopwatch(stage: str) -> Iterator[None]:
    """Books the time of the block on this stage if a `StageClock` runs."""
    clock = _running[0] if _running else None
    if clock is None:
        yield
        return
    clock._switch(stage)
    try:
        yield
    finally:
        clock._switch(None)
