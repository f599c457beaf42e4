"""Which piece lies on which, and how much of each is left in view."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.flatten import Quad, apply_homography, flat_corners, homography
from vision.sighting import FaceMatch

_GRID = 24
"""Points along each side of a piece at which it is asked what lies there."""

_TOUCHING = 0.02


def overlap_share(one: Quad, other: Quad) -> float:
    """Intersection over union of two convex quads."""
    shared = _shared_area(one, other)
    if shared <= 0:
        return 0.0
    total = cv2.contourArea(one.astype(np.float32)) + cv2.contourArea(other.astype(np.float32))
    return shared / max(total - shared, 1e-6)


def covered_by(
    shape: tuple[int, int], quad: Quad, above: Sequence[FaceMatch], hands: Sequence[Quad]
) -> NDArray[np.uint8] | None:
    """(H, W) uint8 mask, 255 where sure pieces or hands lie over the quad; None where none do.

    A piece that was not seen to be there in the shared part lies below and covers nothing.
    """
    layers = [hand for hand in hands if _shared_area(quad, hand) > 0]
    for match in above:
        if _shared_area(quad, match.quad_px) <= 0 or overlap_share(quad, match.quad_px) > 0.8:
            continue
        seen = _seen_inside(match, quad)
        if seen is None or seen >= 0.5:
            layers.append(match.quad_px)
    if not layers:
        return None
    return mask_of(shape, layers)


def mask_of(shape: tuple[int, int], quads: Sequence[Quad]) -> NDArray[np.uint8]:
    """(H, W) uint8 mask, 255 where one of the convex quads lies, 0 elsewhere."""
    mask: NDArray[np.uint8] = np.zeros(shape, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), 255, shift=4)
    return mask


def order_of(quads: Sequence[Quad], matches: Sequence[FaceMatch | None]) -> list[int]:
    """Numbers of the pieces from the lowest to the highest; ties keep the order that was given."""
    below: list[set[int]] = [set() for _ in quads]
    for one in range(len(quads)):
        for other in range(one + 1, len(quads)):
            if overlap_share(quads[one], quads[other]) < _TOUCHING:
                continue
            upper, lower = _upper_lower(quads, matches, one, other)
            below[upper].add(lower)
    order: list[int] = []
    left = list(range(len(quads)))
    while left:
        free = [number for number in left if not below[number] & set(left)]
        # Three pieces may lie on each other in a ring: the first of them opens it.
        number = free[0] if free else left[0]
        order.append(number)
        left.remove(number)
    return order


def visible_share(quad: Quad, above: Sequence[Quad]) -> float:
    """Share of a quad that no quad above it covers."""
    layers = [layer for layer in above if _shared_area(quad, layer) > 0]
    if not layers:
        return 1.0
    points = apply_homography(homography(_unit(), quad), _grid())
    is_free = np.ones(len(points), bool)
    for layer in layers:
        is_free &= ~_inside(layer, points)
    return float(is_free.mean())


def _upper_lower(
    quads: Sequence[Quad], matches: Sequence[FaceMatch | None], one: int, other: int
) -> tuple[int, int]:
    seen_one = _seen_of(matches[one], quads[other])
    seen_other = _seen_of(matches[other], quads[one])
    return (one, other) if seen_one > seen_other else (other, one)


def _seen_of(match: FaceMatch | None, quad: Quad) -> float:
    """How much a face is seen inside a quad; what has no name is taken to lie below."""
    if match is None:
        return 0.0
    seen = _seen_inside(match, quad)
    return 0.5 if seen is None else seen


def _seen_inside(match: FaceMatch, quad: Quad) -> float | None:
    """Mean of the face's seen parts inside a quad, or None where they hardly touch."""
    height, width = match.seen.shape
    flat = flat_corners((width, height))
    local = apply_homography(homography(match.quad_px, flat), quad)
    mask = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, np.round(local).astype(np.int32), 1)
    # The rim of the shared part is blurred by the edge between the two.
    inner = np.asarray(cv2.erode(mask, np.ones((5, 5), np.uint8)), np.uint8)
    mask = inner if inner.sum() >= 60 else mask
    if mask.sum() < 30:
        return None
    return float(match.seen[mask > 0].mean())


def _shared_area(one: Quad, other: Quad) -> float:
    low = np.maximum(one.min(axis=0), other.min(axis=0))
    high = np.minimum(one.max(axis=0), other.max(axis=0))
    if (high <= low).any():
        return 0.0
    area, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return float(area)


def _unit() -> Quad:
    return np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


def _grid() -> NDArray[np.float32]:
    steps = (np.arange(_GRID, dtype=np.float32) + 0.5) / _GRID
    x, y = np.meshgrid(steps, steps)
    return np.stack([x.ravel(), y.ravel()], axis=1)


def _inside(quad: Quad, points: NDArray[np.float32]) -> NDArray[np.bool_]:
    edges = np.roll(quad, -1, axis=0) - quad
    offsets = points[:, None] - quad[None]
    cross = edges[None, :, 0] * offsets[..., 1] - edges[None, :, 1] * offsets[..., 0]
    return np.asarray((cross.min(axis=1) >= 0) | (cross.max(axis=1) <= 0))
