"""From truth to label lines: which items are labelled, and their outline inside the picture."""

from __future__ import annotations

import numpy as np

from datasets.items import CLASSES, Points
from datasets.render import LABELLED_SHARE, Rendered

SHORTEST_SIDE_PX = 4.0  # smaller things are not labelled


def clip(quad: Points, size: tuple[int, int]) -> Points:
    """Cuts a convex outline to the picture; the result has three to eight corners, or none."""
    points = quad
    for axis, bound, sign in (
        (0, 0.0, 1),
        (0, float(size[0]), -1),
        (1, 0.0, 1),
        (1, float(size[1]), -1),
    ):
        inside = sign * (points[:, axis] - bound) >= 0
        kept = []
        for index in range(len(points)):
            here, after = points[index], points[(index + 1) % len(points)]
            in_here, in_after = inside[index], inside[(index + 1) % len(points)]
            if in_here:
                kept.append(here)
            if in_here != in_after:
                share = (bound - here[axis]) / (after[axis] - here[axis])
                kept.append(here + share * (after - here))
        if len(kept) < 3:
            return np.zeros((0, 2))
        points = np.asarray(kept)
    return points


def label_lines(rendered: Rendered) -> list[str]:
    """Writes the labels of one picture in ultralytics' form: class, then outline, normalised.

    An outline wholly inside the picture has its four corners, clockwise from the top left of
    the art; one that the picture's edge cuts has as many corners as the cut leaves.
    """
    height, width = rendered.image.shape[:2]
    lines = []
    for truth in rendered.truths:
        if truth.visible < LABELLED_SHARE or not np.isfinite(truth.quad).all():
            continue
        outline = clip(truth.quad, (width, height))
        if len(outline) < 3 or _short_side(outline) < SHORTEST_SIDE_PX:
            continue
        shares = np.clip(outline / (width, height), 0, 1)
        numbers = " ".join(f"{value:.5f}" for value in shares.ravel())
        lines.append(f"{CLASSES.index(truth.kind)} {numbers}")
    return lines


def _short_side(outline: Points) -> float:
    sides = np.hypot(*(np.roll(outline, -1, axis=0) - outline).T)
    if len(outline) == 4:
        return float(sides.min())
    return float(np.ptp(outline, axis=0).min())
