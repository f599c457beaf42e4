"""Live sources: nothing blocks, the newest counts, and whatever goes wrong is told and mended."""

from __future__ import annotations

import itertools
import threading
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from tests.vision.fake_camera import QUICK, WANTED, FakeCamera, Watched, wait_for
from tests.vision.films import write_video
from vision.camera import Setting
from vision.errors import SourceError
from vision.frame import Frame, Image
from vision.live import LiveSource
from vision.live_buffer import Consuming, Filling, FrameBuffer
from vision.live_feed import CameraFeed, FileFeed
from vision.live_health import LagWatch, RateWatch, Repetition
from vision.live_open import open_live
from vision.source import VideoFile

FRONT = {"movflags": "faststart"}
"""Puts the table of contents first, so that a file that was cut short can still be opened."""


def frame(index: int) -> Frame:
    luma = np.zeros((2, 2), np.uint8)
    return Frame(index, index / 10, luma, lambda: luma)


def pictures(count: int) -> list[Image]:
    return [np.full((48, 64, 3), 40 + 2 * index, np.uint8) for index in range(count)]


# ---- buffering -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("consuming", "given", "dropped"),
    [(Consuming.LAZY, [2, 3, 4], 2), (Consuming.EAGER, [4], 4)],
)
def test_a_late_looker_gets_the_newest_frames_c16(
    consuming: Consuming, given: list[int], dropped: int
) -> None:
    buffer = FrameBuffer(Filling.DROP_OLDEST, consuming, bytes_kept=3)
    for index in range(5):
        buffer.put(frame(index), 1)
    buffer.close()
    got = []
    while not buffer.is_over:
        taken = buffer.get(0)
        assert taken is not None
        assert taken.timestamp_s == taken.index / 10
        got.append(taken.index)
    assert (got, buffer.dropped) == (given, dropped)


def test_a_waiting_buffer_loses_nothing_c22() -> None:
    buffer = FrameBuffer(Filling.WAIT, bytes_kept=2)

    def fill() -> None:
        for index in range(9):
            buffer.put(frame(index), 1)
        buffer.close()

    thread = threading.Thread(target=fill)
    thread.start()
    got = []
    while not buffer.is_over:
        time.sleep(0.002)
        taken = buffer.get(1)
        got += [taken.index] if taken is not None else []
    thread.join()
    assert got == list(range(9))
    assert buffer.dropped == 0


def test_closing_a_full_buffer_lets_the_grab_go() -> None:
    buffer = FrameBuffer(Filling.WAIT, bytes_kept=1)
    buffer.put(frame(0), 1)
    thread = threading.Thread(target=buffer.put, args=(frame(1), 1))
    thread.start()
    buffer.close()
    thread.join(2)
    assert not thread.is_alive()


def test_an_empty_buffer_gives_nothing_in_time() -> None:
    assert FrameBuffer().get(0.01) is None


# ---- cameras and their faults ----------------------------------------------------------------


def test_times_start_at_zero_and_increase_c18() -> None:
    with Watched(FakeCamera()) as watched:
        wait_for(lambda: len(watched.times_s) > 20)
    assert watched.times_s[0] == 0.0
    assert all(later > earlier for earlier, later in itertools.pairwise(watched.times_s))
    assert watched.notices == []
    assert watched.error is None
    assert watched.source.broken is None


