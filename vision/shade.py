"""A shadow's edge across a card: found against a face that roughly fits, and taken out of the crop.

The light of the table is modelled by gains and soft gradients; the edge of a shadow that somebody
or a lamp's stand throws is neither. What lies in shadow shows the same print, darker by one factor.
Print is finer than a shadow and mostly ends inside the card, a shadow reaches over its rim.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.comparing import Crop
from vision.flatten import flat_corners, homography
from vision.frame import Image
from vision.sighting import Sighting

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

_LEAST_BRIGHT = 0.2
"""Brightness of print, of 1, from which it tells how much light falls on it."""
_SOFTNESS = 0.09
"""Size of the neighbourhood that tells the light of a pixel, as a share of the card's width."""
_LEAST_STEP = float(np.log(1.18))
"""What a shadow takes away at least, as a logarithm; less is within the soft gradients."""
_MOST_STEP = float(np.log(5.0))
_TWO_LEVELS = 0.8
"""Share of the light's variance between the two levels: 0.75 where it only rises evenly."""
_LEAST_AREA, _LEAST_RIM = 0.1, 0.12
"""Share of the card, and of its rim, that both shadow and light must have."""
_RIM = 0.08
"""Depth of the rim whose lightest print tells the light, as a share of the width."""
_SMOOTH = 0.14
"""Size of the median that takes print out of the shadow's shape, as a share of the width."""
_PENUMBRAS = (0.01, 0.025, 0.05, 0.08)
"""Blur of a shadow's edge, as a share of the width, that is tried."""


def unshaded(crop: Crop, reference: Floats) -> Crop | None:
    """The crop as it would look without the shadow that ends on it.

    Args:
        crop: The crop.
        reference: (H, W, 3) float32 BGR from 0 to 1, a face that lies there, or looks much alike.

    Returns:
        The crop in even light, or None where no shadow ends on it.
    """
    width = crop.colours.shape[1]
    light, is_known = _light_of(crop, reference)
    is_dark = _shadow_in(light, is_known, width)
    if is_dark is None:
        return None
    step = float(np.median(light[is_known & ~is_dark]) - np.median(light[is_known & is_dark]))
    if not _LEAST_STEP <= step <= _MOST_STEP:
        return None
    return min(
        (_relit(crop, is_dark, step, penumbra * width) for penumbra in _PENUMBRAS),
        key=lambda each: _misfit(each, reference),
    )


def in_even_light(sighting: Sighting, size_wh: tuple[int, int]) -> Sighting | None:
    """The sighting without the shadow that ends on the piece, whatever is printed on it.

    Rims of cards are mostly of one brightness all around: where there are two, a shadow's edge
    crosses the rim twice, and is taken for straight between.

    Args:
        sighting: Where a face is looked for.
        size_wh: Width and height of a flat card in pixels.

    Returns:
        The sighting with the place of its quad in even light, or None where no shadow ends there.
    """
    colours = sighting.crop(sighting.quad, size_wh).colours
    places, light = _rim(colours.max(axis=2))
    limit = _between(light)
    is_dark = light < limit
    ends = np.flatnonzero(is_dark != np.roll(is_dark, 1))
    if len(ends) != 2 or not _LEAST_RIM <= is_dark.mean() <= 1 - _LEAST_RIM:
        return None
    step = float(np.median(light[~is_dark]) - np.median(light[is_dark]))
    if not _LEAST_STEP <= step <= _MOST_STEP or _two_levels(light, is_dark) < _TWO_LEVELS:
        return None
    shadow = np.zeros(colours.shape[:2], np.uint8)
    start, end = (int(place) for place in ends)
    outline = places[start:end] if is_dark[start] else np.roll(places, -end, 0)[: start - end]
    cv2.fillPoly(shadow, [outline[:, None]], 1)
    return replace(sighting, image_bgr=_lit_picture(sighting, shadow, step))


def _rim(brightness: Floats) -> tuple[NDArray[np.int32], Floats]:
    """(N, 2) x, y around a card, clockwise, and (N,) logarithm of the light that falls there."""
    height, width = brightness.shape
    deep = max(2, round(_RIM * width))
    soft = cv2.blur(brightness, (3, 3))
    sides = (
        soft[:deep].max(axis=0),
        soft[:, -deep:].max(axis=1),
        soft[-deep:].max(axis=0)[::-1],
        soft[:, :deep].max(axis=1)[::-1],
    )
    xs, ys = np.arange(width), np.arange(height)
    right, bottom = np.full(height, width - 1), np.full(width, height - 1)
    x = np.concatenate([xs, right, xs[::-1], np.zeros(height, int)])
    y = np.concatenate([np.zeros(width, int), ys, bottom, ys[::-1]])
    light = np.log(np.maximum(np.concatenate(sides), 0.01))
    around = np.stack([np.roll(light, shift) for shift in range(-deep, deep + 1)])
    return np.stack([x, y], axis=1).astype(np.int32), np.median(around, axis=0).astype(np.float32)


