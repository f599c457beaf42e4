"""How a live table bears a crowd: 50 WebSocket clients and 3 viewers of its picture.

The service runs as `table-referee serve` does, the sample at its own pace as its table; the crowd
is in this process, on the same cores. The same questions are asked of the API with the crowd and
without it, so that what the crowd costs can be told from what the machine costs.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx2
from rich.table import Table
from websockets.asyncio.client import connect

from tests.referee.server.running import SAMPLE, RunningService

API_GOAL_MS = 50.0
"""Within which 95 of 100 requests are answered beside a live table with a crowd."""
FOLLOWERS, VIEWERS = 50, 3

_ASK_EVERY_S = 0.05
_QUESTIONS = ("", "/claims", "/scores", "/photos", "/events?after=3")
_PATIENCE_S = 300.0
"""The sample is over in a quarter of a minute, on a machine that keeps its pace."""


@dataclass(frozen=True, slots=True)
class CrowdTimes:
    """What was measured at one live table.

    Attributes:
        who: Who was there.
        answers_s: How long each request to the API took.
        frames: Frames that were watched meanwhile.
        late: How many of them were watched more than 0.1 s after their time.
        pictures_a_s: Pictures a second that each viewer got.
        followed: Numbers of the events that each follower got.
    """

    who: str
    answers_s: Sequence[float]
    frames: int
    late: int
    pictures_a_s: Sequence[float]
    followed: Sequence[tuple[int, ...]]

    @property
    def p95_ms(self) -> float:
        """Within which 95 of 100 requests were answered, in milliseconds."""
        return 1000 * sorted(self.answers_s)[int(0.95 * (len(self.answers_s) - 1))]


def measure_crowds() -> list[CrowdTimes]:
    """Watches the sample live, once for nobody and once for a crowd."""
    with tempfile.TemporaryDirectory() as folder, RunningService(Path(folder)) as service:
        return [
            measure_crowd(service, "nobody", 0, 0),
            measure_crowd(service, f"{FOLLOWERS} followers, {VIEWERS} viewers", FOLLOWERS, VIEWERS),
        ]


def measure_crowd(
    service: RunningService,
    who: str,
    followers: int,
    viewers: int,
    sleepers: int = 0,
    rounds: int = 2,
) -> CrowdTimes:
    """Watches the sample live while a crowd looks on and the API is asked.

    Args:
        service: Where.
        who: What the crowd is called.
        followers: WebSocket clients.
        viewers: Viewers of the live picture.
        sleepers: Viewers that are connected and read nothing.
        rounds: After this round it is over; the sample has two.
    """
    table = service.open_table({**SAMPLE, "realtime": True})
    # Getting ready takes the machine whole, crowd or not.
    service.first_picture(table)
    before = frames_of(service.metrics(), table)
    answers_s, pictures, followed = asyncio.run(
        _look_on(service.url_of(table), (followers, viewers, sleepers), rounds)
    )
    after = frames_of(service.metrics(), table)
    service.client.delete(table)
    frames, late = (new - old for old, new in zip(before, after, strict=True))
    return CrowdTimes(who, answers_s, frames, late, pictures, followed)


def frames_of(metrics: str, table: str) -> tuple[int, int]:
    """Returns how many frames of a table were watched, and how many of them late.

    Args:
        metrics: What the service tells Prometheus.
        table: The path of the table.
    """
    counts = (_figure(metrics, table, f"frames_{what}_total") for what in ("processed", "late"))
    processed, late = (int(count) for count in counts)
    return processed, late


def clock_of(metrics: str, table: str) -> float:
    """Returns how far a table has been watched, in seconds of its own clock."""
    return _figure(metrics, table, "clock_seconds")


def _figure(metrics: str, table: str, name: str) -> float:
    table_id = table.rpartition("/")[2]
    found = re.search(rf'table_referee_{name}\{{[^}}]*table="{table_id}"[^}}]*\}} (\S+)', metrics)
    return float(found[1]) if found else 0.0


def crowd_table(crowds: Sequence[CrowdTimes]) -> Table:
    """Returns the figures as a table for people: a column for each crowd, then the goal."""
    table = Table("", *(crowd.who for crowd in crowds), "Goal")
    table.title = "A live table and its crowd"
    table.title_justify = "left"
    ordered = [sorted(1000 * each for each in crowd.answers_s) for crowd in crowds]
    halves = (f"{each[len(each) // 2]:.1f} ms" for each in ordered)
    within = (f"{crowd.p95_ms:.1f} ms" for crowd in crowds)
    table.add_row("requests to the API", *(str(len(each)) for each in ordered), "")
    table.add_row("half of them within", *halves, "")
    table.add_row("95 of 100 within", *within, f"{API_GOAL_MS:.0f} ms")
    table.add_row("the slowest", *(f"{each[-1]:.1f} ms" for each in ordered), "")
    table.add_row("late frames", *(f"{crowd.late} of {crowd.frames}" for crowd in crowds), "")
    seen = (" ".join(f"{each:.1f}" for each in crowd.pictures_a_s) for crowd in crowds)
    table.add_row("pictures a second", *seen, "")
    return table


async def _look_on(
    url: str, crowd: tuple[int, int, int], rounds: int
) -> tuple[list[float], list[float], list[tuple[int, ...]]]:
    """Has followers, viewers and sleepers look on until some rounds are over."""
    followers, viewers, sleepers = crowd
    over = threading.Event()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(asyncio.timeout(_PATIENCE_S))
        limits = httpx2.Limits(max_connections=None)
        made = httpx2.AsyncClient(timeout=_PATIENCE_S, limits=limits)
        client = await stack.enter_async_context(made)
        asking = asyncio.create_task(asyncio.to_thread(_ask, url, over))
        stack.callback(over.set)
        viewing = [asyncio.create_task(_view(client, url)) for _ in range(viewers)]
        sleeping = [asyncio.create_task(_sleep(client, url)) for _ in range(sleepers)]
        # The first one says when it is over, and is there in any case.
        followed = await asyncio.gather(*(_follow(url, rounds) for _ in range(max(followers, 1))))
        over.set()
        answers_s = await asking
        pictures = [await _ended(task) for task in viewing]
        for task in sleeping:
            task.cancel()
        await asyncio.gather(*sleeping, return_exceptions=True)
    return answers_s, pictures, list(followed) if followers else []


async def _ended(task: asyncio.Task[Any]) -> Any:
    task.cancel()
    return await task


async def _follow(url: str, rounds: int) -> tuple[int, ...]:
    """Follows a table until some rounds are over."""
    numbers = []
    async with connect(f"{url.replace('http', 'ws', 1)}/events") as socket:
        async for text in socket:
            event = json.loads(text)
            numbers.append(event["seq"])
            if event["type"] == "round" and event["round"] == rounds:
                break
    return tuple(numbers)


async def _view(client: httpx2.AsyncClient, url: str) -> float:
    """Looks at the picture until it is cancelled; returns how many came a second."""
    count, began_s = 0, time.perf_counter()
    try:
        async with client.stream("GET", f"{url}/picture.mjpg") as answer:
            async for chunk in answer.aiter_bytes():
                count += chunk.count(b"--frame\r\n")
    except asyncio.CancelledError:
        pass
    return count / (time.perf_counter() - began_s)


async def _sleep(client: httpx2.AsyncClient, url: str) -> None:
    async with client.stream("GET", f"{url}/picture.mjpg"):
        await asyncio.Event().wait()


def _ask(url: str, over: threading.Event) -> list[float]:
    """Asks one question after another until it is over; returns how long each took.

    It does so in a thread of its own: what the crowd's event loop is busy with is not the service.
    """
    took_s: list[float] = []
    with httpx2.Client(timeout=_PATIENCE_S) as client:
        for question in cycle(_QUESTIONS):
            began_s = time.perf_counter()
            answer = client.get(f"{url}{question}")
            took_s.append(time.perf_counter() - began_s)
            answer.raise_for_status()
            if over.wait(_ASK_EVERY_S):
                break
    return took_s
