"""Coaching the setup of a camera: what a picture of the table is like, what is wanted, what to do.

Everything is measured on the pieces that the detector finds, of whatever deck: what the tablecloth
is like does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.coaching_blur import edge_blur_px, glare
from vision.frame import Image
from vision.table import PieceKind, PieceReading, Quad, TableReading

_FLAT = frozenset({PieceKind.CARD, PieceKind.CAMERA, PieceKind.PATH, PieceKind.BACK})
_SURE = 0.5
_AT_EDGE_PX = 2.0
_ROOM = 0.02
"""Share of the picture's short side that should lie free around the outermost piece."""

SHARP, BLURRED = 0.025, 0.04
"""Blur as a share of a card's short side: at the second one, names of cards begin to fail."""
DARK, DIM, BRIGHT, GLARING = 45.0, 75.0, 225.0, 245.0
"""Median brightness of the pieces, 0 to 255."""
SMALL_PX, ENOUGH_PX = 60.0, 75.0
"""Short side of a card: below the first one, look-alike cards can no longer be told apart."""
SLOW_FPS, FULL_FPS = 18.0, 27.0
"""Frames a second: below the first one, claims closer than a twentieth of a second are a tie."""
GLARE_FEW, GLARE_MANY = 0.03, 0.06
"""Share of the pieces' area under mirrored lamps; well-lit white print may count a little."""


class Grade(StrEnum):
    """How good a thing is."""

    GOOD = "good"
    FAIR = "fair"
    """It works; better would be safer."""
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing about the setup.

    Attributes:
        topic: What it is about: view, size, sharpness, light, glare, rate, camera.
        grade: How good it is.
        found: What is, in a plain sentence.
        wanted: What is wanted, in words.
        advice: What to do; empty where all is good.
        quads: Where in the picture, if it is at places.
    """

    topic: str
    grade: Grade
    found: str
    wanted: str
    advice: str = ""
    quads: tuple[Quad, ...] = ()


def coach(image_bgr: Image, reading: TableReading, rate_fps: float | None) -> list[Finding]:
    """What is to be said about a picture of a table.

    Args:
        image_bgr: `(H, W, 3)` uint8.
        reading: What the detector finds in it; nothing needs to be named.
        rate_fps: Frames a second of the camera, or None for a photograph.
    """
    luma = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    pieces = [piece for piece in reading.pieces if piece.kind in _FLAT and piece.score >= _SURE]
    rate = [] if rate_fps is None else [rate_finding(rate_fps)]
    if not pieces:
        return [_nothing_seen(), light_finding(luma), *rate]
    side_px = median(_short_side(piece.quad_px) for piece in pieces)
    mask = _mask(luma, pieces)
    found = [
        view_finding(pieces, reading),
        size_finding(side_px, pieces),
        sharpness_finding(_cut(luma, mask), side_px),
        light_finding(luma[mask]),
        glare_finding(luma, mask, pieces, side_px),
    ]
    return [*found, *rate]


def view_finding(pieces: list[PieceReading], reading: TableReading) -> Finding:
    """Whether all of the table is in the picture, as far as pieces tell."""
    wanted = "every card whole, with some table around them"
    size = (reading.width_px, reading.height_px)
    room = {piece.quad_px: _room(piece.quad_px, size) for piece in pieces}
    cut = tuple(quad for quad, px in room.items() if px < _AT_EDGE_PX)
    if cut:
        text = f"{len(cut)} of {len(pieces)} cards are cut off by the edge of the picture"
        advice = "Move the camera away or point it at the middle of the table"
        return Finding("view", Grade.BAD, text, wanted, advice, cut)
    least_px = min(room.values())
    if least_px < _ROOM * min(size):
        near = tuple(quad for quad, px in room.items() if px < _ROOM * min(size))
        text = f"{len(pieces)} cards are seen, one only {least_px:.0f} pixels from the edge"
        advice = "Move the camera a little away, so that cards at the players' sides are seen too"
        return Finding("view", Grade.FAIR, text, wanted, advice, near)
    return Finding("view", Grade.GOOD, f"{len(pieces)} cards are seen, all of them whole", wanted)


def size_finding(side_px: float, pieces: list[PieceReading]) -> Finding:
    """How many pixels a card has."""
    text = f"A card has {side_px:.0f} pixels on its short side"
    wanted = f"{ENOUGH_PX:.0f} pixels or more, {SMALL_PX:.0f} at the least"
    small = tuple(p.quad_px for p in pieces if _short_side(p.quad_px) < SMALL_PX)
    grade = _grade(side_px, SMALL_PX, ENOUGH_PX)
    if grade is Grade.GOOD and len(small) > len(pieces) / 5:
        text += f", but {len(small)} of {len(pieces)} are smaller than {SMALL_PX:.0f}"
        grade = Grade.FAIR
    if grade is Grade.GOOD:
        return Finding("size", grade, text, wanted)
    advice = "Bring the camera nearer, look more from above, or choose a larger picture size"
    return Finding("size", grade, text, wanted, advice, small)


def sharpness_finding(luma: Image, side_px: float) -> Finding:
    """Whether the print can be read.

    Args:
        luma: `(H, W)` uint8, the part of the picture in which the cards lie.
        side_px: Short side of a card.
    """
    wanted = f"edges no wider than {SHARP * side_px:.1f} pixels for cards of this size"
    blur_px = edge_blur_px(luma)
    advice = "Focus the camera on the cards, clean its lens, fix it so that it does not shake"
    if blur_px is None:
        return Finding("sharpness", Grade.BAD, "No edge can be seen on the cards", wanted, advice)
    grade = _grade(-blur_px / side_px, -BLURRED, -SHARP)
    if grade is Grade.GOOD:
        return Finding("sharpness", grade, "The print on the cards is sharp", wanted)
    text = f"Edges are smeared over {blur_px:.1f} pixels"
    return Finding("sharpness", grade, text, wanted, advice)


def light_finding(luma: NDArray[np.uint8]) -> Finding:
    """Whether it is too dark or too bright, from the brightness of the pieces' pixels."""
    level = float(np.median(luma))
    wanted = f"a brightness between {DIM:.0f} and {BRIGHT:.0f} of 255"
    text = f"The cards have a brightness of {level:.0f} of 255"
    if level < DIM:
        grade = _grade(level, DARK, DIM)
        advice = "Turn on a lamp, best two from the sides; in little light cameras also get slow"
        return Finding("light", grade, text, wanted, advice)
    if level > BRIGHT:
        grade = _grade(-level, -GLARING, -BRIGHT)
        advice = "Dim the lamp, keep the sun off the table, or lower the camera's exposure"
        return Finding("light", grade, text, wanted, advice)
    return Finding("light", Grade.GOOD, text, wanted)


