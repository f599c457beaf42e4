"""Questions about a round: positions as a table in a file, and inputs that must be refused.

Each position of `tests/data/positions/exploring_galapagos` names in its note the reading it shows:
E1 to E13 and E22; those of a whole game are shown by `test_rules.py`.
"""

import copy
import json
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import PositionError
from referee.judge import judge
from tests.referee.deck_packs import Pack

POSITIONS = Path(__file__).parents[3] / "data" / "positions" / "exploring_galapagos"
CARDS = json.loads((POSITIONS / "cards.json").read_text(encoding="utf-8"))
CASES = json.loads((POSITIONS / "rounds.json").read_text(encoding="utf-8"))
ANSWER_KEYS = {
    "name", "method", "choice", "base", "own_impact", "shared_impact", "impact", "score", "reason",
}  # fmt: skip


def player(**changes):
    plain = {"name": "ann", "hand": ["h16", "h11"], "locked": "h05", "used": []}
    return {key: value for key, value in {**plain, **changes}.items() if value != "left out"}


def position(**changes):
    """Returns a plain question with some keys changed; a key set to None is left out."""
    plain = {
        "game": "exploring-galapagos",
        "cards": copy.deepcopy(CARDS),
        "players": [player()],
        "shared": ["h02", "h08", "h14"],
    }
    return {key: value for key, value in {**plain, **changes}.items() if value is not None}


@pytest.mark.parametrize("case", CASES, ids=[case["note"] for case in CASES])
def test_position_is_answered(case):
    question = {**case["position"], "cards": CARDS}
    before = copy.deepcopy(question)
    answer = judge(question)
    assert answer.keys() == {"players"}
    assert all(each.keys() == ANSWER_KEYS for each in answer["players"])
    got = [{k: v for k, v in each.items() if k != "reason"} for each in answer["players"]]
    assert got == case["expect"]
    assert question == before, "the question was changed"


def test_notes_name_each_reading_of_a_round():
    named = {int(n) for case in CASES for n in re.findall(r"\bE(\d+)", case["note"])}
    assert named >= {*range(1, 14), 22}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, "time locked in: 9 day animals; 4 impact icons, even: minus 2 own"),
        (
            {"players": [player(hand=["h16", "h11", "h05"], locked=None)]},
            "color most often in the shared hand: 4 gray-bird animals; "
            "4 impact icons, even: minus 2 own",
        ),
        ({"players": [player(used=["time"])]}, "time was used in an earlier round"),
        (
            {"players": [player(used=["time"])], "rulings": {"impact_on_zero": True}},
            "time was used in an earlier round; 4 impact icons, even: minus 2 own; not below 0",
        ),
        (
            {"players": [player(locked=None)], "shared": ["h10", "h03", "h15"]},
            "the shared hand shows all three methods",
        ),
        (
            {"players": [player(locked="h14", hand=[])], "shared": ["h03"]},
            "zone locked in: 2 land animals; no impact icon on own cards",
        ),
        (
            {"players": [player(locked="h17", hand=[])], "shared": ["h03"]},
            "time locked in: 1 morning animal; 3 impact icons, odd: plus 2 own",
        ),
    ],
)
def test_reason_tells_a_player_why(changes, reason):
    assert judge(position(**changes))["players"][0]["reason"] == reason


