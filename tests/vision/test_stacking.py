from __future__ import annotations

import numpy as np
import pytest

from vision.stacking import order_of, overlap_share, visible_share

SQUARE = np.float32([[0, 0], [10, 0], [10, 10], [0, 10]])


@pytest.mark.parametrize(
    ("shift", "expected"), [(20.0, 0.0), (10.0, 0.0), (5.0, 1 / 3), (0.0, 1.0)]
)
def test_overlap_share(shift: float, expected: float) -> None:
    other = SQUARE + np.float32([shift, 0])
    assert overlap_share(SQUARE, other) == pytest.approx(expected, abs=1e-4)


def test_visible_share_counts_what_lies_above_once() -> None:
    assert visible_share(SQUARE, []) == 1
    above = SQUARE + np.float32([5, 0])
    assert visible_share(SQUARE, [above, above]) == pytest.approx(0.5, abs=0.03)
    assert visible_share(SQUARE, [SQUARE]) == 0


def test_pieces_apart_keep_their_order() -> None:
    quads = [SQUARE, SQUARE + 50, SQUARE + 100]
    assert order_of(quads, [None, None, None]) == [0, 1, 2]
