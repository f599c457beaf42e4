"""Draws what a board is worth: areas in outline, animals where they fit, points, broken rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.flatten import apply_homography, homography
from vision.frame import Image
from vision.labels import Clutter, Label, draw_leader, place_labels
from vision.legend import Legend, add_legend
from vision.lettering import Plate, draw_plate
from vision.overlay import (
    AMBER,
    INK,
    RED,
    Colour,
    Mark,
    Overlay,
    Row,
    draw_overlay,
    drawing_unit,
    text_width,
    write_text,
)
from vision.table import Point, Quad

_FIXED = 4
_QUARTERS = {0: (0.0, 0.0), 1: (0.5, 0.0), 2: (0.5, 0.5), 3: (0.0, 0.5)}
_TINT, _ANIMAL_TINT = 0.28, 0.82
_ROUND, _RIM = 32, 0.1
"""Corners of a round chip, and the rim of numbers that lie over it, as part of their height."""
_NARROWEST = 2
"""The smallest animal takes so many quarters: one wide."""
_SEAM = 0.09
"""Cards lie a little apart: gaps of this share of a card do not part an area."""
_INSET = 0.045
"""Outlines run this share of a card inside their area, so that neighbours can be told apart."""
_LABEL_PX = 15
"""Height of the letters on a plate in a picture 720 px high."""
_CARD, _PIECE = 1.0, 4.0
"""How bad it is that a label hides a part of a card, and of a chip, an animal or a fault."""
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
        cards: All cards that lie there: labels rather lie beside them.
        pieces: Round pieces that nothing must hide, the chips.
        title: What stands below the picture.
        rows: The players' points, beside it.
        notice: What is in doubt, below them.
    """

    areas: tuple[AreaMark, ...] = ()
    animals: tuple[AnimalMark, ...] = ()
    rules: tuple[RuleMark, ...] = ()
    doubts: tuple[Quad, ...] = ()
    cards: tuple[Quad, ...] = ()
    pieces: tuple[Quad, ...] = ()
    title: str = ""
    rows: tuple[Row, ...] = ()
    notice: str = ""


def draw_board(image_bgr: Image, marks: BoardMarks) -> Image:
    """Returns a copy of the picture with a board's ruling drawn upon it, and a strip below it.

    Args:
        image_bgr: (height, width, 3) uint8, blue-green-red.
        marks: What to draw.
    """
    picture = draw_on_board(image_bgr, marks)
    return add_legend(picture, Legend(marks.title, marks.rows, marks.notice))


def draw_on_board(image_bgr: Image, marks: BoardMarks) -> Image:
    """Returns a copy of the picture with all that is drawn upon it, and no strip below.

    Args:
        image_bgr: (height, width, 3) uint8, blue-green-red.
        marks: What to draw.
    """
    picture = np.ascontiguousarray(image_bgr).copy()
    unit = drawing_unit(picture)
    for area in sorted(marks.areas, key=lambda each: each.is_scored):
        _draw_area(picture, area, unit)
    animals = [animal for animal in marks.animals if animal.patches]
    for animal in animals:
        _draw_animal(picture, animal, unit)
    _show_pieces(picture, image_bgr, marks.pieces)
    for animal in animals:
        _draw_worth(picture, animal)
    rules = _one_a_card(marks.rules)
    framed = [
        *(Mark(quad, AMBER) for quad in marks.doubts),
        *(Mark(rule.card_px, RED, strong=True) for rule in rules),
    ]
    picture = draw_overlay(picture, Overlay(marks=tuple(framed)))
    _draw_labels(picture, marks, _labels(marks, rules, unit))
    return picture


@dataclass(frozen=True, slots=True)
class _Labelled:
    """A plate, and the outlines of what it explains, in pixels."""

    plate: Plate
    about_px: tuple[Sequence[Point], ...]


def _labels(marks: BoardMarks, rules: Sequence[RuleMark], unit: float) -> list[_Labelled]:
    pixels = max(1, round(_LABEL_PX * unit))
    labels = [_Labelled(Plate(((rule.rule, RED),), pixels, RED), (rule.card_px,)) for rule in rules]
    labels += [_Labelled(Plate((("?", AMBER),), pixels), (quad,)) for quad in marks.doubts]
    for area in marks.areas:
        if area.is_scored and area.patches and area.points:
            lines = tuple(
                (f"{player} +{number}".strip(), colour) for player, number, colour in area.points
            )
            about = tuple(_outline_of(patch) for patch in area.patches)
            labels.append(_Labelled(Plate(lines, pixels, area.colour), about))
    return labels


