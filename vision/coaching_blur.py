"""How sharp a picture is, and where lamps are mirrored in it; both whatever is printed there."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

_NEAR_PX = (0.7, 1.6)
_WIDE_PX = (1.0, 3.0)
"""Pairs of blurs that are compared: near ones for a sharp picture, wide ones for a smeared one."""
_SMEARED_PX = 2.2
_STRONGEST = 0.03
"""Share of the pixels that are edges in any picture of cards."""
_LEAST_SLOPE = 4.0
_LEAST_EDGES = 30

_SATURATED = 250
_SKIRT = 226
"""A mirrored lamp fades out slowly: around what is white to the limit it is nearly white, while
around printed white comes the next colour at once."""
_SOFT_SHARE = 0.5


def edge_blur_px(luma: Image) -> float | None:
    """How far the edges of a picture are smeared, as the sigma of a Gaussian in pixels.

    A step that is blurred by s has a slope of 1/sqrt(s^2 + b^2) after another blur by b, so two
    blurs tell s, whatever the contrast (Zhuo and Sim, Defocus map estimation from a single image).

    Args:
        luma: `(H, W)` uint8.

    Returns:
        The median over the strongest edges, or None where there are none.
    """
    blur_px = _blur_between(luma, *_NEAR_PX)
    if blur_px is not None and blur_px > _SMEARED_PX:
        blur_px = _blur_between(luma, *_WIDE_PX)
    return blur_px


def _blur_between(luma: Image, fine_px: float, coarse_px: float) -> float | None:
    fine, coarse = _slope(luma, fine_px), _slope(luma, coarse_px)
    level = max(_LEAST_SLOPE, float(np.quantile(fine, 1 - _STRONGEST)))
    crest = fine >= cv2.dilate(fine, np.ones((3, 3), np.uint8)) - 1e-3
    edges = (fine >= level) & crest
    if np.count_nonzero(edges) < _LEAST_EDGES:
        return None
    ratio = np.clip(coarse[edges] / fine[edges], 0.0, 0.999) ** 2
    blur = (ratio * coarse_px**2 - fine_px**2) / (1 - ratio)
    return float(np.sqrt(max(0.0, float(np.median(blur)))))


def _slope(luma: Image, sigma: float) -> NDArray[np.float32]:
    smooth = cv2.GaussianBlur(luma, (0, 0), sigma).astype(np.float32)
    slope_x, slope_y = cv2.Scharr(smooth, cv2.CV_32F, 1, 0), cv2.Scharr(smooth, cv2.CV_32F, 0, 1)
    return np.asarray(np.hypot(slope_x, slope_y) / 32, np.float32)


def glare(luma: Image, side_px: float) -> NDArray[np.bool_]:
    """Where lamps are mirrored so that nothing else is seen, `(H, W)`.

    Args:
        luma: `(H, W)` uint8.
        side_px: Short side of a card: smaller spots than a twentieth of it hide nothing.
    """
    white = (luma >= _SATURATED).astype(np.uint8)
    reach = max(1, round(side_px / 40))
    kernel = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    opened = cv2.morphologyEx(white, cv2.MORPH_OPEN, kernel)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened)
    found = np.zeros(luma.shape, np.bool_)
    for label in range(1, count):
        if stats[label, cv2.CC_STAT_AREA] < (side_px / 10) ** 2:
            continue
        left, top, width, height = (int(value) for value in stats[label, :4])
        margin = 3 * reach
        box = (
            slice(max(0, top - margin), top + height + margin),
            slice(max(0, left - margin), left + width + margin),
        )
        mine = labels[box] == label
        ring = cv2.dilate(mine.astype(np.uint8), kernel, iterations=2).astype(bool) & ~mine
        if ring.any() and float(np.mean(luma[box][ring] >= _SKIRT)) > _SOFT_SHARE:
            found[box] |= mine
    return found
