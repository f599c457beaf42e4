"""Strips of won cards are sought beside Camera cards, seen larger, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from vision.detection import KINDS, Detections
from vision.gate import Region
from vision.piles import with_piles
from vision.table import PieceKind

SIZE_WH = (1280, 720)
Box = tuple[PieceKind, float, float, float, float, float]
CAMERA: Box = (PieceKind.CAMERA, 0.9, 200, 300, 290, 430)
WON: Box = (PieceKind.CARD, 0.9, 310, 300, 400, 430)
LAID_OUT: Box = (PieceKind.CARD, 0.9, 700, 300, 790, 430)
STRIP: Box = (PieceKind.CARD, 0.3, 395, 305, 430, 430)


def detections(boxes: Sequence[Box]) -> Detections:
    """Upright boxes: kind, confidence, left, top, right, bottom."""
    if not boxes:
        return Detections.empty()
    quads = [[[x0, y0], [x1, y0], [x1, y1], [x0, y1]] for _, _, x0, y0, x1, y1 in boxes]
    return Detections(
        np.array(quads, np.float32),
        np.array([KINDS.index(box[0]) for box in boxes], np.int64),
        np.array([box[1] for box in boxes], np.float32),
    )


def look(usual: Sequence[Box], closer: Sequence[Box]) -> tuple[int, list[Region]]:
    """How many findings a closer look adds, and where it was had."""
    regions: list[Region] = []

    def find(region: Region, scale: float) -> Detections:
        assert scale > 1
        regions.append(region)
        return detections(closer)

    return len(with_piles(detections(usual), SIZE_WH, find)) - len(usual), regions


def test_a_strip_beside_a_won_card_is_added() -> None:
    added, (region,) = look([CAMERA, WON, LAID_OUT], [WON, STRIP])
    assert added == 1
    assert region.left <= 310 - 60
    assert region.right >= 430
    assert region.right < 700


@pytest.mark.parametrize(
    ("name", "usual", "closer"),
    [
        ("no Camera card", [WON, LAID_OUT], [STRIP]),
        ("no card beside it", [CAMERA, LAID_OUT], [STRIP]),
        ("a faint Camera card", [(CAMERA[0], 0.3, *CAMERA[2:]), WON], [STRIP]),
    ],
)
def test_only_piles_are_looked_at_closer(
    name: str, usual: Sequence[Box], closer: Sequence[Box]
) -> None:
    assert look(usual, closer) == (0, []), name


@pytest.mark.parametrize(
    ("name", "finding"),
    [
        ("the card itself", WON),
        ("a part of it", (PieceKind.CARD, 0.8, 320, 310, 360, 425)),
        ("a drop on the table", (PieceKind.CARD, 0.8, 395, 305, 430, 330)),
        ("what lies elsewhere", (PieceKind.CARD, 0.8, 450, 305, 485, 430)),
        ("something faint", (PieceKind.CARD, 0.1, *STRIP[2:])),
        ("no card", (PieceKind.CAMERA, 0.8, *STRIP[2:])),
    ],
)
def test_what_is_no_strip_is_not_added(name: str, finding: Box) -> None:
    added, regions = look([CAMERA, WON], [finding])
    assert added == 0, name
    assert len(regions) == 1


def test_no_more_than_a_few_strips_are_tried_in_a_pile() -> None:
    strips = [(PieceKind.CARD, 0.3, 395 + 2 * step, 305, 430 + 2 * step, 430) for step in range(9)]
    added, _ = look([CAMERA, WON], strips)
    assert added == 3
