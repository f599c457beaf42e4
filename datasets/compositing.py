"""Lays pictures into a picture: sprites by their corners, their shadows, their motion blur."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.art.arms import Arm
from datasets.art.paint import Image
from datasets.items import Points, Shadows
from datasets.motion import Pose, corners_3d
from datasets.viewpoint import Viewpoint

HAND_MM = 16.0  # height at which a hand is drawn over what its finger tips touch
_FILLING = 1.2  # sprites are kept a little larger than they appear
_SHADOW_SCALE = 4

Window = tuple[slice, slice]


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A picture ready to be laid: premultiplied BGRA, its silhouette, its size."""

    art: Image
    outline: Image
    size_mm: tuple[float, float]


def make_sprite(art: Image, size_mm: tuple[float, float], px_per_mm: float) -> Sprite:
    """Shrinks BGRA art to about its size in the picture and premultiplies it."""
    width, height = (max(4, round(side * px_per_mm * _FILLING)) for side in size_mm)
    if width < art.shape[1]:
        art = np.asarray(cv2.resize(art, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    alpha = art[..., 3:].astype(np.float32) / 255
    ready = np.dstack([(art[..., :3] * alpha + 0.5).astype(np.uint8), art[..., 3]])
    small = (max(3, round(size_mm[0] / 2)), max(3, round(size_mm[1] / 2)))
    outline = cv2.resize(np.ascontiguousarray(art[..., 3]), small, interpolation=cv2.INTER_AREA)
    return Sprite(np.ascontiguousarray(ready), np.asarray(outline, np.uint8), size_mm)


def to_pixels(view: Viewpoint, points: Points) -> tuple[Points, bool]:
    """Projects points in space (x, y, height) before the lens bends them; False behind it."""
    spot = np.column_stack([points[:, :2], -points[:, 2], np.ones(len(points))]) @ view.matrix.T
    seen = bool((spot[:, 2] > 40).all())
    return np.asarray(spot[:, :2] / np.maximum(spot[:, 2:], 1e-3), np.float64), seen


@dataclass(frozen=True, slots=True, eq=False)
class Pen:
    """Lays sprites and their shadows into a picture."""

    canvas: Image
    view: Viewpoint
    shadows: Shadows
    touched: list[Window] = field(default_factory=list)

    def lay_card(self, sprite: Sprite, *poses: Pose, back: bool = False) -> None:
        """Draws a card and its shadow; several poses are moments of one open shutter."""
        pose = poses[len(poses) // 2]
        self._shade(sprite, corners_3d(pose, sprite.size_mm, back=back), 0.4)
        self._lay(sprite.art, [corners_3d(each, sprite.size_mm, back=back) for each in poses])

    def lay_pile(self, sprite: Sprite, pose: Pose, thick_mm: float) -> None:
        """Draws a face-down deck: its cut edges swept from bottom to top, then its back."""
        top = replace(pose, lift_mm=thick_mm)
        self._shade(sprite, corners_3d(top, sprite.size_mm), 0.0)
        alpha = sprite.art[..., 3:]
        levels = np.linspace(0.2, thick_mm, max(3, int(thick_mm * 1.2)))
        for index, lift in enumerate(levels):
            tone = np.asarray([196, 212, 220], np.float32) * (0.8 if index % 2 else 1.0)
            edge = np.dstack([(alpha * (tone / 255)).astype(np.uint8), alpha])
            self._lay(edge, [corners_3d(replace(pose, lift_mm=float(lift)), sprite.size_mm)])
        self._lay(sprite.art, [corners_3d(top, sprite.size_mm)])

    def lay_arm(self, arm: Arm, sprite: Sprite, *poses: Pose) -> None:
        """Draws an arm and its shadow; the poses are those of its finger tips."""
        spots = [self._arm_corners(arm, pose) for pose in poses]
        self._shade(sprite, spots[len(spots) // 2], HAND_MM)
        self._lay(sprite.art, spots)

    def _arm_corners(self, arm: Arm, pose: Pose) -> Points:
        """Returns the corners of an arm whose finger tips are at a pose; it rises to the elbow."""
        left, top = -arm.tip_mm[0], -arm.tip_mm[1]
        right, bottom = left + arm.size_mm[0], top + arm.size_mm[1]
        local = np.asarray([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)
        cos, sin = np.cos(pose.angle), np.sin(pose.angle)
        turned = local @ np.asarray([[cos, sin], [-sin, cos]], np.float64)
        lift = (
            pose.lift_mm
            + np.asarray([2.0, 2.0, 2.0, 2.0], np.float64)
            + np.asarray([0, 0, 1, 1], np.float64) * 2 * HAND_MM
        )
        return np.column_stack([np.add(turned, (pose.x_mm, pose.y_mm)), lift])

    def _lay(self, art: Image, spots: list[Points]) -> None:
        quads = [to_pixels(self.view, corners) for corners in spots]
        if not all(seen for _, seen in quads):
            return
        window = _window(np.vstack([quad for quad, _ in quads]), self.canvas.shape, 1)
        if window is None:
            return
        layer = _warp_all(art, [quad for quad, _ in quads], window)
        self.touched.append(window)
        part = self.canvas[window]
        keep = cv2.merge([255 - layer[..., 3]] * 3)
        part[:] = cv2.add(cv2.multiply(part, keep, scale=1 / 255), layer[..., :3])

    def _shade(self, sprite: Sprite, corners: Points, above_mm: float) -> None:
        """Darkens what lies below, softer and further off the higher the thing is."""
        height = float(corners[:, 2].mean()) + above_mm
        ground = corners.copy()
        ground[:, :2] += np.asarray(self.shadows.slant, np.float64) * (corners[:, 2:] + above_mm)
        ground[:, 2] = 0.0
        quad, seen = to_pixels(self.view, ground)
        if not seen:
            return
        area = max(float(cv2.contourArea(np.asarray(quad, np.float32))), 1.0)
        scale = np.sqrt(area / (sprite.size_mm[0] * sprite.size_mm[1]))
        blur = min(0.8 + scale * (0.5 + height * self.shadows.softness * 0.5), 24.0)
        step = _SHADOW_SCALE if blur > 6 else 1
        window = _window(quad, self.canvas.shape, int(3 * blur) + step)
        if window is None:
            return
        rows, cols = window
        small = (max(2, (cols.stop - cols.start) // step), max(2, (rows.stop - rows.start) // step))
        factor = (small[0] / (cols.stop - cols.start), small[1] / (rows.stop - rows.start))
        move = _move(sprite.outline.shape, (quad - (cols.start, rows.start)) * factor)
        mask = cv2.warpPerspective(sprite.outline, move, small, flags=cv2.INTER_LINEAR)
        mask = cv2.GaussianBlur(mask, (0, 0), blur / step)
        if step > 1:
            mask = cv2.resize(
                mask,
                (cols.stop - cols.start, rows.stop - rows.start),
                interpolation=cv2.INTER_LINEAR,
            )
        depth = self.shadows.depth / (1 + height / 130)
        keep = cv2.merge([cv2.convertScaleAbs(mask, alpha=-depth, beta=255)] * 3)
        self.touched.append(window)
        part = self.canvas[window]
        part[:] = cv2.multiply(part, keep, scale=1 / 255)


def _warp_all(art: Image, quads: list[Points], window: Window) -> Image:
    rows, cols = window
    size = (cols.stop - cols.start, rows.stop - rows.start)
    layers = []
    for quad in quads:
        move = _move(art.shape, quad - (cols.start, rows.start))
        layers.append(cv2.warpPerspective(art, move, size, flags=cv2.INTER_LINEAR))
    if len(layers) == 1:
        return np.asarray(layers[0], np.uint8)
    total = np.zeros((size[1], size[0], 4), np.float32)
    for layer in layers:
        cv2.accumulate(layer, total)
    return np.asarray(cv2.convertScaleAbs(total, alpha=1 / len(layers)), np.uint8)


def _move(shape: tuple[int, ...], quad: Points) -> NDArray[np.float64]:
    height, width = shape[:2]
    source = np.asarray([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    return np.asarray(
        cv2.getPerspectiveTransform(source, np.asarray(quad, np.float32) - 0.5), np.float64
    )


def _window(points: Points, shape: tuple[int, ...], margin: int) -> Window | None:
    low = np.floor(points.min(0)).astype(int) - margin
    high = np.ceil(points.max(0)).astype(int) + margin + 1
    x0, y0 = np.maximum(low, 0)
    x1, y1 = np.minimum(high, (shape[1], shape[0]))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return None
    return slice(int(y0), int(y1)), slice(int(x0), int(x1))
