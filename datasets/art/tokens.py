"""What lies beside the faces: Camera cards, backs, path tiles and chips, drawn by lot."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.art import cameras, emblems, paint
from datasets.art.faces import Deck
from datasets.art.paint import BLACK, WHITE, Colour, Image, Rng


def camera_card(rng: Rng, deck: Deck) -> Image:
    """Draws a Camera card: one strong colour, a camera pictogram, often a viewfinder's corners."""
    size = deck.texture_size
    width, height = size
    tone = paint.colour(rng, (0.55, 1.0), (0.4, 0.95))
    if rng.random() < 0.15:
        tone = paint.colour(rng, (0.15, 0.6), (0.7, 1.0))
    canvas = paint.flat(size, tone)
    if rng.random() < 0.3:
        canvas = paint.gradient(rng, size, tone, paint.mix(tone, BLACK, rng.uniform(0.1, 0.4)))
    ink = WHITE if rng.random() < 0.75 else BLACK
    if rng.random() < 0.65:
        _viewfinder(rng, canvas, ink)
    art = cameras.camera(rng, deck.camera)
    at = (width * rng.uniform(0.45, 0.55), height * rng.uniform(0.42, 0.58))
    if rng.random() < 0.2:
        cv2.circle(
            canvas,
            (int(at[0]), int(at[1])),
            int(width * 0.4),
            paint.mix(tone, ink, 0.6),
            -1,
            cv2.LINE_AA,
        )
    paint.paste(canvas, art, at, width * rng.uniform(0.4, 0.85), 0)
    if rng.random() < 0.3:
        paint.scribble_text(
            rng,
            canvas,
            (int(width * 0.2), int(height * 0.86), int(width * 0.8), int(height * 0.92)),
            ink,
        )
    if rng.random() < 0.55:
        margin = round(width * rng.uniform(0.02, 0.08))
        edge = deck.border_tone if rng.random() < 0.5 else WHITE
        cv2.rectangle(canvas, (0, 0), (width - 1, height - 1), edge, margin * 2)
    radius = deck.radius_mm * width / deck.size_mm[0]
    return paint.with_alpha(canvas, paint.corner_mask(size, radius))


def _viewfinder(rng: Rng, canvas: Image, ink: Colour) -> None:
    height, width = canvas.shape[:2]
    x0, y0 = int(width * rng.uniform(0.08, 0.22)), int(height * rng.uniform(0.08, 0.26))
    arm, thick = int(width * rng.uniform(0.08, 0.2)), int(rng.integers(2, 7))
    for x, dx in ((x0, arm), (width - x0, -arm)):
        for y, dy in ((y0, arm), (height - y0, -arm)):
            cv2.line(canvas, (x, y), (x + dx, y), ink, thick)
            cv2.line(canvas, (x, y), (x, y + dy), ink, thick)


def back(rng: Rng, deck: Deck) -> Image:
    """Draws the back of a deck: a repeating pattern, often framed, often with an emblem."""
    width, height = deck.texture_size
    ground = paint.colour(rng, (0.2, 0.9), (0.15, 0.8))
    ink = paint.mix(ground, WHITE if rng.random() < 0.6 else BLACK, rng.uniform(0.3, 0.9))
    canvas = paint.flat((width, height), ground)
    BACK_PATTERNS[int(rng.integers(len(BACK_PATTERNS)))](rng, canvas, ink)
    if rng.random() < 0.5:
        art = emblems.symbol(rng) if rng.random() < 0.6 else emblems.suit(int(rng.integers(4)), ink)
        paint.paste(canvas, art, (width / 2, height / 2), width * rng.uniform(0.25, 0.6), 0)
    if rng.random() < 0.7:
        margin = round(width * rng.uniform(0.02, 0.09))
        edge = WHITE if rng.random() < 0.6 else paint.colour(rng)
        cv2.rectangle(canvas, (0, 0), (width - 1, height - 1), edge, margin * 2)
    radius = deck.radius_mm * width / deck.size_mm[0]
    return paint.with_alpha(canvas, paint.corner_mask((width, height), radius))


