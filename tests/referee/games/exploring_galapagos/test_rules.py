"""The whole game: deals, turns, drafts, the lead, numbers of legal actions, what stays the same."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.exploring_galapagos.course import next_player, phase
from referee.games.exploring_galapagos.model import (
    AddToDraft,
    Draft,
    LockIn,
    Method,
    Record,
    Rulings,
)
from referee.games.exploring_galapagos.notation import parse_action, parse_setup
from referee.games.exploring_galapagos.rules import (
    apply,
    explain,
    initial_state,
    legal_actions,
    outcome,
    round_position,
    ruling,
    set_up,
    shuffle,
)
from referee.games.exploring_galapagos.scoring import hand_size
from referee.games.exploring_galapagos.state import Deal, EndRound, LayRow, Phase
from referee.games.exploring_galapagos.telling import describe_action, describe_state, news
from referee.rules import RuleViolation, Table

PLAYTHROUGHS = Path(__file__).parents[3] / "data" / "playthroughs" / "exploring_galapagos"
TEXT = (PLAYTHROUGHS / "four_players.txt").read_text(encoding="utf-8")
CARDS = parse_setup(TEXT.partition("== setup\n")[2].partition("== play\n")[0]).cards
IN_ORDER = tuple(card.id for card in CARDS)
NAMES = ("ann", "bob", "cat", "dan", "eve")


def start(count=2, lead="ann", **changes):
    players = NAMES[:count]
    return initial_state(set_up(CARDS, Table(players, lead, **changes)))


def dealt(count=2, lead="ann"):
    """Returns the table after a deal in the order of the values: the lead has the lowest cards."""
    return apply(start(count, lead), Deal(IN_ORDER))


def play(state, *lines):
    for line in lines:
        state = apply(state, parse_action(line))
    return state


def ids(cards):
    return [card.id for card in cards]


def count_legal(state, depth):
    if depth == 0:
        return 1
    return sum(count_legal(apply(state, action), depth - 1) for action in legal_actions(state))


# Counted by hand. Two players have 4 cards and two ways for each: 8, then 8 x 8. Then a row is
# laid, or the round ends (one action each). Of the 64 both lock in 16 times, one of them 32 times
# and none 16 times: a deal of the next round, 2 cards to choose from, 3 cards: 16 + 64 + 48. Then
# 8 for the next round's first, 8 for the one who is left, and 2 cards for the second to choose:
# 16 x 8 + 64 x 8 + 48 x 2. Four and five players have 3 cards: 6 ways each.
@pytest.mark.parametrize(
    ("players", "counts"),
    [
        (2, [1, 8, 64, 64, 128, 736]),
        (3, [1, 8, 64, 512, 512]),
        (4, [1, 6, 36, 216, 1296]),
        (5, [1, 6, 36, 216]),
    ],
)
def test_number_of_legal_actions_to_a_fixed_depth(players, counts):
    state = dealt(players)
    assert [count_legal(state, depth) for depth in range(len(counts))] == counts


def test_legal_actions_are_in_a_fixed_order():
    assert legal_actions(dealt(4)) == (
        *(AddToDraft("ann", card) for card in ("h01", "h02", "h03")),
        *(LockIn("ann", card) for card in ("h01", "h02", "h03")),
    )


@pytest.mark.parametrize(("players", "size", "left"), [(2, 4, 10), (3, 4, 6), (4, 3, 6), (5, 3, 3)])
def test_lead_deals_four_cards_or_three(players, size, left):
    """E21: who leads first is the players' to say."""
    state = start(players, lead=NAMES[players - 1])
    assert legal_actions(state) == (Deal(IN_ORDER),)
    state = apply(state, Deal(IN_ORDER[::-1]))
    assert [len(hand) for hand in state.hands.values()] == [size] * players
    assert len(state.deck) == left
    assert ids(state.hands[state.lead]) == list(IN_ORDER[::-1][:size])
    assert next_player(state) == state.lead


def test_each_adds_or_locks_in_one_after_the_other_from_the_lead():
    """E18, E19: in turn, exactly one of the two, nobody passes."""
    state = dealt(3, lead="bob")
    for player, line in [
        ("bob", "bob add h01"),
        ("cat", "cat lock-in h05"),
        ("ann", "ann add h09"),
    ]:
        assert {action.player for action in legal_actions(state)} == {player}
        assert {type(action) for action in legal_actions(state)} == {AddToDraft, LockIn}
        state = play(state, line)
    assert phase(state) is Phase.LAYING
    assert (ids(state.added.values()), ids(state.locked.values())) == (["h01", "h09"], ["h05"])


