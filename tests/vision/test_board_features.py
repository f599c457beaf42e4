"""Features of a print: those that are alike are told apart by where they must be."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_features import (
    MANY_FEATURES,
    FeatureMatch,
    find_features,
    match_around,
    match_features,
    match_turned,
)
from vision.board_view import project

WIDE, HIGH = 640, 480
CORNERS = np.array([[0, 0], [WIDE, 0], [WIDE, HIGH], [0, HIGH]], np.float64)
VIEW = np.array([[0.9, 0.05, 30], [-0.04, 0.92, 40], [0.0, 0.0001, 1.0]])
NONE = np.zeros((0, 2))


def bricks() -> NDArray[np.uint8]:
    """A wall of few kinds of stones, each many times over."""
    rng = np.random.default_rng(11)
    stones = [rng.integers(0, 255, (6, 6)).astype(np.uint8) for _ in range(4)]
    wall = np.zeros((HIGH, WIDE), np.uint8)
    for row in range(0, HIGH, 40):
        for col in range(0, WIDE, 40):
            stone = stones[int(rng.integers(4))]
            wall[row : row + 40, col : col + 40] = cv2.resize(
                stone, (40, 40), interpolation=cv2.INTER_CUBIC
            )
    return wall


PRINT = find_features(bricks())
SEEN = find_features(
    np.asarray(cv2.warpPerspective(bricks(), VIEW, (WIDE, HIGH), borderValue=(90,)), np.uint8)
)


def corners_off(match: FeatureMatch | None) -> float:
    assert match is not None
    return float(np.abs(project(match.matrix, CORNERS) - project(VIEW, CORNERS)).max())


def test_a_vague_map_is_made_sure() -> None:
    """A map that is right at one side and 50 pixels off at the other, as from one strip."""
    off = CORNERS.copy()
    off[[1, 2], 1] += 50
    vague, _ = cv2.findHomography(off, project(VIEW, CORNERS))
    start = FeatureMatch(np.asarray(vague, np.float64), 8, 0.1, NONE, NONE)
    assert corners_off(start) > 30
    match = match_around(PRINT, SEEN, start)
    assert corners_off(match) < 3
    assert match is not None
    assert len(match.places) == len(match.pixels) == match.count
    off_px = np.linalg.norm(project(VIEW, match.places) - match.pixels, axis=1)
    assert np.median(off_px) < 2


def test_places_are_those_of_the_whole_picture() -> None:
    small = find_features(bricks(), 0.5)
    assert small.places[:, 0].max() > 0.8 * WIDE
    assert small.unit == 2.0


def test_another_picture_has_no_map() -> None:
    noise = np.random.default_rng(2).integers(0, 255, (HIGH, WIDE)).astype(np.uint8)
    other = find_features(noise)
    assert match_around(PRINT, other, FeatureMatch(VIEW, 8, 0.1, NONE, NONE)) is None


def test_a_picture_without_features_has_no_map() -> None:
    empty = find_features(np.full((HIGH, WIDE), 128, np.uint8))
    assert match_features(PRINT, empty) is None
    assert match_features(empty, PRINT) is None


def test_few_features_are_found_among_many_by_their_turn() -> None:
    """A strip of the print, upside down, among so much else that hardly one feature is its own."""
    rng = np.random.default_rng(3)
    picture = np.zeros((3 * HIGH, 3 * WIDE), np.uint8)
    tiles = [
        bricks()[top : top + 80, left : left + 80]
        for top, left in product(range(0, 400, 40), repeat=2)
    ]
    for top, left in product(range(0, 3 * HIGH, 80), range(0, 3 * WIDE, 80)):
        picture[top : top + 80, left : left + 80] = np.rot90(tiles[int(rng.integers(len(tiles)))])
    picture[:HIGH, : WIDE // 3] = bricks()[:, : WIDE // 3][::-1, ::-1]
    seen = find_features(picture, count=MANY_FEATURES)
    match = match_turned(PRINT, seen)
    assert match is not None
    strip = np.array([[0, 0], [WIDE / 3, 0], [WIDE / 3, HIGH], [0, HIGH]])
    wanted = np.array([WIDE / 3 - 1, HIGH - 1]) - strip
    assert np.abs(project(match.matrix, strip) - wanted).max() < 3


def test_noise_is_turned_like_nothing() -> None:
    noise = np.random.default_rng(2).integers(0, 255, (HIGH, WIDE)).astype(np.uint8)
    assert match_turned(PRINT, find_features(noise)) is None
