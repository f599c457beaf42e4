"""What a scene is made of: items in millimetres on the table plane, the table, its shadows.

The plane's x runs right and y runs down (towards the viewer at azimuth 0); heights are above
the plane. `datasets.scene` fills a table, `datasets.render` photographs it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from datasets.art.paint import Image, f64

CLASSES = ("card", "camera", "path", "chip", "back", "hand")
Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Style:
    """Which families of art a set of pictures draws from.

    Attributes:
        name: name of the style, written into the manifest.
        faces: families of card faces.
        cameras: styles of Camera pictograms.
        surfaces: families of table surfaces.
        held: takes the held-out part of texture files, and none of the training part.
    """

    name: str
    faces: tuple[str, ...]
    cameras: tuple[str, ...]
    surfaces: tuple[str, ...]
    held: bool


TRAIN = Style(
    "train",
    (
        "animal",
        "animal",
        "animal",
        "task",
        "playing",
        "playing",
        "playing",
        "bands",
        "trading",
        "photo",
        "number",
        "grid",
        "blank",
    ),
    ("any", "any", "any", "flat", "line", "lens", "emoji"),
    (
        "wood",
        "wood",
        "felt",
        "carpet",
        "checks",
        "stripes",
        "plaid",
        "floral",
        "print",
        "stone",
        "marble",
        "plain",
        "plain",
        "tiles",
        "bricks",
    ),
    held=False,
)
HELD = Style(
    "held",
    ("arcana", "mosaic", "playing", "animal"),
    ("twin", "instant"),
    ("terrazzo", "herringbone", "felt"),
    held=True,
)
STYLES = {style.name: style for style in (TRAIN, HELD)}


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """One thing on the table.

    Attributes:
        kind: a name of `CLASSES`, or "thing" for what is never labelled.
        art: BGRA picture from above.
        at_mm: centre on the table plane.
        size_mm: width and height.
        angle: clockwise turn in radians, seen from above.
        lift_mm: height of its underside above the table.
        thick_mm: thickness; its sides are drawn in `side`.
        side: colour of its sides.
        box: left, top, right, bottom of what is labelled, as shares of the size.
        motion_mm: way it moves while the shutter is open.
        file: id of the card it shows, where one is known.
    """

    kind: str
    art: Image
    at_mm: tuple[float, float]
    size_mm: tuple[float, float]
    angle: float
    lift_mm: float = 0.0
    thick_mm: float = 0.3
    side: tuple[int, int, int] = (225, 225, 225)
    box: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)
    motion_mm: tuple[float, float] = (0.0, 0.0)
    file: str = ""

    def corners(self, box: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)) -> Points:
        """Corners in millimetres, clockwise from the top left of its art."""
        left, top, right, bottom = box
        width, height = self.size_mm
        local = f64([[left, top], [right, top], [right, bottom], [left, bottom]]) - 0.5
        local *= (width, height)
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        turned = local @ f64([[cos, sin], [-sin, cos]])
        return np.asarray(turned + self.at_mm, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The surface and, where it ends, the room behind it.

    Attributes:
        tile: picture that repeats over the surface.
        mm_per_px: scale of the tile.
        angle: turn of the tile in radians.
        extent_mm: left, top, right, bottom of the table; None where it fills the view.
        rim: colour and width in millimetres of its edge.
        room: tile seen beyond the edge.
    """

    tile: Image
    mm_per_px: float
    angle: float
    extent_mm: tuple[float, float, float, float] | None
    rim: tuple[tuple[int, int, int], float]
    room: Image


@dataclass(frozen=True, slots=True)
class Shadows:
    """How things throw shadows: way per millimetre of height, softness, depth."""

    slant: tuple[float, float]
    softness: float
    depth: float


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A table, what lies on it from the lowest to the highest, and its shadows."""

    table: Table
    items: tuple[Item, ...]
    shadows: Shadows
    layout: str
