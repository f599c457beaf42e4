"""Cards that nothing has found are sought beside the others."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.tables import Lying, deck_sources, draw_table
from vision.slots import to_quad
from vision.spread_gaps import find_beside
from vision.stacking import overlap_share
from vision.still import open_reader
from vision.table import PieceKind, PieceReading, TableReading

ROW = [Lying("a01", 150, 200, 2), Lying("a02", 219, 203, -2), Lying("a03", 284, 199)]
LOCKED = Lying("a04", 228, 118, 88)
FAR = Lying("a05", 480, 300, 30)


@pytest.fixture(scope="module")
def reader():
    return open_reader(deck_sources())


def read(lying):
    """What a reading says of cards, all of which it has named."""
    pieces = tuple(
        PieceReading(
            PieceKind.CARD, 1.0, to_quad(card.quad), to_quad(card.corners_mm), card.id, "animal"
        )
        for card in lying
    )
    return TableReading(2.5, 1000, 700, pieces)


def found(reader, lying, known):
    return find_beside(reader, draw_table(lying), read(known)).pieces


def test_nothing_known_finds_nothing(reader):
    assert found(reader, ROW, []) == ()


def test_bare_table_beside_cards_is_no_card(reader):
    assert found(reader, ROW, ROW) == ()


@pytest.mark.parametrize("missing", [*ROW, LOCKED], ids=lambda card: card.id)
def test_missing_card_of_a_row_or_before_it_is_named(reader, missing):
    lying = [*ROW, LOCKED]
    (piece,) = found(reader, lying, [card for card in lying if card is not missing])
    assert piece.face_id == missing.id
    assert piece.score > 0.95
    assert overlap_share(np.array(piece.quad_px, np.float32), missing.quad) > 0.9


def test_neighbours_and_what_the_detector_sees_elsewhere_are_found_too(reader):
    pieces = found(reader, [*ROW, FAR], [ROW[1]])
    assert {piece.face_id for piece in pieces} == {"a01", "a03", "a05"}


def test_card_that_hardly_shows_is_not_named(reader):
    covered = draw_table(ROW)
    left, top = ROW[2].quad.min(axis=0).astype(int)
    right, bottom = ROW[2].quad.max(axis=0).astype(int)
    covered[top:bottom, left + 12 : right] = (60, 85, 110)
    assert find_beside(reader, covered, read(ROW[:2])).pieces == ()
