"""The crowd benchmark counts what it names; that a crowd is borne is tested with the feed."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from tests.benchmarks.crowd import (
    FOLLOWERS,
    VIEWERS,
    CrowdTimes,
    clock_of,
    crowd_table,
    frames_of,
)

WHO = f"{FOLLOWERS} followers, {VIEWERS} viewers"


def test_95_of_100_requests_are_answered_within() -> None:
    answers_s = [number / 1000 for number in range(100, 0, -1)]
    assert CrowdTimes("all", answers_s, 10, 1, [], []).p95_ms == 95.0
    assert CrowdTimes("all", [0.02], 10, 1, [], []).p95_ms == 20.0


METRICS = """
table_referee_frames_processed_total{table="a1",game="galapa-go"} 407.0
table_referee_frames_late_total{game="galapa-go",table="a1"} 3.0
table_referee_frames_late_total{table="b2",game="galapa-go"} 5.0
table_referee_clock_seconds{game="galapa-go",table="b2"} 12.5
"""


def test_frames_are_those_of_the_table() -> None:
    assert frames_of(METRICS, "/tables/a1") == (407, 3)
    assert frames_of(METRICS, "/tables/b2") == (0, 5)
    assert frames_of(METRICS, "/tables/c3") == (0, 0)
    assert clock_of(METRICS, "/tables/b2") == 12.5


def test_table_names_both_and_the_goal_of_the_crowd() -> None:
    alone = CrowdTimes("nobody", [0.001, 0.003, 0.002], 400, 1, [], [])
    crowd = CrowdTimes("all", [0.01], 400, 2, [9.0, 8.5], [(1, 2)])
    shown = crowd_table([alone, crowd])
    names, nobody, everybody, goal = (list(column.cells) for column in shown.columns)
    assert [column.header for column in shown.columns][1:3] == ["nobody", "all"]
    assert list(zip(names, nobody, everybody, goal, strict=True)) == [
        ("requests to the API", "3", "1", ""),
        ("half of them within", "2.0 ms", "10.0 ms", ""),
        ("95 of 100 within", "2.0 ms", "10.0 ms", "50 ms"),
        ("the slowest", "3.0 ms", "10.0 ms", ""),
        ("late frames", "1 of 400", "2 of 400", ""),
        ("pictures a second", "", "9.0 8.5", ""),
    ]


def test_the_table_fits_a_terminal() -> None:
    crowds = [CrowdTimes(who, [0.01], 400, 2, [9.0] * 3, [(1,)]) for who in ("nobody", WHO)]
    console = Console(width=80, file=StringIO(), record=True)
    console.print(crowd_table(crowds))
    assert "…" not in console.export_text()
