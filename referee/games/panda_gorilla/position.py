"""Questions about Panda, Gorilla & Co as contract §2 spells them: position in, ruling out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from referee.errors import FormatError
from referee.fields import (
    Json,
    at,
    read_cards,
    read_choice,
    read_each,
    read_flag,
    read_integer,
    read_object,
    read_text,
    refuse,
)
from referee.games.panda_gorilla.cards import lawn_faults, read_board, read_card
from referee.games.panda_gorilla.grounds import name_of, space_of
from referee.games.panda_gorilla.lattice import Quarter
from referee.games.panda_gorilla.model import (
    COLOURS,
    QUARTERS,
    ROTATIONS,
    SIZES,
    Board,
    Breach,
    Card,
    PathCard,
    Proposal,
    Rulings,
    Size,
    Space,
    Tile,
)
from referee.games.panda_gorilla.packing import FULL_SUPPLY, Supply
from referee.games.panda_gorilla.scoring import count_of, rule_table
from referee.games.panda_gorilla.table import AreaRuling, TablePosition, TableRuling
from referee.rulings import read_rulings

GAME = "panda-gorilla"

_REQUIRED = frozenset({"game", "board", "tiles"})
_OPTIONAL = frozenset({"cards", "chips", "final", "supply", "offer", "rulings"})
_CARD_TILE = frozenset({"row", "col", "card", "rotation"})
_POND_TILE = frozenset({"row", "col", "pond"})
_CHIP = frozenset({"row", "col", "quarter", "player", "size"})
_SUPPLY = frozenset(SIZES)

PathCards = Mapping[str, PathCard]


def judge(position: Json, deck_cards: Iterable[Card] | None) -> dict[str, Any]:
    """Returns the answer to a question.

    Args:
        position: The question, its keys still unchecked.
        deck_cards: The cards of the deck given with it; the question's own `cards` go before.

    Raises:
        FormatError: if the question breaks its format.
    """
    return format_ruling(rule_table(read_position(position, deck_cards)))


def read_position(value: object, deck_cards: Iterable[Card] | None) -> TablePosition:
    """Returns a question as the rules take it.

    Raises:
        FormatError: if it breaks its format.
    """
    source = read_object(value, "", _REQUIRED, _OPTIONAL)
    cards = {
        card_id: card
        for card_id, card in read_cards(source, deck_cards, read_card, _refuse_torn_lawn).items()
        if isinstance(card, PathCard)
    }
    board = read_board(source["board"], "board", with_picture=False)
    tiles = read_each(source, "tiles", "", partial(_read_tile, board=board, cards=cards))
    return TablePosition(
        board=board,
        tiles=tiles,
        proposals=_read_chips(source, board, tiles),
        supply=_read_supply(source),
        offer=_read_offer(source, cards),
        is_final=read_flag(source, "final", "") if "final" in source else False,
        rulings=_read_rulings(source),
    )


def format_position(position: TablePosition) -> dict[str, Any]:
    """Returns what lies on a table as contract §2 asks about it.

    The cards are left to the deck; supply, offer and house rulings are those of the box.
    """
    board = position.board
    return {
        "game": GAME,
        "board": {
            "rows": board.rows,
            "cols": board.cols,
            "entrance": [list(space) for space in board.entrance],
            "signs": [list(space) for space in board.signs],
        },
        "tiles": [format_tile(tile) for tile in position.tiles],
        "chips": [_format_chip(proposal) for proposal in position.proposals],
        "final": position.is_final,
    }


def format_tile(tile: Tile) -> dict[str, Any]:
    """Returns a card or a pond as it lies, as a question spells it."""
    space = {"row": tile.space.row, "col": tile.space.col}
    if tile.card is None:
        return space | {"pond": True}
    return space | {"card": tile.card.id, "rotation": tile.rotation}


def _format_chip(proposal: Proposal) -> dict[str, Any]:
    return {
        "row": proposal.space.row,
        "col": proposal.space.col,
        "quarter": proposal.quarter,
        "player": proposal.player,
        "size": proposal.size.value,
    }


def format_ruling(ruling: TableRuling) -> dict[str, Any]:
    """Returns a ruling as contract §2 spells the answer."""
    return {
        "areas": [_format_area(area) for area in ruling.areas],
        "illegal": [_format_breach(breach) for breach in ruling.breaches],
        "placements": [
            {
                "card": placement.card,
                "row": placement.space.row,
                "col": placement.space.col,
                "rotation": placement.rotation,
            }
            for placement in ruling.placements
        ],
        "points": dict(ruling.points),
    }


def _format_area(ruling: AreaRuling) -> dict[str, Any]:
    counts = ruling.packing.counts
    return {
        "quarters": _format_quarters(ruling.area.quarters),
        "colour": ruling.area.colour,
        "complete": ruling.area.is_complete,
        "chips": [_format_chip(proposal) for proposal in ruling.proposals],
        "animals": {size.value: count_of(counts, size) for size in Size},
        "packing": [
            {"size": animal.size.value, "quarters": _format_quarters(animal.quarters)}
            for animal in ruling.packing.animals
        ],
        "points": dict(ruling.points),
    }


def _format_quarters(quarters: Sequence[Quarter]) -> list[list[int | str]]:
    return [[*space_of(quarter), name_of(quarter)] for quarter in quarters]


def _format_breach(breach: Breach) -> dict[str, Any]:
    return {
        "row": breach.space.row,
        "col": breach.space.col,
        "rule": breach.rule.value,
        "reason": f"{breach.reason} (rulebook, {breach.rule.section})",
    }


def _refuse_torn_lawn(card: Card, place: str) -> None:
    if isinstance(card, PathCard):
        for fault in lawn_faults(card):
            raise FormatError(f"{place}.quarters ({card.id})", "a path between two colours", fault)


def _read_tile(value: object, place: str, board: Board, cards: PathCards) -> Tile:
    is_pond = isinstance(value, Mapping) and "pond" in value
    source = read_object(value, place, _POND_TILE if is_pond else _CARD_TILE)
    space = _read_space(source, place, board)
    if is_pond:
        if source["pond"] is not True:
            refuse(at(place, "pond"), "true, or no such key", source["pond"])
        return Tile(space, None)
    card = _find_card(read_text(source, "card", place), at(place, "card"), cards)
    rotation = source["rotation"]
    if type(rotation) is not int or rotation not in ROTATIONS:
        refuse(at(place, "rotation"), "0, 90, 180 or 270", rotation)
    return Tile(space, card, rotation)


def _read_space(source: Json, place: str, board: Board) -> Space:
    row = read_integer(source, "row", place, 0, board.rows - 1)
    return Space(row, read_integer(source, "col", place, 0, board.cols - 1))


def _find_card(card_id: str, place: str, cards: PathCards) -> PathCard:
    if card_id not in cards:
        refuse(place, "the id of a path card", card_id)
    return cards[card_id]


def _read_chips(source: Json, board: Board, tiles: Sequence[Tile]) -> tuple[Proposal, ...]:
    if "chips" not in source:
        return ()
    face_up = {tile.space for tile in tiles if tile.card is not None}.difference(board.entrance)

    def read_chip(value: object, place: str) -> Proposal:
        chip = read_object(value, place, _CHIP)
        space = _read_space(chip, place, board)
        if space not in face_up:
            got = f"row {space.row}, column {space.col}, where none lies"
            raise FormatError(place, "a space with a face-up card", got)
        quarter = read_choice(chip, "quarter", place, QUARTERS)
        player = read_choice(chip, "player", place, COLOURS)
        return Proposal(space, quarter, player, Size(read_choice(chip, "size", place, SIZES)))

    return read_each(source, "chips", "", read_chip)


def _read_supply(source: Json) -> Supply:
    if "supply" not in source:
        return FULL_SUPPLY
    supply = read_object(source["supply"], "supply", _SUPPLY)
    return Supply(**{size: read_integer(supply, size, "supply", 0) for size in SIZES})


def _read_offer(source: Json, cards: PathCards) -> tuple[PathCard, ...]:
    if "offer" not in source:
        return ()

    def read_offered(value: object, place: str) -> PathCard:
        if type(value) is not str:
            refuse(place, "the id of a path card", value)
        return _find_card(value, place, cards)

    return read_each(source, "offer", "", read_offered)


def _read_rulings(source: Json) -> Rulings:
    if "rulings" not in source:
        return Rulings()
    return Rulings.of(read_rulings(GAME, source["rulings"], "rulings"))
