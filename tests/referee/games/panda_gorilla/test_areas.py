"""Which quarters make an area, and which areas are complete."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.panda_gorilla.areas import find_areas, region_of
from referee.games.panda_gorilla.grounds import (
    name_of,
    neighbours_of,
    quarter_at,
    quarters_of,
    space_of,
)
from referee.games.panda_gorilla.lattice import Quarter
from referee.games.panda_gorilla.laying import lay_all, lay_tiles
from referee.games.panda_gorilla.model import QUARTERS, Rulings, Space
from tests.referee.games.panda_gorilla.boards import make_board, make_card, pictured, tile
from tests.referee.games.panda_gorilla.test_placing import tables

SEVEN = """
EE....
EE###.
.####.
......
"""


def areas_of(picture):
    grounds, _ = lay_all(pictured(picture))
    return find_areas(grounds)


def shown(areas):
    """Returns areas as (number of quarters, colour, complete)."""
    return [(len(area.quarters), area.colour, area.is_complete) for area in areas]


def test_nothing_lies_there():
    assert areas_of("    \n    ") == []


def test_rulebook_example_of_seven_quarters():
    """Three at the corner of the entrance and four where cards meet; paths and wall around."""
    seven = next(area for area in areas_of(SEVEN) if area.colour == "dark")
    assert seven.is_complete
    assert seven.quarters == tuple(
        Quarter(row, col) for row, col in [(1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (2, 3), (2, 4)]
    )


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        pytest.param("..\n..", [(4, "light", True)], id="P15 wall on all sides"),
        pytest.param("EE..\nEE..", [(4, "light", True)], id="P15 the entrance bounds"),
        pytest.param("..##\n..##", [(4, "light", True), (4, "dark", True)], id="P15 other colour"),
        pytest.param("..  \n..  ", [(4, "light", False)], id="P15 an empty space beside it"),
        pytest.param("..~~\n..~~", [(4, "light", False)], id="P14 a pond beside it"),
        pytest.param(
            "#.  \n#.  ", [(2, "dark", True), (2, "light", False)], id="P15 only on one side"
        ),
        pytest.param(
            "..    \n..    \n    ..\n    ..",
            [(4, "light", False), (4, "light", False)],
            id="a corner joins nothing",
        ),
        pytest.param(
            ".#\n#.",
            [(1, "light", True), (1, "dark", True), (1, "dark", True), (1, "light", True)],
            id="crossing paths",
        ),
    ],
)
def test_area(picture, expected):
    assert shown(areas_of(picture)) == expected


def test_areas_of_examples_a_and_b_are_separate():
    """Contact at the entrance's corner joins nothing: both may hold the same chips (P17)."""
    a = make_card("ew", "dark", "dark", "light", "light")
    b = make_card("nes", "light", "light", "dark", "light")
    board = make_board(4, 4, entrance=[(0, 0)], signs=[(0, 1), (1, 0)])
    grounds, found = lay_tiles(board, [tile(0, 1, a), tile(1, 0, b)], Rulings())
    assert not found
    lights = [area.quarters for area in find_areas(grounds) if area.colour == "light"]
    assert (quarter_at(Space(0, 1), "sw"), quarter_at(Space(0, 1), "se")) in lights
    assert (quarter_at(Space(1, 0), "ne"),) in lights


def test_path_within_an_area_is_a_wall():
    """P22: an area may lie on both sides of a path's end; no animal lies across."""
    stub = make_card("s", "light")
    grounds, _ = lay_tiles(make_board(1, 1, signs=[(0, 0)]), [tile(0, 0, stub)], Rulings())
    (area,) = find_areas(grounds)
    assert len(area.quarters) == 4
    assert region_of(grounds, area).walls == {(Quarter(1, 0), Quarter(1, 1))}
    turned, _ = lay_tiles(make_board(1, 1, signs=[(0, 0)]), [tile(0, 0, stub, 90)], Rulings())
    assert region_of(turned, area).walls == {(Quarter(0, 0), Quarter(1, 0))}


