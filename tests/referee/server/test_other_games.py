"""Live tables of Panda, Gorilla & Co and of Exploring Galapagos, through the service."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from referee.server.archive import sealed
from tests.referee.server.conftest import BASE
from tests.referee.server.running import RECORDINGS, wait_for
from tests.referee.server.test_rules import problem

PANDA = {
    "game": "panda-gorilla",
    "deck": "panda-gorilla",
    "source": {"recording": "panda.mp4"},
    "players": ["green", "blue"],
    "realtime": False,
}
EXPLORING = {
    "game": "exploring-galapagos",
    "deck": "exploring-galapagos",
    "source": {"recording": "exploring.mp4"},
    "realtime": False,
}


def truth_of(name: str) -> dict:
    return json.loads((RECORDINGS / f"{name}.truth.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def tables(hall) -> dict[str, str]:
    """A table of each game, watched to its end, side by side."""
    opened = {}
    for spec in (PANDA, EXPLORING):
        answer = hall.post(f"{BASE}/tables", json=spec)
        assert answer.status_code == 201, answer.text
        opened[spec["game"]] = answer.headers["location"]
    for table in opened.values():
        wait_for(lambda table=table: hall.get(table).json()["state"] != "open", 300)
        assert hall.get(table).json()["state"] == "ended"
    return opened


@pytest.fixture
def panda(tables) -> str:
    return tables["panda-gorilla"]


@pytest.fixture
def exploring(tables) -> str:
    return tables["exploring-galapagos"]


def test_every_card_and_chip_of_a_board_is_told(hall, panda):
    events = hall.get(f"{panda}/events").json()["events"]
    laid = {(e["row"], e["col"]): e for e in events if e["type"] == "placed"}
    truth = truth_of("panda")
    tiles = truth["position"]["tiles"]
    assert {space: e["card"] for space, e in laid.items()} == {
        (tile["row"], tile["col"]): tile["card"] for tile in tiles
    }
    for turn in truth["placed"]:
        event = laid[turn["row"], turn["col"]]
        assert event["t"] == pytest.approx(turn["t"], abs=0.1)
        assert event.get("chip", {}).get("size") == turn.get("chip", {}).get("size")


def test_the_areas_of_a_live_board_have_animals_and_points(hall, panda):
    areas = hall.get(f"{panda}/areas").json()
    (scored,) = truth_of("panda")["scored"]
    (complete,) = (area for area in areas["areas"] if area["points"])
    assert complete["complete"] is True
    assert complete["animals"] == scored["animals"]
    assert len(complete["packing"]) == sum(scored["animals"].values())
    quarters = [quarter for animal in complete["packing"] for quarter in animal["quarters"]]
    assert {*map(tuple, quarters)} <= {*map(tuple, scored["quarters"])}
    assert areas["points"] == scored["points"]


def test_chips_go_home_after_an_area_is_complete_and_its_score_is_kept_once_c43(hall, panda):
    """Failure C43: the final picture is not enough, and no area is scored twice."""
    truth = truth_of("panda")
    (gone,), (scored,) = truth["taken"], truth["scored"]
    assert gone["t"] > scored["t"]
    told = [e for e in hall.get(f"{panda}/events").json()["events"] if e["type"] == "scored"]
    assert {json.dumps(e["quarters"]) for e in told} == {json.dumps(told[0]["quarters"])}
    assert hall.get(f"{panda}/scores").json()["scores"] == {"green": 0, **scored["points"]}
    again = hall.post(
        f"{BASE}/import", files={"file": ("m.zip", hall.get(f"{panda}/export").content)}
    ).headers["location"]
    for what in ("scores", "areas"):
        assert hall.get(f"{again}/{what}").json() == hall.get(f"{panda}/{what}").json()
    hall.delete(again)


def test_a_corrected_chip_is_scored_anew(hall, panda):
    events = hall.get(f"{panda}/events").json()["events"]
    chip = {"quarter": "se", "player": "green", "size": "small"}
    (seq,) = (
        event["seq"]
        for event in events
        if event["type"] == "placed" and event["row"] == 5 and event["col"] == 4 and "chip" in event
    )
    corrected = hall.post(
        f"{panda}/corrections", json={"seq": seq, "replace": {"chip": chip}, "why": "it was green"}
    )
    assert corrected.status_code == 201, corrected.text
    assert hall.get(f"{panda}/areas").json()["points"] == {"green": 3}
    assert hall.get(f"{panda}/scores").json()["scores"] == {"green": 3, "blue": 0}
    hall.post(
        f"{panda}/corrections", json={"seq": corrected.json()["seq"], "replace": None, "why": ""}
    )
    assert hall.get(f"{panda}/areas").json()["points"] == {"blue": 3}


@pytest.mark.parametrize(
    ("replace", "place"),
    [
        ({"card": "p99"}, "replace.card"),
        ({"row": 99}, "replace.row"),
        ({"rotation": 45}, "replace.rotation"),
        ({"chip": {}}, "replace.chip.quarter"),
        ({"chip": {"quarter": "se", "player": "pink", "size": "small"}}, "replace.chip.player"),
    ],
)
def test_a_card_that_cannot_lie_so_is_refused(hall, panda, replace, place):
    before = hall.get(f"{panda}/areas").json()
    placed = [e for e in hall.get(f"{panda}/events").json()["events"] if e["type"] == "placed"]
    (seq,) = (e["seq"] for e in placed if (e["row"], e["col"]) == (5, 4) and "chip" in e)
    answer = hall.post(f"{panda}/corrections", json={"seq": seq, "replace": replace})
    assert problem(answer, 422)["errors"][0]["place"] == place
    assert hall.get(f"{panda}/areas").json() == before


@pytest.mark.parametrize(
    ("replace", "place"),
    [
        ({"players": [{}]}, "replace.players[0].name"),
        ({"totals": {"bottom": "many"}}, "replace.totals.bottom"),
        ({"winners": [3]}, "replace.winners[0]"),
    ],
)
def test_hands_that_nobody_can_hold_are_refused(hall, exploring, replace, place):
    events = hall.get(f"{exploring}/events").json()["events"]
    seq = next(event["seq"] for event in events if event["type"] == "hands")
    answer = hall.post(f"{exploring}/corrections", json={"seq": seq, "replace": replace})
    assert problem(answer, 422)["errors"][0]["place"] == place
    assert hall.get(f"{exploring}/scores").status_code == 200


def test_the_hands_of_each_round_are_told_with_their_sums(hall, exploring):
    events = hall.get(f"{exploring}/events").json()["events"]
    hands = {e["round"]: e for e in events if e["type"] == "hands"}
    side_of = {seat["name"]: seat["side"] for seat in truth_of("exploring")["seats"]}
    rounds = truth_of("exploring")["rounds"]
    assert sorted(hands) == list(range(1, len(rounds) + 1))
    totals: dict[str, int] = {}
    for number, truth in enumerate(rounds, start=1):
        for player in truth["expect"]["players"]:
            side = side_of[player["name"]]
            (told,) = (each for each in hands[number]["players"] if each["name"] == side)
            for key in ("method", "choice", "base", "own_impact", "shared_impact", "score"):
                assert told[key] == player[key], (number, side, key)
            totals[side] = totals.get(side, 0) + player["score"]
    scores = hall.get(f"{exploring}/scores").json()
    assert scores["scores"] == totals
    assert [entry["round"] for entry in scores["history"]] == sorted(hands)


def test_the_players_that_were_seen_are_those_of_the_table(hall, exploring, panda):
    assert hall.get(exploring).json()["players"] == ["bottom", "right"]
    assert hall.get(panda).json()["players"] == ["green", "blue"]


def with_lines(data: bytes, *bodies: dict) -> bytes:
    """An export with some more lines at its end."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        match = json.loads(old.read("match.json"))
        for body in bodies:
            match["records"].append([len(match["records"]) + 1, "line", body, None])
        new.writestr("match.json", json.dumps(sealed({**match, "evidence": {}})))
    return out.getvalue()


