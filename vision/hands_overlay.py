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
_STRIP: Colour = (52, 44, 38)
_ROW_PX, _ROWS_PX = 28, 44
"""Height of a row, and of the room around the rows, in a picture 720 px high."""
_NEAR = 0.62
"""Hands whose middle is lower than this share of the picture are named at their lower edge."""


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
    # The table of sums goes below the picture, where no card lies.
    below = _strip_px(picture.shape[:2], len(rows) + bool(notice and not rows))
    picture = np.asarray(
        cv2.copyMakeBorder(picture, 0, below, 0, 0, cv2.BORDER_CONSTANT, value=_STRIP), np.uint8
    )
    picture = draw_overlay(picture, Overlay(marks=tuple(cards), rows=tuple(rows), notice=notice))
    for hand, outline in zip(hands, outlines, strict=True):
        is_near = outline[:, 0, 1].mean() > _NEAR * image_bgr.shape[0]
        _name(picture, hand, outline, unit, is_below=bool(is_near))
    return picture


def _strip_px(size_hw: tuple[int, ...], rows: int) -> int:
    """Returns the height of a strip that holds so many rows, in the sizes of `draw_overlay`."""
    height, width = size_hw[:2]
    if not rows:
        return 0
    share = (_ROW_PX * rows + _ROWS_PX) / 720
    return round(min(share * height / (1 - share), share * width))


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


def _name(
    picture: Image, hand: HandMarks, outline: NDArray[np.int32], unit: float, *, is_below: bool
) -> None:
    """Writes the name on a plate at the outline's upper or lower edge, inside the picture."""
    height, width = picture.shape[:2]
    font, size = cv2.FontFace("sans"), round(24 * unit)
    box = cv2.getTextSize((1 << 20, 1 << 14), hand.name, (0, 0), font, size, 700)
    pad = round(7 * unit)
    heights = outline[:, 0, 1]
    top = outline[heights.argmax() if is_below else heights.argmin(), 0]
    left = int(np.clip(top[0] - box[2] / 2 - pad, 0, max(0, width - box[2] - 2 * pad)))
    lift = pad if is_below else size + pad
    upper = int(np.clip(top[1] - lift, 0, max(0, height - size - 2 * pad)))
    lower = (left + box[2] + 2 * pad, upper + size + pad)
    cv2.rectangle(picture, (left, upper), lower, INK, -1)
    cv2.rectangle(picture, (left, upper), lower, hand.colour, max(1, round(1.5 * unit)))
    origin = (left + pad, upper + round(size * 0.86) + pad // 2)
    cv2.putText(picture, hand.name, origin, hand.colour, font, size, 700)
