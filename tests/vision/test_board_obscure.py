"""Where chips may lie unread: what a card leaves open, less where a lamp hides its colours."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.board_chips import ChipReader
from vision.board_looks import EVEN_LIGHT, FINE_PX, Lying, SpaceLook
from vision.board_obscure import find_obscure
from vision.board_print import PrintedFace

SPACE_MM, SIZE_MM, SIDE = 45.0, 14.0, 58
IMAGE = np.full((60, 60, 4), 255, np.uint8)
READER = ChipReader([PrintedFace("chip", "chip", IMAGE, (SIZE_MM,) * 2, ("",) * 4)], SPACE_MM)
CARD = Lying(PrintedFace("card", "path", IMAGE, (44, 44), ("",) * 4), 0, 0.0)


def card_with(error: float, dazzled: float) -> SpaceLook:
    """A card that leaves an error in a disc of a chip's size in its north-east quarter."""
    errors = np.zeros((SIDE, SIDE), np.float32)
    middle, radius = (
        (round(0.75 * SIDE), round(0.25 * SIDE)),
        round(SIZE_MM / SPACE_MM * FINE_PX / 2),
    )
    cv2.circle(errors, middle, radius + 1, (error,), -1)
    return SpaceLook(
        0, 0, CARD, ((CARD, 9.0),), (0.5, 0.5), 0.0, 0.9, errors, 1.0, EVEN_LIGHT, dazzled=dazzled
    )


@pytest.mark.parametrize(
    ("error", "dazzled", "quarters"),
    [(0.038, 0.0, ["ne"]), (0.025, 0.0, []), (0.025, 0.6, ["ne"]), (0.012, 0.6, [])],
)
def test_less_tells_of_a_chip_where_colours_are_full(
    error: float, dazzled: float, quarters: list[str]
) -> None:
    obscure = find_obscure(READER, [card_with(error, dazzled)], [], 0.0)
    assert [each.quarter for each in obscure] == quarters
