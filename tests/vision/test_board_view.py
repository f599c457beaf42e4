"""Where a board lies in a picture, through a lens, and laid flat again."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.board_view import BoardView, Lens, lay_flat

WH = (640, 480)
PLACES = np.array([[0.0, 0.0], [9.0, 0.0], [9.0, 8.0], [0.0, 8.0], [4.5, 4.0]])


def view(bend: float = 0.0) -> BoardView:
    corners = np.array([[120, 60], [540, 80], [600, 430], [50, 400]], np.float32)
    matrix = cv2.getPerspectiveTransform(PLACES[:4].astype(np.float32), corners)
    return BoardView(np.asarray(matrix, np.float64), Lens.of(WH, bend), WH)


@pytest.mark.parametrize("bend", [-0.2, -0.05, 0.0, 0.1])
def test_lens_bends_and_straightens_alike(bend: float) -> None:
    lens = Lens.of(WH, bend)
    points = np.random.default_rng(4).uniform([0, 0], WH, (50, 2))
    np.testing.assert_allclose(lens.seen(lens.straight(points)), points, atol=1e-6)


def test_barrel_draws_the_edge_in() -> None:
    lens = Lens.of(WH, -0.1)
    straight = lens.straight(np.array([[639.0, 239.5]]))
    assert straight[0, 0] > 639


@pytest.mark.parametrize("bend", [-0.1, 0.0, 0.08])
def test_board_and_picture_are_mapped_both_ways(bend: float) -> None:
    seen = view(bend)
    np.testing.assert_allclose(seen.on_board(seen.in_picture(PLACES)), PLACES, atol=1e-6)


def test_space_is_larger_where_it_is_nearer() -> None:
    far, near = view().space_px(np.array([[4.5, 0.5], [4.5, 7.5]]))
    assert 40 < far < near < 70


def test_flat_board_shows_each_place_where_it_belongs() -> None:
    picture = np.zeros((WH[1], WH[0], 3), np.uint8)
    spot = view(-0.08).in_picture(np.array([[3.25, 5.75]]))[0]
    cv2.circle(picture, (round(spot[0]), round(spot[1])), 4, (255, 255, 255), -1)
    flat = lay_flat(picture, view(-0.08), (-0.5, -0.5, 9.5, 8.5), 64)
    rows, cols = np.nonzero(flat.image[..., 0] > 128)
    middle = flat.place_of(np.array([[cols.mean(), rows.mean()]]))[0]
    np.testing.assert_allclose(middle, [3.25, 5.75], atol=0.02)


def test_beyond_the_picture_nothing_is_inside() -> None:
    flat = lay_flat(np.zeros((WH[1], WH[0], 3), np.uint8), view(), (-9.0, 0.0, 9.0, 8.0), 8)
    assert not flat.is_inside[:, :16].any()
    assert flat.is_inside[:, -32:].all()


def test_first_pixel_starts_at_the_edge_of_the_window() -> None:
    flat = lay_flat(np.zeros((WH[1], WH[0], 3), np.uint8), view(), (-0.5, -0.25, 9.5, 8.5), 32)
    np.testing.assert_allclose(flat.pixel_of(np.array([[-0.5, -0.25]])), [[-0.5, -0.5]])
    np.testing.assert_allclose(flat.place_of(flat.pixel_of(PLACES)), PLACES, atol=1e-9)


@pytest.mark.parametrize("bend", [0.0, -0.1])
def test_a_flat_board_is_sampled_where_the_map_says(bend: float) -> None:
    """A ramp laid flat holds the pixel's own place, so the stretched map can be read off."""
    x, y = np.meshgrid(np.arange(WH[0]), np.arange(WH[1]))
    ramp = np.stack([x % 256, y % 256, x // 256 * 64], axis=2).astype(np.uint8)
    flat = lay_flat(ramp, view(bend), (0.0, 0.0, 9.0, 8.0), 50)
    rows, cols = np.mgrid[3:390:40, 5:440:40]
    places = flat.place_of(np.stack([cols.ravel(), rows.ravel()], axis=1))
    expected = view(bend).in_picture(places)
    got = flat.image[rows.ravel(), cols.ravel()].astype(float)
    inner = (expected % 256 > 2).all(axis=1) & (expected % 256 < 253).all(axis=1)
    assert inner.sum() > 80
    np.testing.assert_allclose(got[inner, :2], expected[inner] % 256, atol=0.8)
