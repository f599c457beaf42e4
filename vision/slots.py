"""What lies where: pieces remembered while a hand or another card hides them.

A slot is one lying piece. It stays until there is evidence that the piece is gone: it is seen
elsewhere, what lay beneath it is seen again, or its place lies bare for a while with no hand over
it. A picture in which a piece is not found is no evidence by itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.ring import PastPatch
from vision.table import PieceKind, PieceReading, Quad

UNIQUE_KINDS = frozenset({"animal", "task", "special", "camera", "habitat"})
"""Kinds of faces of which a deck has one each: seen elsewhere means gone from here."""

SAME_PLACE = 0.3
"""Centres nearer than this part of the short side are one place: a retreating hand nudges cards."""
COVERS = 0.15
"""Share of a piece that another must hide before it counts as lying on it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A piece at rest.

    Attributes:
        number: Running number, in the order of landing.
        piece: The best reading of it.
        since_s: When it came to lie there.
        under: Faces beneath it, the one that it covers most first.
        look: Its patch of the picture at rest, for telling whether it still lies there.
        missing_s: Since when its place has looked otherwise, or None.
        since_half_s: Half the width of the interval around `since_s` that the frames allow.
    """

    number: int
    piece: PieceReading
    since_s: float
    under: tuple[str, ...]
    look: PastPatch | None = None
    missing_s: float | None = None
    since_half_s: float = 0.0


class SlotBook:
    """All pieces that are known to lie on the table."""

    def __init__(self) -> None:
        self._slots: dict[int, Slot] = {}
        self._next = 0

    def __iter__(self) -> Iterator[Slot]:
        return iter(tuple(self._slots.values()))  # their numbers grow

    def __len__(self) -> int:
        return len(self._slots)

    def pieces(self) -> tuple[PieceReading, ...]:
        """What lies on the table, lowest first, hidden pieces included."""
        return tuple(slot.piece for slot in self)

    def find_same(self, piece: PieceReading) -> Slot | None:
        """The slot that this reading sees again, or None where it is new here."""
        return next(
            (
                slot
                for slot in self
                if slot.piece.face_id == piece.face_id
                and is_same_place(slot.piece.quad_px, piece.quad_px)
            ),
            None,
        )

    def find_elsewhere(self, piece: PieceReading) -> list[Slot]:
        """Slots of the same unique face: it cannot lie in two places."""
        if piece.face_id is None or piece.face_kind not in UNIQUE_KINDS:
            return []
        return [slot for slot in self if slot.piece.face_id == piece.face_id]

    def beneath(self, piece: PieceReading, landed_s: float) -> tuple[str, ...]:
        """Named faces on which a piece landed at a moment, the one that it covers most first."""
        hits = []
        for slot in self:
            face_id = slot.piece.face_id
            if face_id in (None, piece.face_id) or slot.since_s > landed_s:
                continue
            share = overlap(slot.piece.quad_px, piece.quad_px)
            if share > COVERS:
                hits.append((-share, face_id))
        return tuple(face_id for _, face_id in sorted(hits))

    def above(self, slot: Slot) -> list[Slot]:
        """Slots that lie over another one."""
        return [
            other
            for other in self
            if other.number > slot.number
            and overlap(slot.piece.quad_px, other.piece.quad_px) > COVERS
        ]

    def add(self, slot: Slot) -> Slot:
        """Takes in a new slot and numbers it."""
        numbered = replace(slot, number=self._next)
        self._slots[self._next] = numbered
        self._next += 1
        return numbered

    def update(self, slot: Slot) -> None:
        """Puts a changed slot in the place of the one with its number."""
        self._slots[slot.number] = slot

    def remove(self, slot: Slot) -> None:
        """Forgets a slot: the piece is gone."""
        self._slots.pop(slot.number, None)

    def move_all(self, homography: npt.NDArray[np.float64]) -> None:
        """Carries every slot along when the camera was moved.

        Args:
            homography: (3, 3), old pixels to new pixels.
        """
        for slot in list(self._slots.values()):
            quad = warp_quad(slot.piece.quad_px, homography)
            piece = replace(slot.piece, quad_px=quad)
            self.update(replace(slot, piece=piece, look=None))


def centre(quad: Quad) -> tuple[float, float]:
    """Mean of the corners."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = quad
    return (x0 + x1 + x2 + x3) / 4, (y0 + y1 + y2 + y3) / 4


def is_same_place(one: Quad, other: Quad) -> bool:
    """Whether two quads have about one centre."""
    return math.dist(centre(one), centre(other)) < SAME_PLACE * short_side(other)


def to_quad(corners: npt.NDArray[np.float32] | npt.NDArray[np.float64]) -> Quad:
    """Four corners `(4, 2)` as plain numbers."""
    points = [(float(x), float(y)) for x, y in corners]
    return points[0], points[1], points[2], points[3]


@lru_cache(maxsize=512)
def short_side(quad: Quad) -> float:
    """Length of the shorter pair of sides in pixels."""
    first, second, third, fourth = quad
    across = (math.dist(first, second) + math.dist(third, fourth)) / 2
    down = (math.dist(second, third) + math.dist(fourth, first)) / 2
    return min(across, down)


@lru_cache(maxsize=512)
def area(quad: Quad) -> float:
    """Area in square pixels."""
    return float(abs(cv2.contourArea(np.asarray(quad, np.float32))))


def overlap(covered: Quad, cover: Quad) -> float:
    """Share of one quad that lies inside another, 0 to 1."""
    if not _do_boxes_meet(covered, cover):
        return 0.0
    shared, _ = cv2.intersectConvexConvex(
        np.asarray(covered, np.float32), np.asarray(cover, np.float32)
    )
    return float(shared) / max(1e-6, area(covered))


def _do_boxes_meet(one: Quad, other: Quad) -> bool:
    """Whether the upright boxes of two quads meet: most pairs on a table do not."""
    left, top, right, bottom = _box(one)
    other_left, other_top, other_right, other_bottom = _box(other)
    return left < other_right and other_left < right and top < other_bottom and other_top < bottom


@lru_cache(maxsize=512)
def _box(quad: Quad) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a quad."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = quad
    xs, ys = (x0, x1, x2, x3), (y0, y1, y2, y3)
    return min(xs), min(ys), max(xs), max(ys)


def hidden_share(quad: Quad, covers: Iterable[Quad]) -> float:
    """Largest share of a quad that one of several others hides."""
    return max((overlap(quad, cover) for cover in covers), default=0.0)


def hands(pieces: Iterable[PieceReading]) -> list[Quad]:
    """Where hands were seen."""
    return [piece.quad_px for piece in pieces if piece.kind is PieceKind.HAND]


def warp_quad(quad: Quad, homography: npt.NDArray[np.float64]) -> Quad:
    """A quad carried through a homography."""
    points = np.asarray(quad, np.float64).reshape(-1, 1, 2)
    moved = cv2.perspectiveTransform(points, homography).reshape(4, 2)
    return to_quad(np.asarray(moved, np.float64))
