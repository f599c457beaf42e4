"""Small painting tools that all drawn art shares: colours, noise, outlines, pasting."""

from __future__ import annotations

import colorsys
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Image = NDArray[np.uint8]
Plane = NDArray[np.float32]
Rng = np.random.Generator
Colour = tuple[int, int, int]

WHITE: Colour = (250, 250, 250)
BLACK: Colour = (20, 20, 20)

_EMOJI_FONT = Path("/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf")
_EMOJI_PX = 109  # the only size the bitmap font holds
_EMOJI_RANGES = (
    (0x1F400, 0x1F43E),
    (0x1F980, 0x1F9AE),
    (0x1F32D, 0x1F37F),
    (0x1F380, 0x1F393),
    (0x1F3A0, 0x1F3C4),
    (0x1F451, 0x1F460),
    (0x1F4A0, 0x1F4FF),
    (0x1F600, 0x1F640),
    (0x1F680, 0x1F6A3),
    (0x1F330, 0x1F344),
    (0x1F31A, 0x1F321),
)
_EMOJI_CAMERAS = (0x1F4F7, 0x1F4F8, 0x1F4F9, 0x1F3A5)


def f64(values: ArrayLike) -> NDArray[np.float64]:
    """An array of doubles."""
    return np.asarray(values, np.float64)


def f32(values: ArrayLike) -> Plane:
    """An array of singles."""
    return np.asarray(values, np.float32)


def i32(values: ArrayLike) -> NDArray[np.int32]:
    """An array of whole numbers, as OpenCV's drawing wants points."""
    return np.asarray(values, np.int32)


def colour(
    rng: Rng, sat: tuple[float, float] = (0.2, 0.9), val: tuple[float, float] = (0.3, 0.95)
) -> Colour:
    """Draws a random colour as BGR, its saturation and value within the given bounds."""
    return hsv(rng.random(), rng.uniform(*sat), rng.uniform(*val))


def hsv(hue: float, sat: float, val: float) -> Colour:
    """Turns hue, saturation and value (each 0 to 1) into BGR."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 1.0, min(max(sat, 0), 1), min(max(val, 0), 1))
    return round(blue * 255), round(green * 255), round(red * 255)


def near(rng: Rng, base: Colour, spread: int = 18) -> Colour:
    """Draws a colour near another one."""
    shift = rng.integers(-spread, spread + 1, 3)
    blue, green, red = (int(np.clip(c + s, 0, 255)) for c, s in zip(base, shift, strict=True))
    return blue, green, red


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Blends two colours; `share` is the part of the second."""
    blue, green, red = (
        round(a * (1 - share) + b * share) for a, b in zip(first, second, strict=True)
    )
    return blue, green, red


def flat(size: tuple[int, int], tone: Colour) -> Image:
    """Makes a picture of one colour; `size` is (width, height)."""
    canvas = np.empty((size[1], size[0], 3), np.uint8)
    canvas[:] = tone
    return canvas


def noise(rng: Rng, size: tuple[int, int], cells: tuple[int, int]) -> Plane:
    """Makes smooth noise of about -1 to 1; `cells` is how many bumps lie across and down."""
    coarse = rng.standard_normal((max(cells[1], 2), max(cells[0], 2)), dtype=np.float32) * 0.5
    return np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC), np.float32)


def gradient(rng: Rng, size: tuple[int, int], first: Colour, second: Colour) -> Image:
    """Fills a picture with a straight gradient in a random direction."""
    angle = rng.uniform(0, 2 * np.pi)
    xs = np.linspace(-0.5, 0.5, size[0], dtype=np.float32)[None, :]
    ys = np.linspace(-0.5, 0.5, size[1], dtype=np.float32)[:, None]
    ramp = np.clip(xs * np.cos(angle) + ys * np.sin(angle) + 0.5, 0, 1)[..., None]
    low, high = f32(first), f32(second)
    return np.asarray(low * (1 - ramp) + high * ramp, np.uint8)


def modulate(image: Image, field: Plane, strength: float) -> Image:
    """Brightens and darkens a picture by a noise field."""
    return np.clip(image * (1 + strength * field[..., None]), 0, 255).astype(np.uint8)


def outline(
    rng: Rng, centre: tuple[float, float], radius: float, wobble: float
) -> NDArray[np.int32]:
    """Makes a closed wobbling outline around a centre."""
    count = int(rng.integers(7, 18))
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    radii = radius * (1 + wobble * rng.uniform(-1, 1, count))
    stretch = rng.uniform(0.6, 1.4)
    points = np.stack(
        [
            centre[0] + radii * np.cos(angles) * stretch,
            centre[1] + radii * np.sin(angles) / stretch,
        ],
        axis=1,
    )
    return points.astype(np.int32)


def shape(
    canvas: Image,
    points: NDArray[np.int32],
    fill: Colour,
    edge: Colour | None = None,
    width: int = 1,
) -> None:
    """Fills a polygon and, if asked, draws its edge."""
    cv2.fillPoly(canvas, [points], fill, cv2.LINE_AA)
    if edge is not None:
        cv2.polylines(canvas, [points], True, edge, width, cv2.LINE_AA)


