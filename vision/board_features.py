"""Features of a printed board in a picture, and the homography on which they agree.

What is printed repeats: bricks, frames, numbers. A feature that looks like nothing else on the
board names a place at once. Where too few do, as where the picture's edge leaves one strip of the
border, those that agree say where the others should be, and each is sought around there. Where
what lies on the board is all that stands out, many more features are looked at, and of those that
look alike only such as are turned and stretched alike are asked to agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_view import Points, project

_LONG_SIDES_PX = (1100, 1800)
"""The picture's long side at the first try, and where the board is too small for that."""
_NEAR_LONG_SIDES_PX = (800, 600)
"""The same where the board is so near that the picture's edge cuts it, and its print is coarse."""
_SQUEEZES = ((0.55, 1.0), (1.0, 0.55))
"""How far a picture is squeezed, across or down, in which a board is seen steeply from the side:
its print is as flat as seen from above then, but smaller."""
FEW_FEATURES, MANY_FEATURES = 2000, 6000
"""The features that stand out most, and so many that a border beside many cards has a share."""
_RATIO = 0.8
LEAST_FEATURES = 12
"""Features that must agree on a homography; some six agree by chance on a wooden table."""
_LEAST_VAGUE, _LEAST_VAGUE_TURNED = 5, 9
"""From so few it is worth to seek on around; what is found must then be enough."""
_AGREE_PX, _AGREE_AROUND_PX = 4.0, 6.0
_REACHES_PX = (70.0, 35.0, 15.0)
"""How far from its place a feature is sought, in pixels of the picture that was searched."""
_LEAST_SHARE = 0.6
"""Of a board eight of ten that were found around their places agree, of noise two."""
_RATIO_AROUND, _ALIKE = 0.85, 350.0
"""Among those around; two pictures of one feature are some 100 to 300 apart."""
_RATIO_TURNED = 0.88
_TURN_STEP_DEG, _TURN_REACH_DEG = 15.0, 22.0
_STRETCHES, _STRETCH_REACH = tuple(float(step) for step in np.arange(-2, 3.1, 0.5)), 0.6
"""A board seen from the side turns its features by some 20 degrees more or less, and doubles or
halves their size (as a power of two) from its far to its near end."""
_MOST_WINDOWS = 12


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Features of a picture.

    Attributes:
        places: (N, 2) where they are.
        descriptors: (N, 128) float32.
        turns_deg: (N,) which way they are turned, clockwise.
        sizes: (N,) in pixels of the picture, or of the print.
        unit: Of how many units of the places a pixel is long in which they were searched.
    """

    places: Points
    descriptors: NDArray[np.float32]
    turns_deg: NDArray[np.float64]
    sizes: NDArray[np.float64]
    unit: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class FeatureMatch:
    """A homography on which features agree.

    Attributes:
        matrix: (3, 3) from a print's places to a picture's.
        count: How many features agree, and `share` of those that were asked.
        share: 0 to 1.
        places, pixels: (N, 2) where those that agree are on the print, and in the picture.
        seen: The features among which they were found.
    """

    matrix: NDArray[np.float64]
    count: int
    share: float
    places: Points
    pixels: Points
    seen: Features | None = None


def matches(print_: Features, gray: NDArray[np.uint8]) -> Iterator[FeatureMatch]:
    """Where a board may lie in a picture (H, W) uint8, what is found soonest first."""
    vague: list[tuple[Features, FeatureMatch]] = []
    long_px = max(gray.shape)
    for px in _LONG_SIDES_PX:
        seen = find_features(gray, min(1.0, px / long_px))
        match = match_features(print_, seen)
        if match is not None:
            vague.append((seen, match))
            if match.count >= LEAST_FEATURES:
                yield match
        if px >= long_px:
            break
    for seen, match in vague:
        yield from _around(print_, seen, match)
    for px in _NEAR_LONG_SIDES_PX:
        seen = find_features(gray, min(1.0, px / long_px))
        yield from _around(print_, seen, match_features(print_, seen))
    for squeeze in _SQUEEZES:
        seen = find_features(gray, min(1.0, _LONG_SIDES_PX[0] / long_px), squeeze=squeeze)
        yield from _around(print_, seen, match_features(print_, seen))
    many = find_features(gray, min(1.0, _LONG_SIDES_PX[0] / long_px), MANY_FEATURES)
    turned = match_turned(print_, many)
    if turned is not None and turned.count >= LEAST_FEATURES:
        yield turned
    yield from _around(print_, many, turned)


def _around(print_: Features, seen: Features, match: FeatureMatch | None) -> Iterator[FeatureMatch]:
    better = None if match is None else match_around(print_, seen, match)
    if better is not None:
        yield better


def first_match(print_: Features, gray: NDArray[np.uint8]) -> FeatureMatch | None:
    """Where a board that is easy to find lies in a picture (H, W) uint8."""
    seen = find_features(gray, min(1.0, _LONG_SIDES_PX[0] / max(gray.shape)))
    return _enough(match_features(print_, seen))


def match_beside(
    print_: Features, seen: Features, outline: NDArray[np.float64]
) -> FeatureMatch | None:
    """Where another board lies, by the features beyond the outline (N, 2) of the one found."""
    polygon = np.asarray(outline, np.float32)
    away = [cv2.pointPolygonTest(polygon, (float(x), float(y)), False) < 0 for x, y in seen.places]
    return _enough(match_features(print_, _some(seen, np.array(away, np.bool_))))


def _enough(match: FeatureMatch | None) -> FeatureMatch | None:
    return match if match is not None and match.count >= LEAST_FEATURES else None


def _some(features: Features, chosen: NDArray[np.bool_]) -> Features:
    return replace(
        features,
        places=features.places[chosen],
        descriptors=features.descriptors[chosen],
        turns_deg=features.turns_deg[chosen],
        sizes=features.sizes[chosen],
    )


def find_features(
    gray: NDArray[np.uint8],
    scale: float = 1.0,
    count: int = FEW_FEATURES,
    squeeze: tuple[float, float] = (1.0, 1.0),
) -> Features:
    """Features of a picture (H, W) uint8, sought at a scale; their places are in the picture.

    Args:
        gray: The picture.
        scale: How large it is looked at.
        count: How many features are kept, those that stand out most.
        squeeze: How far it is squeezed across and down beyond that.
    """
    across, down = scale * squeeze[0], scale * squeeze[1]
    small = cv2.resize(gray, None, fx=across, fy=down, interpolation=cv2.INTER_AREA)
    keys, descriptors = _sift(count).detectAndCompute(small, None)
    pixels = np.array([key.pt for key in keys], np.float64).reshape(-1, 2)
    places = (pixels + 0.5) / [across, down] - 0.5
    return Features(
        places=places,
        descriptors=np.zeros((0, 128), np.float32) if descriptors is None else descriptors,
        turns_deg=np.array([key.angle for key in keys], np.float64),
        sizes=np.array([key.size for key in keys], np.float64) / scale,
        unit=1 / scale,
    )


def match_features(print_: Features, seen: Features) -> FeatureMatch | None:
    """The homography on which the features that look like a single one of the print agree."""
    if len(print_.places) < LEAST_FEATURES or len(seen.places) < LEAST_FEATURES:
        return None
    pairs = cv2.BFMatcher().knnMatch(seen.descriptors, print_.descriptors, k=2)
    good = [a for a, b in pairs if a.distance < _RATIO * b.distance]
    source = print_.places[[match.trainIdx for match in good]]
    target = seen.places[[match.queryIdx for match in good]]
    match = _agree(source, target, _AGREE_PX)
    return _among(seen, match) if match is not None and match.count >= _LEAST_VAGUE else None


def match_turned(print_: Features, seen: Features) -> FeatureMatch | None:
    """The homography on which most features agree that are turned and stretched alike."""
    if len(print_.places) < LEAST_FEATURES or len(seen.places) < LEAST_FEATURES:
        return None
    pairs = cv2.BFMatcher().knnMatch(seen.descriptors, print_.descriptors, k=2)
    good = [a for a, b in pairs if a.distance < _RATIO_TURNED * b.distance]
    own = np.array([match.trainIdx for match in good], np.intp)
    others = np.array([match.queryIdx for match in good], np.intp)
    turns = seen.turns_deg[others] - print_.turns_deg[own]
    stretches = np.log2(seen.sizes[others] / print_.sizes[own])
    alike = [
        (np.abs((turns - turn + 180) % 360 - 180) < _TURN_REACH_DEG)
        & (np.abs(stretches - stretch) < _STRETCH_REACH)
        for turn in np.arange(0, 360, _TURN_STEP_DEG)
        for stretch in _STRETCHES
    ]
    limit_px = _AGREE_PX * seen.unit
    matches = [
        _agree(print_.places[own[some]], seen.places[others[some]], limit_px)
        for some in sorted(alike, key=np.count_nonzero, reverse=True)[:_MOST_WINDOWS]
    ]
    best = max(
        (match for match in matches if match is not None), key=lambda m: m.count, default=None
    )
    return _among(seen, best) if best is not None and best.count >= _LEAST_VAGUE_TURNED else None


def match_around(print_: Features, seen: Features, match: FeatureMatch) -> FeatureMatch | None:
    """A vague match made sure: every feature of the print is sought around where it should be."""
    low, high = seen.places.min(axis=0), seen.places.max(axis=0)
    for reach_px in _REACHES_PX:
        reach = reach_px * seen.unit
        expected = project(match.matrix, print_.places)
        rows = np.flatnonzero(((expected > low - reach) & (expected < high + reach)).all(axis=1))
        away = np.linalg.norm(expected[rows, None] - seen.places[None], axis=2)
        unlike = _distances(print_.descriptors[rows], seen.descriptors)
        unlike[away > reach] = np.inf
        own, others = _pair(unlike)
        found = _agree(print_.places[rows[own]], seen.places[others], _AGREE_AROUND_PX)
        if found is None:
            return None
        match = found
    is_sure = match.count >= LEAST_FEATURES and match.share > _LEAST_SHARE
    return _among(seen, match) if is_sure else None


def _among(seen: Features, match: FeatureMatch) -> FeatureMatch:
    return replace(match, seen=seen)


def _sift(count: int) -> Any:
    """OpenCV's SIFT, which its type stubs leave out."""
    return getattr(cv2, "SIFT_create")(nfeatures=count)  # noqa: B009


