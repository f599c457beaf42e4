"""What moved and what it looked like: gate and ring together, asked in terms of quads."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.familiar import FamiliarPicture
from vision.frame import Frame
from vision.gate import Cells, MotionGate, Region
from vision.lookback import Landing, find_landing
from vision.resting import correlation, resemblance
from vision.ring import FrameRing, PastPatch
from vision.table import Quad

FindLanding = Callable[[Sequence[PastPatch], int, npt.NDArray[np.bool_]], Landing | None]

_TOUCHED_SHARE = 0.2
_LOOK_REST_S = 0.25
"""Stillness that asks for a look: arms stop for a moment on their way. A Camera card on a known
piece does not wait for it, as `covered` asks for that."""
_ARM_REST_S = 0.6
"""Stillness that asks where something beside it goes on moving: it is an arm, and will move too."""
_LOOK_AGAIN_S = 0.5
_ASK_AGAIN_S = 0.25
"""A place that was just looked at waits this long: an arm that trembles asks all the time."""
_COVER_REST_S = 0.1
"""Stillness of what was laid on a known piece: people wait for the verdict, and a hand that
retreats would start a longer wait anew."""
_COVERED_SHARE = 0.55
_COVERED_MORE = 0.15
"""Share of a piece's cells that must have come to rest anew before it is looked at once more."""
STILL_THERE = 0.5
"""Share of a piece's structure that must look as before where it still lies; bare table tops and
other cards reach 0.4 by chance, and 0.51 where both are dark."""
_VARIES_ALIKE = 0.2
"""Correlation with what it was: 0.37 and more where it still lay, 0.07 at most of a bare table."""
_ALIKE, _ALIKE_EVERY_S = 0.8, 0.1
"""Share of a piece's structure that must look as before while it surely lies there, and how often
that is looked up."""
_ROOM = 0.5
"""Sides of a card that a look reaches beyond what changed, so that a whole piece fits in."""


class _Places:
    """Quads, and which cells lie in each.

    Args:
        quads: The quads.
        inside: (N, rows * cols), the cells.
    """

    def __init__(self, quads: tuple[Quad, ...], inside: Cells) -> None:
        self.quads = quads
        self._inside = inside
        self._sizes = np.maximum(np.count_nonzero(inside, axis=1), 1)
        self._last: tuple[bytes, dict[Quad, float]] = b"", {}

    def shares(self, cells: Cells) -> dict[Quad, float]:
        """Which part of each quad lies in some cells; they are often those of the frame before."""
        asked = cells.tobytes()
        if asked != self._last[0]:
            hits = np.count_nonzero(self._inside & cells.ravel(), axis=1)
            self._last = asked, dict(zip(self.quads, (hits / self._sizes).tolist(), strict=True))
        return self._last[1]


