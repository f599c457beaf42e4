"""The questions of the benchmark are real ones, and every game is measured."""

import pytest

from referee.games.catalog import GAMES
from referee.judge import judge
from tests.benchmarks.judging import (
    GOALS,
    Rate,
    judging_table,
    measure_judging,
    panda_board,
    questions_of,
)


def test_every_game_has_a_goal_and_is_measured() -> None:
    rates = measure_judging(round_s=0.01)
    assert [rate.game for rate in rates] == list(GOALS) == list(GAMES)
    for rate in rates:
        assert rate.questions == len(questions_of(rate.game)) >= 5
        assert 0 < rate.slowest_ms < 1000
        assert rate.per_second > 0


@pytest.mark.parametrize("seed", [0, 1])
def test_panda_board_is_half_full_and_legal(seed: int) -> None:
    question = panda_board(seed)
    assert len(question["tiles"]) == question["board"]["rows"] * question["board"]["cols"] // 2
    assert len(question["offer"]) == 2
    assert question["chips"]
    answer = judge(question)
    assert answer["illegal"] == []
    assert answer["placements"]
    assert panda_board(seed) == question, "the same seed gives another board"


def test_table_names_games_figures_and_goals() -> None:
    rate = Rate("galapa-go", questions=7, per_second=2345.6, slowest_ms=0.5)
    rows = [list(column.cells) for column in judging_table([rate]).columns]
    assert rows == [["galapa-go (7 questions)"], ["2,346"], ["2,000"], ["0.50 ms"]]
