"""Finds places for labels: near what they explain, clear of each other and of what must be seen.

Every place is tried on a coarse grid: what a label would cover there, and how far it would be from
what it explains, are weighed against each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.overlay import INK, Colour, drawing_unit
from vision.table import Point

_Value = TypeVar("_Value", bound=np.generic)

_CELLS = 240
"""Cells of the grid along the picture's short side: 3 px in a picture 720 px high."""
_REACH = 0.018
"""What a cell of distance weighs: 55 of them, a quarter of the picture, as much as covering what
weighs 1."""
TAKEN = 1000.0
"""What it weighs to hide another label: done only where the whole picture has no room."""
_OWN = 0.4
"""To hide a part of what a label explains is less bad than to hide something else."""
_STRANGE = 1.5
"""What it weighs to be nearer to what another label explains."""
_ROUNDS = 3
"""Each label is placed anew when all have a place, until they stay."""


@dataclass(frozen=True, slots=True)
class Clutter:
    """A part of the picture that labels should not hide.

    Attributes:
        outline_px: Its corners, at least three.
        weight: How bad it is to hide it: 1 for what may be covered if need be, 4 for what may not.
    """

    outline_px: Sequence[Point]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Label:
    """A rectangle that wants a place.

    Attributes:
        size_wh: Its width and height in pixels.
        about_px: The outlines of what it explains.
    """

    size_wh: tuple[float, float]
    about_px: tuple[Sequence[Point], ...]


def place_labels(
    picture_wh: tuple[int, int], labels: Sequence[Label], clutter: Sequence[Clutter] = ()
) -> list[Point]:
    """Returns the centre of each label in pixels; the same input gives the same places.

    Args:
        picture_wh: Width and height of the picture; no label sticks out of it that fits in it.
        labels: What is to be placed; the first has the first choice.
        clutter: What should stay in view.
    """
    if not labels:
        return []
    space = _Space(picture_wh, clutter)
    wishes = [_Wish(space, label) for label in labels]
    strange = _nearer_to_others([wish.distance for wish in wishes])
    places: list[tuple[int, int] | None] = [None] * len(labels)
    for _ in range(_ROUNDS):
        before = list(places)
        for index, wish in enumerate(wishes):
            others = [
                (*place, *other.size)
                for number, (place, other) in enumerate(zip(places, wishes, strict=True))
                if place is not None and number != index
            ]
            places[index] = space.best(wish, others, strange[index])
        if places == before:
            break
    return [
        space.centre_px(place, label)
        for place, label in zip(places, labels, strict=True)
        if place is not None
    ]


def outline_of(label: Label, centre_px: Point) -> tuple[Point, Point, Point, Point]:
    """Returns the corners of a label in pixels, clockwise from its top left."""
    (x, y), (wide, high) = centre_px, (side / 2 for side in label.size_wh)
    return (x - wide, y - high), (x + wide, y - high), (x + wide, y + high), (x - wide, y + high)


def draw_leader(
    image_bgr: Image, label: Label, centre_px: Point, colour: Colour, beyond_px: float = 0.0
) -> None:
    """Draws a line from a label to what it explains, where the two are apart.

    Args:
        image_bgr: (height, width, 3) uint8, blue-green-red; drawn upon.
        label: The label.
        centre_px: Where its middle is.
        colour: Of the line.
        beyond_px: How far apart they must be.
    """
    unit = drawing_unit(image_bgr)
    outlines = [np.asarray(each, np.float32).reshape(-1, 1, 2) for each in label.about_px]
    centre, half = np.array(centre_px), np.array(label.size_wh) / 2 + beyond_px
    ways = [outline[:, 0].mean(axis=0) - centre for outline in outlines]
    way = min(ways, key=lambda each: float(np.hypot(*each)))
    steps = centre + np.linspace(0, 1, max(2, round(np.hypot(*way))))[:, None] * way
    inside = next((index for index, step in enumerate(steps) if _is_within(step, outlines)), 0)
    if (np.abs(steps[inside] - centre) <= half).all():
        return
    end = np.round(steps[min(inside + round(5 * unit), len(steps) - 1)]).astype(np.int32)
    start = np.round(centre).astype(np.int32)
    for width, shade in ((4.0, INK), (2.0, colour)):
        line = np.array([start, end])
        cv2.polylines(image_bgr, [line], False, shade, max(1, round(width * unit)), cv2.LINE_AA)
        tip = (int(end[0]), int(end[1]))
        cv2.circle(image_bgr, tip, round((width / 2 + 2) * unit), shade, -1, cv2.LINE_AA)


