"""What lies half in shadow is named as what lies in even light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.tables import CARD_MM, Lying, deck_gallery, draw_table
from vision.faces import FaceSource
from vision.gallery import Gallery
from vision.shade import in_even_light, unshaded
from vision.sighting import Sighting

SIZE_WH = (80, 112)


def shadow_over(picture: np.ndarray, card: Lying, across: float, depth: float) -> np.ndarray:
    """The picture with a shadow over the right part of a card, from a share of its width on."""
    top = card.quad[0] + across * (card.quad[1] - card.quad[0])
    bottom = card.quad[3] + (across + 0.2) * (card.quad[2] - card.quad[3])
    down = bottom - top
    right = card.quad[1] - card.quad[0]
    outline = np.array(
        [top - down, top + 3 * right - down, bottom + 3 * right + down, bottom + down]
    )
    shade = np.zeros(picture.shape[:2], np.float32)
    cv2.fillConvexPoly(shade, outline.astype(np.int32), 1.0)
    shade = cv2.GaussianBlur(shade, (0, 0), 3)
    return (picture * (1 - depth * shade)[..., None]).astype(np.uint8)


@pytest.mark.parametrize("face_id", ["a03", "t12", "s02", "s09", "cam-blue"])
@pytest.mark.parametrize("across", [0.3, 0.6])
def test_a_shadow_that_ends_on_a_card_does_not_hide_its_name(face_id: str, across: float) -> None:
    card = Lying(face_id, 250, 250, 12)
    picture = shadow_over(draw_table([card]), card, across, 0.55)
    match = deck_gallery().identify(Sighting(picture, card.quad))
    assert match is not None
    assert match.id == face_id


def test_even_light_is_left_as_it_is() -> None:
    for face_id in ("a01", "a17", "t30", "s04"):
        card = Lying(face_id, 250, 250, 12)
        assert in_even_light(Sighting(draw_table([card]), card.quad), SIZE_WH) is None


def test_print_is_no_shadow() -> None:
    gallery: Gallery = deck_gallery()
    bank = gallery.formats[0]
    for one, other in ((0, 1), (3, 9), (12, 25)):
        card = Lying(bank.faces[one].id, 250, 250, 12)
        crop = Sighting(draw_table([card]), card.quad).crop(card.quad, bank.size_wh)
        reference = np.asarray(bank.fine[other] / 255, np.float32)
        assert unshaded(crop, reference) is None


def test_a_shadow_is_taken_out_against_the_face_that_lies_there() -> None:
    gallery = deck_gallery()
    bank = gallery.formats[0]
    card = Lying(bank.faces[4].id, 250, 250, 12)
    picture = draw_table([card])
    shaded = shadow_over(picture, card, 0.5, 0.5)
    even, dark = (
        Sighting(each, card.quad).crop(card.quad, bank.size_wh) for each in (picture, shaded)
    )
    lit = unshaded(dark, np.asarray(bank.fine[4] / 255, np.float32))
    assert lit is not None
    before = float(np.abs(dark.colours - even.colours).mean())
    assert float(np.abs(lit.colours - even.colours).mean()) < before / 3


def ringed(
    face_id: str, colour: tuple[int, int, int], outline: list[tuple[int, int]]
) -> FaceSource:
    """A face whose lower half is tinted, with a ring and a sign of a few per cent of its size."""
    face = np.full((352, 252, 3), 250, np.uint8)
    face[200:] = (236, 228, 238)
    cv2.rectangle(face, (0, 0), (251, 351), (80, 70, 90), 8)
    cv2.circle(face, (126, 176), 68, (150, 40, 40), 12)
    cv2.fillPoly(face, [np.array(outline, np.int32) + np.array((126, 176), np.int32)], colour)
    png = cv2.imencode(".png", face)[1].tobytes()
    return FaceSource(face_id, "task", png, CARD_MM)


@pytest.mark.parametrize(("side", "depth"), [(270, 0.6), (270, 0.7), (90, 0.6), (90, 0.7)])
def test_a_deep_shadow_that_hides_the_sign_makes_it_no_other_face(side: int, depth: float) -> None:
    up, flat = [(-34, 26), (0, -34), (34, 26)], [(-40, -14), (40, -14), (40, 14), (-40, 14)]
    sources = [
        ringed("green-up", (60, 200, 70), up),
        ringed("blue-flat", (150, 110, 40), flat),
        ringed("blue-up", (150, 110, 40), up),
        ringed("red-flat", (50, 40, 200), flat),
    ]
    card = Lying("green-up", 250, 250, 180)
    shaded = shadow_over(
        draw_table([card], sources=sources), Lying("green-up", 250, 250, side), 0.4, depth
    )
    match = Gallery.from_sources(sources).identify(Sighting(shaded, card.quad))
    assert match is not None
    assert match.id in (None, "green-up")
