"""Packing: the rulebook's area, walls, supply, and the same answer as CP-SAT (P19 to P23, P28)."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.panda_gorilla.bitgrid import BitGrid
from referee.games.panda_gorilla.lattice import Quarter, Region
from referee.games.panda_gorilla.model import Size
from referee.games.panda_gorilla.packing import FULL_SUPPLY, Supply, pack
from referee.games.panda_gorilla.pairing import pair
from tests.referee.games.panda_gorilla.cp_sat import count_animals, placements
from tests.referee.games.panda_gorilla.regions import (
    draw_region,
    grow_region,
    rectangle,
    scatter_region,
)

CHIPS = dict(zip("LMS", Size, strict=True))
PLENTY = Supply(1000, 1000, 1000)
SEVEN = draw_region("# # #", "", "# # #", "", "#")


def packed(region, chips="LMS", supply=FULL_SUPPLY):
    return pack(region, [CHIPS[chip] for chip in chips], supply)


def counts(region, chips="LMS", supply=FULL_SUPPLY):
    found = packed(region, chips, supply).counts
    return found.large, found.medium, found.small


def mirrored(region):
    """The region with rows and columns exchanged."""
    return Region(
        frozenset(Quarter(col, row) for row, col in region.quarters),
        frozenset((Quarter(*a[::-1]), Quarter(*b[::-1])) for a, b in region.walls),
    )


@pytest.mark.parametrize(
    ("region", "chips", "expected"),
    [
        (Region(frozenset()), "LMS", (0, 0, 0)),
        (rectangle(1, 1), "LMS", (0, 0, 0)),
        (SEVEN, "", (0, 0, 0)),
        (SEVEN, "LMS", (1, 0, 0)),
        (SEVEN, "MS", (0, 1, 1)),
        (rectangle(2, 4), "LMS", (1, 0, 1)),
        (rectangle(2, 4), "MS", (0, 2, 0)),
        (rectangle(2, 5), "LM", (1, 1, 0)),
        (rectangle(2, 5), "LS", (1, 0, 2)),
        (rectangle(3, 3), "LMS", (1, 0, 1)),
        (rectangle(3, 4), "LMS", (2, 0, 0)),
        (rectangle(3, 5), "LMS", (2, 0, 1)),
        (rectangle(4, 4), "LMS", (2, 0, 2)),
        (rectangle(2, 6), "LMS", (2, 0, 0)),
        (rectangle(2, 6), "MS", (0, 3, 0)),
    ],
)
def test_known_areas(region, chips, expected):
    """The rulebook's example of seven quarters, and others searched through by hand."""
    assert counts(region, chips) == expected
    assert counts(mirrored(region), chips) == expected


def test_large_animal_is_moved_for_a_medium_one():
    animals = packed(rectangle(2, 5), "LM").animals
    assert [animal.size for animal in animals] == [Size.LARGE, Size.MEDIUM]
    assert {animal.quarters[0] for animal in animals} in (
        {Quarter(0, 0), Quarter(0, 3)},
        {Quarter(0, 0), Quarter(0, 2)},
    )


@pytest.mark.parametrize(
    ("region", "chips", "expected"),
    [
        # Around a wall lies one area, but nobody may lie across it.
        (draw_region("#|#"), "S", (0, 0, 0)),
        (draw_region("# #", "-", "# #"), "LMS", (0, 0, 2)),
        (draw_region("# #", "- -", "# #"), "M", (0, 0, 0)),
        (draw_region("# #|#", "", "# # #"), "L", (0, 0, 0)),
        (draw_region("# #|#", "", "# # #"), "MS", (0, 1, 1)),
        (draw_region("# #", "", "# #", "  -", "# #"), "LMS", (0, 1, 1)),
        (draw_region("# # # #", "", "# #|# #", "", "# # # #"), "LMS", (2, 0, 0)),
        (draw_region("# # # #", "", "# # # #", "    -", "# # # #"), "LMS", (1, 1, 1)),
        # A hole is no place either.
        (draw_region("# # #", "", "#   #", "", "# # #"), "LMS", (0, 0, 4)),
        (draw_region("# # # #", "", "#   # #", "", "# # # #"), "LMS", (1, 0, 2)),
    ],
)
def test_walls_and_holes(region, chips, expected):
    assert counts(region, chips) == expected
    assert counts(mirrored(region), chips) == expected


@pytest.mark.parametrize(
    ("supply", "expected"),
    [
        (Supply(0, 0, 0), (0, 0, 0)),
        (Supply(1, 0, 0), (1, 0, 0)),
        (Supply(1, 1, 1), (1, 1, 1)),
        (Supply(1, 9, 9), (1, 1, 1)),
        (Supply(9, 9, 9), (2, 0, 0)),
        (Supply(0, 2, 9), (0, 2, 2)),
        (Supply(0, 0, 5), (0, 0, 5)),
    ],
)
def test_no_more_move_in_than_are_left(supply, expected):
    """P28: what the box has run out of is not placed, and the next size may use the room."""
    assert counts(rectangle(3, 4), "LMS", supply) == expected


def test_scarce_animals_are_shared_between_pieces_of_an_area():
    """One large animal for two places: it goes where it leaves most to the others."""
    region = draw_region("# # # # #", "", "# # # # #", "", "", "", "# # #", "", "# # #")
    assert counts(region, "LM", Supply(1, 9, 0)) == (1, 2, 0)
    assert counts(region, "LS", Supply(1, 0, 9)) == (1, 0, 5)
    assert counts(region, "LMS", Supply(1, 1, 9)) == (1, 1, 3)


