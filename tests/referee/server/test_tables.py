"""Tables over HTTP: opened, watched to the end, asked, told, corrected, taken along."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator

import av
import pytest

from referee.server.app import create_app
from referee.server.archive import sealed
from referee.server.settings import Limits, Settings
from tests.referee.server.conftest import BASE, TestClient
from tests.referee.server.running import RECORDINGS, TINY, wait_for
from tests.referee.server.test_rules import problem


@pytest.fixture(scope="module")
def watched(hall) -> bytes:
    """A match that was watched to its end, as one file."""
    answer = hall.post(f"{BASE}/tables", json=TINY)
    assert answer.status_code == 201, answer.text
    table = answer.headers["location"]
    wait_for(lambda: hall.get(table).json()["state"] != "open")
    return hall.get(f"{table}/export").content


@pytest.fixture
def table(hall, watched) -> Iterator[str]:
    """A table of its own with that match."""
    answer = hall.post(f"{BASE}/import", files={"file": ("match.zip", watched)})
    assert answer.status_code == 201, answer.text
    yield answer.headers["location"]
    hall.delete(answer.headers["location"])


def types(events: list[dict]) -> list[str]:
    return [event["type"] for event in events]


def events_of(hall, table, after=0):
    return hall.get(f"{table}/events", params={"after": after}).json()


def claim_of(hall, table):
    (claim,) = hall.get(f"{table}/claims").json()["claims"]
    return claim


def test_no_table_is_there_at_first(client):
    assert client.get(f"{BASE}/tables").json() == {"tables": []}


def test_a_recording_is_watched_to_its_end(hall, table):
    about = hall.get(table).json()
    assert (about["state"], about["reason"], about["round"]) == ("ended", "", 1)
    assert about["source"] == {"recording": "tiny.mp4"}
    listed = events_of(hall, table)
    assert types(listed["events"]) == ["layout", "task", "claim", "round"]
    numbers = [event["seq"] for event in listed["events"]]
    assert numbers == sorted(set(numbers))
    assert listed["last_seq"] == about["last_seq"]
    assert events_of(hall, table, listed["last_seq"])["events"] == []
    later = events_of(hall, table, numbers[1])["events"]
    assert later == listed["events"][2:]


def test_photos_claims_and_scores_are_told(hall, table):
    photos = hall.get(f"{table}/photos").json()
    assert photos["round"] == 1
    assert [(p["player"], p["verdict"]) for p in photos["photos"]] == [("orange", "correct")]
    claims = hall.get(f"{table}/claims", params={"round": 1}).json()
    (claim,) = claims["claims"]
    assert (claim["player"], claim["order"], claims["close"]) == ("orange", 1, [])
    assert claim["dt"] <= 0.034
    scores = hall.get(f"{table}/scores").json()
    assert scores["scores"] == {"orange": 1, "green": 0}
    assert [entry["round"] for entry in scores["history"]] == [1]
    assert hall.get(f"{table}/areas").json() == {"areas": [], "points": {}}


def test_a_round_that_is_not_there_is_said_to_be_none(hall, table):
    for what in ("photos", "claims"):
        body = problem(hall.get(f"{table}/{what}", params={"round": 7}), 404)
        assert body["detail"] == "There is no round of that number at this table"
        problem(hall.get(f"{table}/{what}", params={"round": 0}), 422)


def test_every_claim_has_evidence_before_at_and_after(hall, table):
    *urls, film = claim_of(hall, table)["evidence"]
    assert [url.rsplit("-", 1)[1] for url in urls] == ["before.jpg", "at.jpg", "after.jpg"]
    assert film.endswith("-film.mp4")
    pictures = [hall.get(url) for url in urls]
    assert {picture.headers["content-type"] for picture in pictures} == {"image/jpeg"}
    assert len({picture.content for picture in pictures}) == 3


def test_the_film_of_a_claim_is_no_recording(hall, table):
    assert claim_of(hall, table)["evidence"][-1].endswith("-film.mp4")
    names = hall.get(f"{BASE}/recordings").json()["recordings"]
    assert [name for name in names if "film" in name] == []


def test_a_claim_has_a_film_from_before_it_to_after_it(hall, table):
    claim = claim_of(hall, table)
    answer = hall.get(claim["evidence"][-1])
    assert answer.headers["content-type"] == "video/mp4"
    assert len(answer.content) < 1_000_000
    with av.open(io.BytesIO(answer.content)) as film:
        assert film.streams.video[0].codec_context.name == "h264"
        times = [frame.time for frame in film.decode(video=0)]
    assert times[0] == 0
    assert times[-1] == pytest.approx(1.8, abs=0.1)  # a second before, most of one after
    # Browsers fetch films in parts, and some refuse what does not come so.
    part = hall.get(claim["evidence"][-1], headers={"Range": "bytes=0-99"})
    assert (part.status_code, part.content) == (206, answer.content[:100])


@pytest.mark.parametrize(
    "name", ["none.jpg", "r1-x-1-film.mp4", "..%2f..%2fmatches.sqlite", "r1-x-1-at.jpg"]
)
def test_evidence_that_is_not_there(hall, table, name):
    problem(hall.get(f"{table}/evidence/{name}"), 404)


def test_a_correction_changes_what_holds_and_is_kept(hall, table):
    last = events_of(hall, table)["last_seq"]
    order = {"seq": claim_of(hall, table)["seq"], "replace": {"player": "green"}, "why": "misread"}
    answer = hall.post(f"{table}/corrections", json=order)
    assert answer.status_code == 201, answer.text
    assert hall.get(f"{table}/scores").json()["scores"] == {"orange": 0, "green": 1}
    new = events_of(hall, table, last)["events"]
    assert types(new) == ["correction", "round"]
    assert (new[0]["of"], new[0]["why"]) == (order["seq"], "misread")
    back = {"seq": answer.json()["seq"], "replace": None}
    assert hall.post(f"{table}/corrections", json=back).status_code == 201
    assert hall.get(f"{table}/scores").json()["scores"] == {"orange": 1, "green": 0}


@pytest.mark.parametrize(
    ("replace", "place"),
    [
        ({"player": 3}, "replace.player"),
        ({"colour": "red"}, "replace.colour"),
        ({"type": "task"}, "replace.type"),
        ({"card": "a99"}, "replace.card"),
        ({"t": "x"}, "replace.t"),
        ({"t": True}, "replace.t"),
        ({"t": -1.0}, "replace.t"),
        ({}, "replace"),
        ({"player": ""}, "replace.player"),
        ({"card": ""}, "replace.card"),
    ],
)
def test_a_correction_that_cannot_be_changes_nothing(hall, table, replace, place):
    before = hall.get(f"{table}/claims").json()
    last = events_of(hall, table)["last_seq"]
    order = {"seq": claim_of(hall, table)["seq"], "replace": replace}
    body = problem(hall.post(f"{table}/corrections", json=order), 422)
    assert body["errors"][0]["place"] == place
    assert hall.get(f"{table}/claims").json() == before
    assert events_of(hall, table)["last_seq"] == last


@pytest.mark.parametrize(
    ("kind", "replace", "place"),
    [
        ("layout", {"cards": []}, "replace.cards"),
        ("task", {"tasks": []}, "replace.tasks"),
        ("task", {"tasks": ["t99"]}, "replace.tasks[0]"),
        ("round", {"won": {}}, "replace.won"),
        ("round", {"won": {"orange": ["a99"], "green": []}}, "replace.won.orange[0]"),
        ("round", {"won": {"orange": "a14", "green": []}}, "replace.won.orange"),
        ("round", {"lead": "pink"}, "replace.lead"),
        ("round", {"winners": ["pink"]}, "replace.winners[0]"),
        ("round", {"claims": [{}]}, "replace.claims[0].player"),
        ("round", {"ended_by": "magic"}, "replace.ended_by"),
    ],
)
def test_a_correction_leaves_nothing_out_and_names_what_is_there(hall, table, kind, replace, place):
    (seq,) = (e["seq"] for e in events_of(hall, table)["events"] if e["type"] == kind)
    body = problem(hall.post(f"{table}/corrections", json={"seq": seq, "replace": replace}), 422)
    assert body["errors"][0]["place"] == place
    assert hall.get(f"{table}/scores").json()["scores"] == {"orange": 1, "green": 0}


def test_an_action_is_corrected_only_to_another_action(hall, table):
    said = hall.post(f"{table}/actions", json={"player": "green", "do": "pass", "t": 2.0}).json()
    for replace, place in (
        ({"do": "dance"}, "replace.do"),
        ({"do": "guess"}, "replace.animals"),
        ({"player": ""}, "replace.player"),
        ({}, "replace"),
    ):
        order = {"seq": said["seq"], "replace": replace}
        body = problem(hall.post(f"{table}/corrections", json=order), 422)
        assert body["errors"][0]["place"] == place
    order = {"seq": said["seq"], "replace": {"do": "no-match"}}
    assert hall.post(f"{table}/corrections", json=order).status_code == 201


def test_what_is_no_event_cannot_be_corrected(hall, table):
    """The round as it was seen is no event for others: what is ruled upon it is."""
    listed = events_of(hall, table)
    numbers = {event["seq"] for event in listed["events"]}
    (hidden,) = set(range(1, listed["last_seq"] + 1)) - numbers
    for seq in (0, 99, hidden):
        problem(hall.post(f"{table}/corrections", json={"seq": seq, "replace": None}), 422)


def test_a_ruling_can_be_overruled(hall, table):
    ruling = events_of(hall, table)["events"][-1]
    order = {"seq": ruling["seq"], "replace": {"won": {"orange": [], "green": ["a14"]}}}
    assert hall.post(f"{table}/corrections", json=order).status_code == 201
    assert hall.get(f"{table}/scores").json()["scores"] == {"orange": 0, "green": 1}


def test_what_is_said_at_the_table_counts(hall, table):
    claim = claim_of(hall, table)
    hall.post(f"{table}/corrections", json={"seq": claim["seq"], "replace": None})
    for player in ("orange", "green"):
        answer = hall.post(f"{table}/actions", json={"player": player, "do": "no-match", "t": 5.0})
        assert answer.status_code == 201, answer.text
        assert answer.json()["type"] == "action"
    last = events_of(hall, table)["events"][-1]
    assert (last["type"], last["ended_by"]) == ("round", "no-match")


def test_the_server_says_when_something_was_said(hall, table):
    answer = hall.post(f"{table}/actions", json={"player": "green", "do": "pass"}).json()
    assert answer["t"] == hall.get(table).json()["clock"]


@pytest.mark.parametrize(
    ("action", "place"),
    [
        ({"player": "pink", "do": "pass"}, "player"),
        ({"player": "green", "do": "dance"}, "do"),
        ({"player": "green", "do": "pass", "x": 1}, "x"),
        ({"player": "green", "do": "cover", "card": "a99"}, "card"),
        ({"player": "green", "do": "cover"}, "card"),
        ({"player": "green", "do": "pass", "t": -1}, "t"),
        ({"player": "", "do": "pass"}, "player"),
        ({"player": "green", "do": "guess"}, "animals"),
        ({"player": "green", "do": "guess", "animals": []}, "animals"),
        ({"player": "green", "do": "guess", "animals": ["dragon"]}, "animals[0]"),
        ({"player": "green", "do": "cover", "card": ""}, "card"),
        ({"player": "green", "do": "give-up"}, "card"),
        ({"player": "green", "do": "pass", "animals": ["lion"]}, "animals"),
        ({"player": "green", "do": "lead", "card": "a14"}, "card"),
        ({"player": "green", "do": "lead", "animals": ["lion"]}, "animals"),
    ],
)
def test_an_action_that_cannot_be_changes_nothing(hall, table, action, place):
    last = events_of(hall, table)["last_seq"]
    body = problem(hall.post(f"{table}/actions", json=action), 422)
    assert [error["place"] for error in body["errors"]] == [place]
    assert events_of(hall, table)["last_seq"] == last


def test_an_action_of_no_round_is_a_conflict(hall, table):
    order = {"player": "green", "do": "pass", "round": 9}
    problem(hall.post(f"{table}/actions", json=order), 409)


def test_a_table_is_forgotten_with_everything(hall, watched):
    answer = hall.post(f"{BASE}/import", files={"file": ("match.zip", watched)})
    table = answer.headers["location"]
    evidence = claim_of(hall, table)["evidence"][0]
    assert hall.delete(table).status_code == 204
    for url in (table, f"{table}/events", evidence):
        problem(hall.get(url), 404)
    problem(hall.delete(table), 404)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"deck": "none"}, "deck"),
        ({"game": "panda-gorilla"}, "game"),
        ({"source": {"recording": "none.mp4"}}, "source.recording"),
        ({"source": {"recording": "../../../etc/passwd"}}, "source.recording"),
        ({"source": {"recording": "/etc/passwd"}}, "source.recording"),
        ({"source": {"recording": "sample.truth.json"}}, "source.recording"),
        ({"source": {"stream": "file:///etc/passwd"}}, "source.stream"),
        ({"source": {"camera": "rtsp://host/x"}}, "source.camera"),
        ({"source": {"camera": "/etc/passwd"}}, "source.camera"),
        ({"source": {}}, "source"),
        ({"source": {"camera": "0", "recording": "tiny.mp4"}}, "source"),
        ({"players": ["pink", "red"]}, "players[0]"),
        ({"players": ["red", "red"]}, "players"),
        ({"lead": "purple"}, "lead"),
        ({"rulings": {"late_claims": "never"}}, "rulings.late_claims"),
        ({"variant": "odd"}, "variant"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_table_that_cannot_be_opened_names_the_place(hall, change, place):
    before = hall.get(f"{BASE}/tables").json()
    body = problem(hall.post(f"{BASE}/tables", json={**TINY, **change}), 422)
    assert body["errors"][0]["place"] == place
    assert hall.get(f"{BASE}/tables").json() == before


@pytest.mark.parametrize(
    ("game", "change", "place"),
    [
        ("panda-gorilla", {"players": ["orange", "red"]}, "players[0]"),
        ("panda-gorilla", {"variant": "complex"}, "variant"),
        ("exploring-galapagos", {"players": ["ann", "  "]}, "players[1]"),
        ("exploring-galapagos", {"players": ["ann"] * 2}, "players"),
        ("exploring-galapagos", {"players": ["ann", "bob"], "lead": "cat"}, "lead"),
        ("exploring-galapagos", {"seats": {"ann": "north"}}, "seats"),
        ("exploring-galapagos", {"seats": {"ann": 3}}, "seats.ann"),
        ("exploring-galapagos", {"seats": {"ann": "top", "bob": "top"}}, "seats"),
        ("exploring-galapagos", {"seats": {"ann": "top"}, "players": ["ann", "bob"]}, "seats"),
        ("exploring-galapagos", {"used": {"ann": ["time"]}}, "used"),
        ("exploring-galapagos", {"used": {"top": ["luck"]}}, "used"),
        ("exploring-galapagos", {"used": {"top": ["time", "time"]}}, "used"),
        ("exploring-galapagos", {"used": {"top": "time"}}, "used.top"),
        ("panda-gorilla", {"seats": {"ann": "top"}}, "seats"),
        ("galapa-go", {"used": {"red": ["time"]}}, "used"),
    ],
)
def test_who_cannot_play_another_game_is_named(hall, game, change, place):
    table = {"game": game, "deck": game, "source": {"recording": "tiny.mp4"}, **change}
    body = problem(hall.post(f"{BASE}/tables", json=table), 422)
    assert [error["place"] for error in body["errors"]] == [place]


def test_as_many_tables_are_watched_as_may_be(data):
    app = create_app(Settings(data, recordings=RECORDINGS, limits=Limits(tables=1)))
    with TestClient(app, base_url="http://localhost") as client:
        first = client.post(f"{BASE}/tables", json={**TINY, "realtime": True})
        problem(client.post(f"{BASE}/tables", json=TINY), 409)
        told = client.get(f"{BASE}/health").json()
        assert (told["tables"], told["watched"]) == (1, 1)
        assert "table_referee_tables_watched 1.0" in client.get(f"{BASE}/metrics").text
        assert client.delete(first.headers["location"]).status_code == 204
        assert client.get(f"{BASE}/health").json()["tables"] == 0


def test_an_export_comes_back_as_the_same_match(hall, table, watched):
    again = hall.get(f"{table}/export").content
    one, other = (
        json.loads(zipfile.ZipFile(io.BytesIO(d)).read("match.json")) for d in (watched, again)
    )
    assert one == other
    assert one["deck"] == {"id": "galapa-go", "name": "Paper Safari"}
    names = zipfile.ZipFile(io.BytesIO(again)).namelist()
    assert sum(name.startswith("evidence/") for name in names) == 4
    film = claim_of(hall, table)["evidence"][-1]
    assert hall.get(film).content == zipfile.ZipFile(io.BytesIO(watched)).read(
        f"evidence/{film.rpartition('/')[2]}"
    )


def changed(data: bytes, change) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            for written, content in change(name, old.read(name)):
                new.writestr(written, content)
    return out.getvalue()


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (lambda name, data: [(name, data.replace(b'"correct"', b'"wrong"'))], 422),
        (lambda name, data: [(name, data)] if "evidence" in name else [], 422),
        (lambda name, data: [(name.replace("evidence/", "evidence/../"), data)], 422),
        (lambda name, data: [(name, b"GIF" if name.endswith(".jpg") else data)], 422),
        (lambda name, data: [(name, b"\xff\xd8" if name.endswith(".mp4") else data)], 422),
        (lambda name, data: [(name, data if "evidence" in name else b"[" * 100_000)], 422),
        (lambda name, data: [(name, data if "evidence" in name else b"[]")], 422),
    ],
)
def test_a_match_that_was_changed_is_not_taken_in(hall, watched, change, status):
    before = hall.get(f"{BASE}/tables").json()
    sent = changed(watched, change)
    problem(hall.post(f"{BASE}/import", files={"file": ("match.zip", sent)}), status)
    assert hall.get(f"{BASE}/tables").json() == before


def without_rulings(name, data):
    if name != "match.json":
        return [(name, data)]
    match = json.loads(data)
    match["records"] = [row for row in match["records"] if row[1] != "ruling"]
    return [(name, json.dumps(sealed(match)))]


def test_a_ruling_that_was_not_kept_is_made_again_when_the_match_is_taken_up(hall, watched):
    sent = changed(watched, without_rulings)
    table = hall.post(f"{BASE}/import", files={"file": ("match.zip", sent)}).headers["location"]
    assert types(events_of(hall, table)["events"]) == ["layout", "task", "claim", "round"]
    hall.delete(table)


@pytest.mark.parametrize("sent", [b"no match", b""])
def test_what_is_no_match_is_not_taken_in(hall, sent):
    headers = {"Content-Type": "application/zip"}
    problem(hall.post(f"{BASE}/import", content=sent, headers=headers), 422)


def test_recordings_are_listed_and_sent(client, data):
    assert client.get(f"{BASE}/recordings").json() == {"recordings": []}
    video = (RECORDINGS / "tiny.mp4").read_bytes()
    files = {"file": ("mine.mp4", video, "video/mp4")}
    assert client.post(f"{BASE}/recordings", files=files).status_code == 201
    headers = {"Content-Type": "video/mp4"}
    sent = client.post(f"{BASE}/recordings?name=two.mp4", content=video, headers=headers)
    assert sent.status_code == 201
    assert client.get(f"{BASE}/recordings").json() == {"recordings": ["mine.mp4", "two.mp4"]}
    problem(client.post(f"{BASE}/recordings", files=files), 409)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("list.mp4", b"#EXTM3U\n#EXTINF:1,\nhttp://example.org/x.ts\n"),
        ("../out.mp4", None),
        ("x.txt", None),
        (".mp4", None),
    ],
)
def test_what_is_no_recording_is_not_kept(client, data, name, content):
    video = content or (RECORDINGS / "tiny.mp4").read_bytes()
    headers = {"Content-Type": "video/mp4"}
    answer = client.post(
        f"{BASE}/recordings", params={"name": name}, content=video, headers=headers
    )
    problem(answer, 422)
    assert list((data / "recordings").iterdir()) == []
    assert not (data / "out.mp4").exists()
