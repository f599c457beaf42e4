"""One picture of a recording or a stream, with its time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""`(H, W, 3)` BGR or `(H, W)` luma, 8 bits a channel, upright as a viewer shows it."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a source.

    Attributes:
        index: Position in the source, from 0.
        timestamp_s: Presentation time in seconds, first frame = 0.
        luma: `(H, W)` uint8, brightness as the decoder gives it, upright.
        to_bgr: Makes the `(H, W, 3)` BGR picture. Colour costs more than decoding, so only the
            frames that are looked at pay for it; call it before the next frame is taken.
        small: What `vision.gate.shrink` makes of `luma`, where somebody had the time for it.
    """

    index: int
    timestamp_s: float
    luma: Image
    to_bgr: Callable[[], Image]
    small: Image | None = None
