"""Draws what a board is worth: areas in outline, animals where they fit, points, broken rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.flatten import apply_homography, homography
from vision.frame import Image
from vision.overlay import (
    AMBER,
    GREY,
    INK,
    RED,
    WHITE,
    Colour,
    Mark,
    Overlay,
    Row,
    draw_overlay,
)
from vision.table import Quad

_FIXED = 4
_QUARTERS = {0: (0.0, 0.0), 1: (0.5, 0.0), 2: (0.5, 0.5), 3: (0.0, 0.5)}
_TINT, _ANIMAL_TINT = 0.28, 0.82
_SEAM = 0.09
"""Cards lie a little apart: gaps of this share of a card do not part an area."""
_INSET = 0.045
"""Outlines run this share of a card inside their area, so that neighbours can be told apart."""
_GRASS: Colour = (44, 78, 30)
_CREAM: Colour = (206, 238, 250)


@dataclass(frozen=True, slots=True)
class Patch:
    """A quarter of a card.

    Attributes:
        card_px: The card's corners in the picture from its north-west, clockwise.
        quarter: 0 to 3, clockwise from the north-west.
    """

    card_px: Quad
    quarter: int


@dataclass(frozen=True, slots=True)
class AreaMark:
    """An area.

    Attributes:
        patches: The quarters it is made of.
        colour: Of its outline.
        points: Who gets how much, each with the colour of the plate that tells it.
        is_scored: Whether it is scored now; tinted then.
        is_open: Whether it may still grow, or nobody cares for it; its outline is thin then.
    """

    patches: tuple[Patch, ...]
    colour: Colour
    points: tuple[tuple[str, int, Colour], ...] = ()
    is_scored: bool = False
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class AnimalMark:
    """An animal that has moved in: the quarters it needs, and what it is worth."""

    patches: tuple[Patch, ...]
    points: int


@dataclass(frozen=True, slots=True)
class RuleMark:
    """A card that lies where a rule forbids it."""

    card_px: Quad
    rule: str


@dataclass(frozen=True, slots=True)
class BoardMarks:
    """Everything that is drawn on the picture of a board.

    Attributes:
        areas: The areas.
        animals: The animals in them.
        rules: Cards that break a rule.
        doubts: What could not be read.
        title: What stands at the top left.
        rows: The players' points.
    """

    areas: tuple[AreaMark, ...] = ()
    animals: tuple[AnimalMark, ...] = ()
    rules: tuple[RuleMark, ...] = ()
    doubts: tuple[Quad, ...] = ()
    title: str = ""
    rows: tuple[Row, ...] = ()


def draw_board(image_bgr: Image, marks: BoardMarks) -> Image:
    """Returns a copy of the picture with a board's ruling drawn upon it.

    Args:
        image_bgr: (height, width, 3) uint8, blue-green-red.
        marks: What to draw.
    """
    picture = np.ascontiguousarray(image_bgr).copy()
    unit = max(0.5, min(picture.shape[:2]) / 720)
    for area in sorted(marks.areas, key=lambda each: each.is_scored):
        _draw_area(picture, area, unit)
    for animal in marks.animals:
        _draw_animal(picture, animal, unit)
    forbidden = [
        Mark(rule.card_px, RED, rule.rule, strong=True) for rule in _one_a_card(marks.rules)
    ]
    doubtful = [Mark(quad, AMBER, "?") for quad in marks.doubts]
    plates = [
        mark
        for area in marks.areas
        for mark in _plates(area, unit)
        if not marks.rules or area.is_scored
    ]
    overlay = Overlay(
        marks=(*doubtful, *forbidden), title=marks.title, rows=marks.rows,
        notice=f"{len(marks.doubts)} in doubt" if marks.doubts else "",
    )  # fmt: skip
    picture = draw_overlay(picture, overlay)
    for centre, text, colour in plates:
        _draw_plate(picture, centre, (text, colour), unit)
    return picture


def _draw_area(picture: Image, area: AreaMark, unit: float) -> None:
    if not area.patches:
        return
    contours, offset = _outline(area.patches)
    if area.is_scored:
        shade = picture.copy()
        cv2.fillPoly(shade, contours, area.colour, cv2.LINE_AA, offset=offset)
        cv2.addWeighted(shade, _TINT, picture, 1 - _TINT, 0, dst=picture)
    width = 1.4 if area.is_open else 2.6
    for extra, colour in ((2.0, INK), (0.0, area.colour)):
        thickness = max(1, round((width + extra) * unit))
        for contour in contours:
            cv2.polylines(picture, [contour + offset], True, colour, thickness, cv2.LINE_AA)


def _outline(patches: Sequence[Patch]) -> tuple[list[NDArray[np.int32]], tuple[int, int]]:
    """The outline of an area in pixels from an offset: its quarters, grown together."""
    quads = [_corners(patch) for patch in patches]
    size = _card_px(patches)
    pad = int(size)
    low = np.floor(np.min([quad.min(axis=0) for quad in quads], axis=0)).astype(int) - pad
    high = np.ceil(np.max([quad.max(axis=0) for quad in quads], axis=0)).astype(int) + pad
    mask: NDArray[np.uint8] = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round((quad - low) * 2**_FIXED).astype(np.int32), 255,
                           cv2.LINE_8, _FIXED)  # fmt: skip
    seam, inset = (max(1, round(share * size)) for share in (_SEAM, _INSET))
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((2 * seam + 1,) * 2, np.uint8))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * inset + 1,) * 2)
    inner = cv2.erode(closed, disc)
    contours, _ = cv2.findContours(inner, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    smooth = [cv2.approxPolyDP(contour, 0.02 * size, True) for contour in contours]
    lines = [np.asarray(line, np.int32) for line in smooth if len(line) > 2]
    return lines, (int(low[0]), int(low[1]))


def _draw_animal(picture: Image, animal: AnimalMark, unit: float) -> None:
    """A plate of the animal's size with a paw print and its points."""
    if not animal.patches:
        return
    points = np.concatenate([_corners(patch) for patch in animal.patches])
    hull = cv2.convexHull(points.astype(np.float32))[:, 0]
    middle = hull.mean(axis=0)
    size = _card_px(animal.patches)
    inner = middle + (hull - middle) * (
        1 - 0.13 * size / np.linalg.norm(hull - middle, axis=1).max()
    )
    corners = np.round(inner * 2**_FIXED).astype(np.int32)
    shade = picture.copy()
    cv2.fillPoly(shade, [corners], _GRASS, cv2.LINE_AA, _FIXED)
    cv2.addWeighted(shade, _ANIMAL_TINT, picture, 1 - _ANIMAL_TINT, 0, dst=picture)
    thickness = max(1, round(1.6 * unit))
    cv2.polylines(picture, [corners], True, _CREAM, thickness, cv2.LINE_AA, _FIXED)
    middle = points.mean(axis=0)
    reach = 0.17 * size * (0.75 + 0.09 * len(animal.patches))
    _draw_paw(picture, middle - np.array([0.75 * reach, 0]), reach)
    text, pixels = str(animal.points), max(9, round(1.9 * reach))
    font = cv2.FontFace("sans")
    origin = (round(middle[0] + 0.55 * reach), round(middle[1] + 0.7 * reach))
    cv2.putText(picture, text, origin, _CREAM, font, pixels, 750)