BROKEN = [
    # changes to the plain question, words that the message must hold
    ({"players": None}, ["players"]),
    ({"players": {}}, ["players", "list"]),
    ({"players": []}, ["players", "1 to 5"]),
    ({"players": [player(name=n, hand=[], locked=None) for n in "abcdef"]}, ["players", "6"]),
    ({"players": ["ann"]}, ["players[0]", "ann"]),
    ({"players": [player(name=7)]}, ["players[0].name", "7"]),
    ({"players": [player(name="left out")]}, ["players[0].name"]),
    ({"players": [player(hand=["h16"]), player(hand=["h11"])]}, ["players[1].name", "ann"]),
    ({"players": [player(hand="left out")]}, ["players[0].hand"]),
    ({"players": [player(hand="h16")]}, ["players[0].hand", "list"]),
    ({"players": [player(hand=["h16", "h99"])]}, ["players[0].hand[1]", "h99"]),
    ({"players": [player(hand=[["h16"]])]}, ["players[0].hand[0]"]),
    ({"players": [player(hand=["h16", "h16"])]}, ["players[0].hand[1]", "h16"]),
    ({"players": [player(hand=["h16", "h05"])]}, ["players[0].locked", "h05", "players[0].hand"]),
    ({"players": [player(hand=["h02"])]}, ["players[0].hand", "h02", "shared"]),
    ({"players": [player(hand=["h16", "h11", "h01", "h03"])]}, ["players[0].hand", "at most 3"]),
    ({"players": [player(locked="left out")]}, ["players[0].locked"]),
    ({"players": [player(locked="h99")]}, ["players[0].locked", "h99"]),
    ({"players": [player(locked=["h05"])]}, ["players[0].locked"]),
    ({"players": [player(locked="back")]}, ["players[0].locked", "Habitat", "back"]),
    ({"players": [player(used="left out")]}, ["players[0].used"]),
    ({"players": [player(used=["luck"])]}, ["players[0].used[0]", "time, color or zone", "luck"]),
    ({"players": [player(used="time")]}, ["players[0].used", "list"]),
    ({"players": [player(colour="red")]}, ["players[0].colour"]),
    ({"players": [player(locked=None)], "shared": ["h02"]}, ["players[0]", "ann", "3", "1"]),
    ({"shared": None}, ["shared"]),
    ({"shared": ["h99"]}, ["shared[0]", "h99"]),
    ({"shared": ["h02", "h02"]}, ["shared[1]", "h02"]),
    ({"shared": ["h01", "h02", "h03", "h04"]}, ["shared", "at most 3"]),
    ({"shared": "h02"}, ["shared", "list"]),
    ({"rulings": {"impact": True}}, ["rulings.impact", "impact_on_zero"]),
    ({"rulings": {"impact_on_zero": "yes"}}, ["rulings.impact_on_zero", "yes"]),
    ({"lead": "ann"}, ["lead"]),
    ({"cards": None}, ["cards", "deck"]),
    ({"cards": [*CARDS, CARDS[0]]}, [f"cards[{len(CARDS)}].id", "h01"]),
    ({"cards": [{"id": "h01", "kind": "animal"}]}, ["cards[0].kind", "animal"]),
    ({"cards": [{**CARDS[0], "method": "luck"}]}, ["cards[0].method", "luck"]),
    ({"cards": [{**CARDS[0], "value": 0}]}, ["cards[0].value", "0"]),
    ({"cards": [{**CARDS[0], "impact": 3}]}, ["cards[0].impact", "3"]),
    ({"cards": [{**CARDS[0], "time": "noon"}]}, ["cards[0].time", "noon"]),
    (
        {"cards": [{**CARDS[0], "animals": [{"color": "pink", "zone": "sea"}]}]},
        ["cards[0].animals[0].color", "pink"],
    ),
]


@pytest.mark.parametrize(("changes", "words"), BROKEN, ids=[str(words) for _, words in BROKEN])
def test_broken_question_is_refused_with_its_place(changes, words):
    question = position(**changes)
    if "back" in words:
        question["cards"].append({"id": "back", "kind": "back", "of": "habitat"})
    with pytest.raises(PositionError) as caught:
        judge(question)
    message = str(caught.value)
    assert all(word in message for word in words), message
    assert "\n" not in message
    assert len(message) < 300


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def places(value, path=()):
    """Yields the path of every value in an object of JSON."""
    yield path
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*path, key))


@given(st.data(), JUNK)
@settings(max_examples=200, deadline=None)
def test_junk_anywhere_is_answered_or_refused(data, junk):
    question = position(rulings={"impact_on_zero": True})
    assert judge(question)["players"][0]["score"] == 7
    *way, last = data.draw(st.sampled_from([path for path in places(question) if path]))
    inner = question
    for key in way:
        inner = inner[key]
    inner[last] = junk
    with suppress(PositionError):
        assert judge(question).keys() == {"players"}


def test_rulings_may_be_left_out():
    repeat = [player(used=["time"])]
    assert judge(position(players=repeat)) == judge(
        position(players=repeat, rulings={"impact_on_zero": False})
    )


def test_deck_gives_the_cards(tmp_path):
    deck = Pack(tmp_path).load("exploring-galapagos")
    question = position(cards=None, players=[player(hand=[], locked="h1")], shared=[])
    assert judge(question, deck)["players"][0]["choice"] == "sky"
    with pytest.raises(PositionError, match=r"players\[0\].locked"):
        judge(position(cards=None, players=[player(hand=[], locked="back")], shared=[]), deck)
