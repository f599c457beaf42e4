"""Photographs are read upright."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.errors import SourceError
from vision.photo import read_photo


def test_exif_rotation_is_applied(tmp_path: Path):
    path = tmp_path / "phone.jpg"
    pixels = np.zeros((40, 80, 3), np.uint8)
    pixels[:, :40] = 255
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise by a quarter
    Image.fromarray(pixels).save(path, exif=exif, quality=95)
    image = read_photo(path)
    assert image.shape == (80, 40, 3)
    assert image[:30].mean() > 250
    assert image[50:].mean() < 5


@pytest.mark.parametrize("mode", ["L", "RGBA", "P", "I;16"])
def test_every_kind_of_picture_becomes_bgr(tmp_path: Path, mode: str):
    path = tmp_path / "picture.png"
    Image.new(mode, (30, 20), 1).save(path)
    image = read_photo(path)
    assert (image.shape, image.dtype) == ((20, 30, 3), np.uint8)


def test_names_in_any_script(tmp_path: Path):
    path = tmp_path / "стол 卓.png"
    Image.new("RGB", (30, 20)).save(path)
    assert read_photo(path).shape == (20, 30, 3)


def test_no_picture(tmp_path: Path):
    with pytest.raises(SourceError, match="folder"):
        read_photo(tmp_path)
    with pytest.raises(SourceError, match=r"absent\.png"):
        read_photo(tmp_path / "absent.png")


@pytest.mark.parametrize("size", [(60_000, 8), (8, 60_000), (1, 1)])
def test_a_strip_is_no_photograph(tmp_path: Path, size: tuple[int, int]):
    path = tmp_path / "strip.png"
    Image.new("RGB", size).save(path)
    with pytest.raises(SourceError, match="at least 16 x 16 pixels"):
        read_photo(path)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "BMP", "TIFF", "WEBP", "GIF"])
def test_a_picture_that_breaks_off_is_said_to(tmp_path: Path, kind: str, capfd):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    pixels = np.random.default_rng(3).integers(0, 255, (60, 80, 3), np.uint8)
    Image.fromarray(pixels).save(whole, kind)
    assert read_photo(whole).shape == (60, 80, 3)
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with pytest.raises(SourceError, match=rf"(?i)got a {kind} file that is damaged or breaks off"):
        read_photo(cut)
    assert kind != "PNG" or not capfd.readouterr().err


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "an empty file"),
        (b"no picture", "other data"),
        (b"\0\0\0\x1cftypheic\0\0\0\0", "a HEIC picture, .* save it as JPEG"),
    ],
)
def test_what_is_no_picture_is_called_what_it_is(tmp_path: Path, data: bytes, told: str):
    path = tmp_path / "picture"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=rf"expected a picture .*, got {told}"):
        read_photo(path)
