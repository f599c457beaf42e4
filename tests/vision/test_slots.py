"""A slot stays until there is evidence that its piece is gone."""

from __future__ import annotations

import numpy as np
import pytest

from vision.slots import Slot, SlotBook, area, hidden_share, overlap, short_side, warp_quad
from vision.table import PieceKind, PieceReading, Quad


def square(left: float, top: float, side: float = 100.0) -> Quad:
    right, bottom = left + side, top + side
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def piece(face: str, quad: Quad, kind: str = "animal") -> PieceReading:
    return PieceReading(PieceKind.CARD, 0.9, quad, face_id=face, face_kind=kind)


def slot(reading: PieceReading) -> Slot:
    return Slot(0, reading, 0.0, ())


def book(*pieces: PieceReading) -> SlotBook:
    slots = SlotBook()
    for reading in pieces:
        slots.add(slot(reading))
    return slots


def test_an_empty_book_knows_nothing() -> None:
    empty = book()
    assert empty.pieces() == ()
    assert empty.find_same(piece("a01", square(0, 0))) is None


@pytest.mark.parametrize(("shift", "is_same"), [(0, True), (25, True), (35, False)])
def test_the_same_place_is_within_a_third_of_a_card(shift: float, *, is_same: bool) -> None:
    slots = book(piece("a01", square(0, 0)))
    assert (slots.find_same(piece("a01", square(shift, 0))) is not None) == is_same


def test_another_face_is_not_the_same_piece() -> None:
    assert book(piece("a01", square(0, 0))).find_same(piece("a02", square(0, 0))) is None


def test_a_unique_face_cannot_lie_in_two_places_but_a_back_can() -> None:
    slots = book(piece("a01", square(0, 0)), piece("back", square(0, 300), "back"))
    assert len(slots.find_elsewhere(piece("a01", square(500, 0)))) == 1
    assert slots.find_elsewhere(piece("back", square(500, 300), "back")) == []


def test_the_card_that_is_covered_most_comes_first() -> None:
    slots = book(piece("a01", square(0, 0)), piece("a02", square(105, 0)))
    camera = piece("cam-red", square(75, 0), "camera")
    assert slots.beneath(camera, 9.0) == ("a02", "a01")


def test_a_touched_card_is_not_covered() -> None:
    slots = book(piece("a01", square(0, 0)), piece("a02", square(105, 0)))
    assert slots.beneath(piece("cam-red", square(10, 0), "camera"), 9.0) == ("a01",)


def test_above_are_later_pieces_on_the_same_place() -> None:
    slots = book(piece("a01", square(0, 0)), piece("cam-red", square(20, 0), "camera"))
    low, high = slots
    assert [other.piece.face_id for other in slots.above(low)] == ["cam-red"]
    assert slots.above(high) == []


def test_pieces_are_listed_lowest_first_and_forgotten_when_removed() -> None:
    slots = book(piece("a01", square(0, 0)), piece("cam-red", square(20, 0), "camera"))
    assert [reading.face_id for reading in slots.pieces()] == ["a01", "cam-red"]
    slots.remove(next(iter(slots)))
    assert [reading.face_id for reading in slots.pieces()] == ["cam-red"]


def test_a_moved_camera_carries_every_slot_along() -> None:
    slots = book(piece("a01", square(10, 20)))
    slots.move_all(np.array([[1, 0, 5], [0, 1, -7], [0, 0, 1.0]]))
    assert slots.pieces()[0].quad_px == square(15, 13)


def test_geometry_of_quads() -> None:
    assert area(square(0, 0)) == pytest.approx(10_000)
    assert short_side(square(0, 0, 40)) == pytest.approx(40)
    assert overlap(square(0, 0), square(25, 0)) == pytest.approx(0.75)
    assert hidden_share(square(0, 0), []) == 0.0
    assert hidden_share(square(0, 0), [square(90, 0), square(50, 0)]) == pytest.approx(0.5)
    assert warp_quad(square(0, 0), np.eye(3)) == square(0, 0)
