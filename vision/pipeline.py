"""From frames to table events: gate, detect, name, remember, look back.

The detector runs at the start and where something has come to rest looking different, and as a
slow heartbeat, never on each frame; lookback then finds the moment in the frames that were not
looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial

import cv2
import numpy as np

from vision.attention import Attention
from vision.following import Follower
from vision.frame import Frame
from vision.gate import Cells, Region
from vision.landing_dates import LandingDates
from vision.lookback import Landing
from vision.looking import Look, Looker, Reader
from vision.registration import Registration, find_camera_move
from vision.slots import Slot, SlotBook, area, hands, hidden_share, overlap
from vision.source import FrameSource
from vision.stopwatch import stopwatch
from vision.table import (
    Landed,
    Lifted,
    Notice,
    PieceKind,
    PieceReading,
    Quad,
    Settled,
    TableEvent,
    TableReading,
)

HEARTBEAT_S = 2.0
"""Where nothing asks, what moved and looks unfamiliar is looked at this often: what the detector
missed under a hand lies open later, and nothing has to move for that."""
_LOOK_SCALE, _HEARTBEAT_SCALE = 0.8, 0.65
"""How large the detector sees what asks, and the large look that seldom brings anything, as a part
of the size for a whole photograph. It was trained at 0.65 of that size."""
GONE_AFTER_S = 0.5
"""A place that lies bare this long, with no hand over it, has lost its piece."""
_CHECK_EVERY_S = 0.25
_CARD_SHARE = 0.4
"""Part of a card that must have changed before the detector is asked."""
_LEAST_CELLS = 3.0
_USUAL_CARD_CELLS = 14.0
_HAND_OVER = 0.1
_BENEATH_SEEN = 0.3
"""Share of a piece's place that what lay beneath must show before the piece counts as gone."""
_STRANGE_OVER = 0.3
"""Share of a piece's place under something unnamed from which the place does not lie bare."""
_AT_REST = 0.5
"""Share of a new piece's place that is still: 0.64 and more of 129 that lay there, though a hand
left them or held them, and 0.08 of one in the air."""
_IN_VIEW = 0.9
_AFTER_BUMP_S = 3.0
_ONE_BUMP_S = 1.0
"""A bumped camera swings for some frames: that is one bump, told once."""


