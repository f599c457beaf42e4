"""Each reading of a rulebook is shown by a test that names it: `tests/data/readings.toml`."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from referee.games.catalog import GAMES
from referee.rulings import RULINGS

TESTS = Path(__file__).parents[2]
READINGS = tomllib.loads((TESTS / "data" / "readings.toml").read_text(encoding="utf-8"))


def texts_about(game):
    """Yields what the tests of a game say of it; a module's own docstring is no test."""
    folder = game.replace("-", "_")
    for path in sorted((TESTS / "data" / "positions" / folder).glob("*.json")):
        yield path.read_text(encoding="utf-8")
    modules = [
        *(TESTS / "referee" / "games" / folder).glob("test_*.py"),
        TESTS / "referee" / "test_judge.py",
    ]
    for path in sorted(modules):
        source = path.read_text(encoding="utf-8")
        yield source.replace(ast.get_docstring(ast.parse(source), clean=False) or "", "", 1)


def named_in(texts):
    return {name for text in texts for name in re.findall(r"\b[GEP]\d+\b", text)}


@pytest.mark.parametrize("game", GAMES)
def test_each_reading_that_is_not_free_is_named_in_a_test(game):
    rows = READINGS[game]
    bound = {name for name, row in rows.items() if set(row["mark"]) & {"T", "I"}}
    named = named_in(texts_about(game))
    missing = sorted(bound - named, key=lambda name: int(name[1:]))
    assert not missing, [f"{name}: {rows[name]['title']}" for name in missing]


@pytest.mark.parametrize("game", GAMES)
def test_no_test_names_a_reading_that_is_not_there(game):
    letters = {name[0] for name in READINGS[game]}
    named = {name for name in named_in(texts_about(game)) if name[0] in letters}
    assert named <= READINGS[game].keys()


@pytest.mark.parametrize("game", GAMES)
def test_each_house_ruling_is_the_setting_of_a_reading(game):
    settings = {row["setting"] for row in READINGS[game].values() if "setting" in row}
    assert settings == RULINGS[game].keys()


def test_rows_are_marked_and_numbered_without_a_gap():
    assert READINGS.keys() == GAMES.keys()
    for rows in READINGS.values():
        assert {row["mark"] for row in rows.values()} <= {"T", "I", "H", "T/I", "T/H", "I/H"}
        assert [int(name[1:]) for name in rows] == [*range(1, len(rows) + 1)]