def glare_finding(
    luma: Image, mask: NDArray[np.bool_], pieces: list[PieceReading], side_px: float
) -> Finding:
    """Whether lamps are mirrored on the pieces, whose pixels are those of the mask."""
    wanted = "no lamp mirrored on a card"
    hidden = glare(luma, side_px) & mask
    share = np.count_nonzero(hidden) / np.count_nonzero(mask)
    grade = _grade(-share, -GLARE_MANY, -GLARE_FEW)
    if grade is Grade.GOOD:
        return Finding("glare", grade, "No lamp is mirrored on the cards", wanted)
    lit = tuple(p.quad_px for p in pieces if hidden[_mask(luma, [p])].mean() > GLARE_FEW)
    text = f"Lamps are mirrored on {len(lit)} cards and hide {share:.0%} of all print"
    advice = "Move the lamp or the camera, so that the light comes from the side, or use a shade"
    return Finding("glare", grade, text, wanted, advice, lit)


def rate_finding(rate_fps: float) -> Finding:
    """Whether frames come fast enough to tell who was first."""
    wanted = f"{FULL_FPS:.0f} frames a second or more"
    if rate_fps <= 0:
        return Finding("rate", Grade.BAD, "Frames come too seldom to be timed", wanted, "Try again")
    text = f"{rate_fps:.0f} frames a second: claims are timed to ±{0.5 / rate_fps:.3f} s"
    grade = _grade(rate_fps, SLOW_FPS, FULL_FPS)
    if grade is Grade.GOOD:
        return Finding("rate", grade, text, wanted)
    advice = (
        "More light on the table, as cameras slow down in the dark; else a smaller picture size or "
        "another USB port"
    )
    return Finding("rate", grade, text, wanted, advice)


def _nothing_seen() -> Finding:
    return Finding(
        "view",
        Grade.BAD,
        "No card is seen",
        "every card whole, with some table around them",
        "Lay some cards face up on the table and point the camera at them",
    )


def _grade(value: float, bad_below: float, good_from: float) -> Grade:
    if value < bad_below:
        return Grade.BAD
    return Grade.GOOD if value >= good_from else Grade.FAIR


def _short_side(quad: Quad) -> float:
    corners = np.asarray(quad, np.float64)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)


def _room(quad: Quad, size_wh: tuple[int, int]) -> float:
    """Pixels between a quad and the nearest edge of the picture."""
    corners = np.asarray(quad, np.float64)
    return float(min(corners.min(), *(np.array(size_wh) - 1 - corners.max(axis=0))))


def _mask(luma: Image, pieces: list[PieceReading]) -> NDArray[np.bool_]:
    canvas = np.zeros(luma.shape, np.uint8)
    for piece in pieces:
        cv2.fillConvexPoly(canvas, np.round(np.asarray(piece.quad_px)).astype(np.int32), 1)
    canvas[:1] += not canvas.any()  # all pieces may lie outside: never an empty mask
    return canvas.astype(bool)


def _cut(luma: Image, mask: NDArray[np.bool_]) -> Image:
    rows, cols = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return luma[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