def _agree(source: Points, target: Points, limit_px: float) -> FeatureMatch | None:
    if len(source) < LEAST_FEATURES:
        return None
    matrix, agree = cv2.findHomography(
        source, target, cv2.USAC_MAGSAC, limit_px, maxIters=5000, confidence=0.9999
    )
    if matrix is None:
        return None
    is_one = agree.ravel() > 0
    count = int(is_one.sum())
    share = count / len(source)
    return FeatureMatch(
        np.asarray(matrix, np.float64), count, share, source[is_one], target[is_one]
    )


def _distances(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float32]:
    """(N, M) how far descriptors (N, D) and (M, D) are apart."""
    squares = (first**2).sum(axis=1)[:, None] + (second**2).sum(axis=1) - 2 * first @ second.T
    return np.asarray(np.sqrt(np.maximum(squares, 0)), np.float32)


def _pair(unlike: NDArray[np.float32]) -> tuple[Sequence[int], Sequence[int]]:
    """Rows and columns that are each other's nearest, and clearly so."""
    if min(unlike.shape) < 2:
        return [], []
    nearest = np.argsort(unlike, axis=1)[:, :2]
    every = np.arange(len(unlike))
    first, second = unlike[every, nearest[:, 0]], unlike[every, nearest[:, 1]]
    is_clear = (first < _RATIO_AROUND * second) & (first < _ALIKE)
    is_mutual = unlike.argmin(axis=0)[nearest[:, 0]] == every
    rows = np.flatnonzero(is_clear & is_mutual)
    return rows.tolist(), nearest[rows, 0].tolist()
