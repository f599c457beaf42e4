"""What goes on and on: events over WebSockets, the live picture, and that nobody holds it up."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from statistics import median

import pytest
from starlette.websockets import WebSocketDisconnect

from referee.server.app import create_app
from referee.server.feed import Latest
from referee.server.settings import Settings
from tests.benchmarks.crowd import measure_crowd
from tests.referee.server.conftest import BASE, TestClient
from tests.referee.server.running import RECORDINGS, TINY, RunningService, wait_for


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Iterator[RunningService]:
    with RunningService(tmp_path_factory.mktemp("data")) as service:
        yield service


def followed(client, table, after, count):
    with client.websocket_connect(f"{table}/events?after={after}") as socket:
        return [socket.receive_json() for _ in range(count)]


def test_a_web_socket_goes_on_where_it_was(tmp_path):
    settings = Settings(tmp_path / "data", recordings=RECORDINGS)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        table = client.post(f"{BASE}/tables", json=TINY).headers["location"]
        live = followed(client, table, 0, 4)
        wait_for(lambda: client.get(table).json()["state"] == "ended")
        assert live == client.get(f"{table}/events").json()["events"]
        assert [event["type"] for event in live] == ["layout", "task", "claim", "round"]
        assert followed(client, table, live[1]["seq"], 2) == live[2:]
        with client.websocket_connect(f"{table}/events?after=99") as socket:
            client.post(f"{table}/actions", json={"player": "green", "do": "pass"})
            client.delete(table)
            with pytest.raises(WebSocketDisconnect) as closed:
                socket.receive_json()
        assert closed.value.code == 1001


@pytest.mark.parametrize("path", ["none/events", "none/events?after=x", "none/events?after=-1"])
def test_a_web_socket_of_nothing_is_closed_with_a_reason(client, path):
    with client.websocket_connect(f"{BASE}/tables/{path}") as socket:
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 1008
        assert closed.value.reason


def test_a_slow_viewer_gets_the_newest_picture_and_no_old_ones():
    async def view() -> tuple[list[bytes], int]:
        latest, seen = Latest(), []
        pictures = latest.pictures(again_s=30)
        latest.put(b"1")
        seen.append(await anext(pictures))
        for number in range(2, 100):
            latest.put(str(number).encode())
        seen.append(await anext(pictures))
        waiting = asyncio.ensure_future(anext(pictures))
        await asyncio.sleep(0.01)
        latest.put(b"100")
        seen.append(await waiting)
        listeners = latest.bell.waiters
        await pictures.aclose()
        return seen, listeners - latest.bell.waiters

    assert asyncio.run(view()) == ([b"1", b"99", b"100"], 1)


def test_a_picture_is_repeated_for_browsers_that_wait_for_the_next():
    async def view() -> list[bytes]:
        latest = Latest()
        latest.put(b"1")
        pictures = latest.pictures(again_s=0.01)
        return [await anext(pictures) for _ in range(3)]

    assert asyncio.run(view()) == [b"1"] * 3


def test_fifty_followers_and_three_viewers_hold_nothing_up_c42(service):
    """Failure C42: viewers of the stream neither block the API nor each other."""
    crowd = measure_crowd(service, "all", followers=50, viewers=2, sleepers=1, rounds=1)
    assert min(crowd.pictures_a_s) > 0.25
    assert median(crowd.answers_s) < 0.25
    assert len(crowd.followed) == 50
    (numbers,) = set(crowd.followed)
    assert list(numbers) == sorted(set(numbers))
    assert crowd.frames > crowd.late >= 0
    wait_for(lambda: "viewers" in service.client.get("/metrics").text)


def test_the_live_picture_is_a_jpeg(service):
    table = service.open_table({**TINY, "realtime": True})
    answer = service.first_picture(table)
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.content.startswith(b"\xff\xd8")
    service.client.delete(table)
