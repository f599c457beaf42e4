"""Faces found near a loose box by small pictures slid over it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.flatten import flat_corners, homography
from vision.spotting import Spotter

FACES = 9


def faces() -> np.ndarray:
    """(9, 17, 12, 3) float32 small pictures."""
    blobs = np.random.default_rng(8).uniform(20, 200, (FACES, 6, 4, 3)).astype(np.float32)
    return np.stack([cv2.resize(each, (12, 17)) for each in blobs])


def table(face: int, quad: np.ndarray, gain: float = 1.0, add: float = 0.0) -> np.ndarray:
    """A grey table, (480, 640, 3) uint8, on which a face lies in a quad."""
    large = cv2.resize(faces()[face], (120, 170), interpolation=cv2.INTER_CUBIC)
    to_quad = homography(flat_corners((120, 170)), quad)
    card = cv2.warpPerspective(large * gain + add, to_quad, (640, 480))
    mask = cv2.warpPerspective(np.ones((170, 120), np.float32), to_quad, (640, 480))
    laid = card * mask[..., None] + 90 * (1 - mask[..., None])
    return np.clip(laid, 0, 255).astype(np.uint8)


def square_at(x: float, y: float, turn: float = 0.0) -> np.ndarray:
    """The corners of a card of 120 x 170 pixels around a point."""
    half = np.array([[-60, -85], [60, -85], [60, 85], [-60, 85]])
    matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return (half @ matrix + [x, y]).astype(np.float32)


@pytest.mark.parametrize("face", range(FACES))
@pytest.mark.parametrize("roll", [0, 2])
def test_a_face_beside_its_box_is_found_where_it_lies(face: int, roll: int) -> None:
    quad = square_at(320, 240)
    lies = np.roll(quad, roll, axis=0)
    box = quad + np.array([9, -12], np.float32)
    found = Spotter(faces(), is_square=False).spot(table(face, lies), box, np.arange(FACES), 3)
    assert found[0].face == face
    assert found[0].correlation > 0.9
    assert np.abs(found[0].quad - lies).max() < 14
    assert len({spot.face for spot in found}) == 3


def test_more_light_changes_no_correlation() -> None:
    quad, spotter = square_at(320, 240), Spotter(faces(), is_square=False)
    plain = spotter.spot(table(4, quad), quad, np.arange(FACES), 1)[0]
    bright = spotter.spot(table(4, quad, 0.6, 80), quad, np.arange(FACES), 1)[0]
    assert (plain.face, bright.face) == (4, 4)
    assert bright.correlation == pytest.approx(plain.correlation, abs=0.03)


def test_a_bare_table_resembles_no_face() -> None:
    bare = np.full((480, 640, 3), 90, np.uint8)
    found = Spotter(faces(), is_square=False).spot(bare, square_at(320, 240), np.arange(FACES), 1)
    assert abs(found[0].correlation) < 0.1


@pytest.mark.parametrize("face", [0, 5])
def test_only_possible_faces_are_found(face: int) -> None:
    quad = square_at(320, 240)
    spotter, possible = Spotter(faces(), is_square=False), np.array([0, 5, 7])
    assert spotter.spot(table(face, quad), quad, possible, 1)[0].face == face
    assert spotter.spot(table(3, quad), quad, possible, 1)[0].correlation < 0.8


@pytest.mark.parametrize("turn", [0.0, 0.5, 1.0, 1.5, 2.0])
def test_a_card_turned_in_some_way_is_found_by_the_quad_of_that_turn(turn: float) -> None:
    quads = [square_at(320, 240, angle) for angle in (0.0, 0.5, 1.0, 1.5, 2.0)]
    lies = square_at(320, 240, turn)
    spotter = Spotter(faces(), is_square=False)
    found = spotter.spot_turned(table(6, lies), quads, np.arange(FACES), 2)
    assert found[0].face == 6
    assert found[0].correlation > 0.9
    assert np.abs(found[0].quad - lies).max() < 12
