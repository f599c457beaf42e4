"""One look at the table: find what lies in a region, and name only what is news there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.attention import STILL_THERE, Attention
from vision.detection import Detections
from vision.frame import Frame, Image
from vision.gate import Cells, Region
from vision.piles import with_piles
from vision.ring import PastPatch
from vision.seen_light import AS_PRINTED
from vision.seen_plane import Corners, SeenPlane
from vision.sighting import Effort
from vision.slots import (
    Slot,
    SlotBook,
    area,
    hidden_share,
    is_same_place,
    overlap,
    to_quad,
    warp_quad,
)
from vision.stacking import overlap_share
from vision.stopwatch import stopwatch
from vision.table import PieceKind, PieceReading, Quad, TableReading

_STILL_PARTLY, _SAME_PRINT = 0.6, 0.62
"""Share of its structure, and correlation with it, that a known piece must show to need no naming:
a Task on another one in dim light had 0.72 and 0.55."""
_THE_SAME = 0.9
_AS_IT_WAS = 0.8
"""Share of its structure that a piece must show to explain that its place has changed."""
_LEAST_CONFIDENCE = 0.3
_FAINT = 0.08
"""From here on a finding that touches a surer one is worth a try at the first look: a card of a
pile, of which only a strip peeks out, is never found surely."""
_HAND = PieceKind.HAND
_UNNAMED_KEPT = 40
_MOST_TRIES = 3
_LIES_ON = 0.4
_MOSTLY_IN_VIEW = 0.35
"""Share of a finding that a hand may hide while a search is worth it."""
_MUCH_OF = 0.8
"""Share of a known piece's area below which a finding inside it is no piece in its place."""
_PART_OF = 0.6
"""Share of a finding inside a known piece from which it is a part of that piece: an arm over a
card leaves a shorter box."""


Gains = npt.NDArray[np.float32]
"""(3,) blue, green, red: how bright the table shows what is printed."""


class Reader(Protocol):
    """Sees and names what lies on a picture."""

    @property
    def kinds(self) -> Collection[PieceKind]:
        """Kinds of pieces that can be named."""

    def find(
        self, image_bgr: Image, region: Region | None = None, scale: float = 1.0
    ) -> Detections:
        """Where pieces lie in a picture or a rectangle of it, in pixels of the whole picture."""

    def read_detections(
        self,
        image_bgr: Image,
        detections: Detections,
        timestamp_s: float,
        *,
        efforts: Sequence[Effort],
    ) -> TableReading:
        """Names what was found."""

    def name_held(
        self,
        image_bgr: Image,
        quads: Sequence[Corners],
        gains: Gains,
        known: Sequence[PieceReading],
    ) -> PieceReading | None:
        """Names a Camera card, unless it is known, from several ways in which it may lie."""

    def gains_of(self, image_bgr: Image, reading: TableReading) -> Gains:
        """Blue, green, red of what a picture shows, as multiples of what is printed there."""


@dataclass(frozen=True, slots=True)
class Look:
    """One reading of a region.

    Attributes:
        frame: The frame that was read.
        cells: The cells that asked for the look.
        reading: What is news there, hands included.
        unchanged: Numbers of the slots that were seen to be as they were.
        strange_px: Where something lies that is neither known nor named.
    """

    frame: Frame
    cells: Cells
    reading: TableReading
    unchanged: frozenset[int]
    strange_px: tuple[Quad, ...]


