"""Camera pictograms, as Camera cards of many designs carry them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.art import paint
from datasets.art.emblems import CANVAS, blank, rgba
from datasets.art.paint import BLACK, WHITE, Colour, Image, Rng, f64, i32

MID = CANVAS // 2


def camera(rng: Rng, style: str) -> Image:
    """Draws a camera pictogram in one of `CAMERA_STYLES`."""
    if style == "emoji":
        glyph = paint.emoji(rng, cameras=True)
        if glyph is not None:
            return glyph
        style = "flat"
    return CAMERA_STYLES[style](rng)


def _box(rng: Rng) -> tuple[int, int, int, int]:
    half_w, half_h = int(rng.integers(36, 56)), int(rng.integers(24, 40))
    y = 68 + int(rng.integers(-4, 5))
    return 64 - half_w, y - half_h, 64 + half_w, min(y + half_h, 122)


def _camera_flat(rng: Rng) -> Image:
    art = blank()
    x0, y0, x1, y1 = _box(rng)
    body = WHITE if rng.random() < 0.6 else paint.colour(rng, (0, 0.4), (0.1, 0.95))
    dark = paint.colour(rng, (0, 0.3), (0.05, 0.4))
    edge = int(rng.integers(0, 5))
    hump = (int(rng.integers(x0 + 8, 60)), y0 - int(rng.integers(6, 16)))
    cv2.rectangle(art, hump, (hump[0] + int(rng.integers(16, 44)), y0 + 4), rgba(body), -1)
    cv2.rectangle(art, (x0, y0), (x1, y1), rgba(body), -1)
    if rng.random() < 0.5:
        cv2.rectangle(art, (x0, y0), (x1, (y0 + y1) // 2), rgba(dark), -1)
    if edge:
        cv2.rectangle(art, (x0, y0), (x1, y1), rgba(BLACK), edge)
    centre = ((x0 + x1) // 2 + int(rng.integers(-6, 7)), (y0 + y1) // 2)
    radius = int((y1 - y0) * rng.uniform(0.3, 0.5))
    for share, tone in ((1.0, dark), (0.78, WHITE), (0.66, dark), (0.35, paint.colour(rng))):
        if share in (1.0, 0.66) or rng.random() < 0.7:
            cv2.circle(art, centre, max(2, int(radius * share)), rgba(tone), -1, cv2.LINE_AA)
    cv2.circle(art, (centre[0] - radius // 3, centre[1] - radius // 3), 3, rgba(WHITE), -1)
    if rng.random() < 0.6:
        cv2.circle(art, (x1 - 10, y0 + 9), 4, rgba(paint.colour(rng)), -1, cv2.LINE_AA)
    return art


def _camera_line(rng: Rng) -> Image:
    art = blank()
    x0, y0, x1, y1 = _box(rng)
    ink = rgba(WHITE if rng.random() < 0.6 else BLACK)
    width = int(rng.integers(3, 9))
    hump = i32([[48, y0], [54, y0 - 12], [78, y0 - 12], [84, y0]])
    cv2.polylines(art, [hump], False, ink, width, cv2.LINE_AA)
    cv2.rectangle(art, (x0, y0), (x1, y1), ink, width, cv2.LINE_AA)
    centre = ((x0 + x1) // 2, (y0 + y1) // 2)
    cv2.circle(art, centre, int((y1 - y0) * 0.36), ink, width, cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.circle(art, centre, int((y1 - y0) * 0.18), ink, max(2, width - 2), cv2.LINE_AA)
    cv2.circle(art, (x1 - 10, y0 + 9), 3, ink, -1, cv2.LINE_AA)
    return art


def _camera_lens(rng: Rng) -> Image:
    art = blank()
    rings = int(rng.integers(3, 7))
    for index in range(rings):
        tone = paint.colour(rng, (0, 0.5), (0.05, 0.95)) if index else BLACK
        cv2.circle(art, (64, 64), int(58 * (1 - index / rings)), rgba(tone), -1, cv2.LINE_AA)
    if rng.random() < 0.5:
        for angle in np.linspace(0, 2 * np.pi, 6, endpoint=False):
            tip = (int(64 + 30 * np.cos(angle)), int(64 + 30 * np.sin(angle)))
            tail = (int(64 + 30 * np.cos(angle + 1.6)), int(64 + 30 * np.sin(angle + 1.6)))
            cv2.line(art, tip, tail, rgba(WHITE), 2, cv2.LINE_AA)
    cv2.circle(art, (46, 46), 7, rgba(WHITE), -1, cv2.LINE_AA)
    return art


def _camera_twin(rng: Rng) -> Image:
    """A tall twin-lens camera: kept for the held-out style."""
    art = blank()
    body = paint.colour(rng, (0, 0.5), (0.1, 0.6))
    cv2.rectangle(art, (34, 10), (94, 120), rgba(body), -1)
    cv2.rectangle(art, (34, 10), (94, 120), rgba(WHITE), 3)
    for y in (40, 88):
        cv2.circle(art, (64, y), 20, rgba(WHITE), -1, cv2.LINE_AA)
        cv2.circle(art, (64, y), 13, rgba(BLACK), -1, cv2.LINE_AA)
    return art


def _camera_instant(rng: Rng) -> Image:
    """An instant camera with a picture slot and a stripe: kept for the held-out style."""
    art = blank()
    body = paint.colour(rng, (0, 0.25), (0.8, 1.0))
    cv2.fillPoly(art, [i32([[20, 104], [30, 30], [98, 30], [108, 104]])], rgba(body), cv2.LINE_AA)
    cv2.rectangle(art, (20, 92), (108, 112), rgba(BLACK), -1)
    for index in range(5):
        stripe = rgba(paint.hsv(index / 6, 0.9, 0.9))
        cv2.line(art, (58 + index * 3, 74), (58 + index * 3, 92), stripe, 3)
    cv2.circle(art, (64, 58), 19, rgba(BLACK), -1, cv2.LINE_AA)
    cv2.circle(art, (64, 58), 9, rgba((120, 90, 60)), -1, cv2.LINE_AA)
    cv2.rectangle(art, (82, 36), (96, 46), rgba(BLACK), -1)
    return art


def _camera_any(rng: Rng) -> Image:
    """A camera of chance: any body with one lens, and of hump, window, flash, knobs what comes."""
    art = blank()
    half_width = rng.uniform(34, 58)
    half_height = half_width * rng.uniform(0.5, 0.95)
    middle = MID + rng.uniform(-3, 8)
    x0, x1 = int(MID - half_width), int(MID + half_width)
    y0, y1 = int(max(middle - half_height, 14)), int(min(middle + half_height, 122))
    tone = WHITE if rng.random() < 0.3 else paint.colour(rng, (0, 0.8), (0.05, 1.0))
    ink = paint.near(rng, BLACK if sum(tone) > 300 else WHITE, 25)
    edge = int(rng.choice((0, 0, 2, 3, 5)))
    for part in _humps(rng, (x0, y0, x1, y1)):
        cv2.fillConvexPoly(art, part, rgba(tone if rng.random() < 0.6 else ink), cv2.LINE_AA)
        if edge:
            cv2.polylines(art, [part], True, rgba(ink), edge, cv2.LINE_AA)
    _body(art, (x0, y0, x1, y1), float(rng.uniform(0, 18)), rgba(tone), rgba(ink), edge)
    _trim(rng, art, (x0, y0, x1, y1), ink)
    _one_lens(rng, art, (x0, y0, x1, y1), ink)
    return art


def _humps(rng: Rng, box: tuple[int, int, int, int]) -> list[NDArray[np.int32]]:
    """What rises above the body: a prism, a finder or a flash, knobs and buttons."""
    x0, y0, x1, _ = box
    parts = []
    width = x1 - x0
    if rng.random() < 0.7:
        at, wide = rng.uniform(0.25, 0.75), rng.uniform(0.1, 0.28)
        slant, tall = rng.uniform(0, 0.5) * wide, rng.uniform(5, 18)
        shares = f64([at - wide, at - wide + slant, at + wide - slant, at + wide])
        xs = np.clip(x0 + shares * width, x0 + 2, x1 - 2)
        parts.append(i32(np.stack([xs, [y0 + 3, y0 - tall, y0 - tall, y0 + 3]], 1)))
    for at in rng.uniform(0.06, 0.94, int(rng.integers(0, 3))):
        left, tall = x0 + at * width, rng.uniform(3, 8)
        right = min(left + rng.uniform(5, 14), x1 - 1)
        parts.append(i32([[left, y0 + 2], [left, y0 - tall], [right, y0 - tall], [right, y0 + 2]]))
    return parts


def _body(
    art: Image,
    box: tuple[int, int, int, int],
    radius: float,
    tone: tuple[int, int, int, int],
    ink: tuple[int, int, int, int],
    edge: int,
) -> None:
    x0, y0, x1, y1 = box
    mask = paint.corner_mask((x1 - x0, y1 - y0), radius) > 127
    part = art[y0:y1, x0:x1]
    part[mask] = tone
    if edge:
        inner = np.asarray(cv2.erode(mask.astype(np.uint8), np.ones((2 * edge + 1,) * 2)), bool)
        part[mask & ~inner] = ink


def _trim(rng: Rng, art: Image, box: tuple[int, int, int, int], ink: Colour) -> None:
    """Bands, grips, windows and lamps on the body."""
    x0, y0, x1, y1 = box
    width, height = x1 - x0, y1 - y0
    if rng.random() < 0.45:
        top, bottom = sorted(rng.uniform(0.05, 0.95, 2))
        band = rgba(ink if rng.random() < 0.5 else paint.colour(rng))
        cv2.rectangle(
            art, (x0 + 2, int(y0 + top * height)), (x1 - 3, int(y0 + bottom * height)), band, -1
        )
    if rng.random() < 0.25:
        grip = int(width * rng.uniform(0.1, 0.22))
        cv2.rectangle(art, (x0 + 2, y0 + 4), (x0 + grip, y1 - 5), rgba(ink), -1)
    for _ in range(int(rng.integers(0, 4))):
        at = (int(x0 + width * rng.uniform(0.1, 0.9)), int(y0 + height * rng.uniform(0.1, 0.28)))
        lamp = rgba(WHITE if rng.random() < 0.4 else paint.colour(rng))
        if rng.random() < 0.5:
            cv2.circle(art, at, int(rng.integers(2, 6)), lamp, -1, cv2.LINE_AA)
        else:
            reach = int(rng.integers(4, 11))
            cv2.rectangle(art, (at[0] - reach, at[1] - 4), (at[0] + reach, at[1] + 4), lamp, -1)


def _one_lens(rng: Rng, art: Image, box: tuple[int, int, int, int], ink: Colour) -> None:
    x0, y0, x1, y1 = box
    at = (int((x0 + x1) / 2 + rng.normal(0, 5)), int((y0 + y1) / 2 + rng.normal(2, 3)))
    radius = (y1 - y0) * rng.uniform(0.26, 0.52)
    share = 1.0
    for ring in range(int(rng.integers(2, 6))):
        tone = ink if ring % 2 == 0 else paint.colour(rng, (0, 0.9), (0.05, 1.0))
        if ring % 2 and rng.random() < 0.4:
            tone = WHITE
        cv2.circle(art, at, max(2, int(radius * share)), rgba(tone), -1, cv2.LINE_AA)
        share *= rng.uniform(0.55, 0.85)
    if rng.random() < 0.6:
        glint = (int(at[0] - radius * 0.3), int(at[1] - radius * 0.35))
        cv2.circle(art, glint, max(2, int(radius * 0.12)), rgba(WHITE), -1, cv2.LINE_AA)


CAMERA_STYLES = {
    "any": _camera_any,
    "flat": _camera_flat,
    "line": _camera_line,
    "lens": _camera_lens,
    "twin": _camera_twin,
    "instant": _camera_instant,
}