def test_row_holds_what_was_added_and_one_card_of_the_deck():
    state = play(dealt(3), "ann add h01", "bob add h05", "cat add h09")
    assert legal_actions(state) == (LayRow(("h01", "h05", "h09", "h13")),)
    state = play(state, "row h13 h05 h01 h09")
    assert ids(state.row) == ["h13", "h05", "h01", "h09"]
    assert (state.added, ids(state.deck)[0]) == ({}, "h14")
    assert legal_actions(state) == tuple(Draft("ann", card) for card in ids(state.row))


def test_lowest_chosen_value_leads_whatever_was_left():
    """E16: the unchosen card is the lowest of all and counts for nobody."""
    state = play(dealt(3), "ann add h01", "bob add h05", "cat add h09", "row h01 h05 h09 h13")
    state = play(state, "ann draft h13", "bob draft h09", "cat draft h05")
    assert state.lead == "cat"
    assert ids(state.shared) == ["h01"]
    assert ids(state.hands["cat"]) == ["h10", "h11", "h12", "h05"]
    assert next_player(state) == "cat"


def test_lead_who_locks_in_stays_lead_until_another_drafts_lower():
    """E14: drafting starts with the next unlocked player; only who drafts can become lead."""
    state = play(dealt(3), "ann lock-in h01", "bob add h05", "cat add h09")
    assert state.lead == "ann"
    state = play(state, "row h05 h09 h13")
    assert legal_actions(state)[0] == Draft("bob", "h05")
    state = play(state, "bob draft h13", "cat draft h09")
    assert state.lead == "cat"
    state = play(state, "cat lock-in h10", "bob add h06", "row h06 h14")
    assert (state.lead, {action.player for action in legal_actions(state)}) == ("cat", {"bob"})


def test_last_unlocked_player_drafts_from_two_cards_and_leads():
    """E15."""
    state = play(dealt(2, lead="bob"), "bob lock-in h01", "ann add h05", "row h09 h05")
    state = play(state, "ann draft h09")
    assert (state.lead, ids(state.shared)) == ("ann", ["h05"])
    assert [action.player for action in legal_actions(state)] == ["ann"] * 8


def test_round_ends_at_once_where_all_lock_in():
    """E13: no draft, nothing shared, the lead is unchanged."""
    state = play(dealt(2), "ann lock-in h01", "bob lock-in h05")
    assert phase(state) is Phase.SCORING
    assert legal_actions(state) == (EndRound(),)
    assert (state.lead, state.shared, len(state.deck)) == ("ann", (), 10)


def three_drafts(state):
    """Returns the table after three drafts in which everybody takes the own card back."""
    for _ in range(3):
        while phase(state) is Phase.CHOOSING:
            state = apply(state, legal_actions(state)[0])
        added = {player: card.id for player, card in state.added.items()}
        state = apply(state, shuffle(state, sorted))
        while phase(state) is Phase.DRAFTING:
            state = apply(state, Draft(next_player(state), added[next_player(state)]))
    return state


def test_round_ends_with_three_shared_cards():
    state = three_drafts(dealt(3))
    assert phase(state) is Phase.SCORING
    assert ids(state.shared) == ["h13", "h14", "h15"]
    assert {ruled.method for ruled in ruling(state)} == {None}


def test_lead_is_remembered_where_no_deck_is_left():
    """Five players and three drafts use up the deck that marks the lead; E17: the lead stays."""
    state = three_drafts(dealt(5, lead="cat"))
    assert (state.deck, state.lead) == ((), "cat")
    state = apply(state, EndRound())
    assert (state.lead, len(state.deck), phase(state)) == ("cat", 18, Phase.DEALING)
    state = apply(state, Deal(IN_ORDER))
    assert ids(state.hands["cat"]) == ["h01", "h02", "h03"]


def test_round_is_not_ruled_before_it_has_ended():
    with pytest.raises(RuleViolation, match="ended"):
        ruling(dealt())


def locked_round(state, first, second):
    return play(state, f"ann lock-in {first}", f"bob lock-in {second}", "end round")


