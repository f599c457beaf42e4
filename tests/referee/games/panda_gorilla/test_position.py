"""Questions and answers as the contract spells them, and questions that must be refused."""

import copy
import re
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import FormatError, PositionError
from referee.games.panda_gorilla import position
from referee.games.panda_gorilla.cards import read_card
from referee.judge import judge

LIGHT = {"nw": "light", "ne": "light", "se": "light", "sw": "light"}
DARK = dict.fromkeys(LIGHT, "dark")
ANSWER_KEYS = {"areas", "illegal", "placements", "points"}


def question(**changes):
    """Returns a plain question with some keys changed; a key set to None is left out."""
    plain = {
        "game": "panda-gorilla",
        "cards": [
            {"id": "s", "kind": "path", "paths": ["n", "s"], "quarters": LIGHT},
            {"id": "n", "kind": "path", "paths": ["n", "s"], "quarters": DARK, "count": 3},
            {"id": "back-path", "kind": "back", "of": "path"},
        ],
        "board": {"rows": 2, "cols": 3, "entrance": [[1, 2]], "signs": [[0, 0]]},
        "tiles": [
            {"row": 0, "col": 0, "card": "s", "rotation": 90},
            {"row": 0, "col": 1, "card": "s", "rotation": 270},
            {"row": 1, "col": 1, "pond": True},
        ],
        "chips": [{"row": 0, "col": 1, "quarter": "ne", "player": "red", "size": "small"}],
        "final": True,
        "supply": {"large": 17, "medium": 15, "small": 27},
        "offer": ["s"],
        "rulings": {},
    }
    return {key: value for key, value in {**plain, **changes}.items() if value is not None}


def test_question_is_answered():
    asked = question()
    before = copy.deepcopy(asked)
    nothing = {"large": 0, "medium": 0, "small": 0}
    upper = [[0, 0, "nw"], [0, 0, "ne"], [0, 1, "nw"], [0, 1, "ne"]]
    lower = [[0, 0, "sw"], [0, 0, "se"], [0, 1, "sw"], [0, 1, "se"]]
    assert judge(asked) == {
        "areas": [
            {
                "quarters": upper,
                "colour": "light",
                "complete": False,
                "chips": [{"row": 0, "col": 1, "quarter": "ne", "player": "red", "size": "small"}],
                "animals": {"large": 0, "medium": 0, "small": 2},
                "packing": [
                    {"size": "small", "quarters": upper[:2]},
                    {"size": "small", "quarters": upper[2:]},
                ],
                "points": {"red": 2},
            },
            {
                "quarters": lower,
                "colour": "light",
                "complete": False,
                "chips": [],
                "animals": nothing,
                "packing": [],
                "points": {},
            },
        ],
        "illegal": [],
        "placements": [
            {"card": "s", "row": 0, "col": 2, "rotation": 90},
            {"card": "s", "row": 0, "col": 2, "rotation": 270},
            {"card": "s", "row": 1, "col": 0, "rotation": 90},
            {"card": "s", "row": 1, "col": 0, "rotation": 270},
            {"card": "s", "row": 1, "col": 1, "rotation": 90},
            {"card": "s", "row": 1, "col": 1, "rotation": 270},
        ],
        "points": {"red": 2},
    }
    assert asked == before, "the question was changed"


def test_what_breaks_a_rule_is_answered():
    tiles = [
        {"row": 0, "col": 1, "card": "s", "rotation": 0},
        {"row": 0, "col": 2, "card": "n", "rotation": 90},
        {"row": 0, "col": 2, "pond": True},
    ]
    chips = [
        {"row": 0, "col": 1, "quarter": "ne", "player": "red", "size": "small"},
        {"row": 0, "col": 1, "quarter": "se", "player": "red", "size": "small"},
    ]
    answer = judge(question(tiles=tiles, chips=chips))
    assert [(each["row"], each["col"], each["rule"]) for each in answer["illegal"]] == [
        (0, 1, "sign"),
        (0, 1, "chip-size"),
        (0, 1, "chip-colour"),
        (0, 2, "path"),
        (0, 2, "colour"),
        (0, 2, "occupied"),
    ]
    assert answer["illegal"][0]["reason"] == (
        'the first card goes on a space with a sign (rulebook, Action "Card")'
    )
    assert answer["illegal"][1]["reason"] == (
        'red\'s small chip lies in the area already (rulebook, Action "Proposal")'
    )
    assert len(answer["areas"]) == 4


