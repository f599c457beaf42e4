"""`doctor`: cameras are listed, opened and measured; what is bad is said with what to do."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from referee.cli import app
from referee.commands import doctor
from tests.vision.fake_camera import FakeCamera
from vision.camera import Setting, to_fourcc
from vision.camera_list import CameraInfo, list_cameras
from vision.camera_opencv import shot_of

RUN = CliRunner(env={"COLUMNS": "200"})
DATA = Path(__file__).parents[2] / "data"
TABLE = DATA / "pictures" / "table.jpg"
CAMERAS = [
    CameraInfo("usb-Chicony_HD_0001", 0, "HD WebCam", Path("/dev/video0")),
    CameraInfo("usb-Logitech_BRIO_1234", 2, "Logitech BRIO", Path("/dev/video2")),
]


def run(*words: object) -> Result:
    return RUN.invoke(app, ["doctor", *map(str, words)])


class TableCamera(FakeCamera):
    """A camera over the table of the picture that ships, at a size of its own."""

    def read(self):
        shot = super().read()
        if shot is None:
            return None
        size_wh = int(self.get(Setting.WIDTH)), int(self.get(Setting.HEIGHT))
        image = np.asarray(cv2.resize(cv2.imread(str(TABLE)), size_wh), np.uint8)
        return shot_of(image, shot.time_s)


@pytest.fixture
def cameras(monkeypatch: pytest.MonkeyPatch) -> dict[str, FakeCamera]:
    """Two cameras that are plugged in, by name."""
    drivers: dict[str, FakeCamera] = {c.name: TableCamera(rate_fps=60.0) for c in CAMERAS}
    monkeypatch.setattr(doctor, "list_cameras", lambda: CAMERAS)
    monkeypatch.setattr(doctor, "OpenCvCamera", drivers.__getitem__)
    monkeypatch.setattr(doctor, "_MEASURED_FRAMES", 12)
    return drivers


def test_no_camera_is_said_with_what_else_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "list_cameras", list)
    result = run()
    assert result.exit_code == 1
    assert "No camera is plugged in" in result.stdout
    assert "--picture" in result.stdout


def test_every_camera_is_listed_opened_and_measured(cameras) -> None:
    result = run()
    assert result.exit_code == 1  # the table of the picture is cut off
    for camera in CAMERAS:
        assert camera.name in result.stdout
        assert camera.label in result.stdout
        assert cameras[camera.name].times_opened == 1
    assert result.stdout.count("1280x720 MJPG at") >= 2
    assert "cut off by the edge" in result.stdout


def test_where_no_camera_is_listed_an_index_that_opens_is_one(cameras, monkeypatch) -> None:
    drivers = {str(i): TableCamera(rate_fps=60.0) for i in range(4)}
    for index in "023":
        drivers[index].refuses = f"{index}: expected a camera that may be used"
    monkeypatch.setattr(doctor, "list_cameras", lambda: list_cameras(Path("/"), "darwin"))
    monkeypatch.setattr(doctor, "OpenCvCamera", drivers.__getitem__)
    answer = json.loads(run("--json").stdout)
    assert [each["name"] for each in answer["examined"]] == ["1"]
    assert [each["name"] for each in answer["cameras"]] == ["1"]
    drivers["1"].refuses = "1: expected a camera that may be used"
    result = run()
    assert result.exit_code == 1
    assert result.stdout.count("may be used") == 1


def test_one_camera_by_its_index_c11(cameras) -> None:
    result = run("--camera", "2", "--json")
    answer = json.loads(result.stdout)
    assert [each["name"] for each in answer["examined"]] == ["usb-Logitech_BRIO_1234"]
    assert [camera["index"] for camera in answer["cameras"]] == [0, 2]
    assert cameras["usb-Chicony_HD_0001"].times_opened == 0


def test_a_wrong_camera_is_answered_with_the_list_c11(cameras) -> None:
    result = run("--camera", "1")
    assert result.exit_code == 2
    assert "usb-Logitech_BRIO_1234" in result.stderr


def test_raw_pictures_at_a_low_rate_are_verified_and_told_c13(cameras) -> None:
    camera = cameras["usb-Logitech_BRIO_1234"]
    camera.grants = {Setting.PIXEL_FORMAT: float(to_fourcc("YUYV"))}
    camera.rate_fps = 9
    result = run("--camera", "2", "--json")
    found = {f["topic"]: f for f in json.loads(result.stdout)["examined"][0]["findings"]}
    assert found["camera"]["grade"] == "fair"
    assert "Asked for MJPG, the camera gives YUYV" in found["camera"]["found"]
    assert found["rate"]["grade"] == "bad"
    assert result.exit_code == 1


def test_a_camera_that_may_not_be_used_is_told_and_the_others_looked_at_c14(cameras) -> None:
    cameras["usb-Chicony_HD_0001"].refuses = "usb-Chicony_HD_0001: expected permission to use it"
    result = run()
    assert result.exit_code == 1
    assert "expected permission to use it" in result.stdout
    assert "cut off by the edge" in result.stdout


def test_a_camera_without_pictures_is_told_c14(cameras) -> None:
    for camera in cameras.values():
        camera.gives_nothing = True
    result = run()
    assert result.exit_code == 1
    assert result.stdout.count("opened and gives none") == 2


def test_a_good_picture_ends_with_0_and_a_bad_one_with_1(tmp_path: Path) -> None:
    image = cv2.imread(str(TABLE))
    good = tmp_path / "good.png"
    wide = cv2.copyMakeBorder(image, 60, 60, 60, 60, cv2.BORDER_REFLECT_101)
    wide[-60:] = wide[-400:-399]  # bare wood, where reflected cards would lie
    cv2.imwrite(str(good), cv2.resize(wide, None, fx=1.5, fy=1.5))
    dark = tmp_path / "dark.png"
    cv2.imwrite(str(dark), image // 6)
    assert (run("--picture", good).exit_code, run("--picture", dark).exit_code) == (0, 1)
    assert "bad" not in run("--picture", good).stdout


def test_the_picture_with_the_marks_shows_what_is_bad(tmp_path: Path) -> None:
    out = tmp_path / "marked.png"
    result = run("--picture", TABLE, "--out", out)
    assert str(out) in result.stdout
    before, after = cv2.imread(str(TABLE)), cv2.imread(str(out))
    assert before.shape == after.shape
    corner = (slice(420, 540), slice(440, 650))  # two cards are cut off there
    changed = np.abs(after[corner].astype(int) - before[corner]).max(axis=2) > 60
    assert changed.mean() > 0.05


def test_a_video_is_measured_by_its_own_times() -> None:
    result = run("--video", DATA / "recordings" / "tiny.mp4", "--json")
    (examined,) = json.loads(result.stdout)["examined"]
    assert "640x360 at 30 frames" in examined["mode"]
    grades = {f["topic"]: f["grade"] for f in examined["findings"]}
    assert grades["rate"] == "good"
    assert grades["size"] == "bad"


def test_bad_input_ends_with_one_sentence_and_2(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("no picture", encoding="utf-8")
    for order in (
        ("--picture", text),
        ("--video", text),
        ("--picture", TABLE, "--video", text),
        ("--picture", TABLE, "--out", tmp_path / "marked.txt"),
        ("--camera", "ftp://somewhere"),
    ):
        result = run(*order)
        assert result.exit_code == 2, order
        assert "expected" in result.stderr
        assert "Traceback" not in result.stderr
