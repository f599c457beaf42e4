"""The named house rulings of the three games."""

import pytest

from referee.errors import FormatError
from referee.rulings import RULINGS, default_rulings, read_rulings


def test_defaults_are_those_of_the_house():
    assert {game: default_rulings(game) for game in RULINGS} == {
        "galapa-go": {
            "late_claims": "void",
            "most_least_counts": "animals",
            "most_least_wrong": "penalty",
        },
        "exploring-galapagos": {"impact_on_zero": False},
        "panda-gorilla": {
            "path_into_wall": True,
            "pond_adjacency": False,
            "supply": "limited",
            "same_player_twice": "once",
        },
    }


@pytest.mark.parametrize("game", RULINGS)
def test_no_rulings_are_the_defaults(game):
    assert read_rulings(game, {}, "rulings") == default_rulings(game)


def test_ruling_that_differs_is_taken():
    rulings = read_rulings("panda-gorilla", {"path_into_wall": False}, "rulings")
    assert rulings == {**default_rulings("panda-gorilla"), "path_into_wall": False}


@pytest.mark.parametrize(
    ("game", "value", "words"),
    [
        ("panda-gorilla", {"path_into_wall": 1}, ["rulings.path_into_wall", "true or false", "1"]),
        ("exploring-galapagos", {"impact_on_zero": 0}, ["rulings.impact_on_zero", "false or true"]),
        ("panda-gorilla", {"supply": "endless"}, ["rulings.supply", "limited or unlimited"]),
        ("galapa-go", {"supply": "limited"}, ["rulings.supply", "late_claims"]),
        ("galapa-go", "late_claims", ["rulings", "object"]),
        ("galapa-go", {"late_claims": ["void"]}, ["rulings.late_claims"]),
    ],
)
def test_unknown_ruling_or_value_is_refused(game, value, words):
    with pytest.raises(FormatError) as caught:
        read_rulings(game, value, "rulings")
    assert all(word in str(caught.value) for word in words)
