"""Watching cards that are spread out on a table: a look whenever the table has come to rest.

Every frame goes through the change gate. Reading a table full of cards costs seconds, so only a
table at rest that looks different from the last time is read, and of it the part that changed. A
rest that leaves something open is looked at again: glare moves, and hands leave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.attention import Attention
from vision.detection import Detections
from vision.face_finder import FaceFinder
from vision.faces import FaceSource
from vision.following import Follower
from vision.frame import Frame, Image
from vision.gate import Cells, Region
from vision.slots import to_quad
from vision.source import FrameSource
from vision.spread_gaps import find_beside
from vision.spread_memory import SpreadMemory, camera_shift
from vision.spread_reader import read_spread
from vision.still import TableReader
from vision.stopwatch import stopwatch
from vision.table import Notice, PieceKind, PieceReading, Quad, Settled, TableEvent, TableReading

_REST_S = 0.4
"""Stillness that counts as rest: hands that lay cards one after the other pause for less."""
_STEADY_S, _PATIENCE_S = 1.5, 8.0
"""Where something moves elsewhere, what has come to rest is looked at once no more came to rest for
so long, and at the latest after so long."""
_LONG_REST_S = 3.0
"""A rest so long is worth a look though little lies there."""
_QUIET_SHARE = 0.01
"""Share of the cells that may move on a table at rest: sensor noise, a flickering lamp."""
_LEAST_CELLS = 3
_MAY_LIE = 0.25
"""Confidence from which the detector may mean a card: of a strange deck it sees parts."""
_CARD_CELLS = 4
"""Room that a look takes around what changed, in cells, so that whole cards fit in."""
_WHOLE_SHARE = 0.6
"""Where what changed spreads over so much of the picture, all of it is looked at."""
_AGAIN_UNNAMED_S, _AGAIN_S = (0.7, 1.4, 2.8), (2.0,)
"""After so long each, a rest is looked at again that left a card without a name, or all else."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What is known beforehand of the tables that are worth a look.

    Attributes:
        least_pieces: So many things lie there at least.
        is_clear: Whether a reading leaves nothing open, so that one look is enough.
        may_lack: Whether a reading may lack a few cards that lie beside the others.
    """

    least_pieces: int
    is_clear: Callable[[TableReading], bool]
    may_lack: Callable[[TableReading], bool]


class SpreadWatcher(Follower[TableEvent]):
    """Watches one source and tells what lies on the table each time it has come to rest.

    Args:
        reader: The detector and the deck's gallery.
        faces: The faces of the deck.
        expected: Which tables are worth a look.
        progress: Called with the number of frames done, or None.
    """

    def __init__(
        self,
        reader: TableReader,
        faces: Sequence[FaceSource],
        expected: Expected,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        super().__init__(progress)
        self._reader = reader
        self._finder = FaceFinder(faces)
        self._memory = SpreadMemory(faces)
        self._expected = expected
        self._attention: Attention
        self._unread: Cells
        self._is_open = self._has_read = False
        self._looks = 0
        self._looked_s = 0.0
        self._waiting_s = self._rest_s = np.inf
        self._is_bare = False
        self._settled, self._steady_s = 0, 0.0

    def _start(self, frame: Frame) -> Iterator[TableEvent]:
        self._attention = Attention(frame)
        self._unread = np.ones_like(self._attention.gate.moving)
        return iter(())

    def _follow(self, frame: Frame, previous: Frame) -> Iterator[TableEvent]:
        gate = self._attention.gate
        with stopwatch("gate"):
            self._attention.take(frame)
        self._unread |= gate.settled(frame.timestamp_s)
        if self._is_due(frame):
            yield from self._look_if_worth(frame)
        elif self._is_due_again(frame):
            self._looks += 1
            if not self._memory.unnamed:
                self._unread[:] = True
            yield from self._look(frame)

    def _is_due(self, frame: Frame) -> bool:
        """Whether the table has come to rest and not all of it has been read."""
        gate, now_s = self._attention.gate, frame.timestamp_s
        restless = ~gate.still(now_s, _REST_S)
        is_quiet = float(np.mean(restless)) <= _QUIET_SHARE
        if not is_quiet or not np.isfinite(self._rest_s):
            self._rest_s = now_s if is_quiet else np.inf
            self._is_bare = False
        settled = int(np.count_nonzero(self._unread & ~restless))
        if settled != self._settled:
            self._settled, self._steady_s = settled, now_s
        if settled < _LEAST_CELLS:
            self._waiting_s = np.inf
            return False
        self._waiting_s = min(self._waiting_s, now_s)
        if self._is_bare:
            return now_s - self._rest_s >= _LONG_REST_S
        is_steady = now_s - max(self._steady_s, self._waiting_s) >= _STEADY_S
        return is_quiet or is_steady or now_s - self._waiting_s >= _PATIENCE_S

    def _look_if_worth(self, frame: Frame) -> Iterator[TableEvent]:
        """Reads the table where enough lies there; finding that out is cheap, reading is not."""
        self._waiting_s, self._looks = np.inf, 0
        if self._is_bare:
            yield from self._look(frame)
            return
        with stopwatch("detect"):
            found = self._reader.find(frame.to_bgr())
        is_hand = np.array([found.kind(row) is PieceKind.HAND for row in range(len(found))], bool)
        count = int(np.count_nonzero(~is_hand & (found.confidence >= _MAY_LIE)))
        if count >= self._expected.least_pieces:
            yield from self._look(frame, found)
            return
        self._is_bare = True
        over = [to_quad(quad) for quad in found.quads[is_hand]]
        if self._memory.let_go(self._attention, frame, over):
            yield Settled(frame.timestamp_s, self._memory.reading(frame))

    def _is_due_again(self, frame: Frame) -> bool:
        """Whether the table is still at rest and the last look left something open."""
        waits_s = _AGAIN_UNNAMED_S if self._memory.unnamed else _AGAIN_S
        if not self._is_open or self._looks >= len(waits_s) or not np.isfinite(self._rest_s):
            return False
        return frame.timestamp_s - self._looked_s >= waits_s[self._looks]

    def _look(self, frame: Frame, lying: Detections | None = None) -> Iterator[TableEvent]:
        """Reads what has changed, and what could not be named before.

        Args:
            frame: The table at rest.
            lying: What the detector sees in it, where it was asked already.
        """
        gate, before = self._attention.gate, self._memory.pieces
        cells = self._unread.copy()
        for piece in self._memory.unnamed:
            cells |= gate.cells_of(self._attention.bounds(piece.quad_px))
        with stopwatch("colour"):
            image_bgr = frame.to_bgr()
        with stopwatch("read"):
            seen = self._read(image_bgr, self._region(cells), lying)
        reading = self._memory.take(self._attention, frame, seen, cells)
        if self._expected.may_lack(reading):
            with stopwatch("seek"):
                beside = find_beside(self._reader, image_bgr, reading, lying)
            reading = self._memory.take(self._attention, frame, beside, np.zeros_like(cells))
        still = gate.still(frame.timestamp_s, _REST_S)
        gate.accept(still)
        self._unread = ~still
        self._looked_s, self._waiting_s, self._has_read = frame.timestamp_s, np.inf, True
        self._is_open = not self._expected.is_clear(reading)
        shift_px = camera_shift(before, reading.pieces)
        if shift_px is not None:
            text = f"the camera was moved by {shift_px:.0f} pixels; the table was read again"
            yield Notice(frame.timestamp_s, "camera-moved", text)
        yield Settled(frame.timestamp_s, reading)

    def _region(self, cells: Cells) -> Region | None:
        """The part of the picture around some cells; None for all of it."""
        rows, cols = np.nonzero(cells)
        top, bottom = rows.min() - _CARD_CELLS, rows.max() + 1 + _CARD_CELLS
        left, right = cols.min() - _CARD_CELLS, cols.max() + 1 + _CARD_CELLS
        gate = self._attention.gate
        top, left = max(0, int(top)), max(0, int(left))
        bottom, right = min(gate.rows, int(bottom)), min(gate.cols, int(right))
        if (bottom - top) * (right - left) > _WHOLE_SHARE * cells.size:
            return None
        width, height = self._attention.size_wh
        side = gate.cell_px
        return Region(
            round(left * side),
            round(top * side),
            min(width, round(right * side)),
            min(height, round(bottom * side)),
        )

    def _read(
        self, image_bgr: Image, region: Region | None, lying: Detections | None
    ) -> TableReading:
        """What lies in a part of the picture, in pixels of the whole picture."""
        if region is None:
            return read_spread(self._reader, self._finder, image_bgr, lying)
        part = image_bgr[region.top : region.bottom, region.left : region.right]
        seen = read_spread(self._reader, self._finder, np.ascontiguousarray(part))
        height, width = image_bgr.shape[:2]
        pieces = tuple(_shifted(piece, region) for piece in seen.pieces)
        return TableReading(seen.timestamp_s, width, height, pieces)

    def _finish(self, last: Frame, source: FrameSource) -> Iterator[TableEvent]:
        self._unread |= self._attention.gate.settled(last.timestamp_s)
        is_read = self._has_read and self._is_bare
        if not is_read and np.count_nonzero(self._unread) >= _LEAST_CELLS:
            yield from self._look(last)
        if source.broken is not None:
            yield Notice(last.timestamp_s, "stream-broken", source.broken)


def _shifted(piece: PieceReading, region: Region) -> PieceReading:
    first, second, third, fourth = ((x + region.left, y + region.top) for x, y in piece.quad_px)
    quad: Quad = first, second, third, fourth
    return replace(piece, quad_px=quad, quad_mm=None)