def test_players_sit_where_they_are_said_to_and_have_used_what_they_have(hall, exploring):
    """The first method of `ann` is used up before the recording begins: that round scores 0."""
    plain = next(
        e for e in hall.get(f"{exploring}/events").json()["events"] if e["type"] == "hands"
    )
    first = {player["name"]: player for player in plain["players"]}
    told = {
        "seats": {"ann": "bottom", "bob": "right"},
        "used": {"ann": [first["bottom"]["method"]]},
    }
    answer = hall.post(f"{BASE}/tables", json={**EXPLORING, **told})
    assert answer.status_code == 201, answer.text
    table = answer.headers["location"]
    about = wait_for(lambda: (t := hall.get(table).json())["state"] != "open" and t, 300)
    assert {name: about[name] for name in told} == told
    assert about["players"] == ["ann", "bob"]
    hands = next(e for e in hall.get(f"{table}/events").json()["events"] if e["type"] == "hands")
    ann, bob = hands["players"]
    assert (ann["name"], ann["choice"], ann["score"]) == ("ann", None, 0)
    assert (bob["name"], bob["score"]) == ("bob", first["right"]["score"])
    sent = hall.get(f"{table}/export").content
    again = hall.post(f"{BASE}/import", files={"file": ("m.zip", sent)})
    assert {name: again.json()[name] for name in told} == told
    for each in (table, again.headers["location"]):
        hall.delete(each)