def test_frames_that_share_a_time_are_one_c18() -> None:
    camera, stamps = FakeCamera(), itertools.count()
    read = camera.read

    def doubled():
        shot = read()
        return shot and replace(shot, time_s=next(stamps) // 2 / 50)

    camera.read = doubled  # type: ignore[method-assign]
    with Watched(camera) as watched:
        wait_for(lambda: len(watched.times_s) > 10)
    steps_s = np.diff(watched.times_s)
    assert steps_s == pytest.approx([0.02] * len(steps_s))


def test_a_camera_slow_to_open_does_not_block_c12() -> None:
    camera = FakeCamera(opens_in_s=0.5)
    with Watched(camera) as watched:
        wait_for(lambda: watched.codes == ["camera-opening"])
        assert camera.times_opened == 0
        wait_for(lambda: len(watched.times_s) > 3)
    assert "still being opened" in watched.text_of("camera-opening")


def test_a_slow_camera_can_be_closed_while_it_opens_c12() -> None:
    with Watched(FakeCamera(opens_in_s=0.4)) as watched:
        wait_for(lambda: watched.codes == ["camera-opening"])
        watched.source.close()
        watched.join()
    assert watched.times_s == []


def test_what_is_not_granted_is_told_at_the_start_c13() -> None:
    with Watched(FakeCamera(grants={Setting.WIDTH: 32, Setting.HEIGHT: 32})) as watched:
        wait_for(lambda: len(watched.times_s) > 3)
    assert watched.notices[0][:2] == (0.0, "camera-mode")
    assert "asked for 64x48, the camera gives 32x32" in watched.text_of("camera-mode")


def test_a_camera_that_may_not_be_used_ends_with_its_reason_c14() -> None:
    with Watched(FakeCamera(refuses="fake: expected permission")) as watched:
        watched.join()
    assert str(watched.error) == "fake: expected permission"


def test_a_camera_that_never_gives_a_picture_ends_with_a_hint_c14() -> None:
    with Watched(FakeCamera(gives_nothing=True)) as watched:
        watched.join()
    assert "opens but gives no picture" in str(watched.error)


def test_an_unplugged_camera_comes_back_c15() -> None:
    camera = FakeCamera()
    with Watched(camera) as watched:
        wait_for(lambda: len(watched.times_s) > 5)
        camera.is_plugged = False
        wait_for(lambda: "camera-lost" in watched.codes)
        before = len(watched.times_s)
        time.sleep(0.2)
        assert len(watched.times_s) == before
        assert watched.source.gaps[-1].until_s == float("inf")
        camera.is_plugged = True
        wait_for(lambda: len(watched.times_s) > before + 5)
    assert watched.codes == ["camera-lost", "camera-back"]
    (gap,) = watched.source.gaps
    assert 0.15 < gap.until_s - gap.from_s < 5
    assert gap.from_s in watched.times_s
    assert gap.until_s in watched.times_s
    assert all(later > earlier for earlier, later in itertools.pairwise(watched.times_s))


def test_a_repeated_last_picture_is_a_stall_c15() -> None:
    camera = FakeCamera()
    with Watched(camera) as watched:
        wait_for(lambda: len(watched.times_s) > 5)
        camera.repeats = True
        wait_for(lambda: "camera-lost" in watched.codes)
        assert "repeats its last picture" in watched.text_of("camera-lost")
        frozen = watched.times_s[-1]
        camera.repeats = False
        wait_for(lambda: watched.times_s[-1] > frozen)
    assert camera.times_opened > 1
    assert watched.source.gaps[0].from_s == frozen


def test_a_covered_lens_is_told_as_such_c39() -> None:
    camera = FakeCamera(black=True)
    with Watched(camera) as watched:
        wait_for(lambda: "camera-lost" in watched.codes)
    assert "black" in watched.text_of("camera-lost")


def test_a_read_that_hangs_is_told_and_given_up_c15() -> None:
    camera = FakeCamera()
    with Watched(camera) as watched:
        wait_for(lambda: len(watched.times_s) > 5)
        hanging = camera.hangs = threading.Event()
        wait_for(lambda: "camera-stalled" in watched.codes)
        assert "camera-lost" not in watched.codes
        camera.hangs = None  # only the read that has begun never comes back
        wait_for(lambda: "camera-back" in watched.codes)
        assert not hanging.is_set()
        hanging.set()
    assert watched.codes[:3] == ["camera-stalled", "camera-lost", "camera-back"]


def test_a_rate_halved_in_the_dark_is_noticed_and_so_is_the_light_c10() -> None:
    camera = FakeCamera(rate_fps=100)
    with Watched(camera) as watched:
        wait_for(lambda: len(watched.times_s) > 30)
        assert watched.notices == []
        camera.rate_fps = 40
        wait_for(lambda: "camera-slow" in watched.codes)
        assert "too little light" in watched.text_of("camera-slow")
        camera.rate_fps = 100
        wait_for(lambda: "camera-rate-restored" in watched.codes)
    assert watched.codes == ["camera-slow", "camera-rate-restored"]


def test_a_slow_looker_gets_every_frame_in_order_with_its_own_time_c16() -> None:
    source = LiveSource(lambda: CameraFeed(FakeCamera(), "fake", WANTED, 0), QUICK)
    seen = []
    for taken in source.frames():
        seen.append((taken.index, taken.timestamp_s))
        if len(seen) == 3:
            time.sleep(0.3)
            newest = source.newest
            assert newest is not None
            assert newest.index > 15
        if len(seen) == 12:
            source.close()
            break
    assert [index for index, _ in seen] == list(range(12))
    assert seen[11][1] < 0.3  # grabbed while the looker slept, and stamped then


def test_frames_that_nobody_took_in_time_are_told_c16() -> None:
    source = LiveSource(lambda: CameraFeed(FakeCamera(), "fake", WANTED, 0), QUICK)
    source._buffer = FrameBuffer(bytes_kept=5 * 64 * 48 * 4)
    told: list[str] = []
    source.subscribe(lambda notice: told.append(notice.text))
    indices = []
    for taken in source.frames():
        indices.append(taken.index)
        if len(indices) == 1:
            wait_for(lambda: source.dropped > 3)
            assert len(told) == 1  # at once, and then not for every frame
        if len(indices) == 4:
            source.close()
    assert indices[1] > 3
    assert told[0].startswith("1 frame was dropped, ")
    assert any("frames were dropped" in text for text in told)


def test_a_camera_that_comes_back_with_another_size_ends_the_source_c15() -> None:
    camera = FakeCamera()
    with Watched(camera) as watched:
        wait_for(lambda: len(watched.times_s) > 5)
        camera.is_plugged = False
        wait_for(lambda: "camera-lost" in watched.codes)
        camera.grants = {Setting.WIDTH: 32, Setting.HEIGHT: 32}
        camera.is_plugged = True
        watched.join()
    assert watched.source.broken == "the picture changed from 64x48 to 32x32"


def test_a_fault_of_the_driver_is_an_error_and_no_silent_end() -> None:
    camera = FakeCamera()
    with Watched(camera) as watched:
        wait_for(lambda: len(watched.times_s) > 2)
        camera.read = lambda: 1 / 0  # type: ignore[method-assign]
        watched.join()
    assert "ZeroDivisionError" in str(watched.error)


def test_notices_from_before_anybody_listened_are_told() -> None:
    camera = FakeCamera(grants={Setting.WIDTH: 32})
    source = LiveSource(lambda: CameraFeed(camera, "fake", WANTED, 0), QUICK)
    frames = source.frames()
    next(frames)
    told: list[str] = []
    source.subscribe(lambda notice: told.append(notice.code))
    source.close()
    assert told == ["camera-mode"]


# ---- a recording in place of a camera --------------------------------------------------------


def test_a_recording_comes_at_its_own_pace_with_its_own_times_c17(tmp_path: Path) -> None:
    times_ms = [0, 33, 66, 300, 333, 400]
    path = write_video(tmp_path / "vfr.mp4", pictures(6), times_ms)
    source = open_live(str(path))
    started_s, arrivals_s, times_s = time.monotonic(), [], []
    for taken in source.frames():
        arrivals_s.append(time.monotonic() - started_s)
        times_s.append(taken.timestamp_s)
    assert times_s == pytest.approx([at / 1000 for at in times_ms], abs=1e-6)
    assert times_s == [taken.timestamp_s for taken in VideoFile(path).frames()]
    late_s = [at - arrivals_s[0] - due for at, due in zip(arrivals_s, times_s, strict=True)]
    assert min(late_s) > -0.02
    assert source.dropped == 0
    assert 0.39 < source.now_s() < 5


def write_ten_bit(path: Path, trc: str) -> Path:
    """Writes a grey wedge with 10 bits a channel, tagged with a transfer."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx265", rate=25)
        stream.width, stream.height, stream.pix_fmt = 256, 64, "yuv420p10le"
        wide = "colorprim=bt2020:colormatrix=bt2020nc"
        stream.options = {"x265-params": f"log-level=none:crf=8:transfer={trc}:{wide}"}
        wedge = np.tile(np.arange(256, dtype=np.uint8), (64, 1))
        for index in range(3):
            grey = av.VideoFrame.from_ndarray(wedge, format="gray").reformat(format="yuv420p10le")
            grey.pts, grey.time_base = index, Fraction(1, 25)
            container.mux(stream.encode(grey))
        container.mux(stream.encode())
    return path


@pytest.mark.skipif("libx265" not in av.codecs_available, reason="needs an encoder of HEVC")
@pytest.mark.parametrize(("trc", "is_told"), [("bt709", False), ("smpte2084", True)])
def test_ten_bits_are_read_and_hdr_is_told_c20(tmp_path: Path, trc: str, is_told: bool) -> None:
    source = open_live(str(write_ten_bit(tmp_path / "ten.mp4", trc)))
    told: list[str] = []
    source.subscribe(lambda notice: told.append(notice.text))
    frames = list(source.frames())
    assert len(frames) == 3
    wedge = frames[-1].luma.astype(int).mean(axis=0)
    assert wedge[20:-20:20] == pytest.approx(np.arange(256)[20:-20:20], abs=18)
    assert all(later > earlier for earlier, later in itertools.pairwise(wedge[20:-20:20]))
    assert frames[-1].to_bgr().dtype == np.uint8
    assert any("HDR" in text for text in told) == is_told


def test_viewers_of_the_newest_picture_take_no_frame_from_the_referee_c42() -> None:
    with Watched(FakeCamera()) as watched:
        done = threading.Event()
        seen: list[set[int]] = [set(), set(), set()]

        def view(mine: set[int]) -> None:
            while not done.is_set():
                newest = watched.source.newest
                if newest is not None:
                    mine.add(newest.index)
                time.sleep(0.001)

        viewers = [threading.Thread(target=view, args=(mine,)) for mine in seen]
        for viewer in viewers:
            viewer.start()
        wait_for(lambda: len(watched.times_s) > 40)
        done.set()
        for viewer in viewers:
            viewer.join()
        assert watched.source.dropped == 0
        grabbed = watched.source.grabbed
    assert all(len(mine) > 15 for mine in seen)
    assert len(watched.times_s) >= grabbed


def test_a_recording_that_keeps_no_pace_gives_every_frame_c22(tmp_path: Path) -> None:
    path = write_video(tmp_path / "long.mp4", pictures(60), [200 * i for i in range(60)])
    source = open_live(str(path), is_realtime=False)
    source._buffer = FrameBuffer(Filling.WAIT, bytes_kept=4 * 64 * 48)
    indices = []
    for taken in source.frames():
        time.sleep(0.001)
        indices.append(taken.index)
    assert indices == list(range(60))
    assert source.dropped == 0


def test_a_pause_in_a_recording_is_no_silent_camera(tmp_path: Path) -> None:
    path = write_video(tmp_path / "pause.mp4", pictures(6), [0, 33, 66, 1066, 1100, 1133])
    source = LiveSource(lambda: FileFeed(VideoFile(path)), QUICK)
    told: list[str] = []
    source.subscribe(lambda notice: told.append(notice.code))
    assert [taken.index for taken in source.frames()] == list(range(6))
    assert told == []
    assert source.gaps == []


def test_a_broken_recording_says_so_at_its_end(tmp_path: Path) -> None:
    path = write_video(tmp_path / "whole.mp4", pictures(60), [2 * i for i in range(60)])
    cut = tmp_path / "cut.mp4"
    with av.open(str(path)) as whole, av.open(str(cut), "w", options=FRONT) as copy:
        stream = copy.add_stream_from_template(whole.streams.video[0])
        for packet in whole.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                copy.mux(packet)
    cut.write_bytes(cut.read_bytes()[: -path.stat().st_size // 4])
    source, plain = open_live(str(cut)), VideoFile(cut)
    assert 5 < len(list(source.frames())) == len(list(plain.frames())) < 60
    assert source.broken == plain.broken
    assert source.broken is not None


@pytest.mark.parametrize(
    "what",
    [
        "ftp://host/film.mp4", "file:///etc/passwd", "rtsp://", "nobody", "", "a\nb", "-1",
        "rtsp://host:99999/x", "rtsp://host:x/", "http://[::1/x", "http://host/a b",
        "http://host/x\r\nX-Header: y",
    ],
)  # fmt: skip
def test_what_is_no_source_is_said_in_one_sentence(what: str) -> None:
    with pytest.raises(SourceError, match="expected") as caught:
        open_live(what)
    assert str(caught.value).isprintable()


# ---- health ----------------------------------------------------------------------------------


def test_noise_is_no_repetition() -> None:
    noisy = np.random.default_rng(1).integers(100, 104, (2, 64, 64)).astype(np.uint8)
    repetition = Repetition()
    assert [repetition.repeats(luma, at) for at, luma in enumerate([*noisy, noisy[1]])] == [
        False,
        False,
        True,
    ]
    assert repetition.since_s == 1


@pytest.mark.parametrize("usual_fps", [0.0, 30.0])
def test_slow_frames_are_told_once_and_their_end_once_c10(usual_fps: float) -> None:
    watch, now_s, told = RateWatch(usual_fps), 0.0, []
    for fps in [30] * 40 + [15] * 60 + [30] * 60:
        now_s += 1 / fps
        notice = watch.take(now_s)
        if notice is not None:
            told.append((notice.code, notice.text.split(" frames")[0]))
    assert told == [("camera-slow", "15"), ("camera-rate-restored", "30")]


def test_jitter_is_no_slow_camera_c21() -> None:
    rng, watch = np.random.default_rng(3), RateWatch(30)
    stamps = np.arange(300) / 30 + rng.uniform(0, 0.03, 300)
    assert [watch.take(float(at)) for at in stamps] == [None] * 300


def test_a_stream_that_falls_behind_is_told_c21() -> None:
    watch = LagWatch()
    notices = [watch.take(float(at), lag) for at, lag in enumerate([0.1, 0.9, 1.4, 2.0, 0.8, 0.3])]
    assert [n.code if n else None for n in notices] == [
        None,
        None,
        "stream-late",
        None,
        None,
        "stream-caught-up",
    ]
