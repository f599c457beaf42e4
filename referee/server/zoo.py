"""The board of a Panda table as a question to the rules: what lies there as far as is known now."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from referee.decks import Deck
from referee.errors import FormatError
from referee.games.panda_gorilla.model import Board
from referee.games.panda_gorilla.position import format_position
from referee.games.panda_gorilla.table import TablePosition
from referee.judge import judge
from referee.ledger import Match
from referee.records import Json


def judge_zoo(match: Match, deck: Deck, rulings: Mapping[str, Any]) -> Json | None:
    """Returns what the rules answer of a board, or None where there is none.

    Raises:
        FormatError: If what was read there cannot lie so.
    """
    placed = match.of_type("placed")
    if deck.board is None or not placed:
        return None
    return judge(_question(deck.board, placed, rulings), deck)


def zoo_doubt(match: Match, deck: Deck, rulings: Mapping[str, Any]) -> FormatError | None:
    """Returns why a board cannot be judged, told of the line that says so, or None."""
    try:
        judge_zoo(match, deck, rulings)
    except FormatError as error:
        place = re.sub(r"^tiles\[\d+\]\.?", "", error.place)
        place = re.sub(r"^chips\[\d+\]", "chip", place)
        return FormatError(place, error.expected, error.got)
    return None


def _question(board: Board, placed: list[Json], rulings: Mapping[str, Any]) -> Json:
    last = {(line["row"], line["col"]): line for line in placed}
    tiles: list[Json] = []
    for (row, col), line in last.items():
        space = {"row": row, "col": col}
        if line.get("pond"):
            tiles.append({**space, "pond": True})
        elif "card" in line:
            tiles.append({**space, "card": line["card"], "rotation": line.get("rotation", 0)})
    chips: dict[tuple[int, int, str], Json] = {}
    for line in placed:
        row, col, chip = line["row"], line["col"], line.get("chip")
        # A chip that came later is told with its card once more, and so is all that lies there
        # when a camera was opened again.
        if chip and line.get("card") == last[row, col].get("card"):
            keys = ("quarter", "player", "size")
            told = {"row": row, "col": col, **{key: chip[key] for key in keys}}
            chips[row, col, chip["quarter"]] = told
    return {
        **format_position(TablePosition(board, ())),
        "tiles": tiles,
        "chips": list(chips.values()),
        "rulings": dict(rulings),
    }
