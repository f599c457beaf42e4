"""A part of a board laid flat and evened, as the readers of spaces and chips look at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.board_chip_naming import NAMING_PX
from vision.board_light import even_again, even_light
from vision.board_looks import FINE_PX, SpaceLook
from vision.board_registration import Registration
from vision.board_view import FlatBoard, lay_flat

_MARGIN = 0.25
_SATURATED, _FULL = 250, 246
_SATURATED_COUNTS = 0.15
"""A pixel as bright as the camera can tell says little about what is there; a colour that is nearly
so bright may have been so before the picture was compressed."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """A part of the board laid flat, at two scales, and as bright as its print.

    Attributes:
        near, flat: At `NAMING_PX` and at `FINE_PX`.
        near_light, light: The same, evened.
        free: (H, W) how much each pixel of `flat` counts.
        full: (H, W, 3) where a colour is as bright as the camera can tell, or brighter.
    """

    near: FlatBoard
    flat: FlatBoard
    near_light: NDArray[np.float32]
    light: NDArray[np.float32]
    free: NDArray[np.float32]
    full: NDArray[np.bool_]

    @staticmethod
    def of(
        image_bgr: NDArray[np.uint8],
        place: Registration,
        size: tuple[int, int],
        asked: Sequence[tuple[int, int]],
    ) -> Sight:
        """The part in which some spaces lie.

        Args:
            image_bgr: (H, W, 3) uint8.
            place: Where the board lies in it.
            size: Columns and rows of the board.
            asked: Rows and columns of the spaces.
        """
        (top, left), (bottom, right) = np.min(asked, axis=0), np.max(asked, axis=0) + 1
        window = (left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN)
        near = lay_flat(image_bgr, place.view, window, NAMING_PX)
        flat = lay_flat(image_bgr, place.view, window, FINE_PX)
        free = np.where(flat.image.max(axis=2) >= _SATURATED, _SATURATED_COUNTS, 1.0)
        return Sight(
            near=near,
            flat=flat,
            near_light=even_light(near, place.patches, size),
            light=even_light(flat, place.patches, size),
            free=(free * flat.is_inside).astype(np.float32),
            full=np.asarray(flat.image >= _FULL),
        )

    def lit(self, looks: Sequence[SpaceLook]) -> Sight:
        """Evened once more, by the light in which some spaces were read."""
        places = np.array([look.centre for look in looks])
        known = np.stack([look.light for look in looks])
        return replace(
            self,
            near_light=even_again(self.near_light, self.near, places, known),
            light=even_again(self.light, self.flat, places, known),
        )