class TableWatcher(Follower[TableEvent]):
    """Watches one source and tells what happens on the table.

    Args:
        reader: The detector and the deck's gallery.
        progress: Called with the number of frames done, or None.
    """

    def __init__(self, reader: Reader, progress: Callable[[int], None] | None = None) -> None:
        super().__init__(progress)
        self._slots = SlotBook()
        self._looker = Looker(reader, self._slots)
        self._dates = LandingDates(self._slots)
        self._attention: Attention
        self._checked_s = 0.0
        self._looked_s = 0.0
        self._next_beat_s = HEARTBEAT_S
        self._moved_s = -np.inf
        self._asked_s = -np.inf

    def _start(self, frame: Frame) -> Iterator[TableEvent]:
        self._attention = Attention(frame)
        everywhere = np.ones_like(self._attention.gate.moving)
        look = self._looker.look(self._attention, frame, everywhere, None)
        for piece in look.reading.pieces:
            if piece.kind is not PieceKind.HAND:
                self._add(frame, piece, Landing(0, 0.0, 0.0, 1.0))
        yield self._settled(frame)

    def _follow(self, frame: Frame, previous: Frame) -> Iterator[TableEvent]:
        with stopwatch("gate"):
            self._attention.take(frame)
        with stopwatch("camera"):
            gate = self._attention.gate
            move = find_camera_move(previous.luma, frame.luma, gate.moving, gate.small)
        if move is not None:
            yield from self._re_register(previous, frame, move)
            return
        events = list(self._find_covers(frame))
        events += [event for look in self._looks(frame) for event in self._reconcile(look)]
        if frame.timestamp_s - self._checked_s >= _CHECK_EVERY_S:
            self._checked_s = frame.timestamp_s
            events += self._check_missing(frame)
        yield from events
        if events:
            yield self._settled(frame)

    def _find_covers(self, frame: Frame) -> Iterator[TableEvent]:
        """What was laid on a known piece and lies still, before its hand has left."""
        lying = {slot.piece.quad_px: slot for slot in self._slots}
        asking = self._attention.covered(frame, list(lying))
        if self._asks_everywhere(frame):
            share_still = partial(self._attention.share_still, timestamp_s=frame.timestamp_s)
            asking += [quad for quad in lying if quad not in asking and share_still(quad) == 1.0]
        for quad in asking:
            if self._slots.above(lying[quad]):
                continue
            piece = self._looker.find_cover(self._attention, frame, lying[quad])
            if piece is None:
                continue
            same = self._slots.find_same(piece)
            if same is not None:
                self._see_again(same, piece, frame)
            else:
                yield from self._land(frame, piece, self._dates.date(self._attention, piece, frame))

    def _asks_everywhere(self, frame: Frame) -> bool:
        """Whether every place is asked about now; notes that it was.

        What landed as the camera moved changes no more. It is tried again for a while, as the hand
        that brought it may still hide it.
        """
        since_s = frame.timestamp_s - self._moved_s
        is_time = frame.timestamp_s - self._asked_s >= _CHECK_EVERY_S
        if since_s > _AFTER_BUMP_S or not is_time:
            return False
        self._asked_s = frame.timestamp_s
        return True

    def _looks(self, frame: Frame) -> Iterator[Look]:
        """Looks at what came to rest, or at the whole table when its time has come."""
        attention = self._attention
        cell_area = attention.gate.cell_px**2
        card = _usual_area(tuple(slot.piece.quad_px for slot in self._slots))
        card = card or _USUAL_CARD_CELLS * cell_area
        asking = attention.asking(frame, max(_LEAST_CELLS, _CARD_SHARE * card / cell_area))
        for region, cells in asking:
            room = attention.room_around(region, card**0.5)
            yield self._recalled_or_looked(frame, cells, room, _LOOK_SCALE)
        if not asking and frame.timestamp_s >= self._next_beat_s:
            cells = attention.quiet_since_moved(frame, self._looked_s)
            self._next_beat_s = frame.timestamp_s + (HEARTBEAT_S if cells.any() else _CHECK_EVERY_S)
            if cells.any():
                self._looked_s = frame.timestamp_s
                room = attention.room_around(attention.around(cells), card**0.5)
                yield self._recalled_or_looked(frame, cells, room, _HEARTBEAT_SCALE)

    def _recalled_or_looked(self, frame: Frame, cells: Cells, room: Region, scale: float) -> Look:
        """A look at a region, without a detector where what is known explains the cells."""
        recalled = self._looker.recall(self._attention, frame, cells)
        return recalled or self._looker.look(self._attention, frame, cells, room, scale)

    def _finish(self, last: Frame, source: FrameSource) -> Iterator[TableEvent]:
        gate = self._attention.gate
        waiting = gate.settled(last.timestamp_s) | gate.disturbed
        if waiting.any():
            yield from self._reconcile(self._looker.look(self._attention, last, waiting, None))
            yield self._settled(last)
        if source.broken is not None:
            yield Notice(last.timestamp_s, "stream-broken", source.broken)

    def _reconcile(self, look: Look) -> Iterator[TableEvent]:
        """Compares a look with what is remembered."""
        new = []
        for piece in look.reading.pieces:
            if piece.kind is PieceKind.HAND or piece.face_id is None:
                continue
            same = self._slots.find_same(piece)
            if same is not None:
                self._see_again(same, piece, look.frame)
            elif self._attention.touches(piece.quad_px, look.cells) and self._rests(piece, look):
                new.append(piece)
        landings = [(piece, self._dates.date(self._attention, piece, look.frame)) for piece in new]
        landings.sort(key=lambda pair: pair[1].timestamp_s)
        for piece, landing in landings:
            yield from self._land(look.frame, piece, landing)
        yield from self._recheck(look)

    def _rests(self, piece: PieceReading, look: Look) -> bool:
        """Whether most of a piece lies still; a hand may carry it past cells that are quiet."""
        still = self._attention.share_still(piece.quad_px, look.frame.timestamp_s)
        return still >= _AT_REST

    def _recheck(self, look: Look) -> Iterator[TableEvent]:
        """Holds every remembered piece against a look."""
        seen = {piece.face_id for piece in look.reading.pieces}
        for slot in list(self._slots):
            if slot.number in look.unchanged:
                self._dates.see(slot.piece, look.frame.timestamp_s)
                self._slots.update(replace(slot, missing_s=None))
            elif slot.piece.face_id not in seen:
                if _is_strange(slot, look):
                    self._slots.update(replace(slot, missing_s=None))
                if self._attention.touches(slot.piece.quad_px, look.cells):
                    yield from self._miss(slot, look)

    def _land(self, frame: Frame, piece: PieceReading, landing: Landing) -> Iterator[TableEvent]:
        elsewhere = self._slots.find_elsewhere(piece)
        if any(self._looks_there(old, frame) for old in elsewhere):
            return  # a unique face that still lies in its place has been misread here
        left_s = min(frame.timestamp_s, landing.timestamp_s - landing.half_width_s)
        for old in elsewhere:
            yield self._lift(old, max(left_s, old.since_s), frame.index)
        slot = self._add(frame, piece, landing)
        yield Landed(landing.timestamp_s, landing.half_width_s, piece, slot.under, landing.index)

    def _lift(self, slot: Slot, timestamp_s: float, index: int) -> Lifted:
        self._slots.remove(slot)
        self._dates.lift(slot, timestamp_s)
        return Lifted(timestamp_s, 0.0, slot.piece, slot.under, index)

    def _add(self, frame: Frame, piece: PieceReading, landing: Landing) -> Slot:
        return self._slots.add(
            Slot(
                number=0,
                piece=piece,
                since_s=landing.timestamp_s,
                since_half_s=landing.half_width_s,
                under=self._slots.beneath(piece, landing.timestamp_s),
                look=self._attention.look_of(piece.quad_px, frame),
            )
        )

    def _see_again(self, slot: Slot, piece: PieceReading, frame: Frame) -> None:
        self._dates.see(piece, frame.timestamp_s)
        if piece.visible < slot.piece.visible - 0.1:
            self._slots.update(replace(slot, missing_s=None))
            return
        look = self._attention.look_of(piece.quad_px, frame)
        self._slots.update(replace(slot, piece=piece, look=look, missing_s=None))

    def _miss(self, slot: Slot, look: Look) -> Iterator[TableEvent]:
        """A remembered piece was not found where something changed."""
        pieces = look.reading.pieces
        is_beneath_seen = any(
            piece.face_id in slot.under
            and piece.visible > _IN_VIEW
            and overlap(slot.piece.quad_px, piece.quad_px) > _BENEATH_SEEN
            for piece in pieces
        )
        is_there = self._looks_there(slot, look.frame)
        if is_beneath_seen and not is_there:
            yield self._lift(slot, look.frame.timestamp_s, look.frame.index)
            return
        covers = [*hands(pieces), *(above.piece.quad_px for above in self._slots.above(slot))]
        is_hidden = hidden_share(slot.piece.quad_px, covers) > _HAND_OVER or _is_strange(slot, look)
        if slot.missing_s is None and not is_hidden and not is_there:
            self._slots.update(replace(slot, missing_s=look.frame.timestamp_s))

    def _looks_there(self, slot: Slot, frame: Frame) -> bool:
        place, look = slot.piece.quad_px, slot.look
        return look is not None and self._attention.still_shows(look, place, frame)

    def _check_missing(self, frame: Frame) -> Iterator[TableEvent]:
        """Lets go of pieces whose place has lain bare and still for a while."""
        for slot in list(self._slots):
            if slot.missing_s is None:
                continue
            if self._slots.above(slot) or self._looks_there(slot, frame):
                self._slots.update(replace(slot, missing_s=None))
            elif not self._attention.is_still(slot.piece.quad_px, frame.timestamp_s):
                self._slots.update(replace(slot, missing_s=frame.timestamp_s))
            elif frame.timestamp_s - slot.missing_s >= GONE_AFTER_S:
                yield self._lift(slot, slot.missing_s, frame.index)

    def _re_register(
        self, previous: Frame, frame: Frame, move: Registration
    ) -> Iterator[TableEvent]:
        """Carries everything over to the new place of the picture.

        Looks come from the last picture before the move, laid onto the new one: what lands or is
        picked up while the picture swings must not be remembered as having lain there.
        """
        there = {slot.number for slot in self._slots if self._looks_there(slot, previous)}
        self._slots.move_all(move.homography)
        plane = self._looker.plane
        self._looker.camera_moved(None if plane is None else plane.moved(move.homography))
        self._attention.restart(frame, move.homography)
        size_wh = self._attention.size_wh
        laid = cv2.warpPerspective(previous.luma, move.homography, size_wh)
        before = replace(previous, luma=np.asarray(laid, np.uint8), small=None)
        for slot in self._slots:
            if slot.number in there:
                look = self._attention.look_of(slot.piece.quad_px, before)
                self._slots.update(replace(slot, look=look))
        is_news = frame.timestamp_s - self._moved_s > _ONE_BUMP_S
        self._moved_s = frame.timestamp_s
        if is_news:
            text = f"the camera was moved by {move.shift_px:.0f} pixels; the table was found again"
            yield Notice(frame.timestamp_s, "camera-moved", text)
        yield self._settled(frame)

    def _settled(self, frame: Frame) -> Settled:
        width, height = self._attention.size_wh
        reading = TableReading(frame.timestamp_s, width, height, self._slots.pieces())
        return Settled(frame.timestamp_s, reading)


@lru_cache(maxsize=4)
def _usual_area(quads: tuple[Quad, ...]) -> float:
    """Median area of some quads in square pixels; they stay the same for many frames."""
    return float(np.median([area(quad) for quad in quads])) if quads else 0.0


def _is_strange(slot: Slot, look: Look) -> bool:
    """Whether something without a name lies in a piece's place: the piece may be beneath it."""
    return hidden_share(slot.piece.quad_px, look.strange_px) > _STRANGE_OVER
