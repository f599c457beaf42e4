"""The match as a reducer: what counts, what is refused, what a correction makes of the rest."""

from dataclasses import fields
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engines import engine_of
from referee.errors import FormatError
from referee.events import (
    TYPES,
    ActionObserved,
    Correction,
    MatchEnded,
    MatchStarted,
    Note,
    Undo,
    event_from_plain,
    event_to_plain,
)
from referee.match import Kind, Session, Stage, Standing
from referee.session import replay, step
from tests.referee.matches import (
    GAMES,
    ROUND,
    SETUP,
    STARTED,
    actions,
    random_match,
)

SEEDS = st.integers(0, 10_000)


def after(*events):
    """Returns the session after some events, and what was said about the last one."""
    session, _ = replay(events[:-1])
    return step(session, events[-1])


def texts(said, *kinds):
    return [each.text for each in said if not kinds or each.kind in kinds]


def standings(session):
    return [entry.standing for entry in session.entries]


def test_nothing_has_happened_at_first():
    session = Session()
    assert (session.stage, session.state, session.outcome) == (Stage.EMPTY, None, None)
    assert replay([]) == (session, ())


@pytest.mark.parametrize(
    "event", [ActionObserved("turn"), Correction(1, None), Undo(), MatchEnded()]
)
def test_before_the_start_nothing_but_a_start_or_a_note_can_be(event):
    session, said = after(event)
    assert [each.kind for each in said] == [Kind.REFUSED]
    assert "has not started" in said[0].text
    assert (session.events, session.stage) == ((event,), Stage.EMPTY)


def test_a_match_starts_once():
    session, said = after(STARTED)
    assert texts(said) == ["A match of galapa-go begins with the deck Small"]
    again, said = step(session, STARTED)
    assert [each.kind for each in said] == [Kind.REFUSED]
    assert again.state == session.state


@pytest.mark.parametrize(
    ("game", "setup", "place"),
    [
        ("chess", SETUP, "game"),
        ("galapa-go", "players red", "setup"),
        ("galapa-go", SETUP.replace("red blue", "red red"), "setup"),
        ("galapa-go", SETUP + "variant odd", "variant"),
        ("galapa-go", SETUP + "ruling late_claims maybe", "ruling.late_claims"),
        ("galapa-go", SETUP + "ruling early_claims void", "ruling.early_claims"),
    ],
)
def test_a_start_that_cannot_be_read_is_bad_input(game, setup, place):
    with pytest.raises(FormatError, match=r"expected .+ got") as caught:
        step(Session(), MatchStarted(game, setup))
    assert caught.value.place == place


def test_a_round_is_told_as_it_goes():
    _, said = replay([STARTED, *actions(*ROUND)])
    assert [(each.seq, each.kind.value, each.text) for each in said[1:]] == [
        (2, "done", "red lays out the Animal cards"),
        (3, "done", "red turns a Task card"),
        (3, "news", "Task t1: lion"),
        (4, "done", "red covers a1 (lion)"),
        (5, "done", "blue covers a2 (lion-elephant, blue crab)"),
        (5, "news", "The round is over: every player has claimed"),
        (5, "news", "red on a1: correct (matches every feature asked for)"),
        (5, "news", "blue on a2: correct (matches every feature asked for)"),
        (6, "done", "the round is settled: won cards are taken, lost ones go to the box"),
        (6, "news", "red wins a1"),
        (6, "news", "blue wins a2"),
        (6, "news", "blue leads the next round"),
    ]


def test_what_is_not_allowed_but_happens_counts_with_an_objection():
    session, said = after(STARTED, *actions(*ROUND[:3], "2 blue cover a1"))
    assert standings(session)[-1] is Standing.COUNTS
    assert texts(said, Kind.OBJECTION) == [
        "blue covers a1 (lion); but another Camera lay there first (rulebook: Notes)"
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2 green cover a2", "green is none of the players red blue"),
        ("2 blue cover a9", "the card a9 does not lie on the table"),
        ("0.5 blue cover a2", "expected a time from 1 s on, got 0.5 s"),
        ("turn", "the round still runs"),
        ("2 blue jump a2", "action: expected one of"),
        ("nan blue cover a2", "expected a time in seconds"),
    ],
)
def test_what_cannot_happen_is_kept_with_its_reason(text, words):
    session, said = after(STARTED, *actions(*ROUND[:3], text))
    assert standings(session)[-1] is Standing.REFUSED
    assert session.state == session.entries[-2].state
    assert len(said) == 1
    assert words in said[0].text
    assert words in session.entries[-1].objection


def test_that_claim_was_blues():
    """The claim of event 4 was Blue's: the later one of Blue is a second Camera, and void."""
    played = [STARTED, *actions(*ROUND[:4])]
    truth = ActionObserved("1 blue cover a1")
    session, said = after(*played, Correction(4, truth, "it was Blue's"))
    assert session.entries[2].observed == truth
    assert standings(session) == [Standing.COUNTS] * 4
    assert texts(said) == [
        "Event 4 is corrected: blue covers a1 (lion) (it was Blue's)",
        "Event 5: blue covers a2 (lion-elephant, blue crab); but the player's Camera lies already "
        "and may not be moved (rulebook: Notes)",
        "Event 5: no longer: The round is over: every player has claimed",
        "Event 5: no longer: red on a1: correct (matches every feature asked for)",
        "Event 5: no longer: blue on a2: correct (matches every feature asked for)",
    ]


