from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.tables import Lying, draw_table
from vision.corners import refine_corners
from vision.stacking import overlap_share


def box_of(quad: np.ndarray) -> np.ndarray:
    box = cv2.boxPoints(cv2.minAreaRect(quad))
    return box if cv2.contourArea(box, True) > 0 else box[::-1].copy()


@pytest.mark.parametrize("turn", [0, 30, 75, 200])
def test_a_box_beside_the_card_is_laid_onto_its_edges(turn: float) -> None:
    card = Lying("a02", 250, 250, turn)
    box = box_of(card.quad) + np.float32([4, -3])
    refined = refine_corners(draw_table([card]), box)
    assert overlap_share(refined.quad, card.quad) > 0.95 > overlap_share(box, card.quad)
    assert refined.quality > 0.5


def test_the_first_corner_stays_the_first() -> None:
    card = Lying("a02", 250, 250, 10)
    for roll in range(4):
        start = np.roll(card.quad, roll, axis=0) + np.float32(2)
        refined = refine_corners(draw_table([card]), start)
        assert np.abs(refined.quad - np.roll(card.quad, roll, axis=0)).max() < 5


def test_an_inner_frame_is_not_taken_for_the_edge() -> None:
    picture = np.full((300, 300, 3), 40, np.uint8)
    cv2.rectangle(picture, (100, 90), (180, 200), (230, 230, 230), -1)
    cv2.rectangle(picture, (106, 96), (174, 194), (20, 20, 20), 2)
    edge = np.float32([[99.5, 89.5], [180.5, 89.5], [180.5, 200.5], [99.5, 200.5]])
    start = (edge - edge.mean(axis=0)) * np.float32(0.95) + edge.mean(axis=0)
    assert np.abs(refine_corners(picture, start).quad - edge).max() < 2


def test_without_edges_the_quad_stays() -> None:
    quad = np.float32([[50, 50], [120, 50], [120, 150], [50, 150]])
    refined = refine_corners(np.full((200, 200, 3), 90, np.uint8), quad)
    assert refined.quality == 0
    assert np.allclose(refined.quad, quad, atol=1e-3)