def test_a_card_that_was_moved_on_leaves_no_ghost_c40(hall, panda):
    """Failure C40: what has gone from a board is not part of its areas."""
    laid = {"type": "placed", "t": 11.0, "row": 5, "col": 6, "card": "p19", "rotation": 0}
    laid |= {"dt": 0.017, "quad": [[0, 0], [9, 0], [9, 9], [0, 9]]}
    sent = with_lines(hall.get(f"{panda}/export").content, laid, {**laid, "taken": True})
    again = hall.post(f"{BASE}/import", files={"file": ("m.zip", sent)}).headers["location"]
    assert hall.get(f"{again}/areas").json() == hall.get(f"{panda}/areas").json()
    hall.delete(again)


def test_a_camera_that_was_opened_again_tells_the_board_once_more(hall, panda):
    before = hall.get(f"{panda}/areas").json()
    events = hall.get(f"{panda}/events").json()["events"]
    again = [{**e, "t": e["t"] + 60} for e in events if e["type"] in ("placed", "scored")]
    for line in again:
        del line["seq"]
    sent = with_lines(hall.get(f"{panda}/export").content, *again)
    table = hall.post(f"{BASE}/import", files={"file": ("m.zip", sent)}).headers["location"]
    assert hall.get(f"{table}/areas").json() == before
    scores = hall.get(f"{table}/scores").json()["scores"]
    assert scores == hall.get(f"{panda}/scores").json()["scores"]
    hall.delete(table)


def test_third_round_ends_the_game_though_a_card_of_it_has_no_name(hall, exploring):
    before = hall.get(f"{exploring}/scores").json()
    last = [e for e in hall.get(f"{exploring}/events").json()["events"] if e["type"] == "hands"][-1]
    players = [last["players"][0], {**last["players"][1], "score": None}]
    third = {**last, "t": 90.0, "round": 3, "players": players, "game_over": True}
    third |= {"winners": [players[0]["name"]]}
    del third["seq"]
    sent = with_lines(hall.get(f"{exploring}/export").content, third)
    table = hall.post(f"{BASE}/import", files={"file": ("m.zip", sent)}).headers["location"]
    after = hall.get(f"{table}/scores").json()
    first, second = (player["name"] for player in players)
    more = before["scores"][first] + players[0]["score"]
    assert after["scores"] == {**before["scores"], first: more}
    assert second in after["scores"]
    assert (before["game_over"], before["winners"]) == (False, [])
    assert (after["game_over"], after["winners"]) == (True, [first])
    hall.delete(table)


@pytest.mark.parametrize(
    ("change", "place"), [({"score": 99}, "score"), ({"colour": "red"}, "colour")]
)
def test_points_that_the_cards_do_not_make_are_not_taken_in(hall, exploring, change, place):
    events = hall.get(f"{exploring}/events").json()["events"]
    hands = next(event for event in events if event["type"] == "hands")
    players = [{**hands["players"][0], **change}, *hands["players"][1:]]
    line = {**hands, "players": players, "t": 99.0, "round": 3}
    del line["seq"]
    sent = with_lines(hall.get(f"{exploring}/export").content, line)
    answer = hall.post(f"{BASE}/import", files={"file": ("m.zip", sent)})
    assert problem(answer, 422)["errors"][0]["place"].endswith(f"players[0].{place}")


def test_a_recording_of_another_game_is_told_as_such(hall):
    wrong = {
        "game": "exploring-galapagos",
        "deck": "exploring-galapagos",
        "source": {"recording": "tiny.mp4"},
        "realtime": False,
    }
    table = hall.post(f"{BASE}/tables", json=wrong).headers["location"]
    wait_for(lambda: hall.get(table).json()["state"] != "open", 300)
    told = hall.get(table).json()
    assert told["state"] == "failed"
    assert "no cards seen" in told["reason"]
    hall.delete(table)
