"""The whole game: turns, ponds, chips, scoring, the end, numbers of legal actions, invariants."""

import dataclasses
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.panda_gorilla.course import chips_left, phase
from referee.games.panda_gorilla.model import COLOURS, Board, CardBack, Size, Space, Tile
from referee.games.panda_gorilla.notation import (
    format_action,
    format_setup,
    format_state,
    parse_action,
    parse_setup,
    parse_state,
)
from referee.games.panda_gorilla.packing import Supply
from referee.games.panda_gorilla.rules import (
    apply,
    explain,
    initial_state,
    legal_actions,
    outcome,
    ruling,
    set_up,
    shuffle,
)
from referee.games.panda_gorilla.scoring import count_of
from referee.games.panda_gorilla.state import (
    Lay,
    LayPond,
    NoProposal,
    Phase,
    Propose,
    ScoreArea,
    TakeFaceUp,
    TurnUp,
)
from referee.games.panda_gorilla.telling import describe_action, describe_state, news
from referee.rules import Outcome, RuleViolation, Table
from tests.referee.games.panda_gorilla.boards import (
    CARDS,
    EXAMPLES,
    chip,
    make_card,
    play,
    tile,
)


def setup(pile, board="2x2", signs="0,0", entrance="", more=""):
    """Returns a setup as text."""
    return (
        f"players red blue\nlead red\nboard {board}\nentrance {entrance}\nsigns {signs}\n"
        f"{more}\n{CARDS}\npile {' '.join(pile)}"
    )


def legal(state):
    return [format_action(action) for action in legal_actions(state)]


def objection(state, line):
    return explain(state, parse_action(line))


def count_legal(state, depth):
    if depth == 0:
        return 1
    return sum(count_legal(apply(state, action), depth - 1) for action in legal_actions(state))


# Counted by hand. `straight`: the card is turned (1); red takes it or turns two equal ones (2),
# lays one on the sign in 4 rotations (8), and has for each of its 2 open areas 3 sizes, or no chip
# (56); then blue turns, or takes the face-up one if two were turned (28 + 2 x 28 = 84).
# `crossing`: dark at the north-west alone, so that the 4 rotations differ (8); of its 4 areas the
# one in the board's corner is complete: 4 x 3 chips or none (104). A chip in the corner is to be
# scored first (3 of 13), else blue draws: 4 x (13 + (3 + 2 x 10)) = 144.
# `gate`: below the entrance `k` fits with its path to the north, in 2 of 4 rotations; `t` in 3 of
# 4. Red takes k (2) or turns t and s, of which s fits in 2: 2 + 3 + 2 = 7.
@pytest.mark.parametrize(
    ("text", "counts"),
    [
        pytest.param(setup("ssss"), [1, 1, 2, 8, 56, 84], id="straight"),
        pytest.param(setup("xxxx"), [1, 1, 2, 8, 104, 144], id="crossing"),
        pytest.param(setup("kts", entrance="0,0", signs="1,0"), [1, 1, 2, 7], id="gate"),
    ],
)
def test_number_of_legal_actions_to_a_fixed_depth(text, counts):
    state = play(text)
    assert [count_legal(state, depth) for depth in range(len(counts))] == counts


def test_legal_actions_are_in_a_fixed_order():
    state = play(setup("ktks", entrance="0,0", signs="0,1 1,0"), "turn k", "turn t k")
    assert legal(state)[:4] == ["lay t 0,1 90", "lay t 0,1 180", "lay t 0,1 270", "lay t 1,0 0"]
    assert legal(state)[-1] == "lay k 1,0 270"
    state = play(setup("ktks", entrance="0,0", signs="0,1"), "turn k", "take", "lay k 0,1 180")
    assert legal(state) == [
        *(f"propose nw {size}" for size in ("large", "medium", "small")),
        *(f"propose sw {size}" for size in ("large", "medium", "small")),
        "no proposal",
    ]


# Drawing (Setup; Action "Card").


