"""Where cards may lie: the rulebook's examples, each rule alone, and all of them against a check
that looks at borders and corners of the lattice.
"""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.panda_gorilla.laying import lay_tiles
from referee.games.panda_gorilla.model import ROTATIONS, PathCard, Rule, Rulings, Space, Tile
from referee.games.panda_gorilla.notation import parse_setup
from referee.games.panda_gorilla.placing import placements
from tests.referee.games.panda_gorilla.boards import (
    CARDS,
    EXAMPLES,
    make_board,
    make_card,
    tile,
)

IDS = "sndkmtvxy"
DECK = {
    card.id: card
    for card in parse_setup(
        f"players red blue\nlead red\nboard 1x1\nentrance\nsigns 0,0\n{CARDS}\npile {' '.join(IDS)}"
    ).pile
}
A, B, C = parse_setup(f"{EXAMPLES}\npile a b c").pile
GATES = make_board(4, 4, entrance=[(0, 0)], signs=[(0, 1), (1, 0)])
OPEN = make_board(4, 4, signs=[(1, 1)])
CROSS = make_card("nesw", "light", card_id="cross")
PLAIN = Rulings()


def rules_broken(board, *tiles, rulings=PLAIN):
    """Returns what is against the last tile."""
    _, found = lay_tiles(board, tiles, rulings)
    return [breach.rule for index, breach in found if index == len(tiles) - 1]


def reasons(board, *tiles, rulings=PLAIN):
    _, found = lay_tiles(board, tiles, rulings)
    return [breach.reason for _, breach in found]


def test_rulebook_example_a():
    """The first card on a sign, its path leading into the entrance (P4, P5)."""
    assert rules_broken(GATES, tile(0, 1, A)) == []


def test_rulebook_example_b():
    """B meets A at a corner, both light there (P7)."""
    assert rules_broken(GATES, tile(0, 1, A), tile(1, 0, B)) == []


def test_rulebook_example_c():
    """C cuts B's path and is dark where its neighbours at the top and left are light (P1, P7)."""
    tiles = [tile(0, 1, A), tile(1, 0, B), tile(1, 1, C)]
    assert rules_broken(GATES, *tiles) == [Rule.PATH, Rule.COLOUR]
    path, colour = reasons(GATES, *tiles)
    assert path == "the path of the card beside it is cut at w"
    assert "nw is dark, the lawn of the card at (0, 1) is light" in colour
    assert "nw is dark, the lawn of the card at (1, 0) is light" in colour


def test_rulebook_example_d():
    """Below B the card need only be turned by 180 degrees."""
    tiles = [tile(0, 1, A), tile(1, 0, B)]
    assert rules_broken(GATES, *tiles, tile(2, 0, C, 180)) == []
    assert rules_broken(GATES, *tiles, tile(2, 0, C)) != []
    grounds, _ = lay_tiles(GATES, tiles, PLAIN)
    spaces = [(way.space, way.rotation) for way in placements(grounds, [C])]
    assert (Space(2, 0), 180) in spaces
    assert all(space != (1, 1) for space, _ in spaces)


def test_rotation_is_clockwise():
    card = make_card("ne", "light", "dark", "light", "light")
    assert [face.lawns.index("dark") for face in card.faces] == [1, 2, 3, 0]
    assert card.faces[1].paths == (False, True, True, False)
    assert card.faces[3].paths == (True, False, False, True)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param("ns", "ns", [], id="no path meets no path"),
        pytest.param("ew", "ew", [], id="path meets path"),
        pytest.param("ew", "ns", [Rule.PATH], id="P1 old path into a new lawn"),
        pytest.param("ns", "ew", [Rule.PATH], id="P1 new path into an old lawn"),
    ],
)
def test_paths_go_on_both_ways(first, second, expected):
    one, other = make_card(first, "light"), make_card(second, "light")
    assert rules_broken(OPEN, tile(1, 1, one), tile(1, 2, other)) == expected