def _is_within(point: NDArray[np.float64], outlines: Sequence[NDArray[np.float32]]) -> bool:
    place = (float(point[0]), float(point[1]))
    return any(cv2.pointPolygonTest(outline, place, False) >= 0 for outline in outlines)


class _Space:
    """The picture in cells, with what it weighs to cover each of them."""

    def __init__(self, picture_wh: tuple[int, int], clutter: Sequence[Clutter]) -> None:
        self.picture_wh = picture_wh
        self.cell_px = max(1.0, min(picture_wh) / _CELLS)
        width, height = (max(1, int(side / self.cell_px)) for side in picture_wh)
        self.shape = (height, width)
        self.weights = np.zeros(self.shape, np.float32)
        for each in clutter:
            covered = self.mask([each.outline_px]) > 0
            self.weights[covered] = np.maximum(self.weights[covered], each.weight)

    def mask(self, outlines_px: Sequence[Sequence[Point]]) -> NDArray[np.uint8]:
        """(height, width) uint8 in cells, 255 within the outlines."""
        mask: NDArray[np.uint8] = np.zeros(self.shape, np.uint8)
        for outline in outlines_px:
            corners = np.floor(np.asarray(outline, np.float64) / self.cell_px).astype(np.int32)
            cv2.fillPoly(mask, [corners.reshape(-1, 1, 2)], 255)
        return mask

    def best(
        self,
        wish: _Wish,
        others: Sequence[tuple[int, int, int, int]],
        strange: NDArray[np.bool_],
    ) -> tuple[int, int]:
        """The top left cell of the place that weighs least."""
        taken = np.zeros(self.shape, np.float32)
        for left, top, wide, high in others:
            taken[top : top + high, left : left + wide] = TAKEN
        wide, high = wish.size
        own = (wish.distance == 0) & (self.weights <= 1)
        sums = cv2.integral(np.where(own, _OWN * self.weights, self.weights) + taken)
        lower, upper = sums[high:], sums[:-high]
        covered = lower[:, wide:] - lower[:, :-wide] - upper[:, wide:] + upper[:, :-wide]
        cost = covered / (wide * high) + _REACH * wish.around(wish.distance)
        cost += 1e-3 * wish.around(wish.from_middle)
        cost += _STRANGE * wish.around(strange)
        row, col = np.unravel_index(int(np.argmin(cost)), cost.shape)
        return int(col), int(row)

    def centre_px(self, place: tuple[int, int], label: Label) -> Point:
        """The centre of a label whose top left cell is known, inside of the picture."""
        x, y = (
            min((cell + 0.5) * self.cell_px + side / 2, max(whole - side / 2, side / 2))
            for cell, side, whole in zip(place, label.size_wh, self.picture_wh, strict=True)
        )
        return x, y


class _Wish:
    """A label in cells, and how far every cell is from what it explains."""

    def __init__(self, space: _Space, label: Label) -> None:
        height, width = space.shape
        wide, high = (int(np.ceil(side / space.cell_px)) + 1 for side in label.size_wh)
        self.size = (min(wide, width), min(high, height))
        mask = space.mask(label.about_px)
        if not mask.any():  # out of the picture: near its edge then
            corner = np.concatenate([np.asarray(each, np.float64) for each in label.about_px])
            x, y = (corner.mean(axis=0) / space.cell_px).astype(int)
            mask[int(np.clip(y, 0, height - 1)), int(np.clip(x, 0, width - 1))] = 255
        self.distance = _distance_from(mask)
        sums = cv2.moments(mask, binaryImage=True)
        x = np.arange(width, dtype=np.float32) - sums["m10"] / sums["m00"]
        y = np.arange(height, dtype=np.float32) - sums["m01"] / sums["m00"]
        self.from_middle: NDArray[np.float32] = np.hypot(x[None, :], y[:, None])

    def around(self, field: NDArray[_Value]) -> NDArray[_Value]:
        """A field of the picture, read at the middle of the label for every place it can have."""
        wide, high = self.size
        height, width = field.shape
        left, top = wide // 2, high // 2
        return field[top : top + height - high + 1, left : left + width - wide + 1]


def _nearer_to_others(distances: Sequence[NDArray[np.float32]]) -> list[NDArray[np.bool_]]:
    """For each of some places, the cells that are nearer to one of the others."""
    nearest = np.min(distances, axis=0)
    return [distance > nearest for distance in distances]


def _distance_from(mask: NDArray[np.uint8]) -> NDArray[np.float32]:
    outside: NDArray[np.uint8] = np.where(mask > 0, 0, 255).astype(np.uint8)
    return np.asarray(cv2.distanceTransform(outside, cv2.DIST_L2, 5), np.float32)
