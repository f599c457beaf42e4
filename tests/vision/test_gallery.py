from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.tables import Lying, deck_gallery, deck_sources, draw_table
from vision.errors import GalleryError
from vision.gallery import Gallery
from vision.sighting import Effort, Sighting
from vision.stacking import overlap_share

GREY_LIGHT = (1.0, 1.0, 1.0)
WARM_LIGHT = (0.62, 0.85, 1.0)
DIM_LIGHT = (0.35, 0.33, 0.3)


def near(quad: np.ndarray, seed: int = 0, off: float = 2.0) -> np.ndarray:
    return (quad + np.random.default_rng(seed).normal(0, off, (4, 2))).astype(np.float32)


@pytest.mark.parametrize("face_id", ["a01", "a02", "t01", "s07", "cam-red"])
@pytest.mark.parametrize("turn", [0, 140, 265])
def test_a_face_is_named_and_laid_whatever_its_turn(face_id: str, turn: float) -> None:
    card = Lying(face_id, 250, 250, turn)
    start = np.roll(near(card.quad), 1, axis=0)
    match = deck_gallery().identify(Sighting(draw_table([card]), start))
    assert match.id == face_id
    assert match.rotation == 90
    assert np.abs(match.quad_px - card.quad).max() < 1.5
    assert match.visible > 0.9


@pytest.mark.parametrize("gains", [GREY_LIGHT, WARM_LIGHT, DIM_LIGHT])
def test_camera_colours_hold_under_other_light(gains: tuple[float, float, float]) -> None:
    for colour in ("red", "yellow", "green", "blue", "orange", "purple"):
        card = Lying(f"cam-{colour}", 250, 250, 20)
        sighting = Sighting(draw_table([card], gains=gains), near(card.quad))
        assert deck_gallery().identify(sighting).id == card.id


@pytest.mark.parametrize("face_id", ["a05", "a18", "t07", "s03"])
def test_an_overexposed_card_is_named_by_what_is_not_blown_out(face_id: str) -> None:
    card = Lying(face_id, 250, 250, 20)
    bright = draw_table([card]).astype(np.float32) * 1.2 + 80
    sighting = Sighting(np.clip(bright, 0, 255).astype(np.uint8), near(card.quad))
    match = deck_gallery().identify(sighting)
    assert match is not None
    assert match.id == face_id


@pytest.mark.parametrize("effort", [Effort.SEARCH, Effort.CLAIM])
def test_what_resembles_no_face_is_soon_given_up_on_a_watched_table(effort: Effort) -> None:
    picture = np.random.default_rng(6).integers(0, 255, (700, 1000, 3), np.uint8)
    sighting = Sighting(picture, Lying("a01", 250, 250).quad, effort=effort)
    assert deck_gallery().identify(sighting) is None
    assert deck_gallery().identify(replace(sighting, effort=Effort.THOROUGH)).id is None


@pytest.mark.parametrize("effort", [Effort.SEARCH, Effort.CLAIM])
def test_a_camera_card_partly_under_a_hand_is_still_searched_for(effort: Effort) -> None:
    card = Lying("cam-red", 250, 250, 20)
    picture = draw_table([card])
    right, down = card.quad[1] - card.quad[0], card.quad[3] - card.quad[0]
    hand = card.quad[0] + 0.7 * right + np.stack([0 * down, right, right + down, down])
    cv2.fillConvexPoly(picture, hand.astype(int), (120, 150, 200))
    match = deck_gallery().identify(Sighting(picture, near(card.quad), effort=effort))
    assert match is not None
    assert match.guess == card.id


def test_tasks_that_differ_in_one_disc_are_told_apart() -> None:
    for number in range(1, 56, 6):
        card = Lying(f"t{number:02}", 250, 250, 95)
        match = deck_gallery().identify(Sighting(draw_table([card]), near(card.quad)))
        assert match.id == card.id


def test_a_face_of_no_deck_stays_unknown() -> None:
    card = Lying("a01", 250, 250)
    picture = draw_table([])
    rng = np.random.default_rng(5)
    blobs = cv2.resize(rng.integers(0, 255, (9, 7, 3), np.uint8), (1000, 700))
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, card.quad.astype(int), 1)
    picture[mask > 0] = blobs[mask > 0]
    match = deck_gallery().identify(Sighting(picture, card.quad))
    assert match.id is None
    assert match.score < 0.5
    assert match.guess in deck_gallery().faces


def test_an_empty_table_is_no_face() -> None:
    match = deck_gallery().identify(Sighting(draw_table([]), Lying("a01", 250, 250).quad))
    assert match.id is None


def test_a_covered_face_is_named_from_the_rest() -> None:
    card, above = Lying("a20", 250, 250, 10), Lying("cam-blue", 276, 250, 10)
    picture = draw_table([card, above])
    cover = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(cover, np.round(above.quad).astype(int), 255)
    match = deck_gallery().identify(Sighting(picture, near(card.quad), cover=cover))
    assert match.id == "a20"
    assert overlap_share(match.quad_px, card.quad) > 0.95
    assert match.visible < 0.6


def test_among_leaves_only_what_is_possible() -> None:
    card = Lying("a03", 250, 250)
    sighting = Sighting(draw_table([card]), near(card.quad))
    match = deck_gallery().identify(sighting, among={"a03", "a09"})
    assert (match.id, match.runner_up in {None, "a09"}) == ("a03", True)
    assert deck_gallery().identify(sighting, among={"a09", "a10"}).id is None
    with pytest.raises(GalleryError, match="no face of the deck"):
        deck_gallery().identify(sighting, among=set())


def test_two_faces_with_one_picture_are_not_told_apart() -> None:
    twin = replace(deck_sources()[0], id="twin")
    gallery = Gallery.from_sources([*deck_sources()[:4], twin])
    card = Lying(deck_sources()[0].id, 250, 250)
    assert gallery.identify(Sighting(draw_table([card]), card.quad)).id is None
