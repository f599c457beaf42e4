"""Where a piece may lie of which only a strip peeks out from under another.

A detector's box around such a strip says little of the rest. But pieces of a pile are of one size
and lie nearly alike: the upper one is slid and turned on the table, and the places are kept whose
free part is the one that the box shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import Rectangle, TablePlane
from vision.flatten import Quad

_TURNS_DEG = (-6.0, 0.0, 6.0)
_SLIDES = np.arange(-8, 9) / 10
"""Shares of the piece's sides by which it is slid; pieces further apart hardly touch."""
_LEAST_SLIDE = 0.15
_RASTER = 80
"""Cells along the longer side of the small picture on which free parts are compared."""
_LEAST_ALIKE = 0.5
_MOST_PLACES = 60


def places_beneath(
    plane: TablePlane, box: Quad, upper: Rectangle, covers: Sequence[Quad]
) -> list[Quad]:
    """The likeliest places of a piece as large as the one that lies over it.

    Args:
        plane: Of the table.
        box: (4, 2) float32, around what was found of the piece.
        upper: The piece over it.
        covers: (4, 2) float32 each, all that lies over it, the upper piece included.

    Returns:
        (4, 2) float32 each, in pixels, from the top left of a face that lies as the upper one
        does; the likeliest first.
    """
    raster = _Raster([box, *covers])
    hidden = raster.filled(covers)
    shown = raster.filled([box]) & ~hidden
    if not shown.any():
        return []
    found = []
    in_sight = ~hidden
    shown_cells = np.count_nonzero(shown)
    for quad in _slid(plane, upper):
        free = raster.filled([quad]) & in_sight
        common = np.count_nonzero(free & shown)
        alike = common / (np.count_nonzero(free) + shown_cells - common)
        if alike > _LEAST_ALIKE:
            found.append((alike, quad))
    found.sort(key=lambda pair: -pair[0])
    return [quad for _, quad in found[:_MOST_PLACES]]


def _slid(plane: TablePlane, upper: Rectangle) -> Iterator[Quad]:
    """The upper piece slid and turned on the table, (4, 2) float32 in pixels each."""
    corners = plane.on_table(plane.rigid(upper)).astype(np.float64)
    right, down, centre = corners[1] - corners[0], corners[3] - corners[0], corners.mean(axis=0)
    for turn in np.deg2rad(_TURNS_DEG):
        cos, sin = np.cos(turn), np.sin(turn)
        turned = (corners - centre) @ np.array([[cos, sin], [-sin, cos]]) + centre
        for across in _SLIDES:
            for along in _SLIDES:
                if max(abs(across), abs(along)) >= _LEAST_SLIDE:
                    yield plane.in_picture(turned + across * right + along * down)


class _Raster:
    """A small picture of the neighbourhood of some quads."""

    def __init__(self, quads: Sequence[Quad]) -> None:
        points = np.concatenate(list(quads))
        size = points.max(axis=0) - points.min(axis=0)
        self._low = points.min(axis=0) - size / 2
        self._scale = _RASTER / float(2 * size.max())

    def filled(self, quads: Sequence[Quad]) -> NDArray[np.bool_]:
        """(H, W) bool, true inside any of the quads."""
        mask = np.zeros((_RASTER, _RASTER), np.uint8)
        for quad in quads:
            local = np.round((quad - self._low) * self._scale * 16).astype(np.int32)
            cv2.fillConvexPoly(mask, local, 1, shift=4)
        return mask > 0
