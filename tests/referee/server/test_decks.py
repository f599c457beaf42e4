"""Decks: listed, sent, kept, shown."""

import io
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from referee.server.app import create_app
from referee.server.settings import Limits, Settings
from tests.builders import TINY_DECK, write_tiny_deck
from tests.referee.server.conftest import BASE, TestClient
from tests.referee.server.test_rules import problem


def zipped(folder: Path, **others: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.iterdir()):
            archive.writestr(path.name, others.pop(path.stem, None) or path.read_bytes())
    return out.getvalue()


@pytest.fixture
def pack(tmp_path: Path) -> bytes:
    return zipped(write_tiny_deck(tmp_path / "tiny"))


def send(client, pack: bytes, name: str = "tiny.zip"):
    return client.post(f"{BASE}/decks", files={"file": (name, pack, "application/zip")})


def test_our_decks_are_there(client):
    games = {deck["id"]: deck["game"] for deck in client.get(f"{BASE}/decks").json()["decks"]}
    assert games == {name: name for name in ("galapa-go", "exploring-galapagos", "panda-gorilla")}


def test_a_pack_is_kept_and_shown(client, data, pack):
    answer = send(client, pack)
    assert answer.status_code == 201, answer.text
    deck = answer.json()
    assert (deck["name"], deck["game"], deck["cards"]) == ("Tiny deck", "galapa-go", 6)
    assert answer.headers["location"] == f"{BASE}/decks/{deck['id']}"
    whole = client.get(answer.headers["location"]).json()
    assert [card["id"] for card in whole["cards"]] == [
        "a1",
        "a2",
        "a3",
        "t1",
        "cam-red",
        "cam-blue",
    ]
    picture = client.get(whole["cards"][0]["image"])
    assert picture.headers["content-type"] == "image/png"
    assert Image.open(io.BytesIO(picture.content)).size == (252, 352)


def test_a_pack_is_there_when_the_service_starts_again(data, pack):
    with TestClient(create_app(Settings(data)), base_url="http://localhost") as client:
        deck = send(client, pack).json()
    with TestClient(create_app(Settings(data)), base_url="http://localhost") as later:
        assert deck["id"] in {each["id"] for each in later.get(f"{BASE}/decks").json()["decks"]}


def test_a_pack_may_be_the_body_itself_and_is_the_same_deck_twice(client, pack):
    first = send(client, pack).json()
    again = client.post(
        f"{BASE}/decks", content=pack, headers={"Content-Type": "application/zip"}
    ).json()
    assert again == first
    assert len(client.get(f"{BASE}/decks").json()["decks"]) == 4


@pytest.mark.parametrize("name", ["none", "..", "%2e%2e%2fdecks", "a/../b", "tiny.zip"])
def test_a_deck_that_is_not_there(client, name):
    problem(client.get(f"{BASE}/decks/{name}"), 404)


def test_a_face_that_is_not_there(client):
    problem(client.get(f"{BASE}/decks/galapa-go/images/a99"), 404)
    problem(client.get(f"{BASE}/decks/galapa-go/images/board"), 404)


def test_the_board_of_a_deck_is_shown(client):
    board = client.get(f"{BASE}/decks/panda-gorilla").json()["board"]
    assert client.get(board["image"]).headers["content-type"] == "image/png"


@pytest.mark.parametrize("sent", [b"no zip", b"PK\x03\x04 broken"])
def test_what_is_no_pack_is_refused_and_leaves_nothing(client, data, sent):
    body = problem(send(client, sent), 422)
    assert str(data) not in str(body)
    assert list((data / "decks").iterdir()) == []


def test_a_broken_pack_names_the_place(client, tmp_path, data):
    folder = write_tiny_deck(tmp_path / "tiny")
    broken = zipped(folder, deck=TINY_DECK.replace("head: lion", "head: 3").encode())
    body = problem(send(client, broken), 422)
    assert body["errors"][0]["place"].startswith("cards[0]")
    assert str(data) not in str(body)
    assert list((data / "decks").iterdir()) == []


def test_a_pack_with_a_name_that_leads_out_of_it_is_refused(client, tmp_path):
    folder = write_tiny_deck(tmp_path / "tiny")
    outside = TINY_DECK.replace("image: a1.png", "image: ../../etc/passwd").encode()
    problem(send(client, zipped(folder, deck=outside)), 422)


def test_a_pack_that_grows_too_large_when_unpacked_is_refused(data, tmp_path):
    folder = write_tiny_deck(tmp_path / "tiny")
    (folder / "zeros.bin").write_bytes(bytes(3_000_000))
    bomb = zipped(folder)
    assert len(bomb) < 100_000
    app = create_app(Settings(data, limits=Limits(unpacked_bytes=2_000_000)))
    with TestClient(app, base_url="http://localhost") as client:
        body = problem(send(client, bomb), 422)
    assert "of files" in body["detail"]


def test_a_pack_with_a_picture_of_too_many_pixels_is_refused(data, tmp_path):
    pack = zipped(write_tiny_deck(tmp_path / "tiny"))
    app = create_app(Settings(data, limits=Limits(pixels=50_000)))
    with TestClient(app, base_url="http://localhost") as client:
        assert "million pixels" in problem(send(client, pack), 422)["detail"]


def test_a_pack_that_is_too_large_is_not_read(data, pack):
    app = create_app(Settings(data, limits=Limits(pack_bytes=1000)))
    with TestClient(app, base_url="http://localhost") as client:
        problem(send(client, pack + bytes(200_000)), 413)