def _lit_picture(sighting: Sighting, shadow: NDArray[np.uint8], step: float) -> Image:
    """The picture with a shadow taken out in the place of the quad."""
    height, width = shadow.shape
    to_picture = homography(flat_corners((width, height)), sighting.quad)
    soft = cv2.GaussianBlur(shadow.astype(np.float32), (0, 0), _PENUMBRAS[2] * width)
    picture_wh = sighting.image_bgr.shape[1::-1]
    depth = cv2.warpPerspective(soft, to_picture, picture_wh, flags=cv2.INTER_LINEAR)
    lit = sighting.image_bgr / _left_of_light(depth, step)[..., None]
    return np.asarray(np.minimum(lit, 255), np.uint8)


def _light_of(crop: Crop, reference: Floats) -> tuple[Floats, Mask]:
    """(H, W) logarithm of the light that falls on each pixel, and where it is known."""
    printed, seen = reference.mean(axis=2), crop.colours.mean(axis=2)
    telling = ((printed > _LEAST_BRIGHT) & (crop.weight > 0.5)).astype(np.float32)
    ratio = np.log(np.maximum(seen, 0.01) / np.maximum(printed, _LEAST_BRIGHT)) * telling
    size = max(3, round(_SOFTNESS * crop.colours.shape[1]) | 1)
    share = cv2.boxFilter(telling, -1, (size, size))
    light = cv2.boxFilter(ratio.astype(np.float32), -1, (size, size)) / np.maximum(share, 1e-3)
    return np.asarray(light, np.float32), np.asarray(share > 0.3, np.bool_)


def _shadow_in(light: Floats, is_known: Mask, width: int) -> Mask | None:
    """(H, W) bool, where a shadow lies; None where there are no two levels of light."""
    values = light[is_known]
    if values.size < is_known.size / 2:
        return None
    if float(np.ptp(values)) < _LEAST_STEP:
        return None
    size = round(_SMOOTH * width) | 1
    middle = np.where(is_known, (light < _between(values)) * 255, 128).astype(np.uint8)
    is_dark = cv2.medianBlur(middle, size) > 127
    share = float(is_dark[is_known].mean())
    if not _LEAST_AREA <= share <= 1 - _LEAST_AREA or not _reaches_rim(is_dark):
        return None
    return is_dark if _two_levels(values, is_dark[is_known]) >= _TWO_LEVELS else None


def _between(values: Floats) -> float:
    """What parts some values best in two (Otsu's method)."""
    low, high = float(values.min()), float(values.max())
    scaled = ((values - low) / max(high - low, 1e-6) * 255).astype(np.uint8)
    limit, _ = cv2.threshold(scaled[None], 0, 255, cv2.THRESH_OTSU)
    return low + (limit + 1) / 255 * (high - low)


def _two_levels(values: Floats, is_dark: Mask) -> float:
    """Share of the variance that lies between two groups of values."""
    dark, lit = values[is_dark], values[~is_dark]
    within = (float(dark.var()) * dark.size + float(lit.var()) * lit.size) / values.size
    return 1 - within / max(float(values.var()), 1e-9)


def _reaches_rim(is_dark: Mask) -> bool:
    rim = np.concatenate([is_dark[0], is_dark[-1], is_dark[:, 0], is_dark[:, -1]])
    return bool(_LEAST_RIM <= rim.mean() <= 1 - _LEAST_RIM)


def _relit(crop: Crop, is_dark: Mask, step: float, penumbra_px: float) -> Crop:
    """The crop with as much light in the shadow as beside it."""
    depth = cv2.GaussianBlur(is_dark.astype(np.float32), (0, 0), max(penumbra_px, 0.3))
    gain = 1 / _left_of_light(depth, step)
    return replace(crop, colours=np.minimum(crop.colours * gain[..., None], 1).astype(np.float32))


def _left_of_light(depth: NDArray[Any], step: float) -> Floats:
    """(H, W) share of the light that a shadow leaves, from how deep in it each pixel lies."""
    return np.asarray(1 - depth * (1 - np.exp(-step)), np.float32)


def _misfit(crop: Crop, reference: Floats) -> float:
    """How unevenly a crop is lit against what is printed."""
    light, is_known = _light_of(crop, reference)
    return float(light[is_known].std())
