"""`table-referee play`: whole matches through a pipe, and every way to leave the straight path."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from rich.console import Console
from typer.testing import CliRunner

from referee.cli import app
from referee.commands import play as playing
from referee.commands.play_menu import PAGE, Menu, Option, Refusal, offer, understand
from referee.commands.play_screen import MOST_CHANGES, Screen
from referee.commands.play_setup import PlayOrder, _shuffled, start_match
from referee.decks import load_deck
from referee.engines import engine_of
from referee.events import ActionObserved, Correction, Note, Undo
from referee.journal import Journal, read_journal
from referee.match import Announcement, Kind, Stage, Standing
from referee.session import replay
from tests.builders import write_tiny_deck
from tests.referee.matches import GAMES, ROUND, SETUP, STARTED
from vision.resources import find_resource

RUN = CliRunner()


def play(*arguments: object, lines=(), game="galapa-go"):
    """Returns the result of a match into which these lines are typed, in a wide window."""
    typed = "".join(f"{line}\n" for line in lines)
    arguments = ["play", game, *map(str, arguments)]
    return RUN.invoke(app, arguments, input=typed, env={"COLUMNS": "160"})


def refusal(result):
    """Returns the one sentence on standard error of an order that was refused."""
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("table-referee: ")


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "match.jsonl"


@pytest.fixture
def small(tmp_path):
    """A match of the small setup: the journal in which it has begun."""
    path = tmp_path / "small.jsonl"
    kept = Journal(path)
    kept.append(STARTED)
    kept.close()
    return path


@pytest.fixture
def tiny_deck(tmp_path):
    return write_tiny_deck(tmp_path / "tiny")


def session_of(path):
    return replay(read_journal(path).events)[0]


def whole_game(game, order, seed):
    """Returns the lines of a random game to its end, and how it ended."""
    engine, rng = engine_of(game), Random(seed)
    start = start_match(order, engine, seed)
    state, lines = engine.rules.initial_state(engine.notation.parse_setup(start.setup)), []
    while engine.rules.outcome(state) is None:
        action = rng.choice(engine.rules.legal_actions(state))
        lines.append(engine.notation.format_action(action))
        state = engine.rules.apply(state, action)
    return lines, engine.rules.outcome(state)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_through_a_pipe(game, journal, tiny_deck):
    deck = ["--deck", tiny_deck] if game == "galapa-go" else []
    order = replace(PlayOrder(game), deck=tiny_deck if deck else None)
    lines, outcome = whole_game(game, order, 5)
    options = ["--seed", 5, *deck, "--open", "--journal", journal]
    result = play(*options, lines=[*lines, "", "quit"], game=game)
    assert result.exit_code == 0, result.output
    assert "final scores" in result.stdout
    scores = [line for line in result.stdout.splitlines() if "│" in line and "Place" not in line]
    for player, score in outcome.scores.items():
        row = next(line for line in reversed(scores) if f" {player} " in line)
        assert f" {score} " in row
        assert ("victory" in row or "won" in row) == (player in outcome.winners)
    said = result.stdout.splitlines()
    last = next(place for place, line in enumerate(said) if "The game is over" in line)
    assert not any(words in said[last - 1] for words in ("'s turn", "leads"))
    session = session_of(journal)
    assert session.outcome == outcome
    assert [entry.observed.action for entry in session.entries] == lines


@pytest.mark.parametrize("game", GAMES)
def test_a_seed_deals_the_same_again(game):
    first, again, other = (play("--seed", n, lines=["1", "1"], game=game) for n in (7, 7, 8))
    assert first.stdout == again.stdout
    assert first.stdout != other.stdout.replace("seed 8", "seed 7")
    assert "--seed 7 deals the same again" in first.stdout


def test_a_match_without_a_seed_is_shuffled_anew():
    assert len({play(lines=["1"]).stdout for _ in range(3)}) == 3


def test_the_end_of_what_is_typed_keeps_the_match_and_it_goes_on(journal):
    first = play("--seed", 1, "--journal", journal, lines=["lay out", "turn"])
    assert first.exit_code == 0
    assert "Nobody types any more." in first.stdout
    assert f"The match is kept in {journal}: 3 events" in first.stdout
    before = journal.read_bytes()
    again = play("--journal", journal, lines=["quit"])
    assert "goes on after 3 events, the last: red turns a Task card." in again.stdout
    assert journal.read_bytes() == before
    play("--journal", journal, lines=["1"])
    assert len(session_of(journal).entries) == 3
    assert journal.read_bytes().startswith(before)


def test_ctrl_c_keeps_the_match(small, monkeypatch):
    lines = iter(ROUND[:2])

    def ask(self, prompt):
        for line in lines:
            return line
        raise KeyboardInterrupt

    monkeypatch.setattr(playing.Keyboard, "ask", ask)
    result = play("--journal", small)
    assert result.exit_code == 130
    assert "Stopped." in result.stdout
    assert len(session_of(small).entries) == 2


def test_a_torn_last_line_is_said(small):
    with small.open("ab") as file:
        file.write(b'{"event":{"act')
    result = play("--journal", small, lines=["quit"])
    assert "Its last line was cut off" in result.stdout
    assert read_journal(small).torn == ""


def test_what_cannot_be_is_explained_with_the_rule_and_not_kept(small):
    lines = [*ROUND[:3], "2 blue cover a9", "blue cover a9", "turn", "99", "jump", "undo", "undo"]
    result = play("--journal", small, lines=[*lines, "undo", "undo"])
    reason = "blue cover a9: the card a9 does not lie on the table (rulebook: Game Flow)"
    assert f"refused, nothing happened: 2 {reason}" in result.stdout
    assert f"refused, nothing happened: 1 {reason}" in result.stdout
    assert "nothing happened: turn: the round still runs (rulebook: End of the" in result.stdout
    assert "not understood: there are" in result.stdout
    assert "to choose from, and 99 is none of them" in result.stdout
    assert "not understood: no action offered has the words 'jump'; help" in result.stdout
    assert "nothing happened: there is nothing to take back" in result.stdout
    assert session_of(small).events[4:] == (Undo(),) * 3


def test_an_action_without_its_time_has_that_of_the_last_one(small):
    late = play("--journal", small, lines=[*ROUND, "red cover a3"])
    assert "nothing happened: 2 red cover a3: a Task card is to be turned first" in late.stdout


def test_what_is_not_allowed_but_happens_is_ruled_upon(small):
    result = play("--journal", small, lines=[*ROUND[:3], "blue cover a1"])
    said = "blue covers a1 (lion); but another Camera lay there first (rulebook: Notes)"
    assert f"   5  {said}" in result.stdout
    assert "a mistake, but it can happen: it stands and is ruled upon" in result.stdout
    assert "nothing happened" not in result.stdout
    entry = session_of(small).entries[-1]
    assert (entry.observed.action, entry.standing) == ("1 blue cover a1", Standing.COUNTS)


def test_a_claim_was_blues(small):
    lines = [*ROUND[:4], "correct 4", "blue cover", "blue cover a1", "it was Blue's", "history"]
    result = play("--journal", small, lines=lines)
    assert "4: red covers a1 (lion). What was it in truth?" in result.stdout
    assert "Event 4 is corrected: blue covers a1 (lion) (it was Blue's)" in result.stdout
    assert "Event 5: no longer: The round is over" in result.stdout
    assert session_of(small).events[-1] == Correction(
        4, ActionObserved("0 blue cover a1"), "it was Blue's"
    )


@pytest.mark.parametrize(
    ("lines", "event"),
    [
        (["undo"], Undo()),
        (["undo a slip"], Undo("a slip")),
        (["correct 4 nothing", ""], Correction(4, None)),
        (["correct 4", "nothing", "no hand"], Correction(4, None, "no hand")),
        (["correct 4", "more", "red", "3", ""], Correction(4, ActionObserved("0 red cover a3"))),
        (["correct 4 1 red cover a2", ""], Correction(4, ActionObserved("1 red cover a2"))),
        (["correct 4", "red cover a9", "turn", "back", "note tea"], Note("tea")),
        (["correct 4 nothing", "help", "a slip"], Correction(4, None, "a slip")),
        (["correct 4 nothing", "undo", "correct 3", ""], Correction(4, None)),
        (["note tea"], Note("tea")),
    ],
)
def test_what_is_typed_to_correct(small, lines, event):
    result = play("--journal", small, lines=[*ROUND[:3], *lines])
    assert result.exit_code == 0
    assert session_of(small).events[4:] == (event,)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("correct", "expected the number of an event"),
        ("correct x", "expected the number of an event"),
        ("correct 99", "expected the number of one of the 2 events, got 99"),
        ("correct 1", "the event 1 is nothing that can be corrected"),
        ("note", "expected some words to keep"),
    ],
)
def test_a_command_that_lacks_something_says_so(small, line, words):
    result = play("--journal", small, lines=[*ROUND[:1], line])
    assert words in result.stdout
    assert len(session_of(small).events) == 2


def test_help_state_and_history_change_nothing(small):
    result = play(
        "--journal", small, lines=["history", *ROUND[:1], "?", "help", "state", "history"]
    )
    assert result.stdout.count("   1  the match of galapa-go begins") == 2
    assert result.stdout.count("   2  red lays out the Animal cards") == 2
    assert result.stdout.count("what you can type") == 2
    assert result.stdout.count("─ the table ─") == 2
    assert len(session_of(small).events) == 2


def test_the_board_is_shown_once_something_else_lies_there():
    lines = ["turn", "turn", "lay p11 7,5 90", "no proposal", "state"]
    printed = play("--seed", 3, lines=lines, game="panda-gorilla").stdout
    *_, laid, passed, again, _ = printed.split("\n> ")
    assert "7         s   ===== --+.." in laid
    assert "red proposes large animals in the north-west of the card" in laid
    assert [text.count("─ the table ─") for text in (laid, passed, again)] == [1, 1, 1]


def test_a_match_that_has_ended_can_be_corrected_only(small):
    lines = [*ROUND[:2], "finish supper", "red cover a1", "correct 4", "not yet", "red cover a1"]
    result = play("--journal", small, lines=lines)
    assert "The match has ended: supper" in result.stdout
    assert "nothing happened: the match has ended; undo takes its end back" in result.stdout
    assert "The end of the match 4 is taken back (not yet)" in result.stdout
    assert len(session_of(small).entries) == 3
    left = play("--journal", small, lines=["finish", "", "quit", "red cover a2"])
    assert "> red cover a2" not in left.stdout
    again = play("--journal", small, lines=["undo"])
    assert "has ended, after 7 events, the last: the match ends." in again.stdout
    assert "The end of the match 7 is taken back" in again.stdout
    assert session_of(small).stage is Stage.RUNNING


def test_the_task_deck_is_shuffled_by_the_seed(tmp_path):
    """The order that cards come to is chance of the command's, told to the rules as an action."""
    seen = set()
    for seed in range(6):
        path = tmp_path / f"{seed}.jsonl"
        kept = Journal(path)
        kept.append(STARTED)
        kept.close()
        round_ = ["turn", "red no-match", "blue no-match", "end round"]
        result = play("--seed", seed, "--journal", path, lines=["lay out", *round_ * 3, "shuffle"])
        assert "the used Task cards are shuffled" in result.stdout
        seen.add(session_of(path).entries[-1].observed.action)
    assert len(seen) > 1
    assert all(sorted(text.split()) == ["shuffle", "t1", "t2", "t3"] for text in seen)


