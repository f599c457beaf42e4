"""What lamps and the camera do to a picture: light, glare, blur, noise, compression.

All chance is drawn once into frozen parameters, so that the frames of a recording can share
one lamp and one lens while their noise differs.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.art.paint import Image, Plane, Rng, f32, f64


@dataclass(frozen=True, slots=True)
class Blob:
    """A round patch of light or shade, in shares of the picture: place, radius, strength."""

    x: float
    y: float
    radius: float
    aspect: float
    strength: float


@dataclass(frozen=True, slots=True)
class Light:
    """How the table is lit: exposure, colour of the light, a slope, lamps, shades, glare."""

    exposure: float
    gains: tuple[float, float, float]
    slope: tuple[float, float]
    lamps: tuple[Blob, ...]
    shade: tuple[tuple[float, float], ...]
    shade_depth: float
    shade_blur: float
    glare: tuple[Blob, ...]
    vignette: float
    gamma: float


@dataclass(frozen=True, slots=True)
class Flaws:
    """What the camera does: blur, motion, noise, sharpening, a coarser sensor, JPEG."""

    blur: float
    motion: tuple[float, float]
    noise: float
    chroma_noise: float
    sharpen: float
    shrink: float
    jpeg: int
    saturation: float


def sample_light(rng: Rng) -> Light:
    """Draws the light by lot."""
    warm = rng.normal(0, 0.09)
    dark = rng.random() < 0.1
    shade: tuple[tuple[float, float], ...] = ()
    if rng.random() < 0.3:
        middle, reach = rng.uniform(-0.2, 1.2, 2), rng.uniform(0.2, 0.9)
        angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 8))))
        far = reach * rng.uniform(0.4, 1.2, len(angles))
        shade = tuple(
            (float(middle[0] + r * np.cos(a)), float(middle[1] + r * np.sin(a)))
            for r, a in zip(far, angles, strict=True)
        )
    return Light(
        exposure=float(rng.uniform(0.35, 0.65) if dark else rng.uniform(0.75, 1.3)),
        gains=(float(1 - warm + rng.normal(0, 0.03)), 1.0, float(1 + warm)),
        slope=(float(rng.normal(0, 0.22)), float(rng.normal(0, 0.22))),
        lamps=_blobs(rng, 0.5, 3, (0.2, 0.8), (-0.4, 0.9)),
        shade=shade,
        shade_depth=float(rng.uniform(0.15, 0.65)),
        shade_blur=float(rng.uniform(0.5, 25)),
        glare=_blobs(rng, 0.3, 4, (0.02, 0.16), (60, 260)),
        vignette=float(max(0.0, rng.normal(0.08, 0.14))),
        gamma=float(rng.uniform(0.75, 1.35)),
    )


def _blobs(
    rng: Rng, chance: float, most: int, radius: tuple[float, float], strength: tuple[float, float]
) -> tuple[Blob, ...]:
    if rng.random() > chance:
        return ()
    count = int(rng.integers(1, most + 1))
    return tuple(
        Blob(
            float(rng.uniform(-0.1, 1.1)),
            float(rng.uniform(-0.1, 1.1)),
            float(rng.uniform(*radius)),
            float(rng.uniform(0.4, 2.5)),
            float(rng.uniform(*strength)),
        )
        for _ in range(count)
    )


def sample_flaws(rng: Rng) -> Flaws:
    """Draws the camera's flaws by lot; a third of the pictures is nearly clean."""
    clean = rng.random() < 0.35
    moved = rng.random() < 0.1
    return Flaws(
        blur=0.0 if clean else float(abs(rng.normal(0, 0.75))),
        motion=(float(rng.uniform(-6, 6)), float(rng.uniform(-6, 6))) if moved else (0.0, 0.0),
        noise=float(rng.uniform(0, 2.5) if clean else rng.uniform(0, 11)),
        chroma_noise=0.0 if clean else float(rng.uniform(0, 9)),
        sharpen=float(rng.uniform(0, 1.4)) if rng.random() < 0.35 else 0.0,
        shrink=1.0 if clean or rng.random() < 0.6 else float(rng.uniform(0.5, 1.0)),
        jpeg=int(rng.integers(72, 96)) if clean else int(rng.integers(30, 96)),
        saturation=float(np.clip(rng.normal(1, 0.2), 0.3, 1.6)),
    )


