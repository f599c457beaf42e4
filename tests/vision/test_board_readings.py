"""How sure a space must be seen to be told."""

from __future__ import annotations

import numpy as np
import pytest

from vision.board_looks import EVEN_LIGHT, Lying, SpaceLook
from vision.board_print import PrintedFace
from vision.board_readings import space_reading
from vision.board_view import BoardView, Lens
from vision.table import SpaceState

VIEW = BoardView(np.diag([100.0, 100.0, 1.0]), Lens.of((900, 800)), (900, 800))


def lying(name: str) -> Lying:
    image = np.zeros((1, 1, 4), np.uint8)
    return Lying(PrintedFace(name, "path", image, (44, 44), (name,) * 4), 90, 0.01)


@pytest.mark.parametrize(
    ("shown", "margin", "state"),
    [
        (1.0, 1.1, SpaceState.DOUBTFUL),
        (1.0, 1.4, SpaceState.COVERED),
        (0.5, 1.4, SpaceState.DOUBTFUL),
        (0.5, 1.7, SpaceState.COVERED),
    ],
)
def test_a_card_that_the_edge_cuts_must_be_further_ahead_of_others(
    shown: float, margin: float, state: SpaceState
) -> None:
    look = SpaceLook(
        row=1,
        col=2,
        best=lying("p05"),
        rivals=((lying("p08"), margin),),
        centre=(2.5, 1.5),
        turn_deg=0.0,
        explained=0.9,
        errors=np.zeros((1, 1), np.float32),
        shown=shown,
        light=EVEN_LIGHT,
    )
    reading = space_reading(look, VIEW, 45.0, is_print=False, is_sheet=False)
    assert reading.state is state