@pytest.mark.parametrize("encoding", ["utf-8:strict", "ascii:strict"])
def test_stray_bytes_are_no_reason_to_stop(small, encoding):
    done = subprocess.run(
        [sys.executable, "-c", "from referee.cli import main; main()", "play", "galapa-go",
         "--journal", str(small)],
        input=b"\xff\xfe\n\x00\nnote caf\xc3\xa9\nlay out\n", capture_output=True, check=False,
        cwd=Path(__file__).parents[3], env={**os.environ, "PYTHONIOENCODING": encoding},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(session_of(small).entries) == 1


def test_every_copy_of_a_card_is_shuffled_in():
    deck = load_deck(find_resource("datasets/decks/panda-gorilla"))
    first, *others = deck.cards
    twice = replace(first, piece=replace(first.piece, count=2))
    pieces = _shuffled(replace(deck, cards=(twice, *others)), 1)
    assert pieces.count(twice.piece) == 2
    assert pieces[-1] == deck.board
    assert len(pieces) == 2 + sum(getattr(card.piece, "count", 1) for card in others) + 1


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("chess", [], "GAME: expected galapa-go"),
        ("galapa-go", ["--players", "red,red"], "--players: expected every player once"),
        ("galapa-go", ["--players", "red,"], "--players: expected names like red,blue"),
        ("galapa-go", ["--players", "red,a b"], "--players: expected names like red,blue"),
        ("galapa-go", ["--players", "ann,bob"], "blue, orange or purple, got ann, bob, led by ann"),
        ("panda-gorilla", ["--players", "ann,bob"], "green or blue, got ann, bob, led by ann"),
        ("galapa-go", ["--players", "red"], "--players: expected 2 to 6 different players"),
        ("galapa-go", ["--lead", "green"], "--lead: expected one of the players red or blue"),
        ("galapa-go", ["--variant", "odd"], "--variant: expected the variant normal or complex"),
        ("galapa-go", ["--ruling", "late_claims"], "--ruling: expected name=value"),
        ("galapa-go", ["--ruling", "late_claims=no"], "--ruling.late_claims: expected void"),
        ("exploring-galapagos", ["--variant", "complex"], "--variant: expected"),
        ("exploring-galapagos", ["--players", "ann"], "--players: expected"),
        (
            "galapa-go",
            ["--ruling", "late_claims=void", "--ruling", "late_claims=judged"],
            "--ruling.late_claims: expected one value, got void and judged",
        ),
        ("galapa-go", ["--ruling", "supply=limited"], "--ruling.supply: expected one of the keys"),
        ("exploring-galapagos", ["--ruling", "impact_on_zero=yes"], "--ruling.impact_on_zero:"),
        ("exploring-galapagos", ["--deck", "TINY"], "--deck: expected a deck of exploring-gala"),
        ("galapa-go", ["--deck", "nowhere"], "nowhere"),
    ],
)
def test_bad_input_is_one_sentence_and_nothing_is_written(game, options, words, journal, tiny_deck):
    options = [tiny_deck if option == "TINY" else option for option in options]
    result = play("--journal", journal, *options, game=game)
    assert words in refusal(result)
    assert result.stdout == ""
    assert not journal.exists()


