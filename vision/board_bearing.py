"""Which way round a printed board is seen: a mirrored or turned print is nearly alike.

The seams, the wall and the rows of numbered circles of a board are where they were when it is
mirrored or turned by half, so patches of the print are found there, too; what they show is not
quite the same. Each patch that lies in sight is compared with the print as it is and as it would
be the other way round: of the true one nearly every patch that differs at all is the liker.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_view import BoardView, FlatBoard, lay_flat

Gray = NDArray[np.uint8]
Spot = tuple[int, int]
"""Top and left pixel of a patch of the print."""

_PATCH_PX, _REACH_PX = 44, 3
_STEPS_PX = (44, 22)
"""How far apart patches are at first, and where too few of them are in sight."""
_LEAST_CONTRAST = 10.0
_ALIKE = 0.9
"""Patches that correlate so well with the other print tell nothing."""
_IN_SIGHT = 0.6
"""Something lies over a patch that correlates less with either print."""
_CLEARLY = 0.03
_TURNS = 3
_BESIDE = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Of the other prints the first few are turned or mirrored, the others lie a space beside."""
_LEAST_TOLD, _LEAST_AGAINST, _LEAST_SEEN = 6, 3, 0.4
"""Fewer patches say nothing of the whole, so few against it may be chance, and so small a share of
those that should be in sight may lie a space beside."""


class Bearing(Enum):
    """Which way round a board lies, against how it was thought to lie.

    `UNTOLD` where too little of the print is in sight, `OTHER` where it is not the print.
    """

    RIGHT = "right"
    MIRRORED = "mirrored"
    TURNED = "turned"
    OTHER = "other"
    UNTOLD = "untold"


@dataclass(frozen=True, slots=True)
class _Tally:
    """Patches that are liker the print as it is thought to lie, and liker the other one."""

    asked: int
    compared: int
    agree: int
    against: int

    @property
    def is_told(self) -> bool:
        return self.compared >= _LEAST_TOLD and self.agree + self.against > 0

    @property
    def is_seen(self) -> bool:
        """Whether most of what should be in sight is: some of it is found wherever one looks."""
        return self.is_told and self.compared >= _LEAST_SEEN * self.asked

    @property
    def is_refuted(self) -> bool:
        """Of 80 boards that lie right one patch of seven at most was against it."""
        return self.is_seen and self.against >= _LEAST_AGAINST and self.agree < 2 * self.against

    @property
    def is_other_way(self) -> bool:
        """Of mirrored ones nearly all were."""
        return self.is_refuted and self.against > 2 * self.agree


