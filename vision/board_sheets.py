"""What lies flat and even over spaces: a sheet of paper is as plain as the bare board.

Light that is fitted to each space makes any plain thing look like sand. But the light was evened
before, so that sand has about the colour that is printed; what has another is something else.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.board_looks import SpaceLook

_BRIGHTEST, _DARKEST = 1.5, 0.45
"""Brightness of a bare space in evened light, as a multiple of its print: on 300 boards 0.73 to
1.45, and 1.61 once where a lamp is mirrored; of white paper 1.64 and more."""
_TINT, _LAMP = 1.22, 1.25
"""By how much more one colour is changed than another: 1.21 at most, in warm light that comes from
one side, but for lamps, which make a space brighter than this, too; 1.26 and more under a hand."""


def is_sheet(look: SpaceLook, printed: NDArray[np.float32]) -> bool:
    """Whether a space that was read as bare is too bright, dark or tinted to be the board.

    Args:
        look: The space, read as the bare board.
        printed: (3, S, S) the print of the bare space, 0 to 1.
    """
    tone = look.light[0] + look.light[1] / np.maximum(printed.mean(axis=(1, 2)), 1 / 255)
    level = float(tone.mean())
    is_tinted = float(tone.max()) > _TINT * max(float(tone.min()), 0.0)
    return not _DARKEST < level < _BRIGHTEST or (is_tinted and level < _LAMP)
