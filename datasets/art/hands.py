"""Hands seen from above with a piece of forearm and sleeve, shaded as rounded bodies."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.art import paint
from datasets.art.paint import Colour, Image, Plane, Rng, f32, f64

PX_PER_MM = 1.0
WIDTH_MM, LENGTH_MM, WRIST_MM = 200, 520, 205  # the wrist ends the part that is called hand


@dataclass(frozen=True, slots=True)
class HandArt:
    """A drawn hand, fingers up: the hand proper, and the arm that follows below the wrist.

    Attributes:
        hand: BGRA of the hand, `WIDTH_MM` wide and `WRIST_MM` long.
        arm: BGRA of the arm below, `WIDTH_MM` wide.
        box_mm: left, top, right, bottom of the drawn hand inside `hand`.
    """

    hand: Image
    arm: Image
    box_mm: tuple[float, float, float, float]


def draw_hand(rng: Rng) -> HandArt:
    """Draws a hand by lot: left or right, spread, flat, pinching, pointing or a fist."""
    skin = paint.hsv(rng.uniform(0.02, 0.09), rng.uniform(0.25, 0.7), rng.uniform(0.22, 0.97))
    if rng.random() < 0.05:
        skin = paint.colour(rng, (0, 0.8), (0.2, 0.95))  # a glove
    size = (WIDTH_MM, LENGTH_MM)
    mask = np.zeros((LENGTH_MM, WIDTH_MM), np.uint8)
    relief = np.zeros((LENGTH_MM, WIDTH_MM), np.float32)
    tips = _fingers(rng, mask, relief)
    _arm(rng, mask, relief)
    canvas = paint.flat(size, skin)
    canvas = _shade(rng, canvas, relief)
    if rng.random() < 0.75:
        _nails(rng, canvas, tips, skin)
    _sleeve(rng, canvas, mask)
    art = paint.with_alpha(canvas, np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.8), np.uint8))
    if rng.random() < 0.5:
        art = np.ascontiguousarray(art[:, ::-1])
    ys, xs = np.nonzero(art[:WRIST_MM, :, 3] > 127)
    box = (float(xs.min()), float(ys.min()), float(xs.max() + 1), float(WRIST_MM))
    overlap = 3  # the arm reaches under the hand, so that no seam shows
    return HandArt(art[:WRIST_MM], art[WRIST_MM - overlap :], box)


def _limb(
    mask: Image,
    relief: Plane,
    ends: tuple[tuple[float, float], tuple[float, float]],
    radii: tuple[float, float],
) -> None:
    """Adds one tapering limb to the mask, and its rounded height to the relief."""
    part = np.zeros_like(mask)
    (x0, y0), (x1, y1) = ends
    for share in np.linspace(0, 1, 14):
        at = (round(x0 + (x1 - x0) * share), round(y0 + (y1 - y0) * share))
        cv2.circle(part, at, round(radii[0] + (radii[1] - radii[0]) * share), 255, -1, cv2.LINE_AA)
    box = cv2.boundingRect(part)
    window = (slice(box[1], box[1] + box[3]), slice(box[0], box[0] + box[2]))
    depth = cv2.distanceTransform((part[window] > 127).astype(np.uint8), cv2.DIST_L2, 3)
    top = max(float(depth.max()), 1.0)
    height = np.sqrt(np.clip(1 - (1 - depth / top) ** 2, 0, 1)) * top
    relief[window] = np.maximum(relief[window], height * (part[window] > 127))
    mask[window] = np.maximum(mask[window], part[window])


def _fingers(rng: Rng, mask: Image, relief: Plane) -> list[tuple[float, float, float, float]]:
    """Draws palm and fingers; returns x, y, angle and radius of the finger tips."""
    pose = str(
        rng.choice(("spread", "flat", "pinch", "point", "fist"), p=(0.25, 0.25, 0.25, 0.1, 0.15))
    )
    fan = {"spread": 0.32, "flat": 0.1, "pinch": 0.05, "point": 0.1, "fist": 0.08}[
        pose
    ] * rng.uniform(0.7, 1.3)
    lean = rng.normal(0, 0.12)
    knuckle_y, thick = 110.0, rng.uniform(7.5, 10.5)
    lengths = f64([62, 78, 84, 76]) * rng.uniform(0.85, 1.05)
    curl = {"spread": 1.0, "flat": 1.0, "pinch": 0.62, "point": 0.3, "fist": 0.28}[pose]
    tips = []
    _limb(mask, relief, ((78, 128), (122, 126)), (30, 31))
    _limb(mask, relief, ((84, 160), (114, 160)), (25, 27))
    for index in range(4):
        x = 62 + index * 24.5
        y = knuckle_y - (0, 7, 8, 2)[index]
        angle = (index - 1.6) * fan + lean
        bend = curl * rng.uniform(0.9, 1.08)
        if pose == "point" and index == 3:
            bend = 1.0
        length = lengths[index] * bend
        middle = (x + np.sin(angle) * length * 0.5, y - np.cos(angle) * length * 0.5)
        angle2 = angle * rng.uniform(0.7, 1.0)
        tip = (middle[0] + np.sin(angle2) * length * 0.5, middle[1] - np.cos(angle2) * length * 0.5)
        _limb(mask, relief, ((x, y + 12), middle), (thick * 1.18, thick))
        _limb(mask, relief, (middle, tip), (thick * 1.02, thick * 0.82))
        if bend > 0.5:
            tips.append((tip[0], tip[1], angle2, thick))
    thumb = rng.uniform(0.25, 0.9) if pose in {"spread", "flat"} else rng.uniform(-0.1, 0.4)
    joint = (132 + np.sin(thumb) * 42, 142 - np.cos(thumb) * 42)
    tip = (joint[0] + np.sin(thumb * 0.5) * 32, joint[1] - np.cos(thumb * 0.5) * 32)
    _limb(mask, relief, ((118, 158), joint), (18, thick * 1.2))
    _limb(mask, relief, (joint, tip), (thick * 1.15, thick * 0.9))
    tips.append((tip[0], tip[1], thumb * 0.5, thick))
    return tips


def _arm(rng: Rng, mask: Image, relief: Plane) -> None:
    wrist, elbow = rng.uniform(23, 29), rng.uniform(33, 46)
    end = 100 + rng.normal(0, 14)
    _limb(mask, relief, ((99, 160), (100, 215)), (wrist + 4, wrist))
    _limb(mask, relief, ((100, 205), (end, LENGTH_MM + 20)), (wrist, elbow))


def _shade(rng: Rng, canvas: Image, relief: Plane) -> Image:
    """Lights the relief from one side and adds the skin's unevenness."""
    smooth = cv2.GaussianBlur(relief, (0, 0), rng.uniform(1.0, 2.5))
    dx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3) / 8
    dy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3) / 8
    angle = rng.uniform(0, 2 * np.pi)
    slope = dx * np.cos(angle) + dy * np.sin(angle)
    level = (1 + rng.uniform(0.1, 0.5) * slope) / np.sqrt(
        1 + rng.uniform(0.2, 1.2) * (dx**2 + dy**2)
    )
    blotch = paint.noise(rng, (WIDTH_MM, LENGTH_MM), (14, 40)) * rng.uniform(0, 0.08)
    shaded = canvas * np.clip(level + blotch, 0.2, 1.5)[..., None]
    warm = f32([0.92, 0.97, 1.0]) ** (1.5 * np.clip(1 - level, 0, 1))[..., None]
    return np.asarray(np.clip(shaded * warm, 0, 255), np.uint8)


