from __future__ import annotations

import numpy as np
import pytest

from tests.vision.tables import CARD_MM, TO_PX, Lying
from vision.beneath import places_beneath
from vision.calibration import Rectangle, TablePlane
from vision.stacking import overlap_share

PLANE = TablePlane(np.linalg.inv(TO_PX), 0.0, 0)
UPPER = Lying("a01", 150, 120, 25)


@pytest.mark.parametrize("slide_mm", [(34.0, 3.0), (-30.0, -2.0), (2.0, 50.0), (-3.0, -45.0)])
def test_a_strip_beside_the_upper_card_tells_where_the_lower_one_lies(
    slide_mm: tuple[float, float],
) -> None:
    lower = Lying("a02", *(UPPER.x_mm + slide_mm[0], UPPER.y_mm + slide_mm[1]), 28)
    box = lower.quad + (lower.quad.mean(axis=0) - UPPER.quad.mean(axis=0)) * 0.1
    places = places_beneath(
        PLANE, box.astype(np.float32), Rectangle(UPPER.quad, CARD_MM), [UPPER.quad]
    )
    assert max(overlap_share(place, lower.quad) for place in places) > 0.8
    assert all(overlap_share(place, lower.quad) > 0.4 for place in places[:5])


def test_what_is_wholly_hidden_has_no_place() -> None:
    inner = ((UPPER.quad - UPPER.quad.mean(axis=0)) * 0.7 + UPPER.quad.mean(axis=0)).astype(
        np.float32
    )
    assert not places_beneath(PLANE, inner, Rectangle(UPPER.quad, CARD_MM), [UPPER.quad])
