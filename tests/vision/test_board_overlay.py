"""What a board is worth, drawn upon its picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.board_overlay import AnimalMark, AreaMark, BoardMarks, Patch, RuleMark, draw_board
from vision.overlay import INK, RED, Colour, Row
from vision.table import Quad

CARD: Quad = ((200.0, 200.0), (360.0, 200.0), (360.0, 360.0), (200.0, 360.0))
NEXT: Quad = ((368.0, 200.0), (528.0, 200.0), (528.0, 360.0), (368.0, 360.0))
BLUE: Colour = (230, 130, 40)
GREY_PICTURE = np.full((720, 960, 3), 128, np.uint8)


def drawn(marks: BoardMarks) -> np.ndarray:
    """Where the picture was changed."""
    return (draw_board(GREY_PICTURE, marks) != GREY_PICTURE).any(axis=2)


def test_nothing_to_draw_leaves_the_picture_alone() -> None:
    assert not drawn(BoardMarks()).any()


@pytest.mark.parametrize(
    ("quarter", "inside"), [(0, (240, 240)), (1, (240, 320)), (2, (320, 320)), (3, (320, 240))]
)
def test_a_scored_area_is_tinted_in_its_quarter_only(quarter: int, inside: tuple[int, int]) -> None:
    changed = drawn(BoardMarks((AreaMark((Patch(CARD, quarter),), BLUE, is_scored=True),)))
    assert changed[inside]
    others = {(240, 240), (240, 320), (320, 320), (320, 240)} - {inside}
    assert not any(changed[other] for other in others)


def test_an_area_runs_across_the_gap_between_cards() -> None:
    area = AreaMark((Patch(CARD, 1), Patch(NEXT, 0)), BLUE, is_scored=True)
    assert drawn(BoardMarks((area,)))[240, 364]


def test_an_open_area_is_an_outline() -> None:
    changed = drawn(BoardMarks((AreaMark((Patch(CARD, 0),), BLUE, is_open=True),)))
    assert changed.any()
    assert not changed[240, 240]


def test_an_animal_lies_on_its_quarters() -> None:
    patches = tuple(Patch(CARD, quarter) for quarter in range(4))
    changed = drawn(BoardMarks(animals=(AnimalMark(patches, 3),)))
    rows, cols = np.nonzero(changed)
    assert 195 < rows.min() < 220
    assert 340 < cols.max() < 365


def test_a_chip_is_seen_over_the_plate_of_an_animal() -> None:
    patches = tuple(Patch(CARD, quarter) for quarter in range(4))
    chip: Quad = ((215.0, 215.0), (265.0, 215.0), (265.0, 265.0), (215.0, 265.0))
    changed = drawn(BoardMarks(animals=(AnimalMark(patches, 3),), pieces=(chip,)))
    assert not changed[230, 240]
    assert changed[217, 217]  # it is round
    assert changed[240, 320]


def test_a_broken_rule_is_framed_in_red_with_its_name() -> None:
    picture = draw_board(GREY_PICTURE, BoardMarks(rules=(RuleMark(CARD, "path"),)))
    assert tuple(picture[200, 300]) == RED
    named = draw_board(
        GREY_PICTURE, BoardMarks(rules=(RuleMark(CARD, "path"), RuleMark(CARD, "colour")))
    )
    assert (named != picture).any()


def test_title_and_points_stand_below_the_board() -> None:
    picture = draw_board(GREY_PICTURE, BoardMarks(title="2 areas", rows=(Row(BLUE, "blue 7"),)))
    assert np.array_equal(picture[:720], GREY_PICTURE)
    assert (picture[720:] == BLUE).all(axis=2).any()


def plates_of(picture: np.ndarray) -> list[tuple[int, int, int, int]]:
    """Left, top, width and height of the dark plates."""
    dark = (picture == INK).all(axis=2).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    return [tuple(int(side) for side in stats[index, :4]) for index in range(1, count)
            if stats[index, cv2.CC_STAT_WIDTH] > 40 and stats[index, cv2.CC_STAT_HEIGHT] > 12
            and stats[index, cv2.CC_STAT_AREA] > 400]  # fmt: skip


def test_points_of_areas_that_meet_stand_clear_of_each_other_and_of_chips() -> None:
    places = [(quad, quarter) for quad in (CARD, NEXT) for quarter in range(4)]
    areas = tuple(
        AreaMark((Patch(quad, quarter),), BLUE, (("blue", 12, BLUE), ("red", 3, RED)), True)
        for quad, quarter in places
    )
    chip = ((500.0, 330.0), (520.0, 330.0), (520.0, 350.0), (500.0, 350.0))
    marks = BoardMarks(areas, cards=(CARD, NEXT), pieces=(chip,))
    picture = draw_board(GREY_PICTURE, marks)
    plates = plates_of(picture)
    assert len(plates) == len(places)
    assert len({(wide, high) for _, _, wide, high in plates}) == 1
    assert not (picture[330:350, 500:520] == INK).all(axis=2).any()
