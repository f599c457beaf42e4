"""What somebody on the network may try: each costs the service no more than an answer."""

from __future__ import annotations

import asyncio
import io
import json
import socket
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from referee.server import service as services
from referee.server import tables
from referee.server.app import create_app
from referee.server.archive import sealed
from referee.server.bodies import BodyLimit
from referee.server.settings import Limits, Settings
from referee.server.tables import Table
from referee.server.watching import WatchOrder
from tests.builders import write_tiny_deck
from tests.referee.server.conftest import BASE, TestClient
from tests.referee.server.running import RECORDINGS, TINY, RunningService, wait_for
from tests.referee.server.test_access import KEEPER, PLAYER, bearer
from tests.referee.server.test_decks import send as send_deck
from tests.referee.server.test_decks import zipped as zipped_deck
from tests.referee.server.test_incoming import played, send, zipped
from tests.referee.server.test_problems import JSON
from tests.referee.server.test_rules import problem


@pytest.fixture
def guarded(data):
    settings = Settings(data, keeper_token=KEEPER, player_token=PLAYER)
    with TestClient(create_app(settings), base_url="http://table.lan:8000") as client:
        yield client


# ---- roles --------------------------------------------------------------------------------------


def keepers_table(client) -> str:
    sent = zipped(sealed(played()))
    files = {"file": ("match.zip", sent)}
    answer = client.post(f"{BASE}/import", files=files, headers=bearer(KEEPER))
    assert answer.status_code == 201, answer.text
    return answer.headers["location"]


@pytest.mark.parametrize(
    "action",
    [
        {"player": "red", "do": "cover", "card": "a10", "t": 0.1},
        {"player": "blue", "do": "withdraw", "t": 4.5},
    ],
)
def test_a_player_tells_nothing_of_where_camera_cards_lie(guarded, action):
    table = keepers_table(guarded)
    answer = guarded.post(f"{table}/actions", json=action, headers=bearer(PLAYER))
    assert problem(answer, 403)["code"] == "keeper-only"
    told = guarded.post(f"{table}/actions", json=action, headers=bearer(KEEPER))
    assert told.status_code == 201, told.text


@pytest.mark.parametrize("do", ["pass", "no-match"])
def test_a_player_says_what_is_said_at_the_table(guarded, do):
    table = keepers_table(guarded)
    action = {"player": "red", "do": do}
    told = guarded.post(f"{table}/actions", json=action, headers=bearer(PLAYER))
    assert told.status_code == 201, told.text


EVERYTHING = {"get", "post", "put", "patch", "delete"}
PLAYERS = {("post", f"{BASE}/judge"), ("post", f"{BASE}/tables/{{table_id}}/actions")}


def test_a_player_changes_nothing_by_any_other_route(guarded):
    described = guarded.get("/openapi.json", headers=bearer(KEEPER)).json()["paths"]
    for path, methods in described.items():
        for method in EVERYTHING & methods.keys() - {"get"}:
            if (method, path) not in PLAYERS:
                url = path.replace("{table_id}", "x")
                answer = guarded.request(method, url, headers=bearer(PLAYER))
                assert problem(answer, 403)["code"] == "keeper-only", (method, path)


def test_nobody_without_a_token_is_told_more_by_one_way_of_asking_than_by_another(guarded):
    for url in (
        f"{BASE}/tables",
        f"{BASE}//tables",
        f"{BASE}/tables/",
        f"{BASE}/health/../tables",
        f"{BASE}/health%2f..%2ftables",
        "/health/x",
        f"{BASE}/tables?token=",
        f"{BASE}/tables?token=wrong&token=",
    ):
        for method in ("GET", "HEAD", "OPTIONS", "POST", "TRACE"):
            assert guarded.request(method, url).status_code == 401, (method, url)
    forged = {"Cookie": f'table_referee_token="{KEEPER[:-1]}"'}
    problem(guarded.get(f"{BASE}/tables", headers=forged), 401)


