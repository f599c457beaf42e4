"""The size of a PNG or JPEG picture, read from its first bytes without an image library."""

from __future__ import annotations

from struct import unpack_from

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8"
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of a JPEG segment that holds the picture's size (SOF0 to SOF15)."""

_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD8)})
"""Markers that stand alone, without a segment after them."""


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Returns width and height in pixels, or None where the bytes are neither PNG nor JPEG."""
    if data.startswith(_PNG):
        size = unpack_from(">II", data, 16) if len(data) >= 24 and data[12:16] == b"IHDR" else None
    elif data.startswith(_JPEG):
        size = _jpeg_size(data)
    else:
        size = None
    return size if size is not None and min(size) > 0 else None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _JPEG_SIZES:
            height, width = unpack_from(">HH", data, at + 5)
            return width, height
        if marker == 0xFF:
            at += 1
        elif marker in _JPEG_BARE:
            at += 2
        else:
            at += 2 + unpack_from(">H", data, at + 2)[0]
    return None
