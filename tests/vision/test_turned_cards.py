"""The neighbourhood of a card holds every window in which the small card is sought."""

from __future__ import annotations

import numpy as np
import pytest

from vision.turned_cards import around, margin_of, reach_px, window_px, windows_of


@pytest.mark.parametrize("height", [16, 22, 24, 25, 27, 32])
def test_cards_of_every_shape_have_all_their_windows(height: int) -> None:
    size_wh = (16, height)
    margin = margin_of(size_wh)
    wide_hw = (height + 2 * round(height * margin), 16 + 2 * round(16 * margin))
    layers = np.zeros((1, *wide_hw), np.float32)[:, *around(size_wh, wide_hw)]
    windows = windows_of(layers, size_wh)
    assert windows.shape == ((2 * reach_px(size_wh) + 1) ** 2, window_px(size_wh) ** 2)
