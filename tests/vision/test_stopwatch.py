"""Time goes to the innermost stage, and to none where nobody measures."""

import contextlib

import pytest

from vision import stopwatch as module
from vision.stopwatch import StageClock, stopwatch


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that clocks read; tests turn it on."""
    time_s = [100.0]
    monkeypatch.setattr(module.time, "perf_counter", lambda: time_s[0])
    return time_s


def test_nobody_measures():
    with stopwatch("gate"):
        pass
    assert StageClock().shares() == {}


def test_stages_add_up_and_the_rest_is_other(now: list[float]):
    with StageClock() as clock:
        for _ in range(2):
            with stopwatch("gate"):
                now[0] += 3.0
            now[0] += 1.0
    assert clock.calls == {"gate": 2}
    assert clock.shares() == {"gate": 0.75, "other": 0.25}


def test_an_inner_stage_has_its_time_to_itself(now: list[float]):
    with StageClock() as clock, stopwatch("read"):
        now[0] += 1.0
        with stopwatch("detect"):
            now[0] += 2.0
        now[0] += 4.0
    assert clock.seconds == {"read": 5.0, "detect": 2.0}


def test_a_stage_that_fails_is_closed(now: list[float]):
    with StageClock() as clock:
        with contextlib.suppress(ZeroDivisionError), stopwatch("gate"):
            now[0] += 1.0
            now[0] /= 0
        now[0] += 1.0
    assert clock.shares() == {"gate": 0.5, "other": 0.5}


def test_a_clock_that_has_ended_counts_no_more(now: list[float]):
    with StageClock() as clock:
        pass
    with stopwatch("gate"):
        now[0] += 1.0
    assert clock.seconds == {}
