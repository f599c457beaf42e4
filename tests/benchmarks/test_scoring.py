"""The scoring benchmark runs the command itself on the sample picture of each game."""

from __future__ import annotations

import pytest

from tests.benchmarks import scoring
from tests.benchmarks.scoring import PICTURES, measure_scoring, scoring_table


def test_a_photograph_is_scored_by_the_command() -> None:
    (found,) = measure_scoring(["panda-gorilla"], repeats=1)
    assert found.size == (1280, 960)
    assert 0 < found.decode_s < found.total_s
    assert found.busy_s > 0
    assert scoring_table([found]).row_count == 1


def test_a_command_that_fails_is_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {"panda-gorilla": "table.jpg"}
    monkeypatch.setattr(scoring, "PICTURES", broken)
    with pytest.raises(SystemExit, match="exit code 2"):
        measure_scoring(["panda-gorilla"], repeats=1)


def test_every_game_has_a_picture() -> None:
    assert sorted(PICTURES) == ["exploring-galapagos", "galapa-go", "panda-gorilla"]