def test_top_card_is_turned_face_up_first():
    state = play(setup("stk"))
    assert (phase(state), legal(state)) == (Phase.OPENING, ["turn s"])
    state = play(setup("stk"), "turn s")
    assert (phase(state), state.face_up.id, state.turn) == (Phase.DRAWING, "s", "red")


def test_player_takes_the_face_up_card_or_boxes_it_and_turns_two():
    """P8."""
    state = play(setup("stk"), "turn s")
    assert legal(state) == ["take", "turn t k"]
    taken = play(setup("stk"), "turn s", "take")
    assert ([card.id for card in taken.drawn], taken.face_up) == (["s"], None)
    turned = play(setup("stk"), "turn s", "turn t k")
    assert [card.id for card in turned.drawn] == ["t", "k"]
    assert [card.id for card in turned.box] == ["s"]
    assert objection(turned, "take").reason == "a card has been drawn and is to be laid first"


def test_card_left_over_is_the_next_players():
    """P8: after a face-up card was taken, the next player can only turn two."""
    state = play(setup("stks"), "turn s", "turn t k", "lay k 0,0 0", "no proposal")
    assert (state.turn, state.face_up.id, legal(state)[0]) == ("blue", "t", "take")
    state = play(setup("stks"), "turn s", "take", "lay s 0,0 0", "no proposal")
    assert (state.turn, state.face_up, legal(state)) == ("blue", None, ["turn t k"])
    assert objection(state, "take").reason == "no card lies face up"


def test_cards_come_to_light_in_an_order_that_nobody_knew():
    state = play(setup("stkt"), "turn t")
    assert [card.id for card in state.pile] == ["s", "k", "t"]
    state = play(setup("stkt"), "turn t", "turn t s")
    assert [card.id for card in state.pile] == ["k"]
    for line, reason in {
        "turn s": "expected 2 of the pile's cards, got 1",
        "turn s k t": "expected 2 of the pile's cards, got 3",
        "turn s s": "the card s is not in the pile",
        "turn y s": "the card y is not in the pile",
    }.items():
        assert objection(play(setup("stkt"), "turn t"), line).reason == reason


def test_turn_goes_clockwise_from_the_lead():
    """P35."""
    text = setup("ssss", board="1x4", signs="0,0").replace(
        "players red blue\nlead red", "players red blue green\nlead blue"
    )
    state = play(text, "turn s")
    turns = []
    for line in ("take", "turn s s", "take"):
        turns.append(state.turn)
        for each in (line, f"lay s 0,{len(turns) - 1} 0", "no proposal"):
            state = apply(state, parse_action(each))
    assert turns == ["blue", "green", "red"]
    assert state.turn == "blue"


# Laying (Action "Card").


def test_rulebook_examples_are_legal_and_illegal():
    state = play(
        f"{EXAMPLES}\npile a b c",
        *("turn a", "take", "lay a 0,1 0", "no proposal"),
        *("turn b c", "lay b 1,0 0", "no proposal", "take"),
    )
    assert "lay c 2,0 180" in legal(state)
    against = objection(state, "lay c 1,1 0")
    assert (against.section, against.can_happen) == ('Action "Card"', True)
    assert "the path of the card beside it is cut at w" in against.reason
    assert "nw is dark" in against.reason
    laid = apply(state, parse_action("lay c 1,1 0"))
    assert [str(breach.rule) for breach in ruling(laid).breaches] == ["path", "colour"]
    assert laid.is_proposing


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("lay t 0,0 0", "expected the card drawn, s, got t"),
        ("lay s 0,0 45", "expected a rotation of 0, 90, 180 or 270, got 45"),
        ("lay s 5,0 0", "the board has no space (5, 0)"),
        ("lay s 0,1 0", "the entrance is there"),
        ("pond s 0,1", "the entrance is there"),
        ("pond t 0,0", "expected the card drawn, s, got t"),
        ("no proposal", "a card has been drawn and is to be laid first"),
    ],
)
def test_what_cannot_happen_is_named(line, reason):
    state = play(setup("st", entrance="0,1"), "turn s", "take")
    against = objection(state, line)
    assert (against.reason, against.can_happen) == (reason, False)
    with pytest.raises(RuleViolation, match=re.escape(reason)):
        apply(state, parse_action(line))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("lay s 1,1 0", "the first card goes on a space with a sign"),
        ("pond s 1,1", "s fits, such as at (0, 0)"),
    ],
)
def test_what_is_not_allowed_but_can_happen_lies_there(line, reason):
    """P5, P9: it is ruled upon, not refused."""
    state = play(setup("st"), "turn s", "take")
    against = objection(state, line)
    assert (against.reason, against.can_happen) == (reason, True)
    assert apply(state, parse_action(line)).tiles[-1].space == (1, 1)
    assert line not in legal(state)