@pytest.mark.parametrize(
    ("path_into_wall", "expected"),
    [
        pytest.param(True, [], id="P2 a path may run into the wall"),
        pytest.param(False, [Rule.PATH], id="P2 unless the table plays otherwise"),
    ],
)
def test_path_into_the_wall(path_into_wall, expected):
    rulings = Rulings(path_into_wall=path_into_wall)
    board = make_board(2, 2, signs=[(0, 0)])
    assert rules_broken(board, tile(0, 0, make_card("nw", "light")), rulings=rulings) == expected
    assert rules_broken(board, tile(0, 0, make_card("es", "light")), rulings=rulings) == []


def test_path_beside_a_pond():
    """P3: a path may end at a pond, and who builds over it must match."""
    straight = make_card("ew", "light")
    pond = tile(1, 2, None)
    assert rules_broken(OPEN, pond, tile(1, 1, straight)) == []
    built = [pond, tile(1, 1, straight), tile(1, 2, straight)]
    assert rules_broken(OPEN, *built) == []
    assert rules_broken(OPEN, *built[:2], tile(1, 2, straight, 90)) == [Rule.PATH]


@pytest.mark.parametrize("rotation", ROTATIONS)
def test_card_on_a_sign_leads_to_the_entrance(rotation):
    """P4."""
    board = make_board(3, 3, entrance=[(1, 1)], signs=[(0, 1)])
    card = make_card("s", "light")
    expected = [] if rotation == 0 else [Rule.PATH]
    assert rules_broken(board, tile(0, 1, card, rotation)) == expected


@pytest.mark.parametrize(
    ("rulings", "expected"), [(PLAIN, []), (Rulings(path_into_wall=False), [Rule.PATH])]
)
def test_entrance_without_sign_is_a_wall(rulings, expected):
    """P4, P2: a path may run into it, and none must."""
    board = make_board(3, 3, entrance=[(1, 1)], signs=[(0, 0)])
    corner = tile(0, 0, make_card("es", "light"))
    assert rules_broken(board, corner, tile(0, 1, make_card("w", "light")), rulings=rulings) == []
    towards = tile(0, 1, make_card("sw", "light"))
    assert rules_broken(board, corner, towards, rulings=rulings) == expected


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        pytest.param([(1, 1)], [], id="P5 first on a sign"),
        pytest.param([(2, 2)], [Rule.SIGN], id="P5 first elsewhere"),
        pytest.param([(2, 2), (3, 3)], [Rule.ADJACENCY], id="P5 diagonal is not beside"),
        pytest.param([(2, 2), (2, 3)], [], id="P5 beside a card"),
        pytest.param([(2, 2), (1, 1)], [], id="P5 on a sign any time"),
        pytest.param([(3, 3), (0, 0)], [Rule.ADJACENCY], id="P5 far away"),
    ],
)
def test_where_a_card_may_go(tiles, expected):
    assert rules_broken(OPEN, *(tile(*each, CROSS) for each in tiles)) == expected


@pytest.mark.parametrize(
    ("pond_adjacency", "expected"),
    [
        pytest.param(False, [Rule.ADJACENCY], id="P6 a pond is no card beside it"),
        pytest.param(True, [], id="P6 unless the table plays otherwise"),
    ],
)
def test_pond_beside(pond_adjacency, expected):
    rulings = Rulings(pond_adjacency=pond_adjacency)
    tiles = [tile(1, 1, CROSS), tile(3, 3, None), tile(3, 2, CROSS)]
    assert rules_broken(OPEN, *tiles, rulings=rulings) == expected
    assert rules_broken(OPEN, *tiles[1:], rulings=rulings) == [Rule.SIGN]
    grounds, _ = lay_tiles(OPEN, tiles[:2], rulings)
    spaces = {way.space for way in placements(grounds, [CROSS])}
    assert ((2, 3) in spaces) is pond_adjacency


@pytest.mark.parametrize(
    ("space", "expected"),
    [
        pytest.param((1, 2), [Rule.PATH, Rule.COLOUR], id="P7 side by side"),
        pytest.param((2, 2), [Rule.ADJACENCY, Rule.COLOUR], id="P7 diagonal"),
        pytest.param((3, 1), [Rule.ADJACENCY], id="P7 not touching"),
    ],
)
def test_dark_lawn_at_a_light_one(space, expected):
    dark = make_card("ns", "dark")
    assert rules_broken(OPEN, tile(1, 1, CROSS), tile(*space, dark)) == expected