def test_what_may_be_left_out_has_its_default():
    short = question(chips=None, final=None, supply=None, offer=None, rulings=None)
    full = question(chips=[], final=False, offer=[])
    assert judge(short) == judge(full)
    assert judge(short)["placements"] == []
    assert judge(question(final=None))["areas"][0]["points"] == {}


def test_supply_and_rulings_are_heard():
    few = {"large": 0, "medium": 0, "small": 1}
    assert judge(question(supply=few))["points"] == {"red": 1}
    unlimited = question(supply=few, rulings={"supply": "unlimited"})
    assert judge(unlimited)["points"] == {"red": 2}
    placed = judge(question(rulings={"path_into_wall": False}))
    assert {rule["rule"] for rule in placed["illegal"]} == {"path"}
    board = {**question()["board"], "entrance": []}
    tiles = [question()["tiles"][0], {"row": 1, "col": 2, "pond": True}]
    for is_beside, spaces in ((False, {(0, 1), (1, 0)}), (True, {(0, 1), (0, 2), (1, 0), (1, 1)})):
        rulings = {"pond_adjacency": is_beside}
        answer = judge(question(board=board, tiles=tiles, chips=[], rulings=rulings))
        assert {(way["row"], way["col"]) for way in answer["placements"]} == spaces
    twice = [
        {"row": 0, "col": col, "quarter": "ne", "player": "red", "size": "small"} for col in (0, 1)
    ]
    assert judge(question(chips=twice))["points"] == {"red": 2}
    each = question(chips=twice, rulings={"same_player_twice": "each"})
    assert judge(each)["points"] == {"red": 4}


def test_board_of_a_pack_may_be_asked_about():
    board = {**question()["board"], "space_mm": 45, "image": "b.png", "corners_px": [[0, 0]] * 4}
    assert judge(question(board=board)) == judge(question())


def test_deck_gives_the_cards_if_the_question_has_none():
    cards = [read_card(card, "card") for card in question()["cards"]]
    asked = question(cards=None)
    assert position.judge(asked, cards) == judge(question())
    with pytest.raises(FormatError, match="path card"):
        position.judge({**asked, "offer": ["back-path"]}, cards)


