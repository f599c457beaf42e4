"""The whole game: phases, layouts, the Task deck, numbers of legal actions, the invariant."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.galapa_go.model import (
    COLOURS,
    CRABS,
    SPECIES,
    Cover,
    GiveUp,
    NoMatch,
    Pass,
    SpecialKind,
    Variant,
)
from referee.games.galapa_go.notation import parse_setup
from referee.games.galapa_go.rules import (
    apply,
    initial_state,
    legal_actions,
    outcome,
    phase,
    ruling,
    shuffle,
)
from referee.games.galapa_go.state import EndRound, LayOut, Phase, Shuffle, TurnTask
from referee.rules import RuleViolation

ANIMALS = """
animal a1 lion/lion
animal a2 lion/elephant blue-crab
animal a3 crocodile/giraffe red-crab
animal a4 giraffe/giraffe gorilla/gorilla
"""
MORE = "animal a5 lion/lion\nanimal a6 lion/lion"
SMALL = f"players red blue\nlead blue\n{ANIMALS}\ntask t1 +lion\ntask t2 -lion"


def play(state, *actions):
    for action in actions:
        state = apply(state, action)
    return state


def running(text=SMALL):
    return play(initial_state(parse_setup(text)), LayOut(), TurnTask())


def many(number):
    """Returns a setup with so many Animal cards, all of one kind."""
    lines = "\n".join(f"animal a{index} lion/lion" for index in range(number))
    return parse_setup(f"players red blue\nlead red\n{lines}\ntask t1 +lion")


def count_legal(state, depth):
    if depth == 0:
        return 1
    return sum(count_legal(apply(state, action), depth - 1) for action in legal_actions(state))


# Counted by hand. Plain: 2 players x (4 covers + pass + no-match) are 12; after a cover the other
# player has 3 covers, pass and no-match; after a pass 5 and 6 are left, after a no-match 4 and 6:
# 2 x (4 x 5 + 11 + 10) = 82; two actions later most rounds have ended: 2 x (20 + 36 + 26) = 164.
# Most: every card fits, so that a cover or one of two right answers leaves only the end of the
# round: 2 x (4 + 21 + 20 + 2 + 3 x 22) = 226.
@pytest.mark.parametrize(
    ("setup", "counts"),
    [
        (SMALL, [1, 12, 82, 164]),
        (SMALL.replace("task t1 +lion", "special s1 memory"), [1, 4, 20]),
        (SMALL.replace("task t1 +lion", "special s1 most"), [1, 22, 226]),
        (SMALL.replace("task t1 +lion", "special s1 any-unusual"), [1, 12, 82]),
    ],
    ids=["plain", "memory", "most", "any-unusual"],
)
def test_number_of_legal_actions_to_a_fixed_depth(setup, counts):
    state = running(setup)
    assert [count_legal(state, depth) for depth in range(len(counts))] == counts


def test_number_of_legal_actions_in_the_complex_variant():
    """By hand: 2 x (6 covers + 2), then 2 x (6 x 7 after a cover + 15 + 14)."""
    text = SMALL.replace("lead blue", "lead blue\nvariant complex").replace("-lion", "+lion")
    state = apply(running(f"{text}\n{MORE}"), TurnTask())
    assert [count_legal(state, depth) for depth in range(3)] == [1, 16, 142]


def test_legal_actions_are_in_a_fixed_order():
    actions = legal_actions(running())
    assert actions[:6] == (
        Cover(0.0, "red", "a1"),
        Cover(0.0, "red", "a2"),
        Cover(0.0, "red", "a3"),
        Cover(0.0, "red", "a4"),
        Pass(0.0, "red"),
        NoMatch(0.0, "red"),
    )
    assert actions == legal_actions(running())


def test_lead_lays_out_fifteen_cards_first():
    state = initial_state(many(30))
    assert legal_actions(state) == (LayOut(),)
    state = apply(state, LayOut())
    assert (len(state.layout), len(state.deck)) == (15, 15)
    assert legal_actions(state) == (TurnTask(),)


@pytest.mark.parametrize(
    ("variant", "left", "expected"),
    [
        (Variant.NORMAL, 2, Phase.TURNING),
        (Variant.NORMAL, 1, Phase.LAYING),
        (Variant.NORMAL, 0, Phase.LAYING),
        (Variant.COMPLEX, 5, Phase.TURNING),
        (Variant.COMPLEX, 4, Phase.LAYING),
    ],
)
def test_leftover_cards_stay_under_the_second_layout(variant, left, expected):
    """G19, G22: 15 or 16 cards lie there in the normal game, up to 19 in the complex one."""
    setup = dataclasses.replace(many(30), variant=variant, tasks=parse_setup(SMALL).tasks)
    state = apply(initial_state(setup), LayOut())
    state = dataclasses.replace(state, layout=state.layout[:left])
    assert phase(state) is expected
    if expected is Phase.LAYING:
        assert len(apply(state, LayOut()).layout) == 15 + left
        assert phase(dataclasses.replace(state, deck=())) is Phase.OVER


def test_agreed_no_match_turns_the_next_task_under_the_same_lead():
    """G12."""
    state = play(running(), NoMatch(1, "red"), NoMatch(2, "blue"), EndRound())
    assert (state.lead, phase(state)) == ("blue", Phase.TURNING)
    assert [task.id for task in state.discard] == ["t1"]
    assert [task.id for task in apply(state, TurnTask()).tasks] == ["t2"]


def test_lead_passes_to_the_left_after_a_round():
    """G18."""
    state = play(running(), Pass(1, "red"), Pass(2, "blue"), EndRound())
    assert state.lead == "red"


def test_used_tasks_are_shuffled_when_none_is_left():
    """G21: the order is what the table says; it must be one of the used cards."""
    no_match = (NoMatch(1, "red"), NoMatch(2, "blue"), EndRound())
    state = play(running(), *no_match, TurnTask(), *no_match)
    assert legal_actions(state) == (Shuffle(("t1", "t2")),)
    for order in [("t1",), ("t1", "t3"), ("t1", "t2", "t2")]:
        with pytest.raises(RuleViolation, match="order"):
            apply(state, Shuffle(order))
    state = apply(state, Shuffle(("t2", "t1")))
    assert ([task.id for task in state.task_deck], state.discard) == (["t2", "t1"], ())


def test_task_in_use_is_not_shuffled_in():
    """G21 and G23: complex, one Task left: it is taken, then the used ones are shuffled."""
    animals = "\n".join(f"animal a{index} lion/lion" for index in range(6))
    state = initial_state(
        parse_setup(
            f"players red blue\nlead red\nvariant complex\n{animals}\n"
            "task t1 +lion\ntask t2 -lion\ntask t3 +lion"
        )
    )
    state = play(state, LayOut(), TurnTask(), TurnTask())
    state = play(state, NoMatch(1, "red"), NoMatch(2, "blue"), EndRound(), TurnTask())
    assert [task.id for task in state.tasks] == ["t3"]
    assert legal_actions(state) == (Shuffle(("t1", "t2")),)
    state = play(state, Shuffle(("t2", "t1")), TurnTask())
    assert [task.id for task in state.tasks] == ["t3", "t2"]
    assert [task.id for task in state.task_deck] == ["t1"]


def test_late_camera_is_recorded_and_void():
    """G9: a player's mistake is a verdict, not an exception."""
    state = play(running(), Pass(1, "red"), Pass(2, "blue"), Cover(3, "red", "a1"))
    assert [claim.verdict for claim in ruling(state).claims] == ["void"]
    assert legal_actions(state) == (EndRound(),)


