"""Films keep the times of their frames, whatever the rate and the size."""

from pathlib import Path

import av
import numpy as np
import pytest

from vision.errors import SourceError
from vision.film import repaint
from vision.frame import Frame


def frames_at(times_s: list[float], height: int = 48, width: int = 64) -> list[Frame]:
    image = np.full((height, width, 3), 100, np.uint8)
    return [Frame(i, time_s, image[..., 0], image.copy) for i, time_s in enumerate(times_s)]


def unpainted(image, timestamp_s):
    return image


@pytest.mark.parametrize("times_s", [[0.0], [0.0, 0.04, 0.08], [0.0, 0.033, 0.5, 0.517, 2.0]])
def test_every_frame_keeps_its_time(tmp_path: Path, times_s: list[float]):
    path = tmp_path / "film.mp4"
    assert repaint(frames_at(times_s), path, unpainted) == len(times_s)
    with av.open(str(path)) as film:
        read = [frame.time for frame in film.decode(video=0)]
    assert read == pytest.approx(times_s, abs=1e-4)


def test_paint_sees_each_frame_and_its_time(tmp_path: Path):
    seen = []

    def paint(image, timestamp_s):
        seen.append(timestamp_s)
        return np.full_like(image, 200)

    path = tmp_path / "film.mp4"
    repaint(frames_at([0.0, 0.1]), path, paint)
    assert seen == [0.0, 0.1]
    with av.open(str(path)) as film:
        picture = next(film.decode(video=0)).to_ndarray(format="bgr24")
    assert abs(int(picture.mean()) - 200) <= 4


def test_an_odd_line_and_column_are_left_out(tmp_path: Path):
    path = tmp_path / "film.mp4"
    repaint(frames_at([0.0], height=49, width=65), path, unpainted)
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        assert (stream.width, stream.height) == (64, 48)


def test_nothing_to_write(tmp_path: Path):
    path = tmp_path / "film.mp4"
    with pytest.raises(SourceError, match=r"film\.mp4"):
        repaint([], path, unpainted)
    assert not path.exists()


def test_a_place_that_cannot_be_written_to(tmp_path: Path):
    with pytest.raises(SourceError, match="absent"):
        repaint(frames_at([0.0]), tmp_path / "absent" / "film.mp4", unpainted)
