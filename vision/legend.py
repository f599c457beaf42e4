"""Adds a strip below a picture that tells what it shows, where it hides nothing of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Image
from vision.lettering import wrap_words
from vision.overlay import AMBER, WHITE, Colour, Row, drawing_unit, text_width, write_text

_STRIP: Colour = (52, 44, 38)
_TITLE, _TEXT = (24, 700), (19, 500)
"""Height of the letters in a picture 720 px high, and their weight."""
_MARGIN, _LEADING, _DOT, _GAP = 20, 1.5, 24, 34


@dataclass(frozen=True, slots=True)
class Legend:
    """What stands below a picture.

    Attributes:
        title: In bold, above the rest.
        rows: Short ones side by side, long ones below each other.
        notice: A warning, last.
    """

    title: str = ""
    rows: Sequence[Row] = ()
    notice: str = ""


@dataclass(frozen=True, slots=True)
class _Line:
    """One line: pieces of text with their x, a dot before those that have a colour of their own."""

    size: tuple[int, int]
    pieces: tuple[tuple[float, str, Colour, Colour | None], ...]


def legend_height(image_bgr: Image, legend: Legend) -> int:
    """Returns the height in pixels of the strip that holds a legend below a picture.

    Args:
        image_bgr: (height, width, 3) uint8, blue-green-red.
        legend: What to tell.
    """
    unit = drawing_unit(image_bgr)
    return _height_of(_lay_out(legend, image_bgr.shape[1], unit), unit)


def add_legend(image_bgr: Image, legend: Legend, least_px: int = 0) -> Image:
    """Returns the picture with a strip below it that holds the legend; nothing to tell adds none.

    Args:
        image_bgr: (height, width, 3) uint8, blue-green-red.
        legend: What to tell.
        least_px: The strip is no lower than this: the frames of a film are of one size.
    """
    height, width = image_bgr.shape[:2]
    unit = drawing_unit(image_bgr)
    lines = _lay_out(legend, width, unit)
    below = max(least_px, _height_of(lines, unit))
    if not below:
        return image_bgr
    strip = cv2.copyMakeBorder(image_bgr, 0, below, 0, 0, cv2.BORDER_CONSTANT, value=_STRIP)
    picture = np.asarray(strip, np.uint8)
    y = height + 0.7 * _MARGIN * unit
    for line in lines:
        step = _LEADING * line.size[0]
        base = y + step / 2 + 0.36 * line.size[0]
        for x, text, colour, dot in line.pieces:
            if dot is not None:
                centre = (round(x - 0.6 * _DOT * unit), round(y + step / 2))
                cv2.circle(picture, centre, round(7.5 * unit), WHITE, -1, cv2.LINE_AA)
                cv2.circle(picture, centre, round(6 * unit), dot, -1, cv2.LINE_AA)
            write_text(picture, text, (x, base), colour, line.size)
        y += step
    return picture


def _height_of(lines: Sequence[_Line], unit: float) -> int:
    steps = [_LEADING * line.size[0] for line in lines]
    return round(sum(steps) + 1.4 * _MARGIN * unit) if lines else 0


def _lay_out(legend: Legend, width: int, unit: float) -> list[_Line]:
    margin = _MARGIN * unit
    title, text = ((max(1, round(size * unit)), weight) for size, weight in (_TITLE, _TEXT))

    def wrapped(words: str, size: tuple[int, int], colour: Colour) -> list[_Line]:
        parts = wrap_words(words, width - 2 * margin, *size)
        return [_Line(size, ((margin, part, colour, None),)) for part in parts]

    return [
        *wrapped(legend.title, title, WHITE),
        *_lay_out_rows(legend.rows, width, unit, text),
        *wrapped(legend.notice, text, AMBER),
    ]


def _lay_out_rows(
    rows: Sequence[Row], width: int, unit: float, size: tuple[int, int]
) -> list[_Line]:
    """Rows on one line where all have room there, else below each other, long ones wrapped."""
    start = (_MARGIN + _DOT) * unit
    steps = [text_width(row.text, *size) + (_DOT + _GAP) * unit for row in rows]
    if rows and start + sum(steps) <= width:
        starts = [start + sum(steps[:index]) for index in range(len(rows))]
        pieces = ((x, row.text, WHITE, row.colour) for x, row in zip(starts, rows, strict=True))
        return [_Line(size, tuple(pieces))]
    return [
        _Line(size, ((start, part, WHITE, row.colour if number == 0 else None),))
        for row in rows
        for number, part in enumerate(wrap_words(row.text, width - start - _MARGIN * unit, *size))
    ]