def test_owner_chooses_what_a_wrong_claim_costs():
    """G17: where there is a choice, and once."""
    state = dataclasses.replace(running(), won={"red": ("w1", "w2"), "blue": ("w3",)})
    state = play(state, Cover(1, "red", "a3"), Cover(2, "blue", "a4"))
    choices = (GiveUp(2, "red", "w1"), GiveUp(2, "red", "w2"))
    assert legal_actions(state) == (*choices, EndRound())
    state = apply(state, choices[0])
    assert legal_actions(state) == (EndRound(),)
    state = apply(state, EndRound())
    assert (dict(state.won), set(state.box)) == ({"red": ("w2",), "blue": ()}, {"w1", "w3"})


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (LayOut(), "running"),
        (TurnTask(), "running"),
        (Shuffle(()), "running"),
        (EndRound(), "running"),
        (Cover(1, "green", "a1"), "green"),
        (Cover(1, "red", "a9"), "a9"),
        (GiveUp(1, "red", "a1"), "a1"),
    ],
)
def test_what_cannot_happen_is_a_bug_of_the_caller(action, words):
    with pytest.raises(RuleViolation, match=words):
        apply(running(), action)


def test_time_does_not_run_backwards():
    state = apply(running(), Pass(2, "red"))
    with pytest.raises(RuleViolation, match="time"):
        apply(state, Pass(1.5, "blue"))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("players red blue", "players red", "2 to 6"),
        ("players red blue", "players red red", "different"),
        ("players red blue", "players red pink", "colours"),
        ("lead blue", "lead green", "lead"),
        ("animal a2", "animal a1", "Animal"),
        ("task t2", "task t1", "Task"),
        ("task t2 -lion", "special s1 most\nvariant complex", "Special"),
    ],
)
def test_setup_that_is_none_is_refused(old, new, words):
    with pytest.raises(RuleViolation, match=words):
        initial_state(parse_setup(SMALL.replace(old, new)))


