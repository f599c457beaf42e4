"""Photographs a scene: a picture, and for each item its quad and how much of it is visible.

Each item is one small texture, warped once at the picture's own resolution and laid over what
is below with soft edges, its sides and its shadow. A buffer of item numbers, drawn along with
the picture, is the truth about what is visible.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.art.paint import Image, Plane, f32, f64
from datasets.items import Item, Points, Scene, Shadows, Table
from datasets.viewpoint import Viewpoint

LABELLED_SHARE = 0.25  # less of a thing in sight than this, and it is not labelled


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """What is true of one item in the picture.

    Attributes:
        index: place of the item in the scene.
        kind: class of the item.
        quad: its four corners in pixels, clockwise from the art's top left, unclipped.
        visible: share of its whole outline that is in sight, 0 to 1.
    """

    index: int
    kind: str
    quad: Points
    visible: float


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """A picture (BGR), the buffer of item numbers (0 is the table), and the truth."""

    image: Image
    ids: NDArray[np.int16]
    truths: tuple[Truth, ...]


def render(scene: Scene, view: Viewpoint) -> Rendered:
    """Photographs a scene from a viewpoint, evenly lit (see `datasets.light` for lamps)."""
    canvas = _ground(scene.table, view).astype(np.float32)
    ids = np.zeros(canvas.shape[:2], np.int16)
    placed = []
    for index, item in enumerate(scene.items):
        layer = _Layer.make(item, view)
        if layer is None:
            continue
        _shadow(canvas, item, view, scene.shadows)
        _sides(canvas, ids, item, view)
        layer.lay(canvas, ids, index + 1)
        placed.append((index, item, layer))
    truths = tuple(
        Truth(index, item.kind, view.distort(layer.quad), layer.visible(ids, index + 1))
        for index, item, layer in placed
        if item.kind != "thing"
    )
    image = np.clip(canvas, 0, 255).astype(np.uint8)
    if view.k1:
        maps = lens_maps(view)
        image = np.asarray(
            cv2.remap(image, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.uint8
        )
        ids = np.asarray(cv2.remap(ids, *maps, cv2.INTER_NEAREST), np.int16)
    return Rendered(image, ids, truths)


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """One item warped into the picture: its window, colours, alpha and labelled quad."""

    window: tuple[slice, slice]
    colours: Image
    alpha: Plane
    quad: Points
    expected: float
    region: Image | None

    @staticmethod
    def make(item: Item, view: Viewpoint) -> _Layer | None:
        height = item.lift_mm + item.thick_mm
        corners, seen = view.project(item.corners(), height)
        reach = _motion_px(item, view)
        window = _window(corners, view.size, int(np.hypot(*reach)) + 2) if seen else None
        if window is None:
            return None
        art = _fit(item.art, corners)
        warped, alpha = _warp(art, corners, window)
        if np.hypot(*reach) > 1.2:
            warped, alpha = _smear(warped, alpha, reach)
        quad, _ = view.project(item.corners(item.box), height)
        area = max(float(cv2.contourArea(f32(quad))), 1.0)
        whole = item.box == (0.0, 0.0, 1.0, 1.0)
        region = None if whole else _region(quad, window)
        expected = area * _fill(art, item.box)
        return _Layer(window, warped, alpha, quad, expected, region)

    def lay(self, canvas: Plane, ids: NDArray[np.int16], number: int) -> None:
        part = canvas[self.window]
        alpha = self.alpha[..., None]
        part *= 1 - alpha
        part += self.colours * alpha
        ids[self.window][self.alpha > 0.5] = number

    def visible(self, ids: NDArray[np.int16], number: int) -> float:
        mine = ids[self.window] == number
        if self.region is not None:
            mine &= self.region > 0
        return float(min(1.0, mine.sum() / max(self.expected, 1.0)))


def _motion_px(item: Item, view: Viewpoint) -> tuple[float, float]:
    if item.motion_mm == (0.0, 0.0):
        return 0.0, 0.0
    ends = np.vstack([item.at_mm, np.add(item.at_mm, item.motion_mm)])
    pixels, seen = view.project(ends, item.lift_mm)
    way = pixels[1] - pixels[0] if seen else np.zeros(2)
    length = np.hypot(*way)
    return (0.0, 0.0) if length > 60 else (float(way[0]), float(way[1]))


def _window(corners: Points, size: tuple[int, int], margin: int) -> tuple[slice, slice] | None:
    low = np.floor(corners.min(0)).astype(int) - margin
    high = np.ceil(corners.max(0)).astype(int) + margin + 1
    x0, y0 = np.maximum(low, 0)
    x1, y1 = np.minimum(high, size)
    if x1 - x0 < 2 or y1 - y0 < 2 or (high - low).max() > 8000:
        return None
    return slice(int(y0), int(y1)), slice(int(x0), int(x1))


def _fit(art: Image, corners: Points) -> Image:
    """Shrinks art to about its size on screen, so that warping it does not alias."""
    across = (np.hypot(*(corners[1] - corners[0])) + np.hypot(*(corners[2] - corners[3]))) / 2
    down = (np.hypot(*(corners[3] - corners[0])) + np.hypot(*(corners[2] - corners[1]))) / 2
    height, width = art.shape[:2]
    new = (max(3, min(width, round(across * 1.1))), max(3, min(height, round(down * 1.1))))
    if new[0] * new[1] > 0.8 * width * height:
        return art
    return np.asarray(cv2.resize(art, new, interpolation=cv2.INTER_AREA), np.uint8)


def _warp(art: Image, corners: Points, window: tuple[slice, slice]) -> tuple[Image, Plane]:
    rows, cols = window
    height, width = art.shape[:2]
    move = _move((width, height), corners, window)
    size = (cols.stop - cols.start, rows.stop - rows.start)
    colours = cv2.warpPerspective(
        art[..., :3], move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(colours, np.uint8), _cut(np.ascontiguousarray(art[..., 3]), corners, window)


def _move(
    size: tuple[int, int], corners: Points, window: tuple[slice, slice]
) -> NDArray[np.float64]:
    width, height = size
    source = f32([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
    target = f32(corners - (window[1].start, window[0].start)) - 0.5
    return np.asarray(cv2.getPerspectiveTransform(source, target), np.float64)


def _cut(alpha: Image, corners: Points, window: tuple[slice, slice]) -> Plane:
    """Warps a silhouette alone."""
    rows, cols = window
    move = _move((alpha.shape[1], alpha.shape[0]), corners, window)
    size = (cols.stop - cols.start, rows.stop - rows.start)
    warped = cv2.warpPerspective(alpha, move, size, flags=cv2.INTER_LINEAR)
    return np.asarray(warped, np.float32) / np.float32(255)


def _silhouette(item: Item) -> Image:
    """The outline of an item, small: enough for shadows and sides."""
    height, width = item.art.shape[:2]
    scale = min(1.0, 44 / max(height, width))
    alpha = np.ascontiguousarray(item.art[::2, ::2, 3] if scale < 0.5 else item.art[..., 3])
    size = (max(3, round(width * scale)), max(3, round(height * scale)))
    return np.asarray(cv2.resize(alpha, size, interpolation=cv2.INTER_AREA), np.uint8)


def _smear(colours: Image, alpha: Plane, way: tuple[float, float]) -> tuple[Image, Plane]:
    length = int(np.hypot(*way)) | 1
    kernel = np.zeros((length + 2, length + 2), np.float32)
    middle = (length + 1) / 2
    unit = f64(way) / np.hypot(*way) * length / 2
    ends = [
        (round(middle - unit[0]), round(middle - unit[1])),
        (round(middle + unit[0]), round(middle + unit[1])),
    ]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1)
    kernel /= max(float(kernel.sum()), 1.0)
    soft = cv2.filter2D(alpha, -1, kernel, borderType=cv2.BORDER_REPLICATE)
    weighted = cv2.filter2D(colours * alpha[..., None], -1, kernel, borderType=cv2.BORDER_REPLICATE)
    clean = np.clip(weighted / np.maximum(soft, 0.02)[..., None], 0, 255)
    return clean.astype(np.uint8), np.asarray(soft, np.float32)


def _region(quad: Points, window: tuple[slice, slice]) -> Image:
    rows, cols = window
    mask = np.zeros((rows.stop - rows.start, cols.stop - cols.start), np.uint8)
    cv2.fillConvexPoly(mask, (quad - (cols.start, rows.start)).round().astype(np.int32), 1)
    return mask


def _fill(art: Image, box: tuple[float, float, float, float]) -> float:
    height, width = art.shape[:2]
    part = art[
        int(box[1] * height) : max(1, round(box[3] * height)),
        int(box[0] * width) : max(1, round(box[2] * width)),
        3,
    ]
    return float((part > 127).mean()) if part.size else 1.0


def _shadow(canvas: Plane, item: Item, view: Viewpoint, shadows: Shadows) -> None:
    """Darkens the table where the item throws its shadow, plus a thin contact shadow."""
    height = item.lift_mm + item.thick_mm
    offset = f64(shadows.slant) * height
    corners, seen = view.project(item.corners() + offset, 0.0)
    scale = np.sqrt(max(cv2.contourArea(f32(corners)), 1.0) / (item.size_mm[0] * item.size_mm[1]))
    blur = 0.6 + scale * (0.4 + height * shadows.softness * 0.5)
    window = _window(corners, view.size, int(3 * blur) + 2) if seen else None
    if window is None:
        return
    alpha = _cut(_silhouette(item), corners, window)
    blur = min(blur, 25.0)
    kernel = int(blur * 2) * 2 + 1
    alpha = np.asarray(
        cv2.blur(cv2.blur(alpha, (kernel // 2 | 1,) * 2), (kernel // 2 | 1,) * 2), np.float32
    )
    canvas[window] *= 1 - shadows.depth * alpha[..., None]


def _sides(canvas: Plane, ids: NDArray[np.int16], item: Item, view: Viewpoint) -> None:
    """Draws the visible sides of a thick thing as its outline swept from bottom to top."""
    if item.thick_mm < 1.0:
        return
    low, seen = view.project(item.corners(), item.lift_mm)
    high, seen_high = view.project(item.corners(), item.lift_mm + item.thick_mm)
    way = float(np.abs(high - low).max())
    if not (seen and seen_high) or way < 0.7:
        return
    window = _window(np.vstack([low, high]), view.size, 2)
    if window is None:
        return
    outline = _silhouette(item)
    steps = int(min(7, np.ceil(way / 2))) + 1
    swept: Plane | None = None
    for share in np.linspace(0, 1, steps):
        alpha = _cut(outline, low + (high - low) * share, window)
        swept = alpha if swept is None else np.maximum(swept, alpha)
    if swept is None:
        return
    lines = 0.72 + 0.12 * np.sin(np.arange(swept.shape[0], dtype=np.float32) * 2.1)[:, None]
    tone = f32(item.side) * lines[..., None]
    canvas[window] += (tone - canvas[window]) * swept[..., None]
    ids[window][swept > 0.5] = 0


def _ground(table: Table, view: Viewpoint) -> Image:
    canvas = _tile(table.tile, table.mm_per_px, table.angle, view)
    if table.extent_mm is None:
        return canvas
    left, top, right, bottom = table.extent_mm
    room = (
        cv2.blur(_tile(table.room, table.mm_per_px * 2.5, table.angle + 0.7, view), (9, 9)) * 0.75
    )
    mask = np.zeros(canvas.shape[:2], np.uint8)
    for grow, tone in ((table.rim[1], table.rim[0]), (0.0, None)):
        edge = f64(
            [
                [left - grow, top - grow],
                [right + grow, top - grow],
                [right + grow, bottom + grow],
                [left - grow, bottom + grow],
            ]
        )
        pixels, seen = view.project(edge)
        if not seen:
            return canvas
        mask[:] = 0
        cv2.fillConvexPoly(
            mask, np.clip(pixels * 16, -(2**24), 2**24).astype(np.int32), 255, cv2.LINE_AA, 4
        )
        alpha = (mask / f32(255))[..., None]
        top_layer = canvas if tone is None else f32(tone)
        room = room * (1 - alpha) + top_layer * alpha
    return np.asarray(np.clip(room, 0, 255), np.uint8)


def _tile(tile: Image, mm_per_px: float, angle: float, view: Viewpoint) -> Image:
    """Repeats a tile over the plane, shrunk first where the picture is coarser than the tile."""
    middle = f64(view.size) / 2
    plane = view.plane()
    back = np.linalg.inv(plane)
    probe = np.column_stack([np.vstack([middle, np.add(middle, (1, 0))]), np.ones(2)]) @ back.T
    spots = probe[:, :2] / probe[:, 2:]
    shrink = np.hypot(*(spots[1] - spots[0])) / mm_per_px
    if shrink > 1.25:
        side = (max(8, round(tile.shape[1] / shrink)), max(8, round(tile.shape[0] / shrink)))
        mm_per_px *= tile.shape[1] / side[0]
        tile = np.asarray(cv2.resize(tile, side, interpolation=cv2.INTER_AREA), np.uint8)
    cos, sin = np.cos(angle) * mm_per_px, np.sin(angle) * mm_per_px
    place = f64([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    move = np.linalg.inv(plane @ place)
    xs, ys = np.meshgrid(
        np.arange(view.size[0], dtype=np.float32), np.arange(view.size[1], dtype=np.float32)
    )
    move = move.astype(np.float32)
    depth = move[2, 0] * xs + move[2, 1] * ys + move[2, 2]
    depth[np.abs(depth) < 1e-9] = 1e-9
    map_x = np.mod((move[0, 0] * xs + move[0, 1] * ys + move[0, 2]) / depth, tile.shape[1])
    map_y = np.mod((move[1, 0] * xs + move[1, 1] * ys + move[1, 2]) / depth, tile.shape[0])
    return np.asarray(
        cv2.remap(tile, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP), np.uint8
    )


def lens_maps(view: Viewpoint) -> tuple[Plane, Plane]:
    """For each pixel of the distorted picture, where it is in the ideal one."""
    width, height = view.size
    unit = np.hypot(width, height) / 2
    xs, ys = np.meshgrid(
        np.arange(width, dtype=np.float32) - width / 2,
        np.arange(height, dtype=np.float32) - height / 2,
    )
    radius = (xs**2 + ys**2) / unit**2
    factor = np.ones_like(radius)
    for _ in range(4):
        factor = 1 / (1 + view.k1 * radius * factor**2)
    return (xs * factor + width / 2).astype(np.float32), (ys * factor + height / 2).astype(
        np.float32
    )
