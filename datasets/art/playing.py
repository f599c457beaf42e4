"""Playing cards drawn by lot: pips, courts and corner indices on white ground."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.art import emblems, paint
from datasets.art.paint import BLACK, WHITE, Colour, Image, Rng


def face(rng: Rng, _deck: object, size: tuple[int, int]) -> Image:
    """A playing card: pips or a court, corner indices, white ground."""
    kind = int(rng.integers(4))
    ink = paint.near(rng, (35, 25, 205) if kind < 2 else (25, 22, 22), 14)
    canvas = paint.flat(size, paint.near(rng, (247, 248, 248), 7))
    pip = emblems.suit(kind, ink)
    rank = int(rng.integers(1, 14))
    if rank > 10:
        _court(rng, canvas)
    else:
        _pips(canvas, pip, rank, big=rng.random() < 0.3)
    label = {1: "A", 11: "J", 12: "Q", 13: "K"}.get(rank, str(rank))
    scale = rng.uniform(0.6, 1.0)
    for _ in range(2):
        paint.write(canvas, label, (4, int(8 + 22 * scale)), scale * 0.95, ink)
        paint.paste(canvas, pip, (13, 8 + 40 * scale), 22 * scale, 0)
        canvas = np.ascontiguousarray(canvas[::-1, ::-1])
    return canvas


def _pips(canvas: Image, pip: Image, rank: int, *, big: bool) -> None:
    height, width = canvas.shape[:2]
    if rank == 1:
        paint.paste(canvas, pip, (width / 2, height / 2), width * (0.7 if big else 0.3), 0)
        return
    column = {2: 2, 3: 3}.get(rank, 0)
    rows = column or {4: 2, 5: 2, 6: 3, 7: 3, 8: 3, 9: 4, 10: 4}[rank]
    spots = [(x, i / (rows - 1)) for i in range(rows) for x in ((0.5,) if column else (0.3, 0.7))]
    extra = {5: (0.5,), 7: (0.25,), 8: (0.25, 0.75), 9: (0.5,), 10: (0.17, 0.83)}.get(rank, ())
    spots += [(0.5, y) for y in extra]
    for x, y in spots:
        at = (width * x, height * (0.17 + 0.66 * y))
        paint.paste(canvas, pip, at, width * (0.24 if big else 0.19), np.pi if y > 0.5 else 0)


def _court(rng: Rng, canvas: Image) -> None:
    """A dense two-headed figure in a frame: stripes, lozenges, heads, saturated inks."""
    height, width = canvas.shape[:2]
    x0, y0 = int(width * 0.17), int(height * 0.1)
    half = canvas[y0 : height // 2, x0 : width - x0]
    inks: list[Colour] = [
        (40, 200, 250),
        (45, 40, 215),
        (170, 80, 30),
        (25, 25, 25),
        (245, 245, 245),
    ]
    if rng.random() < 0.4:
        inks = [paint.near(rng, paint.mix(ink, WHITE, 0.3), 30) for ink in inks]
    for _ in range(int(rng.integers(10, 24))):
        at = (float(rng.uniform(0, half.shape[1])), float(half.shape[0] * rng.uniform(0.4, 1.1)))
        points = paint.outline(rng, at, float(rng.uniform(6, 26)), float(rng.uniform(0, 0.5)))
        paint.shape(half, points, inks[int(rng.integers(len(inks)))], BLACK)
    for _ in range(int(rng.integers(3, 9))):
        start = rng.integers(0, half.shape[1], 2)
        cv2.line(
            half,
            (int(start[0]), half.shape[0]),
            (int(start[1]), half.shape[0] // 2),
            inks[int(rng.integers(len(inks)))],
            int(rng.integers(1, 5)),
            cv2.LINE_AA,
        )
    head = (half.shape[1] // 2 + int(rng.integers(-10, 11)), int(half.shape[0] * 0.3))
    cv2.ellipse(half, head, (19, 22), 0, 0, 360, inks[int(rng.integers(3))], -1, cv2.LINE_AA)
    cv2.ellipse(half, head, (12, 15), 0, 0, 360, (225, 235, 248), -1, cv2.LINE_AA)
    cv2.ellipse(half, head, (12, 15), 0, 0, 360, BLACK, 1, cv2.LINE_AA)
    cv2.rectangle(half, (head[0] - 14, head[1] - 24), (head[0] + 14, head[1] - 14), inks[0], -1)
    canvas[height - height // 2 : height - y0, x0 : width - x0] = half[::-1, ::-1]
    if rng.random() < 0.8:
        cv2.rectangle(canvas, (x0, y0), (width - x0, height - y0), inks[2], 1)
