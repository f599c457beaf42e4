"""Figures about one replay: speed, memory, time to the first ruling, time by stage, size."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Any

import av
import cv2

from referee.decks import load_deck
from referee.watch import watch
from referee.watch_orders import WatchSettings
from tests.acceptance.truth import load_recording
from vision.stopwatch import StageClock

if TYPE_CHECKING:
    from resource import struct_rusage  # not on Windows

COMMAND = (sys.executable, "-c", "from referee.cli import main; main()")
"""The program as a person starts it."""
_MEGA = 1_000_000


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a replay is beside decoding alone, both measured in this process.

    Attributes:
        frames: How many frames the recording has.
        size: Its width and height.
        decode_s: Seconds that decoding alone took.
        colour_s: Seconds that decoding into colour pictures took, by OpenCV's own reader.
        replay_s: Seconds that watching took.
        shares: Share of that time by stage.
    """

    frames: int
    size: tuple[int, int]
    decode_s: float
    colour_s: float
    replay_s: float
    shares: dict[str, float]


@dataclass(frozen=True, slots=True)
class Start:
    """How the command behaves from the outside, in a process of its own.

    Attributes:
        first_line_s: Seconds from the command to the first line: the table was read.
        first_ruling_s: Seconds from the command to the first judged round, if there is one.
        total_s: Seconds until it ended.
        peak_mb: Most memory it held, in megabytes.
    """

    first_line_s: float
    first_ruling_s: float | None
    total_s: float
    peak_mb: float


def measure_speed(video: Path, pack: Path) -> Speed:
    """Decodes a recording, then watches it; the second of two decodings counts, its file cached."""
    deck = load_deck(pack)
    for _ in range(2):
        started_s = time.perf_counter()
        with av.open(str(video)) as container:
            stream = container.streams.video[0]
            stream.thread_type = "AUTO"
            frames = sum(1 for _ in container.decode(stream))
            size = (stream.width, stream.height)
        decode_s = time.perf_counter() - started_s
    colour_s = _read_in_colour(video)
    settings = WatchSettings(**_told(video))
    with StageClock() as clock:
        for _ in watch(video, deck, settings, None, None):
            pass
    return Speed(frames, size, decode_s, colour_s, clock.total_s, clock.shares())


def _read_in_colour(video: Path) -> float:
    """Seconds that a plain loop over all pictures of a recording takes."""
    started_s = time.perf_counter()
    reader = cv2.VideoCapture(str(video))
    while reader.read()[0]:
        pass
    reader.release()
    return time.perf_counter() - started_s


def measure_start(video: Path, pack: Path) -> Start:
    """Runs `table-referee replay` as a person would, and watches what it prints and holds."""
    order = [*COMMAND, "replay", str(video), "--deck", str(pack), "--json"]
    for name, value in _told(video).items():
        order += [f"--{name}", value if isinstance(value, str) else ",".join(value)]
    started_s = time.perf_counter()
    with subprocess.Popen(order, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        times_s: dict[str, float] = {}
        for line in child.stdout or ():
            now_s = time.perf_counter() - started_s
            times_s.setdefault("any", now_s)
            times_s.setdefault(json.loads(line)["type"], now_s)
        usage = wait_for_end(child)
    total_s = time.perf_counter() - started_s
    # Linux counts it in kilobytes, macOS in bytes.
    peak_bytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    first_s = times_s.get("any", total_s)
    return Start(first_s, times_s.get("round"), total_s, peak_bytes / _MEGA)


def wait_for_end(child: subprocess.Popen[bytes]) -> struct_rusage:
    """Waits for a process; returns what it has used, and leaves its exit code with it."""
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage


def measure_environment() -> dict[str, float]:
    """Returns the size in megabytes of every distribution that the run time needs."""
    sizes: dict[str, float] = {}
    waiting = ["table-referee"]
    while waiting:
        name = waiting.pop()
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue  # only for other systems or Python versions
        name = found.metadata["Name"]
        if name not in sizes:
            sizes[name] = _size_of(found)
            waiting += [_name(text) for text in found.requires or () if "extra ==" not in text]
    return dict(sorted(sizes.items(), key=lambda item: -item[1]))


def _told(video: Path) -> dict[str, Any]:
    """Returns what a person would tell the referee, where a truth lies beside the recording."""
    if not video.with_suffix(".truth.json").exists():
        return {}
    recording = load_recording(video)
    return {
        "players": recording.players,
        "lead": recording.lead,
        "variant": recording.variant,
    }


def _size_of(found: Distribution) -> float:
    paths = (Path(str(file.locate())) for file in found.files or ())
    return sum(path.stat().st_size for path in paths if path.is_file()) / _MEGA


def _name(requirement: str) -> str:
    end = next(
        (i for i, sign in enumerate(requirement) if not (sign.isalnum() or sign in "-_.")), None
    )
    return requirement[:end]