def test_house_rulings_and_variant_are_kept_with_the_match(journal):
    play("--journal", journal, "--ruling", "late_claims=judged", "--variant", "complex")
    start = session_of(journal).events[0]
    assert start.rulings == {"late_claims": "judged"}
    assert "ruling late_claims judged" in start.setup
    assert "special" not in start.setup
    assert start.deck == "Paper Safari"


def test_a_match_of_another_game_does_not_go_on(small):
    before = small.read_bytes()
    words = f"{small}: expected a match of exploring-galapagos, got one of galapa-go"
    assert words in refusal(play("--journal", small, game="exploring-galapagos"))
    assert small.read_bytes() == before


def test_a_match_that_never_began_does_not_go_on(journal):
    kept = Journal(journal)
    kept.append(Note("tea"))
    kept.close()
    assert "got one that never began" in refusal(play("--journal", journal))


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--players=red,green", "expected --players red,blue, as the match has, got red,green"),
        ("--lead=blue", "expected --lead red, as the match has, got blue"),
        ("--variant=complex", "expected --variant normal, as the match has, got complex"),
        (
            "--ruling=late_claims=judged",
            "expected --ruling late_claims=void, as the match has, got late_claims=judged",
        ),
        ("--ruling=a=b", "--ruling.a: expected one of the keys"),
        ("--deck=TINY", "expected --deck with the cards of Small, as the match has, got "),
    ],
)
def test_a_match_that_goes_on_has_its_own_players_and_deck(small, option, words, tiny_deck):
    before = small.read_bytes()
    assert words in refusal(play("--journal", small, option.replace("TINY", str(tiny_deck))))
    assert small.read_bytes() == before


