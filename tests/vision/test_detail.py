"""Naming by fine print: hard light leaves it, another card and a bare table have another."""

import cv2
import numpy as np
import pytest

from tests.vision.tables import Lying, deck_gallery, draw_table
from vision.detail import DetailNamer

CARD = Lying("a07", 320, 240, turn=8)
CARDS = {card for card in deck_gallery().faces if card.startswith("a")}


@pytest.fixture(scope="module")
def namer():
    return DetailNamer(deck_gallery().formats)


def under_a_lamp(picture, strength):
    """The picture with a soft, tinted reflection on the card, as a lamp makes it."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    at = CARD.quad.mean(axis=0) + np.array([25, -30])
    spot = np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * 45.0**2))
    lit = picture + spot[..., None] * np.array([0.7, 0.85, 1.0]) * strength
    return np.clip(lit, 0, 255).astype(np.uint8)


def half_in_shadow(picture):
    """The picture with a hard shadow whose edge runs over the card."""
    shade = np.ones(picture.shape[:2], np.float32)
    x, y = CARD.quad.mean(axis=0)
    corners = np.array([[x - 400, y + 260], [x + 400, y - 240], [x + 900, y + 900]], np.int32)
    cv2.fillConvexPoly(shade, corners, 0.4)
    return (picture * shade[..., None]).astype(np.uint8)


@pytest.mark.parametrize("light", [lambda p: p, lambda p: under_a_lamp(p, 120), half_in_shadow])
@pytest.mark.parametrize("off_px", [0, 8])
def test_a_face_is_named_by_its_print(namer, light, off_px):
    picture = light(draw_table([CARD]))
    match = namer.name(picture, [np.roll(CARD.quad, 1, axis=0) + np.float32(off_px)], CARDS)
    assert match is not None
    assert match.id == "a07"
    assert np.abs(match.quad_px - CARD.quad).max() < 2.5


def test_a_face_that_cannot_lie_there_is_not_named(namer):
    assert namer.name(draw_table([CARD]), [CARD.quad], CARDS - {"a07"}) is None


def test_a_bare_table_has_no_name(namer):
    assert namer.name(draw_table([]), [CARD.quad], CARDS) is None


def test_nothing_is_named_where_nothing_lies(namer):
    assert namer.name(draw_table([CARD]), [], CARDS) is None
