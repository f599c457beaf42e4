"""Reading photographs: upright as their EXIF says, 8 bits a channel, or one clear sentence."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.errors import SourceError
from vision.frame import Image

_MAX_BYTES = 256 * 1024 * 1024
"""A larger file is no photograph of a table."""
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
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise SourceError(f"{path}: expected a picture, got: {error.strerror}") from error
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    except cv2.error as error:
        raise SourceError(f"{path}: expected a picture, got: {error.err}") from error
    if image is None:
        raise SourceError(f"{path}: expected a picture (JPEG, PNG, ...), got other data")
    height, width = image.shape[:2]
    if min(height, width) < _LEAST_PX:
        wanted = f"a picture of at least {_LEAST_PX} x {_LEAST_PX} pixels"
        raise SourceError(f"{path}: expected {wanted}, got {width} x {height}")
    return np.asarray(image, np.uint8)
