"""The soak measures what it names: a leak is seen, a looped recording is whole."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.benchmarks.soak import Soak, growth_of, loop_recording, measure_soak, soak_table
from vision.source import VideoFile

TINY = Path(__file__).parents[1] / "data" / "recordings" / "tiny.mp4"
MINUTES = float(os.environ.get("SOAK_MINUTES", "5"))


def test_a_leak_is_seen_and_neither_a_high_start_nor_a_busy_while_is_one() -> None:
    assert growth_of([50.0, 90.0] + [100.0] * 40) == 0
    leak = [100.0 + look for look in range(300)]
    assert growth_of(leak, warm_up=100) == pytest.approx(350 / 200 - 1)
    assert growth_of([200.0] * 100 + [100.0] * 200, warm_up=100) == 0
    assert growth_of([100.0] * 260 + [150.0] * 39 + [100.0], warm_up=100) == 0


def test_a_looped_recording_is_whole_and_its_times_go_on(tmp_path: Path) -> None:
    once = [frame.timestamp_s for frame in VideoFile(TINY).frames()]
    loop_s = loop_recording(TINY, tmp_path / "looped.mp4", 15.0)
    times = [frame.timestamp_s for frame in VideoFile(tmp_path / "looped.mp4").frames()]
    assert len(times) == 3 * len(once)
    assert times == pytest.approx([n * loop_s + t for n in range(3) for t in once], abs=1e-3)


def test_table_names_growth_and_rulings() -> None:
    soak = Soak(1800, [80.0] * 300, [200.0] * 200 + [220.0] * 100, 101.2, 202, 54_000, 7, "open")
    table = soak_table(soak)
    rows = [list(column.cells) for column in table.columns]
    assert rows[0] == ["service", "watching"]
    assert rows[4] == ["+0.0%", "+10.0%"]
    assert table.caption == "101.2 loops, 202 rulings, 7 of 54000 frames late"


@pytest.mark.system
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_memory_stays_flat_while_a_recording_is_watched_over_and_over() -> None:
    """SOAK_MINUTES=30 for the whole half hour."""
    soak = measure_soak(MINUTES)
    assert soak.state == "open"
    assert growth_of(soak.service_mb) < 0.05
    assert growth_of(soak.watcher_mb) < 0.05
    # Cards that were won lie there again in the next loop: of two rounds one can still be told.
    assert soak.rulings >= int(soak.loops)
    assert min(*soak.service_mb, *soak.watcher_mb[30:]) > 20
