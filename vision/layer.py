"""What is drawn upon one picture, laid over many: a film is labelled once for each scene.

Placing labels takes much longer than a frame lasts. All drawing mixes its colours with what lies
beneath, so what it makes of a black and of a white picture tells what it makes of any.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.frame import Image


class Layer:
    """A drawing that can be laid over pictures of one size.

    Args:
        size_hw: Height and width of the pictures.
        draw: Draws upon a picture (H, W, 3) uint8 and returns it, perhaps with a strip below; it
            may not look at the picture.
    """

    def __init__(self, size_hw: tuple[int, int], draw: Callable[[Image], Image]) -> None:
        self._on_black = draw(np.zeros((*size_hw, 3), np.uint8))
        on_white = draw(np.full((*size_hw, 3), 255, np.uint8))
        self._share = cv2.subtract(on_white, self._on_black)
        self._below = self._on_black.shape[0] - size_hw[0]

    def over(self, image_bgr: Image) -> Image:
        """Returns a picture (H, W, 3) uint8 with the drawing over it, and its strip below."""
        padded = cv2.copyMakeBorder(image_bgr, 0, self._below, 0, 0, cv2.BORDER_CONSTANT)
        beneath = cv2.multiply(padded, self._share, scale=1 / 255)
        return np.asarray(cv2.add(beneath, self._on_black), np.uint8)
