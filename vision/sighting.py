"""A place in a picture where a face is looked for, and what was found there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from vision.comparing import Crop
from vision.flatten import Quad, flatten, inside_picture, side_lengths
from vision.photometry import NEUTRAL, Light

Floats = NDArray[np.float32]


class Effort(Enum):
    """How long a face is looked for.

    GLANCE names what lies in plain view where it was found; SEARCH also looks around the box and
    lays the likeliest face exactly; CLAIM does so for Camera cards alone, which is quickly done;
    THOROUGH tries every place and face that may be meant.
    """

    GLANCE = "glance"
    CLAIM = "claim"
    SEARCH = "search"
    THOROUGH = "thorough"


@dataclass(frozen=True, slots=True, eq=False)
class FaceMatch:
    """What a crop shows.

    Attributes:
        id: The face, or None where it is not sure.
        kind: The deck's kind of that face, or None.
        score: Probability that `guess` is right, 0 to 1.
        guess: The best face, sure or not.
        guess_kind: The deck's kind of the best face.
        runner_up: The next best face, or None where nothing else came near.
        rotation: Clockwise degrees by which the face is turned against the quad that was asked.
        quad_px: (4, 2) float32 corners from the face's own top left, laid exactly.
        visible: Share of the face that was seen to be there, 0 to 1.
        seen: (H, W) float32 of the flat face, 1 where it was seen to be there, 0 where not.
        explained: Share of what nothing known covers that the face explains, 0 to 1.
        fit: Correlation of what is visible with the reference, -1 to 1.
        gains: (3,) float32 gain of blue, green, red against the reference.
    """

    id: str | None
    kind: str | None
    score: float
    guess: str
    guess_kind: str
    runner_up: str | None
    rotation: int
    quad_px: Quad
    visible: float
    seen: Floats
    explained: float
    fit: float
    gains: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """Where in a picture a face is looked for.

    Attributes:
        image_bgr: (H, W, 3) uint8.
        quad: (4, 2) float32 corners, clockwise, at any rotation.
        others: More quads at which the piece may lie, tried beside the first; their first corner
            is that of `quad`.
        cover: (H, W) uint8, not 0 where something is known to lie over the piece; or None.
        light: White balance that is expected.
        likely: Ids of the faces that are likely here, or None; the others are named only where
            they lie in plain view.
        effort: How much a face that does not lie in plain view is worth.
        is_watched: Whether the table will be looked at again: where the likeliest face does not
            fit, the others are not laid as well.
    """

    image_bgr: NDArray[np.uint8]
    quad: Quad
    others: tuple[Quad, ...] = ()
    cover: NDArray[np.uint8] | None = None
    light: Light = NEUTRAL
    likely: Collection[str] | None = None
    effort: Effort = Effort.THOROUGH
    is_watched: bool = False

    def crop(self, quad: Quad, size_wh: tuple[int, int]) -> Crop:
        """The flat crop of a quad, without what is covered or lies outside the picture."""
        colours = flatten(self.image_bgr, quad, size_wh) * np.float32(1 / 255)
        sides = side_lengths(quad)
        density = float(sides[0::2].mean() * sides[1::2].mean()) / (size_wh[0] * size_wh[1])
        return Crop(colours, self.weight(quad, size_wh), min(1.0, density), self.light)

    def weight(self, quad: Quad, size_wh: tuple[int, int]) -> Floats:
        """(H, W) float32 of the flat crop: 0 where the quad is covered or not in the picture."""
        height, width = self.image_bgr.shape[:2]
        weight = inside_picture((width, height), quad, size_wh)
        if self.cover is not None:
            weight = weight * (flatten(self.cover, quad, size_wh) < 32).astype(np.float32)
        return weight