class Attention:
    """Follows the frames of one source.

    Args:
        first: The first frame.
    """

    def __init__(self, first: Frame) -> None:
        height, width = first.luma.shape
        self.gate = MotionGate(width, height)
        self.ring = FrameRing(self.gate.cell_px)
        self._familiar = FamiliarPicture(self.gate)
        self._asked_s = np.full(self.gate.moving.shape, -np.inf)
        self._covered: dict[Quad, tuple[float, float]] = {}
        self._places = _Places((), np.zeros((0, self.gate.moving.size), np.bool_))
        self.take(first)

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of the frames in pixels."""
        height, width = self.ring.size
        return width, height

    def take(self, frame: Frame) -> None:
        """Takes the next frame."""
        self.gate.update(frame.luma, frame.timestamp_s, frame.small)
        self.ring.push(
            frame.index,
            frame.timestamp_s,
            frame.luma,
            self.gate.small,
            self.gate.exposure_step,
        )

    def restart(self, frame: Frame, to_new: npt.NDArray[np.float64]) -> None:
        """The camera was moved: `to_new` (3, 3) carries old pixels to those of this frame."""
        self.gate.restart(frame.luma)
        self._familiar.forget()
        self.ring.restart(frame.luma, self.gate.small, to_new)

    def asking(self, frame: Frame, least_cells: float) -> list[tuple[Region, Cells]]:
        """Groups of cells that came to rest looking different, large enough for a piece."""
        settled = self.gate.settled(frame.timestamp_s, _LOOK_REST_S)
        if np.count_nonzero(settled) < least_cells:
            return []
        restless = ~self.gate.still(frame.timestamp_s, _LOOK_REST_S)
        near_motion = cv2.dilate(restless.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        settled &= ~self._at_work(restless) | self.gate.still(frame.timestamp_s, _ARM_REST_S)
        if np.count_nonzero(settled) < least_cells:
            return []
        fresh = self._asked_s < frame.timestamp_s - _LOOK_AGAIN_S
        groups = [
            (region, cells)
            for region, cells in self.gate.regions(settled & ~near_motion, least_cells=least_cells)
            if fresh[cells].mean() > 0.5
        ]
        for region, _ in groups:
            self._asked_s[self.gate.cells_of(region)] = frame.timestamp_s
        return groups

    def _at_work(self, restless: Cells) -> Cells:
        """Cells that hang together with some that move, over others that were disturbed."""
        together = (self.gate.disturbed | restless).astype(np.uint8)
        count, labels = cv2.connectedComponents(together, connectivity=8)
        is_restless = np.zeros(count, np.bool_)
        is_restless[labels[restless]] = True
        at_work: Cells = is_restless[labels]
        return at_work

    def quiet_since_moved(self, frame: Frame, since_s: float) -> Cells:
        """Cells that moved after a moment, are quiet now, and do not look familiar."""
        gate = self.gate
        quiet = gate.moved_after(since_s) & gate.still(frame.timestamp_s) & ~gate.disturbed
        return quiet & ~self.familiar() if quiet.any() else quiet

    def familiar(self) -> Cells:
        """Cells that look as they did when all that lies there was seen."""
        return self._familiar.cells(self.ring.brightness)

    def learn(self, cells: Cells, timestamp_s: float, unsure: Sequence[Quad]) -> None:
        """Takes the still ones of some cells for familiar, but around what may hide something."""
        near = np.zeros(cells.shape, np.uint8)
        for quad in unsure:
            near |= self.gate.cells_of(self.bounds(quad))
        away = cv2.dilate(near, np.ones((3, 3), np.uint8)) == 0
        self._familiar.learn(cells & away & self.gate.still(timestamp_s), self.ring.brightness)

    def around(self, cells: Cells) -> Region:
        """The least rectangle around some cells."""
        rows, cols = np.nonzero(cells.any(axis=1))[0], np.nonzero(cells.any(axis=0))[0]
        return self.gate.region(int(cols[0]), int(rows[0]), int(cols[-1]) + 1, int(rows[-1]) + 1)

    def covered(self, frame: Frame, quads: Sequence[Quad]) -> list[Quad]:
        """Those quads in which something came to rest that looks different.

        Whatever moves beside it: a hand may hold it, or be about to leave. A place is given once,
        and again when more of it has come to rest, or something in it has moved once more.
        """
        resting = self.gate.resting(frame.timestamp_s, _COVER_REST_S)
        if not resting.any():
            self._covered.clear()
            return []
        if self._places.quads != tuple(quads):
            inside = [self.cells_in(quad).ravel() for quad in quads]
            self._places = _Places(tuple(quads), np.array(inside, np.bool_))
        shares = self._places.shares(resting)
        found = {quad: share for quad, share in shares.items() if share >= _COVERED_SHARE}
        self._covered = {quad: seen for quad, seen in self._covered.items() if quad in found}
        asking = []
        for quad, share in found.items():
            asked_s, seen = self._covered.get(quad, (-np.inf, 0.0))
            is_more = share > seen and share >= min(1.0, seen + _COVERED_MORE)
            is_time = frame.timestamp_s - asked_s > _ASK_AGAIN_S
            if is_more or (is_time and self.gate.moved_since(asked_s, self.cells_in(quad))):
                self._covered[quad] = frame.timestamp_s, share
                asking.append(quad)
        return asking

    def cells_in(self, quad: Quad) -> Cells:
        """The cells whose middle lies in a quad."""
        corners = 16 * (np.asarray(quad, np.float64) / self.gate.cell_px - 0.5)
        inside = np.zeros(self.gate.moving.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round(corners).astype(np.int32), 1, shift=4)
        return inside.astype(bool)

    def room_around(self, region: Region, side_px: float) -> Region:
        """A region widened so that a whole piece of this size fits around whatever changed."""
        margin = round(_ROOM * side_px)
        width, height = self.size_wh
        return Region(
            max(0, region.left - margin),
            max(0, region.top - margin),
            min(width, region.right + margin),
            min(height, region.bottom + margin),
        )

    def touches(self, quad: Quad, cells: Cells) -> bool:
        """Whether a good part of a quad lies in some cells."""
        mine = self.gate.cells_of(self.bounds(quad))
        return bool(np.count_nonzero(mine & cells) >= _TOUCHED_SHARE * np.count_nonzero(mine))

    def is_still(self, quad: Quad, timestamp_s: float) -> bool:
        """Whether nothing has moved in a quad for a while."""
        cells = self.gate.cells_of(self.bounds(quad))
        return bool(self.gate.still(timestamp_s)[cells].all())

    def share_still(self, quad: Quad, timestamp_s: float) -> float:
        """Share of a quad in which nothing moved for a tenth of a second, 0 to 1."""
        inside = self.cells_in(quad)
        still = self.gate.still(timestamp_s, _COVER_REST_S)
        return float(still[inside].mean()) if inside.any() else 1.0

    def look_of(self, quad: Quad, frame: Frame) -> PastPatch:
        """What a quad looks like in the newest frame."""
        region = self.bounds(quad)
        patch = frame.luma[region.top : region.bottom, region.left : region.right].copy()
        return PastPatch(frame.index, frame.timestamp_s, self.ring.brightness, patch)

    def likeness(self, then: PastPatch, quad: Quad, frame: Frame, blown: int = 256) -> float:
        """Share of a piece's structure that looks in this frame as it did then, 0 to 1.

        What is `blown` or brighter in this frame tells nothing: a lamp may be mirrored there.
        """
        now = self.look_of(quad, frame)
        return resemblance(then, now, _fill(quad, self.bounds(quad)) & (now.luma < blown))

    def still_shows(
        self,
        then: PastPatch,
        quad: Quad,
        frame: Frame,
        least: float = STILL_THERE,
        varying: float = _VARIES_ALIKE,
    ) -> bool:
        """Whether a place still shows the piece that it showed then, though not all of it.

        A dark card and a dark table top are alike in half of their pixels: they must also vary
        alike, unless nearly all are the same.

        Args:
            then: The piece's look at rest.
            quad: Its place.
            frame: The newest frame.
            least: Share of its structure that must look as before.
            varying: Correlation with what it was that is asked for, unless nearly all is alike.
        """
        now, piece = self.look_of(quad, frame), _fill(quad, self.bounds(quad))
        share = resemblance(then, now, piece)
        if share <= least:
            return False
        return share > _ALIKE or correlation(then, now, piece) > varying

    def last_alike_s(self, then: PastPatch, quad: Quad, from_s: float) -> float:
        """The last moment since `from_s` at which a place looked as it did then, or `from_s`."""
        region = self.bounds(quad)
        piece = _fill(quad, region)
        patches = list(self.ring.patches(region, from_s, _ALIKE_EVERY_S))
        alike = (patch for patch in reversed(patches) if resemblance(then, patch, piece) > _ALIKE)
        last = next(alike, None)
        return from_s if last is None else last.timestamp_s

    def landing_of(
        self,
        quad: Quad,
        frame: Frame,
        from_s: float,
        find: FindLanding = find_landing,
        margin: int = 6,
    ) -> Landing:
        """When the piece in a quad came to lie there, as far back as `from_s`.

        Where the frames do not tell, the whole time since the place was disturbed is possible.

        Args:
            quad: The piece.
            frame: The newest frame, in which it lies at rest.
            from_s: A moment before that.
            find: Finds the moment in the patches of the frames since then.
            margin: How far the patches reach beyond the piece, in pixels.
        """
        region = self.bounds(quad, margin)
        past = list(self.ring.patches(region, from_s))
        found = find(past, len(past) - 1, _fill(quad, region)) if len(past) > 2 else None
        if found is not None:
            return found
        since_s = min(self.gate.disturbed_since(region), frame.timestamp_s)
        middle_s, half_s = (since_s + frame.timestamp_s) / 2, (frame.timestamp_s - since_s) / 2
        return Landing(frame.index, middle_s, half_s, 0.0)

    def bounds(self, quad: Quad, margin: int = 0) -> Region:
        """The rectangle around a quad, inside the picture."""
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = quad
        xs, ys = (x0, x1, x2, x3), (y0, y1, y2, y3)
        width, height = self.size_wh
        left_px = int(min(max(min(xs) - margin, 0), width - 2))
        top_px = int(min(max(min(ys) - margin, 0), height - 2))
        return Region(
            left_px,
            top_px,
            min(max(math.ceil(max(xs) + margin), left_px + 2), width),
            min(max(math.ceil(max(ys) + margin), top_px + 2), height),
        )


@lru_cache(maxsize=256)
def _fill(quad: Quad, region: Region) -> npt.NDArray[np.bool_]:
    """Pixels of a region that a quad covers; a place is asked about for many frames."""
    mask = np.zeros((region.bottom - region.top, region.right - region.left), np.uint8)
    corners = np.asarray(quad, np.float64) - (region.left, region.top)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    inside = mask.astype(bool)
    inside.setflags(write=False)
    return inside
