"""Which spaces of a board were disturbed, have come to rest, and look different from before.

Spaces are small beside a hand: what matters is not what moves but where it has stopped, and that no
arm lies there any more. An arm comes in over the picture's edge; a card or a chip lies by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.attention import Attention
from vision.board_view import BoardView
from vision.frame import Image
from vision.gate import CELL_SMALL_PX, Cells

Space = tuple[int, int]
"""Row and column."""

LOOK_PX = 24
"""Pixels a space of the board as it is compared with its last look."""
_AROUND = 0.1
"""Cards and chips lie over the border of their space by as much."""
_CELL_SHARE = 0.03
_HAND_REACH = 0.4
"""Of a space: more of a hand than hides a chip tells better when it rests."""
_LEVELS = 12.0
"""Brightness steps, smoothed over 3 pixels, above compression and the soft edge of a shadow."""
_CHANGED_SHARE = 0.02
"""Of a space's pixels: the smallest chip fills six hundredths, and its rim is what differs."""
_LARGE = 4.0
"""A hand disturbs more than so many spaces at once; a card with its shadow two at most."""
_ARM_RESTS_S = 1.5
"""What comes in over the picture's edge and lies as still as this long may be no arm."""


class SpaceWatch:
    """Follows the spaces of one board through the frames of one source.

    Args:
        attention: What moves in the picture.
        rows: Rows of the board.
        cols: Its columns.

    Attributes:
        all: Every space, in reading order.
        count: How many they are.
        reach_px: How far around a piece a hand is seen that holds it.
    """

    def __init__(self, attention: Attention, rows: int, cols: int) -> None:
        self._attention = attention
        self._rows, self._cols = rows, cols
        self.all = [(row, col) for row in range(rows) for col in range(cols)]
        self.count = count = len(self.all)
        self._over = np.zeros((count, attention.gate.moving.size), np.float32)
        self._maps = (np.zeros((0, 0), np.float32), np.zeros((0, 0), np.float32))
        self._rest = np.zeros((rows * LOOK_PX, cols * LOOK_PX), np.float32)
        self.reach_px = 0
        self._since_s = np.full(count, np.inf)
        self._ask_s = np.full(count, -np.inf)
        self._tries = np.zeros(count, int)
        self._is_known = np.zeros(count, np.bool_)

    def place(self, view: BoardView) -> None:
        """Takes where the board lies in the picture from now on."""
        width, height = view.image_wh
        gate = self._attention.gate
        small_high, small_wide = gate.small.shape
        for index, (row, col) in enumerate(self.all):
            left, right = col - _AROUND, col + 1 + _AROUND
            low, high = row - _AROUND, row + 1 + _AROUND
            corners = np.array([[left, low], [right, low], [right, high], [left, high]])
            scaled = view.in_picture(corners) * [small_wide / width, small_high / height]
            mask = np.zeros((gate.rows * CELL_SMALL_PX, gate.cols * CELL_SMALL_PX), np.float32)
            cv2.fillConvexPoly(mask, np.round(scaled).astype(np.int32), (1.0,))
            share = cv2.resize(mask, (gate.cols, gate.rows), interpolation=cv2.INTER_AREA)
            self._over[index] = (np.asarray(share) > _CELL_SHARE).ravel()
        x, y = np.meshgrid(np.arange(self._cols * LOOK_PX), np.arange(self._rows * LOOK_PX))
        places = (np.stack([x.ravel(), y.ravel()], axis=1) + 0.5) / LOOK_PX
        self.reach_px = round(_HAND_REACH * float(np.median(view.space_px(places[::97]))))
        pixels = view.in_picture(places).astype(np.float32).reshape(*x.shape, 2)
        self._maps = (np.ascontiguousarray(pixels[..., 0]), np.ascontiguousarray(pixels[..., 1]))

    def take(self, timestamp_s: float) -> None:
        """Takes what moves in the newest frame."""
        moving = self._attention.gate.moving
        if moving.any():
            touched = self._touched(moving)
            self._since_s[touched] = np.minimum(self._since_s[touched], timestamp_s)
            self._ask_s[touched], self._tries[touched] = -np.inf, 0

    def disturb(self, spaces: Collection[Space], timestamp_s: float) -> None:
        """Has some spaces looked at, whether something moved there or not."""
        for space in spaces:
            index = self._index(space)
            self._since_s[index] = min(self._since_s[index], timestamp_s)

    @property
    def disturbed_since_s(self) -> float:
        """Start of the earliest disturbance that is still to be looked at, or infinity."""
        return float(self._since_s.min())

    def since_s(self, space: Space) -> float:
        """When a space was disturbed, or infinity where all is quiet."""
        return float(self._since_s[self._index(space)])

    def tries(self, space: Space) -> int:
        """How often a space has been looked at in vain since something moved there."""
        return int(self._tries[self._index(space)])

    def asking(self, luma: Image, timestamp_s: float) -> list[list[Space]]:
        """Spaces that have come to rest looking different, no arm over them; neighbours together.

        Those that look as before are quiet again.
        """
        disturbed = np.isfinite(self._since_s)
        if not disturbed.any():
            return []
        gate = self._attention.gate
        gate.settled(timestamp_s)
        moving = ~gate.still(timestamp_s)
        still = disturbed & ~self._touched(moving)
        if not still.any():
            return []
        # What a hand has passed and left as it was is no part of an arm, whatever its shadow did.
        quiet = still & self._is_known & ~self._changed(luma)
        self._since_s[quiet] = np.inf
        self._accept_cells(quiet)
        asking = still & ~quiet & (self._ask_s <= timestamp_s)
        if asking.any():
            asking &= ~self._touched(self._arms(timestamp_s))
        return list(self._groups(asking))

    def waiting(self) -> list[list[Space]]:
        """Spaces that are still to be looked at, neighbours together, whatever moves there."""
        return list(self._groups(np.isfinite(self._since_s)))

    def accept(self, spaces: Collection[Space], luma: Image) -> None:
        """Takes the present look of some spaces as their look at rest: they have been read."""
        look, chosen = self._look(luma), self._chosen(spaces)
        for index in np.flatnonzero(chosen):
            part = self._part(int(index))
            self._rest[part] = look[part]
        self._since_s[chosen], self._tries[chosen] = np.inf, 0
        self._ask_s[chosen], self._is_known[chosen] = -np.inf, True
        self._accept_cells(chosen)

    def postpone(self, spaces: Collection[Space], until_s: float) -> None:
        """Has some spaces looked at once more, later: what lies there could not be told."""
        chosen = self._chosen(spaces)
        self._ask_s[chosen] = until_s
        self._tries[chosen] += 1

    def _arms(self, timestamp_s: float) -> Cells:
        """Cells of what comes in over the picture's edge or is large, and does not rest.

        A sleeve may look like the table, so that only the hand is seen.
        """
        gate = self._attention.gate
        most = _LARGE * float(np.median(self._over.sum(axis=1)))
        on_board = self._over.any(axis=0).reshape(gate.moving.shape)
        rests = gate.still(timestamp_s, _ARM_RESTS_S)
        arms = np.zeros_like(gate.moving)
        for _, cells in gate.regions(gate.disturbed):
            at_edge = cells[0].any() or cells[-1].any() or cells[:, 0].any() or cells[:, -1].any()
            is_beside = (cells & ~on_board).any()
            is_arm = (at_edge and is_beside) or np.count_nonzero(cells) > most
            if is_arm and not rests[cells].all():
                arms |= cells
            elif not (cells & on_board).any() and rests[cells].all():
                gate.accept(cells)
        return arms

    def _changed(self, luma: Image) -> NDArray[np.bool_]:
        """(N,) whether a space looks different from its last look at rest."""
        far = (cv2.absdiff(self._look(luma), self._rest) > _LEVELS).astype(np.float32)
        share = cv2.resize(far, (self._cols, self._rows), interpolation=cv2.INTER_AREA)
        return np.asarray(share > _CHANGED_SHARE).ravel()

    def _look(self, luma: Image) -> NDArray[np.float32]:
        """(H, W) float32, the board laid flat, as bright as the first frame."""
        laid = cv2.remap(luma, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        smooth = cv2.blur(laid.astype(np.float32), (3, 3))
        return np.asarray(smooth / np.float32(self._attention.ring.brightness), np.float32)

    def _groups(self, chosen: NDArray[np.bool_]) -> Iterator[list[Space]]:
        table = chosen.reshape(self._rows, self._cols).astype(np.uint8)
        count, labels = cv2.connectedComponents(table, connectivity=8)
        for label in range(1, count):
            yield [(int(row), int(col)) for row, col in np.argwhere(labels == label)]

    def _touched(self, cells: Cells) -> NDArray[np.bool_]:
        """(N,) whether a space lies in one of some cells."""
        return np.asarray(self._over @ cells.ravel().astype(np.float32) > 0)

    def _accept_cells(self, chosen: NDArray[np.bool_]) -> None:
        """Lets cells rest that no space but some waits for."""
        gate = self._attention.gate
        others = np.isfinite(self._since_s) & ~chosen
        mine = self._over[chosen].any(axis=0) & ~self._over[others].any(axis=0)
        gate.accept(mine.reshape(gate.moving.shape))

    def _chosen(self, spaces: Collection[Space]) -> NDArray[np.bool_]:
        chosen = np.zeros(len(self._since_s), np.bool_)
        for space in spaces:
            chosen[self._index(space)] = True
        return chosen

    def _index(self, space: Space) -> int:
        return space[0] * self._cols + space[1]

    def _part(self, index: int) -> tuple[slice, slice]:
        row, col = divmod(index, self._cols)
        return (
            slice(row * LOOK_PX, (row + 1) * LOOK_PX),
            slice(col * LOOK_PX, (col + 1) * LOOK_PX),
        )