def _draw_paw(picture: Image, middle: NDArray[np.float64], reach: float) -> None:
    def blob(x: float, y: float, wide: float, high: float) -> None:
        centre = np.round((middle + np.array([x, y]) * reach) * 2**_FIXED).astype(int)
        axes = (round(wide * reach * 2**_FIXED), round(high * reach * 2**_FIXED))
        at = (int(centre[0]), int(centre[1]))
        cv2.ellipse(picture, at, axes, 0, 0, 360, _CREAM, -1, cv2.LINE_AA, _FIXED)

    blob(0, 0.35, 0.55, 0.45)
    for x, y in ((-0.72, -0.1), (-0.27, -0.55), (0.27, -0.55), (0.72, -0.1)):
        blob(x, y, 0.22, 0.29)


def _plates(area: AreaMark, unit: float) -> list[tuple[NDArray[np.float64], str, Colour]]:
    """Who gets what of a scored area, below one another at its lowest quarter."""
    if not area.is_scored or not area.patches:
        return []
    lowest = max((_corners(patch).mean(axis=0) for patch in area.patches), key=lambda c: c[1])
    step = np.array([0, 24.0 * unit])
    foot = lowest + np.array([0, 0.2 * _card_px(area.patches)])
    return [
        (foot + index * step, f"{player} +{number}", colour)
        for index, (player, number, colour) in enumerate(area.points)
    ]


def _draw_plate(
    picture: Image, centre: NDArray[np.float64], words: tuple[str, Colour], unit: float
) -> None:
    text, colour = words
    font, pixels = cv2.FontFace("sans"), round(15 * unit)
    box = cv2.getTextSize((1 << 20, 1 << 14), text, (0, 0), font, pixels, 650)
    half_wide, half_high = box[2] / 2 + 7 * unit, 11 * unit
    half = np.array([half_wide, half_high])
    low, high = np.round(centre - half).astype(int), np.round(centre + half).astype(int)
    first, second = (int(low[0]), int(low[1])), (int(high[0]), int(high[1]))
    cv2.rectangle(picture, first, second, INK, -1, cv2.LINE_AA)
    cv2.rectangle(picture, first, second, colour, max(1, round(1.5 * unit)), cv2.LINE_AA)
    origin = (round(centre[0] - box[2] / 2), round(centre[1] + 5.2 * unit))
    shown = colour if colour != GREY else WHITE
    cv2.putText(picture, text, origin, shown, font, pixels, 650)


def _one_a_card(rules: Sequence[RuleMark]) -> list[RuleMark]:
    """The rules that a card breaks, in one mark."""
    by_card: dict[Quad, list[str]] = {}
    for rule in rules:
        by_card.setdefault(rule.card_px, []).append(rule.rule)
    return [RuleMark(quad, " · ".join(names)) for quad, names in by_card.items()]


def _corners(patch: Patch) -> NDArray[np.float64]:
    """(4, 2) the corners of a quarter in pixels."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    low = np.array(_QUARTERS[patch.quarter])
    matrix = homography(unit, np.array(patch.card_px, np.float32))
    return np.asarray(apply_homography(matrix, low + unit / 2), np.float64)


def _card_px(patches: Sequence[Patch]) -> float:
    """How long the sides of a card are here, in pixels."""
    quad = np.array(patches[0].card_px, np.float32)
    return float(np.sqrt(max(cv2.contourArea(quad), 1.0)))