def test_the_last_placement_is_undone_and_then_the_one_before():
    played = [STARTED, *actions(*ROUND[:4])]
    session, said = after(*played, Undo("a hand slipped"))
    assert texts(said, Kind.TAKEN_BACK) == [
        "Event 5 is taken back: blue covers a2 (lion-elephant, blue crab) (a hand slipped)"
    ]
    assert session.state == replay(played[:-1])[0].state
    session, said = step(session, Undo())
    assert said[0].about == 4
    assert session.state == replay(played[:-2])[0].state


def test_undo_skips_what_never_counted_and_ends_with_nothing_left():
    session, said = after(STARTED, *actions("lay out", "nonsense"), Undo())
    assert said[0].about == 2
    session, said = step(session, Undo())
    assert texts(said) == ["That cannot be: there is nothing to take back"]
    assert session.stage is Stage.RUNNING


def test_what_cannot_apply_after_a_correction_is_kept_and_comes_back():
    played = [STARTED, *actions(*ROUND)]
    session, said = after(*played, Correction(5, None, "no such claim"))
    assert standings(session) == [Standing.COUNTS] * 3 + [
        Standing.TAKEN_BACK,
        Standing.NOT_APPLICABLE,
    ]
    assert any("does not apply any more: the round still runs" in text for text in texts(said))
    whole, said = step(session, Undo())
    assert standings(whole) == [Standing.COUNTS] * 5
    assert texts(said, Kind.RESTORED) == ["The correction 7 is taken back"]
    assert whole.state == replay(played)[0].state


def test_an_action_refused_once_counts_when_a_correction_makes_room_for_it():
    session, _ = replay([STARTED, *actions("lay out", "lay out", "1 red cover a1")])
    assert standings(session)[2] is Standing.REFUSED
    session, said = step(session, Correction(3, ActionObserved("turn"), "misread"))
    assert standings(session) == [Standing.COUNTS] * 3
    assert "Event 4: red covers a1 (lion)" in texts(said, Kind.CHANGED)


def test_an_undo_can_be_taken_back_by_its_number():
    played = [STARTED, *actions(*ROUND[:4])]
    session, _ = replay([*played, Undo(), Correction(6, None)])
    assert session.state == replay(played)[0].state


@pytest.mark.parametrize(
    ("correction", "words"),
    [
        (Correction(99, None), "one of the 5 events, got 99"),
        (Correction(6, None), "one of the 5 events, got 6"),
        (Correction(1, None), "the event 1 is nothing that can be corrected"),
        (Correction(5, None), "the event 5 is nothing that can be corrected"),
        (Correction(4, ActionObserved("turn")), "the event 4 is no action"),
    ],
)
def test_a_correction_of_what_cannot_be_corrected_is_refused(correction, words):
    played = [STARTED, *actions("lay out", "turn"), Undo(), Note("tea")]
    before, _ = replay(played)
    session, said = step(before, correction)
    assert [each.kind for each in said] == [Kind.REFUSED]
    assert words in said[0].text
    assert session.entries == before.entries


def test_actions_outside_of_the_match_cannot_be_corrected():
    session, said = after(ActionObserved("turn"), STARTED, Correction(1, None))
    assert [each.kind for each in said] == [Kind.REFUSED]
    assert session.entries == ()


def test_after_the_end_rulings_can_be_corrected_but_nobody_plays():
    played = [STARTED, *actions(*ROUND[:4]), MatchEnded("supper")]
    session, said = after(*played)
    assert texts(said) == ["The match has ended: supper"]
    assert session.stage is Stage.ENDED
    refused, said = step(session, ActionObserved("end round"))
    assert [each.kind for each in said] == [Kind.REFUSED]
    assert refused.state == session.state
    corrected, said = step(session, Correction(5, None))
    assert corrected.state != session.state
    reopened, said = step(session, Correction(6, None, "no supper"))
    assert texts(said) == ["The end of the match 6 is taken back (no supper)"]
    assert step(reopened, ActionObserved("end round"))[0].state != session.state


def test_undo_takes_back_the_end_of_the_match_before_the_action():
    played = [STARTED, *actions(*ROUND[:4])]
    session, said = after(*played, MatchEnded("supper"), Undo("too early"))
    assert texts(said) == ["The end of the match 6 is taken back (too early)"]
    assert session.stage is Stage.RUNNING
    assert session.state == replay(played)[0].state
    session, said = step(session, Undo())
    assert (said[0].kind, said[0].about) == (Kind.TAKEN_BACK, 5)


def test_undo_after_the_end_takes_back_the_correction_that_came_last():
    played = [STARTED, *actions(*ROUND[:4]), MatchEnded()]
    session, said = after(*played, Correction(5, None), Undo())
    assert texts(said, Kind.RESTORED) == ["The correction 7 is taken back"]
    assert session.stage is Stage.ENDED
    session, said = step(session, Undo())
    assert texts(said) == ["The end of the match 6 is taken back"]