def _glow(size: tuple[int, int], blob: Blob) -> Plane:
    width, height = size
    xs = (np.arange(width, dtype=np.float32) / width - blob.x)[None, :] / (
        blob.radius * blob.aspect
    )
    ys = (np.arange(height, dtype=np.float32) / height - blob.y)[:, None] / blob.radius
    return np.asarray(np.exp(-(xs**2 + ys**2)), np.float32)


def illuminate(image: Image, ids: NDArray[np.int16], light: Light) -> Image:
    """Lights an evenly lit picture; glare is strong on items and weaker on the table."""
    height, width = image.shape[:2]
    small = (max(2, width // 4), max(2, height // 4))
    xs = np.linspace(-1, 1, small[0], dtype=np.float32)[None, :]
    ys = np.linspace(-1, 1, small[1], dtype=np.float32)[:, None]
    level = (
        light.exposure
        * (1 + light.slope[0] * xs + light.slope[1] * ys)
        * (1 - light.vignette * (xs**2 + ys**2))
    )
    for lamp in light.lamps:
        level = level * (1 + lamp.strength * _glow(small, lamp))
    field = np.asarray(
        cv2.resize(np.clip(level, 0.08, 2.5).astype(np.float32), (width, height)), np.float32
    )
    if light.shade:
        mask = np.zeros((height, width), np.float32)
        cv2.fillPoly(mask, [(f64(light.shade) * (width, height)).astype(np.int32)], 1.0)
        soft = cv2.blur(mask, (int(light.shade_blur) * 2 + 1,) * 2)
        field *= 1 - light.shade_depth * soft
    lit = image.astype(np.float32) / 255
    if abs(light.gamma - 1) > 0.02:
        curve = (np.arange(256, dtype=np.float32) / 255) ** light.gamma
        lit = curve[image]
    lit *= 255 * field[..., None] * f32(light.gains)
    for blob in light.glare:
        gloss = np.where(ids > 0, f32(blob.strength), f32(blob.strength * 0.4))
        lit += (_glow((width, height), blob) * gloss)[..., None]
    return np.clip(lit, 0, 255).astype(np.uint8)


def degrade(image: Image, rng: Rng, flaws: Flaws) -> Image:
    """Sends a lit picture through the camera; the noise comes from `rng`."""
    height, width = image.shape[:2]
    if flaws.saturation != 1.0:
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[..., None].astype(np.float32)
        image = np.clip(grey + (image - grey) * flaws.saturation, 0, 255).astype(np.uint8)
    if max(map(abs, flaws.motion)) > 1:
        image = _shake(image, flaws.motion)
    if flaws.blur > 0.3:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), flaws.blur), np.uint8)
    if flaws.shrink < 1.0:
        image = np.asarray(
            cv2.resize(image, None, fx=flaws.shrink, fy=flaws.shrink, interpolation=cv2.INTER_AREA),
            np.uint8,
        )
    image = _noisy(image, rng, flaws)
    if flaws.shrink < 1.0:
        image = np.asarray(
            cv2.resize(image, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8
        )
    if flaws.sharpen:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        image = np.asarray(
            cv2.addWeighted(image, 1 + flaws.sharpen, soft, -flaws.sharpen, 0), np.uint8
        )
    return image


def _noisy(image: Image, rng: Rng, flaws: Flaws) -> Image:
    height, width = image.shape[:2]
    if flaws.noise < 0.4:
        return image
    grain = rng.standard_normal((height, width), dtype=np.float32) * flaws.noise
    noisy = image + grain[..., None]
    if flaws.chroma_noise > 1:
        coarse = rng.standard_normal((height // 2 + 1, width // 2 + 1, 3), dtype=np.float32)
        noisy += cv2.resize(coarse * flaws.chroma_noise, (width, height))
    return np.clip(noisy, 0, 255).astype(np.uint8)


def _shake(image: Image, way: tuple[float, float]) -> Image:
    side = int(max(map(abs, way))) * 2 + 3
    kernel = np.zeros((side, side), np.float32)
    middle = side // 2
    half = (round(way[0] / 2), round(way[1] / 2))
    cv2.line(
        kernel, (middle - half[0], middle - half[1]), (middle + half[0], middle + half[1]), 1.0, 1
    )
    return np.asarray(
        cv2.filter2D(image, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REFLECT), np.uint8
    )
