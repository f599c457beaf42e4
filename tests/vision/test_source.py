"""Files give every frame, with its own time and upright."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from tests.vision.films import write_video
from vision.errors import SourceError
from vision.source import VideoFile


def corner_pictures(count: int) -> list[np.ndarray]:
    """Dark pictures with a bright top left corner, a little brighter each time."""
    pictures = []
    for index in range(count):
        picture = np.full((64, 96, 3), 20, np.uint8)
        picture[:24, :24] = 120 + 5 * index
        pictures.append(picture)
    return pictures


def test_gives_every_frame_c22(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mp4", corner_pictures(20), [33 * i for i in range(20)])
    frames = list(VideoFile(path).frames())
    assert [frame.index for frame in frames] == list(range(20))


def test_irregular_times_are_the_files_own_c17(tmp_path: Path) -> None:
    times_ms = [100, 133, 200, 216, 400, 900, 933]
    path = write_video(tmp_path / "vfr.mp4", corner_pictures(7), times_ms)
    times_s = [frame.timestamp_s for frame in VideoFile(path).frames()]
    assert times_s == pytest.approx([(at - 100) / 1000 for at in times_ms], abs=1e-6)


def test_times_strictly_increase_c18(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mp4", corner_pictures(9), [40 * i for i in range(9)])
    times_s = [frame.timestamp_s for frame in VideoFile(path).frames()]
    assert all(later > earlier for earlier, later in itertools.pairwise(times_s))


def test_luma_and_colour_show_the_same_place(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mp4", corner_pictures(1), [0])
    frame = next(VideoFile(path).frames())
    bgr = frame.to_bgr()
    assert frame.luma.shape == (64, 96)
    assert bgr.shape == (64, 96, 3)
    assert frame.luma[:16, :16].mean() > frame.luma[32:, 32:].mean() + 60
    assert bgr[:16, :16].mean() > bgr[32:, 32:].mean() + 60


@pytest.mark.parametrize("turn_deg", [0, 90, 180, 270])
def test_rotation_tag_turns_the_picture_c19(tmp_path: Path, turn_deg: int) -> None:
    path = write_video(tmp_path / "plain.mp4", corner_pictures(3), [0, 33, 66])
    turned = tag_rotation(path, tmp_path / f"turned{turn_deg}.mp4", turn_deg)
    frame = next(VideoFile(turned).frames())
    upright = np.rot90(next(VideoFile(path).frames()).luma, turn_deg // 90)
    assert frame.luma.shape == upright.shape
    assert np.abs(frame.luma.astype(int) - upright).max() <= 2
    assert frame.to_bgr().shape[:2] == upright.shape


def tag_rotation(source: Path, target: Path, turn_deg: int) -> Path:
    """Copies an MP4 with a display matrix that turns it counter-clockwise."""
    data = bytearray(source.read_bytes())
    place = data.index(b"tkhd") + 4
    matrix = place + (52 if data[place] == 1 else 40)
    cosine, sine = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[turn_deg]
    values = [cosine << 16, -sine << 16, 0, sine << 16, cosine << 16, 0, 0, 0, 1 << 30]
    packed = b"".join(int(value).to_bytes(4, "big", signed=True) for value in values)
    data[matrix : matrix + 36] = packed
    target.write_bytes(bytes(data))
    return target


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "nothing there"),
        (b"", "cannot be read as one"),
        (b"this is a text, not a film\n" * 20, "cannot be read as one"),
    ],
)
def test_what_is_no_video_is_said_in_one_sentence(
    tmp_path: Path, content: bytes | None, said: str
) -> None:
    path = tmp_path / "film.mp4"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SourceError, match=said):
        VideoFile(path)


def test_a_folder_is_no_video(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="found a folder"):
        VideoFile(tmp_path)


def test_a_truncated_file_gives_what_is_there_and_says_so(tmp_path: Path) -> None:
    pictures = [np.random.default_rng(i).integers(0, 255, (64, 96, 3), np.uint8) for i in range(60)]
    whole = write_video(tmp_path / "whole.mkv", pictures, [33 * i for i in range(60)])
    cut = tmp_path / "cut.mkv"
    data = whole.read_bytes()
    cut.write_bytes(data[: len(data) // 2])
    source = VideoFile(cut)
    count = len(list(source.frames()))
    assert 5 < count < 60
    assert source.frame_count is None or source.broken is not None
