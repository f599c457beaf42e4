"""What a space of a board looks like: which face in which rotation, and what speaks against it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_fit import ERROR_CAP
from vision.board_print import Joins, PrintedFace

FINE_PX = 64
"""Pixels a space at the second look, the last one."""
_MOST_PEAKS = 4
"""A card has four quarters for chips to lie on."""
QUARTERS = {"nw": (-0.25, -0.25), "ne": (0.25, -0.25), "se": (0.25, 0.25), "sw": (-0.25, 0.25)}
"""Where the middles of the quarters lie from the middle of a card, in spaces."""
EVEN_LIGHT = np.array([[1, 1, 1], [0, 0, 0]], np.float32)
"""The gain and offset of each colour where nothing is left to even."""


def quarter_of(east: float, south: float) -> str:
    """The quarter of a card in which a place lies, so far from its middle."""
    return ("n" if south < 0 else "s") + ("w" if east < 0 else "e")


@dataclass(frozen=True, slots=True)
class Lying:
    """A face as it may lie on a space.

    Attributes:
        face: The face, or None for the bare board.
        rotation: Clockwise, in degrees.
        cost: Of its agreement with the picture.
    """

    face: PrintedFace | None
    rotation: int
    cost: float

    @property
    def sameness(self) -> str:
        """Readings of one sameness mean the same to whoever reads them."""
        return "" if self.face is None else self.face.sameness[self.rotation // 90]

    @property
    def joins(self) -> Joins | None:
        """What of it goes on beyond its edge, if anything does."""
        if self.face is None or not self.face.joins:
            return None
        return self.face.joins[self.rotation // 90]


@dataclass(frozen=True, slots=True, eq=False)
class SpaceLook:
    """What a space looks like.

    Attributes:
        row, col: The space.
        best: The likeliest reading, or None where too little of the space is in the picture.
        rivals: Those that mean something else, each with how many times as wrong it is where the
            two differ; first the one that is hardest to tell.
        centre: Where the card's middle lies, in spaces.
        turn_deg: How far it is turned beyond its rotation, clockwise.
        explained: Share of the pixels that agree with the reading.
        errors: (S, S) squared error of each pixel of the card's middle, upright as the board is;
            nought where nothing was compared.
        shown: Share of the space that lies in the picture.
        light: (2, 3) gain and offset of each colour that the best reading asks for.
        visible: Share of the space over which nothing lies; only there is anything `explained`.
        hidden: The quarters over which something lies for the most part: chips there go unseen.
        dazzled: Share of its colours that are as bright as the camera can tell, where a lamp's
            glare was looked into.
    """

    row: int
    col: int
    best: Lying | None
    rivals: tuple[tuple[Lying, float], ...]
    centre: tuple[float, float]
    turn_deg: float
    explained: float
    errors: NDArray[np.float32]
    shown: float
    light: NDArray[np.float32]
    visible: float = 1.0
    hidden: tuple[str, ...] = ()
    dazzled: float = 0.0

    @property
    def rival(self) -> Lying | None:
        """The reading that is hardest to tell from the best."""
        return self.rivals[0][0] if self.rivals else None

    @property
    def margin(self) -> float:
        """How many times as wrong the rival is; 1 where nothing was read."""
        return self.rivals[0][1] if self.rivals else 1.0

    def error_within(self, centre: tuple[float, float], radius: float) -> float:
        """Mean squared error in a disc whose middle and radius are given in spaces."""
        side = len(self.errors)
        at = np.arange(side) - (side - 1) / 2
        away = np.subtract(centre, self.centre) * FINE_PX
        inside = (at[:, None] - away[1]) ** 2 + (at - away[0]) ** 2 < (radius * FINE_PX) ** 2
        return float(self.errors[inside].mean()) if inside.any() else 0.0

    def unexplained(self, radius: float, most: float) -> list[tuple[float, float, float]]:
        """Middles of discs, in spaces, in which the error peaks above a limit, and that error."""
        reach = max(1, round(radius * FINE_PX))
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1,) * 2)
        kernel = disc.astype(np.float32) / float(disc.sum())
        capped = np.minimum(self.errors, ERROR_CAP)
        means = np.asarray(cv2.filter2D(capped, -1, kernel, borderType=cv2.BORDER_REFLECT))
        peaks: list[tuple[float, float, float]] = []
        while len(peaks) < _MOST_PEAKS and means.max() > most:
            row, col = np.unravel_index(int(means.argmax()), means.shape)
            peak = float(means[row, col])
            cv2.circle(means, (int(col), int(row)), reach, (0.0,), -1)
            away = (np.array([col, row]) - (len(means) - 1) / 2) / FINE_PX
            x, y = float(away[0]) + self.centre[0], float(away[1]) + self.centre[1]
            peaks.append((x, y, peak))
        return peaks
