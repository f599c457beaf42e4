"""The quick median says what numpy's does."""

from __future__ import annotations

import numpy as np
import pytest

from vision.median import median


@pytest.mark.parametrize("count", [1, 2, 3, 10, 101])
def test_the_median_is_numpys(count: int) -> None:
    values = np.random.default_rng(count).normal(size=count).astype(np.float32)
    assert median(values) == np.median(values)
