"""Whatever is refused, whoever asks finds out where it was wrong, in one shape and one spelling."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from referee.server.problems import Code, of_format, of_vision
from tests.builders import write_tiny_deck
from tests.referee.server.conftest import BASE
from tests.referee.server.running import RECORDINGS, TINY
from tests.referee.server.test_decks import zipped
from tests.referee.server.test_rules import problem
from vision.errors import GalleryError, NoTableError, SourceError

JSON = {"Content-Type": "application/json"}


def refused(client, path, status=422, **sent):
    """The code of a refusal and the places that it names."""
    body = problem(client.post(BASE + path, **sent), status)
    return body["code"], [error["place"] for error in body.get("errors", ())]


@pytest.mark.parametrize("path", ["/tables", "/judge"])
@pytest.mark.parametrize("content", [b"", b"[", b"[]", b"\xff\xfe", b"[" * 50_000])
def test_a_body_that_is_no_order_is_wrong_as_a_whole(client, path, content):
    assert refused(client, path, content=content, headers=JSON) == ("bad-input", ["the body"])


def test_a_form_that_cannot_be_taken_apart_is_wrong_as_a_whole(client):
    form = {"Content-Type": "multipart/form-data"}
    for path in ("/decks", "/import", "/recordings", "/score"):
        code, places = refused(client, path, content=b"--x", headers=form)
        assert (code, places) == ("bad-input", ["the body"]), path


@pytest.mark.parametrize(
    ("path", "sent", "code"),
    [
        ("/decks", b"PK\x03\x04 broken", "no-deck-pack"),
        ("/decks", b"", "no-file"),
        ("/import", b"no match", "no-match-file"),
        ("/recordings?name=x.mp4", b"#EXTM3U", "no-video"),
    ],
)
def test_a_file_of_another_kind_has_a_place_and_a_code(client, path, sent, code):
    headers = {"Content-Type": "application/octet-stream"}
    told, (place,) = refused(client, path, content=sent, headers=headers)
    assert told == code
    assert place in ("the body", "the pack")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"players": [3, "red"]}, "players[0]"),
        ({"players": ["red", "pink"]}, "players[1]"),
        ({"rulings": {"late_claims": 3}}, "rulings.late_claims"),
        ({"rulings": {"body": 3}}, "rulings.body"),
        ({"source": {"camera": 0}}, "source.camera"),
    ],
)
def test_a_place_is_spelled_in_one_way_whoever_finds_the_error(client, change, place):
    assert refused(client, "/tables", json={**TINY, **change}) == ("bad-input", [place])


def test_a_pack_names_its_file_and_the_place_in_it_and_not_where_it_was_kept(
    client, data, tmp_path
):
    pack = zipped(write_tiny_deck(tmp_path / "tiny"), a1=b"GIF")
    code, places = refused(client, "/decks", files={"file": ("tiny.zip", pack)})
    assert (code, places) == ("no-deck-pack", ["a1"])
    body = client.post(f"{BASE}/decks", files={"file": ("tiny.zip", zipped_text("format: 2"))})
    assert body.json()["detail"].startswith("deck.yaml: ")
    assert str(data) not in body.text


def zipped_text(text: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("deck.yaml", text)
    return out.getvalue()


def test_a_recording_in_which_nothing_can_be_read_is_told_without_its_folder(client, data):
    broken = data / "recordings" / "broken.mp4"
    broken.write_bytes((RECORDINGS / "tiny.mp4").read_bytes()[:64])
    order = {**TINY, "source": {"recording": "broken.mp4"}}
    answer = client.post(f"{BASE}/tables", json=order)
    body = problem(answer, 422)
    assert body["errors"][0]["place"] == "source.recording"
    assert str(data) not in answer.text


@pytest.mark.parametrize(
    ("error", "code", "place", "expected", "got"),
    [
        (SourceError("/d/x.png: expected a picture, got a folder"), "no-picture", "picture",
         "a picture", "a folder"),
        (NoTableError("expected the board, and found none; see it"), "no-table-seen", "picture",
         "the board", "none; see it"),
        (NoTableError("/d/x.png: 9 cards were seen, none is ours"), "no-table-seen", "picture",
         "a table with cards of the deck", "9 cards were seen, none is ours"),
        (GalleryError("the deck has no faces"), "no-deck-pack", "picture",
         "pictures by which faces can be told apart", "the deck has no faces"),
    ],
)  # fmt: skip
def test_what_cannot_be_seen_is_told_as_expected_and_got(error, code, place, expected, got):
    told = of_vision(error, "picture", Path("/d/x.png"))
    assert told.code == code
    assert told.errors == [{"place": place, "expected": expected, "got": got}]
    assert "/d/" not in told.detail
    assert told.detail.startswith("picture: ")


def test_the_description_lists_every_code(client):
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    assert set(schemas["Code"]["enum"]) == set(Code)


def test_every_code_is_given_somewhere():
    sources = Path(of_format.__code__.co_filename).parent.glob("*.py")
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    assert [code.name for code in Code if f"Code.{code.name}" not in text] == []


def test_every_refusal_of_a_name_says_which_sign(client, data):
    video = (RECORDINGS / "tiny.mp4").read_bytes()
    for name, told in (
        ("a/b.mp4", "'/'"),
        ("a\tb.mp4", "'\\t'"),
        (".mp4", "dot or space in front"),
        ("evening", ".mkv"),
        ("é" * 110 + ".mp4", "shorter"),
        ("", "dot or space in front"),
    ):
        answer = client.post(f"{BASE}/recordings", params={"name": name} if name else {},
                             content=video, headers={"Content-Type": "video/mp4"})  # fmt: skip
        body = problem(answer, 422)
        assert (body["code"], body["errors"][0]["place"]) == ("bad-name", "name")
        assert told in body["detail"], body["detail"]
    assert list((data / "recordings").iterdir()) == []


@pytest.mark.parametrize(
    "name", ["Anna's evening & co, #2 [1].mp4", "été à la plage.MP4", "夜.mkv"]
)
def test_a_phone_may_call_its_film_as_it_likes(client, name):
    video = (RECORDINGS / "tiny.mp4").read_bytes()
    sent = client.post(
        f"{BASE}/recordings", params={"name": name}, content=video,
        headers={"Content-Type": "video/mp4"},
    )  # fmt: skip
    assert sent.status_code == 201, sent.text
    assert client.get(f"{BASE}/recordings").json() == {"recordings": [name]}


def test_json_that_is_not_json_is_told_with_where(client):
    body = problem(client.post(f"{BASE}/judge", content=b'{"game": }', headers=JSON), 422)
    (error,) = body["errors"]
    assert (error["expected"], error["got"]) == ("JSON", "text that is none from character 10 on")
    assert json.dumps(body)


@pytest.mark.parametrize(
    ("path", "sent", "said"),
    [
        (
            "/score",
            {"data": {"picture": "abc", "deck": "galapa-go"}},
            "picture: expected a file, got a text",
        ),
        (
            "/score",
            {"files": {"picture": b"abc", "deck": b"x"}},
            "deck: expected a text, got a file",
        ),
        (
            "/judge",
            {"content": b"{}", "headers": {"Content-Type": "text/plain"}},
            "the body: expected JSON, sent as application/json, got a body of another type",
        ),
        (
            "/judge",
            {"content": b"[" * 100_000, "headers": JSON},
            "the body: expected a body that can be read, got a damaged or too deeply nested one",
        ),
        (
            "/judge",
            {"content": b"[]", "headers": JSON},
            "the body: expected an object with named keys, got an empty list",
        ),
    ],
)
def test_what_is_refused_is_said_in_the_words_of_whoever_sent_it(client, path, sent, said):
    body = problem(client.post(f"{BASE}{path}", **sent), 422)
    assert body["detail"] == said


def test_an_unknown_key_is_told_with_where_the_known_ones_are(client):
    body = problem(client.post(f"{BASE}/tables", json={"x": 1}), 422)
    told = {error["place"]: error["expected"] for error in body["errors"]}
    assert told["x"] == "only keys that are described at /docs"


def test_the_description_speaks_of_nothing_that_its_readers_do_not_have(client):
    assert "contract" not in client.get("/openapi.json").text


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ({"camera": "-1"}, "no-camera"),
        ({"camera": "foo\r\nbar"}, "no-camera"),
        ({"camera": " "}, "no-camera"),
        ({"camera": "no such camera"}, "no-camera"),
        ({"stream": "rtmp://host/x"}, "no-stream"),
        ({"stream": "rtsp://host:99999/x"}, "no-stream"),
        ({"stream": "http://[::1/x"}, "no-stream"),
        ({"stream": "http://host/x\r\nX: y"}, "no-stream"),
        ({"stream": "http://host/x y"}, "no-stream"),
        ({"stream": "http:///x"}, "no-stream"),
        ({"recording": "none.mp4"}, "no-recording"),
    ],
)
def test_a_source_that_cannot_be_opened_is_refused_at_once(client, source, code):
    (kind,) = source
    content = json.dumps({**TINY, "source": source})
    assert refused(client, "/tables", content=content, headers=JSON) == (code, [f"source.{kind}"])
    assert client.get(f"{BASE}/tables").json() == {"tables": []}
