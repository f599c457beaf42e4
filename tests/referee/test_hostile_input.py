"""What no table has: numbers without end, half characters, doubled keys, boards like a city."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.commands.console import CommandError
from referee.commands.judging import answer_position
from referee.errors import PositionError
from referee.judge import judge


def galapa(**changes: Any) -> dict[str, Any]:
    lion = [{"head": "lion", "body": "lion"}]
    question: dict[str, Any] = {
        "game": "galapa-go",
        "players": ["red", "blue"],
        "lead": "red",
        "cards": [
            {"id": "a1", "kind": "animal", "animals": lion},
            {"id": "t1", "kind": "task", "require": ["lion"]},
        ],
        "layout": ["a1"],
        "deck_left": 0,
        "tasks": ["t1"],
        "won": {},
        "box": [],
        "actions": [],
    }
    return {**question, **changes}


def panda(**board: Any) -> dict[str, Any]:
    grid = {"rows": 8, "cols": 9, "entrance": [[0, 4]], "signs": [[0, 3]], **board}
    return {"game": "panda-gorilla", "board": grid, "cards": [], "tiles": []}


def cover(t: Any) -> dict[str, Any]:
    return {"t": t, "player": "red", "do": "cover", "card": "a1"}


def test_the_plain_questions_are_answered() -> None:
    assert judge(galapa(actions=[cover(1.0)]))["matching"] == ["a1"]
    assert judge(panda())["areas"] == []


@pytest.mark.parametrize(
    ("question", "place"),
    [
        (galapa(deck_left=10**400), "deck_left"),
        (galapa(actions=[cover(10**400)]), "actions[0].t"),
        (galapa(actions=[cover(1e300)]), "actions[0].t"),
        (galapa(layout=["\ud800"]), "layout[0]"),
        (panda(rows=10**30), "board.rows"),
        (panda(rows=20, cols=20), "board.rows"),
    ],
    ids=["digits", "time", "late", "half a character", "endless board", "too large to pack"],
)
def test_what_no_table_has_is_refused_with_its_place(question: dict[str, Any], place: str) -> None:
    with pytest.raises(PositionError) as refusal:
        judge(question)
    assert refusal.value.place == place


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('{"game": "galapa-go", "deck_left": ' + 5000 * "9" + "}", "digits"),
        ('{"a": 1, "a": 2}', "twice"),
    ],
    ids=["digits", "doubled key"],
)
def test_what_json_cannot_mean_is_refused(tmp_path: Path, text: str, word: str) -> None:
    path = tmp_path / "question.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError, match=word):
        answer_position(path, None)


def test_a_question_without_doubled_keys_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "question.json"
    path.write_text(json.dumps(galapa()), encoding="utf-8")
    answer_position(path, None)
    assert json.loads(capsys.readouterr().out)["matching"] == ["a1"]