def test_players_are_not_shown_the_password_of_a_stream(data):
    """Whoever may look at a table may not log in to its camera."""
    settings = Settings(data, keeper_token=KEEPER, player_token=PLAYER)
    with TestClient(create_app(settings), base_url="http://table.lan") as client:
        source = {"stream": "rtsp://me:secret@127.0.0.1:9/table?key=hidden"}
        opened = client.post(
            f"{BASE}/tables", json={**TINY, "source": source}, headers=bearer(KEEPER)
        )
        table = opened.headers["location"]
        wait_for(lambda: client.get(table, headers=bearer(PLAYER)).json()["state"] == "failed")
        for what in ("", "/events", "/export"):
            answer = client.get(table + what, headers=bearer(PLAYER))
            content = answer.content
            if what == "/export":
                content = zipfile.ZipFile(io.BytesIO(content)).read("match.json")
            assert b"secret" not in content
            assert b"hidden" not in content
        assert client.get(table, headers=bearer(PLAYER)).json()["source"] == {
            "stream": "rtsp://127.0.0.1:9/table"
        }


# ---- too much -----------------------------------------------------------------------------------


def test_many_tables_at_once_are_no_more_than_may_be(data, monkeypatch):
    start = Table.start

    def start_slowly(table: Table, order: WatchOrder) -> None:
        time.sleep(0.2)
        start(table, order)

    monkeypatch.setattr(Table, "start", start_slowly)
    app = create_app(Settings(data, recordings=RECORDINGS, limits=Limits(tables=2)))
    with TestClient(app, base_url="http://localhost") as client, ThreadPoolExecutor(8) as pool:
        order = {**TINY, "realtime": True}
        answers = list(pool.map(lambda _: client.post(f"{BASE}/tables", json=order), range(8)))
        assert sorted(answer.status_code for answer in answers) == [201] * 2 + [409] * 6
        assert len(client.get(f"{BASE}/tables").json()["tables"]) == 2


def test_a_question_that_takes_long_keeps_no_other_route(data, monkeypatch):
    """Forty threads serve all routes: questions must not take all of them."""
    gate = threading.Event()
    monkeypatch.setattr(services, "judge", lambda *_: gate.wait(60) and {})
    with TestClient(create_app(Settings(data)), base_url="http://localhost") as client:
        with ThreadPoolExecutor(60) as pool:
            asked = [
                pool.submit(client.post, f"{BASE}/judge", json={"game": "x"}) for _ in range(50)
            ]
            time.sleep(1.0)
            began = time.monotonic()
            assert client.get(f"{BASE}/decks").status_code == 200
            took_s = time.monotonic() - began
            gate.set()
        assert took_s < 20
        assert {each.result().status_code for each in asked} == {200}


def test_what_is_said_without_end_is_refused_at_last(guarded, monkeypatch):
    monkeypatch.setattr(tables, "_MOST_ACTIONS", 3)
    table = keepers_table(guarded)  # one has been said there
    order = {"player": "red", "do": "pass"}
    for _ in range(2):
        answer = guarded.post(f"{table}/actions", json=order, headers=bearer(PLAYER))
        assert answer.status_code == 201
    answer = guarded.post(f"{table}/actions", json=order, headers=bearer(PLAYER))
    assert problem(answer, 413)["code"] == "too-large"


def test_a_follower_who_sends_much_is_left(tmp_path):
    with RunningService(tmp_path) as service:
        table = service.open_table({**TINY, "realtime": True})
        url = f"{service.url_of(table).replace('http', 'ws', 1)}/events"
        with connect(url) as socket:
            socket.send("a word")
            socket.send("x" * 1_000_000)
            with pytest.raises(ConnectionClosedError):
                list(socket)
            assert socket.close_code == 1009
        assert service.client.get(table).status_code == 200


