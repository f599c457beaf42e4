"""From frames to table events: gate, detect, name, remember, look back.

The detector runs at the start and where something has come to rest looking different, never on
each frame; lookback then finds the moment in the frames that were not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.detection import Detections
from vision.frame import Frame, Image
from vision.gate import Cells, MotionGate, Region
from vision.lookback import Landing, find_landing, resemblance
from vision.registration import Registration, find_camera_move
from vision.ring import FrameRing, PastPatch
from vision.slots import (
    Slot,
    SlotBook,
    area,
    centre,
    hands,
    hidden_share,
    is_same_place,
    overlap,
    to_quad,
    warp_quad,
)
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

Corners = npt.NDArray[np.float32]
"""(4, 2) corners in pixels, clockwise."""

LOOK_BACK_S = 6.0
"""How far back a landing is searched: longer than a hand rests on a card."""
GONE_AFTER_S = 0.5
"""A place that lies bare this long, with no hand over it, has lost its piece."""
_CHECK_EVERY_S = 0.25
HEARTBEAT_S = 1.5
"""Where nothing asks, the whole table is looked at this often: what the detector missed under a
hand lies open later, and nothing has to move for that."""
_CARD_SHARE = 0.3
"""Part of a card that must have changed before the detector is asked."""
_STILL_THERE = 0.5
_THE_SAME = 0.9
_LEAST_CONFIDENCE = 0.3
_UNNAMED_KEPT = 40
_PART_OF = 0.6
"""Share of a finding inside a known piece from which it is a part of that piece: an arm over a
card leaves a shorter box."""
_STILL_PARTLY = 0.6
_HAND_OVER = 0.1


_TURNS = 12
"""Ways in which a card may lie that are tried: every 15 degrees, half a turn being the same."""


class Reader(Protocol):
    """Sees and names what lies on a picture."""

    def find(self, image_bgr: Image, region: Region | None = None) -> Detections:
        """Where pieces lie in a picture or a rectangle of it, in pixels of the whole picture."""

    def read_detections(
        self,
        image_bgr: Image,
        detections: Detections,
        timestamp_s: float,
        *,
        is_thorough: bool,
    ) -> TableReading:
        """Names what was found."""

    def name_turned(
        self, image_bgr: Image, piece: PieceReading, quads: Sequence[Corners]
    ) -> PieceReading:
        """Names a piece from several ways in which it may lie."""


@dataclass(frozen=True, slots=True)
class _Look:
    """One reading of a region, with the cells that asked for it."""

    frame: Frame
    cells: Cells
    reading: TableReading
    unchanged: frozenset[int]


class TableWatcher:
    """Watches one source and tells what happens on the table.

    Args:
        reader: The detector and the deck's gallery.
        progress: Called with the number of frames done, or None.

    Attributes:
        now_s: Time of the newest frame.
    """

    def __init__(self, reader: Reader, progress: Callable[[int], None] | None = None) -> None:
        self._reader = reader
        self._progress = progress
        self._slots = SlotBook()
        self._checked_s = 0.0
        self.now_s = 0.0
        self._looked_s = 0.0
        self._seen_s: dict[str, float] = {}
        self._unnamed: list[tuple[Quad, PastPatch]] = []
        self._size_mm: tuple[float, float] | None = None
        self._to_mm: npt.NDArray[np.float64] | None = None
        self._gate: MotionGate
        self._ring: FrameRing

    def watch(self, source: FrameSource) -> Iterator[TableEvent]:
        """All events of a source in the order in which they become known.

        Raises:
            SourceError: The source gives not one frame.
        """
        previous: Frame | None = None
        for frame in source.frames():
            with stopwatch("gate"):
                self._take(frame, first=previous is None)
            if previous is None:
                yield from self._start(frame)
            else:
                yield from self._follow(frame, previous)
            previous = frame
            if self._progress:
                self._progress(frame.index + 1)
        if previous is not None:
            yield from self._finish(previous, source)

    def _take(self, frame: Frame, *, first: bool) -> None:
        if first:
            height, width = frame.luma.shape
            self._gate = MotionGate(width, height)
            self._ring = FrameRing(self._gate.cell_px)
        self.now_s = frame.timestamp_s
        self._gate.update(frame.luma, frame.timestamp_s)
        self._ring.push(
            frame.index,
            frame.timestamp_s,
            frame.luma,
            self._gate.small,
            self._gate.exposure_step,
        )

    def _start(self, frame: Frame) -> Iterator[TableEvent]:
        everywhere = np.ones_like(self._gate.moving)
        reading = self._look(frame, everywhere, None).reading
        self._to_mm = _plane_of(reading)
        self._size_mm = _card_mm(reading)
        for piece in reading.pieces:
            if piece.kind is not PieceKind.HAND:
                self._add(frame, piece, Landing(0, 0.0, 0.0, 1.0))
        yield self._settled(frame)

    def _follow(self, frame: Frame, previous: Frame) -> Iterator[TableEvent]:
        move = find_camera_move(previous.luma, frame.luma, self._gate.moving)
        if move is not None:
            yield from self._re_register(frame, move)
            return
        changed = False
        looks = [
            self._look(frame, cells, self._room_around(region))
            for region, cells in self._asking(frame)
        ]
        if not looks and frame.timestamp_s - self._looked_s >= HEARTBEAT_S:
            quiet = self._gate.still(frame.timestamp_s) & ~self._gate.disturbed
            looks = [self._look(frame, quiet, None)]
        for look in looks:
            for event in self._reconcile(look):
                changed = True
                yield event
        if frame.timestamp_s - self._checked_s >= _CHECK_EVERY_S:
            self._checked_s = frame.timestamp_s
            for event in self._check_missing(frame):
                changed = True
                yield event
        if changed:
            yield self._settled(frame)

    def _finish(self, last: Frame, source: FrameSource) -> Iterator[TableEvent]:
        waiting = self._gate.settled(last.timestamp_s) | self._gate.disturbed
        if np.count_nonzero(waiting) >= self._card_cells():
            look = self._look(last, waiting, None)
            yield from self._reconcile(look)
            yield self._settled(last)
        if source.broken is not None:
            yield Notice(last.timestamp_s, "stream-broken", source.broken)

    def _asking(self, frame: Frame) -> list[tuple[Region, Cells]]:
        """Groups of cells that came to rest looking different, large enough for a piece."""
        settled = self._gate.settled(frame.timestamp_s)
        least = self._card_cells()
        if np.count_nonzero(settled) < least:
            return []
        restless = (~self._gate.still(frame.timestamp_s)).astype(np.uint8)
        near_motion = cv2.dilate(restless, np.ones((3, 3), np.uint8)) > 0
        found = []
        for region, cells in self._gate.regions(settled):
            count = np.count_nonzero(cells)
            if count < least:
                break
            if np.count_nonzero(cells & near_motion) <= 0.1 * count:
                found.append((region, cells))
        return found

    def _card_cells(self) -> float:
        areas = [area(slot.piece.quad_px) for slot in self._slots]
        card = float(np.median(areas)) if areas else 14 * self._gate.cell_px**2
        return max(3.0, _CARD_SHARE * card / self._gate.cell_px**2)

    def _room_around(self, region: Region) -> Region:
        """A region widened so that a whole piece fits around whatever changed."""
        sides = [float(np.sqrt(area(slot.piece.quad_px))) for slot in self._slots]
        margin = round(0.8 * float(np.median(sides))) if sides else 80
        height, width = self._ring.size
        return Region(
            max(0, region.left - margin),
            max(0, region.top - margin),
            min(width, region.right + margin),
            min(height, region.bottom + margin),
        )

    def _look(self, frame: Frame, cells: Cells, region: Region | None) -> _Look:
        """Finds what lies in a region, and names what is news there."""
        with stopwatch("colour"):
            image_bgr = frame.to_bgr()
        with stopwatch("detect"):
            found = self._reader.find(image_bgr, region)
            found = found.select(found.confidence >= _LEAST_CONFIDENCE)
        still_there: set[int] = set()
        rows = []
        for row in range(len(found)):
            quad = to_quad(found.quads[row])
            if found.kind(row) is PieceKind.HAND:
                rows.append(row)
                continue
            known = self._known_at(quad, frame)
            if known is not None:
                still_there.add(known)
            elif self._touches(quad, cells) and not (
                region is None and self._is_known_unnamed(quad, frame)
            ):
                rows.append(row)
        with stopwatch("name"):
            reading = self._reader.read_detections(
                image_bgr,
                found.select(np.array(rows, np.intp)),
                frame.timestamp_s,
                is_thorough=len(self._slots) == 0,
            )
            reading = self._with_turned(reading, image_bgr)
        self._gate.accept(cells)
        self._looked_s = frame.timestamp_s if region is None else self._looked_s
        self._remember_unnamed(reading, frame)
        return _Look(frame, cells, self._on_table(reading), frozenset(still_there))

    def _with_turned(self, reading: TableReading, image_bgr: Image) -> TableReading:
        """A reading in which Camera cards on other cards are tried under every turn."""
        if self._to_mm is None or self._size_mm is None:
            return reading
        pieces = tuple(
            self._reader.name_turned(image_bgr, piece, self._turned(piece.quad_px))
            if piece.face_id is None and piece.kind is PieceKind.CAMERA
            else piece
            for piece in reading.pieces
        )
        return replace(reading, pieces=pieces)

    def _turned(self, quad: Quad) -> list[Corners]:
        """A card around the middle of a quad, turned in every way."""
        assert self._to_mm is not None
        middle = centre(warp_quad(quad, self._to_mm))
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(self._size_mm) / 2
        to_px = np.linalg.inv(self._to_mm)
        quads = []
        for turn in np.arange(_TURNS) * np.pi / _TURNS:
            matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
            corners = cv2.perspectiveTransform((half @ matrix + middle)[None], to_px)[0]
            quads.append(corners.astype(np.float32))
        return quads

    def _remember_unnamed(self, reading: TableReading, frame: Frame) -> None:
        """What had no name need not be asked again while it looks the same."""
        fresh = [
            (piece.quad_px, self._look_of(piece.quad_px, frame))
            for piece in reading.pieces
            if piece.face_id is None and piece.kind is not PieceKind.HAND
        ]
        self._unnamed = [*self._unnamed, *fresh][-_UNNAMED_KEPT:]

    def _is_known_unnamed(self, quad: Quad, frame: Frame) -> bool:
        return any(
            is_same_place(unnamed, quad) and self._looks_like(look, unnamed, frame) > _THE_SAME
            for unnamed, look in self._unnamed
        )

    def _on_table(self, reading: TableReading) -> TableReading:
        """A reading with all pieces on the plane of the first one."""
        if self._to_mm is None:
            return reading
        pieces = tuple(
            replace(piece, quad_mm=warp_quad(piece.quad_px, self._to_mm))
            for piece in reading.pieces
        )
        return replace(reading, pieces=pieces)

    def _known_at(self, quad: Quad, frame: Frame) -> int | None:
        """The slot whose piece lies in this place and looks as it did: no need to name it again."""
        for slot in self._slots:
            known_px = slot.piece.quad_px
            if is_same_place(known_px, quad) or overlap(quad, known_px) > _PART_OF:
                likeness = self._resembles(slot, frame)
                if likeness > _STILL_PARTLY:
                    return slot.number
        return None

    def _reconcile(self, look: _Look) -> Iterator[TableEvent]:
        """Compares a reading with what is remembered."""
        new = []
        for piece in look.reading.pieces:
            if piece.kind is PieceKind.HAND or piece.face_id is None:
                continue
            same = self._slots.find_same(piece)
            if same is not None:
                self._seen_s[piece.face_id] = look.frame.timestamp_s
                self._see_again(same, piece, look.frame)
            elif self._touches(piece.quad_px, look.cells):
                new.append(piece)
        landings = [(piece, self._landing(piece, look.frame)) for piece in new]
        landings.sort(key=lambda pair: pair[1].timestamp_s)
        for piece, landing in landings:
            yield from self._land(look.frame, piece, landing)
        seen = {piece.face_id for piece in look.reading.pieces}
        for slot in list(self._slots):
            if slot.number in look.unchanged:
                self._seen_s[slot.piece.face_id or ""] = look.frame.timestamp_s
                self._slots.update(replace(slot, missing_s=None))
                continue
            is_near = self._touches(slot.piece.quad_px, look.cells)
            if is_near and slot.piece.face_id not in seen:
                yield from self._miss(slot, look)

    def _touches(self, quad: Quad, cells: Cells) -> bool:
        """Whether a good part of a quad lies in cells that asked for the look."""
        mine = self._gate.cells_of(_bounds(quad, self._ring.size))
        return bool(np.count_nonzero(mine & cells) >= 0.2 * np.count_nonzero(mine))

    def _land(self, frame: Frame, piece: PieceReading, landing: Landing) -> Iterator[TableEvent]:
        elsewhere = self._slots.find_elsewhere(piece)
        if any(self._looks_there(old, frame) for old in elsewhere):
            return  # a unique face that still lies in its place has been misread here
        for old in elsewhere:
            yield from self._lift(old, frame.timestamp_s, frame.index)
        slot = self._add(frame, piece, landing)
        yield Landed(landing.timestamp_s, landing.half_width_s, piece, slot.under, landing.index)

    def _lift(self, slot: Slot, timestamp_s: float, index: int) -> Iterator[TableEvent]:
        self._slots.remove(slot)
        yield Lifted(timestamp_s, 0.0, slot.piece, slot.under, index)

    def _add(self, frame: Frame, piece: PieceReading, landing: Landing) -> Slot:
        return self._slots.add(
            Slot(
                number=0,
                piece=piece,
                since_s=landing.timestamp_s,
                half_width_s=landing.half_width_s,
                frame_index=landing.index,
                under=self._slots.beneath(piece),
                look=self._look_of(piece.quad_px, frame),
            )
        )

    def _see_again(self, slot: Slot, piece: PieceReading, frame: Frame) -> None:
        better = piece if piece.visible >= slot.piece.visible - 0.1 else slot.piece
        look = self._look_of(better.quad_px, frame) if better is piece else slot.look
        self._slots.update(replace(slot, piece=better, look=look, missing_s=None))

    def _landing(self, piece: PieceReading, frame: Frame) -> Landing:
        with stopwatch("lookback"):
            region = _bounds(piece.quad_px, self._ring.size, margin=6)
            elsewhere_s = self._seen_s.get(piece.face_id or "", 0.0)
            from_s = max(frame.timestamp_s - LOOK_BACK_S, elsewhere_s)
            past = list(self._ring.patches(region, from_s))
            mask = _fill(piece.quad_px, region)
            found = find_landing(past, len(past) - 1, mask) if len(past) > 2 else None
        if found is not None:
            return found
        since_s = min(self._gate.disturbed_since(region), frame.timestamp_s)
        middle_s, half_s = (since_s + frame.timestamp_s) / 2, (frame.timestamp_s - since_s) / 2
        return Landing(frame.index, middle_s, half_s, 0.0)

    def _look_of(self, quad: Quad, frame: Frame) -> PastPatch:
        region = _bounds(quad, self._ring.size)
        patch = frame.luma[region.top : region.bottom, region.left : region.right].copy()
        return PastPatch(frame.index, frame.timestamp_s, self._ring.brightness, patch)

    def _miss(self, slot: Slot, look: _Look) -> Iterator[TableEvent]:
        """A remembered piece was not found where something changed."""
        pieces = look.reading.pieces
        beneath_seen = any(
            piece.face_id in slot.under and overlap(slot.piece.quad_px, piece.quad_px) > COVERED
            for piece in pieces
            if piece.visible > 0.9 or slot.piece.face_kind != "camera"
        )
        if beneath_seen and not self._looks_there(slot, look.frame):
            yield from self._lift(slot, look.frame.timestamp_s, look.frame.index)
            return
        covers = [*hands(pieces), *(above.piece.quad_px for above in self._slots.above(slot))]
        if hidden_share(slot.piece.quad_px, covers) > _HAND_OVER:
            return
        if slot.missing_s is None and not self._looks_there(slot, look.frame):
            self._slots.update(replace(slot, missing_s=look.frame.timestamp_s))

    def _looks_there(self, slot: Slot, frame: Frame) -> bool:
        return self._resembles(slot, frame) > _STILL_THERE

    def _resembles(self, slot: Slot, frame: Frame) -> float:
        """Share of a remembered piece that looks as it did when it was read."""
        return 0.0 if slot.look is None else self._looks_like(slot.look, slot.piece.quad_px, frame)

    def _looks_like(self, then: PastPatch, quad: Quad, frame: Frame) -> float:
        now = self._look_of(quad, frame)
        return resemblance(then, now, _fill(quad, _bounds(quad, self._ring.size)))

    def _check_missing(self, frame: Frame) -> Iterator[TableEvent]:
        """Lets go of pieces whose place has lain bare and still for a while."""
        for slot in list(self._slots):
            if slot.missing_s is None:
                continue
            cells = self._gate.cells_of(_bounds(slot.piece.quad_px, self._ring.size))
            if self._slots.above(slot) or self._looks_there(slot, frame):
                self._slots.update(replace(slot, missing_s=None))
            elif not self._gate.still(frame.timestamp_s)[cells].all():
                self._slots.update(replace(slot, missing_s=frame.timestamp_s))
            elif frame.timestamp_s - slot.missing_s >= GONE_AFTER_S:
                yield from self._lift(slot, slot.missing_s, frame.index)

    def _re_register(self, frame: Frame, move: Registration) -> Iterator[TableEvent]:
        self._slots.move_all(move.homography)
        self._unnamed = []
        if self._to_mm is not None:
            self._to_mm = self._to_mm @ np.linalg.inv(move.homography)
        self._gate.restart(frame.luma)
        self._ring.restart(frame.luma, self._gate.small, move.homography)
        yield Notice(
            frame.timestamp_s,
            "camera-moved",
            f"the camera was moved by about {move.shift_px:.0f} pixels; the table was found again",
        )
        yield self._settled(frame)

    def _settled(self, frame: Frame) -> Settled:
        height, width = self._ring.size
        reading = TableReading(frame.timestamp_s, width, height, self._slots.pieces())
        return Settled(frame.timestamp_s, reading)


COVERED = 0.3
"""Share of a piece's place that what lay beneath must show before the piece counts as gone."""