def test_pond_only_where_no_card_drawn_fits():
    """P9: neither of two turned ones; P11: on any empty space, never on a pond or card."""
    text = setup("sndns", board="1x3")
    state = play(text, "turn s", "take", "lay s 0,0 0", "no proposal", "turn n d")
    assert all(line.startswith("lay d") for line in legal(state))
    assert objection(state, "pond n 0,1").reason == "d fits, such as at (0, 1)"
    text = setup("snnds", board="1x3")
    state = play(text, "turn s", "take", "lay s 0,0 0", "no proposal", "turn n n")
    assert legal(state) == ["pond n 0,1", "pond n 0,2"]
    assert objection(state, "pond n 0,0").reason == "a card lies there"


def test_face_up_card_that_fits_nowhere_may_be_taken():
    """P10."""
    text = setup("snsd", board="1x3")
    state = play(text, "turn s", "turn n s", "lay s 0,0 0", "no proposal")
    assert (state.face_up.id, legal(state)[0]) == ("n", "take")
    assert legal(apply(state, TakeFaceUp())) == ["pond n 0,1", "pond n 0,2"]


def test_pond_ends_the_turn_without_a_proposal():
    """P12: a pond has no zoo area."""
    text = setup("snnd", board="1x3")
    state = play(text, "turn s", "take", "lay s 0,0 0", "no proposal", "turn n n", "pond n 0,2")
    assert (state.turn, phase(state)) == ("red", Phase.DRAWING)
    assert objection(state, "propose nw large").reason == "a card is to be drawn first"
    assert state.face_up.id == "n"


def test_pond_is_built_over_by_all_the_rules():
    """P13, P3: with a proposal and, since the area is complete then, its scoring (P14)."""
    text = setup("snnsdss", board="1x2")
    state = play(text, "turn s", "take", "lay s 0,0 0", "propose ne small", "turn n n")
    assert legal(state) == ["pond n 0,1"]
    state = apply(state, LayPond("n", Space(0, 1)))
    assert phase(state) is Phase.DRAWING  # the area beside the pond is still open
    state = apply(state, TurnUp(("s", "d")))
    assert legal(state) == ["lay s 0,1 0", "lay s 0,1 180", "lay d 0,1 0"]
    against = objection(state, "pond s 0,1")
    assert (against.reason, against.can_happen) == ("a pond lies there", False)
    state = apply(state, Lay("d", Space(0, 1), 0))
    assert phase(state) is Phase.PROPOSING
    state = apply(state, NoProposal())
    assert legal(state) == ["score 0,0 ne"]
    state = apply(state, legal_actions(state)[0])
    assert state.points == {"red": 2, "blue": 0}
    assert phase(state) is Phase.OVER  # P30: all is face up, whatever is left to draw


# Chips (Action "Proposal").


def laid(chips, size="1x3", more=""):
    """Returns the state after a second straight card; its west joins the east of the first."""
    state = play(setup("ssss", board=size, more=more), "turn s", "take", "lay s 0,0 0")
    state = apply(state, parse_action(chips))
    return play_on(state, "turn s s", "lay s 0,1 0")


def play_on(state, *lines):
    for line in lines:
        state = apply(state, parse_action(line))
    return state


