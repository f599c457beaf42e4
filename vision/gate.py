"""The change gate: which parts of the picture move, and which have come to rest looking different.

Looking at a frame is cheap, detecting in it is not. Every frame is shrunk to about 320 pixels and
compared cell by cell with the frame before (motion) and with the picture at the last rest
(change). Only cells that moved, stopped, and then look different ask for a detector's look.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from cv2.typing import MatLike

from vision.frame import Image
from vision.median import median

Cells = npt.NDArray[np.bool_]

SMALL_LONG_SIDE_PX = 320
CELL_SMALL_PX = 8
REST_S = 0.15
"""Stillness that counts as rest: a hand that slaps a card down holds it longer than this."""
_MOTION_LEVELS = 7.0
"""Brightness steps above sensor noise and compression at this scale; hands move cells by 20-100."""
_CHANGE_LEVELS = 9.0
_PIXELS_FOR_CELL = 2.5 / CELL_SMALL_PX**2
_ALL = 255.0
"""A pixel that differs, in a mask."""
_REST_FOLLOWS = 0.25


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle of the picture in pixels, right and bottom not included."""

    left: int
    top: int
    right: int
    bottom: int


def shrink(luma: Image) -> Image:
    """A picture as the gate looks at it: `SMALL_LONG_SIDE_PX` long, `(h, w)` uint8 brightness."""
    height_px, width_px = luma.shape
    small_wh = _small_wh(width_px, height_px)
    if (width_px, height_px) == small_wh:
        return luma.copy()  # whoever made the picture may use its memory again
    # Halving is four times as fast as shrinking by four at once.
    while _is_even(luma) and luma.shape[1] >= 2 * small_wh[0]:
        half_wh = luma.shape[1] // 2, luma.shape[0] // 2
        luma = np.asarray(cv2.resize(luma, half_wh, interpolation=cv2.INTER_AREA), np.uint8)
    if luma.shape[::-1] != small_wh:
        luma = np.asarray(cv2.resize(luma, small_wh, interpolation=cv2.INTER_AREA), np.uint8)
    return luma


def _is_even(picture: Image) -> bool:
    return not (picture.shape[0] % 2 or picture.shape[1] % 2)


def _small_wh(width_px: int, height_px: int) -> tuple[int, int]:
    scale = max(width_px, height_px) / SMALL_LONG_SIDE_PX
    return round(width_px / scale), round(height_px / scale)


