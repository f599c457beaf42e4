"""Texts that are no notation are refused with a sentence."""

from pathlib import Path

import pytest

from referee.errors import FormatError
from referee.games.exploring_galapagos import notation
from referee.games.exploring_galapagos.rules import apply, initial_state, legal_actions

PLAYTHROUGHS = Path(__file__).parents[3] / "data" / "playthroughs" / "exploring_galapagos"
SETUP = (
    (PLAYTHROUGHS / "four_players.txt")
    .read_text(encoding="utf-8")
    .partition("== setup\n")[2]
    .partition("== play\n")[0]
)


@pytest.mark.parametrize(
    "text", ["", "ann", "ann add", "ann add h1 h2", "ann jump h1", "add ann h1", "end", "end game"]
)
def test_action_that_is_none_is_refused(text):
    with pytest.raises(FormatError, match="action"):
        notation.parse_action(text)


@pytest.mark.parametrize(
    "line",
    [
        "x",
        "card",
        "card h19 19 time day",
        "card h19 x time day 0",
        "card h19 19 luck day 0",
        "card h19 19 time noon 0",
        "card h19 19 time day 3",
        "card h19 19 time day 0 blue-fish",
        "card h19 19 time day 0 blue-fish/sea/noon",
        "card h19 19 time day 0 blue-fish/sea/day/night",
        "ruling impact_on_zero",
        "ruling impact_on_zero maybe",
        "ruling luck true",
    ],
)
def test_setup_line_that_is_none_is_refused(line):
    with pytest.raises(FormatError, match="expected"):
        notation.parse_setup(f"{SETUP}{line}")


@pytest.mark.parametrize("text", ["", "players ann bob", "lead ann", "players ann bob\nlead"])
def test_setup_without_players_and_lead_is_refused(text):
    with pytest.raises(FormatError, match="players"):
        notation.parse_setup(text)


def test_house_ruling_is_written_where_it_is_not_the_default():
    setup = notation.parse_setup(f"{SETUP}ruling impact_on_zero true")
    assert setup.rulings.impact_on_zero
    assert "ruling impact_on_zero true" in notation.format_setup(setup)
    assert notation.parse_setup(notation.format_setup(setup)) == setup
    assert "ruling" not in notation.format_setup(notation.parse_setup(SETUP))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("lead bob\n", ""),
        ("lead bob", "lead eve"),
        ("lead bob", "lead bob cat"),
        ("deck h13", "deck h19"),
        ("hand cat", "hands cat"),
        ("hand cat", "hand eve"),
        ("shared", "shared h99"),
        ("locked bob h01", "locked bob"),
        ("locked bob h01", "locked eve h01"),
        ("record 1 ann time 3", ""),
        ("record 1 ann time 3", "record 1 ann time"),
        ("record 1 ann time 3", "record 1 ann luck 3"),
        ("record 1 ann time 3", "record 1 eve time 3"),
        ("record 1 ann time 3", "record one ann time 3"),
        ("record 1 ann time 3", "record 2 ann time 3"),
    ],
)
def test_state_that_is_none_is_refused(old, new):
    setup = notation.parse_setup(SETUP)
    state = initial_state(setup)
    state = apply(state, legal_actions(state)[0])
    state = apply(state, notation.parse_action("bob lock-in h01"))
    records = [f"record 1 {player} time 3" for player in setup.players]
    text = "\n".join([notation.format_state(state), *records])
    assert old in text
    notation.parse_state(text, setup)
    with pytest.raises(FormatError, match="expected"):
        notation.parse_state(text.replace(old, new), setup)