@dataclass(frozen=True, slots=True)
class _Recalled:
    """Findings held against what is known.

    Attributes:
        unchanged: Numbers of the slots that are as they were.
        efforts: Rows of the findings that are news, with the effort that each is worth.
        strange_px: Findings that show no known piece as it was.
    """

    unchanged: frozenset[int]
    efforts: dict[int, Effort]
    strange_px: tuple[Quad, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Unnamed:
    """Something without a name: where it was found, how it looked, how often it was tried."""

    quad_px: Quad
    look: PastPatch
    tries: int


class Looker:
    """Looks at frames with a reader, knowing what lies where.

    Args:
        reader: The detector and the deck's gallery.
        slots: What is known to lie on the table.

    Attributes:
        plane: The table plane, once the first look has found it.
    """

    def __init__(self, reader: Reader, slots: SlotBook) -> None:
        self._reader = reader
        self._slots = slots
        self._unnamed: list[_Unnamed] = []
        self._picture = (-1, np.zeros((0, 0, 3), np.uint8))
        self._gains: Gains = AS_PRINTED
        self.plane: SeenPlane | None = None

    def look(
        self,
        attention: Attention,
        frame: Frame,
        cells: Cells,
        region: Region | None,
        scale: float = 1.0,
    ) -> Look:
        """Looks at a region, or at the whole picture, for news in some cells.

        Args:
            attention: What moved and what it looked like.
            frame: The newest frame.
            cells: Where something is news.
            region: The part that is looked at, or None.
            scale: How large the detector sees it, as a part of the usual.
        """
        is_first = len(self._slots) == 0
        image_bgr = self._colours(frame)
        with stopwatch("detect"):
            found = self._reader.find(image_bgr, region, scale)
            if is_first:
                closer = partial(self._reader.find, image_bgr)
                found = with_piles(found, attention.size_wh, closer)
            found = _worth_naming(found, is_first=is_first)
        with stopwatch("recall"):
            recalled = self._recall(attention, frame, cells, found)
        efforts = recalled.efforts
        if is_first:
            efforts = dict.fromkeys(efforts, Effort.THOROUGH)
        with stopwatch("name"):
            news = found.select(np.array(list(efforts), np.intp))
            reading = self._reader.read_detections(
                image_bgr, news, frame.timestamp_s, efforts=list(efforts.values())
            )
            reading = self._with_held(attention, frame, reading)
        named = [piece.quad_px for piece in reading.pieces if piece.face_id is not None]
        tried = [to_quad(found.quads[row]) for row in efforts if found.kind(row) is not _HAND]
        is_to_be_seen_again = self._remember_unnamed(
            attention, reading, _elsewhere(tried, named), frame
        )
        if self.plane is None:
            self.plane = SeenPlane.of(reading)
            self._gains = self._reader.gains_of(image_bgr, reading) / attention.ring.brightness
        if self.plane is not None:
            reading = self.plane.place(reading)
        if not is_to_be_seen_again or is_first:
            attention.gate.accept(cells)
        strange = tuple(_elsewhere(recalled.strange_px, named))
        unsure = [to_quad(found.quads[row]) for row in found.rows_of(_HAND)]
        attention.learn(cells, frame.timestamp_s, [*unsure, *strange])
        return Look(frame, cells, reading, recalled.unchanged, strange)

    def recall(self, attention: Attention, frame: Frame, cells: Cells) -> Look | None:
        """A look without a detector, where pieces that lie as they lay explain some cells.

        So it is when a hand has left them, or a card that was pushed lies still again. A piece
        under another explains nothing, as the upper one may have been taken away. Where no piece
        is known to lie, it is enough that the table looks familiar.

        Args:
            attention: What moved and what it looked like.
            frame: The newest frame.
            cells: Where something is news.

        Returns:
            A look in which these pieces are unchanged, or None where more than they may lie there.
        """
        explained, places = np.zeros_like(cells), np.zeros_like(cells)
        known = set()
        for slot in self._slots:
            inside = attention.cells_in(slot.piece.quad_px)
            places |= inside
            is_asked = (inside & cells).any() and not self._slots.above(slot)
            if is_asked and self.likeness(attention, slot, frame) > _AS_IT_WAS:
                explained |= inside
                known.add(slot.number)
        # The edge of a card, and its shadow, change cells beside it.
        explained = cv2.dilate(explained.view(np.uint8), np.ones((3, 3), np.uint8)) > 0
        if (cells & ~explained & (places | ~attention.familiar())).any():
            return None
        attention.gate.accept(cells)
        reading = TableReading(frame.timestamp_s, *attention.size_wh, ())
        return Look(frame, cells, reading, frozenset(known), ())

    def find_cover(self, attention: Attention, frame: Frame, slot: Slot) -> PieceReading | None:
        """Names the Camera card that was laid on a known piece, though a hand may still hold it.

        It needs no detector: where it lies is known, and which faces it may show.
        """
        plane, quad = self.plane, slot.piece.quad_px
        if plane is None or PieceKind.CAMERA not in self._reader.kinds:
            return None
        if self.likeness(attention, slot, frame) > STILL_THERE:
            return None
        found = self._name_held(attention, frame, quad, plane)
        if found is None:
            return None
        return replace(found, quad_mm=warp_quad(found.quad_px, plane.to_mm))

    def _name_held(
        self, attention: Attention, frame: Frame, quad: Quad, plane: SeenPlane
    ) -> PieceReading | None:
        """Names the Camera card that is news around a place."""
        known = [slot.piece for slot in self._slots if slot.piece.kind is PieceKind.CAMERA]
        gains = self._gains * np.float32(attention.ring.brightness)
        with stopwatch("held"):
            return self._reader.name_held(self._colours(frame), plane.turned(quad), gains, known)

    def _colours(self, frame: Frame) -> Image:
        """The picture of a frame in colour, made once for all looks at it."""
        index, image_bgr = self._picture
        if index != frame.index:
            with stopwatch("colour"):
                image_bgr = frame.to_bgr()
            self._picture = frame.index, image_bgr
        return image_bgr

    def camera_moved(self, moved: SeenPlane | None) -> None:
        """Takes the plane after a moved camera; what had no name is forgotten."""
        self.plane = moved
        self._unnamed = []

    def likeness(self, attention: Attention, slot: Slot, frame: Frame) -> float:
        """Share of a remembered piece that looks as it did when it was read."""
        if slot.look is None:
            return 0.0
        return attention.likeness(slot.look, slot.piece.quad_px, frame)

    def _recall(
        self, attention: Attention, frame: Frame, cells: Cells, found: Detections
    ) -> _Recalled:
        """Holds what was found against what is known."""
        hands = [to_quad(found.quads[row]) for row in found.rows_of(_HAND)]
        unchanged: set[int] = set()
        efforts: dict[int, Effort] = {}
        strange: list[Quad] = []
        for row in range(len(found)):
            quad = to_quad(found.quads[row])
            if found.kind(row) is _HAND:
                efforts[row] = Effort.GLANCE
                continue
            known = self._known_at(attention, quad, frame)
            if known is not None:
                unchanged.add(known)
                continue
            strange.append(quad)
            if attention.touches(quad, cells):
                unnamed = self._find_unnamed(attention, quad, frame)
                if unnamed is None or unnamed.tries < _MOST_TRIES:
                    efforts[row] = self._effort(attention, frame, (found.kind(row), quad), hands)
        return _Recalled(frozenset(unchanged), efforts, tuple(strange))

    def _effort(
        self,
        attention: Attention,
        frame: Frame,
        finding: tuple[PieceKind, Quad],
        hands: Sequence[Quad],
    ) -> Effort:
        """A glance at what moves or lies under a hand, and a search for what lies open.

        A Camera card may be taken back at once, so it is searched wherever one was seen. What is
        found inside the place of a known piece is a Camera card on it, or what a hand leaves of it.
        """
        kind, quad = finding
        if kind is PieceKind.CAMERA:
            return Effort.CLAIM
        if kind not in self._reader.kinds:
            return Effort.GLANCE
        if not attention.is_still(quad, frame.timestamp_s):
            return Effort.GLANCE
        is_hidden = hidden_share(quad, hands) > _MOSTLY_IN_VIEW
        places = [slot.piece.quad_px for slot in self._slots]
        known = [place for place in places if overlap(quad, place) > _PART_OF]
        if not known:
            return Effort.GLANCE if is_hidden else Effort.SEARCH
        is_part = any(area(quad) < _MUCH_OF * area(place) for place in known)
        return Effort.CLAIM if is_part or is_hidden else Effort.SEARCH

    def _known_at(self, attention: Attention, quad: Quad, frame: Frame) -> int | None:
        """The slot whose piece lies in this place and looks as it did: no need to name it again."""
        for slot in self._slots:
            known_px = slot.piece.quad_px
            is_here = is_same_place(known_px, quad) or overlap(quad, known_px) > _PART_OF
            if not is_here or slot.look is None:
                continue
            if attention.still_shows(slot.look, known_px, frame, _STILL_PARTLY, _SAME_PRINT):
                return slot.number
        return None

    def _with_held(self, attention: Attention, frame: Frame, reading: TableReading) -> TableReading:
        """A reading in which what lies on known pieces is tried under every turn.

        A hand holds a Camera card for half a second after it has landed, and its box is then
        a loose one: only about where it lies is known.
        """
        plane = self.plane
        if plane is None:
            return reading
        pieces = tuple(
            self._name_held(attention, frame, piece.quad_px, plane) or piece
            if piece.face_id is None and self._may_be_camera(piece)
            else piece
            for piece in reading.pieces
        )
        return replace(reading, pieces=pieces)

    def _may_be_camera(self, piece: PieceReading) -> bool:
        if piece.kind is PieceKind.CAMERA:
            return True
        return piece.kind is PieceKind.CARD and any(
            overlap(slot.piece.quad_px, piece.quad_px) > _LIES_ON for slot in self._slots
        )

    def _remember_unnamed(
        self, attention: Attention, reading: TableReading, unnamed: Sequence[Quad], frame: Frame
    ) -> bool:
        """Notes what was tried and has no name; tells whether another look soon may bring one.

        What lies on a known piece is worth it, as a hand may just be leaving.
        """
        shown = [piece.quad_px for piece in reading.pieces if piece.face_id is None]
        is_worth_it = False
        for quad in unnamed:
            before = self._find_unnamed(attention, quad, frame)
            tries = 1 if before is None else before.tries + 1
            if before is not None:
                self._unnamed.remove(before)
            self._unnamed.append(_Unnamed(quad, attention.look_of(quad, frame), tries))
            if tries < _MOST_TRIES and any(is_same_place(other, quad) for other in shown):
                is_worth_it = is_worth_it or any(
                    overlap(quad, slot.piece.quad_px) > _LIES_ON for slot in self._slots
                )
        self._unnamed = self._unnamed[-_UNNAMED_KEPT:]
        return is_worth_it

    def _find_unnamed(self, attention: Attention, quad: Quad, frame: Frame) -> _Unnamed | None:
        """What was found here without a name and still looks the same."""
        return next(
            (
                unnamed
                for unnamed in self._unnamed
                if is_same_place(unnamed.quad_px, quad)
                and attention.likeness(unnamed.look, unnamed.quad_px, frame) > _THE_SAME
            ),
            None,
        )


def _worth_naming(found: Detections, *, is_first: bool) -> Detections:
    """What was found well enough."""
    is_sure = found.confidence >= _LEAST_CONFIDENCE
    if not is_first:
        return found.select(is_sure)
    sure = [quad for quad, is_worth in zip(found.quads, is_sure, strict=True) if is_worth]
    is_peeking = [
        confidence >= _FAINT and any(overlap_share(quad, other) > 0 for other in sure)
        for quad, confidence in zip(found.quads, found.confidence, strict=True)
    ]
    return found.select(is_sure | np.array(is_peeking, bool))


def _elsewhere(quads: Iterable[Quad], places: Sequence[Quad]) -> list[Quad]:
    """The quads that lie in none of some places."""
    return [quad for quad in quads if not any(is_same_place(place, quad) for place in places)]