def _nails(
    rng: Rng, canvas: Image, tips: list[tuple[float, float, float, float]], skin: Colour
) -> None:
    tone = paint.mix(skin, (225, 220, 250), 0.45) if rng.random() < 0.8 else paint.colour(rng)
    for x, y, angle, radius in tips:
        at = (round(x + np.sin(angle) * radius * 0.2), round(y - np.cos(angle) * radius * 0.2))
        axes = (max(2, round(radius * 0.5)), max(3, round(radius * 0.65)))
        cv2.ellipse(canvas, at, axes, float(np.degrees(angle)), 0, 360, tone, -1, cv2.LINE_AA)


def _sleeve(rng: Rng, canvas: Image, mask: Image) -> None:
    """Dresses the arm from a random height on; the sleeve is a little wider than the arm."""
    if rng.random() < 0.25:
        return
    top = int(rng.uniform(WRIST_MM + 2, WRIST_MM + 200))
    tone = paint.colour(rng, (0, 0.9), (0.05, 0.95))
    part = np.asarray(
        cv2.dilate(mask[top:], np.ones((1, int(rng.integers(5, 19))), np.uint8)), np.uint8
    )
    size = (canvas.shape[1], part.shape[0])
    cloth = paint.flat(size, tone)
    if rng.random() < 0.3:
        pitch = int(rng.integers(6, 26))
        cloth[np.arange(size[1]) % pitch < pitch // 2] = paint.colour(rng)
    folds = paint.noise(rng, size, (6, int(rng.integers(10, 40))))
    depth = cv2.distanceTransform((part > 127).astype(np.uint8), cv2.DIST_L2, 3)
    level = 0.55 + 0.45 * np.clip(depth / rng.uniform(14, 30), 0, 1)
    cloth = np.clip(cloth * (level + folds * rng.uniform(0.05, 0.25))[..., None], 0, 255).astype(
        np.uint8
    )
    canvas[top:] = np.where(part[..., None] > 127, cloth, canvas[top:])
    cuff = int(rng.integers(4, 12))
    canvas[top : top + cuff] = (canvas[top : top + cuff] * rng.uniform(0.6, 0.95)).astype(np.uint8)
    mask[top:] = np.maximum(mask[top:], part)
