"""Boards with a field of square path tiles edge to edge, and chips on them and beside."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.art import emblems, paint, tokens
from datasets.art.paint import Image, Rng
from datasets.items import Item

QUARTER = np.pi / 2


def board(rng: Rng) -> list[Item]:
    """A board with a growing field of square path tiles, chips on them and beside."""
    cols, rows, cell = (
        int(rng.integers(4, 11)),
        int(rng.integers(4, 10)),
        float(rng.uniform(35, 60)),
    )
    rim = cell * rng.uniform(0.3, 1.0)
    size = (cols * cell + 2 * rim, rows * cell + 2 * rim)
    items = []
    if rng.random() < 0.75:
        items.append(
            Item("thing", _board_art(rng, cols, rows, rim / cell), (0, 0), size, 0.0, 0.0, 2.0)
        )
    green = rng.random() < 0.6
    hues = (
        (rng.uniform(0.2, 0.4), rng.uniform(0.25, 0.42)) if green else (rng.random(), rng.random())
    )
    tones = (
        paint.hsv(hues[0], 0.6, rng.uniform(0.5, 0.85)),
        paint.hsv(hues[1], 0.7, rng.uniform(0.2, 0.5)),
        paint.colour(rng, (0.05, 0.5), (0.6, 0.95)),
    )
    gap, mono = float(rng.choice((0.0, 0.4, 1.5, 4.0))), bool(rng.random() < 0.3)
    for col, row in _field(rng, cols, rows):
        at = (
            (col - (cols - 1) / 2) * cell + rng.normal(0, 0.7),
            (row - (rows - 1) / 2) * cell + rng.normal(0, 0.7),
        )
        art = tokens.path_tile(rng, tones, mono=mono)
        turn = float(rng.integers(4)) * QUARTER + rng.normal(0, 0.015)
        items.append(
            Item("path", art, at, (cell - gap, cell - gap), turn, 2.0, 1.5, (150, 170, 180))
        )
    tiles = [item for item in items if item.kind == "path"]
    style = str(rng.choice(("token", "token", "poker", "plain")))
    for _ in range(int(rng.integers(0, 16))):
        host = tiles[int(rng.integers(len(tiles)))]
        off = rng.choice((-0.24, 0.24), 2) * cell
        across = cell * rng.uniform(0.3, 0.5)
        at = (host.at_mm[0] + off[0], host.at_mm[1] + off[1])
        items.append(
            Item("chip", tokens.chip(rng, style), at, (across, across), rng.uniform(0, 6), 3.5, 2.0)
        )
    for index in range(int(rng.integers(0, 7))):
        at = (size[0] / 2 + cell * rng.uniform(0.3, 0.7), -size[1] / 2 + cell * (index + 0.5) * 0.7)
        items.append(
            Item(
                "chip",
                tokens.chip(rng, style),
                at,
                (cell * 0.4, cell * 0.4),
                rng.uniform(0, 6),
                0.0,
                2.0,
            )
        )
    for _ in range(int(rng.integers(0, 3))):
        art = tokens.path_tile(rng, tones, mono=mono)
        at = (-size[0] / 2 - cell * rng.uniform(0.6, 1.2), float(rng.uniform(-0.5, 0.5) * size[1]))
        items.append(
            Item(
                "path",
                art,
                at,
                (cell, cell),
                rng.uniform(0, 6.3),
                0.0,
                float(rng.choice((1.5, 15))),
                (150, 170, 180),
            )
        )
    return items


def _field(rng: Rng, cols: int, rows: int) -> list[tuple[int, int]]:
    """Grows a connected field of cells."""
    cells = {(int(rng.integers(cols)), int(rng.integers(rows)))}
    target = int(cols * rows * rng.uniform(0.08, 0.8))
    for _ in range(target * 12):
        if len(cells) >= target:
            break
        col, row = list(cells)[int(rng.integers(len(cells)))]
        step = ((1, 0), (-1, 0), (0, 1), (0, -1))[int(rng.integers(4))]
        spot = (col + step[0], row + step[1])
        if 0 <= spot[0] < cols and 0 <= spot[1] < rows:
            cells.add(spot)
    return sorted(cells)


def _board_art(rng: Rng, cols: int, rows: int, rim: float) -> Image:
    unit = 48
    size = (int((cols + 2 * rim) * unit), int((rows + 2 * rim) * unit))
    canvas = paint.flat(size, paint.colour(rng, (0.05, 0.5), (0.4, 0.9)))
    canvas = paint.modulate(canvas, paint.noise(rng, size, (40, 40)), rng.uniform(0.02, 0.12))
    edge = int(rim * unit)
    line = paint.colour(rng, (0, 0.4), (0.2, 0.8))
    for col in range(cols + 1):
        canvas[edge:-edge, edge + col * unit - 1 : edge + col * unit] = line
    for row in range(rows + 1):
        canvas[edge + row * unit - 1 : edge + row * unit, edge:-edge] = line
    if rng.random() < 0.7:
        for index, x in enumerate(range(edge // 2, size[0], max(12, edge))):
            for y in (edge // 2, size[1] - edge // 2):
                tone = (245, 245, 245) if index % 5 else paint.colour(rng)
                cv2.circle(canvas, (x, y), int(edge * 0.38), tone, -1, cv2.LINE_AA)
                paint.write(canvas, str(index), (x - 6, y + 4), 0.35, paint.BLACK)
    for _ in range(int(rng.integers(0, 3))):
        at = (edge + unit * (rng.integers(cols) + 0.5), edge + unit * (rng.integers(rows) + 0.5))
        paint.paste(canvas, emblems.symbol(rng), (float(at[0]), float(at[1])), unit * 0.7, 0)
    return paint.with_alpha(canvas, paint.corner_mask(size, 4))