def test_one_chip_or_none_on_the_card_just_laid():
    """P16."""
    state = laid("no proposal")
    assert legal(state) == [
        *(f"propose {each} {size}" for each in ("nw", "ne") for size in Size),
        "no proposal",
    ]
    assert explain(state, Propose("up", Size.SMALL)).reason == "a card has no quarter up"
    after = play_on(state, "propose ne medium")
    assert after.proposals == (chip(0, 1, "ne", "blue", "medium"),)
    assert objection(after, "propose nw small").reason == "a card is to be drawn first"
    other = play_on(state, "propose se medium")
    assert other.proposals == (chip(0, 1, "se", "blue", "medium"),)


@pytest.mark.parametrize("size", list(Size))
def test_no_second_chip_of_a_size_in_an_area(size):
    """P17: tested after the card has joined the area; other sizes and areas are free."""
    state = laid(f"propose ne {size}")
    assert f"propose nw {size}" not in legal(state)
    assert f"propose ne {size}" in legal(state)
    assert len(legal(state)) == 6
    against = objection(state, f"propose sw {size}")
    assert (against.reason, against.section) == (
        f"red's {size} chip lies in the area already",
        'Action "Proposal"',
    )
    mistaken = play_on(state, f"propose sw {size}")
    assert [str(each.rule) for each in ruling(mistaken).breaches] == ["chip-size"]


def test_own_chip_of_another_size_may_join():
    """P17."""
    state = laid("propose ne large")
    assert "propose nw medium" in legal(dataclasses.replace(state, turn="red"))


def test_three_chips_of_a_size():
    state = laid("no proposal", size="3x3")
    laid_out = tuple(chip(0, 0, "nw", "blue", "small") for _ in range(2))
    state = dataclasses.replace(state, proposals=laid_out)
    assert chips_left(state, "blue", Size.SMALL) == 1
    state = dataclasses.replace(state, proposals=(*laid_out, laid_out[0]))
    assert not any("small" in line for line in legal(state))
    assert objection(state, "propose ne small").reason == "blue has no small chip left"


def test_chips_of_one_size_meet_by_merging():
    """P18, P24: then each gets all the points; P26: and all chips go home."""
    text = setup("sssss", board="1x3", signs="0,0 0,2", more="card o - light light light light")
    text = text.replace("pile s s s s s", "pile s s o s s")
    state = play(text, "turn s", "take", "lay s 0,0 0", "propose ne small")
    state = play_on(state, "turn s o", "lay s 0,2 0", "propose nw small", "take")
    assert not ruling(state).breaches
    state = play_on(state, "lay o 0,1 0")
    assert (
        objection(state, "propose nw small").reason == "red's small chip lies in the area already"
    )
    state = play_on(state, "no proposal")
    assert legal(state) == ["score 0,0 ne"]
    state = play_on(state, "score 0,0 ne")
    assert (state.points, state.proposals) == ({"red": 4, "blue": 4}, ())
    assert state.supply == Supply(17, 15, 23)
    assert chips_left(state, "red", Size.SMALL) == 3


# Scoring (Action "Scoring").


def test_completed_area_is_scored_after_the_proposal():
    """P16: the chip may lie on an area that the card has just completed; P26: it goes home."""
    state = play(setup("xss"), "turn x", "take", "lay x 0,0 0", "propose nw large")
    assert (phase(state), state.turn) == (Phase.SCORING, "red")
    assert objection(state, "take").section == 'Action "Scoring"'
    state = play_on(state, "score 0,0 nw")
    assert (phase(state), state.turn, state.proposals) == (Phase.DRAWING, "blue", ())
    assert state.points == {"red": 0, "blue": 0}


def test_area_completed_without_chips_is_closed_for_good():
    """P23: nothing is scored, and the turn passes."""
    state = play(setup("xss"), "turn x", "take", "lay x 0,0 0", "no proposal")
    assert (phase(state), state.turn) == (Phase.DRAWING, "blue")