def _draw_labels(picture: Image, marks: BoardMarks, labels: Sequence[_Labelled]) -> None:
    """Draws every label where it hides as little as can be of what lies there."""
    pieces = [
        *marks.pieces,
        *(rule.card_px for rule in marks.rules),
        *marks.doubts,
        *(_outline_of(patch) for animal in marks.animals for patch in animal.patches),
    ]
    clutter = [Clutter(card, _CARD) for card in marks.cards]
    clutter += [Clutter(piece, _PIECE) for piece in pieces]
    size_wh = (picture.shape[1], picture.shape[0])
    wanted = [Label(label.plate.size_wh, label.about_px) for label in labels]
    places = place_labels(size_wh, wanted, clutter)
    for label, wish, place in zip(labels, wanted, places, strict=True):
        draw_leader(picture, wish, place, label.plate.frame or AMBER)
    for label, place in zip(labels, places, strict=True):
        draw_plate(picture, label.plate, place)


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
    """A plate of the animal's size."""
    corners = np.round(_plate_of(animal) * 2**_FIXED).astype(np.int32)
    shade = picture.copy()
    cv2.fillPoly(shade, [corners], _GRASS, cv2.LINE_AA, _FIXED)
    cv2.addWeighted(shade, _ANIMAL_TINT, picture, 1 - _ANIMAL_TINT, 0, dst=picture)
    thickness = max(1, round(1.6 * unit))
    cv2.polylines(picture, [corners], True, _CREAM, thickness, cv2.LINE_AA, _FIXED)


def _plate_of(animal: AnimalMark) -> NDArray[np.float64]:
    """(N, 2) the corners of an animal's plate, a little inside its quarters."""
    points = np.concatenate([_corners(patch) for patch in animal.patches])
    hull = cv2.convexHull(points.astype(np.float32))[:, 0]
    middle = hull.mean(axis=0)
    inset = 0.13 * _card_px(animal.patches)
    shrink = 1 - inset / np.linalg.norm(hull - middle, axis=1).max()
    return np.asarray(middle + (hull - middle) * shrink, np.float64)


def _show_pieces(picture: Image, before: Image, pieces: Sequence[Quad]) -> None:
    """Shows chips as they were, over the plates of the animals beside them."""
    around = np.linspace(0, 2 * np.pi, _ROUND, endpoint=False)
    disc = 0.5 + 0.5 * np.stack([np.cos(around), np.sin(around)], axis=1)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    mask: NDArray[np.uint8] = np.zeros(picture.shape[:2], np.uint8)
    for quad in pieces:
        outline = apply_homography(homography(unit, np.array(quad, np.float32)), disc)
        corners = np.round(np.asarray(outline) * 2**_FIXED).astype(np.int32)
        cv2.fillPoly(mask, [corners], 255, cv2.LINE_8, _FIXED)
    picture[mask > 0] = before[mask > 0]


def _draw_worth(picture: Image, animal: AnimalMark) -> None:
    """A paw print and a number, side by side, or below each other on an upright narrow plate."""
    hull, card_px, text = _plate_of(animal), _card_px(animal.patches), str(animal.points)
    wide, high = np.ptp(hull, axis=0)
    middle = (hull.min(axis=0) + hull.max(axis=0)) / 2
    is_narrow = len(animal.patches) == _NARROWEST
    across = 1 if is_narrow and high > 1.2 * wide else 0
    room = min((high, wide)[across], 0.62 * (wide, high)[across])
    reach = min(0.27 * card_px, 0.42 * room)
    shift = np.array([0.0, 0.85] if across else [0.85, 0.0]) * reach
    pixels, weight = max(9, round(1.7 * reach)), 750
    at = middle + shift
    left = at[0] - text_width(text, pixels, weight) / 2
    base = at[1] + 0.36 * pixels
    rim = max(1, round(_RIM * pixels))
    _draw_paw(picture, middle - shift, 0.8 * reach, (_GRASS, rim))
    for x, y in ((rim, 0), (-rim, 0), (0, rim), (0, -rim)):
        write_text(picture, text, (left + x, base + y), _GRASS, (pixels, weight))
    _draw_paw(picture, middle - shift, 0.8 * reach, (_CREAM, 0))
    write_text(picture, text, (left, base), _CREAM, (pixels, weight))


def _draw_paw(
    picture: Image, middle: NDArray[np.float64], reach: float, pen: tuple[Colour, int]
) -> None:
    """A paw print in a colour, so many pixels wider than it is."""
    colour, more = pen

    def blob(x: float, y: float, wide: float, high: float) -> None:
        centre = np.round((middle + np.array([x, y]) * reach) * 2**_FIXED).astype(int)
        axes = tuple(round((each * reach + more) * 2**_FIXED) for each in (wide, high))
        at = (int(centre[0]), int(centre[1]))
        size = (axes[0], axes[1])
        cv2.ellipse(picture, at, size, 0, 0, 360, colour, -1, cv2.LINE_AA, _FIXED)

    blob(0, 0.35, 0.55, 0.45)
    for x, y in ((-0.72, -0.1), (-0.27, -0.55), (0.27, -0.55), (0.72, -0.1)):
        blob(x, y, 0.22, 0.29)


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


def _outline_of(patch: Patch) -> list[Point]:
    return [(float(x), float(y)) for x, y in _corners(patch)]


def _card_px(patches: Sequence[Patch]) -> float:
    """How long the sides of a card are here, in pixels."""
    quad = np.array(patches[0].card_px, np.float32)
    return float(np.sqrt(max(cv2.contourArea(quad), 1.0)))
