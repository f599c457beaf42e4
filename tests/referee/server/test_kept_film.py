"""Recordings of live tables: readable whatever happens, and never in the way."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from referee.server.app import create_app
from referee.server.kept_film import HAS_ENDED, LACKS_FRAMES, KeptFilm, next_part, parts_of
from referee.server.settings import Settings
from tests.referee.server.conftest import BASE, TestClient
from tests.referee.server.running import TINY
from tests.referee.server.test_clips import shots
from vision.film import Film
from vision.source import VideoFile

Told = list[tuple[str, str]]


@pytest.fixture
def told() -> Told:
    return []


def test_every_frame_is_kept_at_its_time(tmp_path: Path, told: Told) -> None:
    path = tmp_path / "a1-1.mkv"
    film = KeptFilm(path, lambda *notice: told.append(notice))
    for t, jpeg in shots(0.0, 0.033, 0.4, 0.433, size=(160, 90)):
        film.add(t, jpeg)
    film.finish()
    assert [frame.timestamp_s for frame in VideoFile(path).frames()] == pytest.approx(
        [0.0, 0.033, 0.4, 0.433], abs=0.001
    )
    assert told == []


def test_a_recording_that_was_cut_off_can_be_read_to_where_it_is(tmp_path: Path, told) -> None:
    path = tmp_path / "a1-1.mkv"
    film = KeptFilm(path, lambda *notice: told.append(notice))
    for t, jpeg in shots(*(i / 10 for i in range(200)), size=(160, 90)):
        film.add(t, jpeg)
        while film._frames.qsize() > 100:
            threading.Event().wait(0.01)
    film.finish()
    cut = tmp_path / "cut-1.mkv"
    cut.write_bytes(path.read_bytes()[:-300])
    assert sum(1 for _ in VideoFile(cut).frames()) > 100


def test_a_slow_machine_leaves_frames_out_and_says_so_once(tmp_path, told, monkeypatch) -> None:
    gate = threading.Event()
    monkeypatch.setattr(Film, "add", lambda *_: gate.wait(20))
    film = KeptFilm(tmp_path / "a1-1.mkv", lambda *notice: told.append(notice))
    (frame,) = shots(0.0, size=(160, 90))
    for _ in range(400):
        film.add(*frame)
    gate.set()
    film.finish()
    assert [code for code, _ in told] == [LACKS_FRAMES]


def test_a_recording_that_cannot_be_written_ends_and_says_so(tmp_path: Path, told: Told) -> None:
    film = KeptFilm(tmp_path / "none" / "a1-1.mkv", lambda *notice: told.append(notice))
    for t, jpeg in shots(*(i / 30 for i in range(120)), size=(160, 90)):
        film.add(t, jpeg)
    film.finish()
    ((code, text),) = told
    assert code == HAS_ENDED
    assert str(tmp_path) not in text


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a disk that is always full")
@pytest.mark.parametrize("count", [3, 120])
def test_a_full_disk_ends_the_recording_and_says_so(tmp_path: Path, told: Told, count) -> None:
    path = tmp_path / "a1-1.mkv"
    path.symlink_to("/dev/full")
    film = KeptFilm(path, lambda *notice: told.append(notice))
    for t, jpeg in shots(*(i / 30 for i in range(count)), size=(160, 90)):
        film.add(t, jpeg)
    film.finish()
    ((code, text),) = told
    assert code == HAS_ENDED
    assert "a1-1.mkv: expected a file to write to, got: No space left on device" in text
    assert str(tmp_path) not in text


def test_each_time_that_a_table_is_watched_makes_a_part(tmp_path: Path) -> None:
    for number in range(1, 12):
        path = next_part(tmp_path, "a1")
        assert path.name == f"a1-{number}.mkv"
        path.touch()
    (tmp_path / "a12-1.mkv").touch()
    assert [path.name for path in parts_of(tmp_path, "a1")][-2:] == ["a1-10.mkv", "a1-11.mkv"]
    assert len(parts_of(tmp_path, "a1")) == 11


def test_what_is_kept_of_a_table_is_told_and_goes_with_it(tmp_path: Path) -> None:
    with TestClient(create_app(Settings(tmp_path)), base_url="http://localhost") as client:
        spec = {**TINY, "source": {"stream": "rtsp://127.0.0.1:9/none"}, "record": True}
        table = client.post(f"{BASE}/tables", json=spec).headers["location"]
        kept = tmp_path / "recordings" / f"{table.rpartition('/')[2]}-1.mkv"
        kept.write_bytes(b"\x1a\x45\xdf\xa3 a recording")
        assert client.get(table).json()["recordings"] == [kept.name]
        assert client.get(f"{BASE}/recordings").json()["recordings"] == [kept.name]
        client.delete(table)
        assert not kept.exists()


def test_a_recording_is_not_kept_twice(client) -> None:
    answer = client.post(f"{BASE}/tables", json={**TINY, "record": True})
    assert answer.status_code == 422
    assert "kept already" in answer.text