def test_player_on_turn_chooses_which_of_two_areas_is_scored_first():
    """P27, P28: with one small animal left the order decides who gets it."""
    text = setup("ddd", board="2x1", signs="0,0", more="supply 17 15 1")
    state = play(text, "turn d", "take", "lay d 0,0 0", "propose sw small", "turn d d")
    state = play_on(state, "lay d 1,0 0", "propose ne small")
    assert legal(state) == ["score 0,0 nw", "score 0,0 ne"]
    west = play_on(state, "score 0,0 nw")
    assert (west.points, west.turn) == ({"red": 1, "blue": 0}, "blue")
    assert legal(west) == ["score 0,0 ne"]
    end = play_on(west, "score 1,0 ne")  # any of its quarters will do
    assert (end.points, outcome(end)) == (
        {"red": 1, "blue": 0},
        Outcome({"red": 1, "blue": 0}, ("red",)),
    )
    east = play_on(state, "score 0,0 ne")
    assert east.points == {"red": 0, "blue": 1}


@pytest.mark.parametrize(
    ("ruling_text", "points"),
    [("", 0), ("ruling supply unlimited", 2)],
    ids=["P28 limited", "P28 unlimited"],
)
def test_no_animal_is_left(ruling_text, points):
    text = setup("ss", board="1x1", more=f"supply 0 0 0\n{ruling_text}")
    state = play(text, "turn s", "take", "lay s 0,0 0", "propose nw small", "score 0,0 nw")
    assert state.supply == Supply(0, 0, 0)
    assert state.points == {"red": points // 2, "blue": 0}


def test_score_of_an_area_that_is_not_complete_cannot_happen():
    state = play(setup("xss"), "turn x", "take", "lay x 0,0 0", "propose nw large")
    against = objection(state, "score 0,0 ne")
    assert against.reason == "no area that is scored now has the quarter ne of (0, 0)"
    assert not against.can_happen


# The end (End of the Game).


def test_game_ends_once_all_spaces_are_face_up():
    """P30: whatever is left to draw; P34: tied players share."""
    state = play(setup("sss", board="1x1"), "turn s", "take", "lay s 0,0 0", "no proposal")
    assert (phase(state), legal(state)) == (Phase.OVER, [])
    assert outcome(state) == Outcome({"red": 0, "blue": 0}, ("red", "blue"))
    assert objection(state, "turn s s").reason == "the game is over"


def ponds(pile):
    """Returns the state once a light card and a pond cover the whole board."""
    text = setup(pile, board="1x2")
    state = play(text, "turn s", "take", "lay s 0,0 0", "propose ne small")
    return play_on(state, f"turn {pile[1]} {pile[2]}", f"pond {pile[1]} 0,1")


def test_game_goes_on_while_a_pond_can_be_covered():
    """P30, P31: the face-up card covers none, so two others are turned."""
    state = ponds("snnsn")
    assert (state.turn, state.face_up.id, legal(state)) == ("red", "n", ["turn s n"])
    against = objection(state, "take")
    assert against.reason == "n covers no pond, and no space is empty"
    assert against.section == "End of the Game"
    state = play_on(state, "turn s n")
    assert phase(state) is Phase.PLACING
    assert legal(state) == ["lay s 0,1 0", "lay s 0,1 180"]


def test_game_goes_on_while_the_face_up_card_covers_a_pond():
    """P31: though none is left to turn."""
    state = play(setup("snnss", board="1x3"), "turn s", "take", "lay s 0,0 0", "no proposal")
    state = play_on(state, "turn n n", "pond n 0,1", "take", "pond n 0,2", "turn s s")
    state = play_on(state, "lay s 0,1 0", "no proposal")
    assert (state.pile, legal(state)) == ((), ["take"])
    assert legal(apply(state, TakeFaceUp())) == ["lay s 0,2 0", "lay s 0,2 180"]
    assert objection(state, "turn s s").reason == "no card is left to turn"


def test_game_ends_where_the_player_on_turn_can_cover_no_pond():
    """P31, P32: areas in which chips still lie are scored; the pond bounds them."""
    state = play_on(ponds("snnnn"), "turn n n")
    assert (phase(state), legal(state)) == (Phase.FINAL, ["score 0,0 ne"])
    assert outcome(state) is None
    assert ruling(state).areas[1].points == {"red": 1}
    state = play_on(state, "score 0,0 ne")
    assert outcome(state) == Outcome({"red": 1, "blue": 0}, ("red",))


def test_game_ends_at_once_where_nothing_is_left_to_turn():
    """P31: the face-up card alone covers no pond."""
    assert phase(ponds("snn")) is Phase.FINAL


def test_last_card_of_the_pile_is_turned_alone():
    """P29."""
    state = play(setup("sst", board="1x4"), "turn s", "take", "lay s 0,0 0", "no proposal")
    state = play_on(state, "turn s t", "lay s 0,1 0", "no proposal")
    assert legal(state) == ["take"]
    state = play(setup("ss", board="1x4"), "turn s")
    assert legal(state) == ["take", "turn s"]
    state = play_on(state, "turn s")
    assert ([card.id for card in state.drawn], [card.id for card in state.box]) == (["s"], ["s"])


def test_game_ends_where_the_pile_runs_out():
    """P29: empty spaces count as ponds, so open areas with chips are scored (P32)."""
    state = play(setup("s", board="1x4"), "turn s", "take", "lay s 0,0 0", "propose ne small")
    assert (phase(state), legal(state)) == (Phase.FINAL, ["score 0,0 ne"])
    assert play_on(state, "score 0,0 ne").points == {"red": 1, "blue": 0}


def test_last_areas_are_scored_in_reading_order():
    """P33: that is the house's order; another one can happen."""
    text = setup("ss", board="3x3", signs="1,1")
    state = play(text, "turn s", "take", "lay s 1,1 0", "propose ne small")
    state = play_on(state, "turn s", "lay s 2,1 0", "propose sw large")
    assert (phase(state), legal(state)) == (Phase.FINAL, ["score 1,1 nw"])
    against = objection(state, "score 1,1 ne")
    assert against.reason == "the last areas are scored in reading order"
    assert against.can_happen
    state = play_on(state, "score 1,1 ne", "score 2,1 sw")
    assert (phase(state), state.points) == (Phase.OVER, {"red": 2, "blue": 0})


def test_points_are_numbers_without_an_end():
    """P36: no length of the score track is known, so none is kept."""
    state = dataclasses.replace(play(setup("s", board="1x1")), points={"red": 999, "blue": 0})
    state = play_on(state, "turn s", "take", "lay s 0,0 0", "propose nw small", "score 0,0 nw")
    assert state.points == {"red": 1000, "blue": 0}


# Setting up.


def test_deck_and_table_make_a_setup():
    straight, board = make_card("ns", "light", card_id="s"), Board(1, 2, (), (Space(0, 0),), 45.0)
    counted = dataclasses.replace(straight, count=2)
    pieces = [counted, CardBack("back", "path"), board, counted]
    table = Table(("blue", "red"), "red", rulings={"path_into_wall": False, "supply": "unlimited"})
    made = set_up(pieces, table)
    assert (made.players, made.lead) == (("blue", "red"), "red")
    assert made.pile == (straight, straight)
    assert made.board == Board(1, 2, (), (Space(0, 0),))
    assert parse_setup(format_setup(made)) == made
    assert (made.rulings.path_into_wall, made.rulings.supply) == (False, "unlimited")
    assert (made.rulings.pond_adjacency, made.rulings.same_player_twice) == (False, "once")
    with pytest.raises(RuleViolation, match="board"):
        set_up(pieces[:2], table)
    with pytest.raises(RuleViolation, match="variant"):
        set_up(pieces, dataclasses.replace(table, variant="complex"))
    assert shuffle(initial_state(made), sorted) is None


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("players red blue", "players red", "2 to 4"),
        ("players red blue", "players red blue green yellow red", "2 to 4"),
        ("players red blue", "players red red", "different"),
        ("players red blue", "players red orange", "colours"),
        ("lead red", "lead green", "lead"),
        ("pile s", "pile", "path cards"),
        ("signs 0,0", "signs", "sign"),
        ("entrance ", "entrance 0,0", "sign"),
    ],
)
def test_setup_that_is_none_is_refused(old, new, words):
    text = setup("s")
    assert old in text
    with pytest.raises(RuleViolation, match=words):
        initial_state(parse_setup(text.replace(old, new)))


