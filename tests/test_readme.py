"""What the README shows can be typed as it stands."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from referee.cli import app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ORDERS = re.findall(r"^    (?:\.venv/bin/)?table-referee (.+)$", README, re.MULTILINE)
QUESTIONS = sorted((ROOT / "tests" / "data" / "questions").glob("*.json"))


def test_there_are_orders_and_questions() -> None:
    assert len(ORDERS) > 10
    assert len(QUESTIONS) == 3


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_is_one_that_can_be_given(order: str) -> None:
    words = shlex.split(order)
    group = typer.main.get_command(app)
    command = group.commands[words.pop(0)]  # type: ignore[attr-defined]
    while hasattr(command, "commands"):
        command = command.commands[words.pop(0)]
    command.make_context(command.name, list(words))
    for word in words:
        if word.startswith(("tests/", "datasets/")):
            assert (ROOT / word).exists(), word


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda path: path.stem)
def test_every_question_stands_in_the_readme_and_is_answered(question: Path) -> None:
    text = question.read_text(encoding="utf-8")
    assert f"```json\n{text}```" in README
    (order,) = (each for each in ORDERS if question.name in each)
    words = [str(ROOT / word) if "/" in word else word for word in shlex.split(order)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    for key in json.loads(result.stdout):
        assert f"`{key}`" in README or key == "players"
