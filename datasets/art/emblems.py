"""Pictograms that cards carry: creatures, suits, crabs' cousins and plain symbols."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.art import paint
from datasets.art.paint import BLACK, Colour, Image, Rng, i32

CANVAS = 128  # emblems are drawn on a square of this side, in BGRA


def blank() -> Image:
    """An empty canvas: `(CANVAS, CANVAS, 4)` BGRA, transparent."""
    return np.zeros((CANVAS, CANVAS, 4), np.uint8)


def rgba(tone: Colour) -> tuple[int, int, int, int]:
    """A colour that covers what is below it."""
    return (*tone, 255)


def _ellipse(
    art: Image,
    centre: tuple[int, int],
    axes: tuple[int, int],
    angle: float,
    tone: Colour,
    edge: int,
) -> None:
    if edge:
        grown = (axes[0] + edge, axes[1] + edge)
        cv2.ellipse(art, centre, grown, angle, 0, 360, rgba(BLACK), -1, cv2.LINE_AA)
    cv2.ellipse(art, centre, axes, angle, 0, 360, rgba(tone), -1, cv2.LINE_AA)


def creature(rng: Rng) -> Image:
    """Draws a made-up animal: body, legs, head, tail and eye, with or without an outline."""
    art = blank()
    tone = paint.colour(rng, (0.05, 0.9), (0.25, 0.95))
    second = paint.near(rng, tone, 50)
    edge = int(rng.integers(0, 5))
    body = (int(rng.integers(22, 40)), int(rng.integers(14, 28)))
    x, y = 60 + int(rng.integers(-6, 6)), 66 + int(rng.integers(-8, 8))
    leg = int(rng.integers(5, 34))
    for dx in (-0.7, -0.4, 0.4, 0.7):
        foot = (int(x + dx * body[0]), y + body[1] + leg)
        width = int(rng.integers(5, 11))
        if edge:
            cv2.line(art, (foot[0], y), foot, rgba(BLACK), width + 2 * edge, cv2.LINE_AA)
        cv2.line(art, (foot[0], y), foot, rgba(second), width, cv2.LINE_AA)
    tail = (x - body[0] - int(rng.integers(6, 24)), y + int(rng.integers(-24, 24)))
    cv2.line(
        art,
        (x - body[0] + 5, y),
        tail,
        rgba(BLACK if edge else second),
        int(rng.integers(2, 9)),
        cv2.LINE_AA,
    )
    head = (x + body[0] + int(rng.integers(-2, 14)), y - int(rng.integers(-2, 36)))
    neck = int(rng.integers(6, 18))
    cv2.line(art, (x + body[0] - 8, y - 4), head, rgba(BLACK), neck + 2 * edge, cv2.LINE_AA)
    cv2.line(art, (x + body[0] - 8, y - 4), head, rgba(tone), neck, cv2.LINE_AA)
    _ellipse(art, (x, y), body, rng.uniform(-12, 12), tone, edge)
    if rng.random() < 0.4:
        _ellipse(art, head, (18, 18), 0, second, edge)
    _ellipse(
        art,
        head,
        (int(rng.integers(10, 18)), int(rng.integers(8, 15))),
        rng.uniform(-30, 30),
        tone,
        edge,
    )
    cv2.circle(art, (head[0] + 3, head[1] - 3), 2, rgba(BLACK), -1, cv2.LINE_AA)
    if rng.random() < 0.4:
        for _ in range(int(rng.integers(3, 12))):
            spot = (
                int(x + rng.uniform(-0.7, 0.7) * body[0]),
                int(y + rng.uniform(-0.6, 0.6) * body[1]),
            )
            cv2.circle(art, spot, int(rng.integers(2, 5)), rgba(second), -1, cv2.LINE_AA)
    return art[:, ::-1].copy() if rng.random() < 0.5 else art


def scribble(rng: Rng) -> Image:
    """Draws an abstract symbol out of two to five plain shapes."""
    art = blank()
    edge = rgba(BLACK) if rng.random() < 0.6 else None
    for _ in range(int(rng.integers(2, 6))):
        tone = rgba(paint.colour(rng))
        centre = (float(rng.uniform(30, 98)), float(rng.uniform(30, 98)))
        points = paint.outline(rng, centre, float(rng.uniform(10, 40)), float(rng.uniform(0, 0.6)))
        cv2.fillPoly(art, [points], tone, cv2.LINE_AA)
        if edge:
            cv2.polylines(art, [points], True, edge, int(rng.integers(1, 5)), cv2.LINE_AA)
    return art


def symbol(rng: Rng) -> Image:
    """Draws any emblem: an emoji where the font is there, else a creature or a scribble."""
    roll = rng.random()
    if roll < 0.45:
        glyph = paint.emoji(rng)
        if glyph is not None:
            return glyph
    return creature(rng) if roll < 0.8 else scribble(rng)


def _heart(size: float) -> NDArray[np.float64]:
    t = np.linspace(0, 2 * np.pi, 40)
    x = 16 * np.sin(t) ** 3
    y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    return np.stack([x, y], 1) * size / 17


def suit(kind: int, tone: Colour) -> Image:
    """Draws one of the four suits: 0 heart, 1 diamond, 2 spade, 3 club."""
    art = blank()
    ink = rgba(tone)
    mid = CANVAS // 2
    stem = i32([[mid - 16, 118], [mid + 16, 118], [mid + 4, 70], [mid - 4, 70]])
    if kind == 0:
        cv2.fillPoly(art, [(_heart(52) + mid).astype(np.int32)], ink, cv2.LINE_AA)
    elif kind == 1:
        points = i32([[mid, 6], [108, mid], [mid, 122], [20, mid]])
        cv2.fillPoly(art, [points], ink, cv2.LINE_AA)
    elif kind == 2:
        flipped = _heart(46) * (1, -1) + (mid, mid - 6)
        cv2.fillPoly(art, [flipped.astype(np.int32)], ink, cv2.LINE_AA)
        cv2.fillPoly(art, [stem], ink, cv2.LINE_AA)
    else:
        for x, y in ((mid, 34), (34, 78), (94, 78)):
            cv2.circle(art, (x, y), 27, ink, -1, cv2.LINE_AA)
        cv2.fillPoly(art, [stem], ink, cv2.LINE_AA)
    return art