def test_two_cards_of_one_id_are_refused():
    made = parse_setup(setup("s"))
    other = dataclasses.replace(made.pile[0], paths=frozenset("ew"))
    with pytest.raises(RuleViolation, match="id of its own"):
        initial_state(dataclasses.replace(made, pile=(*made.pile, other)))


# What people are told.


def test_table_is_told_in_words():
    state = play(setup("xss"), "turn x", "take")
    assert describe_state(state)[0] == ("Now", "red lays a card")
    assert ("Drawn", "x\n##|..\n--+--\n..|..") in describe_state(state)
    assert describe_action(state, Lay("x", Space(0, 0), 90)) == (
        "red lays x at row 0, column 0, turned by 90 degrees"
    )
    after = play_on(state, "lay x 0,0 0", "propose nw large")
    assert news(state, after) == (
        "Complete: dark area of 1 quarter from the north-west of row 0, column 0",
    )
    scored = play_on(after, "score 0,0 nw")
    assert news(after, scored) == (
        "Into the dark area of 1 quarter from the north-west of row 0, column 0 move no animals",
        "red gets 0 points",
        "It is blue's turn",
    )


def test_what_comes_to_light_and_what_runs_out_is_told():
    """P28: the table is warned; P32: and told why areas that are open are scored."""
    text = setup("ss", board="1x4", more="supply 0 0 1")
    state = play(text)
    turned = play_on(state, "turn s")
    assert news(state, turned) == ("Turned: s (paths north south; lawns light light light light)",)
    laid_out = play_on(turned, "turn s", "lay s 0,0 0")
    ended = play_on(laid_out, "propose ne small")
    assert news(laid_out, ended) == ("The game has ended; areas in which chips lie are scored",)
    assert news(ended, play_on(ended, "score 0,0 ne")) == (
        "Into the light area of 2 quarters from the north-east of row 0, column 0 move 1 small",
        "red gets 1 point",
        "No small animal is left",
    )


