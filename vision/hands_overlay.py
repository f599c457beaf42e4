"""Draws the cards of several people on one table: each hand in one outline with its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.overlay import INK, Colour, Mark, Overlay, Row, draw_overlay

_ROOM = 0.09
"""Room between the cards and their common outline, as a share of a card's longer side."""
_TINT = 0.16


@dataclass(frozen=True, slots=True)
class HandMarks:
    """One person's cards.

    Attributes:
        name: What stands at the outline.
        colour: Of the outline.
        cards: The cards, each with its own mark.
    """

    name: str
    colour: Colour
    cards: tuple[Mark, ...]


def draw_hands(
    image_bgr: Image, hands: Sequence[HandMarks], rows: Sequence[Row] = (), notice: str = ""
) -> Image:
    """Returns a copy of the picture with every hand outlined and named.

    Args:
        image_bgr: (height, width, 3) uint8, blue-green-red.
        hands: Whose cards lie where.
        rows: The table of the sums at the bottom left.
        notice: A warning at the bottom right.
    """
    picture = np.ascontiguousarray(image_bgr).copy()
    outlines = [_outline(hand) for hand in hands]
    unit = max(0.5, min(picture.shape[:2]) / 720)
    for hand, outline in zip(hands, outlines, strict=True):
        shade = picture.copy()
        cv2.fillPoly(shade, [outline], hand.colour, cv2.LINE_AA)
        cv2.addWeighted(shade, _TINT, picture, 1 - _TINT, 0, dst=picture)
        for width, colour in ((4.6, INK), (2.6, hand.colour)):
            thickness = max(1, round(width * unit))
            cv2.polylines(picture, [outline], True, colour, thickness, cv2.LINE_AA)
    cards = [card for hand in hands for card in hand.cards]
    picture = draw_overlay(picture, Overlay(marks=tuple(cards), rows=tuple(rows), notice=notice))
    for hand, outline in zip(hands, outlines, strict=True):
        _name(picture, hand, outline, unit)
    return picture


def _outline(hand: HandMarks) -> NDArray[np.int32]:
    """Returns the hull (N, 1, 2) around all cards, with room and round corners."""
    corners = np.concatenate([np.asarray(card.quad_px, np.float32) for card in hand.cards])
    quad = np.asarray(hand.cards[0].quad_px, np.float32)
    room = _ROOM * float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).max())
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    around = room * np.stack([np.cos(turns), np.sin(turns)], axis=1).astype(np.float32)
    points = (corners[:, None] + around[None]).reshape(-1, 1, 2)
    hull: NDArray[np.int32] = np.round(cv2.convexHull(points)).astype(np.int32)
    return hull


def _name(picture: Image, hand: HandMarks, outline: NDArray[np.int32], unit: float) -> None:
    """Writes the name on a plate at the upper edge of the outline, inside the picture."""
    height, width = picture.shape[:2]
    font, size = cv2.FontFace("sans"), round(24 * unit)
    box = cv2.getTextSize((1 << 20, 1 << 14), hand.name, (0, 0), font, size, 700)
    pad = round(7 * unit)
    top = outline[outline[:, 0, 1].argmin(), 0]
    left = int(np.clip(top[0] - box[2] / 2 - pad, 0, max(0, width - box[2] - 2 * pad)))
    upper = int(np.clip(top[1] - size - pad, 0, max(0, height - size - 2 * pad)))
    lower = (left + box[2] + 2 * pad, upper + size + pad)
    cv2.rectangle(picture, (left, upper), lower, INK, -1)
    cv2.rectangle(picture, (left, upper), lower, hand.colour, max(1, round(1.5 * unit)))
    origin = (left + pad, upper + round(size * 0.86) + pad // 2)
    cv2.putText(picture, hand.name, origin, hand.colour, font, size, 700)
