"""What lies spread out on a table: what several looks have seen of it, taken together.

Glare moves and hands leave, so a card that one look could not name may be named by the next. A
name is kept until its place looks otherwise with no hand over it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.attention import Attention
from vision.calibration import Rectangle, fit_plane
from vision.faces import FaceSource
from vision.frame import Frame
from vision.gate import Cells
from vision.slots import (
    Slot,
    SlotBook,
    centre,
    hands,
    hidden_share,
    is_same_place,
    overlap,
    to_quad,
)
from vision.table import PieceKind, PieceReading, Quad, TableReading

_LOOKS_THE_SAME = 0.75
"""Share of a card's structure that must look as before where the reader sees no card any more.
Cards of one deck share their scenery, so that less is reached by another card in its place."""
_SAME_GUESS = 0.45
"""The same, where the reader takes the card for what it was but is not sure enough to name it."""
_BLOWN = 236
"""So bright a part of a card shows the lamp, not the card."""
_HAND_OVER = 0.1
_MOSTLY = 0.5
"""Share of a reading that lies in a known card's place from which it is that card, or a part."""
_LEAST_FOR_PLANE = 2
_LEAST_FOR_SHIFT = 4
_LEAST_SHIFT_PX, _AGREES_PX, _MOST_AGREE = 5.0, 3.0, 0.8
"""A move of the camera that is worth a word, and how well how many of the cards must show it."""