def test_animals_that_move_in_are_told_where_the_supply_has_no_end():
    text = setup("s", board="1x4", more="ruling supply unlimited")
    state = play(text, "turn s", "take", "lay s 0,0 0", "propose ne small")
    told = news(state, play_on(state, "score 0,0 ne"))
    assert told[0].endswith("move 1 small")


# What stays the same in every legal game.


@st.composite
def games(draw):
    rng = draw(st.randoms(use_true_random=False))
    pile = [rng.choice("sndkmtvxy") for _ in range(rng.randint(4, 20))]
    players = draw(st.permutations(COLOURS))[: draw(st.integers(2, 4))]
    text = setup(
        pile,
        board=draw(st.sampled_from(["2x3", "3x3", "3x4", "1x6"])),
        entrance=draw(st.sampled_from(["", "0,1"])),
        signs="0,0 0,2",
        more=f"supply {rng.randint(0, 17)} {rng.randint(0, 15)} {rng.randint(0, 27)}\n"
        f"ruling path_into_wall {rng.choice(['true', 'false'])}\n"
        f"ruling pond_adjacency {rng.choice(['true', 'false'])}\n"
        f"ruling same_player_twice {rng.choice(['once', 'each'])}",
    )
    seats = f"players {' '.join(players)}\nlead {rng.choice(players)}"
    return parse_setup(text.replace("players red blue\nlead red", seats)), rng


@given(games())
@settings(max_examples=60, deadline=None)
def test_what_stays_the_same_in_every_legal_game(game):
    made, rng = game
    state = initial_state(made)
    while (end := outcome(state)) is None:
        check_state(state)
        actions = legal_actions(state)
        chips = [action for action in actions if isinstance(action, Propose)]
        action = rng.choice(chips if chips and rng.random() < 0.7 else actions)
        before, state = state, apply(state, action)
        check_step(before, action, state)
    assert not state.proposals
    best = max(end.scores.values())
    assert end.winners == tuple(p for p in made.players if end.scores[p] == best)


