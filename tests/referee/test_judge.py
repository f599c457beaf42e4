"""Questions to the rule engines: positions as tables in files, and inputs that must be refused.

Each position of `tests/data/positions/galapa_go` names in its note the reading it shows: those of
one round are G1 to G20, G22 and G24 to G35. Of the rest G21 and G23 (an empty Task deck) are shown
by `galapa_go/test_rules.py`, and G36 (who leads first is the players' to say) by the required
`lead` below.
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
from referee.games.catalog import GAMES
from referee.judge import judge
from tests.referee.deck_packs import Pack

POSITIONS = Path(__file__).parents[1] / "data" / "positions" / "galapa_go"
CARDS = json.loads((POSITIONS / "cards.json").read_text(encoding="utf-8"))
ANSWER_KEYS = {
    "matching", "ended_by", "claims", "won", "box", "layout", "lead", "redeal", "game_over",
    "winners",
}  # fmt: skip


def read_cases():
    cases = []
    for path in sorted(POSITIONS.glob("*.json")):
        if path.name != "cards.json":
            for case in json.loads(path.read_text(encoding="utf-8")):
                cases.append(pytest.param(case["position"], case["expect"], id=case["note"]))
    return cases


def position(**changes):
    """Returns a plain question with some keys changed; a key set to None is left out."""
    plain = {
        "game": "galapa-go",
        "cards": copy.deepcopy(CARDS),
        "players": ["red", "blue", "green"],
        "lead": "red",
        "layout": ["a1", "a2", "a3", "a9"],
        "deck_left": 15,
        "tasks": ["lion"],
        "won": {"blue": ["w1"]},
        "box": ["w2"],
        "actions": [{"t": 1.5, "player": "red", "do": "cover", "card": "a1"}],
    }
    return {key: value for key, value in {**plain, **changes}.items() if value is not None}


@pytest.fixture
def pack(tmp_path):
    return Pack(tmp_path)


@pytest.mark.parametrize(("question", "expected"), read_cases())
def test_position_is_answered(question, expected):
    before = copy.deepcopy(question)
    answer = judge({**question, "cards": CARDS})

    assert answer.keys() == ANSWER_KEYS
    for key, value in expected.items():
        if key == "claims":
            got = [{k: claim[k] for k in ("player", "card", "verdict")} for claim in answer[key]]
            assert got == value
        else:
            assert answer[key] == value, key
    assert [claim["order"] for claim in answer["claims"]] == [*range(1, len(answer["claims"]) + 1)]
    assert question == before, "the question was changed"


def test_animals_that_a_card_brings_can_be_named_and_those_of_the_game():
    quagga = {"id": "z", "kind": "task", "require": ["quagga"]}
    guess = {"t": 1, "player": "blue", "do": "guess", "animals": ["quagga", "gorilla"]}
    answer = judge(position(cards=[*CARDS, quagga], actions=[guess]))
    assert answer["claims"] == []
    with pytest.raises(PositionError, match="quagga"):
        judge(position(actions=[guess]))


def test_notes_name_each_reading_of_a_round():
    notes = " ".join(str(case.id) for case in read_cases())
    named = {int(number) for number in re.findall(r"\bG(\d+)", notes)}
    assert named >= set(range(1, 36)) - {21, 23}


@pytest.mark.parametrize("variant", [None, "normal"])
def test_variant_and_rulings_may_be_left_out(variant):
    assert judge(position(variant=variant)) == judge(position(variant="normal", rulings={}))


def test_claim_is_answered_with_its_time_and_a_reason():
    answer = judge(position())
    assert answer["claims"] == [
        {
            "player": "red",
            "card": "a1",
            "order": 1,
            "t": 1.5,
            "verdict": "correct",
            "reason": "matches every feature asked for",
        }
    ]


def test_reason_of_a_right_claim_names_what_the_special_task_asks_for():
    for special, card, words in [
        ("most", "a1", "shows the animal seen most often"),
        ("least", "a9", "shows the animal seen least often"),
        ("any-normal", "a1", "shows a normal animal"),
        ("any-unusual", "a3", "shows an unusual animal"),
    ]:
        answer = judge(position(tasks=[special], actions=cover(card=card)))
        assert [claim["reason"] for claim in answer["claims"]] == [words]


def test_reason_of_a_claim_that_the_house_judges_late_says_so():
    late = {"t": 9, "player": "blue", "do": "cover", "card": "a9"}
    answer = judge(
        position(
            tasks=["most"],
            actions=[*cover(), late],
            rulings={"late_claims": "judged"},
        )
    )
    assert [claim["reason"] for claim in answer["claims"]] == [
        "shows the animal seen most often",
        "does not match: not the animal seen most often; "
        "placed after the round had ended, which the house judges",
    ]


def test_reason_of_a_wrong_claim_names_what_is_wrong():
    answer = judge(
        position(
            tasks=["lion-no-blue"],
            actions=[
                {"t": 1, "player": "red", "do": "cover", "card": "a3"},
                {"t": 2, "player": "blue", "do": "cover", "card": "a9"},
            ],
        )
    )
    assert [claim["reason"] for claim in answer["claims"]] == [
        "does not match: shows blue-crab",
        "does not match: no lion",
    ]


def cover(**changes):
    action = {"t": 1.5, "player": "red", "do": "cover", "card": "a1"}
    merged = {**action, **changes}
    return [{key: value for key, value in merged.items() if value is not None}]


BROKEN = [
    # changes to the plain question, words that the message must hold
    ({"game": None}, ["game"]),
    ({"game": "chess"}, ["game", "galapa-go", "chess"]),
    ({"game": ["galapa-go"]}, ["game"]),
    ({"players": None}, ["players"]),
    ({"players": "red"}, ["players", "list"]),
    ({"players": []}, ["players", "2"]),
    ({"players": ["red"]}, ["players", "2"]),
    ({"players": ["red", "blue", "red"]}, ["players[2]", "red"]),
    ({"players": ["red", "pink"]}, ["players[1]", "pink"]),
    ({"players": ["red", 7]}, ["players[1]", "7"]),
    ({"lead": None}, ["lead"]),
    ({"lead": "yellow"}, ["lead", "yellow"]),
    ({"variant": "hard"}, ["variant", "complex", "hard"]),
    ({"layout": None}, ["layout"]),
    ({"layout": ["a1", "a99"]}, ["layout[1]", "a99"]),
    ({"layout": ["a1", "a1"]}, ["layout[1]", "a1"]),
    ({"layout": ["a1", "lion"]}, ["layout[1]", "Animal", "lion"]),
    ({"layout": ["a1", "w1"]}, ["w1", "layout", "blue"]),
    ({"layout": [["a1"]]}, ["layout[0]"]),
    ({"deck_left": None}, ["deck_left"]),
    ({"deck_left": -1}, ["deck_left", "-1"]),
    ({"deck_left": 1.5}, ["deck_left", "1.5"]),
    ({"deck_left": True}, ["deck_left"]),
    ({"tasks": None}, ["tasks"]),
    ({"tasks": []}, ["tasks", "one"]),
    ({"tasks": ["lion", "no-lion"]}, ["tasks", "one"]),
    ({"tasks": ["lion"], "variant": "complex"}, ["tasks", "2"]),
    ({"tasks": ["lion", "lion"], "variant": "complex"}, ["tasks[1]", "lion"]),
    ({"tasks": ["lion", "most"], "variant": "complex"}, ["tasks[1]", "Special"]),
    ({"tasks": ["a1"]}, ["tasks[0]", "a1"]),
    ({"tasks": ["t99"]}, ["tasks[0]", "t99"]),
    ({"won": None}, ["won"]),
    ({"won": []}, ["won"]),
    ({"won": {"pink": []}}, ["won.pink"]),
    ({"won": {"red": ["w9"]}}, ["won.red[0]", "w9"]),
    ({"won": {"red": ["w1"], "blue": ["w1"]}}, ["won.blue", "w1", "won.red"]),
    ({"box": None}, ["box"]),
    ({"box": ["x"]}, ["box[0]", "x"]),
    ({"box": ["w1"]}, ["w1"]),
    ({"actions": None}, ["actions"]),
    ({"actions": {}}, ["actions", "list"]),
    ({"actions": [5]}, ["actions[0]"]),
    ({"actions": cover(do=None)}, ["actions[0].do"]),
    ({"actions": cover(do="dance")}, ["actions[0].do", "dance", "cover"]),
    ({"actions": cover(card=None)}, ["actions[0].card"]),
    ({"actions": cover(card="a7")}, ["actions[0].card", "a7", "layout"]),
    ({"actions": cover(player="yellow")}, ["actions[0].player", "yellow"]),
    ({"actions": cover(player=None)}, ["actions[0].player"]),
    ({"actions": cover(t=None)}, ["actions[0].t"]),
    ({"actions": cover(t="1")}, ["actions[0].t"]),
    ({"actions": cover(t=float("nan"))}, ["actions[0].t"]),
    ({"actions": cover(t=-0.5)}, ["actions[0].t"]),
    ({"actions": cover(t=True)}, ["actions[0].t"]),
    ({"actions": [*cover(t=2), *cover(t=1.5)]}, ["actions[1].t", "1.5", "2"]),
    ({"actions": cover(colour="red")}, ["actions[0].colour"]),
    ({"actions": cover(do="withdraw")}, ["actions[0].card"]),
    ({"actions": cover(do="guess", card=None)}, ["actions[0].animals"]),
    ({"actions": cover(do="guess", card=None, animals="lion")}, ["actions[0].animals"]),
    ({"actions": cover(do="guess", card="a9", animals=["lion"])}, ["actions[0].card", "lion"]),
    (
        {"actions": cover(do="guess", card=None, animals=["lion", "unicorn"])},
        [
            "actions[0].animals[1]",
            "crocodile, elephant, giraffe, lion, gorilla or zebra",
            "unicorn",
        ],
    ),
    ({"actions": cover(do="guess", card=None, animals=["red-crab"])}, ["actions[0].animals[0]"]),
    ({"actions": cover(do="give-up", card="w1")}, ["actions[0].card", "red", "w1"]),
    ({"rulings": {"late": "void"}}, ["rulings.late", "late_claims"]),
    ({"rulings": {"late_claims": "maybe"}}, ["rulings.late_claims", "judged", "maybe"]),
    ({"rulings": {"late_claims": True}}, ["rulings.late_claims"]),
    ({"rulings": []}, ["rulings"]),
    ({"colour_blind": True}, ["colour_blind"]),
    ({"cards": None}, ["cards", "deck"]),
    ({"cards": {}}, ["cards", "list"]),
    ({"cards": [*CARDS, CARDS[0]]}, [f"cards[{len(CARDS)}].id", "a1"]),
    ({"cards": [{"id": "a1"}]}, ["cards[0].kind"]),
    ({"cards": [{"id": "a1", "kind": "habitat"}]}, ["cards[0].kind", "habitat"]),
    ({"cards": [{"id": "a1", "kind": "animal"}]}, ["cards[0].animals"]),
    ({"cards": [{"id": "a1", "kind": "animal", "animals": []}]}, ["cards[0].animals"]),
    (
        {"cards": [{"id": "a1", "kind": "animal", "animals": [{"head": "lion"}]}]},
        ["cards[0].animals[0].body"],
    ),
    (
        {"cards": [{"id": "t", "kind": "task", "requires": ["lion"]}]},
        ["cards[0].requires", "require"],
    ),
    ({"cards": [{"id": "s", "kind": "special", "special": "luck"}]}, ["cards[0].special", "luck"]),
    ({"cards": [{"id": 7, "kind": "task"}]}, ["cards[0].id", "7"]),
]


@pytest.mark.parametrize(("changes", "words"), BROKEN, ids=[str(words) for _, words in BROKEN])
def test_broken_question_is_refused_with_its_place(changes, words):
    with pytest.raises(PositionError) as caught:
        judge(position(**changes))
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
    items = value.items() if isinstance(value, dict) else enumerate(value)
    if isinstance(value, dict | list):
        for key, item in items:
            if isinstance(item, dict | list):
                yield from places(item, (*path, key))
            else:
                yield (*path, key)


@given(st.data(), JUNK)
@settings(max_examples=200, deadline=None)
def test_junk_anywhere_is_answered_or_refused(data, junk):
    used = ("a1", "a2", "a3", "a9", "w1", "w2", "lion")
    question = position(cards=[copy.deepcopy(card) for card in CARDS if card["id"] in used])
    assert judge(question)["matching"] == ["a1", "a2", "a3"]
    *way, last = data.draw(st.sampled_from([path for path in places(question) if path]))
    inner = question
    for key in way:
        inner = inner[key]
    inner[last] = junk
    with suppress(PositionError):
        assert judge(question).keys() == ANSWER_KEYS


@pytest.mark.parametrize("question", [None, [], "galapa-go", 3])
def test_question_that_is_no_object_is_refused(question):
    with pytest.raises(PositionError, match="position"):
        judge(question)


@pytest.mark.parametrize("game", GAMES)
def test_unknown_key_of_any_game_is_named(game):
    with pytest.raises(PositionError, match="nonsense"):
        judge({"game": game, "nonsense": 1})


def test_own_cards_go_before_those_of_a_deck(pack):
    deck = pack.load()
    assert judge(position(), deck) == judge(position())


def test_deck_of_another_game_is_refused(pack):
    other = pack.load("exploring-galapagos")
    with pytest.raises(PositionError, match="exploring-galapagos"):
        judge(position(cards=None), other)


def test_deck_gives_the_cards(pack):
    answer = judge(
        position(cards=None, layout=["a1", "a2"], tasks=["t1"], won={}, box=[], actions=[]),
        pack.load(),
    )
    assert answer["matching"] == ["a1"]
