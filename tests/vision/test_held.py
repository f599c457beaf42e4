"""Camera cards of which a hand hides about half."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from tests.vision.tables import Lying, deck_gallery, deck_sources, draw_table
from vision.faces import FaceSource
from vision.gallery import Gallery
from vision.held import HeldFaces
from vision.slots import to_quad
from vision.stacking import overlap_share
from vision.table import PieceKind, PieceReading

COLOURS = ("red", "yellow", "green", "blue", "orange", "purple")
GREY_LIGHT = (1.0, 1.0, 1.0)
LAMPS = (0.72, 0.9, 1.0)
DUSK = (0.5, 0.46, 0.42)
SKIN = (120, 150, 200)
PLACE = Lying("a04", 250, 250).quad


@lru_cache(maxsize=1)
def cameras() -> HeldFaces:
    return HeldFaces(deck_gallery(), deck_gallery().ids_of(PieceKind.CAMERA))


def with_hand(picture: np.ndarray, quad: np.ndarray, share: float) -> np.ndarray:
    """Fingers over the lower part of a card, and a wrist that leads out of the picture."""
    top = quad[0] + (quad[3] - quad[0]) * (1 - share)
    across = quad[1] - quad[0]
    held = picture.copy()
    light = picture.mean() / 85
    for finger in range(4):
        tip = top + across * (0.17 + 0.22 * finger)
        tip = np.add(tip, (0, abs(finger - 1.5) * 5))
        colour = tuple(light * value * (0.94 + 0.04 * (finger % 2)) for value in SKIN)
        start, end = tip.astype(int), np.add(tip, (8, 260)).astype(int)
        cv2.line(held, start.tolist(), end.tolist(), colour, int(0.25 * np.linalg.norm(across)))
    return np.asarray(cv2.GaussianBlur(held, (0, 0), 0.6), np.uint8)


def check_named_half_hidden(
    held: HeldFaces,
    colour: str,
    gains: tuple[float, float, float],
    sources: tuple[FaceSource, ...] | None = None,
) -> None:
    camera = Lying(f"cam-{colour}", 256, 246, 17)
    picture = draw_table([Lying("a04", 250, 250), camera], gains=gains, sources=sources)
    picture = with_hand(picture, camera.quad, 0.44)
    match = held.find(picture, PLACE, np.array(gains, np.float32))
    assert match is not None
    assert match.id == camera.id
    assert overlap_share(match.quad_px, camera.quad) > 0.85


@pytest.mark.parametrize("gains", [GREY_LIGHT, LAMPS, DUSK])
@pytest.mark.parametrize("colour", COLOURS)
def test_a_held_camera_is_named_though_half_of_it_is_hidden(
    colour: str, gains: tuple[float, float, float]
) -> None:
    check_named_half_hidden(cameras(), colour, gains)


def test_a_camera_upon_another_one_is_the_one_that_is_named() -> None:
    below, above = Lying("cam-orange", 250, 250, -20), Lying("cam-red", 252, 246, 9)
    picture = draw_table([Lying("a04", 250, 250), below, above])
    match = cameras().find(with_hand(picture, above.quad, 0.4), below.quad)
    assert match is not None
    assert match.id == "cam-red"


def test_a_sleeve_of_a_cameras_colour_is_no_camera() -> None:
    picture = draw_table([Lying("a04", 250, 250)])
    middle = PLACE.mean(axis=0)
    start, end = np.subtract(middle, (300, 40)).astype(int), np.add(middle, (-10, 10)).astype(int)
    cv2.line(picture, start.tolist(), end.tolist(), (150, 70, 20), 70)
    cv2.line(picture, end.tolist(), np.add(end, (150, 20)).tolist(), SKIN, 50)
    assert cameras().find(picture, PLACE) is None


@pytest.mark.parametrize("face_id", ["a01", "a04", "t05", "s03"])
def test_a_hand_on_another_card_is_no_camera(face_id: str) -> None:
    card = Lying(face_id, 250, 250, 5)
    assert cameras().find(with_hand(draw_table([card]), card.quad, 0.5), PLACE) is None


def test_what_is_known_is_no_news() -> None:
    camera = Lying("cam-green", 252, 248, 8)
    picture = with_hand(draw_table([camera]), camera.quad, 0.4)
    known = PieceReading(PieceKind.CAMERA, 0.99, to_quad(camera.quad), face_id="cam-green")
    assert cameras().find(picture, PLACE, known=[known]) is None
    assert cameras().find(picture, PLACE) is not None


@lru_cache(maxsize=1)
def striped_sources() -> tuple[FaceSource, ...]:
    """The deck with other Camera cards: stripes of two or three colours instead of one."""
    sources = []
    for number, face in enumerate(deck_sources()):
        data = face.data
        if face.id.startswith("cam-"):
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
            rng = np.random.default_rng(number)
            soft = cv2.resize(
                rng.random((7, 5, 3)).astype(np.float32), picture.shape[1::-1]
            )  # fmt: skip
            down, right = np.indices(picture.shape[:2])
            is_stripe = ((down + right) // (picture.shape[1] // 7) % 2 > 0)[..., None]
            picture = np.where(is_stripe, 150 * soft + 0.4 * picture, picture)
            data = cv2.imencode(".png", np.clip(picture, 0, 255).astype(np.uint8))[1].tobytes()
        sources.append(replace(face, data=data))
    return tuple(sources)


@lru_cache(maxsize=1)
def striped_cameras() -> HeldFaces:
    gallery = Gallery.from_sources(striped_sources())
    return HeldFaces(gallery, gallery.ids_of(PieceKind.CAMERA))


@pytest.mark.parametrize("gains", [GREY_LIGHT, LAMPS, DUSK])
@pytest.mark.parametrize("colour", COLOURS)
def test_a_held_camera_without_a_plain_colour_is_named_by_its_pattern(
    colour: str, gains: tuple[float, float, float]
) -> None:
    check_named_half_hidden(striped_cameras(), colour, gains, striped_sources())


@pytest.mark.parametrize("face_id", ["a01", "a04", "t05", "s03"])
def test_a_hand_on_another_card_is_no_patterned_camera(face_id: str) -> None:
    card = Lying(face_id, 250, 250, 5)
    picture = with_hand(draw_table([card]), card.quad, 0.5)
    assert striped_cameras().find(picture, PLACE) is None


def test_where_there_are_no_cameras_none_is_sought() -> None:
    assert not HeldFaces(deck_gallery(), ()).can_be_found
    assert cameras().can_be_found
    assert striped_cameras().can_be_found
