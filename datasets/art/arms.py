"""Hands that carry cards, seen from above with forearm and sleeve, shaded as solid bodies.

The body is a set of tapering limbs, joined smoothly: their distance gives the outline, their
height the shading. Finer than `datasets.art.hands`, which draws thousands of hands to learn from.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from datasets.art import paint
from datasets.art.paint import Colour, Image, Plane, Rng

PX_PER_MM = 2.0
HALF_WIDTH_MM, TOP_MM, BOTTOM_MM = 70.0, -92.0, 760.0  # the canvas around the middle knuckle
_WRIST_MM = 84.0
_JOIN_MM = 5.0  # how softly limbs flow into each other

SKINS: tuple[Colour, ...] = (
    (168, 192, 232), (140, 172, 220), (118, 152, 205), (92, 128, 182), (66, 98, 148), (48, 70, 112)
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Limb:
    """A tapering limb between two points in millimetres: x, y, height of its axis, radius."""

    start: tuple[float, float, float, float]
    end: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Arm:
    """A drawn arm, fingers up.

    Attributes:
        art: BGRA at `PX_PER_MM`.
        size_mm: width and length.
        tip_mm: middle of the finger tips, from the art's top left.
    """

    art: Image
    size_mm: tuple[float, float]
    tip_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Look:
    """How an arm looks: skin, sleeve (None: bare), where the sleeve ends, which hand, the light."""

    skin: Colour
    sleeve: Colour | None
    cuff_mm: float
    is_left: bool
    light: tuple[float, float]


def sample_look(rng: Rng, light: tuple[float, float]) -> Look:
    """Draws an arm's looks by lot; `light` points to where light comes from, in the art's plane."""
    skin = paint.near(rng, SKINS[int(rng.integers(len(SKINS)))], 8)
    sleeve = None if rng.random() < 0.2 else paint.colour(rng, (0.15, 0.7), (0.2, 0.75))
    return Look(skin, sleeve, float(rng.uniform(105, 230)), bool(rng.random() < 0.35), light)


def draw_arm(rng: Rng, look: Look) -> Arm:
    """Draws an arm whose finger tips press on a card."""
    fingers, nails = _fingers(rng)
    height, inside = _join([*fingers, *_palm(), *_forearm(rng)])
    canvas = _skin(rng, look, height, inside, fingers)
    for nail in nails:
        _nail(canvas, nail, look.skin)
    if look.sleeve is not None:
        canvas, inside = _dress(rng, canvas, inside, look)
    alpha = np.clip(0.5 - inside * PX_PER_MM, 0, 1)
    art = np.dstack([canvas, (alpha * 255).astype(np.uint8)])
    tips = np.asarray([nail[:2] for nail in nails[:3]], np.float64).mean(0)
    tip = (HALF_WIDTH_MM + float(tips[0]), float(tips[1]) - TOP_MM - 6.0)
    if look.is_left:
        art = np.ascontiguousarray(art[:, ::-1])
        tip = (2 * HALF_WIDTH_MM - tip[0], tip[1])
    return Arm(art, (2 * HALF_WIDTH_MM, BOTTOM_MM - TOP_MM), tip)


def _fingers(rng: Rng) -> tuple[list[Limb], list[tuple[float, float, float, float]]]:
    """Returns the limbs of fingers and thumb, and the nails: x, y, angle, radius."""
    knuckles = ((-25.0, 1.0), (-7.0, -5.0), (11.0, -3.0), (27.0, 6.0))
    lengths = np.asarray([66, 74, 69, 53], np.float64) * rng.uniform(0.84, 0.96)
    radii, fan, lean = (9.3, 9.6, 9.1, 7.9), rng.uniform(0.05, 0.12), rng.normal(0.0, 0.03)
    limbs, nails = [], []
    for (x, y), length, radius, index in zip(knuckles, lengths, radii, range(4), strict=True):
        angle = (index - 1.4) * fan + lean
        points = [(x, y, 14.0, radius * 1.12)]
        for share, turn, z, taper in (
            (0.46, 0.9, 19.0, 1.0),
            (0.3, 0.55, 10.0, 0.9),
            (0.24, 0.3, 2.0, 0.78),
        ):
            px, py = points[-1][:2]
            bend = angle * turn
            points.append(
                (
                    px + np.sin(bend) * length * share,
                    py - np.cos(bend) * length * share,
                    z,
                    radius * taper,
                )
            )
        limbs += [Limb(a, b) for a, b in pairwise(points)]
        nails.append((points[-1][0], points[-1][1], angle * 0.3, radius * 0.78))
    thumb = [
        (-24.0, 60.0, 8.0, 16.0),
        (-44.0, 32.0, 6.0, 12.0),
        (-47.0, 2.0, 4.0, 10.0),
        (-38.0, -20.0, 1.0, 8.2),
    ]
    limbs += [Limb(a, b) for a, b in pairwise(thumb)]
    nails.append((-38.0, -20.0, 0.38, 8.2))
    return limbs, nails


def _palm() -> list[Limb]:
    roots = ((-25.0, 1.0, -15.0), (-7.0, -5.0, -5.0), (11.0, -3.0, 5.0), (27.0, 6.0, 15.0))
    return [Limb((x, y, 12.0, 11.6), (end, _WRIST_MM - 6, 14.0, 16.5)) for x, y, end in roots]


def _forearm(rng: Rng) -> list[Limb]:
    aside = float(rng.normal(0, 5))
    return [
        Limb((0.0, _WRIST_MM - 8, 4.0, 25.0), (0.0, _WRIST_MM + 30, 4.0, 25.5)),
        Limb((0.0, _WRIST_MM + 30, 4.0, 25.5), (aside, 250.0, 6.0, 38.0)),
        Limb((aside, 250.0, 6.0, 38.0), (aside, BOTTOM_MM + 60, 6.0, 46.0)),
    ]


def _grid() -> tuple[Plane, Plane]:
    xs = np.arange(-HALF_WIDTH_MM, HALF_WIDTH_MM, 1 / PX_PER_MM, dtype=np.float32)
    ys = np.arange(TOP_MM, BOTTOM_MM, 1 / PX_PER_MM, dtype=np.float32)
    grid = np.meshgrid(xs, ys)
    return np.asarray(grid[0], np.float32), np.asarray(grid[1], np.float32)


def _join(limbs: list[Limb]) -> tuple[Plane, Plane]:
    """Returns the height of the joined limbs, and the distance to their outline (inside < 0)."""
    xs, ys = _grid()
    outside = np.full(xs.shape, 400.0, np.float32)
    height = np.zeros(xs.shape, np.float32)
    for limb in limbs:
        top = min(limb.start[1] - limb.start[3], limb.end[1] - limb.end[3]) - 12
        bottom = max(limb.start[1] + limb.start[3], limb.end[1] + limb.end[3]) + 12
        rows = slice(
            max(0, int((top - TOP_MM) * PX_PER_MM)), max(0, int((bottom - TOP_MM) * PX_PER_MM))
        )
        far, own = _measure(limb, xs[rows], ys[rows])
        outside[rows] = _soft_min(outside[rows], far, _JOIN_MM)
        height[rows] = -_soft_min(-height[rows], -own, _JOIN_MM)
    return height, outside


def _measure(limb: Limb, xs: Plane, ys: Plane) -> tuple[Plane, Plane]:
    x0, y0, z0, r0 = limb.start
    x1, y1, z1, r1 = limb.end
    dx, dy = x1 - x0, y1 - y0
    share = np.clip(((xs - x0) * dx + (ys - y0) * dy) / max(dx * dx + dy * dy, 1e-6), 0, 1)
    away = np.hypot(xs - x0 - share * dx, ys - y0 - share * dy)
    radius = r0 + share * (r1 - r0)
    height = z0 + share * (z1 - z0) + np.sqrt(np.maximum(radius**2 - away**2, 0))
    fade = np.clip(1 - (away - radius) / 3, 0, 1)
    return np.asarray(away - radius, np.float32), np.asarray(height * fade, np.float32)


def _soft_min(first: Plane, second: Plane, soft: float) -> Plane:
    blend = np.clip(0.5 + 0.5 * (second - first) / soft, 0, 1)
    return np.asarray(second + (first - second) * blend - soft * blend * (1 - blend), np.float32)


def _light(height: Plane, look: Look, smooth: float) -> Plane:
    """Returns how bright each place is, about 1 where it lies level."""
    soft = cv2.GaussianBlur(height, (0, 0), smooth * PX_PER_MM)
    dx = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3) / 8 * PX_PER_MM
    dy = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3) / 8 * PX_PER_MM
    norm = np.sqrt(1 + dx**2 + dy**2)
    aside = -look.light[0] if look.is_left else look.light[0]
    lamp = np.asarray([aside * 0.55, look.light[1] * 0.55, 0.84], np.float32)
    lamp /= np.linalg.norm(lamp)
    facing = np.clip((-dx * lamp[0] - dy * lamp[1] + lamp[2]) / norm, 0, 1)
    return np.asarray(0.36 + 0.72 * facing / lamp[2] * 0.92, np.float32)


def _skin(rng: Rng, look: Look, height: Plane, inside: Plane, fingers: list[Limb]) -> Image:
    size = (height.shape[1], height.shape[0])
    level = _light(height, look, 1.6)
    level *= 0.62 + 0.38 * np.clip(-inside / 7, 0, 1) ** 0.6
    level += 0.035 * paint.noise(rng, size, (14, 80)) + 0.02 * paint.noise(rng, size, (70, 420))
    red = np.zeros(height.shape, np.float32)
    for limb in fingers:
        if limb.start[3] < 13:  # the root of the thumb has no joint to see
            _crease(level, red, limb.start[:2], limb)
    red = np.asarray(cv2.GaussianBlur(red, (0, 0), 5.0), np.float32)
    tone = np.asarray(look.skin, np.float32) * level[..., None]
    dark = np.clip(1.05 - level, 0, 1)[..., None]
    tone *= np.asarray([0.86, 0.93, 1.0], np.float32) ** (2.2 * dark)
    tone *= 1 - red[..., None] * np.asarray([0.13, 0.11, 0.02], np.float32)
    return np.asarray(np.clip(tone, 0, 255), np.uint8)


def _crease(level: Plane, red: Plane, at_mm: tuple[float, float], limb: Limb) -> None:
    """Draws the wrinkles over a joint, and the blood in the skin around it."""
    column = round((at_mm[0] + HALF_WIDTH_MM) * PX_PER_MM)
    row = round((at_mm[1] - TOP_MM) * PX_PER_MM)
    radius = limb.end[3]
    cv2.circle(red, (column, row), round(radius * 0.8 * PX_PER_MM), 1.0, -1)
    angle = float(np.degrees(np.arctan2(limb.end[0] - limb.start[0], limb.start[1] - limb.end[1])))
    lines = np.zeros(level.shape, np.float32)
    for shift in (-1.8, 0.4, 2.2):
        middle = (column, round(row + shift * PX_PER_MM))
        axes = (round(radius * 0.5 * PX_PER_MM), round(radius * 0.16 * PX_PER_MM))
        cv2.ellipse(lines, middle, axes, angle, 200, 340, 1.0, 1, cv2.LINE_AA)
    rows = slice(max(0, row - 40), row + 40)
    level[rows] *= 1 - 0.1 * cv2.GaussianBlur(lines[rows], (0, 0), 0.9)


def _nail(canvas: Image, nail: tuple[float, float, float, float], skin: Colour) -> None:
    x, y, angle, radius = nail
    x, y = x + np.sin(angle) * radius * 0.25, y - np.cos(angle) * radius * 0.25
    middle = (round((x + HALF_WIDTH_MM) * PX_PER_MM * 8), round((y - TOP_MM) * PX_PER_MM * 8))
    axes = (round(radius * 0.55 * PX_PER_MM * 8), round(radius * 0.72 * PX_PER_MM * 8))
    turn = float(np.degrees(angle))
    layer = canvas.copy()
    cv2.ellipse(
        layer, middle, axes, turn, 0, 360, paint.mix(skin, (70, 80, 120), 0.45), -1, cv2.LINE_AA, 3
    )
    inner = (round(axes[0] * 0.86), round(axes[1] * 0.88))
    cv2.ellipse(
        layer,
        middle,
        inner,
        turn,
        0,
        360,
        paint.mix(skin, (200, 200, 245), 0.4),
        -1,
        cv2.LINE_AA,
        3,
    )
    shine = (middle[0] - axes[0] // 4, middle[1] - axes[1] // 4)
    cv2.ellipse(
        layer,
        shine,
        (axes[0] // 4, axes[1] // 2),
        turn,
        0,
        360,
        paint.mix(skin, (245, 245, 255), 0.5),
        -1,
        cv2.LINE_AA,
        3,
    )
    cv2.addWeighted(layer, 0.75, canvas, 0.25, 0, dst=canvas)


def _dress(rng: Rng, canvas: Image, inside: Plane, look: Look) -> tuple[Image, Plane]:
    """Puts a sleeve over the arm, a little wider than it, with folds and a cuff."""
    xs, ys = _grid()
    edge = look.cuff_mm + 2.5 * np.cos(xs / 26) + 0.8 * np.sin(xs / 9)
    along = np.clip((ys - edge) / 60, 0, 1)
    folds = paint.noise(rng, (xs.shape[1], xs.shape[0]), (5, 60)) + 0.5 * paint.noise(
        rng, (xs.shape[1], xs.shape[0]), (9, 25)
    )
    wide = inside - 4.5 - 5 * along - 0.8 * folds
    cloth = np.maximum(wide, edge - ys)
    depth = np.clip(-wide, 0, 60)
    relief = (
        26 * np.sqrt(np.clip(1 - (1 - np.clip(depth / 42, 0, 1)) ** 2, 0, 1)) * 1.4 + 3.0 * folds
    )
    level = _light(np.asarray(relief, np.float32), look, 1.2)
    weave = rng.standard_normal(xs.shape, dtype=np.float32)
    level += 0.05 * cv2.GaussianBlur(weave, (0, 0), 0.8)
    hem = np.abs(ys - edge - 9)
    level *= 1 - 0.22 * np.exp(-((hem / 0.8) ** 2)) - 0.12 * np.exp(-(((ys - edge) / 2) ** 2))
    tone = np.clip(np.asarray(look.sleeve, np.float32) * level[..., None], 0, 255)
    shade = 1 - 0.4 * np.exp(-np.clip(edge - ys, 0, 40) / 5)[..., None] * (ys < edge)[..., None]
    mask = np.clip(0.5 - cloth * PX_PER_MM, 0, 1)[..., None]
    mixed = canvas * shade * (1 - mask) + tone * mask
    return np.clip(mixed, 0, 255).astype(np.uint8), np.asarray(
        np.minimum(inside, cloth), np.float32
    )
