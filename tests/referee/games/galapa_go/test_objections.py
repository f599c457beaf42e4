"""What the rules have against an action: in which round, for which reason, in which section."""

import pytest

from referee.games.galapa_go.model import Cover
from referee.games.galapa_go.notation import parse_action, parse_setup
from referee.games.galapa_go.rules import apply, explain, initial_state, legal_actions, set_up
from referee.games.galapa_go.telling import (
    chooser,
    describe_action,
    describe_choice,
    describe_state,
    news,
)
from referee.rules import Objection, RuleViolation, Table

SMALL = """\
players red blue green
lead blue
animal a1 lion/lion
animal a2 lion/elephant blue-crab
animal a3 crocodile/giraffe red-crab
animal a4 giraffe/giraffe gorilla/gorilla
"""
SECTIONS = {
    "Setup",
    "Game Flow",
    "End of the Round",
    "Notes",
    "Description of the Special Task Cards",
}


def after(task, *texts, rulings=""):
    """Returns the state of a round with this Task after some actions."""
    state = initial_state(parse_setup(f"{SMALL}{rulings}\n{task}"))
    for text in ("lay out", "turn", *texts):
        state = apply(state, parse_action(text))
    return state


PLAIN, MOST, MEMORY = "task t1 +lion", "special s1 most", "special s1 memory"
RED_AND_BLUE = ("1 red cover a1", "2 blue cover a1")
OVER = ("1 red cover a1", "2 blue cover a2")


@pytest.mark.parametrize(
    ("task", "texts", "action", "words"),
    [
        (PLAIN, (), "1 red withdraw", "only a Camera on a taken card"),
        (PLAIN, (), "1 red guess lion", "asks for no spoken answer"),
        (PLAIN, (), "1 pink pass", "none of the players"),
        (MEMORY, ("1 blue cover a1",), "2 red guess lion unicorn", "lion or gorilla, got unicorn"),
        (MEMORY, ("1 blue cover a1",), "2 red guess", "lion or gorilla, got none"),
        (MOST, (), "1 red guess red-crab", "lion or gorilla, got red-crab"),
        (PLAIN, (), "1 red give-up a1", "has not won"),
        (PLAIN, RED_AND_BLUE, "3 red cover a2", "may not be moved"),
        (PLAIN, RED_AND_BLUE, "3 red pass", "may not be moved"),
        (PLAIN, RED_AND_BLUE, "3 blue cover a2", "to be taken back first"),
        (PLAIN, RED_AND_BLUE, "3 blue no-match", "to be taken back first"),
        (PLAIN, RED_AND_BLUE, "3 green cover a1", "another Camera lay there first"),
        (PLAIN, RED_AND_BLUE, "1 green pass", "expected a time from 2 s on, got 1 s"),
        (PLAIN, ("1 red pass",), "2 red pass", "has passed already"),
        (PLAIN, ("1 red no-match",), "2 red no-match", "has said so already"),
        (PLAIN, OVER, "3 green cover a3", "the round had ended"),
        (PLAIN, OVER, "3 green pass", "the round had ended"),
        (PLAIN, OVER, "turn", "the round has ended and is to be settled first"),
        (PLAIN, (), "shuffle", "the round still runs"),
        (MOST, (), "1 red guess lion giraffe", "names one animal"),
        (f"{MOST}\ntask t2 +zebra", (), "1 red guess zebra", "names one animal"),
        (MEMORY, (), "1 red cover a1", "only the lead player covers"),
        (MEMORY, (), "1 red guess lion", "the lead blue is to cover a card first"),
        (MEMORY, ("1 blue cover a1",), "2 blue cover a2", "may not be moved"),
        (MEMORY, ("1 blue cover a1",), "2 red cover a1", "another Camera lay there first"),
        (MEMORY, ("1 blue cover a1",), "2 red guess lion", "it is green's turn to guess"),
        (MEMORY, ("1 blue cover a1",), "2 green guess crocodile", "no card on the table shows"),
        (MEMORY, ("1 blue cover a1",), "2 green no-match", "the others guess"),
        (MEMORY, ("1 blue cover a1", "2 green guess lion"), "3 red pass", "had ended"),
    ],
)
def test_mistake_is_named_with_its_section(task, texts, action, words):
    state, mistake = after(task, *texts), parse_action(action)
    assert mistake not in legal_actions(state)
    objection = explain(state, mistake)
    assert isinstance(objection, Objection)
    assert words in objection.reason
    assert objection.section in SECTIONS
    if objection.can_happen:
        assert apply(state, mistake) != state
    else:
        with pytest.raises(RuleViolation):
            apply(state, mistake)


