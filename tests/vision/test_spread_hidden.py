"""Cards of which a hand leaves a part are named by it, and nothing else is named."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.tables import CARD_MM, TO_PX, Lying, deck_sources, draw_table
from vision.seen_plane import SeenPlane
from vision.slots import to_quad
from vision.spread_hidden import with_hidden
from vision.stacking import overlap_share
from vision.still import open_reader
from vision.table import PieceKind, PieceReading, TableReading

PLANE = SeenPlane(np.linalg.inv(TO_PX), CARD_MM)
ROW = [Lying("a01", 150, 200, 2), Lying("a02", 219, 203, -2), Lying("a03", 284, 199)]
UNDER = Lying("a07", 353, 204, 3)
SKIN = (120, 150, 210)


@pytest.fixture(scope="module")
def reader():
    return open_reader(deck_sources())


def read(lying, hand):
    """What a reading says of cards, all of which it has named, and of a hand."""
    pieces = [
        PieceReading(PieceKind.CARD, 1.0, to_quad(card.quad), None, card.id, "animal")
        for card in lying
    ]
    pieces.append(PieceReading(PieceKind.HAND, 0.5, to_quad(hand)))
    return PLANE.place(TableReading(0.0, 1000, 700, tuple(pieces)))


def lay_hand(picture, card, share):
    """Lays a hand over the lower part of a card, and returns its box."""
    right, down = card.quad[1] - card.quad[0], card.quad[3] - card.quad[0]
    start = card.quad[0] + down * np.float32(1 - share) - right * np.float32(0.1)
    wide, high = right * np.float32(1.2), down * np.float32(share + 0.4)
    hand = np.array([start, start + wide, start + wide + high, start + high], np.float32)
    cv2.fillConvexPoly(picture, np.round(hand).astype(np.int32), SKIN)
    for finger in (0.35, 0.7):
        root = start + wide * np.float32(finger)
        ends = [tuple(np.round(p).astype(int).tolist()) for p in (root, root + high)]
        cv2.line(picture, ends[0], ends[1], (90, 115, 170), 3)
    return hand


def named_under_hand(reader, lying, card, share, quads=()):
    picture = draw_table(lying)
    hand = lay_hand(picture, card, share)
    reading = with_hidden(reader, picture, read(ROW, hand), list(quads))
    return [piece for piece in reading.pieces if piece.face_id not in {c.id for c in ROW} | {None}]


@pytest.mark.parametrize("share", [0.3, 0.5])
@pytest.mark.parametrize("turn", [0, 180])
def test_card_is_named_by_what_a_hand_leaves(reader, share, turn):
    card = Lying(UNDER.id, UNDER.x_mm, UNDER.y_mm, UNDER.turn + turn)
    picture_quad = np.roll(card.quad, 1, axis=0) + np.float32([5, -4])
    (piece,) = named_under_hand(reader, [*ROW, card], card, share, [picture_quad])
    assert piece.face_id == card.id
    assert overlap_share(np.array(piece.quad_px, np.float32), card.quad) > 0.93
    assert piece.quad_mm is not None


def test_card_that_nothing_has_found_is_sought_beside_others(reader):
    (piece,) = named_under_hand(reader, [*ROW, UNDER], UNDER, 0.5)
    assert piece.face_id == UNDER.id


@pytest.mark.parametrize("share", [0.85, 1.0])
def test_card_that_hardly_shows_is_not_named(reader, share):
    assert named_under_hand(reader, [*ROW, UNDER], UNDER, share, [UNDER.quad]) == []


def test_bare_table_under_a_hand_is_no_card(reader):
    assert named_under_hand(reader, ROW, UNDER, 0.4, [UNDER.quad]) == []


@pytest.mark.parametrize("card_id", ["a07", "a09"])
def test_colours_of_a_card_without_its_print_are_no_card(reader, card_id):
    card = Lying(card_id, UNDER.x_mm, UNDER.y_mm, UNDER.turn)
    picture = draw_table([*ROW, card])
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, card.quad.astype(np.int32), 255)
    picture[mask > 0] = cv2.GaussianBlur(picture, (0, 0), 4)[mask > 0]
    hand = lay_hand(picture, card, 0.3)
    reading = with_hidden(reader, picture, read(ROW, hand), [card.quad])
    assert card_id not in {piece.face_id for piece in reading.pieces}


def test_face_that_lies_elsewhere_is_not_named_again(reader):
    twin = Lying("a02", UNDER.x_mm, UNDER.y_mm, 3)
    assert named_under_hand(reader, [*ROW, twin], twin, 0.4, [twin.quad]) == []


def test_unknown_piece_gets_its_name_and_is_there_once(reader):
    picture = draw_table([*ROW, UNDER])
    hand = lay_hand(picture, UNDER, 0.5)
    before = read(ROW, hand)
    unknown = PieceReading(PieceKind.CARD, 0.6, to_quad(UNDER.quad), runner_up=UNDER.id)
    before = PLANE.place(TableReading(0.0, 1000, 700, (*before.pieces, unknown)))
    reading = with_hidden(reader, picture, before, [])
    cards = [piece.face_id for piece in reading.pieces if piece.kind is PieceKind.CARD]
    assert sorted(cards) == ["a01", "a02", "a03", "a07"]


def without_hand(reader, picture):
    seen = read(ROW, UNDER.quad)
    bare = TableReading(0.0, 1000, 700, seen.pieces[:-1])
    return bare, with_hidden(reader, picture, bare, [UNDER.quad])


def test_card_under_a_hand_that_no_detector_saw_is_named(reader):
    picture = draw_table([*ROW, UNDER])
    lay_hand(picture, UNDER, 0.35)
    _, reading = without_hand(reader, picture)
    assert reading.pieces[-1].face_id == UNDER.id


def test_bare_table_without_a_hand_is_no_card(reader):
    bare, reading = without_hand(reader, draw_table(ROW))
    assert reading is bare
