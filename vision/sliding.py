"""The last half pixel of a landing: whether a piece still slides in a frame.

A card that slides its last bit looks nearly as at rest; where its edges lie tells.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt
from cv2.typing import MatLike

from vision.ring import PastPatch

Mask = npt.NDArray[np.bool_]

MIN_STRUCTURE = 8.0
"""Brightness steps a pixel: weaker slopes look alike wherever the piece lies."""
MIN_PIXELS = 40
"""With fewer pixels of structure nothing is told."""
_SLIDES_PX = 0.2
"""Way to the place of rest from which a piece still moves; at rest it is 0.05 at most."""
MAY_MOVE_PX = 0.06
"""Way to the place of rest up to which the piece lies where it stays."""
_SLOWS = 0.5
"""A piece that comes to rest loses at least half of its way in a frame; what a hand nearby feigns
stays."""
_MOST_SLIDING = 2
_FAR_LEVELS = 30.0
"""Brightness steps beyond which a pixel shows something else than the piece a little beside."""


def come_to_rest(past: Sequence[PastPatch], first: int, piece: Mask) -> tuple[int, float]:
    """The frame from which on the piece does not slide any more, and how far it still may.

    Args:
        past: The patch in consecutive frames; the last one shows the piece at rest.
        first: Position of the frame in which it looks at rest.
        piece: `(h, w)` bool, the pixels that the piece covers.

    Returns:
        A position from `first` on, and the way in pixels that is left there.
    """
    way_px = way_to_rest(past, first, piece)
    for _ in range(_MOST_SLIDING):
        if way_px <= _SLIDES_PX or first + 1 >= len(past) - 1:
            break
        following_px = way_to_rest(past, first + 1, piece)
        if following_px > _SLOWS * way_px:
            break
        first, way_px = first + 1, following_px
    return first, way_px


def way_to_rest(past: Sequence[PastPatch], position: int, piece: Mask) -> float:
    """How many pixels lie between a patch and the last one, by least squares along the edges.

    Args:
        past: The patch in consecutive frames; the last one shows the piece at rest.
        position: Which of them is asked about.
        piece: `(h, w)` bool, the pixels that the piece covers.
    """
    rest, patch = past[-1], past[position]
    smooth = cv2.GaussianBlur(rest.luma, (0, 0), 0.8).astype(np.float32)
    before = cv2.GaussianBlur(patch.luma, (0, 0), 0.8).astype(np.float32)
    difference = before * (rest.brightness / patch.brightness) - smooth
    slope_x, slope_y = slopes(smooth)
    telling = piece & (np.hypot(slope_x, slope_y) > MIN_STRUCTURE)
    telling &= np.abs(difference) < _FAR_LEVELS
    if np.count_nonzero(telling) < MIN_PIXELS:
        return 0.0
    edges = np.stack([slope_x[telling], slope_y[telling]], axis=1)
    way, *_ = np.linalg.lstsq(edges, difference[telling], rcond=None)
    return float(np.hypot(*way))


def slopes(smooth: MatLike) -> tuple[MatLike, MatLike]:
    """Brightness steps a pixel to the right and downwards."""
    return cv2.Sobel(smooth, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(smooth, cv2.CV_32F, 0, 1) / 8