class MotionGate:
    """Follows what moves and what has changed, one small luminance picture a frame.

    Args:
        width_px: Width of the pictures.
        height_px: Height of the pictures.
    """

    def __init__(self, width_px: int, height_px: int) -> None:
        self.scale = max(width_px, height_px) / SMALL_LONG_SIDE_PX
        self._small_wh = _small_wh(width_px, height_px)
        self.cell_px = CELL_SMALL_PX * self.scale
        self.cols = -(-self._small_wh[0] // CELL_SMALL_PX)
        self.rows = -(-self._small_wh[1] // CELL_SMALL_PX)
        self._size_px = (width_px, height_px)
        self._previous: Image | None = None
        self._rest = np.zeros(self._small_wh[::-1], np.float32)
        self._moved_s = np.full((self.rows, self.cols), -np.inf)
        self._disturbed_s = np.full((self.rows, self.cols), np.inf)
        self._moving: Cells = np.zeros((self.rows, self.cols), np.bool_)
        self._known_changed: Cells | None = None
        # Cells at the lower and right edge may reach beyond the picture.
        in_picture = np.zeros((self.rows * CELL_SMALL_PX, self.cols * CELL_SMALL_PX), np.float32)
        in_picture[: self._small_wh[1], : self._small_wh[0]] = _ALL * _PIXELS_FOR_CELL
        self._pixels_for_cell = cv2.resize(
            in_picture, (self.cols, self.rows), interpolation=cv2.INTER_AREA
        )
        self._whole = np.zeros(in_picture.shape, np.uint8)
        self._gain = 1.0

    @property
    def moving(self) -> Cells:
        """`(rows, cols)`: cells in which something moved since the frame before."""
        return self._moving

    @property
    def small(self) -> Image:
        """The last frame, shrunk: `(h, w)` uint8 brightness, `CELL_SMALL_PX` pixels a cell."""
        return np.zeros(self._rest.shape, np.uint8) if self._previous is None else self._previous

    @property
    def exposure_step(self) -> float:
        """Brightness of the last frame as a multiple of the one before it."""
        return self._gain

    def update(self, luma: Image, timestamp_s: float, small: Image | None = None) -> None:
        """Takes the next frame.

        Args:
            luma: `(H, W)` uint8.
            timestamp_s: Its presentation time.
            small: What `shrink` made of it, where that has been done already.
        """
        if small is None:
            small = shrink(luma)
        if self._previous is None:
            self._previous = small
            self._rest = small.astype(np.float32)
            return
        self._gain = _exposure_ratio(small, self._previous)
        is_same_light = abs(self._gain - 1.0) <= 0.003
        if is_same_light:
            difference = cv2.absdiff(small, self._previous)
        else:
            expected = self._previous.astype(np.float32) * self._gain
            difference = cv2.absdiff(small.astype(np.float32), expected)
        self._moving = self._cells(difference, _MOTION_LEVELS)
        self._moved_s[self._moving] = timestamp_s
        disturbed = self.disturbed
        self._disturbed_s[self._moving & ~disturbed] = timestamp_s
        if not is_same_light:
            self._rest *= self._gain
        quiet = self.pixels_of(~(disturbed | self._moving))
        cv2.accumulateWeighted(small, self._rest, _REST_FOLLOWS, mask=quiet)
        self._previous = small
        self._known_changed = None

    def restart(self, luma: Image) -> None:
        """Takes a frame as the picture at rest: the camera was moved, not the table."""
        small = shrink(luma)
        self._previous = small
        self._rest = small.astype(np.float32)
        self._known_changed = None
        self._moved_s[:] = -np.inf
        self._disturbed_s[:] = np.inf
        self._moving = np.zeros_like(self._moving)

    @property
    def disturbed(self) -> Cells:
        """Cells that moved and have not been found unchanged or accepted since."""
        disturbed: Cells = np.isfinite(self._disturbed_s)
        return disturbed

    def still(self, timestamp_s: float, for_s: float = REST_S) -> Cells:
        """Cells in which nothing has moved for a while."""
        return self._moved_s <= timestamp_s - for_s + 1e-6

    def settled(self, timestamp_s: float, for_s: float = REST_S) -> Cells:
        """Cells that moved, came to rest for so long, and look different from the last rest.

        Cells that came to rest looking as before are quiet again.
        """
        waiting = self.disturbed & self.still(timestamp_s, for_s)
        if not waiting.any():
            return waiting
        changed = self._changed()
        self._disturbed_s[waiting & ~changed] = np.inf
        return waiting & changed

    def resting(self, timestamp_s: float, for_s: float) -> Cells:
        """Cells that moved, have been still for so long, and look different from the last rest."""
        waiting = self.disturbed & self.still(timestamp_s, for_s)
        return waiting & self._changed() if waiting.any() else waiting

    def moved_after(self, timestamp_s: float) -> Cells:
        """Cells in which something has moved after a moment."""
        return self._moved_s > timestamp_s

    def moved_since(self, timestamp_s: float, cells: Cells) -> bool:
        """Whether anything in some cells has moved after a moment."""
        return bool((self._moved_s[cells] > timestamp_s).any())

    def disturbed_since(self, region: Region) -> float:
        """Start of the earliest disturbance in a region, or infinity where all is quiet."""
        return float(self._disturbed_s[self._slice(region)].min(initial=np.inf))

    def differs_from(self, picture: npt.NDArray[np.float32], levels: float) -> Cells:
        """Cells of the last frame that look different from a shrunken picture.

        Args:
            picture: `(h, w)` brightness, as `small`.
            levels: Brightness steps that are no difference yet.
        """
        now = picture if self._previous is None else self._previous.astype(np.float32)
        return self._cells(cv2.absdiff(now, picture), levels)

    def accept(self, cells: Cells) -> None:
        """Takes the present look of cells as their look at rest: they have been read."""
        if self._previous is None:
            return
        self._disturbed_s[cells] = np.inf
        cv2.copyTo(self._previous.astype(np.float32), self.pixels_of(cells), self._rest)
        self._known_changed = None

    def regions(
        self, cells: Cells, margin_cells: int = 1, least_cells: float = 1
    ) -> list[tuple[Region, Cells]]:
        """Connected groups of so many cells or more as rectangles in pixels, largest first."""
        count, labels, stats, _ = cv2.connectedComponentsWithStats(
            cells.astype(np.uint8), connectivity=8
        )
        sizes = stats[:, cv2.CC_STAT_AREA].tolist()
        found = []
        for label in sorted(range(1, count), key=lambda item: -int(sizes[item])):
            if sizes[label] < least_cells:
                break
            left, top, width, height, _area = (int(value) for value in stats[label])
            found.append(
                (
                    self.region(
                        left - margin_cells,
                        top - margin_cells,
                        left + width + margin_cells,
                        top + height + margin_cells,
                    ),
                    labels == label,
                )
            )
        return found

    def cells_of(self, region: Region) -> Cells:
        """The cells that a region of the picture touches."""
        cells = np.zeros((self.rows, self.cols), np.bool_)
        cells[self._slice(region)] = True
        return cells

    def region(self, left: int, top: int, right: int, bottom: int) -> Region:
        """The pixels of a rectangle of cells, right and bottom not included."""
        width_px, height_px = self._size_px
        return Region(
            max(0, int(left * self.cell_px)),
            max(0, int(top * self.cell_px)),
            min(width_px, int(np.ceil(right * self.cell_px))),
            min(height_px, int(np.ceil(bottom * self.cell_px))),
        )

    def _slice(self, region: Region) -> tuple[slice, slice]:
        return (
            slice(
                max(0, int(region.top // self.cell_px)), int(np.ceil(region.bottom / self.cell_px))
            ),
            slice(
                max(0, int(region.left // self.cell_px)), int(np.ceil(region.right / self.cell_px))
            ),
        )

    def _changed(self) -> Cells:
        """Cells of the last frame that look different from the last rest, worked out once."""
        if self._known_changed is None:
            self._known_changed = self.differs_from(self._rest, _CHANGE_LEVELS)
        return self._known_changed

    def _cells(self, difference: MatLike, level: float) -> Cells:
        """Cells in which enough pixels of the shrunken picture differ by more than a level."""
        height, width = difference.shape
        _, differs = cv2.threshold(difference, level, _ALL, cv2.THRESH_BINARY)
        self._whole[:height, :width] = differs
        share = cv2.resize(self._whole, (self.cols, self.rows), interpolation=cv2.INTER_AREA)
        return np.asarray(share > self._pixels_for_cell, np.bool_)

    def pixels_of(self, cells: Cells) -> Image:
        """The pixels of the shrunken picture that lie in some cells, as a mask 0 or 255."""
        width, height = self._small_wh
        whole_wh = (self.cols * CELL_SMALL_PX, self.rows * CELL_SMALL_PX)
        mask = cv2.resize(cells.view(np.uint8) * 255, whole_wh, interpolation=cv2.INTER_NEAREST)
        return np.asarray(mask[:height, :width], np.uint8)


def _exposure_ratio(small: Image, previous: Image) -> float:
    """Median brightness ratio: half of the table may be covered before hands count as light."""
    now, before = small[::8, ::8].astype(np.float32), previous[::8, ::8].astype(np.float32)
    lit = before > 16
    if np.count_nonzero(lit) < 20:
        return 1.0
    return median(now[lit] / before[lit])