def _dots(rng: Rng, canvas: Image, ink: Colour) -> None:
    pitch, ring = int(rng.integers(9, 26)), int(rng.choice((-1, 1, 2)))
    for row, y in enumerate(range(pitch // 2, canvas.shape[0], pitch)):
        for x in range(pitch // 2 + (row % 2) * pitch // 2, canvas.shape[1], pitch):
            cv2.circle(canvas, (x, y), pitch // 3, ink, ring, cv2.LINE_AA)


def _lattice(rng: Rng, canvas: Image, ink: Colour) -> None:
    pitch, width = int(rng.integers(7, 26)), int(rng.integers(1, 4))
    height = canvas.shape[0]
    slant = int(rng.choice((0, height, height // 2)))
    for x in range(-height, canvas.shape[1] + height, pitch):
        cv2.line(canvas, (x, 0), (x + slant, height), ink, width, cv2.LINE_AA)
        cv2.line(canvas, (x + slant, 0), (x, height), ink, width, cv2.LINE_AA)


def _waves(rng: Rng, canvas: Image, ink: Colour) -> None:
    pitch, width = int(rng.integers(7, 22)), int(rng.integers(1, 5))
    xs = np.arange(0, canvas.shape[1] + 6, 6)
    swing, length = rng.uniform(2, 9), rng.uniform(4, 20)
    for y in range(0, canvas.shape[0] + pitch, pitch):
        line = np.stack([xs, y + swing * np.sin(xs / length)], 1).astype(np.int32)
        cv2.polylines(canvas, [line], False, ink, width, cv2.LINE_AA)


def _symbols(rng: Rng, canvas: Image, _ink: Colour) -> None:
    art, pitch = emblems.symbol(rng), int(rng.integers(22, 46))
    for y in range(pitch // 2, canvas.shape[0], pitch):
        for x in range(pitch // 2, canvas.shape[1], pitch):
            paint.paste(canvas, art, (float(x), float(y)), pitch * 0.8, 0)


def _rings(rng: Rng, canvas: Image, ink: Colour) -> None:
    height, width = canvas.shape[:2]
    for radius in range(4, height, int(rng.integers(6, 18))):
        cv2.circle(
            canvas, (width // 2, height // 2), radius, ink, int(rng.integers(1, 4)), cv2.LINE_AA
        )


BACK_PATTERNS = (_dots, _lattice, _waves, _symbols, _rings)


def path_tile(rng: Rng, tones: tuple[Colour, Colour, Colour], *, mono: bool) -> Image:
    """Draws a square path tile: quarters in two greens (or any tones), a road in a third."""
    side = 96
    canvas = paint.flat((side, side), tones[0])
    for x in (0, side // 2):
        for y in (0, side // 2):
            pick = tones[0] if mono else tones[int(rng.integers(2))]
            canvas[y : y + side // 2, x : x + side // 2] = pick
    canvas = paint.modulate(
        canvas, paint.noise(rng, (side, side), (24, 24)), rng.uniform(0.02, 0.2)
    )
    width = int(rng.integers(9, 18))
    ends = [(side // 2, 0), (side // 2, side), (0, side // 2), (side, side // 2)]
    rng.shuffle(ends)
    for end in ends[: int(rng.integers(1, 5))]:
        cv2.line(canvas, (side // 2, side // 2), end, paint.mix(tones[2], BLACK, 0.3), width + 4)
    for end in ends[: int(rng.integers(1, 5))]:
        cv2.line(canvas, (side // 2, side // 2), end, tones[2], width)
    for _ in range(int(rng.integers(0, 4))):
        at = (float(rng.uniform(12, 84)), float(rng.uniform(12, 84)))
        if rng.random() < 0.3:
            paint.paste(canvas, emblems.symbol(rng), at, 24, 0)
        else:
            cv2.circle(canvas, (int(at[0]), int(at[1])), 3, paint.colour(rng), -1, cv2.LINE_AA)
    if rng.random() < 0.4:
        cv2.rectangle(canvas, (0, 0), (side - 1, side - 1), paint.mix(tones[0], BLACK, 0.35), 2)
    return paint.with_alpha(
        canvas, paint.corner_mask((side, side), float(rng.choice((0, 0, 3, 6))))
    )


def chip(rng: Rng, style: str) -> Image:
    """Draws a round chip: `poker` with marked rim, `token` with an icon, or `plain`."""
    side = 72
    art = np.zeros((side, side, 4), np.uint8)
    tone = paint.colour(rng, (0.3, 1), (0.25, 0.95))
    mid = (side // 2, side // 2)
    cv2.circle(art, mid, side // 2 - 1, (*tone, 255), -1, cv2.LINE_AA)
    if style == "poker":
        mark = (*(WHITE if rng.random() < 0.7 else paint.colour(rng)), 255)
        count = int(rng.integers(4, 9))
        for index in range(count):
            start = 360 / count * index
            cv2.ellipse(
                art, mid, (side // 2 - 5, side // 2 - 5), 0, start, start + 150 / count, mark, 9
            )
        inner = paint.mix(tone, WHITE, rng.uniform(0, 0.9))
        cv2.circle(art, mid, int(side * 0.3), (*inner, 255), -1, cv2.LINE_AA)
        cv2.circle(art, mid, int(side * 0.3), mark, 1, cv2.LINE_AA)
    elif style == "token":
        paper = paint.near(rng, (240, 242, 242), 12)
        cv2.circle(art, mid, int(side * rng.uniform(0.34, 0.42)), (*paper, 255), -1, cv2.LINE_AA)
    colour_part = np.ascontiguousarray(art[..., :3])
    if style != "plain" and rng.random() < 0.8:
        if rng.random() < 0.5:
            paint.write(
                colour_part, str(rng.integers(1, 100)), (side // 2 - 12, side // 2 + 8), 0.6, BLACK
            )
        else:
            paint.paste(colour_part, emblems.symbol(rng), (side / 2, side / 2), side * 0.5, 0)
    art[..., :3] = colour_part
    return art