def test_methods_are_written_down_whatever_they_score():
    """E7, E8, E9: a repeat scores nothing and is used all the same; at 1-1-1 nothing is (E6)."""
    order = Deal(("h04", "h05", "h06", "h08", "h03", "h07", "h13", "h17", *IN_ORDER[8:12],
                  "h01", "h02", *IN_ORDER[13:16], "h18"))  # fmt: skip
    state = locked_round(apply(start(), order), "h04", "h17")
    assert [record["ann"].method for record in state.records] == [Method.TIME]
    state = locked_round(apply(state, order), "h04", "h17")
    assert state.records[1] == {"ann": Record(Method.TIME, 0), "bob": Record(Method.TIME, 0)}
    one_one_one = (*IN_ORDER[:8], "h10", "h13", "h15", "h09", "h11", "h12", "h14", *IN_ORDER[15:])
    state = apply(state, Deal(one_one_one))
    state = three_drafts(state)
    assert ids(state.shared) == ["h10", "h13", "h15"]
    state = apply(state, EndRound())
    assert state.records[2] == {"ann": Record(None, 0), "bob": Record(None, 0)}


def test_method_of_a_round_without_points_is_used():
    """E8, E11: the floor takes all points, and the method cannot be used again."""
    ends = ("h06", "h09", "h17", "h18", "h03", "h04", "h05", "h07")
    order = Deal((*ends, *(card for card in IN_ORDER if card not in ends)))
    state = locked_round(apply(start(), order), "h17", "h04")
    assert state.records[0]["ann"] == Record(Method.TIME, 0)
    state = play(apply(state, Deal(IN_ORDER)), "ann lock-in h03", "bob lock-in h06")
    assert ruling(state)[0].reason == "time was used in an earlier round"


def test_most_points_of_three_rounds_win_and_ties_share():
    """E20."""
    state = dealt()
    rounds = [{"ann": 3, "bob": 0}, {"ann": 0, "bob": 7}, {"ann": 4, "bob": 0}]
    records = tuple({name: Record(None, n) for name, n in each.items()} for each in rounds)
    end = outcome(replace(state, records=records))
    assert (end.scores, end.winners) == ({"ann": 7, "bob": 7}, ("ann", "bob"))
    assert outcome(replace(state, records=records[:2])) is None
    assert legal_actions(replace(state, records=records)) == ()


@pytest.mark.parametrize(
    ("lines", "action", "words", "section"),
    [
        ([], "ann draft h01", "add to the draft or lock in", "Step 1"),
        ([], "end round", "add to the draft", "Step 1"),
        ([], "row h01", "add to the draft", "Step 1"),
        ([], "bob add h05", "turn of ann", "Step 1"),
        ([], "zed add h05", "zed does not play", "Setup"),
        ([], "ann add h05", "h05 is not in the hand of ann", "Step 1"),
        ([], "ann lock-in h99", "h99 is not in the hand", "Step 1"),
        (["ann lock-in h01"], "ann add h02", "ann has locked in", "Step 1"),
        (["ann lock-in h01"], "ann lock-in h02", "ann has locked in", "Step 1"),
        (["ann add h01"], "ann lock-in h02", "turn of bob", "Step 1"),
        (["ann add h01", "bob add h05"], "ann draft h01", "laid in a row first", "Step 2"),
        (["ann add h01", "bob add h05"], "row h01 h05", "h09", "Step 2"),
        (["ann add h01", "bob add h05"], "row h01 h05 h10", "h09", "Step 2"),
        (["ann add h01", "bob add h05", "row h01 h05 h09"], "ann add h02", "row first", "Step 2"),
        (["ann add h01", "bob add h05", "row h01 h05 h09"], "bob draft h01", "of ann", "Step 2"),
        (["ann add h01", "bob add h05", "row h01 h05 h09"], "ann draft h02", "the row", "Step 2"),
        (["ann lock-in h01", "bob add h05", "row h05 h09"], "ann draft h05", "locked", "Step 1"),
        (["ann lock-in h01", "bob lock-in h05"], "bob add h06", "has ended", "Scoring"),
        (["ann lock-in h01", "bob lock-in h05", "end round"], "ann add h01", "deals", "Setup"),
        (["ann lock-in h01", "bob lock-in h05", "end round"], "deal h01", "h02", "Setup"),
    ],
)
def test_what_is_not_allowed_is_explained_with_its_section(lines, action, words, section):
    state = play(dealt(), *lines)
    objection = explain(state, parse_action(action))
    assert words in objection.reason
    assert objection.section.startswith(section)
    with pytest.raises(RuleViolation, match=section):
        play(state, action)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"players": ("ann",)}, "2 to 5"),
        ({"players": ("ann", "bob", "cat", "dan", "eve", "fay")}, "2 to 5"),
        ({"players": ("ann", "ann")}, "different"),
        ({"players": ("ann", "bob b")}, "blanks"),
        ({"lead": "cat"}, "lead"),
        ({"cards": CARDS[:17]}, "18"),
        ({"cards": (*CARDS[:17], CARDS[0])}, "18"),
        ({"cards": (*CARDS[:17], replace(CARDS[17], value=1))}, "value"),
    ],
)
def test_setup_that_is_none_is_refused(change, words):
    setup = replace(start().setup, **change)
    with pytest.raises(RuleViolation, match=words):
        initial_state(setup)


