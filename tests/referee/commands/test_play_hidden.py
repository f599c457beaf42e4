"""`table-referee play`: what chance brings and what the rulebooks hide is seen in its time only."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli import app
from referee.engines import engine_of
from referee.games.exploring_galapagos.course import Phase, phase
from referee.journal import Journal, read_journal
from referee.match import Standing
from referee.session import replay
from tests.referee.matches import GAMES, SETUP, STARTED

RUN = CliRunner()
MEMORY = ["--players", "red,blue,green", "--seed", "6"]
"""A match whose first Task is Memory; red leads, and a30 lies on the table."""


def play(game, *arguments, lines=()):
    """Returns what is printed while these lines are typed, in a wide window."""
    typed = "".join(f"{line}\n" for line in lines)
    arguments = ["play", game, *map(str, arguments)]
    result = RUN.invoke(app, arguments, input=typed, env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    return result.stdout


def shares(printed):
    """Returns what is printed before the first prompt, and after each line that is typed."""
    return re.split(r"^\w*> .*\n", printed, flags=re.MULTILINE)[:-1]


def session_of(path):
    return replay(read_journal(path).events)[0]


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "match.jsonl"


def test_a_whole_match_of_choices_is_played_to_its_end(journal):
    """The first of what is offered, again and again; nothing that chance decides is typed."""
    printed = play("exploring-galapagos", "--seed", 4, "--journal", journal, lines=["1"] * 60)
    assert session_of(journal).outcome is not None
    assert "refused, nothing happened: the game is over; undo takes" in shares(printed)[-1]


def test_the_cards_of_a_pile_are_seen_once_they_are_turned(journal):
    lines = ["turn", "turn p01 p02", "turn p01", "", "turn"]
    printed = play("panda-gorilla", "--seed", 3, "--journal", journal, lines=lines)
    before, offered, *refused, again, after = shares(printed)
    assert re.findall(r"p\d\d", before) == []
    assert "red turns 2 new cards of the pile, and the face-up card goes to the box" in offered
    assert set(re.findall(r"p\d\d", offered + again)) == {"p21"}
    for each in refused:
        assert "nothing happened: the pile lies shuffled, and what comes next are the ca" in each
    turned = session_of(journal).entries[-1].observed.action.split()[1:]
    assert len(turned) == 2
    assert set(turned) <= set(re.findall(r"p\d\d", after))
    assert len(session_of(journal).entries) == 2


def test_what_lay_on_top_of_the_pile_is_what_was_turned_in_truth_too(journal):
    lines = ["turn", "turn", "correct 3", "turn p01 p02", "turn", "take", "it was so"]
    printed = play("panda-gorilla", "--seed", 3, "--journal", journal, lines=lines)
    assert "The pile lay shuffled, so no other cards can have come." in printed
    assert printed.count("nothing happened: the pile lies shuffled") == 2
    assert session_of(journal).entries[-1].observed.action == "take"


def test_a_deal_is_not_dealt_again_by_a_correction(journal):
    order = [f"h{number:02}" for number in range(18, 0, -1)]
    cards = " ".join(order)
    lines = ["deal", "correct 2", "1", "deal", "deal h01", f"deal {cards}", "they lay so"]
    printed = play("exploring-galapagos", "--seed", 3, "--journal", journal, lines=lines)
    assert "Chance does it once. If the cards lay otherwise, type how: deal CARD ..." in printed
    assert "there are 0 actions to choose from" in printed
    assert printed.count("nothing happened: deal: expected an order of h01, h02") == 2
    assert [card.id for card in session_of(journal).state.hands["red"]] == order[:4]


def test_cards_are_not_dealt_again_until_they_please(journal):
    game = "exploring-galapagos"
    play(game, "--seed", 3, "--journal", journal, lines=["deal", "undo", "undo", "deal"])
    play(game, "--journal", journal, lines=["undo", "deal"])
    deals = session_of(journal).entries
    assert [deal.standing for deal in deals] == [Standing.TAKEN_BACK] * 2 + [Standing.COUNTS]
    assert len({deal.observed for deal in deals}) == 1


def test_how_a_shuffle_comes_out_is_typed_by_nobody_but_where_all_lies_open(journal):
    cards = " ".join(f"h{number:02}" for number in range(1, 19))
    printed = play("exploring-galapagos", "--journal", journal, lines=[f"deal {cards}"])
    assert "nothing happened: how cards lie after a shuffle is chance's: type `deal`" in printed
    assert session_of(journal).entries == ()
    play("exploring-galapagos", "--journal", journal, "--open", lines=[f"deal {cards}"])
    assert session_of(journal).entries[0].observed.action == f"deal {cards}"


def hidden_in(state):
    """Returns the ids of the cards that lie hidden from whoever is at the keyboard."""
    viewer = engine_of("exploring-galapagos").telling.chooser(state)
    if phase(state) in (Phase.SCORING, Phase.DEALING, Phase.OVER):
        return set()
    hands = [hand for player, hand in state.hands.items() if player != viewer]
    added = [card for player, card in state.added.items() if player != viewer]
    return {card.id for pile in (*hands, added, state.deck) for card in pile}


@pytest.mark.parametrize(("players", "seed"), [("ann,bob", 1), ("ann,bob", 2), ("a,b,c,d,e", 3)])
def test_nobody_sees_anothers_hand_nor_the_deck(players, seed, journal):
    options = ["--players", players, "--seed", seed, "--journal", journal]
    lines = ["1", "2", "3", "history"] * 15
    before, *printed = shares(play("exploring-galapagos", *options, lines=lines))
    session = session_of(journal)
    states, hidden = iter(entry.state for entry in session.entries), hidden_in(session.start)
    known = ever = set()  # the row has shown it before a player took it into the hand
    for line, share in zip(lines, printed, strict=True):
        if line.isdecimal() and "not understood" not in share:
            state = next(states)
            shown = {card.id for card in (*state.row, *state.locked.values(), *state.shared)}
            known = known | shown if any(state.hands.values()) else set()
            ever, hidden = ever | known, hidden_in(state)
        told = ever if line == "history" else known
        assert (hidden - told).isdisjoint(re.findall(r"\bh\d\d\b", share)), share
    assert before
    assert next(states, None) is None
    assert len(session.entries) > 25


def test_where_all_lies_open_everything_is_seen():
    lines = ["deal", "1", "state", "history"]
    options = ["--players", "ann,bob", "--seed", 3]
    open_ = play("exploring-galapagos", *options, "--open", lines=lines)
    assert "Everything lies open" in open_
    assert "the keyboard is for" not in open_
    assert re.search(r"3  ann adds h\d\d to the draft, face down", shares(open_)[-1])
    *_, state, _ = shares(open_)
    assert len(set(re.findall(r"\bh\d\d\b", state))) == 18
    assert "ann holds" in state
    assert "bob holds" in state
    panda = play("panda-gorilla", "--seed", 3, "--open")
    assert "The pile  " in panda
    assert "p21 p11 p06" in panda


def test_what_the_lead_covers_is_not_told_where_it_is_to_be_remembered():
    lines = ["lay out", "turn", "red cover a30", "history", "state", "help"]
    printed = play("galapa-go", *MEMORY, lines=lines)
    covered = shares(printed)[3:]
    assert "red covers a30 \n" in re.sub(" +", " ", covered[0])
    assert "a30 (under red's Camera)" in covered[0]
    assert "blue guesses what is on the card under red's Camera" in covered[0]
    for each in covered:
        assert "elephant, crocodile" not in each
        assert "blue says" not in each
    assert "more can be done, but a list would tell what lies hidden" in covered[0]
    assert "SECONDS PLAYER guess ANIMAL ..." in covered[-1]
    open_ = shares(play("galapa-go", *MEMORY, "--open", lines=lines))
    assert "red covers a30 (elephant, crocodile, blue crab)" in open_[3]
    assert "blue says crocodile and elephant" in open_[3]
    assert "more can be done" not in open_[3]
    told = play("galapa-go", *MEMORY, lines=[*lines[:3], "blue guess crocodile elephant"])
    assert "red on a30: void (guessed by blue)" in told


REMEMBERED = [
    *["lay out", "turn", "1 red cover a3", "2 blue pass", "end round"],
    *["turn", "3 blue cover a3"],
]
"""A round in which red is wrong on a3, and one in which blue lets the others remember it."""


@pytest.fixture
def memory(journal):
    """A small match whose second Task is Memory: the journal in which it has begun."""
    kept = Journal(journal)
    memory = SETUP.replace("task t2 +giraffe", "special s1 memory")
    kept.append(replace(STARTED, setup=memory))
    kept.close()
    return journal


def test_what_is_to_be_remembered_is_not_told_of_earlier_rounds(memory):
    lines = [*REMEMBERED, "correct 4", "correct 5", "note tea", "history", "state"]
    printed = shares(play("galapa-go", "--journal", memory, lines=lines))[len(REMEMBERED) :]
    assert "red covers a3" in printed[-2]
    assert "event 8, and what happened before it would tell" in printed[1]
    for each in printed[1:]:
        assert "giraffe, red crab" not in each
        assert "crocodile-giraffe" not in each
    assert len(session_of(memory).events) == 9
    again = ["red guess lion", "correct 4", "red cover a1", ""]
    after = play("galapa-go", "--journal", memory, lines=again)
    assert "red covers a3 (crocodile-giraffe, red crab). What was it in truth?" in after
    assert session_of(memory).entries[2].observed.action == "0 red cover a1"


def test_what_is_to_be_remembered_can_be_corrected_by_the_lead_and_where_all_lies_open(memory):
    lines = [*REMEMBERED, "correct 8", "back", "correct 4", "back"]
    printed = play("galapa-go", "--journal", memory, "--open", lines=lines)
    assert "8: blue covers a3 (crocodile-giraffe, red crab). What was it in truth?" in printed
    assert "4: red covers a3 (crocodile-giraffe, red crab). What was it in truth?" in printed
    alone = shares(play("galapa-go", "--journal", memory, lines=["correct 8", "back"]))[1]
    assert alone.index("the keyboard is for blue alone") < alone.index("covers a3 (crocodile")


def test_the_table_is_shown_to_whoever_is_next_where_all_lies_open():
    options = ["exploring-galapagos", "--players", "ann,bob", "--seed", 3]
    lines = ["deal", "1"]
    open_, hidden = (shares(play(*options, *more, lines=lines))[1:] for more in (["--open"], []))
    for each, other in zip(open_, hidden, strict=True):
        assert each.count("─ the table ─") == other.count("─ the table ─") == 1
        assert "ann holds" in each
        assert "bob holds" in each


def test_a_card_of_the_deck_is_not_told_to_whoever_asks_for_it():
    printed = play("galapa-go", *MEMORY, lines=["lay out", "turn", "red cover a16", "undo"])
    assert "refused, nothing happened: 0 red cover a16: the card a16 does not lie" in printed
    assert "a16 (" not in printed


@pytest.mark.parametrize("word", ["", "back", "quit", "q", "exit"])
def test_a_correction_that_is_left_changes_nothing(word, journal):
    options = ["--players", "ann,bob", "--seed", 3, "--journal", journal]
    lines = ["deal", "1", "correct 3", word, "note tea"]
    printed = play("exploring-galapagos", *options, lines=lines)
    assert re.search(r"3: ann adds h\d\d to the draft, face down. What was it in tr", printed)
    assert "left as it is: nothing was corrected" in printed
    *_, seat = re.findall(r"the keyboard is for (\w+) alone", printed)
    assert seat == "bob"
    assert len(session_of(journal).events) == 4
    if word:
        play("exploring-galapagos", "--journal", journal, lines=["correct 3 nothing", word])
        assert len(session_of(journal).events) == 4


def test_the_end_of_what_is_typed_leaves_a_correction(journal):
    lines = ["lay out", "correct 2 nothing"]
    printed = play("galapa-go", "--seed", 3, "--journal", journal, lines=lines)
    assert "left as it is: nothing was corrected" in printed
    assert len(session_of(journal).events) == 2


@pytest.mark.parametrize("game", GAMES)
def test_enter_alone_never_does_anything(game, journal):
    engine = engine_of(game)
    for lines in (0, 1, 2, 4, 6):
        typed = ["1"] * lines + ["", ""]
        path = journal.with_name(f"{lines}.jsonl")
        *_, before, once, twice = shares(play(game, "--seed", 3, "--journal", path, lines=typed))
        session = session_of(path)
        assert len(session.entries) == lines
        first = engine.rules.legal_actions(session.state)[0]
        assert engine.notation.format_choice(first) in twice
        assert once == twice
        assert before.endswith(once)


@pytest.mark.parametrize("game", GAMES)
def test_help_tells_how_the_actions_of_this_game_are_typed(game):
    printed = play(game, "--seed", 3, lines=["1", "1", "help"])
    told = shares(printed)[-1]
    for form, meaning in engine_of(game).notation.action_forms():
        assert form in told
        assert meaning in told
    example = re.search(r"Such as now: (.+?)(, or in short (.+?))?\. Capitals", told)
    assert example[1] in shares(printed)[-2]
    if game == "galapa-go":
        assert example[1] == f"0 {example[3]}"
        assert example[3].startswith("red cover a")


class Terminal:
    """A match on a terminal of its own, as a person has it."""

    def __init__(self, *arguments):
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from referee.cli import main; main()", "play", *arguments],
            stdin=slave, stdout=slave, stderr=slave, close_fds=True,
            cwd=Path(__file__).parents[3], env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
        )  # fmt: skip
        os.close(slave)

    def wait_for(self, words):
        """Returns what is printed up to and with some words."""
        printed = b""
        while words.encode() not in printed:
            assert select.select([self._master], [], [], 60)[0], printed
            printed += os.read(self._master, 65536)
        return re.sub(r"\x1b\[[0-9;]*m", "", printed.decode(errors="replace"))

    def type(self, text):
        os.write(self._master, text.encode())

    def close(self):
        self._process.kill()
        self._process.wait()
        os.close(self._master)


def test_on_a_terminal_the_keyboard_is_handed_over():
    """What ann saw is gone before bob is asked for; his hand is shown once he is there."""
    window = Terminal("exploring-galapagos", "--players", "ann,bob", "--seed", "3")
    try:
        window.wait_for("> ")
        window.type("deal\n")
        before = window.wait_for("Give the keyboard to ann, then press Enter. ")
        assert "holds" not in before
        window.type("\n")
        assert "ann holds" in window.wait_for("ann> ")
        window.type("1\n")
        handed = window.wait_for("Give the keyboard to bob, then press Enter. ")
        cleared = handed.index("\x1b[3J")
        assert handed.index("\x1b[2J") < cleared < handed.index("a card to the draft, face down")
        assert not re.search(r"\bh\d\d\b", handed[cleared:])
        window.type("\n")
        assert "bob holds" in window.wait_for("bob> ")
        window.type("correct 3\n")
        window.wait_for("Give the keyboard to ann, then press Enter. ")
        window.type("\n")
        window.wait_for("in truth? ")
        window.type("\x04")
        left = window.wait_for("Give the keyboard to bob, then press Enter. ")
        assert "nothing was corrected" in left
    finally:
        window.close()