@pytest.mark.parametrize("game", GAMES)
def test_the_same_line_again_goes_on_with_the_match(game, journal, tmp_path):
    """With the seed that shuffled it, what is shuffled later comes as if nobody had left."""
    ruling = {
        "galapa-go": "late_claims=judged",
        "exploring-galapagos": "impact_on_zero=true",
        "panda-gorilla": "supply=unlimited",
    }[game]
    pack = find_resource(f"datasets/decks/{game}")
    line = ["--players", "red,blue,green", "--lead", "blue", "--seed", 7, "--ruling", ruling]
    line += ["--variant", "normal", "--deck", pack]
    for lines in ([], ["1"] * 3, ["1"]):
        assert play(*line, "--journal", journal, lines=lines, game=game).exit_code == 0
    whole = tmp_path / "whole.jsonl"
    play(*line, "--journal", whole, lines=["1"] * 4, game=game)
    assert session_of(journal).events == session_of(whole).events
    assert len(session_of(journal).entries) == 4


def test_a_journal_in_a_folder_that_is_not_there_is_refused(tmp_path):
    path = tmp_path / "nowhere" / "match.jsonl"
    words = refusal(play("--journal", path))
    assert words == f"--journal: expected a file in a folder that exists, got {path}\n"


@pytest.mark.parametrize(
    ("game", "lines", "words"),
    [
        ("panda-gorilla", ["propose nw huge"], "expected propose QUARTER SIZE (a chip on nw"),
        ("panda-gorilla", ["lay p15 6,4"], "expected lay CARD ROW,COLUMN DEGREES (lay a card, t"),
        ("panda-gorilla", ["lay p15 6,4 -90"], "clockwise by 0, 90, 180 or 270), got 'lay p15 6"),
        ("galapa-go", ["lay out", "turn", "red give-up"], "expected PLAYER give-up CARD (name"),
        ("exploring-galapagos", ["lock-in h01"], "expected PLAYER lock-in CARD"),
        ("galapa-go", ["red leaps"], "no action offered has the words 'red leaps'"),
    ],
)
def test_an_action_that_lacks_a_part_is_answered_with_its_form(game, lines, words):
    result = play("--seed", 3, lines=lines, game=game)
    assert words in " ".join(result.stdout.split())