def test_an_offer_beyond_number_is_refused(client):
    question = {"game": "panda-gorilla", "offer": [f"p{number}" for number in range(5000)]}
    body = problem(client.post(f"{BASE}/judge", json=question), 422)
    assert body["errors"][0]["place"] == "offer"


def test_a_deck_of_too_much_text_is_refused_before_it_is_read(data, tmp_path):
    folder = write_tiny_deck(tmp_path / "tiny")
    text = (folder / "deck.yaml").read_bytes() + b"# " + b"x" * 200_000
    app = create_app(Settings(data, limits=Limits(deck_yaml_bytes=100_000)))
    with TestClient(app, base_url="http://localhost") as client:
        body = problem(send_deck(client, zipped_deck(folder, deck=text)), 422)
        assert body["detail"].startswith("deck.yaml: expected at most 97 kB")


def test_a_deck_that_is_packed_oddly_and_broken_is_refused(client, tmp_path):
    folder = write_tiny_deck(tmp_path / "tiny")
    for method in (zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", method) as archive:
            archive.writestr("deck.yaml", (folder / "deck.yaml").read_bytes() * 3)
        broken = bytearray(out.getvalue())
        for index in range(60, 100):
            broken[index] ^= 0x55
        assert problem(send_deck(client, bytes(broken)), 422)["code"] == "no-deck-pack"


# ---- too slow -----------------------------------------------------------------------------------


def test_a_body_that_does_not_come_is_given_up():
    async def wait() -> dict:
        await asyncio.sleep(60)
        return {"type": "http.request", "body": b"", "more_body": False}

    async def app(scope, receive, send) -> None:
        await receive()

    scope = {"type": "http", "path": f"{BASE}/judge", "headers": []}
    limited = BodyLimit(app, Limits(body_wait_s=0.05), BASE)
    with pytest.raises(Exception, match="did not come within") as caught:
        asyncio.run(limited(scope, wait, wait))
    assert (caught.value.status_code, caught.value.code) == (408, "too-slow")


def test_whoever_has_sent_all_may_wait_for_the_answer_as_long_as_it_takes():
    async def app(scope, receive, send) -> None:
        assert (await receive())["body"] == b"all"
        assert (await receive())["type"] == "http.disconnect"

    sent = [{"type": "http.request", "body": b"all", "more_body": False}]

    async def receive() -> dict:
        if sent:
            return sent.pop()
        await asyncio.sleep(0.2)
        return {"type": "http.disconnect"}

    scope = {"type": "http", "path": f"{BASE}/judge", "headers": []}
    limited = BodyLimit(app, Limits(body_wait_s=0.05), BASE)
    asyncio.run(limited(scope, receive, receive))


def test_many_who_send_nothing_keep_nobody_from_being_answered(tmp_path):
    """Slow uploads: each holds a connection and no thread."""
    with RunningService(tmp_path) as service:
        address = ("127.0.0.1", service.client.base_url.port)
        head = (
            b"POST /api/v1/import HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 999999\r\n\r\nPK"
        )
        slow = [socket.create_connection(address) for _ in range(100)]
        try:
            for each in slow:
                each.sendall(head)
            for path in ("/health", "/decks", "/tables", "/recordings"):
                assert service.client.get(path).status_code == 200
        finally:
            for each in slow:
                each.close()


def test_an_order_of_many_keys_is_refused_by_the_first(client):
    order = {**TINY, **{f"k{number}": number for number in range(20_000)}}
    began = time.process_time()
    answer = client.post(f"{BASE}/tables", content=json.dumps(order), headers=JSON)
    body = problem(answer, 422)
    assert len(answer.content) < 10_000, "as much as was sent"
    assert len(body["errors"]) <= 20
    assert time.process_time() - began < 5


def test_an_import_leaves_no_half_of_itself(client, data):
    match = played()
    match["records"][2][2]["card"] = "a99"
    problem(send(client, zipped(sealed(match))), 422)
    assert not (data / "evidence").exists() or list((data / "evidence").iterdir()) == []
