"""Cards spread out on a table are read where the light or the table make it hard."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.tables import Lying, deck_sources, draw_table
from vision.face_finder import FaceFinder
from vision.spread_reader import read_spread
from vision.stacking import overlap_share
from vision.still import open_reader
from vision.table import PieceKind

ROWS = [Lying("a01", 150, 200, 2), Lying("a02", 219, 203, -2), Lying("a03", 284, 199),
        Lying("a04", 150, 330)]  # fmt: skip


FACES = [source for source in deck_sources() if source.kind in ("animal", "back")]


@pytest.fixture(scope="module")
def reader():
    return open_reader(FACES)


def read(reader, picture):
    return read_spread(reader, FaceFinder(FACES), picture)


def shaded(picture, at, share):
    """The picture with a shadow whose edge runs across a place."""
    shade = np.ones(picture.shape[:2], np.float32)
    x, y = at
    edge = [[x - 900, y + 720], [x + 900, y - 720], [3000, 3000]]
    cv2.fillConvexPoly(shade, np.array(edge).round().astype(np.int32), share)
    return (picture * cv2.GaussianBlur(shade, (0, 0), 2)[..., None]).astype(np.uint8)


@pytest.mark.parametrize("back", ["back-animal", "back-task"])
def test_a_back_across_which_a_shadow_falls_is_one(reader, back):
    lying = Lying(back, 284, 330, 4)
    picture = shaded(draw_table([*ROWS, lying]), lying.quad.mean(axis=0), 0.4)
    (piece,) = (p for p in read(reader, picture).pieces if p.face_id not in {c.id for c in ROWS})
    assert (piece.face_id, piece.kind) == (back, PieceKind.BACK)
    assert overlap_share(np.array(piece.quad_px, np.float32), lying.quad) > 0.9


def strewn(lying, shrunk):
    """A pale table, 2000 x 2000 pixels, that is strewn with bright chips, and small cards on it."""
    rng = np.random.default_rng(0)
    table = np.full((2000, 2000, 3), (200, 195, 205), np.uint8)
    for _ in range(6000):
        angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 8))))
        arms = rng.uniform(3, 9) * rng.uniform(0.5, 1, (len(angles), 1))
        chip = rng.uniform(0, 2000, 2) + arms * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        colour = [int(level) for level in rng.integers(0, 255, 3)]
        cv2.fillPoly(table, [chip.astype(np.int32)], colour, cv2.LINE_AA)
    picture = draw_table(lying)
    mask = np.zeros(picture.shape[:2], np.uint8)
    for card in lying:
        cv2.fillConvexPoly(mask, card.quad.round().astype(np.int32), 255)
    small, kept = (
        cv2.resize(p, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
        for p in (picture, mask)
    )
    table[700 : 700 + len(small), 500 : 500 + small.shape[1]][kept > 127] = small[kept > 127]
    return table


def test_small_cards_are_seen_on_a_table_that_is_strewn_with_spots(reader):
    reading = read(reader, strewn(ROWS, 0.7))
    assert {piece.face_id for piece in reading.pieces} - {None} == {card.id for card in ROWS}