def any_action(state, rng):
    """Returns something that people may do or say, right or wrong, at the right moment mostly."""
    space = Space(rng.randint(0, 3), rng.randint(0, 3))
    card = rng.choice(state.drawn or state.setup.pile).id
    quarter = rng.choice(["nw", "ne", "se", "sw"])
    turned = tuple(card.id for card in state.pile[: rng.randint(1, 2)])
    lay = Lay(card, space, rng.choice([0, 90, 180, 270]))
    due = {
        Phase.PLACING: [lay, lay, lay, LayPond(card, space)],
        Phase.PROPOSING: [Propose(quarter, rng.choice(list(Size)))],
    }
    anything = [
        TurnUp(turned or ("s",)),
        TakeFaceUp(),
        lay,
        NoProposal(),
        ScoreArea(space, quarter),
        *legal_actions(state)[:1],
    ]
    return rng.choice(due.get(phase(state), anything) if rng.random() < 0.9 else anything)


@given(games())
@settings(max_examples=40, deadline=None)
def test_mistakes_are_ruled_upon_or_cannot_happen(game):
    """P1, P7, P17: what lies there all the same breaks a rule that `judge` names; play goes on."""
    made, rng = game
    state = initial_state(made)
    for _ in range(120):
        action = any_action(state, rng)
        against = explain(state, action)
        if against is not None and not against.can_happen:
            with pytest.raises(RuleViolation, match=re.escape(against.reason)):
                apply(state, action)
            continue
        before, state = state, apply(state, action)
        assert parse_state(format_state(state), made) == state
        if isinstance(action, Lay | Propose):
            broken = len(ruling(state).breaches) > len(ruling(before).breaches)
            assert broken is (against is not None)
        if outcome(state) is not None:
            return


def check_state(state):
    """Cards are neither made nor lost; chips are 9 a player; nothing breaks a rule."""
    cards = (*state.pile, *state.drawn, *state.box, *((state.face_up,) if state.face_up else ()))
    face_up = [each.card for each in state.tiles if each.card is not None]
    ponds = len(state.tiles) - len(face_up)
    assert len(cards) + len(state.tiles) == len(state.setup.pile)
    assert not Counter([*cards, *face_up]) - Counter(state.setup.pile)
    assert ponds + len(cards) + len(face_up) == len(state.setup.pile)
    for player in state.setup.players:
        left = [chips_left(state, player, size) for size in Size]
        own = [each for each in state.proposals if each.player == player]
        assert min(left) >= 0
        assert sum(left) + len(own) == 9
    assert min(count_of(state.supply, size) for size in Size) >= 0
    answer = ruling(state)
    assert not answer.breaches
    if phase(state) is Phase.PLACING:
        lays = [action for action in legal_actions(state) if isinstance(action, Lay)]
        assert [(way.card, way.space, way.rotation) for way in answer.placements] == [
            (action.card, action.space, action.rotation) for action in lays
        ]


def check_step(before, action, after):
    gained = {player: after.points[player] - before.points[player] for player in before.points}
    assert min(gained.values()) >= 0
    if not isinstance(action, ScoreArea):
        assert not any(gained.values())
        assert before.supply == after.supply
        return
    areas = ruling(before).areas
    scored = next(each for each in areas if each.proposals and each.points)
    if phase(before) is Phase.FINAL:
        assert {p: n for p, n in gained.items() if n} == {
            p: n for p, n in scored.points.items() if n
        }
    gone = [each for each in before.proposals if each not in after.proposals]
    assert gone
    assert len(before.proposals) - len(after.proposals) == len(gone)


def test_ruling_of_a_state_is_that_of_its_table():
    """The engine and `judge` see the same: breaches, areas, and where cards may go now."""
    face_up = play(setup("xss"), "turn x")
    assert {way.card for way in ruling(face_up).placements} == {"x"}
    drawn = play_on(face_up, "turn s s")
    assert {way.card for way in ruling(drawn).placements} == {"s"}
    state = play(setup("xss"), "turn x", "take", "lay x 0,0 0", "propose nw large")
    answer = ruling(state)
    assert [area.area.is_complete for area in answer.areas] == [True, False, False, False]
    assert answer.areas[0].points == {"red": 0}
    assert state.tiles == (tile(0, 0, state.tiles[0].card),)
    assert Tile(Space(0, 0), state.tiles[0].card) == state.tiles[0]
