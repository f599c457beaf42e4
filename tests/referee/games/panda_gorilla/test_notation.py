"""Texts are read again as they were written; those that are no notation get a sentence."""

import doctest

import pytest

from referee.errors import FormatError
from referee.games.panda_gorilla import cards, grounds, model, notation, scoring
from referee.games.panda_gorilla.notation import (
    format_setup,
    format_state,
    parse_action,
    parse_setup,
    parse_state,
)
from tests.referee.games.panda_gorilla.boards import EXAMPLES, play

SETUP = f"{EXAMPLES}\nsupply 1 2 3\nruling same_player_twice each\npile a b b c"
PLAYED = ("turn a", "take", "lay a 0,1 0", "propose sw small", "turn b b", "pond b 3,3")


@pytest.mark.parametrize("module", [cards, grounds, model, notation, scoring])
def test_examples_in_the_docstrings_hold(module):
    result = doctest.testmod(module)
    assert (result.failed, result.attempted > 0) == (0, True)


def test_setup_is_written_and_read():
    setup = parse_setup(SETUP)
    assert parse_setup(format_setup(setup)) == setup
    assert [card.id for card in setup.pile] == ["a", "b", "b", "c"]
    assert setup.rulings.same_player_twice == "each"


def test_states_are_written_and_read():
    for number in range(len(PLAYED) + 1):
        state = play(SETUP, *PLAYED[:number])
        assert parse_state(format_state(state), state.setup) == state


def test_state_shows_the_board():
    lines = format_state(play(SETUP, *PLAYED)).splitlines()
    top = ["# 0 ===== #####", "# 0 ===== --+--", "# 0 ===== rS..."]
    assert lines[lines.index(top[0]) :][:3] == top
    assert "# 1   s" in lines
    assert "# 3                   ~~~~~" in lines
    assert "# open area from 0,1 sw: light, 2 quarters, chips red small" in lines


@pytest.mark.parametrize(
    "text",
    [
        "",
        "take a",
        "lay a 0,1",
        "lay a 0,1 x",
        "lay a 01 90",
        "lay a -1,1 90",
        "pond a",
        "propose up large",
        "propose nw huge",
        "no",
        "score 0,1 up",
        "jump",
    ],
)
def test_action_that_is_none_is_refused(text):
    with pytest.raises(FormatError, match="expected"):
        parse_action(text)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("board 4x4", "board 4", "rows x columns"),
        ("board 4x4", "board 4xd", "whole number"),
        ("board 4x4\n", "", "board"),
        ("lead red", "lead red blue", "lead"),
        ("card a ew", "card a up", "edges"),
        ("card a ew dark", "card a ew green", "lawns"),
        ("signs 0,1", "signs 01", "row,column"),
        ("supply 1 2 3", "supply 1 2", "three numbers"),
        ("pile a b", "pile a z", "a card of the setup"),
        ("ruling same_player_twice each", "ruling same_player_twice never", "once or each"),
        ("ruling same_player_twice each", "ruling luck each", "luck"),
        ("pile", "deck", "a line of a setup"),
    ],
)
def test_setup_that_is_none_is_refused(old, new, words):
    assert old in SETUP
    with pytest.raises(FormatError, match=words):
        parse_setup(SETUP.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("turn red", "turn", "on turn"),
        ("turn red\n", "", "each line"),
        ("face-up b", "face-up b b", "face-up"),
        ("pile c", "pile z", "a card of the setup"),
        ("proposing no", "proposing perhaps", "yes or no"),
        ("tile 0,1 a 0", "tile 0,1 a 45", "rotation"),
        ("tile 0,1 a 0", "tile 0,1 z 0", "a card of the setup"),
        ("tile 3,3 pond", "tile 3,3 lake", "rotation"),
        ("chip 0,1 sw red small", "chip 0,1 sw red", "size"),
        ("chip 0,1 sw red small", "chip 0,1 sw pink small", "player"),
        ("points blue 0\n", "", "each line"),
        ("points blue 0", "points blue -1", "whole number"),
        ("box", "boxes", "each line"),
    ],
)
def test_state_that_is_none_is_refused(old, new, words):
    state = play(SETUP, *PLAYED)
    text = format_state(state)
    assert old in text
    with pytest.raises(FormatError, match=words):
        parse_state(text.replace(old, new, 1), state.setup)
