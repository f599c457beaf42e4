"""Naming by fine print: through hard light and cover, and never what is not there."""

import cv2
import numpy as np
import pytest

from tests.vision.tables import (
    CARD_MM,
    TO_PX,
    Lying,
    deck_gallery,
    deck_sources,
    draw_table,
)
from vision.detail import DetailMatch, DetailNamer
from vision.gallery import Gallery
from vision.seen_plane import SeenPlane

CARD = Lying("a07", 320, 240, turn=8)
CARDS = {card for card in deck_gallery().faces if card.startswith("a")}
PLANE = SeenPlane(np.linalg.inv(TO_PX), CARD_MM)


def match_of(lying):
    return DetailMatch(lying.id, lying.quad)


def name(picture, quads, among=frozenset(CARDS), known=()):
    return DetailNamer(deck_gallery().formats, picture).name(quads, among, known)


def under_a_lamp(picture):
    """The picture with a soft, tinted reflection on the card, as a lamp makes it."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    at = CARD.quad.mean(axis=0) + np.array([25, -30])
    spot = np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * 45.0**2))
    lit = picture + spot[..., None] * np.array([0.7, 0.85, 1.0]) * 120
    return np.clip(lit, 0, 255).astype(np.uint8)


def half_in_shadow(picture):
    """The picture with a hard shadow whose edge runs over the card."""
    shade = np.ones(picture.shape[:2], np.float32)
    x, y = CARD.quad.mean(axis=0)
    corners = np.array([[x - 400, y + 260], [x + 400, y - 240], [x + 900, y + 900]], np.int32)
    cv2.fillConvexPoly(shade, corners, 0.4)
    return (picture * shade[..., None]).astype(np.uint8)


@pytest.mark.parametrize("light", [np.copy, under_a_lamp, half_in_shadow])
@pytest.mark.parametrize("off_px", [0, 8])
def test_a_face_is_named_by_its_print(light, off_px):
    match = name(light(draw_table([CARD])), [np.roll(CARD.quad, 2, axis=0) + np.float32(off_px)])
    assert match is not None
    assert match.id == "a07"
    assert np.abs(match.quad_px - CARD.quad).max() < 3


def test_a_face_that_another_half_covers_is_named_by_what_is_left():
    above = Lying("a03", 350, 243, turn=3)
    picture = draw_table([CARD, above])
    match = name(picture, [CARD.quad], CARDS - {"a03"}, [match_of(above)])
    assert match is not None
    assert match.id == "a07"
    assert name(picture, [CARD.quad], CARDS - {"a03"}) is None


def test_a_face_under_a_hand_is_named_by_what_is_left():
    picture = draw_table([CARD])
    x, y = CARD.quad.mean(axis=0)
    cv2.circle(picture, (round(x + 35), round(y + 40)), 38, (120, 150, 210), -1)
    hand = np.array([[-5, 0], [75, 0], [75, 80], [-5, 80]], np.float32) + np.float32([x, y])
    namer = DetailNamer(deck_gallery().formats, picture, [hand])
    match = namer.name([CARD.quad], CARDS, ())
    assert match is not None
    assert match.id == "a07"


@pytest.mark.parametrize("strange", ["a07", "a15", "a22"])
def test_a_card_of_another_deck_has_no_name(strange):
    gallery = Gallery.from_sources([s for s in deck_sources() if s.id != strange])
    lying = Lying(strange, 320, 240, turn=8)
    namer = DetailNamer(gallery.formats, draw_table([lying]))
    assert namer.name([lying.quad], CARDS - {strange}, ()) is None


def test_a_face_beneath_hides_nothing_of_the_one_above():
    below = Lying("a03", 350, 243, turn=3)
    match = name(draw_table([below, CARD]), [CARD.quad], CARDS - {"a03"}, [match_of(below)])
    assert match is not None
    assert match.likeness > 0.9


def test_a_face_that_cannot_lie_there_is_not_named():
    assert name(draw_table([CARD]), [CARD.quad], CARDS - {"a07"}) is None


@pytest.mark.parametrize("quads", [[], [CARD.quad]])
def test_a_bare_table_has_no_name(quads):
    assert name(draw_table([]), quads) is None


@pytest.mark.parametrize(
    "neighbour",
    [Lying("a03", 390, 250, turn=5), Lying("a03", 365, 246, turn=14), Lying("a03", 330, 155, 95)],
    ids=["in a row", "in a fan", "across"],
)
def test_cards_beside_a_known_one_are_found(neighbour):
    picture = draw_table([neighbour, CARD])
    namer = DetailNamer(deck_gallery().formats, picture)
    found = namer.beside(PLANE, [match_of(CARD)], CARDS - {"a07"})
    names = [namer.name(PLANE.rigid(quad), CARDS - {"a07"}, [match_of(CARD)]) for quad in found]
    assert {match.id for match in names if match is not None} == {"a03"}


def test_nothing_is_found_beside_a_card_that_lies_alone():
    namer = DetailNamer(deck_gallery().formats, draw_table([CARD]))
    assert namer.beside(PLANE, [match_of(CARD)], CARDS - {"a07"}) == []
    assert namer.beside(PLANE, [], CARDS) == []