def test_the_end_of_the_game_is_said_and_unsaid():
    texts_of_game = [*ROUND, "turn", "1 red cover a3", "2 blue cover a4", "end round"]
    session, said = after(STARTED, *actions(*texts_of_game))
    assert texts(said, Kind.OUTCOME) == ["The game is over: red 2, blue 2; won by red and blue"]
    assert session.outcome is not None
    session, said = step(session, ActionObserved("turn"))
    assert "the game is over" in said[0].text
    session, said = step(session, Undo())
    assert texts(said, Kind.OUTCOME) == ["The game is not over any more"]


@pytest.mark.parametrize("game", GAMES)
@given(seed=SEEDS)
@settings(max_examples=15, deadline=None)
def test_events_one_by_one_give_what_a_replay_gives(game, seed):
    events = random_match(game, Random(seed))
    session, said = Session(), []
    for event in events:
        before = session
        session, new = step(session, event)
        said += new
        assert new
        assert all(each.seq == len(session.events) for each in new)
        assert session.events[: len(before.events)] == before.events
    assert replay(events) == (session, tuple(said))


@pytest.mark.parametrize("game", GAMES)
@given(seed=SEEDS)
@settings(max_examples=15, deadline=None)
def test_a_corrected_match_is_as_if_the_truth_had_been_seen_at_once(game, seed):
    """What counts, replayed from scratch with the truth in place of the slips, is the same game."""
    events = random_match(game, Random(seed))
    corrected, _ = replay(events)
    believed = [
        entry.observed for entry in corrected.entries if entry.standing is not Standing.TAKEN_BACK
    ]
    fresh, _ = replay([events[0], *believed])
    kept = [e for e in corrected.entries if e.standing is not Standing.TAKEN_BACK]
    assert [(e.state, e.objection, e.news) for e in fresh.entries] == [
        (e.state, e.objection, e.news) for e in kept
    ]
    assert (fresh.state, fresh.outcome) == (corrected.state, corrected.outcome)
    assert len(corrected.entries) == sum(isinstance(e, ActionObserved) for e in events)


@pytest.mark.parametrize("game", GAMES)
@given(seed=SEEDS)
@settings(max_examples=10, deadline=None)
def test_undoing_everything_leads_back_to_the_start(game, seed):
    session, _ = replay(random_match(game, Random(seed), count=12))
    for _ in range(200):
        session, said = step(session, Undo())
        if said[0].kind is Kind.REFUSED:
            break
    assert session.state == session.start


@pytest.mark.parametrize("game", GAMES)
@given(text=st.text(max_size=30))
@settings(max_examples=50, deadline=None)
def test_any_text_is_an_action_or_a_reason(game, text):
    start = random_match(game, Random(1), count=0)
    session, said = step(replay(start)[0], ActionObserved(text))
    assert len(session.entries) == 1
    assert said[0].kind in (Kind.DONE, Kind.OBJECTION, Kind.REFUSED)


EVENTS = [
    MatchStarted("galapa-go", SETUP),
    MatchStarted("galapa-go", SETUP, "Small", {"late_claims": "judged"}),
    ActionObserved("lay out"),
    ActionObserved("1.5 red cover a1", 1.5, 0.017, ("before.jpg", "after.jpg")),
    Correction(3, None),
    Correction(3, ActionObserved("1 blue cover a1", 1.0), "it was Blue's"),
    Undo(),
    Undo("a slip"),
    MatchEnded(),
    Note("tea"),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_event_is_written_and_read(event):
    assert event_from_plain(event_to_plain(event), "event") == event


def test_every_kind_of_event_is_among_those_tried():
    assert {type(event) for event in EVENTS} == set(TYPES.values())
    assert {each.name for each in fields(ActionObserved)} == {"action", "t", "dt", "evidence"}


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (3, "event"),
        ({}, "event.type"),
        ({"type": "jump"}, "event.type"),
        ({"type": "note"}, "event.text"),
        ({"type": "note", "text": "x", "t": 1}, "event.t"),
        ({"type": "correction", "seq": 0, "replace": None}, "event.seq"),
        ({"type": "correction", "seq": 2}, "event.replace"),
        ({"type": "correction", "seq": 2, "replace": {"do": "pass"}}, "event.replace.do"),
        ({"type": "correction", "seq": 2, "replace": {"action": ""}}, "event.replace.action"),
        ({"type": "action", "action": "turn", "t": float("nan")}, "event.t"),
        ({"type": "match-started", "game": "g", "setup": "s", "rulings": {"a": 1}},
         "event.rulings.a"),
    ],
)  # fmt: skip
def test_what_is_no_event_is_refused_with_its_place(value, place):
    with pytest.raises(FormatError) as caught:
        event_from_plain(value, "event")
    assert caught.value.place == place


def test_a_game_without_rules_cannot_be_started():
    with pytest.raises(FormatError, match=r"game: expected .*galapa-go"):
        engine_of("galapagos")
