"""Things on tables that are no cards: mugs, bowls, pens, phones, books, boxes, papers, coasters."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.art import emblems, paint
from datasets.art.paint import BLACK, WHITE, Image, Rng, f32, i32


@dataclass(frozen=True, slots=True)
class Thing:
    """A drawn thing: its BGRA picture from above, its size and how tall it stands."""

    art: Image
    size_mm: tuple[float, float]
    height_mm: float


def draw_thing(rng: Rng) -> Thing:
    """Draws one thing by lot."""
    return THINGS[int(rng.integers(len(THINGS)))](rng)


def _opaque(canvas: Image, radius: float = 0.0) -> Image:
    return paint.with_alpha(canvas, paint.corner_mask((canvas.shape[1], canvas.shape[0]), radius))


def _disc(side: int) -> Image:
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, (side // 2, side // 2), side // 2 - 2, 255, -1, cv2.LINE_AA)
    return mask


def _mug(rng: Rng) -> Thing:
    side = 150
    canvas = paint.flat((side, side), paint.colour(rng, (0, 0.9), (0.1, 0.98)))
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, (70, 75), 56, 255, -1, cv2.LINE_AA)
    cv2.ellipse(mask, (126, 75), (20, 24), 0, 0, 360, 255, 9, cv2.LINE_AA)
    cv2.circle(canvas, (70, 75), 49, paint.colour(rng, (0, 0.9), (0.05, 0.6)), -1, cv2.LINE_AA)
    cv2.ellipse(
        canvas,
        (60, 62),
        (18, 8),
        40,
        0,
        360,
        paint.colour(rng, (0, 0.3), (0.5, 1)),
        -1,
        cv2.LINE_AA,
    )
    across = float(rng.uniform(90, 125))
    return Thing(paint.with_alpha(canvas, mask), (across, across), float(rng.uniform(40, 100)))


def _bowl(rng: Rng) -> Thing:
    side = 170
    tone = paint.colour(rng)
    canvas = paint.flat((side, side), tone)
    mid = (side // 2, side // 2)
    cv2.circle(
        canvas,
        mid,
        int(side * rng.uniform(0.3, 0.45)),
        paint.mix(tone, BLACK, 0.3),
        -1,
        cv2.LINE_AA,
    )
    snack = paint.colour(rng, (0.3, 0.9), (0.3, 0.95))
    for _ in range(int(rng.integers(0, 40))):
        angle, far = rng.uniform(0, 6.3), rng.uniform(0, side * 0.3)
        at = (mid[0] + far * np.cos(angle), mid[1] + far * np.sin(angle))
        paint.shape(
            canvas,
            paint.outline(rng, at, float(rng.uniform(5, 13)), 0.3),
            paint.near(rng, snack, 30),
            BLACK,
        )
    across = float(rng.uniform(80, 200))
    return Thing(paint.with_alpha(canvas, _disc(side)), (across, across), float(rng.uniform(5, 60)))


def _pen(rng: Rng) -> Thing:
    canvas = paint.flat((240, 14), paint.colour(rng))
    canvas[:5] = np.clip(canvas[:5] * 1.25, 0, 255)
    canvas[10:] = canvas[10:] // 2
    mask = np.full((14, 240), 255, np.uint8)
    if rng.random() < 0.6:
        canvas[:, 215:] = (140, 190, 225)
        canvas[:, :16] = paint.colour(rng)
        cv2.fillPoly(mask, [i32([[215, 0], [240, 0], [240, 6]])], 0)
        cv2.fillPoly(mask, [i32([[215, 14], [240, 14], [240, 8]])], 0)
    return Thing(
        paint.with_alpha(canvas, mask),
        (float(rng.uniform(120, 180)), float(rng.uniform(6, 12))),
        6.0,
    )


def _phone(rng: Rng) -> Thing:
    canvas = paint.flat((90, 180), paint.near(rng, (30, 28, 28), 20))
    if rng.random() < 0.3:
        canvas[8:-8, 5:-5] = paint.gradient(rng, (80, 164), paint.colour(rng), paint.colour(rng))
    cv2.line(canvas, (10, 20), (60, 160), (70, 70, 70), 2, cv2.LINE_AA)
    return Thing(
        _opaque(canvas, 10), (float(rng.uniform(68, 80)), float(rng.uniform(140, 170))), 8.0
    )


def _paper(rng: Rng) -> Thing:
    canvas = paint.flat((150, 210), paint.near(rng, (240, 243, 244), 14))
    if rng.random() < 0.4:
        canvas[:] = paint.colour(rng, (0.0, 0.5), (0.75, 1.0))
    roll = rng.random()
    if roll < 0.5:
        paint.scribble_text(rng, canvas, (14, 16, 136, int(rng.uniform(60, 195))), (60, 55, 55))
    elif roll < 0.7:
        canvas[::12] = paint.mix(WHITE, (200, 120, 60), 0.5)
    wide = float(rng.uniform(75, 220))
    return Thing(_opaque(canvas), (wide, wide * float(rng.uniform(0.8, 1.5))), 0.3)


def _book(rng: Rng) -> Thing:
    """A book, a game box or a disc case: large, thick, printed with a title and a picture."""
    size = (200, int(rng.integers(180, 300)))
    canvas = paint.gradient(rng, size, paint.colour(rng), paint.colour(rng))
    paint.paste(
        canvas,
        emblems.symbol(rng),
        (100, size[1] * rng.uniform(0.4, 0.65)),
        float(rng.uniform(80, 180)),
        0,
    )
    tone = WHITE if rng.random() < 0.6 else BLACK
    word = "".join(rng.choice(list("ABCDEGHIKLMNOPRSTUVZ"), int(rng.integers(4, 9))))
    cv2.putText(canvas, word, (16, 48), cv2.FONT_HERSHEY_TRIPLEX, 1.1, tone, 2, cv2.LINE_AA)
    if rng.random() < 0.5:
        paint.scribble_text(rng, canvas, (20, size[1] - 50, 180, size[1] - 16), tone)
    if rng.random() < 0.3:
        cv2.rectangle(canvas, (0, 0), (199, size[1] - 1), paint.colour(rng), 12)
    wide = float(rng.uniform(110, 260))
    return Thing(_opaque(canvas), (wide, wide * size[1] / 200), float(rng.uniform(8, 55)))


def _coaster(rng: Rng) -> Thing:
    side = 120
    canvas = paint.gradient(rng, (side, side), paint.colour(rng), paint.colour(rng))
    for radius in range(10, side // 2, int(rng.integers(8, 24))):
        cv2.circle(canvas, (side // 2, side // 2), radius, paint.colour(rng), 2, cv2.LINE_AA)
    across = float(rng.uniform(85, 110))
    return Thing(paint.with_alpha(canvas, _disc(side)), (across, across), 3.0)


def _cloth(rng: Rng) -> Thing:
    """A crumpled piece of cloth or a cushion's corner, without straight sides."""
    side = 200
    canvas = paint.flat((side, side), paint.colour(rng, (0, 0.8), (0.15, 0.95)))
    folds = paint.noise(rng, (side, side), (int(rng.integers(3, 9)), int(rng.integers(3, 9))))
    canvas = paint.modulate(canvas, folds, rng.uniform(0.1, 0.45))
    mask = np.zeros((side, side), np.uint8)
    cv2.fillPoly(
        mask, [paint.outline(rng, (side / 2, side / 2), side * 0.42, 0.2)], 255, cv2.LINE_AA
    )
    across = float(rng.uniform(120, 500))
    return Thing(
        paint.with_alpha(canvas, np.asarray(cv2.GaussianBlur(mask, (0, 0), 1.5), np.uint8)),
        (across, across),
        float(rng.uniform(3, 30)),
    )


