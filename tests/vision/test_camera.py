"""Cameras by their stable names, negotiated and verified; each fault is told in words."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from tests.vision.fake_camera import WANTED, FakeCamera
from vision import camera_opencv
from vision.camera import (
    CameraMode,
    Setting,
    from_fourcc,
    measure,
    negotiate,
    rate_of,
    shortfalls,
    to_fourcc,
)
from vision.camera_list import CameraInfo, find_camera, list_cameras
from vision.camera_opencv import OpenCvCamera, grab_time, shot_of, why_closed
from vision.errors import SourceError
from vision.live_feed import CameraFeed

BRIO = CameraInfo("usb-Logitech_BRIO_1234", 2, "Logitech BRIO", Path("/dev/video2"))
INNER = CameraInfo("usb-Chicony_HD_0001", 0, "HD WebCam", Path("/dev/video0"))


def plug_in(root: Path, number: int, label: str, by_id: str | None, node: str = "0") -> None:
    """Makes the files that Linux shows for one camera."""
    folder = root / "sys/class/video4linux" / f"video{number}"
    folder.mkdir(parents=True)
    (folder / "name").write_text(label + "\n", encoding="utf-8")
    (folder / "index").write_text(node + "\n", encoding="utf-8")
    device = root / "dev" / f"video{number}"
    device.parent.mkdir(exist_ok=True)
    device.touch()
    if by_id:
        links = root / "dev/v4l/by-id"
        links.mkdir(parents=True, exist_ok=True)
        (links / f"{by_id}-video-index{node}").symlink_to(f"../../video{number}")


def test_no_cameras(tmp_path: Path) -> None:
    assert list_cameras(tmp_path, "linux") == []


def test_a_camera_keeps_its_name_when_its_index_changes_c11(tmp_path: Path) -> None:
    for order, root in enumerate((tmp_path / "before", tmp_path / "after")):
        plug_in(root, 2 * order, "HD WebCam", "usb-Chicony_HD_0001")
        plug_in(root, 2 * order + 1, "HD WebCam", None, node="1")  # metadata, no pictures
        plug_in(root, 2 - 2 * order, "Logitech BRIO", "usb-Logitech_BRIO_1234")
    found = [list_cameras(tmp_path / name, "linux") for name in ("before", "after")]
    assert [[camera.index for camera in cameras] for cameras in found] == [[0, 2], [0, 2]]
    assert [find_camera("usb-Logitech_BRIO_1234", cameras).index for cameras in found] == [2, 0]


def test_cameras_of_one_kind_without_ids_are_told_apart(tmp_path: Path) -> None:
    plug_in(tmp_path, 0, "HD WebCam", None)
    plug_in(tmp_path, 2, "HD WebCam", None)
    plug_in(tmp_path, 10, "BRIO", None)
    names = [camera.name for camera in list_cameras(tmp_path, "linux")]
    assert names == ["video0", "video2", "BRIO"]


def test_elsewhere_cameras_go_by_their_index(tmp_path: Path) -> None:
    assert [camera.name for camera in list_cameras(tmp_path, "darwin")] == ["0", "1", "2", "3"]


@pytest.mark.parametrize("text", ["usb-Logitech_BRIO_1234", "logitech brio", "2", "/dev/video2"])
def test_a_camera_is_found_by_name_label_index_or_file(text: str) -> None:
    assert find_camera(text, [INNER, BRIO]) is BRIO


@pytest.mark.parametrize(("text", "what"), [("1", "plugged in"), ("usb", "one camera"), ("", "")])
def test_a_wrong_camera_is_answered_with_the_list_c11(text: str, what: str) -> None:
    with pytest.raises(SourceError) as caught:
        find_camera(text, [INNER, BRIO])
    for part in (what, INNER.name, BRIO.name, "0:", "2:"):
        assert part in str(caught.value)


@pytest.mark.parametrize("text", ["", "  ", "-1", "BRIO\r\n", "in\nner", "\x1b[2J", "0\0"])
def test_a_name_that_no_camera_has_is_told_in_one_plain_line(text: str) -> None:
    odd = CameraInfo("video-node", -1, "metadata")
    with pytest.raises(SourceError, match="plugged in") as caught:
        find_camera(text, [INNER, odd])
    assert str(caught.value).isprintable()
    assert not str(caught.value).startswith((":", " "))


def test_the_format_is_asked_for_before_the_size_and_the_rate_c13() -> None:
    camera = FakeCamera()
    assert negotiate(camera, WANTED) == WANTED
    assert camera.calls == ["PIXEL_FORMAT", "WIDTH", "HEIGHT", "RATE"]


def test_a_format_that_the_size_took_back_is_asked_for_again_c13() -> None:
    assert negotiate(FakeCamera(forgets_format=True), WANTED).pixel_format == "MJPG"


def test_a_format_that_is_ignored_is_told_c13() -> None:
    yuyv = {Setting.PIXEL_FORMAT: float(to_fourcc("YUYV")), Setting.WIDTH: 32, Setting.HEIGHT: 24}
    camera = FakeCamera(grants=yuyv, rate_fps=30)
    said = negotiate(camera, WANTED)
    given = measure(camera, said, frames=15)
    assert (given.pixel_format, given.size_wh) == ("YUYV", (32, 24))
    format_told, size_told, rate_told = shortfalls(WANTED, given)
    assert "YUYV" in format_told
    assert "32x24" in size_told
    assert "100 frames a second" in rate_told


def test_the_size_is_that_of_the_pictures_whatever_the_driver_says_c13() -> None:
    camera = FakeCamera()
    negotiate(camera, WANTED)
    lie = CameraMode("MJPG", (1920, 1080), 100)
    assert measure(camera, lie, frames=8).size_wh == (64, 48)


def test_nothing_is_told_of_a_camera_that_gives_what_was_asked() -> None:
    assert shortfalls(WANTED, WANTED) == []


def test_rate_is_that_of_the_stamps() -> None:
    assert rate_of([]) == rate_of([1.0]) == 0
    assert rate_of([0.0, 0.1, 0.2, 0.9, 1.0]) == pytest.approx(10)


def test_a_format_that_is_no_word_has_no_name() -> None:
    assert from_fourcc(to_fourcc("MJPG")) == "MJPG"
    assert from_fourcc(0) == from_fourcc(-466162819) == ""


def test_a_picture_that_waited_in_a_buffer_keeps_its_time_c16() -> None:
    assert grab_time(100.0, 99.7) == 99.7


@pytest.mark.parametrize("stamp_s", [0.0, 100.5, 1_700_000_000.0, 12.0])
def test_a_stamp_of_another_clock_is_not_believed_c16(stamp_s: float) -> None:
    assert grab_time(100.0, stamp_s) == 100.0


def test_a_shot_of_a_grey_camera_has_colour_too() -> None:
    shot = shot_of(np.full((4, 6), 9, np.uint8), 0.0)
    assert shot.luma.shape == (4, 6)
    assert shot.to_bgr().shape == (4, 6, 3)


@pytest.mark.parametrize("size_hw", [(48, 64), (49, 65)])
def test_a_shot_keeps_its_colours_in_half_the_memory(size_hw: tuple[int, int]) -> None:
    image = np.zeros((*size_hw, 3), np.uint8)
    image[:20, :30] = (200, 30, 60)
    image[20:] = (40, 120, 220)
    shot = shot_of(image, 0.0)
    assert shot.luma.shape == (48, 64)
    assert shot.nbytes == image[:48, :64].nbytes / 2
    assert np.abs(shot.to_bgr().astype(int) - image[:48, :64])[:18, :28].max() <= 3
    assert np.abs(shot.to_bgr().astype(int) - image[:48, :64])[22:].max() <= 3


def test_no_permission_is_said_with_what_to_do_c14(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(tmp_path, 0, "HD WebCam", "usb-Chicony_HD_0001")
    monkeypatch.setattr(camera_opencv, "list_cameras", lambda: list_cameras(tmp_path, "linux"))
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(SourceError, match=r"permission to use .*video0.*usermod -aG video"):
        OpenCvCamera("usb-Chicony_HD_0001").open()


def test_no_picture_without_permission_is_a_human_message_c14(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    feed = CameraFeed(FakeCamera(gives_nothing=True), "fake", WANTED, 0)
    feed.open()
    with pytest.raises(SourceError, match=r"fake: .*no picture; .*Privacy & Security > Camera"):
        feed.read()


def test_pictures_of_an_unsettled_exposure_are_left_out() -> None:
    camera = FakeCamera(rate_fps=100)
    feed = CameraFeed(camera, "fake", WANTED, 0.1)
    feed.open()
    first = feed.read()
    count = camera.count
    second = feed.read()
    assert first is not None
    assert second is not None
    assert 3 <= count <= 11
    assert camera.count == count + 1


def test_every_system_says_what_to_do_about_a_closed_camera_c14() -> None:
    assert len({why_closed(platform) for platform in ("linux", "darwin", "win32")}) == 3


def test_a_camera_that_has_gone_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_opencv, "list_cameras", lambda: [INNER])
    with pytest.raises(SourceError, match=r"usb-Logitech.*expected a camera.*usb-Chicony"):
        OpenCvCamera("usb-Logitech_BRIO_1234").open()
