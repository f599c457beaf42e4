"""The last seconds of a recording at full rate and full sharpness, kept small.

A table mostly stands still. So the ring keeps one whole picture and, for each frame after it, only
the blocks that look different from what was stored last; any patch of any frame can be rebuilt.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.gate import CELL_SMALL_PX, Region

Indices = npt.NDArray[np.intp]

SECONDS_KEPT = 8.0
BYTES_KEPT = 96 * 2**20
_SAME_S = 1e-6
_DIFFERENT_LEVELS = 3.0
"""Brightness steps of the shrunken picture; its pixels average 16 and more, so noise is below 1."""


@dataclass(frozen=True, slots=True)
class _Delta:
    index: int
    timestamp_s: float
    brightness: float
    rows: npt.NDArray[np.intp]
    cols: npt.NDArray[np.intp]
    blocks: npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class PastPatch:
    """A rectangle of a past frame.

    Attributes:
        index: The frame's index.
        timestamp_s: The frame's time.
        brightness: Exposure of the frame relative to the first frame of the source.
        luma: `(h, w)` uint8, not to be written to: frames that are alike share it.
    """

    index: int
    timestamp_s: float
    brightness: float
    luma: Image


@dataclass(frozen=True, slots=True, eq=False)
class _Earlier:
    """What was kept before the camera moved, and where its pixels went."""

    ring: FrameRing
    to_new: npt.NDArray[np.float64]

    def warped(self, region: Region, from_s: float, every_s: float) -> Iterator[PastPatch]:
        """A region of the new pixels as the frames before the move show it."""
        corners = np.array(
            [
                [[region.left, region.top]],
                [[region.right, region.top]],
                [[region.right, region.bottom]],
                [[region.left, region.bottom]],
            ],
            np.float64,
        )
        old = cv2.perspectiveTransform(corners, np.linalg.inv(self.to_new)).reshape(-1, 2)
        (left, top), (right, bottom) = np.floor(old.min(axis=0)), np.ceil(old.max(axis=0))
        height, width = self.ring.size
        there = Region(
            int(np.clip(left - 2, 0, width - 2)),
            int(np.clip(top - 2, 0, height - 2)),
            int(np.clip(right + 2, 2, width)),
            int(np.clip(bottom + 2, 2, height)),
        )
        if there.right <= there.left or there.bottom <= there.top:
            return
        shift_old = np.array([[1, 0, there.left], [0, 1, there.top], [0, 0, 1]], np.float64)
        shift_new = np.array([[1, 0, -region.left], [0, 1, -region.top], [0, 0, 1]], np.float64)
        matrix = shift_new @ self.to_new @ shift_old
        size_wh = (region.right - region.left, region.bottom - region.top)
        last = luma = np.zeros((0, 0), np.uint8)
        for patch in self.ring.own_patches(there, from_s, every_s):
            if patch.luma is not last:
                last = patch.luma
                warped = cv2.warpPerspective(last, matrix, size_wh, borderMode=cv2.BORDER_REPLICATE)
                luma = np.asarray(warped, np.uint8)
            yield replace(patch, luma=luma)


class FrameRing:
    """Ring buffer of luminance pictures, stored as changed blocks.

    Args:
        block_px: Side of a block in pixels: the gate's cell.
        seconds: How far back a look reaches.
    """

    def __init__(self, block_px: float, seconds: float = SECONDS_KEPT) -> None:
        self._block = round(block_px)
        self._seconds = seconds
        self._base: Image | None = None
        self._size = (0, 0)
        self._deltas: deque[_Delta] = deque()
        self._bytes = 0
        self._stored_small = np.zeros((0, 0), np.uint8)
        self._brightness = 1.0
        self._earlier: _Earlier | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Height and width of the frames."""
        return self._size

    @property
    def brightness(self) -> float:
        """Exposure of the newest frame relative to the first one."""
        return self._brightness

    @property
    def bytes_kept(self) -> int:
        """Memory that the changed blocks take, beside one whole picture."""
        return self._bytes

    @property
    def first_index(self) -> int:
        """Index of the oldest frame that can still be rebuilt."""
        return self._deltas[0].index if self._deltas else 0

    def push(
        self,
        index: int,
        timestamp_s: float,
        luma: Image,
        small: Image,
        exposure_step: float,
    ) -> None:
        """Takes the next frame.

        Args:
            index: The frame's index.
            timestamp_s: Its time.
            luma: `(H, W)` uint8.
            small: The gate's shrunken picture of it.
            exposure_step: Its brightness relative to the frame before.
        """
        self._brightness *= exposure_step
        if self._base is None:
            self._start(luma, small)
        changed = self._changed(small)
        height, width = small.shape
        wide = cv2.resize(
            changed.view(np.uint8), None, fx=CELL_SMALL_PX, fy=CELL_SMALL_PX,
            interpolation=cv2.INTER_NEAREST,
        )  # fmt: skip
        cv2.copyTo(small, wide[:height, :width], self._stored_small)
        rows, cols = np.nonzero(changed)
        blocks = self._blocks_of(luma, rows, cols)
        self._deltas.append(_Delta(index, timestamp_s, self._brightness, rows, cols, blocks))
        self._bytes += blocks.nbytes
        if self._earlier is not None and self._deltas[0].timestamp_s < timestamp_s - self._seconds:
            self._earlier = None
        while self._deltas[0].timestamp_s < timestamp_s - self._seconds or (
            self._bytes > BYTES_KEPT and len(self._deltas) > 2
        ):
            self._drop_oldest()

    def restart(self, luma: Image, small: Image, to_new: npt.NDArray[np.float64]) -> None:
        """The camera was moved: old pixels no longer lie where they lay.

        Args:
            luma: `(H, W)` uint8, the newest frame, the first one in the new place.
            small: The gate's shrunken picture of it.
            to_new: (3, 3) homography from old pixels to new ones.
        """
        newest = self._deltas.pop()
        self._bytes -= newest.blocks.nbytes
        past = FrameRing(self._block, self._seconds)
        past._base, past._size, past._grid = self._base, self._size, self._grid
        past._deltas, past._bytes, past._earlier = self._deltas, self._bytes, self._earlier
        self._earlier = _Earlier(past, to_new) if past._deltas else None
        self._deltas = deque()
        self._bytes = 0
        self._start(luma, small)
        nothing = np.zeros(0, np.intp), np.zeros((0, self._block, self._block), np.uint8)
        self._deltas.append(replace(newest, rows=nothing[0], cols=nothing[0], blocks=nothing[1]))

    def patches(self, region: Region, from_s: float, every_s: float = 0.0) -> Iterator[PastPatch]:
        """A region of every kept frame since a moment, in the order of time.

        Args:
            region: The region.
            from_s: The moment.
            every_s: Frames that come sooner than this after the last one are left out.
        """
        next_s = from_s
        for patch in self._warped(region, from_s, every_s):
            next_s = patch.timestamp_s + every_s
            yield patch
        yield from self.own_patches(region, next_s, every_s)

    def own_patches(self, region: Region, from_s: float, every_s: float) -> Iterator[PastPatch]:
        """What `patches` gives, of the frames since the camera last moved."""
        if self._base is None or self._deltas[-1].timestamp_s < from_s - _SAME_S:
            return
        next_s = from_s
        rows, cols = self._grid
        top, bottom = region.top // self._block, -(-region.bottom // self._block)
        left, right = region.left // self._block, -(-region.right // self._block)
        right, bottom = min(right, cols), min(bottom, rows)
        shape = (bottom - top, right - left)
        blocks = self._as_blocks(self._base)[top:bottom, :, left:right, :]
        canvas = np.array(blocks, order="C")
        inside = (
            slice(region.top - top * self._block, region.bottom - top * self._block),
            slice(region.left - left * self._block, region.right - left * self._block),
        )
        flat = canvas.reshape(shape[0] * self._block, shape[1] * self._block)
        earlier = self._until(from_s - _SAME_S)
        self._lay_last(canvas, earlier, (top, left))
        later = list(itertools.islice(self._deltas, len(earlier), None))
        luma: Image | None = None  # frames in which nothing changes here share their picture
        for delta, row, col, number in _changes_in(later, (top, left), shape):
            if number.size:
                canvas[row, :, col, :] = delta.blocks[number]
                luma = None
            if delta.timestamp_s >= next_s - _SAME_S:
                next_s = delta.timestamp_s + every_s
                if luma is None:
                    luma = flat[inside].copy()
                    luma.setflags(write=False)
                yield PastPatch(delta.index, delta.timestamp_s, delta.brightness, luma)

    def _until(self, before_s: float) -> list[_Delta]:
        """What changed in the frames before a moment."""
        return list(itertools.takewhile(lambda delta: delta.timestamp_s < before_s, self._deltas))

    def _lay_last(
        self, canvas: npt.NDArray[np.uint8], deltas: Sequence[_Delta], corner: tuple[int, int]
    ) -> None:
        """Lays onto blocks (rows, block, cols, block) the last change of each, all at once."""
        if not deltas:
            return
        shape = canvas.shape[0], canvas.shape[2]
        row, col, hits, starts = _lined_up(deltas, corner, shape)
        last = np.full(shape, -1, np.intp)
        last[row, col] = hits  # of several changes of a block the last one stays
        changed = np.argwhere(last >= 0)
        numbers = last[last >= 0]
        owners = starts.searchsorted(numbers, side="right") - 1
        for (at_row, at_col), number, owner in zip(changed, numbers, owners, strict=True):
            canvas[at_row, :, at_col, :] = deltas[owner].blocks[number - starts[owner]]

    def _warped(self, region: Region, from_s: float, every_s: float) -> Iterator[PastPatch]:
        """A region as the frames before the camera moved show it, laid onto the new pixels."""
        next_s = from_s
        for earlier in reversed(list(self._all_earlier())):
            for patch in earlier.warped(region, next_s, every_s):
                next_s = patch.timestamp_s + every_s
                yield patch

    def _all_earlier(self) -> Iterator[_Earlier]:
        """What was kept of each time between two moves of the camera, the last one first."""
        earlier, to_new = self._earlier, np.eye(3)
        while earlier is not None:
            to_new = to_new @ earlier.to_new
            yield replace(earlier, to_new=to_new)
            earlier = earlier.ring._earlier

    def _changed(self, small: Image) -> npt.NDArray[np.bool_]:
        """`(rows, cols)`: blocks that look different from what was stored last."""
        rows, cols = self._grid
        apart = cv2.absdiff(small, self._stored_small)
        _, far = cv2.threshold(apart, _DIFFERENT_LEVELS, 255, cv2.THRESH_BINARY)
        below, beside = rows * CELL_SMALL_PX - far.shape[0], cols * CELL_SMALL_PX - far.shape[1]
        if below or beside:
            far = cv2.copyMakeBorder(far, 0, below, 0, beside, cv2.BORDER_CONSTANT, value=0)
        share = cv2.resize(far, (cols, rows), interpolation=cv2.INTER_AREA)
        return np.asarray(share > 0, np.bool_)

    def _start(self, luma: Image, small: Image) -> None:
        height, width = luma.shape
        self._grid = (-(-small.shape[0] // CELL_SMALL_PX), -(-small.shape[1] // CELL_SMALL_PX))
        self._size = (height, width)
        self._base = self._pad(luma)
        self._stored_small = small.copy()

    def _pad(self, luma: Image) -> Image:
        rows, cols = self._grid
        height, width = rows * self._block, cols * self._block
        if luma.shape == (height, width):
            return np.ascontiguousarray(luma)
        padded = np.zeros((height, width), np.uint8)
        padded[: luma.shape[0], : luma.shape[1]] = luma[:height, :width]
        return padded

    def _as_blocks(self, padded: Image) -> npt.NDArray[np.uint8]:
        rows, cols = self._grid
        return padded.reshape(rows, self._block, cols, self._block)

    def _blocks_of(
        self, luma: Image, row: npt.NDArray[np.intp], col: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.uint8]:
        """`(N, block, block)` some blocks of a picture, 0 beyond its lower and right edge.

        Most lie wholly in the picture, which is not padded and copied for the rest.
        """
        side = self._block
        rows_whole, cols_whole = luma.shape[0] // side, luma.shape[1] // side
        is_whole = (row < rows_whole) & (col < cols_whole)
        whole = luma[: rows_whole * side, : cols_whole * side]
        blocks = np.zeros((len(row), side, side), np.uint8)
        inner = whole.reshape(rows_whole, side, cols_whole, side)
        blocks[is_whole] = inner[row[is_whole], :, col[is_whole], :]
        for place in np.flatnonzero(~is_whole):
            top, left = int(row[place]) * side, int(col[place]) * side
            part = luma[top : top + side, left : left + side]
            blocks[place, : part.shape[0], : part.shape[1]] = part
        return blocks

    def _drop_oldest(self) -> None:
        oldest = self._deltas.popleft()
        self._bytes -= oldest.blocks.nbytes
        if self._base is not None and oldest.rows.size:
            self._as_blocks(self._base)[oldest.rows, :, oldest.cols, :] = oldest.blocks


def _changes_in(
    deltas: Sequence[_Delta], corner: tuple[int, int], shape: tuple[int, int]
) -> Iterator[tuple[_Delta, Indices, Indices, Indices]]:
    """Each frame's changed blocks in a rectangle: rows and columns there, and their numbers."""
    if not deltas:
        return
    row, col, hits, starts = _lined_up(deltas, corner, shape)
    ends = hits.searchsorted(starts).tolist()
    for delta, start, first, last in zip(deltas, starts.tolist(), ends, ends[1:], strict=False):
        yield delta, row[first:last], col[first:last], hits[first:last] - start


def _lined_up(
    deltas: Sequence[_Delta], corner: tuple[int, int], shape: tuple[int, int]
) -> tuple[Indices, Indices, Indices, Indices]:
    """The changed blocks of some frames in a rectangle, in one row.

    Returns:
        Their rows and columns there, their numbers among the changes of all these frames, and the
        number of each frame's first change.
    """
    row = np.concatenate([delta.rows for delta in deltas]) - corner[0]
    col = np.concatenate([delta.cols for delta in deltas]) - corner[1]
    hits = np.flatnonzero((row >= 0) & (row < shape[0]) & (col >= 0) & (col < shape[1]))
    starts = np.cumsum([0, *(len(delta.rows) for delta in deltas)])
    return row[hits], col[hits], hits, starts
