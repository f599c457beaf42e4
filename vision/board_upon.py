"""Chips upon the spaces of a board: where they lie, and where some lie that were not seen yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.board_chip_naming import ChipLook
from vision.board_chips import SURE_SHARE, ChipReader
from vision.board_looks import SpaceLook
from vision.board_obscure import is_taken, unexplained_places
from vision.board_sight import Sight
from vision.board_view import FlatBoard

_CHIP_SHADE = 1.12
"""A chip's shadow hides a little more than the chip."""
_CHIP_BETTER, _CHIP_SHARE = 0.5, 0.8
"""A chip seen badly counts where it leaves less than this share of the error that the card does,
and no more of the picture unexplained."""

Space = tuple[int, int]


class ChipsUpon:
    """The chips of one deck upon a board of some rows and columns."""

    def __init__(self, chips: ChipReader, rows: int, cols: int) -> None:
        self._chips = chips
        self._rows, self._cols = rows, cols

    def space_under(self, chip: ChipLook) -> Space:
        """The row and column on which a chip lies."""
        col = int(np.clip(chip.centre[0], 0, self._cols - 1))
        row = int(np.clip(chip.centre[1], 0, self._rows - 1))
        return row, col

    def spaces_under(self, chips: Sequence[ChipLook]) -> set[Space]:
        """Rows and columns on which chips lie."""
        return {self.space_under(chip) for chip in chips}

    def beside(
        self, free: NDArray[np.float32], flat: FlatBoard, chips: Sequence[ChipLook]
    ) -> NDArray[np.float32]:
        """How much pixels (H, W) of a flat board count, nothing under the chips."""
        out = free.copy()
        for chip in chips:
            middle = flat.pixel_of(np.array([chip.centre]))[0]
            radius = self._chips.radius(chip) * flat.scale_px * _CHIP_SHADE
            low = np.maximum(np.floor(middle - radius), 0).astype(int)
            high = np.ceil(middle + radius).astype(int) + 1
            part = out[low[1] : high[1], low[0] : high[0]]
            y, x = np.mgrid[low[1] : low[1] + part.shape[0], low[0] : low[0] + part.shape[1]]
            part[np.hypot(x - middle[0], y - middle[1]) < radius] = 0
        return out

    def unread(
        self,
        sight: Sight,
        looks: Mapping[Space, SpaceLook],
        found: Sequence[ChipLook],
        others: Sequence[ChipLook] = (),
        strange: Sequence[ChipLook] = (),
    ) -> list[ChipLook]:
        """Chips that look like what they lie on: they show where the card does not explain them.

        Args:
            sight: The board.
            looks: The spaces.
            found: The chips that are known.
            others: Such as were seen badly.
            strange: Those of all that lie where the space is not explained either.
        """
        unread = unexplained_places(self._chips, list(looks.values()), found)
        places = [*unread, *(chip.centre for chip in others if chip.cost >= SURE_SHARE)]
        near = self._chips.look_near(sight.near_light, sight.near, places)
        more = self._explaining(near, looks, found)
        # In a lamp's glare a card may be told by nothing, and a chip upon it still by its looks.
        unread += [chip.centre for chip in strange]
        unread = [at for at in unread if not is_taken(self._chips, at, [*found, *more])]
        soft = self._chips.look_softly(sight.near_light, sight.near, unread)
        return [*more, *self._explaining(soft, looks, [*found, *more])]

    def _explaining(
        self,
        chips: Sequence[ChipLook],
        looks: Mapping[Space, SpaceLook],
        found: Sequence[ChipLook],
    ) -> list[ChipLook]:
        """Chips seen badly that say more about their place than the card does."""
        explaining = []
        for chip in chips:
            look = looks.get(self.space_under(chip))
            if look is None or not self._chips.lies_apart(chip, found):
                continue
            error = look.error_within(chip.centre, self._chips.radius(chip))
            if chip.cost < _CHIP_SHARE and chip.error < _CHIP_BETTER * error:
                explaining.append(chip)
        return explaining
