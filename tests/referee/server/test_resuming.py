"""Kill it whenever you like and start it again: the match goes on, no ruling lost or doubled."""

from __future__ import annotations

import io
import time
from pathlib import Path

import av
import pytest

from referee.server.app import create_app
from referee.server.settings import Settings
from referee.storage import StorageError, StoredTable, open_storage
from tests.referee.server.conftest import TestClient
from tests.referee.server.running import RECORDINGS, SAMPLE, TINY, RunningService, wait_for


def bare(events):
    """Returns events without their numbers, and rounds without the time at which they were told."""
    return [{name: e[name] for name in e if name not in ("seq",)} for e in events]


@pytest.fixture
def service(tmp_path):
    with RunningService(tmp_path) as service:
        yield service


def left_alone(folder, spec):
    """What a service tells of a recording that nobody disturbs."""
    with RunningService(folder) as service:
        table = service.open_table(spec)
        wait_for(lambda: service.state(table) != "open")
        events = service.events(table)
    assert "round" in [event["type"] for event in events]
    return bare(events)


def killed_at(service, spec, count):
    """What a service tells that is killed after some events and started again."""
    table = service.open_table(spec)
    wait_for(lambda: len(service.events(table)) >= count)
    before = service.events(table)
    service.kill()
    service.start()
    assert service.events(table)[: len(before)] == before
    wait_for(lambda: service.state(table) != "open")
    assert service.state(table) == "ended"
    return bare(service.events(table))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return left_alone(tmp_path_factory.mktemp("whole"), TINY)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_match_goes_on_after_kill_9(service, whole, count):
    assert killed_at(service, TINY, count) == whole


@pytest.mark.system
@pytest.mark.parametrize("count", [4, 8])
def test_a_match_with_revised_claims_goes_on_after_kill_9(service, tmp_path_factory, count):
    whole = left_alone(tmp_path_factory.mktemp("whole"), SAMPLE)
    assert killed_at(service, SAMPLE, count) == whole


def test_what_people_said_is_there_after_kill_9(service):
    table = service.open_table(TINY)
    wait_for(lambda: service.state(table) == "ended")
    claim = service.client.get(f"{table}/claims").json()["claims"][0]
    order = {"seq": claim["seq"], "replace": {"player": "green"}, "why": "misread"}
    assert service.client.post(f"{table}/corrections", json=order).status_code == 201
    events, scores = service.events(table), service.client.get(f"{table}/scores").json()
    service.kill()
    service.start()
    assert service.events(table) == events
    assert service.client.get(f"{table}/scores").json() == scores
    assert scores["scores"] == {"orange": 0, "green": 1}


@pytest.mark.parametrize("end", [RunningService.kill, RunningService.stop])
def test_a_claim_has_its_film_though_the_service_went_just_after_it(service, end):
    table = service.open_table({**TINY, "realtime": True})
    wait_for(lambda: [e for e in service.events(table) if e["type"] == "claim"])
    end(service)
    service.start()
    wait_for(lambda: service.state(table) == "ended")
    (claim,) = service.client.get(f"{table}/claims").json()["claims"]
    names = [url.rpartition("-")[2] for url in claim["evidence"]]
    assert names == ["before.jpg", "at.jpg", "after.jpg", "film.mp4"]
    film = service.client.get(service.url_of(claim["evidence"][-1].removeprefix("/api/v1")))
    with av.open(io.BytesIO(film.content)) as container:
        times = [frame.time for frame in container.decode(video=0)]
    assert times[-1] == pytest.approx(1.8, abs=0.1)  # the whole of it
    assert [e for e in service.events(table) if e.get("code") == "evidence-lost"] == []


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="asks Linux for children")
def test_a_table_is_not_watched_by_an_orphan(service):
    service.open_table({**SAMPLE, "realtime": True})
    children = wait_for(lambda: children_of(service.process.pid))
    service.kill()
    wait_for(lambda: not [pid for pid in children if is_alive(pid)], 15)


def children_of(pid: int) -> list[int]:
    files = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(word) for file in files for word in file.read_text(encoding="ascii").split()]


def is_alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except FileNotFoundError:
        return False
    return stat.rsplit(")", 1)[1].split()[0] != "Z"


def test_a_data_folder_belongs_to_one_service(tmp_path):
    app = create_app(Settings(tmp_path))
    with pytest.raises(StorageError, match="another service"):
        create_app(Settings(tmp_path))
    app.state.service.stop()
    create_app(Settings(tmp_path)).state.service.stop()


def test_a_table_whose_recording_has_gone_says_so_instead_of_waiting_for_ever(tmp_path):
    recording = tmp_path / "recordings" / "mine.mp4"
    recording.parent.mkdir()
    recording.write_bytes((RECORDINGS / "tiny.mp4").read_bytes())
    order = {**TINY, "source": {"recording": "mine.mp4"}, "realtime": True}
    with TestClient(create_app(Settings(tmp_path)), base_url="http://localhost") as client:
        table = client.post("/api/v1/tables", json=order).headers["location"]
        assert client.get(table).json()["state"] == "open"
    recording.unlink()
    with TestClient(create_app(Settings(tmp_path)), base_url="http://localhost") as client:
        told = client.get(table).json()
        assert told["state"] == "failed"
        assert "none of that name" in told["reason"]
        last = client.get(f"{table}/events").json()["events"][-1]
        assert last["code"] == "watch-stopped"
    with TestClient(create_app(Settings(tmp_path)), base_url="http://localhost") as client:
        assert client.get(f"{table}/events").json()["events"][-1] == last


def test_a_table_with_an_address_of_an_older_version_can_be_looked_at(tmp_path):
    storage = open_storage(tmp_path)
    spec = {**TINY, "source": {"stream": "rtmp://me:secret@host/x"}, "variant": "normal"}
    storage.add_table(StoredTable("old", {**spec, "rulings": {}}, 1.0, "ended"))
    storage.close()
    with TestClient(create_app(Settings(tmp_path)), base_url="http://localhost") as client:
        (table,) = client.get("/api/v1/tables").json()["tables"]
    assert table["source"] == {"stream": ""}


def test_a_realtime_table_keeps_its_pace(service):
    table = service.open_table({**TINY, "realtime": True})
    wait_for(lambda: service.client.get(table).json()["clock"] > 0.5)
    began, clock = time.monotonic(), service.client.get(table).json()["clock"]
    time.sleep(2)
    passed = service.client.get(table).json()["clock"] - clock
    assert passed == pytest.approx(time.monotonic() - began, abs=0.8)


def test_an_answer_does_not_wait_for_nagle(service):
    took = []
    for _ in range(20):
        began = time.perf_counter()
        service.client.get("/health")
        took.append(time.perf_counter() - began)
    assert sorted(took)[5] < 0.03
