"""Two Cameras that come to lie on one card in one frame, as every output tells it."""

from __future__ import annotations

import io
import json
import zipfile

from referee.decks import load_deck
from referee.judge import judge
from referee.server.archive import FORMAT, sealed
from tests.referee.server.conftest import BASE
from tests.referee.server.running import TINY
from tests.referee.watched import Book, claim, cover, question, task
from vision.resources import SAMPLE_DECK, find_resource


def tied_match() -> bytes:
    """An export of a match in which red and blue meet on one card in one frame, red below."""
    layout = ["a03", "a05", "a10", "a13", "a24"]
    covers = [cover(2.0, "red", "a24"), cover(2.0, "blue", "a24"), cover(4.0, "blue", "a03")]
    asked = question(*covers, layout=layout, tasks=["t41"])
    ruling = judge(asked, load_deck(find_resource(SAMPLE_DECK)))
    book = Book()
    book.line(task(1, 1.0, "t41"), {**asked, "actions": []})
    for order, covered in enumerate(covers, start=1):
        book.line(claim(1, covered["t"], covered["player"], covered["card"], order), asked)
    timed = [{**each, "dt": 0.017} for each in ruling["claims"]]
    closed = {"tasks": ["t41"], **ruling, "claims": timed, "close": [["blue", "red"]]}
    book.line({"type": "round", "t": 5.0, "round": 1, **closed}, asked)
    records = [[each.seq, each.kind, each.body, each.question] for each in book.records]
    match = {
        "format": FORMAT,
        "table": {**TINY, "players": ["red", "blue"], "lead": "red"},
        "deck": {"id": "galapa-go", "name": "Paper Safari"},
        "state": "ended",
        "records": records,
        "evidence": {},
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("match.json", json.dumps(sealed(match)))
    return out.getvalue()


def test_two_claims_of_one_frame_are_a_tie_with_one_credit_in_every_output_c45(client):
    """Failure C45: the tie is said, one of the two is credited, and everywhere the same one."""
    answer = client.post(f"{BASE}/import", files={"file": ("match.zip", tied_match())})
    assert answer.status_code == 201, answer.text
    table = answer.headers["location"]
    claims = client.get(f"{table}/claims").json()
    assert claims["close"] == [["blue", "red"]]
    on_it = [(c["player"], c["verdict"]) for c in claims["claims"] if c["card"] == "a24"]
    assert on_it == [("red", "correct"), ("blue", "withdrawn")]
    assert "another Camera lay there first" in claims["claims"][1]["reason"]
    photos = client.get(f"{table}/photos").json()["photos"]
    assert [(p["player"], p["verdict"]) for p in photos if p["card"] == "a24"] == on_it
    events = client.get(f"{table}/events").json()["events"]
    (ruled,) = (event for event in events if event["type"] == "round")
    assert ruled["close"] == claims["close"]
    assert [(c["player"], c["verdict"]) for c in ruled["claims"] if c["card"] == "a24"] == on_it
    assert ruled["won"] == {"red": ["a24"], "blue": ["a03"]}
    assert client.get(f"{table}/scores").json()["scores"] == {"red": 1, "blue": 1}
