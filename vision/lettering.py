"""Words on a picture: broken into lines, and set on plates."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Image
from vision.overlay import INK, Colour, text_width, write_text


def wrap_words(text: str, width_px: float, pixels: int, weight: int) -> list[str]:
    """Returns a text in lines that are no wider than `width_px`, or hold a single word."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, pixels, weight) <= width_px:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


@dataclass(frozen=True, slots=True)
class Plate:
    """A few words on a dark plate.

    Attributes:
        lines: The lines, each with its colour.
        pixels: Height of the letters.
        frame: Colour of its frame, or None where it has none.
        weight: Of the letters, up to 1000.
    """

    lines: tuple[tuple[str, Colour], ...]
    pixels: int
    frame: Colour | None = None
    weight: int = 650

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        widest = max(text_width(text, self.pixels, self.weight) for text, _ in self.lines)
        return widest + round(0.9 * self.pixels), round(self._step * len(self.lines) + self._pad)

    @property
    def _step(self) -> float:
        return 1.2 * self.pixels

    @property
    def _pad(self) -> float:
        return 0.25 * self.pixels


def draw_plate(image_bgr: Image, plate: Plate, centre_px: tuple[float, float]) -> None:
    """Draws a plate with its middle at a place.

    Args:
        image_bgr: (height, width, 3) uint8, blue-green-red; drawn upon.
        plate: What to draw.
        centre_px: Its middle, (x, y).
    """
    size = np.array(plate.size_wh)
    low = np.round(np.array(centre_px) - size / 2).astype(int)
    first, second = (int(low[0]), int(low[1])), (int(low[0] + size[0]), int(low[1] + size[1]))
    cv2.rectangle(image_bgr, first, second, INK, -1, cv2.LINE_AA)
    if plate.frame is not None:
        thickness = max(1, round(0.1 * plate.pixels))
        cv2.rectangle(image_bgr, first, second, plate.frame, thickness, cv2.LINE_AA)
    for index, (text, colour) in enumerate(plate.lines):
        width = text_width(text, plate.pixels, plate.weight)
        left = low[0] + (size[0] - width) / 2
        base = low[1] + plate._pad / 2 + plate._step * (index + 0.5) + 0.36 * plate.pixels
        write_text(image_bgr, text, (left, base), colour, (plate.pixels, plate.weight))