class BearingJudge:
    """Tells which way round a board is seen.

    Args:
        flat: The board's print, laid flat.
        size: Columns and rows.
    """

    def __init__(self, flat: FlatBoard, size: tuple[int, int]) -> None:
        self._flat = flat
        self._size = size
        self._gray = _gray(flat.image)
        self._known: dict[tuple[int, int], list[Spot]] = {}

    def judge(
        self, image_bgr: NDArray[np.uint8], view: BoardView, *, may_be_shifted: bool = False
    ) -> Bearing:
        """Which way round a board lies that is thought to lie as a view has it.

        Args:
            image_bgr: (H, W, 3) uint8.
            view: Where it is thought to lie.
            may_be_shifted: Whether it may lie a space beside it, too.
        """
        seen, is_inside = self._lay(image_bgr, view)
        tallies: list[tuple[Bearing, _Tally]] = []
        ways = self._others if may_be_shifted else self._others[:_TURNS]
        for index, (bearing, other) in enumerate(ways):
            for step in _STEPS_PX:
                tally = self._count(seen, is_inside, other, self._spots(index, step))
                if tally.is_told:
                    break
            tallies.append((bearing, tally))
        over = [(tally.against, bearing) for bearing, tally in tallies if tally.is_other_way]
        if over:
            return max(over, key=lambda each: each[0])[1]
        if any(tally.is_refuted for _, tally in tallies):
            return Bearing.OTHER
        return Bearing.RIGHT if all(tally.is_seen for _, tally in tallies) else Bearing.UNTOLD

    def _count(
        self, seen: Gray, is_inside: NDArray[np.bool_], other: Gray, spots: list[Spot]
    ) -> _Tally:
        """Compares some patches in sight with the print and with the other one."""
        ahead = []
        asked = 0
        side = _PATCH_PX + 2 * _REACH_PX
        for top, left in spots:
            window = np.s_[top : top + side, left : left + side]
            if not is_inside[window].all():
                continue
            asked += 1
            here = np.s_[top : top + _PATCH_PX, left : left + _PATCH_PX]
            own, rival = (_likeness(seen[window], each[here]) for each in (self._gray, other))
            if max(own, rival) > _IN_SIGHT:
                ahead.append(own - rival)
        agree = sum(each > _CLEARLY for each in ahead)
        return _Tally(asked, len(ahead), agree, sum(each < -_CLEARLY for each in ahead))

    def _lay(self, image_bgr: NDArray[np.uint8], view: BoardView) -> tuple[Gray, NDArray[np.bool_]]:
        """The board laid flat, and a little more on every side."""
        scale = self._flat.scale_px
        (left, top), more = self._flat.origin, _REACH_PX / scale
        high, wide = np.array(self._gray.shape) / scale
        window = (left - more, top - more, left + wide + more, top + high + more)
        flat = lay_flat(image_bgr, view, window, scale)
        return _gray(flat.image), flat.is_inside

    @cached_property
    def _others(self) -> list[tuple[Bearing, Gray]]:
        """The print the other ways round, and a space to each side."""
        corner = np.array(self._size) - 2 * np.array(self._flat.origin)
        far_x, far_y = corner * self._flat.scale_px - 1
        space = self._flat.scale_px
        ways = [
            (Bearing.TURNED, (-1, far_x, -1, far_y)),
            (Bearing.MIRRORED, (-1, far_x, 1, 0)),
            (Bearing.MIRRORED, (1, 0, -1, far_y)),
            *((Bearing.OTHER, (1, x * space, 1, y * space)) for x, y in _BESIDE),
        ]
        return [(bearing, self._moved(way)) for bearing, way in ways]

    def _spots(self, index: int, step: int) -> list[Spot]:
        """The patches, so far apart, that differ in one of the other ways round."""
        if (index, step) not in self._known:
            self._known[index, step] = list(self._differing(self._others[index][1], step))
        return self._known[index, step]

    def _moved(self, way: tuple[float, float, float, float]) -> Gray:
        """The print with its columns and rows in the same order or the opposite one, and moved."""
        matrix = np.array([[way[0], 0, way[1]], [0, way[2], way[3]]], np.float64)
        size_wh = (self._gray.shape[1], self._gray.shape[0])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(self._gray, matrix, size_wh, flags=flags), np.uint8)

    def _differing(self, other: Gray, step: int) -> Iterator[Spot]:
        """Patches of contrast that do not look alike in both prints."""
        high, wide = self._gray.shape
        side = _PATCH_PX + 2 * _REACH_PX
        around = cv2.copyMakeBorder(self._gray, *(_REACH_PX,) * 4, cv2.BORDER_REPLICATE)
        wider = np.asarray(around, np.uint8)
        for top in range(0, high - _PATCH_PX + 1, step):
            for left in range(0, wide - _PATCH_PX + 1, step):
                here = np.s_[top : top + _PATCH_PX, left : left + _PATCH_PX]
                if min(self._gray[here].std(), other[here].std()) < _LEAST_CONTRAST:
                    continue
                window = wider[top : top + side, left : left + side]
                if _likeness(window, other[here]) < _ALIKE:
                    yield top, left


def _likeness(window: Gray, patch: Gray) -> float:
    """How well a patch correlates with what is seen at the best place of a window."""
    return float(cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED).max())


def _gray(image_bgr: NDArray[np.uint8]) -> Gray:
    return np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