class SpreadMemory:
    """Everything that is known to lie on the table.

    Args:
        faces: The faces of the deck, for their sizes.
    """

    def __init__(self, faces: Sequence[FaceSource]) -> None:
        self._sizes_mm = {face.id: face.size_mm for face in faces}
        self._slots = SlotBook()

    @property
    def pieces(self) -> tuple[PieceReading, ...]:
        """All that is known to lie on the table."""
        return self._slots.pieces()

    @property
    def unnamed(self) -> tuple[PieceReading, ...]:
        """Cards that nobody has named yet."""
        pieces = self._slots.pieces()
        return tuple(p for p in pieces if p.face_id is None and p.kind is PieceKind.CARD)

    def take(
        self, attention: Attention, frame: Frame, seen: TableReading, cells: Cells
    ) -> TableReading:
        """Takes a look in, and gives all that lies on the table.

        Args:
            attention: What moved, and what places look like now.
            frame: The frame that was read.
            seen: What was read.
            cells: Where something had changed; elsewhere all that was known still lies.
        """
        over = hands(seen.pieces)
        found = [piece for piece in seen.pieces if piece.kind is not PieceKind.HAND]
        for slot in list(self._slots):
            if attention.touches(slot.piece.quad_px, cells):
                self._recheck(attention, frame, slot, (found, over))
        for piece in sorted(found, key=lambda each: (each.face_id is None, -each.score)):
            self._put(attention, frame, piece)
        shown = [piece for piece in seen.pieces if piece.kind is PieceKind.HAND]
        return self.reading(frame, shown)

    def let_go(self, attention: Attention, frame: Frame, over: Sequence[Quad]) -> bool:
        """Forgets cards whose place looks otherwise, without a reading; tells whether any has gone.

        Args:
            attention: What places look like now.
            frame: A frame of a table at rest.
            over: Where hands are.
        """
        gone = [
            slot
            for slot in self._slots
            if self._likeness(attention, frame, slot) < _LOOKS_THE_SAME
            and hidden_share(slot.piece.quad_px, over) <= _HAND_OVER
        ]
        for slot in gone:
            self._slots.remove(slot)
        return bool(gone)

    def reading(self, frame: Frame, shown: Sequence[PieceReading] = ()) -> TableReading:
        """All that is known to lie there, on one plane, in the order in which it was seen first.

        Args:
            frame: The frame in which it lies there.
            shown: Hands that are seen in it.
        """
        pieces = [*self._slots.pieces(), *shown]
        quads = [np.array(piece.quad_px, np.float32) for piece in pieces]
        plane = fit_plane(
            [
                Rectangle(quad, self._sizes_mm[piece.face_id])
                for quad, piece in zip(quads, pieces, strict=True)
                if piece.face_id is not None
            ]
        )
        if plane is not None and plane.pieces < _LEAST_FOR_PLANE:
            plane = None
        placed = tuple(
            replace(piece, quad_mm=None if plane is None else to_quad(plane.on_table(quad)))
            for quad, piece in zip(quads, pieces, strict=True)
        )
        height, width = frame.luma.shape
        return TableReading(frame.timestamp_s, width, height, placed)

    def _recheck(
        self,
        attention: Attention,
        frame: Frame,
        slot: Slot,
        seen: tuple[Sequence[PieceReading], Sequence[Quad]],
    ) -> None:
        """Lets a card go where its place has changed and the look does not show it there."""
        found, over = seen
        here = next((piece for piece in found if _is_there(slot.piece, piece)), None)
        if here is not None and here.face_id is not None:
            if here.face_id != slot.piece.face_id:
                self._slots.remove(slot)
            return
        if hidden_share(slot.piece.quad_px, over) > _HAND_OVER:
            return
        if here is None and slot.piece.face_id is None:
            self._slots.remove(slot)
            return
        is_same_guess = here is not None and here.runner_up == slot.piece.face_id
        if self._likeness(attention, frame, slot) < (
            _SAME_GUESS if is_same_guess else _LOOKS_THE_SAME
        ):
            self._slots.remove(slot)

    def _put(self, attention: Attention, frame: Frame, piece: PieceReading) -> None:
        """Takes a reading in where it is news."""
        here = [slot for slot in self._slots if _is_there(slot.piece, piece)]
        elsewhere = [slot for slot in self._slots.find_elsewhere(piece) if slot not in here]
        if any(self._likeness(attention, frame, old) >= _LOOKS_THE_SAME for old in elsewhere):
            # A face that still lies in its place has been misread here.
            piece, elsewhere = replace(piece, face_id=None, runner_up=piece.face_id), []
        if piece.face_id is None and any(slot.piece.face_id is not None for slot in here):
            return
        for slot in [*here, *elsewhere]:
            self._slots.remove(slot)
        look = attention.look_of(piece.quad_px, frame)
        self._slots.add(Slot(0, piece, frame.timestamp_s, (), look))

    def _likeness(self, attention: Attention, frame: Frame, slot: Slot) -> float:
        if slot.look is None:
            return 0.0
        return attention.likeness(slot.look, slot.piece.quad_px, frame, _BLOWN)


def camera_shift(before: Iterable[PieceReading], after: Iterable[PieceReading]) -> float | None:
    """How far the picture went where all cards went the same way: the camera was moved.

    Returns:
        Pixels that a card went, or None where the cards lie where they lay.
    """
    old = {piece.face_id: centre(piece.quad_px) for piece in before if piece.face_id is not None}
    new = {piece.face_id: centre(piece.quad_px) for piece in after if piece.face_id in old}
    if len(new) < _LEAST_FOR_SHIFT:
        return None
    there = np.array([*new.values()], np.float32)
    here = np.array([old[face_id] for face_id in new], np.float32)
    shift_px = float(np.median(np.linalg.norm(there - here, axis=1)))
    _, inliers = cv2.estimateAffinePartial2D(here, there, ransacReprojThreshold=_AGREES_PX)
    agree = 0.0 if inliers is None else float(np.mean(inliers))
    return shift_px if shift_px >= _LEAST_SHIFT_PX and agree >= _MOST_AGREE else None


def _is_there(known: PieceReading, piece: PieceReading) -> bool:
    """Whether a reading is of what was known in this place."""
    return (
        is_same_place(known.quad_px, piece.quad_px)
        or overlap(piece.quad_px, known.quad_px) > _MOSTLY
    )