def _remote(rng: Rng) -> Thing:
    canvas = paint.flat((50, 170), paint.colour(rng, (0, 0.3), (0.05, 0.4)))
    for y in range(14, 160, 15):
        for x in (12, 25, 38):
            cv2.circle(canvas, (x, y), 4, paint.colour(rng, (0, 0.8), (0.3, 0.9)), -1, cv2.LINE_AA)
    return Thing(_opaque(canvas, 8), (48.0, 165.0), 18.0)


def _die(rng: Rng) -> Thing:
    canvas = paint.flat((48, 48), paint.colour(rng, (0, 0.9), (0.5, 1.0)))
    for _ in range(int(rng.integers(1, 7))):
        cv2.circle(
            canvas,
            (int(rng.choice((12, 24, 36))), int(rng.choice((12, 24, 36)))),
            4,
            BLACK,
            -1,
            cv2.LINE_AA,
        )
    return Thing(_opaque(canvas, 7), (16.0, 16.0), 16.0)


def _bottle(rng: Rng) -> Thing:
    """A lying bottle or a glasses case: a long rounded body."""
    canvas = paint.flat((70, 220), paint.colour(rng))
    shine = np.exp(-((np.arange(70) - rng.uniform(15, 45)) ** 2) / rng.uniform(60, 400))
    canvas = np.clip(canvas * (0.45 + 0.9 * shine[None, :, None]), 0, 255).astype(np.uint8)
    canvas[70:150] = np.clip(canvas[70:150] * 0.4 + f32(paint.colour(rng)) * 0.6, 0, 255)
    return Thing(
        _opaque(canvas, 30), (float(rng.uniform(45, 75)), float(rng.uniform(140, 240))), 40.0
    )


THINGS = (
    _mug,
    _bowl,
    _pen,
    _pen,
    _phone,
    _paper,
    _paper,
    _book,
    _book,
    _coaster,
    _cloth,
    _remote,
    _die,
    _bottle,
)
