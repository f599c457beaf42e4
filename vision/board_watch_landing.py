"""When a card came to lie on a board though a hand hid it: while the hand that laid it held still.

Fingers are larger than the cards of a board: what they lay down is seen first when they draw back.
But a hand that lays something down comes to rest for a moment, and that moment is the landing.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lookback import Landing, find_landing
from vision.resting import Mask
from vision.ring import PastPatch

_LEVELS, _NOISE_FACTOR = 6.0, 4.0
"""Brightness steps above compression, and above the noise of the camera."""
_STILL_SHARE = 0.006
"""Where less than this share of a patch changes from frame to frame a hand holds still."""
_HOLD_S = 0.06
"""A hand that only turns back rests for a frame; one that lays something down for longer."""
_DRAWS_BACK_S = 0.4
"""From the moment at which a hand lets go until most of what it hid is seen."""
_HAND_SHARE = 0.1
"""Share of a patch that looks different from before where a hand lies over it."""


def find_landing_by_hand(past: Sequence[PastPatch], at_rest: int, piece: Mask) -> Landing | None:
    """Finds when a piece came to lie there, whether it was seen then or hidden by a hand.

    Args:
        past: The patch in consecutive frames, oldest first; in the first one nothing had moved.
        at_rest: Position in `past` of a frame in which the piece lies at rest.
        piece: (h, w) bool, the pixels that the piece covers.

    Returns:
        As `find_landing`: the start of the rest of the hand that last held still before the piece
        was seen, or the moment at which it was seen, or None.
    """
    seen = find_landing(past, at_rest, piece, may_be_hidden=False)
    if seen is None:
        return None
    position = next(i for i, patch in enumerate(past) if patch.index == seen.index)
    hold = _hold_before(past, position)
    if hold is None:
        return seen
    frame_s = past[hold].timestamp_s - past[hold - 1].timestamp_s
    return Landing(past[hold].index, past[hold].timestamp_s, frame_s, seen.clear)


def _hold_before(past: Sequence[PastPatch], seen: int) -> int | None:
    """Position of the first frame in which the hand held still that then drew back."""
    smooth = [_smooth(patch) for patch in past]
    noise = float(np.median(np.abs(smooth[-1] - smooth[-2])))
    # Dim light is made brighter here, and what compression does to it as well.
    darkest = min(1.0, *(patch.brightness for patch in past))
    level = max(_LEVELS / darkest, _NOISE_FACTOR * noise)
    end = seen
    while end > 1 and _share(smooth[end], smooth[end - 1], level) > _STILL_SHARE:
        end -= 1
        if past[seen].timestamp_s - past[end].timestamp_s > _DRAWS_BACK_S:
            return None
    start = end
    while start > 1 and _share(smooth[start], smooth[start - 1], level) <= _STILL_SHARE:
        start -= 1
    held_s = past[end].timestamp_s - past[start].timestamp_s
    is_hidden = _share(smooth[end], smooth[0], level) > _HAND_SHARE
    return start if held_s >= _HOLD_S and is_hidden and start > 1 else None


def _smooth(patch: PastPatch) -> NDArray[np.float32]:
    smooth = cv2.blur(patch.luma.astype(np.float32), (3, 3))
    return np.asarray(smooth / np.float32(patch.brightness), np.float32)


def _share(one: NDArray[np.float32], other: NDArray[np.float32], level: float) -> float:
    return float(np.mean(np.abs(one - other) > level))
