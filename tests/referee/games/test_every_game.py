"""What holds for every game of the catalog that has a rule engine."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.catalog import GAMES
from referee.rules import RuleViolation
from tests.referee.games.playthroughs import replayed

PLAYTHROUGHS = Path(__file__).parents[2] / "data" / "playthroughs"
ENGINES = [game for game in GAMES.values() if game.rules or game.notation or game.telling]
"""The games of which anything is there that a whole game is played with."""
LONGEST_GAME = 2_000
STEPS_WITH_EACH_ACTION = 25
"""How far into a game every legal action is tried, not only the one that is played."""


def folder_of(game):
    return PLAYTHROUGHS / game.name.replace("-", "_")


def form_pattern(form):
    """Returns what fits a form: a word in capitals is to be filled in, `...` are more of them."""
    words = re.sub(r"[A-Z]+", r"[^ ,]+", re.escape(form).replace(r"\ ", " "))
    return re.compile(words.replace(r" \.\.\.", "( [^ ]+)*"))


def setups_of(game):
    for path in sorted(folder_of(game).glob("*.txt")):
        setup = path.read_text(encoding="utf-8").partition("== setup\n")[2]
        yield game.notation.parse_setup(setup.partition("== play\n")[0])


CASES = [
    pytest.param(game, path, id=f"{game.name}-{path.stem}")
    for game in ENGINES
    for path in sorted(folder_of(game).glob("*.txt"))
]


def test_every_game_of_the_catalog_can_be_played():
    assert [game.name for game in ENGINES] == list(GAMES)


@pytest.mark.parametrize("game", ENGINES, ids=lambda game: game.name)
def test_game_is_whole(game):
    assert game.rules is not None
    assert game.notation is not None
    assert game.telling is not None
    assert game.judge is not None
    assert list(folder_of(game).glob("*.txt")), f"no playthrough in {folder_of(game)}"


@pytest.mark.parametrize(("game", "path"), CASES)
def test_playthrough_is_replayed_line_by_line(game, path):
    text = path.read_text(encoding="utf-8")
    assert replayed(game, text).splitlines() == text.splitlines()


@pytest.mark.parametrize("game", ENGINES, ids=lambda game: game.name)
def test_setup_is_written_and_read(game):
    for setup in setups_of(game):
        assert game.notation.parse_setup(game.notation.format_setup(setup)) == setup


@pytest.mark.parametrize("game", ENGINES, ids=lambda game: game.name)
@given(data=st.data())
@settings(max_examples=5, deadline=None)
def test_legal_play_reaches_the_end(game, data):
    setup = data.draw(st.sampled_from(list(setups_of(game))))
    rng = data.draw(st.randoms(use_true_random=False))
    state = game.rules.initial_state(setup)
    for _ in range(LONGEST_GAME):
        actions = game.rules.legal_actions(state)
        if game.rules.outcome(state) is not None:
            assert not actions
            return
        assert actions, "the game is not over, but nothing is legal"
        assert len(set(actions)) == len(actions)
        state = game.rules.apply(state, rng.choice(list(actions)))
    pytest.fail("the game did not end")


@pytest.mark.parametrize("game", ENGINES, ids=lambda game: game.name)
def test_something_is_legal_at_the_start(game):
    for setup in setups_of(game):
        state = game.rules.initial_state(setup)
        assert game.rules.outcome(state) is None
        assert game.rules.legal_actions(state)


@pytest.mark.parametrize("game", ENGINES, ids=lambda game: game.name)
@given(data=st.data())
@settings(max_examples=5, deadline=None)
def test_all_that_is_legal_can_be_done_and_written(game, data):
    """Each legal action is applied; it and the state after it are written, read and the same."""
    rules, notation = game.rules, game.notation
    setup = data.draw(st.sampled_from(list(setups_of(game))))
    rng = data.draw(st.randoms(use_true_random=False))
    state = rules.initial_state(setup)
    for _ in range(STEPS_WITH_EACH_ACTION):
        actions = rules.legal_actions(state)
        if not actions:
            return
        before = notation.format_state(state)
        nexts = [rules.apply(state, action) for action in actions]
        assert notation.format_state(state) == before, "apply changed the state that it was given"
        for action, after in zip(actions, nexts, strict=True):
            assert notation.parse_action(notation.format_action(action)) == action
            assert notation.parse_state(notation.format_state(after), setup) == after
            assert (rules.outcome(after) is None) == bool(rules.legal_actions(after))
        state = rng.choice(nexts)


@pytest.mark.parametrize(("game", "path"), CASES)
def test_nothing_can_be_done_after_the_end(game, path):
    text = path.read_text(encoding="utf-8")
    setup = game.notation.parse_setup(text.partition("== setup\n")[2].partition("== play\n")[0])
    state = game.rules.initial_state(setup)
    lines = [line.removeprefix("> ") for line in text.splitlines() if line.startswith("> ")]
    actions = [game.notation.parse_action(line) for line in lines]
    for action in actions:
        assert game.rules.outcome(state) is None
        state = game.rules.apply(state, action)
    if game.rules.outcome(state) is not None:
        for action in actions:
            with pytest.raises(RuleViolation):
                game.rules.apply(state, action)


@pytest.mark.parametrize("game", ENGINES, ids=lambda game: game.name)
@given(data=st.data())
@settings(max_examples=5, deadline=None)
def test_what_is_legal_is_explained_and_told_in_words(game, data):
    """`explain` and `apply` agree; each action and state has words; a shuffle is legal."""
    setup = data.draw(st.sampled_from(list(setups_of(game))))
    rng = data.draw(st.randoms(use_true_random=False))
    rules, telling = game.rules, game.telling
    state = rules.initial_state(setup)
    seen = []
    for _ in range(60):
        actions = rules.legal_actions(state)
        if not actions:
            break
        assert all(rules.explain(state, action) is None for action in actions)
        words = [telling.describe_choice(state, action) for action in actions]
        listed = [text for text in words if text]  # none where the list would tell what is hidden
        assert len(set(listed)) == len(listed)
        choices = [game.notation.format_choice(action) for action in actions]
        assert len(set(choices)) == len(choices)
        forms = [form_pattern(form) for form, _ in game.notation.action_forms()]
        assert all(any(form.fullmatch(choice) for form in forms) for choice in choices)
        mixed = rules.shuffle(state, lambda ids: sorted(ids, reverse=True))
        assert mixed is None or rules.explain(state, mixed) is None
        action = rng.choice(actions)
        seen.append(action)
        before, state = state, rules.apply(state, action)
        assert all(telling.news(before, state)) or telling.news(before, state) == ()
        assert telling.describe_state(state)[0][0]
        for old in rng.sample(seen, min(3, len(seen))):
            objection = rules.explain(state, old)
            if objection is None or objection.can_happen:
                rules.apply(state, old)
            else:
                with pytest.raises(RuleViolation):
                    rules.apply(state, old)
            assert objection is None or (objection.reason and objection.section)
