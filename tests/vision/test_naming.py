"""Cards are laid as rectangles on the table, and named with the help of those that are sure."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.tables import CARD_MM, Lying, deck_gallery, draw_table
from vision.calibration import Rectangle, fit_plane
from vision.gallery import Gallery
from vision.naming import Scene, name_pieces
from vision.piece import Piece
from vision.sighting import FaceMatch, Sighting
from vision.table import PieceKind

CARDS = [Lying(f"a{row * 4 + col + 1:02}", 110 + 80 * col, 100 + 110 * row, 4.0)
         for row in range(3) for col in range(4)]  # fmt: skip


@pytest.mark.parametrize("short_by", [0.075, 0.1])
def test_a_card_that_is_laid_a_little_short_is_laid_anew(
    monkeypatch: pytest.MonkeyPatch, short_by: float
) -> None:
    picture, stuck = draw_table(CARDS), CARDS[6]
    identify = Gallery.identify

    def sticks(self: Gallery, sighting: Sighting, among: object = None) -> FaceMatch | None:
        """As an alignment that stops where only a part of the card fits."""
        match = identify(self, sighting)
        if match is None or match.id != stuck.id:
            return match
        quad = match.quad_px.copy()
        quad[2:] -= short_by * (quad[2:] - quad[:2][::-1])
        return replace(match, quad_px=quad, fit=0.93)

    monkeypatch.setattr(Gallery, "identify", sticks)
    pieces = [Piece(PieceKind.CARD, 0.9, card.quad, card.quad) for card in CARDS]
    scene = Scene(deck_gallery(), picture, (), None, is_exact=False)
    named, plane = name_pieces(scene, pieces)
    found = next(piece for piece in named if piece.match and piece.match.guess == stuck.id)
    assert plane is not None
    assert found.is_named
    assert np.abs(found.quad - stuck.quad).max() < 2
    assert plane.error_of(Rectangle(found.quad, CARD_MM)) < 0.02
    assert fit_plane([Rectangle(card.quad, CARD_MM) for card in CARDS]) is not None


@pytest.mark.parametrize(("is_exact", "most"), [(False, 1), (True, 9)])
def test_what_fits_no_face_at_all_is_tried_once_where_the_table_is_watched(
    monkeypatch: pytest.MonkeyPatch, is_exact: bool, most: int
) -> None:
    picture, tries = draw_table(CARDS), []
    strange = Lying("a01", 460, 210, 0.0).quad
    left, top, right, bottom = *strange.min(axis=0).astype(int), *strange.max(axis=0).astype(int)
    stripes = np.arange(bottom - top) // 7 % 2
    picture[top:bottom, left:right] = stripes[:, None, None] * np.array([200, 20, 90])
    identify = Gallery.identify

    def counted(self: Gallery, sighting: Sighting, among: object = None) -> FaceMatch | None:
        match = identify(self, sighting)
        if np.abs(sighting.quad.mean(axis=0) - strange.mean(axis=0)).max() < 40:
            tries.append(match)
        return match

    monkeypatch.setattr(Gallery, "identify", counted)
    pieces = [Piece(PieceKind.CARD, 0.9, card.quad, card.quad) for card in CARDS]
    touching_others = (strange + 2.0 * (strange - strange.mean(axis=0))).astype(np.float32)
    pieces.append(Piece(PieceKind.CARD, 0.2, touching_others, strange))
    name_pieces(Scene(deck_gallery(), picture, (), None, is_exact=is_exact), pieces)
    assert 1 <= len(tries) <= most
    assert len(tries) > 1 or not is_exact
    assert all(match is None or match.id is None for match in tries)


@pytest.mark.parametrize(("confidence", "is_tried_again"), [(0.3, False), (0.7, True)])
def test_what_touches_no_card_is_tried_again_only_where_the_detector_is_sure(
    monkeypatch: pytest.MonkeyPatch, confidence: float, is_tried_again: bool
) -> None:
    last, tries = CARDS[6].quad, []
    identify = Gallery.identify

    def nameless(self: Gallery, sighting: Sighting, among: object = None) -> FaceMatch | None:
        match = identify(self, sighting)
        if match is None or np.abs(sighting.quad.mean(axis=0) - last.mean(axis=0)).max() > 40:
            return match
        tries.append(match)
        return replace(match, id=None, kind=None, score=0.0, fit=0.7)

    monkeypatch.setattr(Gallery, "identify", nameless)
    pieces = [
        Piece(PieceKind.CARD, 0.9, card.quad, card.quad) for card in CARDS if card.id != CARDS[6].id
    ]
    pieces.append(Piece(PieceKind.CARD, confidence, last, last))
    name_pieces(Scene(deck_gallery(), draw_table(CARDS), (), None, is_exact=False), pieces)
    assert (len(tries) > 1) == is_tried_again


@pytest.mark.parametrize("is_exact", [False, True])
def test_no_face_is_sought_under_a_hand_that_hides_all_where_the_table_is_watched(
    monkeypatch: pytest.MonkeyPatch, is_exact: bool
) -> None:
    hidden, tries = CARDS[6].quad, []
    identify = Gallery.identify

    def counted(self: Gallery, sighting: Sighting, among: object = None) -> FaceMatch | None:
        tries.append(sighting.quad.mean(axis=0))
        return identify(self, sighting, among)

    monkeypatch.setattr(Gallery, "identify", counted)
    pieces = [Piece(PieceKind.CARD, 0.4, card.quad, card.quad) for card in CARDS]
    hand = (hidden + 0.05 * (hidden - hidden.mean(axis=0))).astype(np.float32)
    name_pieces(Scene(deck_gallery(), draw_table(CARDS), [hand], None, is_exact=is_exact), pieces)
    assert len(tries) >= len(CARDS) - 1
    near = [place for place in tries if np.abs(place - hidden.mean(axis=0)).max() < 40]
    assert bool(near) == is_exact


def bent(picture: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A picture as a wide lens shows it, its corners drawn inwards, and points in it."""
    height, width = picture.shape[:2]
    centre, half = np.array([width, height]) / 2, float(np.hypot(width, height)) / 2

    def inwards(places: np.ndarray) -> np.ndarray:
        away = (places - centre) / half
        return centre + (places - centre) * (1 - 0.09 * (away**2).sum(axis=-1, keepdims=True))

    seen = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).astype(float)
    source = seen.copy()
    for _ in range(8):
        source += seen - inwards(source)
    flat = source.astype(np.float32)
    return cv2.remap(picture, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR), inwards(points)


def test_a_strip_at_the_bent_edge_of_a_picture_is_named_by_the_card_over_it() -> None:
    pile = [Lying("a30", 510, 92, 90.0), Lying("a29", 521, 114, 90.0)]
    cards = [*CARDS, *pile]
    quads = np.stack([card.quad for card in cards]).astype(float)
    picture, places = bent(draw_table(cards), quads)
    pieces = [Piece(PieceKind.CARD, 0.9, quad, quad) for quad in places.astype(np.float32)]
    named, plane = name_pieces(Scene(deck_gallery(), picture, (), None, is_exact=False), pieces)
    assert plane is not None
    found = {piece.match.id: piece for piece in named if piece.match is not None}
    assert {card.id for card in cards} <= found.keys()
    assert np.abs(found["a30"].quad - places[-2]).max() < 8