def test_facing_quarters_of_two_colours_bound_each_other():
    """An illegal card lies there; nothing joins across its border, and no gap is left."""
    light, dark = make_card("ns", "light"), make_card("ns", "dark")
    board = make_board(1, 2, signs=[(0, 0)])
    grounds, found = lay_tiles(board, [tile(0, 0, light), tile(0, 1, dark)], Rulings())
    assert found
    assert shown(find_areas(grounds)) == [
        (2, "light", True),
        (2, "light", True),
        (2, "dark", True),
        (2, "dark", True),
    ]


def test_quarters_are_named_by_their_place():
    for space in itertools.starmap(Space, itertools.product(range(2), range(3))):
        quarters = quarters_of(space)
        assert [name_of(quarter) for quarter in quarters] == list(QUARTERS)
        assert {space_of(quarter) for quarter in quarters} == {space}
        assert [quarter_at(space, name) for name in QUARTERS] == list(quarters)
    assert neighbours_of(Space(1, 1)) == ((0, 1), (1, 2), (2, 1), (1, 0))


@given(tables())
@settings(max_examples=100, deadline=None)
def test_areas_are_what_grows_by_joining_neighbours(table):
    """Each quarter is in one area; two side by side are in one exactly if nothing parts them."""
    board, tiles, rulings = table
    grounds, _ = lay_tiles(board, tiles, rulings)
    areas = find_areas(grounds)
    numbers = {quarter: n for n, area in enumerate(areas) for quarter in area.quarters}
    assert sorted(numbers) == sorted(quarter for s in grounds.faces for quarter in quarters_of(s))
    assert sum(len(area.quarters) for area in areas) == len(numbers) == 4 * len(grounds.faces)
    assert [area.quarters[0] for area in areas] == sorted(area.quarters[0] for area in areas)
    labels = {quarter: quarter for quarter in numbers}
    pairs = [
        (one, other)
        for one in labels
        for other in (Quarter(one.row, one.col + 1), Quarter(one.row + 1, one.col))
        if other in labels and is_joined(grounds, one, other)
    ]
    for _ in labels:
        for one, other in pairs:
            labels[one] = labels[other] = min(labels[one], labels[other])
    for one, other in itertools.combinations(numbers, 2):
        assert (numbers[one] == numbers[other]) == (labels[one] == labels[other])
    for area in areas:
        assert list(area.quarters) == sorted(area.quarters)
        assert {grounds.lawns[quarter] for quarter in area.quarters} == {area.colour}
        beside = {
            near
            for quarter in area.quarters
            for near in neighbours_of(Space(*quarter))  # the same four steps, on the lattice
            if 0 <= near.row < 2 * board.rows and 0 <= near.col < 2 * board.cols
        }
        gaps = {space_of(Quarter(*near)) for near in beside} - set(grounds.faces)
        assert area.is_complete == (gaps <= set(board.entrance))


def is_joined(grounds, one, other):
    face = grounds.faces[space_of(one)]
    if grounds.lawns[one] != grounds.lawns[other]:
        return False
    if space_of(one) != space_of(other):
        return True
    edge = {"nwne": 0, "nese": 1, "swse": 2, "nwsw": 3}[name_of(one) + name_of(other)]
    return not face.paths[edge]


@given(st.data())
@settings(max_examples=50, deadline=None)
def test_finished_area_off_wall_and_entrance_has_a_multiple_of_four_quarters(data):
    """A consequence of P1 and P7 for legal boards: blocks at the corners of cards join whole."""
    rows = data.draw(st.integers(2, 4))
    cols = data.draw(st.integers(2, 4))
    colours = data.draw(
        st.lists(st.sampled_from(".#"), min_size=(rows + 1) * (cols + 1), max_size=200)
    )
    picture = "\n".join(
        "".join(colours[(row + 1) // 2 * (cols + 1) + (col + 1) // 2] for col in range(2 * cols))
        for row in range(2 * rows)
    )
    for area in areas_of(picture):
        assert area.is_complete
        at_wall = any(
            q.row in (0, 2 * rows - 1) or q.col in (0, 2 * cols - 1) for q in area.quarters
        )
        assert at_wall or len(area.quarters) % 4 == 0