def test_first_lead_is_whom_the_players_name():
    """G36."""
    for lead in ("red", "blue"):
        setup = parse_setup(SMALL.replace("lead blue", f"lead {lead}"))
        assert initial_state(setup).lead == lead


def test_agreement_in_the_complex_variant_turns_two_new_tasks_under_the_same_lead():
    """G22: both Tasks are put away."""
    text = SMALL.replace("lead blue", "lead blue\nvariant complex")
    text = f"{text}\ntask t3 +lion\ntask t4 +lion\n{MORE}"
    state = play(initial_state(parse_setup(text)), LayOut(), TurnTask(), TurnTask())
    state = play(state, NoMatch(1, "red"), NoMatch(2, "blue"), EndRound())
    assert (state.lead, [task.id for task in state.discard]) == ("blue", ["t1", "t2"])
    state = play(state, TurnTask(), TurnTask())
    assert [task.id for task in state.tasks] == ["t3", "t4"]


@st.composite
def games(draw):
    """A game of 2 to 6 players with 30 animals, a few Tasks and, in the normal game, Specials."""
    rng = draw(st.randoms(use_true_random=False))
    players = draw(st.permutations(COLOURS))[: draw(st.integers(2, 6))]
    variant = draw(st.sampled_from(["normal", "complex"]))

    def animal():
        return f"{rng.choice(SPECIES)}/{rng.choice(SPECIES)}"

    lines = [f"players {' '.join(players)}", f"lead {rng.choice(players)}", f"variant {variant}"]
    for index in range(30):
        drawn = [animal() for _ in range(rng.choice([1, 1, 2]))]
        crabs = [f"{crab}-crab" for crab in CRABS if rng.random() < 0.3]
        lines.append(" ".join([f"animal a{index}", *drawn, *crabs]))
    tasks = [f"task t{index} {rng.choice('+-')}{rng.choice(SPECIES)}" for index in range(4)]
    if variant == "normal":
        tasks += [f"special s{index} {kind}" for index, kind in enumerate(SpecialKind)]
    rng.shuffle(tasks)
    rulings = [f"ruling late_claims {rng.choice(['void', 'judged'])}"]
    rulings.append(f"ruling most_least_wrong {rng.choice(['penalty', 'none'])}")
    return parse_setup("\n".join(lines + rulings + tasks)), rng


@given(games())
@settings(max_examples=12, deadline=None)
def test_what_stays_the_same_in_every_legal_game(game):
    """deck + table + won + box = 30, Tasks too; the box only grows; most cards win (G20, G34)."""
    setup, rng = game
    state = initial_state(setup)
    while (end := outcome(state)) is None:
        piles = [card.id for card in (*state.deck, *state.layout)]
        piles += [*state.box, *(card for cards in state.won.values() for card in cards)]
        assert sorted(piles) == sorted(card.id for card in setup.animals)
        tasks = (*state.task_deck, *state.discard, *state.tasks)
        assert sorted(task.id for task in tasks) == sorted(task.id for task in setup.tasks)
        action = shuffle(state, lambda ids: rng.sample(list(ids), len(ids)))
        if action is None:
            actions = legal_actions(state)
            covers = [each for each in actions if isinstance(each, Cover)]
            action = rng.choice(covers if covers and rng.random() < 0.8 else actions)
        before, state = state, apply(state, action)
        assert state.box[: len(before.box)] == before.box
        if isinstance(action, EndRound):
            gained = [len(set(state.won[p]) - set(before.won[p])) for p in setup.players]
            lost = [len(set(before.won[p]) - set(state.won[p])) for p in setup.players]
            assert max(gained) <= 1
            assert max(lost) <= 1
            assert len(state.box) - len(before.box) == sum(lost)
    assert len(state.layout) <= setup.variant.few_left
    assert not state.deck
    assert set(end.winners) == {
        player for player, score in end.scores.items() if score == max(end.scores.values())
    }
