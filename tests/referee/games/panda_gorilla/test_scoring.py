"""Animals and points: what chips bring, in which order, from which supply."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.panda_gorilla.areas import region_of
from referee.games.panda_gorilla.laying import lay_all
from referee.games.panda_gorilla.model import COLOURS, QUARTERS, Rulings, Size, Space, Tile
from referee.games.panda_gorilla.packing import FULL_SUPPLY, Counts, Supply
from referee.games.panda_gorilla.scoring import POINTS, QUARTERS_NEEDED, count_of, rule_table
from referee.games.panda_gorilla.table import TablePosition
from tests.referee.games.panda_gorilla.boards import (
    chip,
    make_board,
    make_card,
    pictured,
    tile,
)
from tests.referee.games.panda_gorilla.test_areas import SEVEN
from tests.referee.games.panda_gorilla.test_placing import tables

L, M, S = Size.LARGE, Size.MEDIUM, Size.SMALL


def dark_area(picture, chips, **changes):
    """Returns the ruling on the one dark area of a picture."""
    ruling = rule_table(pictured(picture, chips, **changes))
    (area,) = [each for each in ruling.areas if each.area.colour == "dark"]
    return area


def scored(picture, chips, **changes):
    area = dark_area(picture, chips, **changes)
    counts = area.packing.counts
    return (counts.large, counts.medium, counts.small), dict(area.points)


@pytest.mark.parametrize(
    ("chips", "animals", "points"),
    [
        ("", (0, 0, 0), {}),
        ("LMS", (1, 0, 0), {"red": 5, "yellow": 0, "green": 0}),
        ("MS", (0, 1, 1), {"yellow": 3, "green": 1}),
        ("L", (1, 0, 0), {"red": 5}),
        ("S", (0, 0, 3), {"green": 3}),
    ],
)
def test_rulebook_example_of_seven_quarters(chips, animals, points):
    """P19: only sizes whose chip is there move in; each takes what the larger ones leave."""
    laid = {
        "L": chip(1, 0, "ne", "red", "large"),
        "M": chip(0, 1, "sw", "yellow", "medium"),
        "S": chip(0, 2, "sw", "green", "small"),
    }
    assert scored(SEVEN, [laid[each] for each in chips]) == (animals, points)


def rectangle(rows, cols):
    """Returns a picture of a dark lawn in the north-west of a light board."""
    height, width = rows + 2 - rows % 2, cols + 2 - cols % 2
    return "\n".join(
        "".join("#" if row < rows and col < cols else "." for col in range(width))
        for row in range(height)
    )


@pytest.mark.parametrize(
    ("rows", "cols", "sizes", "animals", "total"),
    [
        (2, 4, "LMS", (1, 0, 1), 6),
        (2, 4, "MS", (0, 2, 0), 6),
        (2, 5, "LM", (1, 1, 0), 8),
        (2, 5, "LS", (1, 0, 2), 7),
        (3, 3, "LMS", (1, 0, 1), 6),
        (3, 4, "LMS", (2, 0, 0), 10),
        (3, 5, "LMS", (2, 0, 1), 11),
        (4, 4, "LMS", (2, 0, 2), 12),
        (2, 6, "LMS", (2, 0, 0), 10),
        (2, 6, "MS", (0, 3, 0), 9),
    ],
)
def test_as_many_as_fit_of_each_size_in_turn(rows, cols, sizes, animals, total):
    """P20: later ones may move the earlier, not change their number; P21: the best counts."""
    names = {"L": ("red", "large"), "M": ("yellow", "medium"), "S": ("green", "small")}
    chips = [chip(0, 0, "nw", *names[size]) for size in sizes]
    got, points = scored(rectangle(rows, cols), chips)
    assert (got, sum(points.values())) == (animals, total)


def test_animals_do_not_lie_across_a_path():
    """P22: a path ends in the middle of this lawn, which is whole all the same."""
    stub = make_card("s", "dark")
    board = make_board(1, 1, signs=[(0, 0)])
    for size, number in ((L, 0), (M, 0), (S, 2)):
        position = TablePosition(board, (tile(0, 0, stub),), (chip(0, 0, "nw", "red", size.value),))
        (area,) = rule_table(position).areas
        assert count_of(area.packing.counts, size) == number


def test_animals_lie_in_any_direction_and_across_cards():
    """P22."""
    upright = "##\n##\n##\n##\n##\n##"
    lying = "######\n######"
    for picture in (upright, lying):
        assert scored(picture, [chip(0, 0, "nw", "red", "large")]) == ((2, 0, 0), {"red": 10})


def test_open_area_is_not_scored():
    """P14, P15: beside an empty space or a pond."""
    for beside in ("  ", "~~"):
        area = dark_area(f"##{beside}\n##{beside}", [chip(0, 0, "nw", "red", "medium")])
        assert (area.area.is_complete, area.packing.animals, area.points) == (False, (), {})


def test_complete_area_without_chips_brings_nothing():
    """P23."""
    assert scored("##\n##", []) == ((0, 0, 0), {})


def test_each_player_of_a_size_gets_all_its_points():
    """P24: animals move in once."""
    chips = [chip(0, 0, "nw", "red", "medium"), chip(0, 1, "nw", "blue", "medium")]
    assert scored("####\n####", chips) == ((0, 2, 0), {"red": 6, "blue": 6})


@pytest.mark.parametrize(("twice", "points"), [("once", 6), ("each", 12)])
def test_two_chips_of_one_player(twice, points):
    """P25."""
    chips = [chip(0, 0, "nw", "red", "medium"), chip(0, 1, "nw", "red", "medium")]
    got = scored("####\n####", chips, rulings=Rulings(same_player_twice=twice))
    assert got == ((0, 2, 0), {"red": points})


def test_player_with_two_sizes_gets_both():
    chips = [chip(0, 0, "nw", "red", "medium"), chip(0, 1, "nw", "red", "small")]
    assert scored("##\n##\n##\n##", chips[:1]) == ((0, 2, 0), {"red": 6})
    assert scored("####\n##..", chips) == ((0, 1, 1), {"red": 4})


@pytest.mark.parametrize(
    ("rulings", "first", "second"),
    [
        pytest.param(Rulings(), 1, 0, id="P28 limited"),
        pytest.param(Rulings(supply="unlimited"), 2, 2, id="P28 unlimited"),
    ],
)
def test_supply_is_used_up_in_reading_order(rulings, first, second):
    """P27, P33: the area that comes first in reading order is served first."""
    picture = "######\n######\n......\n......\n######\n######"
    chips = [chip(2, 0, "nw", "red", "large"), chip(0, 0, "nw", "blue", "large")]
    ruling = rule_table(pictured(picture, chips, supply=Supply(1, 15, 27), rulings=rulings))
    upper, _, lower = ruling.areas
    assert (upper.packing.counts.large, lower.packing.counts.large) == (first, second)
    assert (ruling.points["blue"], ruling.points["red"]) == (5 * first, 5 * second)


def test_supply_that_is_used_up_leaves_room_for_smaller_ones():
    """P28."""
    names = [("red", "large"), ("yellow", "medium"), ("blue", "small")]
    chips = [chip(0, 0, "nw", *each) for each in names]
    got = scored("######\n######", chips, supply=Supply(0, 1, 1))
    assert got == ((0, 1, 1), {"red": 0, "yellow": 3, "blue": 1})


def test_every_area_with_chips_is_scored_in_the_end():
    """P32: ponds bound, and no animal lies on them; complete or not is as before."""
    picture = "##~~\n##~~\n    \n    "
    chips = [chip(0, 0, "nw", "red", "medium")]
    area = dark_area(picture, chips, is_final=True)
    assert not area.area.is_complete
    assert (area.packing.counts, area.points) == (Counts(medium=1), {"red": 3})
    empty = dark_area(picture, [], is_final=True)
    assert (empty.packing.animals, empty.points) == ((), {})


def test_points_of_the_table_are_the_sum_over_its_areas():
    chips = [chip(0, 0, "nw", "red", "medium"), chip(0, 1, "nw", "red", "small")]
    ruling = rule_table(pictured("##..\n##..", chips))
    assert [area.points for area in ruling.areas] == [{"red": 3}, {"red": 2}]
    assert ruling.points == {"red": 5}


# Chips against the rules.


def chip_rules(chips, *tiles, board=None):
    board = board or make_board(1, 4, signs=[(0, 0)])
    found = rule_table(TablePosition(board, tiles, tuple(chips))).breaches
    return [(tuple(breach.space), breach.rule.value) for breach in found]


CHAIN = [tile(0, col, make_card("ns", "light")) for col in range(4)]
"""West and east halves: from one card to the next they are joined."""


@pytest.mark.parametrize(
    ("chips", "expected"),
    [
        pytest.param([], [], id="none"),
        pytest.param(
            [chip(0, 0, "ne", "red", "small"), chip(0, 1, "nw", "blue", "small")],
            [((0, 1), "chip-size")],
            id="P17 another's chip of that size",
        ),
        pytest.param(
            [chip(0, 0, "ne", "red", "small"), chip(0, 1, "sw", "red", "small")],
            [((0, 1), "chip-size")],
            id="P17 the player's own",
        ),
        pytest.param(
            [chip(0, 0, "ne", "red", "small"), chip(0, 1, "sw", "red", "large")],
            [],
            id="P17 another size",
        ),
        pytest.param(
            [chip(0, 0, "ne", "red", "small"), chip(0, 1, "ne", "blue", "small")],
            [],
            id="P17 another area of the card",
        ),
        pytest.param(
            [chip(0, 1, "nw", "blue", "small"), chip(0, 0, "ne", "red", "small")],
            [((0, 1), "chip-size")],
            id="judged in the order of the cards, not of the chips",
        ),
        pytest.param(
            [chip(0, 0, "ne", "red", "small"), chip(0, 0, "nw", "red", "large")],
            [((0, 0), "chip-colour")],
            id="P16 two chips with one card",
        ),
        pytest.param(
            [chip(0, 0, "ne", "red", "small"), chip(0, 0, "se", "red", "small")],
            [((0, 0), "chip-size"), ((0, 0), "chip-colour")],
            id="both at once",
        ),
        pytest.param(
            [chip(0, col, "nw" if col < 3 else "ne", "red", "large") for col in range(4)],
            [((0, 3), "chip-colour")],
            id="a fourth of a size",
        ),
    ],
)
def test_chip(chips, expected):
    assert chip_rules(chips, *CHAIN) == expected


def test_chips_of_one_size_that_meet_later_are_allowed():
    """P18: the areas were separate when the second chip was placed."""
    bridge = [CHAIN[0], tile(0, 2, make_card("ns", "light")), tile(0, 1, make_card("", "light"))]
    board = make_board(1, 4, signs=[(0, 0), (0, 2)])
    chips = [chip(0, 0, "ne", "red", "small"), chip(0, 2, "nw", "blue", "small")]
    without_path = make_card("", "light")
    assert chip_rules(chips, *bridge, board=board) == []
    position = TablePosition(board, (*bridge[:2], tile(0, 1, without_path)), tuple(chips))
    assert [len(area.proposals) for area in rule_table(position).areas][1] == 2
    later = [*chips, chip(0, 1, "nw", "green", "small")]
    assert chip_rules(later, *bridge, board=board) == [((0, 1), "chip-size")]


# What holds for every table.


@st.composite
def tables_with_chips(draw):
    board, tiles, rulings = draw(tables())
    rulings = draw(
        st.builds(
            Rulings,
            supply=st.sampled_from(["limited", "unlimited"]),
            same_player_twice=st.sampled_from(["once", "each"]),
        )
    )
    position = TablePosition(board, tuple(tiles), rulings=rulings)
    grounds, _ = lay_all(position)
    chips = []
    if grounds.faces:
        for space in draw(st.lists(st.sampled_from(sorted(grounds.faces)), max_size=6)):
            names = (draw(st.sampled_from(each)) for each in (QUARTERS, COLOURS, tuple(Size)))
            chips.append(chip(*space, *names))
    few = st.builds(Supply, *[st.integers(0, 3)] * 3)
    return TablePosition(
        board,
        tuple(tiles),
        tuple(chips),
        supply=draw(st.just(FULL_SUPPLY) | few),
        is_final=draw(st.booleans()),
        rulings=rulings,
    )


@given(tables_with_chips())
@settings(max_examples=150, deadline=None)
def test_animals_and_points_add_up(position):
    ruling = rule_table(position)
    grounds, _ = lay_all(position)
    total = dict.fromkeys(COLOURS, 0)
    used = dict.fromkeys(Size, 0)
    for area in ruling.areas:
        is_due = bool(area.proposals) and (area.area.is_complete or position.is_final)
        assert bool(area.points) == is_due
        walls = region_of(grounds, area.area).walls
        taken = []
        for animal in area.packing.animals:
            used[animal.size] += 1
            assert is_due
            assert animal.size in {proposal.size for proposal in area.proposals}
            assert len(animal.quarters) == QUARTERS_NEEDED[animal.size]
            assert not any(a in animal.quarters and b in animal.quarters for a, b in walls)
            taken += animal.quarters
        assert len(set(taken)) == len(taken)
        assert set(taken) <= set(area.area.quarters)
        for player, points in area.points.items():
            total[player] += points
        for size in Size:
            players = [each.player for each in area.proposals if each.size is size]
            number = sum(animal.size is size for animal in area.packing.animals)
            assert number == count_of(area.packing.counts, size)
            if position.rulings.same_player_twice == "once":
                players = list(dict.fromkeys(players))
            assert all(area.points[player] >= POINTS[size] * number for player in players if is_due)
    assert {player: points for player, points in total.items() if points} == {
        player: points for player, points in ruling.points.items() if points
    }
    if position.rulings.supply == "limited":
        assert all(used[size] <= count_of(position.supply, size) for size in Size)
    assert sorted(map(str, position.proposals)) == sorted(
        str(each) for area in ruling.areas for each in area.proposals
    )


def test_pond_built_over_is_no_pond():
    """P13."""
    card = make_card("ns", "dark")
    tiles = (Tile(Space(0, 0), None), tile(0, 0, card))
    position = TablePosition(make_board(1, 1, signs=[(0, 0)]), tiles, is_final=True)
    assert [area.area.is_complete for area in rule_table(position).areas] == [True, True]
