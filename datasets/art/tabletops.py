"""Whole table tops of wooden boards, large enough that no pattern repeats in a picture."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.art import paint
from datasets.art.paint import Colour, Image, Plane, Rng

WIDTH_MM, HEIGHT_MM = 2200, 1600
MM_PER_PX = 0.8
WOODS: dict[str, Colour] = {
    "oak": (118, 164, 198),
    "walnut": (54, 80, 112),
    "cherry": (70, 104, 168),
    "beech": (132, 172, 208),
    "ash": (166, 188, 202),
}


def draw_boards(rng: Rng, wood: str) -> Image:
    """Draws a table top of boards side by side; each has its own grain and tone."""
    size = (round(WIDTH_MM / MM_PER_PX), round(HEIGHT_MM / MM_PER_PX))
    base = np.asarray(WOODS[wood], np.float32)
    canvas = np.empty((size[1], size[0], 3), np.float32)
    wide = round(float(rng.uniform(105, 150)) / MM_PER_PX)
    for top in range(0, size[1], wide):
        rows = min(wide, size[1] - top)
        level = _grain(rng, (size[0], rows))
        tone = (
            base
            * (1 + float(rng.normal(0, 0.035)))
            * (1 + rng.normal(0, 0.01, 3).astype(np.float32))
        )
        board = tone * (1 + level[..., None] * np.asarray([1.15, 1.0, 0.86], np.float32))
        groove = np.minimum(np.arange(rows), np.arange(rows)[::-1]).astype(np.float32)[
            :, None, None
        ]
        canvas[top : top + rows] = board * (1 - 0.5 * np.exp(-((groove / 1.3) ** 2)))
    canvas = np.roll(canvas, (size[1] // 2, size[0] // 2), (0, 1))  # no seam in the middle
    return np.clip(canvas, 0, 255).astype(np.uint8)


def _grain(rng: Rng, size: tuple[int, int]) -> Plane:
    """Returns how much brighter each place of a board is: year rings cut along, pores, fibres."""
    width, height = size
    ys = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    wave = paint.noise(rng, size, (7, 3)) * 0.3 + paint.noise(rng, size, (24, 5)) * 0.06
    heart = float(rng.normal(0, 0.6))
    rings = np.abs(ys - heart + wave) ** float(rng.uniform(0.75, 1.1)) * float(rng.uniform(9, 17))
    phase = rings + 0.25 * paint.noise(rng, size, (90, height // 3))
    saw = phase - np.floor(phase)
    lines = np.asarray(np.where(saw < 0.75, saw / 0.75, (1 - saw) / 0.25), np.float32)
    fibre = rng.standard_normal((height, width // 16 + 1), dtype=np.float32)
    fibre = np.asarray(cv2.resize(fibre, size, interpolation=cv2.INTER_LINEAR), np.float32)
    holes = rng.random((height, width // 10 + 1), dtype=np.float32) < 0.02
    pores = cv2.resize(holes.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    broad = paint.noise(rng, size, (9, 3))
    return np.asarray(
        0.09 * (0.5 - lines) + 0.022 * fibre - 0.11 * pores * (0.4 + lines) + 0.035 * broad,
        np.float32,
    )
