"""Small boards and cards that the tests of this game share.

A picture shows a board quarter by quarter: `#` dark, `.` light, `E` entrance, `~` pond, blank
empty. A path runs between two quarters of a card where their colours differ.
"""

from referee.games.panda_gorilla.model import Board, PathCard, Proposal, Size, Space, Tile
from referee.games.panda_gorilla.notation import parse_action, parse_setup
from referee.games.panda_gorilla.rules import apply, initial_state
from referee.games.panda_gorilla.table import TablePosition

LAWNS = {"#": "dark", ".": "light"}

CARDS = """
card s ns light light light light
card n ns dark dark dark dark
card d ns light dark dark light
card k ne light dark light light
card m ne dark light dark dark
card t nes light dark light light
card v nes light dark dark light
card x nesw dark light light light
card y nesw dark dark light light
"""

# The three cards of the rulebook's examples, as far as the text tells them: A is light at the
# south-west, B at the north-east; C, turned by 180 degrees, fits below B.
EXAMPLES = """
players red blue
lead red
board 4x4
entrance 0,0
signs 0,1 1,0
card a ew dark dark light light
card b nes light light dark light
card c es dark dark light dark
"""


def make_card(edges, *lawns, card_id="p"):
    return PathCard(card_id, frozenset(edges), lawns if len(lawns) == 4 else lawns * 4)


def make_board(rows, cols, *, entrance=(), signs=()):
    return Board(rows, cols, tuple(Space(*e) for e in entrance), tuple(Space(*s) for s in signs))


def chip(row, col, quarter, player, size):
    return Proposal(Space(row, col), quarter, player, Size(size))


def tile(row, col, card, rotation=0):
    return Tile(Space(row, col), card, rotation)


def pictured(picture, chips=(), **changes):
    """Returns the position that a picture shows; its cards are laid in reading order."""
    lines = picture.strip("\n").splitlines()
    width = max(map(len, lines))
    lines = [line.ljust(width) for line in lines]
    tiles, entrance = [], []
    for row in range(0, len(lines), 2):
        for col in range(0, width, 2):
            nw, ne = lines[row][col : col + 2]
            sw, se = lines[row + 1][col : col + 2]
            space = Space(row // 2, col // 2)
            if nw == "E":
                entrance.append(space)
            elif nw == "~":
                tiles.append(Tile(space, None))
            elif nw != " ":
                edges = {"n": nw != ne, "e": ne != se, "s": se != sw, "w": sw != nw}
                lawns = [LAWNS[each] for each in (nw, ne, se, sw)]
                card_id = f"p{space.row}{space.col}"
                paths = [edge for edge, is_path in edges.items() if is_path]
                tiles.append(Tile(space, make_card(paths, *lawns, card_id=card_id)))
    board = make_board(len(lines) // 2, width // 2, entrance=entrance, signs=[(0, 0)])
    return TablePosition(board=board, tiles=tuple(tiles), proposals=tuple(chips), **changes)


def play(setup, *lines):
    """Returns the state after the actions of some lines; the setup is text or a setup."""
    state = initial_state(parse_setup(setup) if isinstance(setup, str) else setup)
    for line in lines:
        state = apply(state, parse_action(line))
    return state