def test_two_colours_on_a_card():
    """P7: fine where a path separates them; only quarters that meet must agree."""
    half = make_card("ns", "light", "dark", "dark", "light")
    assert rules_broken(OPEN, tile(1, 1, half), tile(1, 2, make_card("ns", "dark"))) == []
    assert rules_broken(OPEN, tile(1, 1, half), tile(2, 1, half)) == []
    assert rules_broken(OPEN, tile(1, 1, half), tile(2, 1, half, 180)) == [Rule.COLOUR]


@pytest.mark.parametrize(
    ("tiles", "expected", "reason"),
    [
        ([tile(1, 1, CROSS), tile(1, 1, CROSS)], [Rule.OCCUPIED], "a card lies there"),
        ([tile(1, 1, CROSS), tile(1, 1, None)], [Rule.OCCUPIED], "a card lies there"),
        ([tile(1, 2, None), tile(1, 2, None)], [Rule.OCCUPIED], "a pond lies there"),
        ([tile(0, 0, None)], [Rule.OCCUPIED], "the entrance is there"),
        ([tile(0, 0, CROSS)], [Rule.OCCUPIED], "the entrance is there"),
        ([tile(1, 1, None), tile(1, 1, CROSS)], [], None),
    ],
    ids=[
        "card on a card",
        "P11 pond on a card",
        "P11 pond on a pond",
        "P11 pond on the entrance",
        "card on the entrance",
        "P13 card on a pond",
    ],
)
def test_what_lies_on_something(tiles, expected, reason):
    board = make_board(4, 4, entrance=[(0, 0)], signs=[(1, 1)])
    assert rules_broken(board, *tiles) == expected
    assert reasons(board, *tiles) == ([reason] if reason else [])


def test_pond_may_lie_anywhere():
    """P11: on any empty space, a sign too, beside nothing."""
    for space in itertools.product(range(4), range(4)):
        assert rules_broken(OPEN, tile(*space, None)) == []


def test_what_was_laid_on_a_card_does_not_lie_there():
    """The earlier card stays: so the third is judged by it."""
    straight = make_card("ns", "light")
    tiles = [tile(1, 1, straight), tile(1, 1, CROSS), tile(1, 2, straight)]
    assert rules_broken(OPEN, *tiles) == []


def test_illegal_card_lies_there_all_the_same():
    straight = make_card("ns", "light")
    tiles = [tile(3, 3, straight), tile(3, 2, CROSS)]
    assert rules_broken(OPEN, *tiles) == [Rule.PATH]


def test_doubled_offer_is_taken_once_and_rotations_are_all_listed():
    grounds, _ = lay_tiles(OPEN, [], PLAIN)
    ways = placements(grounds, [CROSS, CROSS])
    assert [way.rotation for way in ways] == [0, 90, 180, 270]
    assert {way.space for way in ways} == {(1, 1)}


# An independent look at the same rules: all borders and corners of the lattice.

cards = st.sampled_from(sorted(DECK)).map(DECK.__getitem__)
rulings = st.builds(Rulings, path_into_wall=st.booleans(), pond_adjacency=st.booleans())


@st.composite
def tables(draw):
    rows, cols = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    spaces = list(itertools.product(range(rows), range(cols)))
    entrance = draw(st.lists(st.sampled_from(spaces), max_size=2, unique=True))
    signs = draw(st.lists(st.sampled_from(spaces), max_size=3, unique=True))
    board = make_board(rows, cols, entrance=entrance, signs=signs)
    laid = st.tuples(st.sampled_from(spaces), st.none() | cards, st.sampled_from(ROTATIONS))
    tiles = [Tile(Space(*space), card, turn) for space, card, turn in draw(st.lists(laid))]
    return board, tiles, draw(rulings)


