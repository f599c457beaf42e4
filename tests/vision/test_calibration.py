from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.tables import CARD_MM, Lying
from vision.calibration import Rectangle, fit_plane
from vision.stacking import overlap_share

CARDS = [
    Lying("a01", 60 + 100 * column, 70 + 120 * row, 20 * column - 90 * row)
    for row in range(3)
    for column in range(4)
]


def rectangles(noise_px: float = 0.0) -> list[Rectangle]:
    rng = np.random.default_rng(3)
    return [
        Rectangle((c.quad + rng.normal(0, noise_px, (4, 2))).astype(np.float32), CARD_MM)
        for c in CARDS
    ]


@pytest.mark.parametrize("noise_px", [0.0, 0.5])
def test_distances_on_the_table_come_out_in_millimetres(noise_px: float) -> None:
    plane = fit_plane(rectangles(noise_px))
    assert plane is not None
    assert plane.pieces == len(CARDS)
    centres_px = np.stack([card.quad.mean(axis=0) for card in CARDS])
    seen, true = plane.on_table(centres_px), np.array([(c.x_mm, c.y_mm) for c in CARDS])
    for other in range(1, len(CARDS)):
        # The centre of a quad is not quite the centre of the card under perspective.
        distance = float(np.linalg.norm(seen[other] - seen[0]))
        assert distance == pytest.approx(float(np.linalg.norm(true[other] - true[0])), rel=0.02)


def test_a_wrong_quad_does_not_bend_the_plane() -> None:
    pieces = rectangles(0.3)
    pieces[0] = Rectangle(pieces[0].quad_px * np.float32(1.3), CARD_MM)
    plane = fit_plane(pieces)
    assert plane is not None
    assert plane.pieces == len(CARDS) - 1
    assert plane.error_of(pieces[0]) > 0.2
    assert max(plane.error_of(piece) for piece in pieces[1:]) < 0.04


def test_no_pieces_no_plane() -> None:
    assert fit_plane([]) is None


@pytest.mark.parametrize("card", [CARDS[1], CARDS[6], CARDS[11]])
def test_a_box_says_where_the_card_lies(card: Lying) -> None:
    plane = fit_plane(rectangles())
    assert plane is not None
    box = cv2.boxPoints(cv2.minAreaRect(card.quad))
    box = box if cv2.contourArea(box, True) > 0 else box[::-1].copy()
    found = plane.rigid_in_box(box, CARD_MM)
    assert found is not None
    assert overlap_share(found, card.quad) > 0.97


def test_a_box_around_something_else_gives_no_card() -> None:
    plane = fit_plane(rectangles())
    assert plane is not None
    box = np.float32([[100, 100], [140, 100], [140, 110], [100, 110]])
    assert plane.rigid_in_box(box, CARD_MM) is None
