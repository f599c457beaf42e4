"""All drawing: outlines, badges, ticks and panels upon a picture of the table.

Callers describe what is to be seen as plain values (`Mark`, `Overlay`) and `draw_overlay` paints
them. Sizes follow the picture, so that a photograph and a small video look alike. Text is set in
the typeface that OpenCV carries with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.table import Quad

Colour = tuple[int, int, int]
"""Blue, green, red, 0 to 255."""

WHITE: Colour = (255, 255, 255)
INK: Colour = (34, 28, 24)
GREY: Colour = (190, 186, 180)
GREEN: Colour = (96, 190, 62)
RED: Colour = (66, 66, 226)
AMBER: Colour = (44, 176, 250)
COLOURS: dict[str, Colour] = {
    "red": (62, 60, 228),
    "yellow": (52, 214, 252),
    "green": (92, 186, 62),
    "blue": (232, 138, 48),
    "orange": (38, 138, 250),
    "purple": (198, 84, 164),
}
"""The players' colours as they are drawn."""

_SUBPIXEL_BITS = 4
_REFERENCE_PX = 720.0
"""Sizes below are meant for a picture whose short side has this many pixels."""

_PANEL_OPACITY = 0.74
_WIDEST = (1 << 20, 1 << 14)
"""A picture larger than any line: the measure of a text must not end at an edge."""


class Sign(StrEnum):
    """What is said of a marked thing, drawn in a disc beside it."""

    TICK = "tick"
    CROSS = "cross"
    DASH = "dash"


_SIGN_COLOURS = {Sign.TICK: GREEN, Sign.CROSS: RED, Sign.DASH: GREY}


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing that is outlined.

    Attributes:
        quad_px: Its corners in pixels.
        colour: Of the outline and the badge.
        caption: A few words on a plate below it.
        badge: One or two characters in a disc on its corner, such as the order of a claim.
        sign: A tick, cross or dash in a disc on it.
        strong: A thick outline and a tint of its colour inside; otherwise a thin line.
    """

    quad_px: Quad
    colour: Colour = WHITE
    caption: str = ""
    badge: str = ""
    sign: Sign | None = None
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table at the bottom: a coloured dot, words, and perhaps a sign."""

    colour: Colour
    text: str
    sign: Sign | None = None


@dataclass(frozen=True, slots=True)
class Overlay:
    """Everything that is drawn upon one picture.

    Attributes:
        marks: Outlined things, the lowest first.
        title: What goes on, in bold at the top left; nothing where empty.
        subtitle: A second line beneath it.
        stamp: At the top right: the time.
        rows: A small table at the bottom left.
        notice: A warning at the bottom right.
    """

    marks: tuple[Mark, ...] = ()
    title: str = ""
    subtitle: str = ""
    stamp: str = ""
    rows: tuple[Row, ...] = ()
    notice: str = ""


def draw_overlay(image_bgr: Image, overlay: Overlay) -> Image:
    """Returns a copy of the picture with the overlay drawn upon it.

    Args:
        image_bgr: (height, width, 3) uint8, blue-green-red.
        overlay: What to draw; positions outside of the picture are cut off.
    """
    canvas = _Canvas(np.ascontiguousarray(image_bgr).copy())
    for mark in overlay.marks:
        canvas.outline(mark)
    for mark in overlay.marks:
        canvas.label(mark)
    canvas.banner(overlay.title, overlay.subtitle)
    canvas.stamp(overlay.stamp)
    canvas.table(overlay.rows)
    canvas.notice(overlay.notice)
    return canvas.image


def drawing_unit(image_bgr: Image) -> float:
    """Returns the length in pixels of what is 1 px long in a picture 720 px high.

    Args:
        image_bgr: (height, width, 3) uint8, blue-green-red.
    """
    return float(max(0.5, min(image_bgr.shape[:2]) / _REFERENCE_PX))


def text_width(text: str, pixels: int, weight: int) -> int:
    """Returns the width of a line in pixels, set so many pixels high, of a weight up to 1000."""
    box = cv2.getTextSize(_WIDEST, text, (0, 0), cv2.FontFace("sans"), pixels, weight)
    return int(box[2])


def write_text(
    image_bgr: Image,
    text: str,
    origin_px: tuple[float, float],
    colour: Colour,
    size: tuple[int, int],
) -> None:
    """Writes a line on a picture.

    Args:
        image_bgr: (height, width, 3) uint8, blue-green-red; written upon.
        text: The line.
        origin_px: x of its start and y of its base line.
        colour: Of the letters.
        size: Their height in pixels, and their weight up to 1000.
    """
    origin = (round(origin_px[0]), round(origin_px[1]))
    cv2.putText(image_bgr, text, origin, colour, cv2.FontFace("sans"), *size)


