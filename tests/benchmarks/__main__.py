"""`python -m tests.benchmarks [VIDEO PACK | NAME | latency VIDEO ...]`: prints tables.

Without arguments it replays the sample recording; `judge` measures the rule engines alone,
`packing` how animals are packed into areas, `score` how long one photograph of each game takes,
`latency` how long people wait at a live table (of the sample, or of recordings with truth beside
them), `crowd` how a live table bears many who look on, `soak` memory over half an hour
(SOAK_MINUTES for others).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.benchmarks.crowd import crowd_table, measure_crowds
from tests.benchmarks.judging import judging_table, measure_judging
from tests.benchmarks.latency import Latency, latency_table, measure_latency, work_out_latency
from tests.benchmarks.measuring import measure_environment, measure_speed, measure_start
from tests.benchmarks.packing import measure_packing, packing_table
from tests.benchmarks.scoring import measure_scoring, scoring_table
from tests.benchmarks.soak import measure_soak, soak_table
from vision.resources import SAMPLE_DECK, SAMPLE_RECORDING, find_resource


def main(arguments: Sequence[str]) -> int:
    """Measures and prints."""
    console = Console(highlight=False)
    if len(arguments) == 1 and arguments[0] in _ALONE:
        console.print(_ALONE[arguments[0]]())
        return 0
    if len(arguments) > 1 and arguments[0] == "latency":
        console.print(_latency_of([Path(name) for name in arguments[1:]]))
        return 0
    if len(arguments) not in (0, 2):
        console.print(f"expected nothing, a recording and its deck pack, or {', '.join(_ALONE)}")
        return 2
    video, pack = (
        (Path(arguments[0]), Path(arguments[1]))
        if arguments
        else (find_resource(SAMPLE_RECORDING), find_resource(SAMPLE_DECK))
    )
    speed, start = measure_speed(video, pack), measure_start(video, pack)
    sizes = measure_environment()

    table = Table("What", "Figure", title=f"Replay of {video.name}", title_justify="left")
    width, height = speed.size
    table.add_row("frames", f"{speed.frames} of {width}x{height}")
    for name, seconds in (
        ("decoding alone", speed.decode_s),
        ("decoding into colour", speed.colour_s),
        ("replay", speed.replay_s),
    ):
        table.add_row(name, f"{seconds:.2f} s, {speed.frames / seconds:.0f} frames a second")
    table.add_row("replay speed against decoding", f"{speed.decode_s / speed.replay_s:.2f}")
    table.add_row("... into colour pictures", f"{speed.colour_s / speed.replay_s:.2f}")
    table.add_section()
    for stage, share in speed.shares.items():
        table.add_row(f"share of time: {stage}", f"{share:.1%}")
    table.add_section()
    table.add_row("command to first reading", f"{start.first_line_s:.2f} s")
    ruling = f"{start.first_ruling_s:.2f} s" if start.first_ruling_s is not None else "no round"
    table.add_row("command to first ruling", ruling)
    table.add_row("command to end", f"{start.total_s:.2f} s")
    table.add_row("peak memory", f"{start.peak_mb:.0f} MB resident")
    table.add_section()
    largest = ", ".join(f"{name} {size:.0f}" for name, size in list(sizes.items())[:4])
    table.add_row("run-time environment", f"{sum(sizes.values()):.0f} MB ({largest})")
    console.print(table)
    for name in ("judge", "packing", "score", "latency", "crowd"):
        console.print(_ALONE[name]())
    return 0


def _latency_of(videos: Sequence[Path]) -> Table:
    measured, idle = Latency(), Latency()
    for video in videos:
        measured = measured.plus(measure_latency(video, repeats=1))
        idle = idle.plus(work_out_latency(video))
    return latency_table(measured, idle)


def _sample_latency() -> Table:
    video, pack = find_resource(SAMPLE_RECORDING), find_resource(SAMPLE_DECK)
    return latency_table(measure_latency(video, pack), work_out_latency(video, pack))


_ALONE: Mapping[str, Callable[[], Table]] = {
    "judge": lambda: judging_table(measure_judging()),
    "packing": lambda: packing_table(measure_packing()),
    "score": lambda: scoring_table(measure_scoring()),
    "latency": _sample_latency,
    "crowd": lambda: crowd_table(measure_crowds()),
    "soak": lambda: soak_table(measure_soak(float(os.environ.get("SOAK_MINUTES", "30")))),
}
"""What can be measured alone; a soak is long, and only made when it is asked for."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