def test_what_is_legal_meets_no_objection_and_nothing_else_is():
    """Every cover of every player: allowed if and only if it is listed."""
    for texts in [(), RED_AND_BLUE[:1], RED_AND_BLUE, OVER]:
        state = after(PLAIN, *texts)
        now = state.actions[-1].t if state.actions else 0.0
        for player in state.setup.players:
            for card in state.layout:
                action = Cover(now, player, card.id)
                assert (explain(state, action) is None) == (action in legal_actions(state))


def test_late_camera_is_no_mistake_where_the_house_judges_it():
    """G9."""
    state = after(PLAIN, *OVER, rulings="ruling late_claims judged")
    assert explain(state, parse_action("3 green cover a3")) is None


def test_used_tasks_are_shuffled_only_once_none_is_left():
    state = initial_state(parse_setup(f"{SMALL}{PLAIN}"))
    state = apply(state, parse_action("lay out"))
    objection = explain(state, parse_action("shuffle"))
    assert objection is not None
    assert "there are still Task cards to turn" in objection.reason


def test_nothing_is_told_of_what_fits_before_the_round_has_ended():
    state = after(PLAIN)
    covered = apply(state, parse_action("1 red cover a1"))
    assert news(state, covered) == ()
    over = apply(covered, parse_action("2 blue cover a2"))
    assert news(covered, over) == (
        "The round is over: no photo left to take",
        "red on a1: correct (matches every feature asked for)",
        "blue on a2: correct (matches every feature asked for)",
    )
    late = apply(over, parse_action("3 green cover a3"))
    assert news(over, late) == ("green on a3: void (the round had ended)",)


@pytest.mark.parametrize(
    ("task", "before", "text", "said"),
    [
        (MOST, (), "1 red guess crocodile", "That is not right, red"),
        (MOST, (), "1 red guess lion", "The round is over: the question was answered"),
        (MEMORY, ("1 blue cover a2",), "2 green guess lion", "That is not right, green"),
        (MEMORY, ("1 blue cover a2",), "2 green pass", None),
        (MEMORY, ("1 blue cover a2",), "2 red guess lion", None),  # it is not red's turn
    ],
)
def test_a_wrong_answer_is_told_at_once(task, before, text, said):
    state = after(task, *before)
    told = news(state, apply(state, parse_action(text)))
    assert (told[0] if told else None) == said


def test_what_the_lead_covers_is_hidden_from_those_who_are_to_remember_it():
    covered, cover = after(MEMORY, "1 blue cover a2"), parse_action("1 blue cover a2")
    assert describe_action(after(MEMORY), cover) == "blue covers a2"
    assert describe_choice(after(MEMORY), cover) == "blue covers a2 (lion-elephant, blue crab)"
    assert describe_choice(covered, parse_action("2 green guess lion")) == ""
    assert (chooser(after(MEMORY)), chooser(covered), chooser(after(PLAIN))) == ("blue", None, None)
    told = dict(describe_state(covered))
    assert told["Now"] == "green guesses what is on the card under blue's Camera"
    assert "a2 (under blue's Camera)" in told["Photos"]
    open_ = dict(describe_state(covered, is_open=True))
    assert "a2 (lion-elephant, blue crab, under blue's Camera)" in open_["Photos"]


def test_table_is_told_in_words():
    told = dict(describe_state(after(PLAIN, "1 red cover a1")))
    assert told["Now"] == "everybody looks for photos that fit the Task"
    assert told["Task"] == "t1: lion"
    assert told["Photos"].startswith("a1 (under red's Camera), a2 (lion-elephant, blue crab), ")
    assert told["green"] == "has won nothing yet"
    told = dict(describe_state(after(MEMORY)))
    assert told["Now"] == "blue covers a card, the others guess in turn what is on it"
    state = after(MOST)
    action = parse_action("1 red guess lion > a2")
    assert describe_action(state, action) == "red says lion and takes a2 (lion-elephant, blue crab)"


def test_agreed_no_match_says_what_fitted_all_the_same():
    """G13: nobody is to blame, but people want to know."""
    state = after(PLAIN, "1 red no-match", "1 blue no-match")
    over = apply(state, parse_action("2 green no-match"))
    assert news(state, over) == (
        "The round is over: all agreed that nothing fits",
        "All the same it fitted: a1 a2",
    )


def test_complex_variant_is_set_up_without_specials():
    setup = parse_setup(f"{SMALL}{PLAIN}\ntask t2 -lion\n{MEMORY}")
    table = Table(("red", "blue"), "red", "complex", {})
    ready = set_up([*setup.animals, *setup.tasks], table)
    assert [task.id for task in ready.tasks] == ["t1", "t2"]
    with pytest.raises(RuleViolation, match="expected the variant normal or complex, got odd"):
        set_up([*setup.animals, *setup.tasks], Table(("red", "blue"), "red", "odd", {}))
