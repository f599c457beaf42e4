"""A match that is taken in: whatever was changed in its file is refused, or judged anew."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from referee.decks import load_deck
from referee.judge import judge
from referee.server.app import create_app
from referee.server.archive import FORMAT, sealed
from referee.server.incoming import MATCH
from referee.server.settings import Limits, Settings
from tests.referee.server.conftest import BASE, TestClient
from tests.referee.server.running import TINY
from tests.referee.server.test_fuzzing import PLAIN, places
from tests.referee.server.test_rules import problem
from tests.referee.watched import Book, claim, cover, question, task
from vision.resources import SAMPLE_DECK, find_resource

Match = dict[str, Any]
JPEG = b"\xff\xd8 a picture"
SHOWN = "r1-red-a24-2000-at.jpg"
RULED, ROUND, CORRECTED = 6, 4, 7
"""Indices of records: the ruling, the round as it was seen, a correction."""


def played() -> Match:
    """A match of one round, a word said and a correction, as its file says it."""
    layout = ["a03", "a05", "a10", "a13", "a24"]
    covers = [cover(2.0, "red", "a24"), cover(4.0, "blue", "a03")]
    asked = question(*covers, layout=layout, tasks=["t41"])
    ruling = judge(asked, load_deck(find_resource(SAMPLE_DECK)))
    timed = [{**each, "dt": 0.017} for each in ruling["claims"]]
    closed = {"tasks": ["t41"], **ruling, "claims": timed, "close": []}
    quad = [[0, 0], [9, 0], [9, 9], [0, 9]]
    cards = [{"id": card, "quad": quad, "score": 1.0} for card in layout]
    book = Book()
    book.line({"type": "layout", "t": 0.0, "cards": cards})
    book.line(task(1, 1.0, "t41"), {**asked, "actions": []})
    for order, covered in enumerate(covers, start=1):
        book.line(claim(1, covered["t"], covered["player"], covered["card"], order), asked)
    book.line({"type": "round", "t": 5.0, "round": 1, **closed}, asked)
    book.act(1, 5.5, "red", "pass")
    records: list[Any] = [[r.seq, r.kind.value, r.body, r.question] for r in book.records]
    records.append([7, "ruling", {"type": "round", "t": 5.0, "round": 1, **closed}, None])
    because = {"seq": 6, "replace": None, "why": "nobody passed", "t": 6.0}
    records.append([8, "correction", because, None])
    return {
        "format": FORMAT,
        "table": {
            **deepcopy(TINY),
            "players": ["red", "blue"],
            "lead": "red",
            "variant": "normal",
            "rulings": {},
            "seats": {},
            "used": {},
            "record": False,
        },
        "deck": {"id": "galapa-go", "name": "Paper Safari"},
        "state": "ended",
        "records": records,
        "evidence": {SHOWN: hashlib.sha256(JPEG).hexdigest()},
    }


def zipped(match: Match, files: dict[str, bytes] | None = None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MATCH, json.dumps(match))
        for name, data in ({f"evidence/{SHOWN}": JPEG} if files is None else files).items():
            archive.writestr(name, data)
    return out.getvalue()


def send(client: TestClient, data: bytes):
    return client.post(f"{BASE}/import", files={"file": ("match.zip", data)})


def with_change(change: Callable[[Match], object]) -> Match:
    match = played()
    change(match)
    return match


def put(*steps: Any) -> Callable[[Match], None]:
    """Sets the value at some place, the last of the steps."""

    def change(match: Match) -> None:
        *way, last, value = steps
        holder: Any = match
        for step in way:
            holder = holder[step]
        holder[last] = value

    return change


def test_a_match_is_taken_in_with_its_evidence_and_comes_out_as_it_was(client):
    answer = send(client, zipped(sealed(played())))
    assert answer.status_code == 201, answer.text
    table = answer.headers["location"]
    assert client.get(f"{table}/evidence/{SHOWN}").content == JPEG
    again = zipfile.ZipFile(io.BytesIO(client.get(f"{table}/export").content))
    assert json.loads(again.read(MATCH)) == sealed(played())


TAMPERED = [
    (put("state", "failed: x"), "seal"),
    (put("deck", "name", "Mine"), "seal"),
    (put("table", "players", ["red", "green"]), "seal"),
    (put("table", "rulings", {"late_claims": "judged"}), "seal"),
    (put("table", "source", {"recording": "x.mp4"}), "seal"),
    (put("records", RULED, 2, "winners", ["red"]), "seal"),
    (put("evidence", {}), "seal"),
]


@pytest.mark.parametrize(("change", "place"), TAMPERED)
def test_the_seal_is_of_everything(client, change, place):
    match = sealed(played())
    change(match)
    body = problem(send(client, zipped(match)), 422)
    assert (body["code"], body["errors"][0]["place"]) == ("match-changed", place)
    assert client.get(f"{BASE}/tables").json() == {"tables": []}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (put("format", 1), "format"),
        (put("colour", "red"), "colour"),
        (put("state", 3), "state"),
        (put("deck", "id", "panda-gorilla"), "deck.id"),
        (put("deck", "name", "Mine"), "deck.name"),
        (put("deck", "colour", "red"), "deck.colour"),
        (put("table", "deck", "none"), "table.deck"),
        (put("table", "game", "panda-gorilla"), "table.game"),
        (put("table", "colour", "red"), "table.colour"),
        (put("table", "source", {"stream": "file:///etc/passwd"}), "table.source.stream"),
        (put("table", "players", ["red"]), "table.players"),
        (put("table", "players", ["red", "pink"]), "table.players[1]"),
        (put("table", "players", ["red", "green"]), "table.players"),
        (put("table", "players", ["blue", "red"]), "table.players"),
        (put("table", "lead", "blue"), "table.lead"),
        (put("table", "variant", "complex"), "table.variant"),
        (put("table", "rulings", {"late_claims": "never"}), "table.rulings.late_claims"),
        (put("table", "rulings", {"late_claims": "judged"}), "table.rulings"),
        (put("records", 0, [1, "line"]), "records[0][2]"),
        (put("records", 0, 1, "rumour"), "records[0][1]"),
        (put("records", 1, 0, 7), "records[1][0]"),
        (put("records", 0, 2, "type", "rumour"), "records[0][2].type"),
        (put("records", 0, 2, "colour", "red"), "records[0][2].colour"),
        (put("records", 0, 2, "cards", 0, "id", "a99"), "records[0][2].cards[0].id"),
        (put("records", 2, 2, "card", "a99"), "records[2][2].card"),
        (put("records", 2, 2, "t", -1), "records[2][2].t"),
        (put("records", 1, 3, {}), "records[1][3].game"),
        (put("records", 1, 3, "actions", [{}]), "records[1][3].actions[0].do"),
        (put("records", ROUND, 2, "won", "all"), "records[4][2].won"),
        (put("records", 5, 2, "do", "dance"), "records[5][2].do"),
        (put("records", RULED, 2, "round", 9), "records[6][2].round"),
        (put("records", RULED, 2, "type", "task"), "records[6][2].type"),
        (put("records", CORRECTED, 2, "seq", 99), "records[7][2].seq"),
        (put("records", CORRECTED, 2, "replace", {}), "records[7][2].replace"),
        (put("evidence", {}), f"evidence/{SHOWN}"),
        (put("evidence", {SHOWN: "0" * 64}), f"evidence/{SHOWN}"),
        (put("evidence", "r1-red-a24-2000-film.mp4", "0"), "evidence.r1-red-a24-2000-film.mp4"),
        (put("records", []), f"evidence/{SHOWN}"),
    ],
)
def test_what_cannot_be_is_refused_whatever_the_seal_says(client, change, place):
    sent = zipped(sealed(with_change(change)))
    body = problem(send(client, sent), 422)
    assert body["errors"][0]["place"] == place, body["detail"]
    assert client.get(f"{BASE}/tables").json() == {"tables": []}


@pytest.mark.parametrize(
    "change",
    [
        put("state", "open"),
        put("state", "failed: nobody was there"),
        put("records", RULED, 2, "winners", ["blue"]),
        put("records", RULED, 2, "won", {"red": [], "blue": ["a24"]}),
        put("records", RULED, 2, "t", 77.0),
        put("records", ROUND, 2, "won", {"red": [], "blue": ["a24"]}),
        put("records", ROUND, 2, "claims", 0, "verdict", "wrong"),
    ],
)
def test_what_the_records_tell_is_judged_anew(client, change):
    answer = send(client, zipped(sealed(with_change(change))))
    assert answer.status_code == 201, answer.text
    table = answer.headers["location"]
    exported = zipfile.ZipFile(io.BytesIO(client.get(f"{table}/export").content))
    assert json.loads(exported.read(MATCH)) == sealed(played())


def test_a_table_that_had_failed_has_failed(client):
    match = played()
    text = "watching has stopped: the camera was unplugged"
    line = {"type": "notice", "t": 9.0, "code": "watch-stopped", "text": text}
    match["records"].append([len(match["records"]) + 1, "line", line, None])
    table = send(client, zipped(sealed(match))).headers["location"]
    told = client.get(table).json()
    assert (told["state"], told["reason"]) == ("failed", "the camera was unplugged")


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({}, f"evidence.{SHOWN}"),
        ({f"evidence/{SHOWN}": b"GIF"}, f"evidence/{SHOWN}"),
        ({f"evidence/{SHOWN}": JPEG + b"!"}, f"evidence/{SHOWN}"),
        ({f"evidence/{SHOWN}": JPEG, "readme.txt": b"x"}, "'readme.txt'"),
        ({f"evidence/{SHOWN}": JPEG, SHOWN: JPEG}, f"'{SHOWN}'"),
        ({f"evidence/{SHOWN}": JPEG, "evidence/../x.jpg": JPEG}, "'evidence/../x.jpg'"),
        ({f"evidence/{SHOWN}": JPEG, "evidence/": b""}, "'evidence/'"),
        (
            {f"evidence/{SHOWN}": JPEG, "evidence/r9-red-a24-2000-at.jpg": JPEG},
            "evidence/r9-red-a24-2000-at.jpg",
        ),
    ],
)
def test_files_beside_the_match_are_those_that_it_lists(client, data, files, place):
    body = problem(send(client, zipped(sealed(played()), files)), 422)
    assert body["errors"][0]["place"] == place
    assert client.get(f"{BASE}/tables").json() == {"tables": []}
    evidence = data / "evidence"
    assert not evidence.exists() or list(evidence.iterdir()) == []


def test_a_file_that_is_there_twice_is_refused(client):
    out = io.BytesIO(zipped(sealed(played())))
    with zipfile.ZipFile(out, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(MATCH, "{}")
    body = problem(send(client, out.getvalue()), 422)
    assert body["errors"][0]["place"] == MATCH


@pytest.mark.parametrize("text", ["[]", "NaN", '{"format": NaN}', "[" * 100_000, "", "\ufeff{}"])
def test_what_is_no_json_object_is_refused(client, text):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(MATCH, text)
    body = problem(send(client, out.getvalue()), 422)
    assert body["code"] == "no-match-file"


def test_a_match_that_grows_too_large_when_unpacked_is_refused(data):
    app = create_app(Settings(data, limits=Limits(unpacked_bytes=2_000_000)))
    bomb = zipped({"format": " " * 3_000_000})
    assert len(bomb) < 100_000
    with TestClient(app, base_url="http://localhost") as client:
        body = problem(send(client, bomb), 413)
    assert body["code"] == "too-large"


def test_rulings_beyond_number_are_refused_and_soon(client):
    match = played()
    rows = match["records"]
    rows += [[9 + i, "ruling", rows[RULED][2], None] for i in range(4000)]
    body = problem(send(client, zipped(sealed(match))), 422)
    assert "fewer rulings" in body["detail"]


def test_a_zip_that_is_cut_or_encrypted_or_packed_oddly_is_refused(client):
    whole = zipped(sealed(played()))
    for data in (whole[:-30], whole.replace(b"PK\x01\x02", b"PK\x01\x03"), whole[50:]):
        problem(send(client, data), 422)
    for method in (zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", method) as archive:
            archive.writestr(MATCH, json.dumps(sealed(played())))
        broken = bytearray(out.getvalue())
        for index in range(80, 120):
            broken[index] ^= 0x55
        assert problem(send(client, bytes(broken)), 422)["code"] == "no-match-file"
    plain, secret = (b"PK\x01\x02\x14\x03\x14\x00" + flag for flag in (b"\0\0", b"\1\0"))
    flagged = whole.replace(plain, secret)
    assert flagged != whole
    problem(send(client, flagged), 422)


@hypothesis.settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_a_match_with_one_value_replaced_is_refused_or_can_be_looked_at(client, data):
    match = played()
    holder, key = data.draw(st.sampled_from(places(match)))
    holder[key] = data.draw(PLAIN)
    answer = send(client, zipped(sealed(match)))
    if answer.status_code != 201:
        problem(answer, 422)
        return
    table = answer.headers["location"]
    for what in ("", "/photos", "/claims", "/scores", "/areas", "/events", "/export"):
        assert client.get(table + what).status_code == 200
    client.delete(table)
