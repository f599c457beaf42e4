"""What cards lie on: wood, felt, cloth, stone and more, as tiles that repeat over the table."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from datasets.art import emblems, paint
from datasets.art.paint import BLACK, WHITE, Image, Rng, f32, i32

SIDE = 384


@lru_cache(maxsize=4)
def texture_files(folder: Path) -> tuple[Path, ...]:
    """Lists the texture pictures of a folder, sorted by name."""
    return tuple(sorted(p for p in folder.iterdir() if p.suffix in {".png", ".jpg", ".jpeg"}))


@lru_cache(maxsize=128)
def _load(path: Path) -> Image:
    picture = cv2.imread(str(path))
    if picture is None:
        raise ValueError(f"{path}: not a picture; expected a PNG or JPEG texture")
    return np.asarray(cv2.resize(picture, (512, 512), interpolation=cv2.INTER_AREA), np.uint8)


def from_file(rng: Rng, folder: Path, *, held: bool) -> Image:
    """Takes a texture picture by lot and shifts its colour; each sixth file is held out."""
    files = [f for i, f in enumerate(texture_files(folder)) if (i % 6 == 5) == held]
    tile = _load(files[int(rng.integers(len(files)))])
    if rng.random() < 0.6:
        tint = rng.uniform(0.6, 1.15, 3) * rng.uniform(0.5, 1.3)
        tile = np.clip(tile * tint, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(np.rot90(tile)) if rng.random() < 0.5 else tile


def _wood(rng: Rng) -> Image:
    hue, sat = rng.uniform(0.02, 0.12), rng.uniform(0.15, 0.75)
    value = rng.uniform(0.15, 0.9)
    if rng.random() < 0.12:
        hue, sat = rng.random(), rng.uniform(0, 0.4)
    grain = 0.6 * paint.noise(rng, (SIDE, SIDE), (4, int(rng.integers(30, 160))))
    grain += 0.5 * paint.noise(rng, (SIDE, SIDE), (12, SIDE // 2))
    warp = paint.noise(rng, (SIDE, SIDE), (4, 5)) * rng.uniform(0, 20)
    if rng.random() < 0.6:
        ys = np.arange(SIDE, dtype=np.float32)[:, None] + warp
        grain += np.sin(ys / rng.uniform(2, 14)) * rng.uniform(0.1, 0.9)
    tile = paint.modulate(
        paint.flat((SIDE, SIDE), paint.hsv(hue, sat, value)), grain, rng.uniform(0.04, 0.3)
    )
    if rng.random() < 0.5:
        _planks(rng, tile)
    return np.ascontiguousarray(np.rot90(tile)) if rng.random() < 0.5 else tile


def _planks(rng: Rng, tile: Image) -> None:
    count = int(rng.integers(2, 7))
    gap = int(rng.integers(1, 5))
    for index in range(count):
        y0, y1 = SIDE * index // count, SIDE * (index + 1) // count
        part = tile[y0:y1]
        shift = int(rng.integers(SIDE))
        part[:] = np.clip(np.roll(part, shift, axis=1) * rng.uniform(0.8, 1.2), 0, 255)
        part[:gap] = part[:gap] // int(rng.integers(2, 5))
        if rng.random() < 0.5:
            x = int(rng.integers(SIDE - gap))
            part[:, x : x + gap] = part[:, x : x + gap] // 3


def _felt(rng: Rng) -> Image:
    tone = paint.colour(rng, (0.0, 0.95), (0.1, 0.7))
    if rng.random() < 0.4:
        tone = paint.hsv(rng.uniform(0.3, 0.65), rng.uniform(0.5, 1), rng.uniform(0.12, 0.55))
    tile = paint.flat((SIDE, SIDE), tone)
    field = rng.standard_normal((SIDE, SIDE), dtype=np.float32)
    return paint.modulate(
        tile, np.asarray(cv2.GaussianBlur(field, (0, 0), 0.8), np.float32), rng.uniform(0.02, 0.3)
    )


def _carpet(rng: Rng) -> Image:
    tile = paint.flat((SIDE, SIDE), paint.colour(rng, (0, 0.45), (0.2, 0.8)))
    fine = int(rng.integers(SIDE // 8, SIDE // 2))
    field = paint.noise(rng, (SIDE, SIDE), (fine, fine)) + 0.5 * paint.noise(
        rng, (SIDE, SIDE), (20, 20)
    )
    return paint.modulate(tile, field, rng.uniform(0.15, 0.5))


def _weave(rng: Rng, tile: Image) -> Image:
    field = paint.noise(rng, (SIDE, SIDE), (SIDE // 2, 30)) + paint.noise(
        rng, (SIDE, SIDE), (30, SIDE // 2)
    )
    return paint.modulate(tile, field, rng.uniform(0.02, 0.14))


def _checks(rng: Rng) -> Image:
    first = paint.colour(rng)
    second = WHITE if rng.random() < 0.6 else paint.colour(rng)
    tile = paint.flat((SIDE, SIDE), second)
    cell = SIDE // int(rng.choice((4, 6, 8, 12, 16)))
    gingham = rng.random() < 0.6
    blend = paint.mix(first, second, 0.5)
    for row, y in enumerate(range(0, SIDE, cell)):
        for col, x in enumerate(range(0, SIDE, cell)):
            both = (row % 2) + (col % 2)
            if gingham and both:
                tile[y : y + cell, x : x + cell] = first if both == 2 else blend
            elif not gingham and both == 1:
                tile[y : y + cell, x : x + cell] = first
    return _weave(rng, tile)


def _stripes(rng: Rng) -> Image:
    tones = [paint.colour(rng) if rng.random() < 0.7 else WHITE for _ in range(4)]
    tile = paint.flat((SIDE, SIDE), tones[0])
    period = SIDE // int(rng.choice((1, 2, 4, 8)))
    cuts = np.sort(rng.integers(0, period, 3))
    for start in range(0, SIDE, period):
        for index, cut in enumerate(cuts):
            tile[:, start + int(cut) : start + period] = tones[index + 1]
    tile = _weave(rng, tile)
    return np.ascontiguousarray(np.rot90(tile)) if rng.random() < 0.5 else tile


def _plaid(rng: Rng) -> Image:
    tile = paint.flat((SIDE, SIDE), paint.colour(rng, (0.1, 0.8), (0.2, 0.8))).astype(np.float32)
    for _ in range(int(rng.integers(3, 8))):
        tone, at, wide = (
            f32(paint.colour(rng)),
            int(rng.integers(SIDE)),
            int(rng.integers(2, 50)),
        )
        tile[at : at + wide] = tile[at : at + wide] * 0.5 + tone * 0.5
        tile[:, at : at + wide] = tile[:, at : at + wide] * 0.5 + tone * 0.5
    return _weave(rng, tile.astype(np.uint8))


def _floral(rng: Rng) -> Image:
    tile = paint.flat((SIDE, SIDE), paint.colour(rng, (0.0, 0.7), (0.2, 0.97)))
    tones = [paint.colour(rng) for _ in range(4)]
    big = rng.uniform(6, 26)
    for _ in range(int(rng.integers(15, 60))):
        x, y = rng.uniform(0, SIDE, 2)
        tone = tones[int(rng.integers(4))]
        size = big * rng.uniform(0.5, 1.2)
        if rng.random() < 0.35:
            cv2.ellipse(
                tile,
                (int(x), int(y)),
                (int(size), int(size / 3) + 1),
                rng.uniform(0, 180),
                0,
                360,
                tone,
                -1,
                cv2.LINE_AA,
            )
            continue
        for angle in np.linspace(0, 2 * np.pi, 5, endpoint=False) + rng.uniform(0, 1):
            at = (int(x + size * 0.6 * np.cos(angle)), int(y + size * 0.6 * np.sin(angle)))
            cv2.circle(tile, at, int(size * 0.45) + 1, tone, -1, cv2.LINE_AA)
        cv2.circle(tile, (int(x), int(y)), int(size * 0.35) + 1, tones[0], -1, cv2.LINE_AA)
    return _weave(rng, tile)


def _print(rng: Rng) -> Image:
    """A cloth or paper printed with many small emblems."""
    tile = paint.flat((SIDE, SIDE), paint.colour(rng, (0.0, 0.6), (0.3, 0.97)))
    arts = [emblems.symbol(rng) for _ in range(3)]
    side = rng.uniform(16, 60)
    for _ in range(int(rng.integers(10, 40))):
        x, y = rng.uniform(0, SIDE, 2)
        paint.paste(
            tile, arts[int(rng.integers(3))], (float(x), float(y)), side, rng.uniform(0, 6.3)
        )
    return tile


def _stone(rng: Rng) -> Image:
    tile = paint.flat((SIDE, SIDE), paint.colour(rng, (0, 0.3), (0.3, 0.9)))
    for cells in (8, 40, 160):
        tile = paint.modulate(
            tile, paint.noise(rng, (SIDE, SIDE), (cells, cells)), rng.uniform(0.03, 0.2)
        )
    if rng.random() < 0.5:
        spots = rng.random((SIDE, SIDE)) < rng.uniform(0.01, 0.08)
        mask = cv2.GaussianBlur(spots.astype(np.float32), (0, 0), rng.uniform(0.6, 1.6))
        tile = paint.modulate(tile, np.clip(mask * 4, 0, 1), rng.uniform(-0.8, 0.5))
    return tile


def _marble(rng: Rng) -> Image:
    tile = paint.flat((SIDE, SIDE), paint.colour(rng, (0, 0.15), (0.1, 0.97)))
    field = np.abs(
        paint.noise(rng, (SIDE, SIDE), (6, 6)) + 0.4 * paint.noise(rng, (SIDE, SIDE), (16, 16))
    )
    vein = np.exp(-field * rng.uniform(8, 30)).astype(np.float32)
    return paint.modulate(tile, vein, rng.uniform(-0.6, 0.5))


def _plain(rng: Rng) -> Image:
    roll = rng.random()
    tone = paint.near(rng, WHITE, 12) if roll < 0.4 else paint.colour(rng, (0, 0.7), (0.05, 0.97))
    tile = paint.flat((SIDE, SIDE), tone)
    return paint.modulate(tile, paint.noise(rng, (SIDE, SIDE), (6, 6)), rng.uniform(0, 0.08))


def _tiles(rng: Rng) -> Image:
    tile = _stone(rng)
    count = int(rng.choice((1, 2, 3, 4)))
    grout = paint.colour(rng, (0, 0.3), (0.2, 0.95))
    pitch = SIDE // count
    for row in range(count):
        for col in range(count):
            part = tile[row * pitch : (row + 1) * pitch, col * pitch : (col + 1) * pitch]
            part[:] = np.clip(part * rng.uniform(0.85, 1.15), 0, 255)
    wide = int(rng.integers(2, 12))
    for at in range(0, SIDE, pitch):
        tile[at : at + wide] = grout
        tile[:, at : at + wide] = grout
    return tile


def _bricks(rng: Rng) -> Image:
    tile = _stone(rng)
    rows = int(rng.choice((4, 6, 8)))
    pitch, wide = SIDE // rows, int(rng.integers(2, 7))
    tone = f32(paint.colour(rng, (0.2, 0.7), (0.3, 0.8)))
    tile = np.clip(tile * 0.5 + tone * 0.5, 0, 255).astype(np.uint8)
    for row in range(rows):
        tile[row * pitch : row * pitch + wide] = paint.mix(WHITE, BLACK, 0.4)
        for x in range((row % 2) * pitch, SIDE, pitch * 2):
            tile[row * pitch : (row + 1) * pitch, x : x + wide] = paint.mix(WHITE, BLACK, 0.4)
    return tile


def _terrazzo(rng: Rng) -> Image:
    """Held-out surface: angular chips of many colours in pale ground."""
    tile = paint.flat((SIDE, SIDE), paint.colour(rng, (0, 0.2), (0.6, 0.95)))
    for _ in range(int(rng.integers(80, 250))):
        at = (float(rng.uniform(0, SIDE)), float(rng.uniform(0, SIDE)))
        paint.shape(tile, paint.outline(rng, at, float(rng.uniform(2, 11)), 0.4), paint.colour(rng))
    return tile


def _herringbone(rng: Rng) -> Image:
    """Held-out surface: slanted wooden sticks in columns."""
    tile = paint.flat((SIDE, SIDE), paint.hsv(rng.uniform(0.03, 0.12), 0.5, 0.4))
    base = paint.hsv(rng.uniform(0.03, 0.12), rng.uniform(0.2, 0.7), rng.uniform(0.3, 0.85))
    wide, pitch = SIDE // 4, SIDE // 16
    for col in range(4):
        lean = wide if col % 2 else -wide
        for y in range(-wide, SIDE + wide, pitch):
            x0, x1 = col * wide, (col + 1) * wide
            y1 = y + lean // 2
            points = i32([[x0, y], [x1, y1], [x1, y1 + pitch - 2], [x0, y + pitch - 2]])
            paint.shape(tile, points, paint.near(rng, base, 22))
    return tile


SURFACES = {
    "wood": _wood,
    "felt": _felt,
    "carpet": _carpet,
    "checks": _checks,
    "stripes": _stripes,
    "plaid": _plaid,
    "floral": _floral,
    "print": _print,
    "stone": _stone,
    "marble": _marble,
    "plain": _plain,
    "tiles": _tiles,
    "bricks": _bricks,
    "terrazzo": _terrazzo,
    "herringbone": _herringbone,
}