class _Canvas:
    """A picture being drawn upon, with lengths in units of its own size."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.height, self.width = image.shape[0], image.shape[1]
        self.unit = drawing_unit(image)

    # ---- marks -------------------------------------------------------------------------

    def outline(self, mark: Mark) -> None:
        quad = np.asarray(mark.quad_px, dtype=np.float64)
        if mark.strong:
            self._tint(quad, mark.colour, 0.22)
        width = 3.2 if mark.strong else 1.3
        self._polygon(quad, INK, width + 1.8)
        self._polygon(quad, mark.colour, width)

    def label(self, mark: Mark) -> None:
        quad = np.asarray(mark.quad_px, dtype=np.float64)
        lowest = quad[np.argsort(quad[:, 1])[-2:]].mean(axis=0)
        highest = quad[np.argsort(quad[:, 1])[:2]]
        if mark.caption:
            self._plate(mark.caption, lowest[0], lowest[1], mark)
        # Drawn a little inside, so that those of cards side by side do not cover each other.
        highest = highest + 0.14 * (quad.mean(axis=0) - highest)
        if mark.badge:
            self._badge(highest[np.argmin(highest[:, 0])], mark)
        if mark.sign is not None:
            self._sign(highest[np.argmax(highest[:, 0])], 15, mark.sign)

    def _plate(self, text: str, centre_x: float, middle_y: float, mark: Mark) -> None:
        size = 17 if mark.strong else 13
        width, height = self._measure(text, size, 600)
        pad = 6 * self.unit
        left = float(np.clip(centre_x - width / 2 - pad, 0, self.width - width - 2 * pad))
        box = (left, middle_y - height / 2 - pad / 2, width + 2 * pad, height + pad)
        self._panel(box, INK, 0.88 if mark.strong else _PANEL_OPACITY, radius=5)
        colour = mark.colour if mark.strong else WHITE
        self._text(text, left + pad, middle_y + height * 0.36, size, 600, colour)

    def _badge(self, centre: NDArray[np.float64], mark: Mark) -> None:
        self._disc(centre, 15, mark.colour)
        width, _ = self._measure(mark.badge, 20, 800)
        x, y = centre[0] - width / 2, centre[1] + 7 * self.unit
        self._text(mark.badge, x, y, 20, 800, _readable_on(mark.colour))

    def _sign(self, centre: NDArray[np.float64], radius: float, sign: Sign) -> None:
        self._disc(centre, radius, _SIGN_COLOURS[sign])
        reach = radius * self.unit
        strokes = {
            Sign.TICK: [[(-0.46, 0.02), (-0.12, 0.36), (0.48, -0.34)]],
            Sign.CROSS: [[(-0.36, -0.36), (0.36, 0.36)], [(0.36, -0.36), (-0.36, 0.36)]],
            Sign.DASH: [[(-0.4, 0.0), (0.4, 0.0)]],
        }[sign]
        for stroke in strokes:
            points = np.asarray(stroke) * reach + centre
            self._polygon(points, WHITE, radius * 0.24, closed=False)

    # ---- panels ------------------------------------------------------------------------

    def banner(self, title: str, subtitle: str) -> None:
        lines = [(title, 25, 700, WHITE), (subtitle, 19, 450, GREY)]
        lines = [line for line in lines if line[0]]
        if not lines:
            return
        pad, gap = 14 * self.unit, 8 * self.unit
        sizes = [self._measure(text, size, weight) for text, size, weight, _ in lines]
        width = max(width for width, _ in sizes) + 2 * pad
        height = sum(height for _, height in sizes) + gap * (len(lines) - 1) + 2 * pad * 0.8
        margin = 14 * self.unit
        self._panel((margin, margin, width, height), INK, _PANEL_OPACITY, radius=10)
        y = margin + pad * 0.8
        for (text, size, weight, colour), (_, line_height) in zip(lines, sizes, strict=True):
            self._text(text, margin + pad, y + line_height * 0.78, size, weight, colour)
            y += line_height + gap

    def stamp(self, text: str) -> None:
        if text:
            self._corner_panel(text, top=True, colour=WHITE)

    def notice(self, text: str) -> None:
        if text:
            self._corner_panel(text, top=False, colour=AMBER)

    def table(self, rows: tuple[Row, ...]) -> None:
        if not rows:
            return
        pad, step, margin = 14 * self.unit, 28 * self.unit, 14 * self.unit
        widths = [self._measure(row.text, 18, 500)[0] for row in rows]
        width = max(widths) + 2 * pad + 24 * self.unit
        width += 34 * self.unit if any(row.sign for row in rows) else 0
        height = step * len(rows) + pad * 0.9
        top = self.height - margin - height
        self._panel((margin, top, width, height), INK, _PANEL_OPACITY, radius=10)
        for index, row in enumerate(rows):
            y = top + pad * 0.45 + step * (index + 0.5)
            x = margin + pad
            self._disc(np.array([x + 6 * self.unit, y]), 7, row.colour)
            self._text(row.text, x + 24 * self.unit, y + 6 * self.unit, 18, 500, WHITE)
            if row.sign is not None:
                centre = np.array([margin + width - pad - 8 * self.unit, y])
                self._sign(centre, 10, row.sign)

    def _corner_panel(self, text: str, *, top: bool, colour: Colour) -> None:
        pad, margin = 12 * self.unit, 14 * self.unit
        width, height = self._measure(text, 19, 600)
        left = self.width - margin - width - 2 * pad
        upper = margin if top else self.height - margin - height - 1.2 * pad
        box = (left, upper, width + 2 * pad, height + 1.2 * pad)
        self._panel(box, INK, _PANEL_OPACITY, radius=10)
        self._text(text, left + pad, upper + 0.6 * pad + height * 0.78, 19, 600, colour)

    # ---- the strokes everything is made of -----------------------------------------------

    def _polygon(
        self, points: NDArray[np.float64], colour: Colour, width: float, *, closed: bool = True
    ) -> None:
        thickness = max(1, round(width * self.unit))
        fixed = [_fixed(points)]
        cv2.polylines(
            self.image, fixed, closed, colour, thickness, cv2.LINE_AA, shift=_SUBPIXEL_BITS
        )

    def _disc(self, centre: NDArray[np.float64], radius: float, colour: Colour) -> None:
        for reach, shade in ((radius + 2.4, INK), (radius + 0.8, WHITE), (radius - 0.8, colour)):
            fixed = _fixed(np.asarray(centre))
            scaled = round(reach * self.unit * 2**_SUBPIXEL_BITS)
            place = (int(fixed[0]), int(fixed[1]))
            cv2.circle(self.image, place, scaled, shade, -1, cv2.LINE_AA, shift=_SUBPIXEL_BITS)

    def _tint(self, quad: NDArray[np.float64], colour: Colour, opacity: float) -> None:
        window = self._window(quad.min(axis=0), quad.max(axis=0))
        if window is None:
            return
        (left, top), patch = window
        shade = patch.copy()
        corner = np.array([left, top], dtype=np.float64)
        cv2.fillConvexPoly(shade, _fixed(quad - corner), colour, cv2.LINE_AA, shift=_SUBPIXEL_BITS)
        cv2.addWeighted(shade, opacity, patch, 1 - opacity, 0, dst=patch)

    def _panel(
        self, box: tuple[float, float, float, float], colour: Colour, opacity: float, radius: float
    ) -> None:
        left, top, width, height = box
        window = self._window(np.array([left, top]), np.array([left + width, top + height]))
        if window is None:
            return
        _, patch = window
        high, wide = patch.shape[0], patch.shape[1]
        mask = np.zeros((high, wide), np.uint8)
        reach = min(round(radius * self.unit), min(high, wide) // 2)
        cv2.rectangle(mask, (reach, 0), (wide - 1 - reach, high - 1), 255, -1)
        cv2.rectangle(mask, (0, reach), (wide - 1, high - 1 - reach), 255, -1)
        for x in (reach, wide - 1 - reach):
            for y in (reach, high - 1 - reach):
                cv2.circle(mask, (x, y), reach, 255, -1)
        shade = cv2.addWeighted(np.full_like(patch, colour), opacity, patch, 1 - opacity, 0)
        cv2.copyTo(shade, mask, patch)

    def _window(
        self, low: NDArray[np.float64], high: NDArray[np.float64]
    ) -> tuple[tuple[int, int], Image] | None:
        """Returns the part of the picture between two corners, and where it starts."""
        left, top = max(0, int(np.floor(low[0]))), max(0, int(np.floor(low[1])))
        right = min(self.width, int(np.ceil(high[0])) + 1)
        bottom = min(self.height, int(np.ceil(high[1])) + 1)
        if right <= left or bottom <= top:
            return None
        return (left, top), self.image[top:bottom, left:right]

    def _measure(self, text: str, size: float, weight: int) -> tuple[float, float]:
        pixels = round(size * self.unit)
        return float(text_width(text, pixels, weight)), float(pixels)

    def _text(
        self, text: str, x: float, baseline_y: float, size: float, weight: int, colour: Colour
    ) -> None:
        write_text(self.image, text, (x, baseline_y), colour, (round(size * self.unit), weight))


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    """Returns coordinates in the fixed-point form that OpenCV draws between pixels with."""
    fixed: NDArray[np.int32] = np.round(points * 2**_SUBPIXEL_BITS).astype(np.int32)
    return fixed


def _readable_on(colour: Colour) -> Colour:
    """Returns ink or white, whichever stands out from the colour."""
    blue, green, red = colour
    return INK if 0.114 * blue + 0.587 * green + 0.299 * red > 140 else WHITE
