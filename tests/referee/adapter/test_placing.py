"""The layout is told from won cards by where things lie."""

from __future__ import annotations

from math import cos, radians, sin

import pytest

from referee.adapter.placing import (
    in_reading_order,
    nearest_home,
    place_of,
    seats_clockwise,
    sort_cards,
    table_turn,
)
from vision.table import PieceKind, PieceReading, Point, Quad

HOMES: dict[str, Point] = {"red": (150.0, 450.0), "blue": (-170.0, 150.0)}


def card(name: str, x: float, y: float, turn_deg: float = 0.0) -> PieceReading:
    """A card of 63 x 88 mm around a point."""
    cosine, sine = cos(radians(turn_deg)), sin(radians(turn_deg))
    corners = [
        (x + cosine * dx - sine * dy, y + sine * dx + cosine * dy)
        for dx, dy in ((-31.5, -44), (31.5, -44), (31.5, 44), (-31.5, 44))
    ]
    quad: Quad = (corners[0], corners[1], corners[2], corners[3])
    return PieceReading(PieceKind.CARD, 1.0, quad, quad, face_id=name, face_kind="animal")


def grid(rows: int = 3, columns: int = 5) -> list[PieceReading]:
    return [
        card(f"l{row}{column}", 75.0 * column, 100.0 * row)
        for row in range(rows)
        for column in range(columns)
    ]


def names(cards: tuple[PieceReading, ...]) -> list[str]:
    return [str(piece.face_id) for piece in cards]


def test_an_empty_table_has_no_layout() -> None:
    placing = sort_cards([], HOMES)
    assert placing.layout == ()
    assert placing.won == {}


def test_a_full_layout_is_listed_row_by_row() -> None:
    placing = sort_cards(list(reversed(grid())), HOMES)
    assert names(placing.layout) == [f"l{row}{column}" for row in range(3) for column in range(5)]
    assert placing.won == {}


@pytest.mark.parametrize("turn_deg", [0, 10, 90, 178, -40])
def test_the_camera_may_look_from_any_side(turn_deg: float) -> None:
    cosine, sine = cos(radians(turn_deg)), sin(radians(turn_deg))

    def spin(point: Point) -> Point:
        return cosine * point[0] - sine * point[1], sine * point[0] + cosine * point[1]

    cards = []
    for piece in [*grid(), card("w1", 230, 450), card("w2", 250, 452)]:
        x, y = spin(place_of(piece))
        cards.append(card(str(piece.face_id), x, y, turn_deg))
    homes = {player: spin(home) for player, home in HOMES.items()}
    placing = sort_cards(cards, homes)
    assert sorted(names(placing.layout)) == sorted(names(tuple(grid())))
    assert placing.won == {"red": ("w1", "w2")}


def test_a_fan_belongs_to_the_nearest_camera_the_last_won_on_top() -> None:
    fan = [card("w1", 230, 445), card("w2", 250, 445), card("w3", 270, 446)]
    placing = sort_cards([*grid(), *fan], HOMES)
    assert placing.won == {"red": ("w1", "w2", "w3")}
    assert len(placing.layout) == 15


def test_a_single_won_card_beside_its_camera_is_no_layout() -> None:
    placing = sort_cards([*grid(), card("w1", -170, 250, 90)], HOMES)
    assert placing.won == {"blue": ("w1",)}


def test_won_cards_far_off_do_not_shift_the_middle() -> None:
    homes: dict[str, Point] = {"red": (270.0, 420.0), "blue": (-180.0, 50.0)}
    won = [card("w1", -180, 160, 90), card("w2", 60, 420)]
    placing = sort_cards([*grid(), *won], {**homes, "green": (480.0, 40.0)})
    assert len(placing.layout) == 15


def test_a_layout_may_be_wider_than_its_players_sit_apart() -> None:
    laid = [*grid(1), *(card(f"l1{column}", 75.0 * column, 100.0) for column in range(2))]
    homes = {"red": (215.0, -100.0), "green": (90.0, -100.0), "blue": (90.0, 380.0)}
    won = [card("w1", 330.0, -100.0), card("w2", 345.0, -102.0)]
    placing = sort_cards([*laid, *won], homes)
    assert names(placing.layout) == ["l00", "l01", "l02", "l03", "l04", "l10", "l11"]
    assert placing.won == {"red": ("w1", "w2")}


def test_a_single_won_card_in_front_of_two_rows_is_no_layout() -> None:
    placing = sort_cards([*grid(2), card("w1", 230.0, 245.0)], {"red": (150.0, 250.0)})
    assert names(placing.layout) == [f"l{row}{column}" for row in range(2) for column in range(5)]
    assert placing.won == {"red": ("w1",)}


def test_a_fourth_row_is_not_the_layout() -> None:
    placing = sort_cards([*grid(), card("w1", 75, -110)], {})
    assert "w1" not in names(placing.layout)


def test_cards_that_are_known_stay_the_layout() -> None:
    odd = card("l99", 75, -110)
    placing = sort_cards([*grid(), odd], {}, known_layout=["l99"])
    assert "l99" in names(placing.layout)


def test_holes_in_the_layout_do_not_matter() -> None:
    left = [piece for piece in grid() if piece.face_id not in {"l00", "l11", "l12", "l13", "l24"}]
    assert len(sort_cards(left, HOMES).layout) == 10


def test_seats_run_clockwise_as_the_picture_shows_them() -> None:
    homes = {"top": (0.0, -9.0), "right": (9.0, 0.0), "bottom": (0.0, 9.0), "left": (-9.0, 0.0)}
    order = seats_clockwise(homes, (0.0, 0.0))
    start = order.index("top")
    assert order[start:] + order[:start] == ["top", "right", "bottom", "left"]


def test_nobody_owns_what_lies_on_a_table_without_cameras() -> None:
    assert nearest_home((0.0, 0.0), {}) is None


def test_turn_is_that_of_the_cards_even_of_those_on_their_heads() -> None:
    cards = [card("a", 0, 0, 12), card("b", 80, 0, 192), card("c", 160, 0, 12)]
    assert table_turn(cards) == pytest.approx(radians(12))


def test_reading_order_forgives_crooked_rows() -> None:
    cards = [card("b", 75, 18), card("a", 0, 0), card("c", 10, 100)]
    assert names(tuple(in_reading_order(cards))) == ["a", "b", "c"]
