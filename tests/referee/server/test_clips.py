"""Films of claims: whole or not there, small, few, and never in the way."""

from __future__ import annotations

import threading

import av
import cv2
import numpy as np
import pytest

from referee.server import clips
from referee.server.clips import ClipWriter, write_clip

SIZE = (1280, 720)


def shots(*times: float, size: tuple[int, int] = SIZE) -> list[tuple[float, bytes]]:
    """Frames that grow brighter, as JPEG."""
    made = []
    for index, t in enumerate(times):
        image = np.full((size[1], size[0], 3), 10 + index % 200, np.uint8)
        made.append((t, cv2.imencode(".jpg", image)[1].tobytes()))
    return made


def names(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def frames_of(path) -> list[tuple[float, int, float]]:
    """Time, width and brightness of each frame of a film."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        return [
            (round(float(frame.time), 3), frame.width, frame.to_ndarray(format="gray").mean())
            for frame in container.decode(stream)
        ]


def test_a_film_begins_at_0_keeps_its_times_and_is_small(tmp_path):
    path = tmp_path / "r1-film.mp4"
    write_clip(path, shots(7.0, 7.033, 7.1, 8.8))
    seen = frames_of(path)
    assert [t for t, _, _ in seen] == [0.0, 0.033, 0.1, 1.8]
    assert {width for _, width, _ in seen} == {640}
    assert [round(light) for _, _, light in seen] == pytest.approx([10, 11, 12, 13], abs=2)
    assert names(tmp_path) == ["r1-film.mp4"]


@pytest.mark.parametrize(("wide", "shown"), [(320, 320), (640, 640), (1000, 500), (1280, 640)])
def test_no_film_is_wider_than_640(tmp_path, wide, shown):
    write_clip(tmp_path / "film.mp4", shots(0.0, 0.1, size=(wide, 180)))
    assert frames_of(tmp_path / "film.mp4")[0][1] == shown


def test_of_a_fast_camera_every_second_frame_will_do(tmp_path):
    write_clip(tmp_path / "film.mp4", shots(*(i / 100 for i in range(180)), size=(64, 36)))
    seen = frames_of(tmp_path / "film.mp4")
    assert len(seen) == 90
    assert [t for t, _, _ in seen][:3] == [0.0, 0.02, 0.04]


def test_a_film_that_cannot_be_written_leaves_nothing_and_is_told(tmp_path, caplog):
    writer = ClipWriter(is_patient=True)
    writer.order(tmp_path / "none" / "film.mp4", shots(0.0, 0.1))
    writer.order(tmp_path / "film.mp4", [(0.0, shots(0.0)[0][1]), (0.1, b"none")])
    writer.order(tmp_path / "empty-film.mp4", [(0.0, b"")])
    writer.order(tmp_path / "good-film.mp4", shots(0.0, 0.1))
    writer.finish()
    assert names(tmp_path) == ["good-film.mp4"]
    left_out = [record.message.partition(" is left out")[0] for record in caplog.records]
    assert left_out == ["film.mp4", "film.mp4", "empty-film.mp4"]


def test_nothing_is_written_of_no_frames(tmp_path):
    writer = ClipWriter(is_patient=True)
    writer.order(tmp_path / "film.mp4", [])
    writer.finish()
    assert names(tmp_path) == []


def test_the_oldest_film_goes_and_pictures_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(clips, "_MOST_FILMS", 2)
    (tmp_path / "r1-at.jpg").write_bytes(b"")
    writer = ClipWriter(is_patient=True)
    for number in range(1, 5):
        path = tmp_path / f"r{number}-film.mp4"
        writer.order(path, shots(0.0, 0.1, size=(64, 36)))
    writer.finish()
    assert names(tmp_path) == ["r1-at.jpg", "r3-film.mp4", "r4-film.mp4"]


def test_a_live_table_does_not_wait_for_films(tmp_path, monkeypatch, caplog):
    gate = threading.Event()
    monkeypatch.setattr(clips, "write_clip", lambda path, shots: gate.wait(20))
    writer = ClipWriter(is_patient=False)
    for number in range(20):
        writer.order(tmp_path / f"r{number}-film.mp4", shots(0.0, size=(64, 36)))
    gate.set()
    writer.finish()
    # One is being written, eight wait.
    assert len(caplog.records) in (11, 12)