def test_whole_board_is_packed_to_the_last_quarter_or_animal():
    whole = rectangle(16, 18)
    assert counts(whole, "LMS") == (17, 15, 27)
    assert counts(whole, "LMS", PLENTY) == (48, 0, 0)
    assert counts(whole, "MS", PLENTY) == (0, 72, 0)
    assert counts(whole, "S", PLENTY) == (0, 0, 144)


REGIONS = st.builds(
    lambda seed, size, compact, holes, walls: grow_region(
        Random(seed), size, compact=compact, holes=holes, walls=walls
    ),
    st.integers(0, 10**6),
    st.integers(1, 60),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.sampled_from([0.0, 0.1, 0.3]),
    st.sampled_from([0.0, 0.1, 0.3]),
)
SUPPLIES = st.builds(Supply, st.integers(0, 6), st.integers(0, 6), st.integers(0, 9))
CHIP_SETS = st.sets(st.sampled_from(Size))


@given(REGIONS, CHIP_SETS, SUPPLIES | st.just(FULL_SUPPLY))
@settings(max_examples=150, deadline=None)
def test_packing_can_be_drawn(region, sizes, supply):
    """Animals lie inside, apart from each other, on this side of every wall, as counted."""
    packing = pack(region, sizes, supply)
    places = {(size, tuple(quarters)) for size, quarters in placements(region)}
    for animal in packing.animals:
        assert (animal.size, animal.quarters) in places
        assert animal.size in sizes
    taken = [quarter for animal in packing.animals for quarter in animal.quarters]
    assert len(taken) == len(set(taken))
    for size in Size:
        count = getattr(packing.counts, size)
        assert count == sum(animal.size is size for animal in packing.animals)
        assert count <= getattr(supply, size)
    order = [(list(Size).index(animal.size), animal.quarters) for animal in packing.animals]
    assert order == sorted(order)


@given(REGIONS, CHIP_SETS, st.integers(0, 9), st.integers(0, 9))
@settings(max_examples=60, deadline=None)
def test_packing_depends_on_the_area_alone(region, sizes, rows, cols):
    """The same area anywhere, its quarters named in any order, gets the same picture."""

    def moved(quarter):
        return Quarter(quarter.row + rows, quarter.col + cols)

    elsewhere = Region(
        frozenset(moved(quarter) for quarter in sorted(region.quarters, reverse=True)),
        frozenset((moved(one), moved(other)) for one, other in region.walls),
    )
    here, there = pack(region, sizes), pack(elsewhere, sizes)
    assert there.counts == here.counts
    assert [animal.quarters for animal in there.animals] == [
        tuple(map(moved, animal.quarters)) for animal in here.animals
    ]


@given(REGIONS, CHIP_SETS)
@settings(max_examples=60, deadline=None)
def test_turned_area_holds_as_many(region, sizes):
    assert pack(mirrored(region), sizes).counts == pack(region, sizes).counts


@given(REGIONS)
@settings(max_examples=60, deadline=None)
def test_walls_only_ever_make_less_of_an_area(region):
    opened = Region(region.quarters)
    assert counts(region) <= counts(opened)


def test_pairing_mends_what_it_began_badly():
    """A matching begun from the first quarter on must be changed later to be a maximum."""
    rng = Random(4)
    for _ in range(150):
        region = scatter_region(rng, 7, 7, holes=0.2, walls=0.1)
        found = pair(BitGrid(region), BitGrid(region).free)
        expected = count_animals(region, [Size.SMALL], PLENTY)
        assert len(found) == expected.small
        assert sum(found).bit_count() == 2 * len(found), "two animals share a quarter"


DOUBTS = 500
"""Areas of each kind that CP-SAT is asked about; 4,000 in all."""


@pytest.mark.parametrize("supply_kind", ["full", "scarce"])
@pytest.mark.parametrize("kind", ["grown", "holes", "walls", "scattered"])
def test_as_many_as_cp_sat_proves(kind, supply_kind):
    """For a doubter: another solver proves the same numbers on random areas."""
    rng = Random(f"{kind} {supply_kind}")
    for number in range(DOUBTS):
        region = _random_region(kind, rng)
        sizes = [size for size in Size if rng.random() < 0.8]
        supply = FULL_SUPPLY
        if supply_kind == "scarce":
            supply = Supply(rng.randint(0, 4), rng.randint(0, 3), rng.randint(0, 5))
        expected = count_animals(region, sizes, supply)
        assert pack(region, sizes, supply).counts == expected, (number, region, sizes, supply)


def test_large_areas_as_cp_sat_proves():
    rng = Random(80)
    for _ in range(30):
        region = grow_region(rng, rng.randint(60, 110), compact=0.9, holes=0.1, walls=0.05)
        expected = count_animals(region, list(Size), FULL_SUPPLY)
        assert pack(region, list(Size)).counts == expected


def _random_region(kind, rng):
    if kind == "scattered":
        rows, cols = rng.randint(2, 6), rng.randint(2, 8)
        return scatter_region(rng, rows, cols, holes=rng.random() / 3, walls=rng.random() / 4)
    size = rng.randint(4, 40)
    if kind == "holes":
        return grow_region(rng, size, compact=0.8, holes=rng.random() / 3)
    if kind == "walls":
        return grow_region(rng, size, compact=1.0, walls=rng.random() / 3)
    return grow_region(rng, size, compact=rng.random())
