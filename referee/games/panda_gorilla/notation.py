"""Panda, Gorilla & Co as text: setups, states and actions that a person can read.

    players red blue
    lead red
    board 4x4
    entrance 0,0
    signs 0,1 1,0
    card a ew dark dark light light
    card b nes light light dark light
    pile b a a

is a setup: of each card the edges with a path (`-` for none) and the lawns north-west, north-east,
south-east and south-west; then the pile, the top card first. A state has one line for each thing
that lies somewhere; its lines that start with `#` draw the board and tell what the rules make of
it. An id holds no blank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.errors import FormatError, shown
from referee.games.panda_gorilla.model import (
    COLOURS,
    EDGES,
    LAWNS,
    QUARTERS,
    ROTATIONS,
    SIZES,
    Board,
    PathCard,
    Proposal,
    Rulings,
    Size,
    Space,
    Tile,
)
from referee.games.panda_gorilla.packing import FULL_SUPPLY, Supply
from referee.games.panda_gorilla.remarks import remarks
from referee.games.panda_gorilla.scoring import count_of
from referee.games.panda_gorilla.state import (
    Action,
    Lay,
    LayPond,
    NoProposal,
    Propose,
    ScoreArea,
    Setup,
    State,
    TakeFaceUp,
    TurnUp,
)
from referee.rulings import read_rulings
from referee.text_lines import find_cards, join_line, parse_value, ruling_lines, split_lines

_STATE_KEYS = frozenset({"turn", "pile", "face-up", "drawn", "box", "proposing", "supply"})
_SETUP_KEYS = frozenset({"players", "lead", "board", "entrance", "signs", "pile"})


def format_action(action: Action) -> str:
    """Returns an action as one line.

    >>> format_action(TurnUp(("p03", "p11"))), format_action(TakeFaceUp())
    ('turn p03 p11', 'take')
    >>> format_action(Lay("p03", Space(1, 4), 90)), format_action(LayPond("p03", Space(2, 2)))
    ('lay p03 1,4 90', 'pond p03 2,2')
    >>> format_action(Propose("sw", Size.LARGE)), format_action(NoProposal())
    ('propose sw large', 'no proposal')
    >>> format_action(ScoreArea(Space(0, 1), "se"))
    'score 0,1 se'
    """
    match action:
        case TurnUp(cards):
            words: Sequence[str] = ("turn", *cards)
        case TakeFaceUp():
            words = ("take",)
        case Lay(card, space, rotation):
            words = ("lay", card, _space(space), str(rotation))
        case LayPond(card, space):
            words = ("pond", card, _space(space))
        case Propose(quarter, size):
            words = ("propose", quarter, size)
        case NoProposal():
            words = ("no", "proposal")
        case ScoreArea(space, quarter):
            words = ("score", _space(space), quarter)
    return " ".join(words)


def format_choice(action: Action) -> str:
    """Returns what is typed to choose an action; which cards are turned is chance's.

    >>> format_choice(TurnUp(("p03", "p11"))), format_choice(TakeFaceUp())
    ('turn', 'take')
    """
    return "turn" if isinstance(action, TurnUp) else format_action(action)


def action_forms() -> tuple[tuple[str, str], ...]:
    """Returns how actions are typed."""
    return (
        ("turn", "turn new cards of the pile: one at the start, later two to choose from"),
        ("take", "take the face-up card"),
        ("lay CARD ROW,COLUMN DEGREES", "lay a card, turned clockwise by 0, 90, 180 or 270"),
        ("pond CARD ROW,COLUMN", "lay a card that fits nowhere face down, as a pond"),
        ("propose QUARTER SIZE", "a chip on nw, ne, se or sw of the card: large, medium, small"),
        ("no proposal", "put no chip on the card"),
        ("score ROW,COLUMN QUARTER", "score the area that this quarter is of"),
    )


def parse_action(text: str) -> Action:
    """Returns the action of a line.

    >>> parse_action("lay p03 1,4 90")
    Lay(card='p03', space=Space(row=1, col=4), rotation=90)

    Raises:
        FormatError: if the line is none.
    """
    match text.split():
        case ["turn", *cards]:
            action: Action = TurnUp(tuple(cards))
        case ["take"]:
            action = TakeFaceUp()
        case ["lay", card, space, rotation]:
            action = Lay(card, _parse_space(space), _parse_number(rotation))
        case ["pond", card, space]:
            action = LayPond(card, _parse_space(space))
        case ["propose", quarter, size] if quarter in QUARTERS and size in SIZES:
            action = Propose(quarter, Size(size))
        case ["no", "proposal"]:
            action = NoProposal()
        case ["score", space, quarter] if quarter in QUARTERS:
            action = ScoreArea(_parse_space(space), quarter)
        case _:
            known = "turn, take, lay, pond, propose, no proposal or score, each as it is"
            raise FormatError("action", known, shown(text))
    return action


def format_setup(setup: Setup) -> str:
    """Returns a setup as lines.

    >>> card = PathCard("a", frozenset("ew"), ("dark", "dark", "light", "light"))
    >>> board = Board(2, 3, entrance=(Space(0, 0),), signs=(Space(0, 1),))
    >>> print(format_setup(Setup(("red", "blue"), "red", board, (card, card))))
    players red blue
    lead red
    board 2x3
    entrance 0,0
    signs 0,1
    supply 17 15 27
    card a ew dark dark light light
    pile a a
    """
    board = setup.board
    cards = {card.id: card for card in setup.pile}
    lines = [
        join_line("players", setup.players),
        f"lead {setup.lead}",
        f"board {board.rows}x{board.cols}",
        join_line("entrance", map(_space, board.entrance)),
        join_line("signs", map(_space, board.signs)),
        _supply(setup.supply),
        *ruling_lines(setup.rulings),
        *(join_line("card", _card_words(cards[card_id])) for card_id in sorted(cards)),
        join_line("pile", (card.id for card in setup.pile)),
    ]
    return "\n".join(lines)


def parse_setup(text: str) -> Setup:
    """Returns the setup of some lines.

    Raises:
        FormatError: if a line is none of a setup.
    """
    values: dict[str, list[str]] = {}
    cards: dict[str, PathCard] = {}
    rulings: dict[str, object] = {}
    supply = FULL_SUPPLY
    for key, words in split_lines(text):
        if key == "card":
            card = _parse_card(words)
            cards[card.id] = card
        elif key == "ruling" and len(words) == 2:
            rulings[words[0]] = parse_value(words[1])
        elif key == "supply":
            supply = _parse_supply(words)
        elif key in _SETUP_KEYS:
            values[key] = words
        else:
            raise FormatError("setup", "a line of a setup", shown(" ".join([key, *words])))
    if values.keys() != _SETUP_KEYS or len(values["lead"]) != 1:
        lines = ", ".join(sorted(_SETUP_KEYS))
        raise FormatError("setup", f"the lines {lines}", ", ".join(values) or "none")
    return Setup(
        players=tuple(values["players"]),
        lead=values["lead"][0],
        board=_parse_board(values),
        pile=find_cards(values["pile"], cards, "card"),
        supply=supply,
        rulings=Rulings.of(read_rulings("panda-gorilla", rulings, "ruling")),
    )


def format_state(state: State) -> str:
    """Returns a state as lines; what the rules make of it follows in lines that start with `#`."""
    lines = [
        f"turn {state.turn}",
        join_line("pile", (card.id for card in state.pile)),
        join_line("face-up", () if state.face_up is None else (state.face_up.id,)),
        join_line("drawn", (card.id for card in state.drawn)),
        join_line("box", (card.id for card in state.box)),
        *(join_line("tile", _tile_words(tile)) for tile in state.tiles),
        f"proposing {'yes' if state.is_proposing else 'no'}",
        *(join_line("chip", _chip_words(chip)) for chip in state.proposals),
        _supply(state.supply),
        *(f"points {player} {points}" for player, points in state.points.items()),
        *(f"# {line}" for line in remarks(state)),
    ]
    return "\n".join(lines)


def parse_state(text: str, setup: Setup) -> State:
    """Returns the state of some lines, for a game that began with this setup.

    Raises:
        FormatError: if a line is none of a state.
    """
    cards = {card.id: card for card in setup.pile}
    values: dict[str, list[str]] = {}
    tiles: list[Tile] = []
    chips: list[Proposal] = []
    points: dict[str, int] = {}
    for key, words in split_lines(text):
        if key == "tile":
            tiles.append(_parse_tile(words, cards))
        elif key == "chip":
            chips.append(_parse_chip(words))
        elif key == "points" and len(words) == 2:
            points[words[0]] = _parse_number(words[1])
        else:
            values[key] = words
    if values.keys() != _STATE_KEYS or set(points) != set(setup.players):
        raise FormatError("state", "each line of a state once", ", ".join(values))
    if len(values["turn"]) != 1 or len(values["face-up"]) > 1:
        raise FormatError("state", "one player on turn, one face-up card at most", shown(text))
    if values["proposing"] not in (["yes"], ["no"]):
        raise FormatError("proposing", "yes or no", shown(" ".join(values["proposing"])))
    return State(
        setup=setup,
        turn=values["turn"][0],
        pile=find_cards(values["pile"], cards, "card"),
        face_up=next(iter(find_cards(values["face-up"], cards, "card")), None),
        drawn=find_cards(values["drawn"], cards, "card"),
        box=find_cards(values["box"], cards, "card"),
        tiles=tuple(tiles),
        is_proposing=values["proposing"] == ["yes"],
        proposals=tuple(chips),
        supply=_parse_supply(values["supply"]),
        points=points,
    )


def _space(space: Space) -> str:
    return f"{space.row},{space.col}"


def _parse_space(text: str) -> Space:
    row, comma, col = text.partition(",")
    if not comma:
        raise FormatError("space", "row,column", shown(text))
    return Space(_parse_number(row), _parse_number(col))


def _parse_number(text: str) -> int:
    if not text.isdecimal():
        raise FormatError("number", "a whole number", shown(text))
    return int(text)


def _supply(supply: Supply) -> str:
    return join_line("supply", (str(count_of(supply, size)) for size in Size))


def _parse_supply(words: Sequence[str]) -> Supply:
    if len(words) != len(Size):
        raise FormatError("supply", "three numbers: large, medium, small", shown(" ".join(words)))
    large, medium, small = map(_parse_number, words)
    return Supply(large, medium, small)


def _parse_board(values: Mapping[str, Sequence[str]]) -> Board:
    size = values["board"][0].split("x") if len(values["board"]) == 1 else []
    if len(size) != 2:
        raise FormatError("board", "rows x columns, such as 8x9", shown(" ".join(values["board"])))
    rows, cols = map(_parse_number, size)
    entrance, signs = (
        tuple([_parse_space(word) for word in values[key]]) for key in ("entrance", "signs")
    )
    return Board(rows, cols, entrance, signs)


def _card_words(card: PathCard) -> list[str]:
    edges = "".join(edge for edge in EDGES if edge in card.paths)
    return [card.id, edges or "-", *card.quarters]


def _parse_card(words: Sequence[str]) -> PathCard:
    match words:
        case [card_id, edges, nw, ne, se, sw] if {nw, ne, se, sw} <= set(LAWNS):
            paths = frozenset(edges.replace("-", ""))
            if paths <= set(EDGES):
                return PathCard(card_id, paths, (nw, ne, se, sw))
    raise FormatError("card", "id, edges with a path, four lawns", shown(" ".join(words)))


def _tile_words(tile: Tile) -> list[str]:
    if tile.card is None:
        return [_space(tile.space), "pond"]
    return [_space(tile.space), tile.card.id, str(tile.rotation)]


def _parse_tile(words: Sequence[str], cards: Mapping[str, PathCard]) -> Tile:
    match words:
        case [space, "pond"]:
            return Tile(_parse_space(space), None)
        case [space, card, rotation] if rotation in map(str, ROTATIONS):
            return Tile(_parse_space(space), find_cards([card], cards, "card")[0], int(rotation))
    raise FormatError("tile", "space, card and rotation, or space and pond", shown(" ".join(words)))


def _chip_words(chip: Proposal) -> list[str]:
    return [_space(chip.space), chip.quarter, chip.player, chip.size]


def _parse_chip(words: Sequence[str]) -> Proposal:
    match words:
        case [space, quarter, player, size] if (
            quarter in QUARTERS and player in COLOURS and size in SIZES
        ):
            return Proposal(_parse_space(space), quarter, player, Size(size))
    raise FormatError("chip", "space, quarter, player and size", shown(" ".join(words)))
