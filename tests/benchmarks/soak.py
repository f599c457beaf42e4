"""Whether a table can be watched for hours: its memory stays flat, and rulings keep coming.

A recording that is looped stands in for the camera, at its own pace, at a table of a service as
`table-referee serve` runs it, with a follower and a viewer as a page has them. Linux only: memory
is read from /proc.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import httpx2
from rich.table import Table
from websockets.asyncio.client import connect

from tests.benchmarks.crowd import clock_of, frames_of
from tests.referee.server.running import SAMPLE, RunningService
from vision.resources import SAMPLE_RECORDING, find_resource

GROWTH_GOAL = 0.05
"""By which memory may have grown when half an hour is over."""

_LOOK_EVERY_S = 1.0
_WARM_UP_S = 120.0
"""By then every kind of thing that is kept once has been kept."""
_GONE_S = 60.0
_SLOWEST = 4
"""A soak takes at most so many times its own length."""


@dataclass(frozen=True, slots=True)
class Soak:
    """What was seen while a looped recording was watched.

    Attributes:
        seconds: For how long, on the table's own clock.
        service_mb: Memory of the service, at each look, in megabytes resident.
        watcher_mb: Memory of the process that watches the table.
        loops: How often the recording was watched to its end.
        rulings: How many rounds were ruled upon.
        frames: How many frames were watched.
        late: How many of them were watched more than 0.1 s after their time.
        state: The table's state at the end, `open` where nothing has failed.
    """

    seconds: float
    service_mb: Sequence[float]
    watcher_mb: Sequence[float]
    loops: float
    rulings: int
    frames: int
    late: int
    state: str


def measure_soak(minutes: float) -> Soak:
    """Watches the sample over and over, for some minutes on the table's own clock.

    A machine that is too slow for the pace takes longer, up to four times.
    """
    sample = find_resource(SAMPLE_RECORDING)
    seconds = 60 * minutes
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        looped = folder / "looped.mp4"
        loop_s = loop_recording(sample, looped, seconds + _GONE_S)
        with RunningService(folder / "data", "--recordings", str(folder)) as service:
            source = {"recording": looped.name}
            table = service.open_table({**SAMPLE, "source": source, "realtime": True})
            seen = asyncio.run(_look_on(service, table, seconds))
            events = service.events(table)
            frames, late = frames_of(service.metrics(), table)
            told = service.client.get(table).json()
    rulings = sum(event["type"] == "round" for event in events)
    loops = float(told["clock"]) / loop_s
    service_mb, watcher_mb = zip(*seen, strict=True)
    return Soak(seconds, service_mb, watcher_mb, loops, rulings, frames, late, told["state"])


def loop_recording(path: Path, out: Path, seconds: float) -> float:
    """Writes a recording over and over into one file, as it is; returns how long one loop is."""
    with av.open(str(out), "w") as written:
        stream = None
        began = end = Fraction(0)
        loop_s = 0.0
        while end < seconds:
            with av.open(str(path)) as container:
                video = container.streams.video[0]
                stream = stream or written.add_stream_from_template(video)
                for packet in container.demux(video):
                    if packet.dts is None or packet.pts is None or packet.duration is None:
                        continue  # the empty packet at the end
                    base = packet.time_base
                    end = max(end, began + (packet.pts + packet.duration) * base)
                    shift = round(began / base)
                    packet.pts, packet.dts = packet.pts + shift, packet.dts + shift
                    packet.stream = stream
                    written.mux(packet)
            loop_s = loop_s or float(end)
            began = end
    return loop_s


def growth_of(looks_mb: Sequence[float], warm_up: int = int(_WARM_UP_S / _LOOK_EVERY_S)) -> float:
    """Returns by which share memory has grown, from the first quarter after a while to the last.

    The calmest moment of each counts: how many frames wait for a look, up to a fifth of the memory,
    is a matter of how busy the machine is, and what is kept for ever is there in every moment. Of
    a short soak the first half is left out.
    """
    rest = looks_mb[min(warm_up, len(looks_mb) // 2) :]
    quarter = max(1, len(rest) // 4)
    return min(rest[-quarter:]) / min(rest[:quarter]) - 1


def soak_table(soak: Soak) -> Table:
    """Returns the figures as a table for people."""
    table = Table("Process", "At first", "At the end", "Most", "Grown by", "Goal")
    table.title = f"{soak.seconds / 60:.0f} minutes of a looped recording"
    table.title_justify = "left"
    for name, looks in (("service", soak.service_mb), ("watching", soak.watcher_mb)):
        sizes = (f"{size:.0f} MB" for size in (looks[0], looks[-1], max(looks)))
        table.add_row(name, *sizes, f"{growth_of(looks):+.1%}", f"{GROWTH_GOAL:.0%}")
    table.caption = (
        f"{soak.loops:.1f} loops, {soak.rulings} rulings, {soak.late} of {soak.frames} frames late"
    )
    return table


async def _look_on(
    service: RunningService, table: str, seconds: float
) -> list[tuple[float, float]]:
    """Looks at the memory again and again while a page is open."""
    url = service.url_of(table)
    service.first_picture(table)
    page = [asyncio.create_task(each) for each in (_follow(url), _view(url))]
    seen: list[tuple[float, float]] = []
    began_s, clock_s = time.monotonic(), 0.0
    while clock_s < seconds and time.monotonic() < began_s + _SLOWEST * seconds:
        # On a slow machine as much of the table lies between two looks as on a fast one.
        await asyncio.sleep(_LOOK_EVERY_S)
        before_s, clock_s = clock_s, clock_of(service.metrics(), table)
        if int(clock_s / _LOOK_EVERY_S) == int(before_s / _LOOK_EVERY_S):
            continue
        for task in page:
            if task.done():
                task.result()  # a page that has lost its table fails the soak
        children = sum(resident_mb(pid) for pid in _children_of(service.process.pid))
        seen.append((resident_mb(service.process.pid), children))
    for task in page:
        task.cancel()
    await asyncio.gather(*page, return_exceptions=True)
    return seen


async def _follow(url: str) -> None:
    async with connect(f"{url.replace('http', 'ws', 1)}/events") as socket:
        async for _ in socket:
            pass
    raise ConnectionError("the events have ended")


async def _view(url: str) -> None:
    async with (
        httpx2.AsyncClient(timeout=_GONE_S) as client,
        client.stream("GET", f"{url}/picture.mjpg") as answer,
    ):
        async for _ in answer.aiter_bytes():
            pass
    raise ConnectionError("the picture has ended")


def _children_of(pid: int) -> Iterator[int]:
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # The name before the state may hold anything, a bracket too.
            after_name = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(after_name[1]) == pid:
                yield int(folder.name)


def resident_mb(pid: int) -> float:
    """Memory that a process has in use, in megabytes, 0 where there is no such process."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1000
    return 0.0