def changed(path, value):
    """Returns the question with one value changed, or with a key more."""
    asked = copy.deepcopy(question())
    *outer, last = path
    inner = asked
    for key in outer:
        inner = inner[key]
    inner[last] = value
    return asked


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (changed(["colour_blind"], True), ["colour_blind"]),
        (question(tiles=None), ["tiles", "this key"]),
        (question(board=None), ["board"]),
        (question(cards=None), ["cards", "deck"]),
        (changed(["tiles", 0, "card"], "p99"), ["tiles[0].card", "p99"]),
        (changed(["tiles", 0, "card"], "back-path"), ["tiles[0].card", "path card", "back-path"]),
        (changed(["tiles", 0, "row"], 99), ["tiles[0].row", "from 0 to 1", "99"]),
        (changed(["tiles", 0, "col"], -1), ["tiles[0].col", "from 0 to 2", "-1"]),
        (changed(["tiles", 0, "row"], "0"), ["tiles[0].row", "'0'"]),
        (changed(["tiles", 0, "rotation"], 45), ["tiles[0].rotation", "0, 90, 180 or 270", "45"]),
        (changed(["tiles", 0, "rotation"], False), ["tiles[0].rotation", "false"]),
        (changed(["tiles", 0], {"row": 0, "col": 0, "card": "s"}), ["tiles[0].rotation"]),
        (changed(["tiles", 0], 7), ["tiles[0]", "object", "7"]),
        (changed(["tiles", 2, "pond"], False), ["tiles[2].pond", "true"]),
        (changed(["tiles", 2, "card"], "s"), ["tiles[2].card", "unknown"]),
        (changed(["tiles"], {}), ["tiles", "a list"]),
        (changed(["chips", 0, "col"], 2), ["chips[0]", "face-up card", "column 2"]),
        (changed(["chips", 0, "row"], 1), ["chips[0]", "face-up card", "row 1"]),
        (changed(["chips", 0, "row"], 2), ["chips[0].row", "from 0 to 1"]),
        (changed(["chips", 0, "quarter"], "n"), ["chips[0].quarter", "nw", "'n'"]),
        (changed(["chips", 0, "player"], "purple"), ["chips[0].player", "purple"]),
        (changed(["chips", 0, "size"], "huge"), ["chips[0].size", "huge"]),
        (changed(["supply", "small"], -1), ["supply.small", "at least 0", "-1"]),
        (changed(["supply", "huge"], 1), ["supply.huge"]),
        (changed(["supply"], {"large": 1}), ["supply.medium"]),
        (changed(["offer", 0], "p99"), ["offer[0]", "p99"]),
        (changed(["offer", 0], 1), ["offer[0]", "1"]),
        (changed(["final"], "yes"), ["final", "true or false"]),
        (changed(["rulings"], {"luck": 1}), ["rulings.luck"]),
        (changed(["rulings"], {"supply": "endless"}), ["rulings.supply", "unlimited"]),
        (changed(["board", "rows"], 0), ["board.rows", "at least 1"]),
        (changed(["board", "signs"], [[5, 0]]), ["board.signs[0]", "from 0 to 1"]),
        (changed(["cards", 1, "id"], "s"), ["cards[1].id", "s again"]),
        (changed(["cards", 0, "paths"], ["up"]), ["cards[0].paths[0]", "up"]),
        (
            changed(["cards", 0, "quarters"], {**LIGHT, "se": "dark"}),
            ["cards[0].quarters", "ne and se are one lawn of two colours"],
        ),
    ],
)
def test_question_that_breaks_the_format_is_refused(asked, words):
    with pytest.raises(PositionError) as error:
        judge(asked)
    assert all(word in str(error.value) for word in words), str(error.value)
    assert re.fullmatch(r"[^:]+: expected .+, got .+", str(error.value))


def test_chip_on_a_card_that_lies_on_the_entrance_is_refused():
    tiles = [*question()["tiles"], {"row": 1, "col": 2, "card": "s", "rotation": 0}]
    chips = [{"row": 1, "col": 2, "quarter": "ne", "player": "red", "size": "small"}]
    with pytest.raises(PositionError, match="face-up card"):
        judge(question(tiles=tiles, chips=chips))
    assert judge(question(tiles=tiles))["illegal"][0]["rule"] == "occupied"


junk = (
    st.none() | st.booleans() | st.integers(-2, 3) | st.text(max_size=2) | st.just([]) | st.just({})
)


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_junk_is_answered_or_refused(data):
    """Whatever stands in a question, it is answered whole or refused with a sentence."""
    asked = copy.deepcopy(question())
    inner, path = asked, []
    while isinstance(inner, dict | list) and inner:
        keys = sorted(inner) if isinstance(inner, dict) else range(len(inner))
        path.append((inner, data.draw(st.sampled_from(keys))))
        inner = inner[path[-1][1]]
        if data.draw(st.booleans()):
            break
    holder, key = path[-1]
    holder[key] = data.draw(junk)
    with suppress(PositionError):
        assert judge(asked).keys() == ANSWER_KEYS
