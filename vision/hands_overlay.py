"""Draws the cards of several people on one table: each hand in one outline with its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.flatten import side_lengths
from vision.frame import Image
from vision.labels import TAKEN, Clutter, Label, draw_leader, outline_of, place_labels
from vision.legend import Legend, add_legend
from vision.lettering import Plate, draw_plate
from vision.overlay import INK, WHITE, Colour, Mark, Overlay, Row, draw_overlay, drawing_unit
from vision.table import Point

_ROOM = 0.09
"""Room between the cards and their common outline, as a share of a card's longer side."""
_TINT = 0.16
_NAME_PX, _CAPTION_PX = 24, 15
"""Height of the letters of a name and of a card's caption in a picture 720 px high."""
_CLOSE_PX = 12
"""What is no farther from its label than this in such a picture needs no line to it."""
_CARD, _HAND = 4.0, 0.3
"""How bad it is that a label hides a part of a card, and of the ground between the cards."""


@dataclass(frozen=True, slots=True)
class HandMarks:
    """One person's cards.

    Attributes:
        name: What stands at the outline; nothing where empty.
        colour: Of the outline.
        cards: The cards, each with its own mark.
    """

    name: str
    colour: Colour
    cards: tuple[Mark, ...]


def draw_hands(
    image_bgr: Image,
    hands: Sequence[HandMarks],
    rows: Sequence[Row] = (),
    notice: str = "",
    others: Sequence[Mark] = (),
) -> Image:
    """Returns a copy of the picture with every hand outlined and named.

    Args:
        image_bgr: (height, width, 3) uint8, blue-green-red.
        hands: Whose cards lie where.
        rows: The sums, in a strip below the picture.
        notice: A warning, below them.
        others: What is in nobody's hand, such as cards in doubt.
    """
    picture = np.ascontiguousarray(image_bgr).copy()
    outlines = [_outline(hand) for hand in hands]
    unit = drawing_unit(picture)
    for hand, outline in zip(hands, outlines, strict=True):
        shade = picture.copy()
        cv2.fillPoly(shade, [outline], hand.colour, cv2.LINE_AA)
        cv2.addWeighted(shade, _TINT, picture, 1 - _TINT, 0, dst=picture)
        for width, colour in ((4.6, INK), (2.6, hand.colour)):
            thickness = max(1, round(width * unit))
            cv2.polylines(picture, [outline], True, colour, thickness, cv2.LINE_AA)
    cards = [*(card for hand in hands for card in hand.cards), *others]
    unnamed = tuple(replace(card, caption="") for card in cards)
    picture = draw_overlay(picture, Overlay(marks=unnamed))
    hulls = [[(float(x), float(y)) for x, y in outline[:, 0]] for outline in outlines]
    _draw_labels(picture, cards, list(zip(hands, hulls, strict=True)), unit)
    return add_legend(picture, Legend(rows=rows, notice=notice))


def _draw_labels(
    picture: Image,
    cards: Sequence[Mark],
    hands: Sequence[tuple[HandMarks, Sequence[Point]]],
    unit: float,
) -> None:
    """Writes what every card is, and whose the hands are, beside the cards."""
    size_wh = (picture.shape[1], picture.shape[0])
    clutter = [Clutter(card.quad_px, _CARD) for card in cards]
    clutter += [Clutter(hull, _HAND) for _, hull in hands]
    named = [card for card in cards if card.caption]
    captions = [_caption(card, unit) for card in named]
    labels = [
        Label(plate.size_wh, (card.quad_px,)) for plate, card in zip(captions, named, strict=True)
    ]
    places = place_labels(size_wh, labels, clutter)
    clutter += [Clutter(outline_of(label, place), TAKEN)
                for label, place in zip(labels, places, strict=True)]  # fmt: skip
    name_px = max(1, round(_NAME_PX * unit))
    told = [(hand, hull) for hand, hull in hands if hand.name]
    names = [Plate(((hand.name, hand.colour),), name_px, hand.colour, 700) for hand, _ in told]
    for_hands = [Label(name.size_wh, (hull,)) for name, (_, hull) in zip(names, told, strict=True)]
    labels += for_hands
    places += place_labels(size_wh, for_hands, clutter)
    plates = [*captions, *names]
    for plate, label, place in zip(plates, labels, places, strict=True):
        draw_leader(picture, label, place, plate.frame or WHITE, _CLOSE_PX * unit)
    for plate, place in zip(plates, places, strict=True):
        draw_plate(picture, plate, place)


def _caption(card: Mark, unit: float) -> Plate:
    colour = card.colour if card.strong else WHITE
    return Plate(((card.caption, colour),), max(1, round(_CAPTION_PX * unit)), weight=600)


def _outline(hand: HandMarks) -> NDArray[np.int32]:
    """Returns the hull (N, 1, 2) around all cards, with room and round corners."""
    corners = np.concatenate([np.asarray(card.quad_px, np.float32) for card in hand.cards])
    quad = np.asarray(hand.cards[0].quad_px, np.float32)
    room = _ROOM * float(side_lengths(quad).max())
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    around = room * np.stack([np.cos(turns), np.sin(turns)], axis=1).astype(np.float32)
    points = (corners[:, None] + around[None]).reshape(-1, 1, 2)
    hull: NDArray[np.int32] = np.round(cv2.convexHull(points)).astype(np.int32)
    return hull