def _bounds(quad: Quad, size: tuple[int, int], margin: int = 0) -> Region:
    """The rectangle around a quad, inside the picture."""
    corners = np.asarray(quad)
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    height, width = size
    left_px = int(np.clip(left - margin, 0, width - 2))
    top_px = int(np.clip(top - margin, 0, height - 2))
    return Region(
        left_px,
        top_px,
        int(np.clip(np.ceil(right + margin), left_px + 2, width)),
        int(np.clip(np.ceil(bottom + margin), top_px + 2, height)),
    )


def _plane_of(reading: TableReading) -> npt.NDArray[np.float64] | None:
    """(3, 3) homography from pixels to millimetres on the table, as a reading found it."""
    pairs = [(p.quad_px, p.quad_mm) for p in reading.pieces if p.quad_mm is not None]
    if not pairs:
        return None
    pixels = np.array([quad_px for quad_px, _ in pairs], np.float64).reshape(-1, 1, 2)
    on_table = np.array([quad_mm for _, quad_mm in pairs], np.float64).reshape(-1, 1, 2)
    homography, _ = cv2.findHomography(pixels, on_table, cv2.LMEDS)
    return None if homography is None else np.asarray(homography, np.float64)


def _card_mm(reading: TableReading) -> tuple[float, float] | None:
    """Width and height of the named cards in millimetres."""
    sides = [
        (np.hypot(*np.subtract(quad[1], quad[0])), np.hypot(*np.subtract(quad[2], quad[1])))
        for piece in reading.pieces
        if (quad := piece.quad_mm) is not None and piece.face_id is not None
    ]
    if not sides:
        return None
    width, height = np.median(np.array(sides, np.float64), axis=0)
    return float(width), float(height)


def _fill(quad: Quad, region: Region) -> npt.NDArray[np.bool_]:
    """Pixels of a region that a quad covers."""
    mask = np.zeros((region.bottom - region.top, region.right - region.left), np.uint8)
    corners = np.asarray(quad, np.float64) - (region.left, region.top)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    return mask.astype(bool)