def test_a_correction_of_an_undo_says_what_will_happen_before_it_asks_why(small):
    lines = [*ROUND[:4], "undo", "correct 6", "back"]
    result = play("--journal", small, lines=lines)
    told, _, _ = result.stdout.partition("why? back")
    assert "6: undo of 5. To correct it means:" in told
    assert "      The undo 6 is taken back\n" in told
    assert "      Event 5: now: The round is over" in told
    assert len(session_of(small).events) == 6


def test_state_and_history_are_answered_where_a_correction_asks_for_the_truth(small):
    lines = [*ROUND[:3], "correct 4", "state", "history", "undo", "help", "nothing", "no hand"]
    result = play("--journal", small, lines=lines)
    assert "─ the table before it ─" in result.stdout
    assert "   2  red lays out the Animal cards" in result.stdout
    assert result.stdout.count("here: an action or its number") == 2
    assert "not understood" not in result.stdout
    assert session_of(small).events[4:] == (Correction(4, None, "no hand"),)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_that_is_finished_shows_how_it_stands(game):
    result = play("--seed", 3, lines=["1", "finish supper"], game=game)
    *_, after = result.stdout.split("finish supper\n")
    assert "The match has ended: supper" in after
    assert after.count("─ the table ─") == 1


def test_a_journal_in_which_a_match_starts_twice_is_refused(small):
    kept = Journal(small)
    kept.append(ActionObserved("lay out"))
    kept.append(STARTED)
    kept.close()
    before = small.read_bytes()
    words = refusal(play("--journal", small))
    assert words == f"{small}: event 3: expected a match that starts once, got a second start\n"
    assert small.read_bytes() == before


