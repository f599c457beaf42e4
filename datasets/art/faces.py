"""Endless random faces: cards of many families, Camera cards, backs, path tiles and chips.

A detector must learn *cards*, not one deck. So each scene plays with decks drawn by lot: a
`Deck` fixes what the cards of one deck share (family, border, corners, aspect, palette), and
each call of `face` draws one more card of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.art import emblems, paint, playing
from datasets.art.paint import BLACK, WHITE, Colour, Image, Rng

TEXTURE_WIDTH = 128


@dataclass(frozen=True, slots=True)
class Deck:
    """What all cards of one deck share.

    Attributes:
        family: name of the painter of its faces.
        size_mm: width and height of a card.
        radius_mm: rounding of the corners.
        border: width of the border as a share of the card's width; 0 is full-bleed.
        border_tone: colour of the border.
        tones: palette of the faces.
        camera: style of its Camera pictogram.
    """

    family: str
    size_mm: tuple[float, float]
    radius_mm: float
    border: float
    border_tone: Colour
    tones: tuple[Colour, ...]
    camera: str

    @property
    def texture_size(self) -> tuple[int, int]:
        """Width and height of its textures in pixels."""
        return TEXTURE_WIDTH, round(TEXTURE_WIDTH * self.size_mm[1] / self.size_mm[0])


def sample_deck(rng: Rng, families: tuple[str, ...], cameras: tuple[str, ...]) -> Deck:
    """Draws a deck by lot from the given families and Camera styles."""
    family = str(rng.choice(families))
    width = float(rng.uniform(56, 70) if rng.random() < 0.8 else rng.uniform(40, 88))
    roll = rng.random()
    aspect = rng.uniform(0.62, 0.75) if roll < 0.86 else rng.uniform(0.55, 1.0)
    if family == "playing":
        aspect = rng.uniform(0.66, 0.74)
    white = rng.random() < 0.65 or family == "playing"
    border_tone = (
        paint.near(rng, (244, 246, 246), 10) if white else paint.colour(rng, (0, 0.9), (0.03, 0.95))
    )
    bleed = rng.random() < 0.25 and family != "playing"
    value = (0.08, 0.4) if rng.random() < 0.25 else (0.4, 1.0)
    tones = tuple(paint.colour(rng, (0.05, 0.85), value) for _ in range(6))
    return Deck(
        family,
        (width, width / aspect),
        float(rng.choice((0, 1, 2, 3, 3.5, 5))),
        0.0 if bleed else float(rng.uniform(0.015, 0.09)),
        border_tone,
        tones,
        str(rng.choice(cameras)),
    )


def face(rng: Rng, deck: Deck) -> Image:
    """Draws one more card of a deck, as BGRA."""
    size = deck.texture_size
    canvas = FAMILIES[deck.family](rng, deck, size)
    return _finish(canvas, deck)


def _finish(canvas: Image, deck: Deck) -> Image:
    width, height = deck.texture_size
    margin = round(deck.border * width)
    if margin:
        frame = paint.flat((width, height), deck.border_tone)
        inner = (width - 2 * margin, height - 2 * margin)
        frame[margin:-margin, margin:-margin] = cv2.resize(
            canvas, inner, interpolation=cv2.INTER_AREA
        )
        canvas = frame
    radius = deck.radius_mm * width / deck.size_mm[0]
    return paint.with_alpha(canvas, paint.corner_mask((width, height), radius))


def _backdrop(rng: Rng, deck: Deck, size: tuple[int, int]) -> Image:
    first, second = (deck.tones[int(i)] for i in rng.integers(0, len(deck.tones), 2))
    roll = rng.random()
    if roll < 0.3:
        return paint.flat(size, paint.mix(first, WHITE, 0.75))
    if roll < 0.6:
        pale = rng.uniform(0, 0.8)
        return paint.gradient(
            rng, size, paint.mix(first, WHITE, pale), paint.mix(second, WHITE, pale)
        )
    canvas = paint.flat(size, paint.mix(first, WHITE, rng.uniform(0, 0.7)))
    horizon = int(size[1] * rng.uniform(0.35, 0.75))
    canvas[horizon:] = paint.mix(second, WHITE, rng.uniform(0, 0.6))
    if rng.random() < 0.6:
        cells = int(rng.integers(3, 24))
        canvas = paint.modulate(
            canvas, paint.noise(rng, size, (cells, cells)), rng.uniform(0.05, 0.2)
        )
    return canvas


def _animal(rng: Rng, deck: Deck, size: tuple[int, int]) -> Image:
    """A creature or emoji before a quiet backdrop, small icons in the corners."""
    canvas = _backdrop(rng, deck, size)
    width, height = size
    for _ in range(1 if rng.random() < 0.7 else 2):
        at = (width * rng.uniform(0.35, 0.65), height * rng.uniform(0.3, 0.65))
        art = emblems.symbol(rng) if rng.random() < 0.5 else emblems.creature(rng)
        paint.paste(canvas, art, at, width * rng.uniform(0.45, 0.95), rng.normal(0, 0.15))
    for corner in range(int(rng.integers(0, 4))):
        at = (width * (0.14 if corner % 2 else 0.86), height * (0.9 if corner < 2 else 0.1))
        if rng.random() < 0.5:
            paint.paste(canvas, emblems.symbol(rng), at, width * rng.uniform(0.12, 0.25), 0)
        else:
            cv2.circle(
                canvas,
                (int(at[0]), int(at[1])),
                int(width * rng.uniform(0.05, 0.1)),
                paint.colour(rng),
                -1,
                cv2.LINE_AA,
            )
    return canvas


def _task(rng: Rng, deck: Deck, size: tuple[int, int]) -> Image:
    """Circles with pictograms on plain ground, some struck through."""
    pale = rng.uniform(0.7, 1.0) if rng.random() < 0.75 else 0.0
    canvas = paint.flat(size, paint.mix(deck.tones[0], WHITE, pale))
    width, height = size
    count = int(rng.integers(1, 5))
    radius = int(min(width * 0.3, height / (2.4 * count)))
    turned = rng.random() < 0.1
    for index in range(count):
        at = (width // 2, int(height * (index + 1) / (count + 1)))
        if turned:
            at = (int(width * (index + 1) / (count + 1)), height // 2)
        ring = [(40, 40, 210), (60, 160, 40), paint.colour(rng)][int(rng.integers(3))]
        cv2.circle(canvas, at, radius, paint.near(rng, (240, 240, 240)), -1, cv2.LINE_AA)
        paint.paste(canvas, emblems.symbol(rng), (float(at[0]), float(at[1])), radius * 1.4, 0)
        cv2.circle(canvas, at, radius, ring, max(2, radius // 8), cv2.LINE_AA)
        if rng.random() < 0.4:
            off = int(radius * 0.7)
            cv2.line(
                canvas,
                (at[0] - off, at[1] - off),
                (at[0] + off, at[1] + off),
                (40, 40, 210),
                max(2, radius // 7),
                cv2.LINE_AA,
            )
    return canvas


def _bands(rng: Rng, deck: Deck, size: tuple[int, int]) -> Image:
    """Landscape bands with round icons and a dark strip of icons at one side."""
    width, height = size
    canvas = paint.flat(size, deck.tones[0])
    cuts = np.sort(rng.uniform(0, height, int(rng.integers(1, 5)))).astype(int)
    for cut in cuts:
        canvas[cut:] = deck.tones[int(rng.integers(len(deck.tones)))]
    canvas = paint.modulate(canvas, paint.noise(rng, size, (30, 40)), rng.uniform(0, 0.25))
    for _ in range(int(rng.integers(0, 7))):
        at = (int(rng.uniform(0.15, 0.85) * width), int(rng.uniform(0.1, 0.9) * height))
        tone = paint.near(rng, deck.tones[int(rng.integers(len(deck.tones)))], 40)
        cv2.circle(canvas, at, int(width * rng.uniform(0.07, 0.16)), tone, -1, cv2.LINE_AA)
        if rng.random() < 0.6:
            paint.paste(canvas, emblems.symbol(rng), (float(at[0]), float(at[1])), width * 0.2, 0)
    strip = int(height * rng.uniform(0.1, 0.2))
    canvas[height - strip :] = paint.colour(rng, (0, 0.4), (0.03, 0.3))
    for index in range(int(rng.integers(1, 6))):
        at = (int(width * (0.12 + 0.19 * index)), height - strip // 2)
        cv2.circle(
            canvas, at, max(2, strip // 3), paint.colour(rng, (0.2, 1), (0.6, 1)), -1, cv2.LINE_AA
        )
    return canvas


def _trading(rng: Rng, deck: Deck, size: tuple[int, int]) -> Image:
    """A title bar, a framed picture, a block of small print."""
    width, height = size
    paper = paint.mix(deck.tones[1], WHITE, rng.uniform(0.0, 0.9))
    canvas = paint.flat(size, paper)
    ink = BLACK if sum(paper) > 330 else WHITE
    top, cut = int(height * rng.uniform(0.08, 0.16)), int(height * rng.uniform(0.45, 0.75))
    window = _photo(rng, deck, (width - 12, cut - top))
    canvas[top:cut, 6 : width - 6] = window
    cv2.rectangle(canvas, (6, top), (width - 7, cut), ink, int(rng.integers(1, 4)))
    paint.scribble_text(rng, canvas, (8, 4, width // 2, top - 2), ink)
    paint.scribble_text(rng, canvas, (10, cut + 6, width - 10, height - 8), ink)
    return canvas


def _photo(rng: Rng, deck: Deck, size: tuple[int, int]) -> Image:
    """A full picture: clouds of colour with large shapes."""
    canvas = paint.gradient(rng, size, deck.tones[0], deck.tones[1])
    cells = int(rng.integers(2, 12))
    for channel in range(3):
        field = paint.noise(rng, size, (cells, cells + 2))
        canvas[..., channel] = np.clip(canvas[..., channel] + field * 50, 0, 255)
    for _ in range(int(rng.integers(0, 6))):
        at = (float(rng.uniform(0, size[0])), float(rng.uniform(0, size[1])))
        points = paint.outline(rng, at, float(rng.uniform(5, 50)), float(rng.uniform(0, 0.6)))
        paint.shape(canvas, points, paint.colour(rng))
    if rng.random() < 0.6:
        at2 = (size[0] * rng.uniform(0.3, 0.7), size[1] * rng.uniform(0.3, 0.7))
        paint.paste(
            canvas, emblems.symbol(rng), at2, size[0] * rng.uniform(0.4, 0.9), rng.normal(0, 0.2)
        )
    return canvas


def _number(rng: Rng, deck: Deck, size: tuple[int, int]) -> Image:
    """A large number or letter on colour, as in shedding games."""
    width, height = size
    tone = deck.tones[int(rng.integers(len(deck.tones)))]
    canvas = paint.flat(size, tone)
    paper = WHITE if rng.random() < 0.6 else paint.mix(tone, BLACK, 0.6)
    if rng.random() < 0.6:
        cv2.ellipse(
            canvas,
            (width // 2, height // 2),
            (int(width * 0.42), int(height * 0.3)),
            rng.uniform(-40, 40),
            0,
            360,
            paper,
            -1,
            cv2.LINE_AA,
        )
        ink = tone
    else:
        ink = paper
    text = str(rng.choice(list("0123456789AKQXZ?!+&")))
    scale = width / 45
    cv2.putText(
        canvas,
        text,
        (int(width / 2 - 10 * scale), int(height / 2 + 11 * scale)),
        cv2.FONT_HERSHEY_DUPLEX,
        scale,
        ink,
        int(scale * 4),
        cv2.LINE_AA,
    )
    paint.write(canvas, text, (6, 26), 0.8, WHITE)
    return canvas


def _grid(rng: Rng, deck: Deck, size: tuple[int, int]) -> Image:
    """Several symbols spread over a plain ground."""
    canvas = _backdrop(rng, deck, size)
    same = emblems.symbol(rng)
    cols, rows = int(rng.integers(1, 4)), int(rng.integers(2, 5))
    single = rng.random() < 0.5
    for col in range(cols):
        for row in range(rows):
            at = (size[0] * (col + 0.5) / cols, size[1] * (row + 0.5) / rows)
            art = same if single else emblems.symbol(rng)
            paint.paste(canvas, art, at, min(size[0] / cols, size[1] / rows) * 0.8, 0)
    return canvas


def _blank(rng: Rng, deck: Deck, size: tuple[int, int]) -> Image:
    """Nearly empty: one small mark or none."""
    canvas = paint.flat(size, paint.mix(deck.tones[0], WHITE, rng.uniform(0.2, 0.95)))
    if rng.random() < 0.7:
        paint.paste(
            canvas,
            emblems.symbol(rng),
            (size[0] * rng.uniform(0.2, 0.8), size[1] * rng.uniform(0.2, 0.8)),
            size[0] * rng.uniform(0.15, 0.4),
            0,
        )
    return canvas


def _arcana(rng: Rng, deck: Deck, size: tuple[int, int]) -> Image:
    """Held-out family: a sunburst in a double frame with a name plate."""
    width, height = size
    canvas = paint.flat(size, deck.tones[0])
    centre = (width // 2, int(height * 0.45))
    for index, angle in enumerate(np.linspace(0, 2 * np.pi, 24, endpoint=False)):
        tip = (int(centre[0] + width * np.cos(angle)), int(centre[1] + width * np.sin(angle)))
        tone = deck.tones[1] if index % 2 else deck.tones[2]
        cv2.line(canvas, centre, tip, tone, int(rng.integers(4, 11)), cv2.LINE_AA)
    cv2.circle(canvas, centre, int(width * rng.uniform(0.2, 0.33)), deck.tones[3], -1, cv2.LINE_AA)
    paint.paste(canvas, emblems.symbol(rng), (float(centre[0]), float(centre[1])), width * 0.5, 0)
    cv2.rectangle(canvas, (5, 5), (width - 6, height - 6), deck.tones[4], 3)
    canvas[int(height * 0.85) : int(height * 0.94), 14 : width - 14] = paint.mix(
        deck.tones[4], WHITE, 0.6
    )
    return canvas


def _mosaic(rng: Rng, deck: Deck, size: tuple[int, int]) -> Image:
    """Held-out family: a patchwork of small squares with one large shape."""
    cells = rng.integers(0, len(deck.tones), (int(rng.integers(4, 12)), int(rng.integers(3, 9))))
    small = np.asarray([[deck.tones[int(c)] for c in row] for row in cells], np.uint8)
    canvas = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_NEAREST), np.uint8)
    at = (size[0] / 2, size[1] / 2)
    paint.shape(canvas, paint.outline(rng, at, size[0] * 0.3, 0.4), WHITE, BLACK, 3)
    return canvas


FAMILIES = {
    "animal": _animal,
    "task": _task,
    "playing": playing.face,
    "bands": _bands,
    "trading": _trading,
    "photo": _photo,
    "number": _number,
    "grid": _grid,
    "blank": _blank,
    "arcana": _arcana,
    "mosaic": _mosaic,
}
