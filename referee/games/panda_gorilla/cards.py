"""Panda, Gorilla & Co's card objects and board, as packs and questions spell them (contract §1)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from referee.fields import (
    Json,
    at,
    read_choice,
    read_each,
    read_integer,
    read_kind,
    read_number,
    read_object,
    read_point,
    read_text,
    read_words,
    refuse,
)
from referee.games.panda_gorilla.model import (
    COLOURS,
    EDGES,
    LAWNS,
    QUARTERS,
    SIZES,
    Board,
    Card,
    CardBack,
    Chip,
    PathCard,
    Size,
    Space,
)

KINDS = ("path", "chip", "back")
"""The kinds of card of this game; the first is the main one."""

_ANY_CARD = frozenset({"image", "mm", "count"})
_REQUIRED = {
    "path": frozenset({"id", "kind", "paths", "quarters"}),
    "chip": frozenset({"id", "kind", "player", "size"}),
    "back": frozenset({"id", "kind", "of"}),
}
_MOST_ALIKE = 1000
"""Cards of one face in a deck: far more than any has."""

_MOST_SPACES = 169
"""Spaces of a board: more than twice the game's, and few enough to pack any area exactly."""

_GRID = frozenset({"rows", "cols", "entrance", "signs"})
_PICTURE = frozenset({"space_mm", "image", "corners_px"})
_make_path_card = lru_cache(maxsize=4096)(PathCard)
"""The same cards are asked about again and again; frozen values may be shared."""

_NEIGHBOURS = {"n": ("nw", "ne"), "e": ("ne", "se"), "s": ("se", "sw"), "w": ("sw", "nw")}


def read_card(value: object, place: str) -> Card:
    """Returns a card object as a piece of the game; `image` and `mm` are left to the deck.

    Raises:
        FormatError: if a key is missing, unknown or has a wrong value.
    """
    kind = read_kind(value, place, KINDS)
    source = read_object(value, place, _REQUIRED[kind], _ANY_CARD)
    card_id = read_text(source, "id", place)
    count = read_integer(source, "count", place, 1, _MOST_ALIKE) if "count" in source else 1
    if kind == "path":
        paths = frozenset(read_words(source, "paths", place, EDGES))
        return _make_path_card(card_id, paths, _read_quarters(source, place), count)
    if kind == "chip":
        player = read_choice(source, "player", place, COLOURS)
        return Chip(card_id, player, Size(read_choice(source, "size", place, SIZES)), count)
    return CardBack(card_id, read_choice(source, "of", place, KINDS))


def read_board(value: object, place: str, *, with_picture: bool) -> Board:
    """Returns the board of a pack, which has a picture, or of a question, which may have none.

    Raises:
        FormatError: if a key is missing, unknown or has a wrong value.
    """
    required = _GRID | _PICTURE if with_picture else _GRID
    source = read_object(value, place, required, _PICTURE)
    rows = read_integer(source, "rows", place, 1)
    cols = read_integer(source, "cols", place, 1)
    if rows * cols > _MOST_SPACES:
        refuse(at(place, "rows"), f"a board of {_MOST_SPACES} spaces at most", f"{rows} x {cols}")

    def read_space(item: object, where: str) -> Space:
        row, col = read_point(item, where)
        if type(row) is not int or type(col) is not int:
            refuse(where, "[row, column], both whole numbers", item)
        if not (0 <= row < rows and 0 <= col < cols):
            refuse(where, f"a row from 0 to {rows - 1} and a column from 0 to {cols - 1}", item)
        return Space(row, col)

    corners = read_each(source, "corners_px", place, read_point) if "corners_px" in source else ()
    if corners and len(corners) != 4:
        refuse(at(place, "corners_px"), "four corners [x, y]", source["corners_px"])
    return Board(
        rows=rows,
        cols=cols,
        entrance=read_each(source, "entrance", place, read_space),
        signs=read_each(source, "signs", place, read_space),
        space_mm=read_number(source, "space_mm", place) if "space_mm" in source else None,
        image=read_text(source, "image", place) if "image" in source else None,
        corners_px=corners,
    )


def check_cards(cards: Sequence[Card]) -> list[str]:
    """Returns what is odd about a whole deck, though each of its cards can be read."""
    problems = [] if any(isinstance(card, PathCard) for card in cards) else ["no path card"]
    for card in cards:
        if isinstance(card, PathCard):
            problems += [f"{card.id}: {fault}" for fault in lawn_faults(card)]
    return problems


def lawn_faults(card: PathCard) -> list[str]:
    """Returns where a card has one lawn of two colours, no path between them.

    >>> lawn_faults(PathCard("p1", frozenset("nes"), ("dark", "light", "light", "light")))
    ['sw and nw are one lawn of two colours']
    """
    colour_of = dict(zip(QUARTERS, card.quarters, strict=True))
    return [
        f"{one} and {other} are one lawn of two colours"
        for edge, (one, other) in _NEIGHBOURS.items()
        if edge not in card.paths and colour_of[one] != colour_of[other]
    ]


def _read_quarters(source: Json, place: str) -> tuple[str, str, str, str]:
    where = at(place, "quarters")
    quarters = read_object(source["quarters"], where, frozenset(QUARTERS))
    nw, ne, se, sw = (read_choice(quarters, quarter, where, LAWNS) for quarter in QUARTERS)
    return nw, ne, se, sw