def test_a_changed_journal_is_refused_with_the_line(small):
    small.write_bytes(small.read_bytes().replace(b"lion", b"fish"))
    assert refusal(play("--journal", small)).startswith(f"{small}: line 2: expected the line as it")


def test_a_journal_whose_setup_cannot_be_read_is_refused(journal):
    kept = Journal(journal)
    kept.append(replace(STARTED, setup=SETUP.replace("lead red", "lead green")))
    kept.close()
    assert refusal(play("--journal", journal)).startswith(f"{journal}: setup: expected a setup")


def menu_of(count):
    return Menu(
        tuple(Option(n, f"red covers a{n}", f"{n} red cover a{n}", "") for n in range(count))
    )


def test_an_empty_menu_has_one_empty_page():
    menu = menu_of(0)
    assert (menu.listed, menu.shown, menu.turn_page(), menu.pick(1)) == ((), (), menu, None)


def test_pages_go_round():
    menu = menu_of(PAGE + 1)
    assert len(menu.shown) == PAGE
    assert [option.words for option in menu.turn_page().shown] == [f"red covers a{PAGE}"]
    assert menu.turn_page().turn_page() == menu


def test_words_narrow_the_menu_and_the_numbers_stay():
    engine = engine_of("galapa-go")
    state = replay([STARTED, ActionObserved("lay out"), ActionObserved("turn")])[0].state
    menu = offer(engine, state, list)
    done = understand(engine, state, menu, "blue cover a2")
    typed = "0 blue cover a2"
    assert done == Option(0, "blue covers a2 (lion-elephant, blue crab)", typed, typed)
    narrowed = understand(engine, state, menu, "Blue lion")
    assert isinstance(narrowed, Menu)
    assert [option.text for option in narrowed.listed] == ["0 blue cover a1", "0 blue cover a2"]
    assert narrowed.pick(narrowed.listed[1].number) == narrowed.listed[1]
    assert understand(engine, state, narrowed, "all").listed == menu.listed
    assert isinstance(understand(engine, state, menu, "green lion"), Refusal)
    only = menu.narrow("blue passes")
    assert len(only.listed) == 1
    assert understand(engine, state, only, "") == only


@pytest.mark.parametrize(("count", "left"), [(0, 0), (MOST_CHANGES, 0), (MOST_CHANGES + 3, 3)])
def test_a_correction_that_changes_everything_fits_a_window(count, left):
    printed = io.StringIO()
    said = [Announcement(9, Kind.CHANGED, 2, f"Event {n}: red passes") for n in range(count)]
    end = Announcement(9, Kind.OUTCOME, 2, "The game is not over any more")
    Screen(Console(file=printed, width=100), ("red",)).say([*said, end])
    assert printed.getvalue().count("red passes") == count - left
    assert (f"and {left} more changes" in printed.getvalue()) == bool(left)
    assert "not over any more" in printed.getvalue()
