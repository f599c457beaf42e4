"""The table plane as the first reading found it, kept while a table is watched."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Rectangle, TablePlane
from vision.slots import centre, warp_quad
from vision.table import Quad, TableReading

Corners = npt.NDArray[np.float32]
"""(4, 2) corners in pixels, clockwise."""

_TURNS = 12
"""Ways in which a card may lie that are tried: every 15 degrees, half a turn being the same."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenPlane:
    """Pixels and millimetres of one table.

    Attributes:
        to_mm: (3, 3) homography from pixels to millimetres on the table.
        card_mm: Width and height of the cards.
    """

    to_mm: npt.NDArray[np.float64]
    card_mm: tuple[float, float]

    @classmethod
    def of(cls, reading: TableReading) -> SeenPlane | None:
        """The plane on which a reading placed its named pieces, or None where it found none."""
        pairs = [
            (piece.quad_px, piece.quad_mm)
            for piece in reading.pieces
            if piece.quad_mm is not None and piece.face_id is not None
        ]
        if not pairs:
            return None
        pixels = np.array([quad_px for quad_px, _ in pairs], np.float64).reshape(-1, 1, 2)
        on_table = np.array([quad_mm for _, quad_mm in pairs], np.float64)
        homography, _ = cv2.findHomography(pixels, on_table.reshape(-1, 1, 2), cv2.LMEDS)
        if homography is None:
            return None
        sides = np.linalg.norm(on_table - np.roll(on_table, -1, axis=1), axis=2)
        width, height = np.median(sides[:, 0]), np.median(sides[:, 1])
        return cls(np.asarray(homography, np.float64), (float(width), float(height)))

    def moved(self, to_new: npt.NDArray[np.float64]) -> SeenPlane:
        """The plane after the camera was moved: `to_new` carries old pixels to new ones."""
        return SeenPlane(self.to_mm @ np.linalg.inv(to_new), self.card_mm)

    def place(self, reading: TableReading) -> TableReading:
        """A reading with all its pieces on this plane."""
        pieces = tuple(
            replace(piece, quad_mm=warp_quad(piece.quad_px, self.to_mm)) for piece in reading.pieces
        )
        return replace(reading, pieces=pieces)

    def rigid(self, quad: Corners) -> list[Corners]:
        """Cards that lie about as a quad (4, 2) does, along it and across it."""
        plane = TablePlane(self.to_mm, 0.0, 0)
        width, height = self.card_mm
        sides = ((width, height), (height, width))
        across, along = (plane.rigid(Rectangle(quad, size)) for size in sides)
        return [across, np.roll(along, -1, axis=0)]

    def turned(self, quad: Quad) -> list[Corners]:
        """A card around the middle of a quad, turned in every way."""
        middle = centre(warp_quad(quad, self.to_mm))
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(self.card_mm) / 2
        to_px = np.linalg.inv(self.to_mm)
        quads = []
        for turn in np.arange(_TURNS) * np.pi / _TURNS:
            matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
            corners = cv2.perspectiveTransform((half @ matrix + middle)[None], to_px)[0]
            quads.append(corners.astype(np.float32))
        return quads