def paste(
    canvas: Image, art: Image, centre: tuple[float, float], side: float, angle: float
) -> None:
    """Pastes BGRA art, scaled to `side` pixels and turned by `angle` radians, in place."""
    height, width = art.shape[:2]
    scale = side / max(height, width)
    if scale < 0.8:
        art = np.asarray(
            cv2.resize(
                art,
                (max(2, round(width * scale)), max(2, round(height * scale))),
                interpolation=cv2.INTER_AREA,
            ),
            np.uint8,
        )
        height, width = art.shape[:2]
        scale = side / max(height, width)
    reach = int(side * 0.75) + 2
    x0, y0 = max(0, int(centre[0]) - reach), max(0, int(centre[1]) - reach)
    x1 = min(canvas.shape[1], int(centre[0]) + reach)
    y1 = min(canvas.shape[0], int(centre[1]) + reach)
    if x1 <= x0 or y1 <= y0:
        return
    cos, sin = scale * np.cos(angle), scale * np.sin(angle)
    move = f64(
        [
            [cos, -sin, centre[0] - x0 - cos * width / 2 + sin * height / 2],
            [sin, cos, centre[1] - y0 - sin * width / 2 - cos * height / 2],
        ]
    )
    warped = cv2.warpAffine(art, move, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    alpha = warped[..., 3:].astype(np.float32) / 255
    part = canvas[y0:y1, x0:x1]
    part[:] = (part * (1 - alpha) + warped[..., :3] * alpha).astype(np.uint8)


@lru_cache(maxsize=256)
def corner_mask(size: tuple[int, int], radius: float) -> Image:
    """Makes the alpha of a rectangle with rounded corners; radius in pixels."""
    width, height = size
    if radius < 0.7:
        return np.full((height, width), 255, np.uint8)
    big = np.zeros((height * 2, width * 2), np.uint8)
    round_px = int(min(radius, min(size) / 2) * 2)
    cv2.rectangle(big, (round_px, 0), (width * 2 - round_px, height * 2), 255, -1)
    cv2.rectangle(big, (0, round_px), (width * 2, height * 2 - round_px), 255, -1)
    for x in (round_px, width * 2 - round_px - 1):
        for y in (round_px, height * 2 - round_px - 1):
            cv2.circle(big, (x, y), round_px, 255, -1)
    return np.asarray(cv2.resize(big, size, interpolation=cv2.INTER_AREA), np.uint8)


def with_alpha(image: Image, alpha: Image) -> Image:
    """Joins a BGR picture and its alpha into BGRA."""
    return np.dstack([image, alpha])


def write(canvas: Image, text: str, origin: tuple[int, int], scale: float, tone: Colour) -> None:
    """Writes a line of text in one of OpenCV's stroke fonts."""
    cv2.putText(
        canvas,
        text,
        origin,
        cv2.FONT_HERSHEY_SIMPLEX,
        scale,
        tone,
        max(1, round(scale * 2)),
        cv2.LINE_AA,
    )


def scribble_text(rng: Rng, canvas: Image, box: tuple[int, int, int, int], tone: Colour) -> None:
    """Fills a box (x0, y0, x1, y1) with lines that look like small print from afar."""
    x0, y0, x1, y1 = box
    pitch = max(3, int(rng.uniform(0.1, 0.25) * max(1, y1 - y0)))
    for y in range(y0 + pitch // 2, y1, pitch):
        x = x0
        end = x0 + (x1 - x0) * rng.uniform(0.5, 1.0)
        while x < end:
            step = int(rng.integers(3, 12))
            cv2.line(canvas, (x, y), (min(x + step, x1), y), tone, max(1, pitch // 3))
            x += step + 2


@lru_cache(maxsize=512)
def _glyph(code: int) -> Image | None:
    from PIL import Image as Pil  # noqa: PLC0415 - optional source of art
    from PIL import ImageDraw, ImageFont  # noqa: PLC0415

    font = ImageFont.truetype(str(_EMOJI_FONT), _EMOJI_PX)
    tile = Pil.new("RGBA", (136, 128), (255, 255, 255, 0))
    ImageDraw.Draw(tile).text((0, 0), chr(code), font=font, embedded_color=True)
    art = np.asarray(tile)[..., [2, 1, 0, 3]]
    ys, xs = np.nonzero(art[..., 3] > 32)
    if len(ys) < 400:
        return None
    return np.ascontiguousarray(art[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1])


def emoji(rng: Rng, *, cameras: bool = False) -> Image | None:
    """Draws a random emoji as BGRA; None where the optional font is not installed."""
    if not _EMOJI_FONT.is_file():
        return None
    if cameras:
        return _glyph(int(rng.choice(_EMOJI_CAMERAS)))
    low, high = _EMOJI_RANGES[int(rng.integers(len(_EMOJI_RANGES)))]
    code = int(rng.integers(low, high))
    return None if code in _EMOJI_CAMERAS else _glyph(code)
