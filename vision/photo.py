"""Reading photographs: upright as their EXIF says, 8 bits a channel, or one clear sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import SourceError
from vision.frame import Image

_MAX_BYTES = 256 * 1024 * 1024
"""A larger file is no photograph of a table."""
_COLOUR_LONG_PX = 480
_LIT_LEVELS = 40
_COLOURED = 0.03
"""How far the colours of a picture lie apart, as shares of their channels: of 308 photographs of
boards in all kinds of light 0.09 and more, in grey none."""
_KINDS = {
    b"\xff\xd8": "JPEG",
    b"\x89PNG": "PNG",
    b"RIFF": "WebP",
    b"BM": "BMP",
    b"GIF8": "GIF",
    b"II*\0": "TIFF",
    b"MM\0*": "TIFF",
}
"""Kinds of pictures by their first bytes."""
_NOT_READ = (b"ftypheic", b"ftypheix", b"ftyphevc", b"ftypmif1", b"ftypmsf1")
"""Bytes 4 to 11 of pictures that phones take and OpenCV does not read."""
_LEAST_PX = 16
"""Where a picture is narrower, nothing on it can be told from anything else."""


def read_photo(path: Path) -> Image:
    """Returns a photograph as (height, width, 3) uint8, blue-green-red, upright.

    Raises:
        SourceError: If there is no such file or it is no picture.
    """
    if path.is_dir():
        raise SourceError(f"{path}: expected a picture, got a folder")
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise SourceError(f"{path}: expected a picture of at most {_MAX_BYTES >> 20} MB")
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: expected a picture, got: {error.strerror}") from error
    image = _decoded(data)
    if image is None:
        kind = _kind_of(data)
        got = f"a {kind} file that is damaged or breaks off" if kind else "other data"
        if data[4:12] in _NOT_READ:
            got = "a HEIC picture, which cannot be read here; save it as JPEG"
        elif not data:
            got = "an empty file"
        raise SourceError(f"{path}: expected a picture (JPEG, PNG, ...), got {got}")
    height, width = image.shape[:2]
    if min(height, width) < _LEAST_PX:
        wanted = f"a picture of at least {_LEAST_PX} x {_LEAST_PX} pixels"
        raise SourceError(f"{path}: expected {wanted}, got {width} x {height}")
    return np.asarray(image, np.uint8)


def _decoded(data: bytes) -> NDArray[Any] | None:
    """Returns a picture, or None where the bytes are none or break off."""
    if not data or (_kind_of(data) == "PNG" and b"IEND" not in data):
        return None  # libpng would complain of it on its own
    try:
        return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None


def _kind_of(data: bytes) -> str:
    return next((kind for sign, kind in _KINDS.items() if data.startswith(sign)), "")


def is_colourless(image_bgr: Image) -> bool:
    """Whether a picture is in shades of grey, or of the one colour of its light.

    Args:
        image_bgr: (H, W, 3) uint8.
    """
    scale = min(1.0, _COLOUR_LONG_PX / max(image_bgr.shape[:2]))
    small = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lit = small[small.max(axis=2) > _LIT_LEVELS].astype(np.float32)
    if not lit.size:
        return True
    shares = lit / lit.sum(axis=1, keepdims=True)
    apart = np.abs(shares - np.median(shares, axis=0)).sum(axis=1)
    return bool(np.percentile(apart, 95) < _COLOURED)