def test_only_the_normal_variant_is_played():
    with pytest.raises(RuleViolation, match="normal"):
        start(variant="complex")


def test_house_ruling_of_the_table_is_taken():
    assert start(rulings={"impact_on_zero": True}).setup.rulings == Rulings(impact_on_zero=True)
    assert start().setup.rulings == Rulings()


def test_hands_stay_hidden_until_they_are_scored():
    """E22: nothing that is told of a table names a card of a hand, of the deck or of the draft."""
    state = play(dealt(3), "ann lock-in h01", "bob add h05")
    told = str(describe_state(state)) + str(news(dealt(3), state))
    assert {card for card in IN_ORDER if card in told} == {"h01"}


def test_table_is_told_in_words():
    state = play(dealt(), "ann add h01", "bob add h05")
    laid = play(state, "row h01 h05 h09")
    row = "In the row: h01 (value 1, scores zone, night, blue-fish sea"
    assert news(state, laid)[0].startswith(row)
    after = play(laid, "ann draft h09", "bob draft h05")
    assert news(play(laid, "ann draft h09"), after)[1] == "bob chose the lowest value and leads"
    assert describe_action(after, LockIn("bob", "h05")).startswith("bob locks in time with h05")
    locked = play(after, "bob lock-in h05")
    ended = play(locked, "ann lock-in h04")
    assert news(after, locked) == ("bob locks in time",)
    assert news(locked, ended)[:2] == (
        "ann locks in time",
        "The round is over: everybody has locked in",
    )
    assert news(ended, play(ended, "end round")) == ("After round 1: ann 9, bob 1",)


def piles(state):
    """Returns all cards, pile by pile."""
    cards = [*state.deck, *state.row, *state.shared]
    for player in state.setup.players:
        cards += state.hands[player]
        cards += [
            pile[player] for pile in (state.locked, state.added, state.chosen) if player in pile
        ]
    return cards


def own_count(state, player):
    held = (pile for pile in (state.locked, state.added, state.chosen) if player in pile)
    return len(state.hands[player]) + len(list(held))


@given(st.integers(2, 5), st.randoms(use_true_random=False), st.sampled_from([0.2, 0.5, 0.95]))
@settings(max_examples=40, deadline=None)
def test_what_stays_the_same_in_every_legal_game(count, rng, eagerness):
    """18 cards, sizes of hands, at most three drafts a round, totals, the lead (proofs of E14-E17).

    `eagerness` is how readily a player drafts where locking in is possible too.
    """
    size = 4 if count <= 3 else 3
    state, drafts, rounds = start(count), 0, []
    while outcome(state) is None:
        assert sorted(ids(piles(state))) == sorted(IN_ORDER)
        action = shuffle(state, lambda words: rng.sample(list(words), len(words)))
        if action is None:
            legal = legal_actions(state)
            adds = [each for each in legal if isinstance(each, AddToDraft)]
            action = rng.choice(adds if adds and rng.random() < eagerness else list(legal))
        before, state = state, apply(state, action)
        drafts += isinstance(action, LayRow)
        if isinstance(action, LayRow):
            unlocked = count - len(state.locked)
            assert len(state.row) == unlocked + 1
        if len(state.shared) > len(before.shared):
            assert len(state.shared) == drafts <= 3
            assert state.lead not in state.locked
        else:
            assert state.lead == before.lead
        if phase(state) not in (Phase.DEALING, Phase.OVER, Phase.DRAFTING, Phase.LAYING):
            assert all(own_count(state, player) == size for player in state.setup.players), (
                "a hand grew or shrank"
            )
        if phase(state) is Phase.SCORING:
            all_locked = len(state.locked) == count
            assert all_locked or len(state.shared) == 3
            rounds.append({ruled.name: ruled.score for ruled in ruling(state)})
            assert all(points >= 0 for points in rounds[-1].values())
        if isinstance(action, EndRound):
            drafts = 0
    assert len(rounds) == 3
    totals = {player: sum(each[player] for each in rounds) for player in state.setup.players}
    assert outcome(state).scores == totals
    best = max(totals.values())
    assert outcome(state).winners == tuple(p for p, points in totals.items() if points == best)


def test_card_count_holds_at_scoring():
    """E22 and the proof that a hand keeps its size."""
    players = round_position(three_drafts(dealt(4))).players
    assert [len(player.own) for player in players] == [hand_size(4)] * 4
