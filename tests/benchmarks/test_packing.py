"""The packing benchmark measures what it names, and a wrong answer would stop it."""

import pytest

from referee.games.panda_gorilla.packing import Counts
from tests.benchmarks import packing
from tests.benchmarks.packing import (
    PackingTimes,
    measure_packing,
    packing_table,
    played_regions,
    random_regions,
)


def test_every_kind_of_area_is_measured() -> None:
    kinds = measure_packing(areas=10)
    assert [len(kind.ours_ms) for kind in kinds] == [10, 10, 1, 1, 1]
    assert [len(kind.cp_sat_ms) for kind in kinds] == [10, 10, 1, 1, 1]
    assert all(times > 0 for kind in kinds for times in (*kind.ours_ms, *kind.cp_sat_ms))


def test_areas_are_of_the_sizes_named_and_the_same_in_every_run() -> None:
    regions = random_regions(40, 4, 80)
    assert all(4 <= len(region.quarters) <= 80 for region in regions)
    assert any(region.walls for region in regions)
    assert regions == random_regions(40, 4, 80)


def test_played_areas_are_the_same_in_every_run() -> None:
    regions = played_regions(30, 4, 80)
    assert len(regions) == 30
    assert all(4 <= len(region.quarters) <= 80 for region in regions)
    assert regions == played_regions(30, 4, 80)


def test_wrong_answer_stops_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "count_animals", lambda *_: Counts(99, 0, 0))
    with pytest.raises(AssertionError, match="but CP-SAT has"):
        measure_packing(areas=1)


def test_table_names_medians_worsts_and_ratios() -> None:
    kind = PackingTimes("small ones", ours_ms=(0.1, 0.2, 0.3), cp_sat_ms=(10.0, 8.0, 60.0))
    rows = [list(column.cells) for column in packing_table([kind]).columns]
    assert rows == [
        ["small ones (3)"], ["0.200 ms"], ["0.3 ms"], ["10.00 ms"], ["60.0 ms"], ["100"],
    ]  # fmt: skip
