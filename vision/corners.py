"""Finding a card's true corners near a detected quad.

A detector's oriented box is a rectangle, a card under a tilt is none. Along each side the picture
is sampled across the side; a straight line through consistent colour steps is sought there, and
the four lines are cut with each other. A side without a clear line keeps where it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.flatten import Quad, side_lengths

Floats = NDArray[np.float32]

_SAMPLES = 24
_OFFSETS = 41
_REACHES = (0.22, 0.1)
"""How far to both sides of a side an edge is sought, as a share of the card's short side, first
and then: boxes of a trained detector err by 3 to 6 %, and the corners of a card seen under a tilt
lie up to 20 % beside those of its box."""

_SPREAD = 0.075
"""How far off an edge is believed to be (standard deviation, as a share of the short side)."""

_MOST_TURN = 0.3
_CLEAR_STEP = 0.045
"""Mean colour step (0 to 1) along a line from which it counts as an edge."""

_OUTER_SHARE = 0.62
"""The outermost line with this share of the best line's evidence wins: cards have inner frames."""


@dataclass(frozen=True, slots=True, eq=False)
class RefinedQuad:
    """A quad after its sides were laid onto edges.

    Attributes:
        quad: (4, 2) float32 pixel corners, in the order of the quad that was given.
        quality: Share of the sides that found an edge, weighed by its clearness, 0 to 1.
    """

    quad: Quad
    quality: float


def refine_corners(image: NDArray[np.uint8], quad: Quad) -> RefinedQuad:
    """Lay the sides of a quad onto the edges of the card in the picture.

    Args:
        image: (H, W, 3) uint8 BGR.
        quad: (4, 2) corners, clockwise, from a detector.
    """
    sides = side_lengths(quad)
    short = float(min(sides[0::2].mean(), sides[1::2].mean()))
    if short < 12:
        return RefinedQuad(quad, 0.0)
    refined, quality = quad, 0.0
    for reach in _REACHES:
        moved, clearness = _lay_sides(image, refined, short, reach)
        if not _is_sound(moved, quad, short):
            break
        refined, quality = moved, clearness
    return RefinedQuad(refined, quality)


def _lay_sides(
    image: NDArray[np.uint8], quad: Quad, short: float, reach: float
) -> tuple[Quad, float]:
    steps = _colour_steps(image, quad, short * reach)
    lines, clearness = [], []
    for side, (ends, evidence) in enumerate(_best_lines(steps, reach)):
        is_edge = evidence >= _CLEAR_STEP
        lines.append(_moved_side(quad, side, ends * short * reach if is_edge else np.zeros(2)))
        clearness.append(min(1.0, evidence / (2 * _CLEAR_STEP)) if is_edge else 0.0)
    corners = [_cut(lines[side - 1], lines[side]) for side in range(4)]
    return np.array(corners, np.float32), float(np.mean(clearness))


def _colour_steps(image: NDArray[np.uint8], quad: Quad, reach_px: float) -> Floats:
    """(4, samples, offsets, 3) signed colour steps across each side, from inside to outside."""
    along = np.linspace(0.06, 0.94, _SAMPLES, dtype=np.float32)
    # Two more offsets at the ends serve the difference.
    across = np.linspace(-1, 1, _OFFSETS + 4, dtype=np.float32) * np.float32(
        reach_px * (_OFFSETS + 3) / (_OFFSETS - 1)
    )
    points = []
    for side in range(4):
        start, end = quad[side], quad[(side + 1) % 4]
        base = start + along[:, None] * (end - start)
        points.append(base[:, None] + across[None, :, None] * _outward(start, end))
    grid = np.concatenate(points).astype(np.float32)
    colours = cv2.remap(
        image, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)
    smooth = cv2.GaussianBlur(colours, (3, 3), 0) / 255
    steps = smooth[:, 4:] - smooth[:, :-4]
    return steps.reshape(4, _SAMPLES, _OFFSETS, 3).astype(np.float32)


def _outward(start: Floats, end: Floats) -> Floats:
    """Unit normal of a side of a clockwise quad (y down) that points outside."""
    direction = (end - start) / (np.linalg.norm(end - start) + 1e-9)
    return np.array([direction[1], -direction[0]], np.float32)