def looks_right(board, laid, ponds, new, rulings):
    """Returns the rules that a card breaks, found from the corners and borders it shares."""
    (row, col), card = new.space, new.card
    if new.space in board.entrance or new.space in laid:
        return {Rule.OCCUPIED}
    if card is None:
        return {Rule.OCCUPIED} if new.space in ponds else set()
    broken = set()
    beside = {"n": (row - 1, col), "e": (row, col + 1), "s": (row + 1, col), "w": (row, col - 1)}
    counted = {*laid, *ponds} if rulings.pond_adjacency else set(laid)
    if new.space not in board.signs and (not laid or not counted & set(beside.values())):
        broken.add(Rule.ADJACENCY if laid else Rule.SIGN)
    edges = turned(card.paths, new.rotation)
    for edge, other in beside.items():
        wanted = asked_of_edge(board, laid, new.space, edge, other, rulings)
        if wanted not in (None, edge in edges):
            broken.add(Rule.PATH)
    if clashes(laid, new):
        broken.add(Rule.COLOUR)
    return broken


def asked_of_edge(board, laid, space, edge, other, rulings):
    """Returns whether an edge needs a path or may have none; None if both will do."""
    on_board = 0 <= other[0] < board.rows and 0 <= other[1] < board.cols
    if other in laid:
        return {"n": "s", "s": "n", "e": "w", "w": "e"}[edge] in laid[other][0]
    if other in board.entrance and space in board.signs:
        return True
    is_wall = not on_board or other in board.entrance
    return False if is_wall and not rulings.path_into_wall else None


def clashes(laid, new):
    """Returns whether a lawn of a card meets another colour at one of the lattice's corners."""
    own = {
        (new.space.row + south, new.space.col + east): lawn
        for (south, east), lawn in painted(new.card, new.rotation).items()
    }
    return any(
        own.get((row + south, col + east), lawn) != lawn
        for (row, col), (_, lawns) in laid.items()
        for (south, east), lawn in lawns.items()
    )


def turned(edges, rotation):
    """Returns the edges after a clockwise turn."""
    return {"nesw"[("nesw".index(edge) + rotation // 90) % 4] for edge in edges}


def painted(card, rotation):
    """Returns the lawn at each corner (south, east) of a card after a clockwise turn."""
    corners = [(0, 0), (0, 1), (1, 1), (1, 0)]
    return {corners[(index + rotation // 90) % 4]: lawn for index, lawn in enumerate(card.quarters)}


@given(tables())
@settings(max_examples=200, deadline=None)
def test_breaches_are_those_seen_on_borders_and_corners(table):
    board, tiles, rulings = table
    _, found = lay_tiles(board, tiles, rulings)
    laid, ponds = {}, set()
    for index, new in enumerate(tiles):
        expected = looks_right(board, laid, ponds, new, rulings)
        got = [breach.rule for at, breach in found if at == index]
        assert set(got) == expected
        assert len(got) == len(expected)
        if Rule.OCCUPIED not in expected:
            if new.card is None:
                ponds.add(new.space)
            else:
                ponds.discard(new.space)
                edges = turned(new.card.paths, new.rotation)
                laid[new.space] = (edges, painted(new.card, new.rotation))


@given(tables(), st.lists(cards, max_size=2))
@settings(max_examples=100, deadline=None)
def test_placements_are_all_that_break_nothing(table, offer):
    board, tiles, rulings = table
    grounds, _ = lay_tiles(board, tiles, rulings)
    expected = [
        (card.id, (row, col), rotation)
        for card in dict.fromkeys(offer)
        for row, col in itertools.product(range(board.rows), range(board.cols))
        for rotation in ROTATIONS
        if not rules_broken(board, *tiles, Tile(Space(row, col), card, rotation), rulings=rulings)
    ]
    ways = [(way.card, way.space, way.rotation) for way in placements(grounds, offer)]
    assert ways == expected


def test_every_card_of_two_paths_can_be_turned_to_the_entrance():
    """P37: the first card always fits, where the table lets paths run into the wall."""
    board = make_board(1, 2, entrance=[(0, 0)], signs=[(0, 1)])
    grounds, _ = lay_tiles(board, [], PLAIN)
    for edges in itertools.chain.from_iterable(
        itertools.combinations("nesw", n) for n in (2, 3, 4)
    ):
        assert placements(grounds, [PathCard("p", frozenset(edges), ("light",) * 4)])
