"""Labels keep clear of each other and of what must be seen."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from vision.labels import Clutter, Label, draw_leader, outline_of, place_labels
from vision.table import Point, Quad

PICTURE_WH = (960, 720)


def box(left: float, top: float, wide: float, high: float) -> Quad:
    right, bottom = left + wide, top + high
    return (left, top), (right, top), (right, bottom), (left, bottom)


def overlap(one: Quad, other: Quad) -> float:
    """Area that two upright boxes share, in px²."""
    sides = [
        min(one[2][axis], other[2][axis]) - max(one[0][axis], other[0][axis]) for axis in (0, 1)
    ]
    return max(sides[0], 0.0) * max(sides[1], 0.0)


def placed(labels: list[Label], clutter: list[Clutter] | None = None) -> list[Quad]:
    places = place_labels(PICTURE_WH, labels, clutter or [])
    return [outline_of(label, place) for label, place in zip(labels, places, strict=True)]


def test_nothing_to_place() -> None:
    assert place_labels(PICTURE_WH, []) == []


@pytest.mark.parametrize("count", [2, 5, 9])
def test_labels_of_one_place_do_not_overlap(count: int) -> None:
    boxes = placed([Label((110, 40), (box(450, 330, 60, 60),))] * count)
    assert all(overlap(one, other) == 0 for one, other in combinations(boxes, 2))


def test_labels_of_crowded_places_do_not_overlap() -> None:
    labels = [
        Label((110, 26), (box(400 + 30 * col, 300 + 30 * row, 28, 28),))
        for row in range(4)
        for col in range(4)
    ]
    boxes = placed(labels)
    assert all(overlap(one, other) == 0 for one, other in combinations(boxes, 2))


def test_a_label_hides_none_of_the_clutter_where_there_is_room() -> None:
    cards = [box(300 + 70 * index, 300, 62, 90) for index in range(4)]
    clutter = [Clutter(card, 4.0) for card in cards]
    for index, found in enumerate(placed([Label((60, 26), (card,)) for card in cards], clutter)):
        assert all(overlap(found, card) < 0.05 * 60 * 26 for card in cards)
        middle = (found[0][0] + found[2][0]) / 2
        assert abs(middle - (331 + 70 * index)) < 70


def test_a_label_lies_on_what_it_explains_where_that_is_free() -> None:
    (found,) = placed([Label((60, 26), (box(300, 200, 300, 300),))])
    assert overlap(found, box(300, 200, 300, 300)) == pytest.approx(60 * 26)


@pytest.mark.parametrize("corner", [(0, 0), (930, 0), (930, 690), (0, 690), (-300, -300)])
def test_a_label_stays_in_the_picture(corner: tuple[float, float]) -> None:
    (found,) = placed([Label((200, 60), (box(*corner, 30, 30),))])
    xs, ys = zip(*found, strict=True)
    assert min(*xs, *ys) >= 0
    assert max(xs) <= 960
    assert max(ys) <= 720


def test_a_label_larger_than_the_picture_is_placed_all_the_same() -> None:
    assert len(place_labels((64, 48), [Label((500, 300), (box(10, 10, 20, 20),))])) == 1


def is_line_drawn(place: Point, beyond_px: float = 0.0) -> bool:
    picture = np.zeros((720, 960, 3), np.uint8)
    label = Label((60, 26), (box(300, 300, 80, 80),))
    draw_leader(picture, label, place, (0, 0, 255), beyond_px)
    return bool(picture.any())


def test_a_line_leads_from_a_label_that_lies_apart() -> None:
    assert is_line_drawn((340, 200))
    assert not is_line_drawn((340, 340))
    assert not is_line_drawn((340, 282), 10)
