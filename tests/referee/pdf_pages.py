"""Reads back what was drawn into a PDF of ours."""

from __future__ import annotations

import base64
import re
import zlib
from pathlib import Path


def page_streams(pdf: Path) -> list[str]:
    """The drawing commands of each page, decoded."""
    found = re.findall(rb"stream\r?\n(.*?)endstream", pdf.read_bytes(), re.DOTALL)
    decoded = []
    for stream in found:
        try:
            text = zlib.decompress(base64.a85decode(stream.strip(), adobe=False))
        except (ValueError, zlib.error):
            text = zlib.decompress(base64.a85decode(b"<~" + stream.strip(), adobe=True))
        if b" Do" in text or b"BT" in text:
            decoded.append(text.decode("latin-1"))
    return decoded


def drawn_images(stream: str) -> list[tuple[float, float, float, float]]:
    """Width, height, left and bottom in points of each picture on a page, in painting order."""
    rows = re.findall(r"([\d.]+) 0 0 ([\d.]+) ([\d.]+) ([\d.]+) cm\s+/\S+ Do", stream)
    return [tuple(float(v) for v in row) for row in rows]  # type: ignore[misc]


def page_sizes(pdf: Path) -> list[tuple[float, float]]:
    """Width and height of every page in points."""
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf.read_bytes())
    return [(float(width), float(height)) for width, height in boxes]


def written_words(stream: str) -> list[str]:
    """The lines of text on a page."""
    return re.findall(r"\(((?:[^()\\]|\\.)*)\) Tj", stream)