def _best_lines(steps: Floats, reach: float) -> Iterator[tuple[NDArray[np.float64], float]]:
    """Where the edge crosses the ends of each side (-1 to 1 of the reach), and its evidence.

    Args:
        steps: (4, samples, offsets, 3) from `_colour_steps`.
        reach: Share of the card's short side that the offsets reach to both sides.
    """
    lines = _lines(reach)
    capped = np.clip(steps, -0.25, 0.25)
    values = np.concatenate([capped, _strongest(np.abs(capped))[..., None]], axis=-1)
    # All values of a sample lie side by side, and OpenCV fetches them faster than numpy does.
    fetched = cv2.remap(
        values.reshape(4 * _SAMPLES, _OFFSETS, 4), lines.across, lines.down, cv2.INTER_NEAREST
    )
    sampled = fetched.reshape(4, _SAMPLES, -1, 4).mean(axis=1)
    unit = _OFFSETS // 2
    for evidence in 0.6 * _strongest(np.abs(sampled)) + 0.4 * sampled[..., 3]:
        belief = evidence * lines.belief
        good = np.flatnonzero(belief >= _OUTER_SHARE * belief.max())
        outermost = _outermost_peak(lines.first[good] + lines.last[good], belief[good])
        chosen = good[outermost]
        ends = (np.array([lines.first[chosen], lines.last[chosen]], np.float64) - unit) / unit
        yield ends, float(evidence[chosen])


def _strongest(colours: Floats) -> Floats:
    """(...) the largest of the first three values (..., 3 or more), faster than numpy finds it."""
    largest = np.maximum(np.maximum(colours[..., 0], colours[..., 1]), colours[..., 2])
    return np.asarray(largest, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """All N lines that are tried across a side.

    Attributes:
        first: (N,) offset at the first sample.
        last: (N,) offset at the last sample.
        across: (4 * samples, N) float32, offset at each sample of the four sides.
        down: (4 * samples, N) float32, number of each sample.
        belief: (N,) how likely such a line is before anything was seen, 1 at most.
    """

    first: NDArray[np.intp]
    last: NDArray[np.intp]
    across: Floats
    down: Floats
    belief: NDArray[np.float64]


@lru_cache(maxsize=4)
def _lines(reach: float) -> _Lines:
    places = np.arange(_OFFSETS)
    first, last = np.meshgrid(places, places, indexing="ij")
    unit = _OFFSETS // 2
    is_possible = np.abs(first - last) <= _MOST_TURN / reach * unit
    first, last = first[is_possible], last[is_possible]
    share = np.linspace(0, 1, _SAMPLES)[:, None]
    across = np.round(first[None] * (1 - share) + last[None] * share)
    down = np.repeat(np.arange(4 * _SAMPLES), len(first)).reshape(4 * _SAMPLES, -1)
    middle = ((first + last) / 2 - unit) / unit * reach / _SPREAD
    turn = (first - last) / unit * reach / _SPREAD
    belief = np.exp(-0.5 * middle**2 - 0.1 * turn**2)
    across = np.tile(across, (4, 1))
    return _Lines(first, last, across.astype(np.float32), down.astype(np.float32), belief)


def _outermost_peak(places: NDArray[np.intp], belief: NDArray[np.floating]) -> int:
    """The strongest line of the outermost group of lines."""
    order = np.argsort(-places, kind="stable")
    ranked = places[order]
    gaps = np.flatnonzero(-np.diff(ranked) > 3)
    group = order[: gaps[0] + 1] if gaps.size else order
    return int(group[np.argmax(belief[group])])


def _moved_side(quad: Quad, side: int, ends_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """Two points of the side's line after its sample ends moved outwards by so many pixels."""
    start, end = quad[side].astype(np.float64), quad[(side + 1) % 4].astype(np.float64)
    normal = _outward(quad[side], quad[(side + 1) % 4])
    first = start + 0.06 * (end - start) + normal * ends_px[0]
    last = start + 0.94 * (end - start) + normal * ends_px[1]
    return np.stack([first, last])


def _cut(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """The point in which two lines meet."""
    direction, across = one[1] - one[0], other[1] - other[0]
    cross = direction[0] * across[1] - direction[1] * across[0]
    if abs(cross) < 1e-6:
        middle: NDArray[np.float64] = (one[1] + other[0]) / 2
        return middle
    offset = other[0] - one[0]
    share = (offset[0] * across[1] - offset[1] * across[0]) / cross
    point: NDArray[np.float64] = one[0] + share * direction
    return point


def _is_sound(refined: Quad, quad: Quad, short: float) -> bool:
    """Whether the result is a quad of about the same place and size."""
    if float(np.abs(refined - quad).max()) > 0.4 * short:
        return False
    if not cv2.isContourConvex(np.round(refined * 16).astype(np.int32)):
        return False
    area, before = cv2.contourArea(refined), cv2.contourArea(quad)
    return bool(0.6 * before < area < 1.6 * before)
