"""Texts that are no notation are refused with a sentence."""

import doctest

import pytest

from referee import rulings
from referee.errors import FormatError
from referee.games.galapa_go import cards, matching, notation, scoring
from referee.games.galapa_go.rules import initial_state

SETUP = "players red blue\nlead red\nanimal a1 lion/lion\ntask t1 +lion"


@pytest.mark.parametrize("module", [notation, matching, scoring, cards, rulings])
def test_examples_in_the_docstrings_hold(module):
    result = doctest.testmod(module)
    assert (result.failed, result.attempted > 0) == (0, True)


@pytest.mark.parametrize(
    "text",
    ["", "red cover a1", "x red cover a1", "1 red cover", "1 red cover a1 a2", "1 red jump"],
)
def test_action_that_is_none_is_refused(text):
    with pytest.raises(FormatError, match="action"):
        notation.parse_action(text)


@pytest.mark.parametrize(
    "line",
    [
        "animal a2 lion",
        "animal a2 lion/lion crab",
        "task t2 lion",
        "special s1 luck",
        "x",
        "ruling a",
    ],
)
def test_setup_line_that_is_none_is_refused(line):
    with pytest.raises(FormatError, match="expected"):
        notation.parse_setup(f"{SETUP}\n{line}")


@pytest.mark.parametrize("text", ["", "players red blue", "lead red", "players red blue\nlead"])
def test_setup_without_players_and_lead_is_refused(text):
    with pytest.raises(FormatError, match="players"):
        notation.parse_setup(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("lead red\n", ""),
        ("deck a1", "deck a2"),
        ("won blue\n", ""),
        ("box", "boxes"),
        ("box", "box\naction turn"),
        ("box", "box\naction 1 red jump"),
    ],
)
def test_state_that_is_none_is_refused(old, new):
    setup = notation.parse_setup(SETUP)
    text = notation.format_state(initial_state(setup))
    assert old in text
    with pytest.raises(FormatError, match="expected"):
        notation.parse_state(text.replace(old, new), setup)
