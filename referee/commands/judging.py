"""`table-referee judge`: one question to the rules in, one ruling out."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from referee.commands.console import CommandError, print_json
from referee.decks import load_deck
from referee.errors import FormatError
from referee.judge import judge

STANDARD_INPUT = Path("-")


def answer_position(question: Path, pack: Path | None) -> None:
    """Reads a question from a file or standard input and prints the ruling as one JSON object.

    Raises:
        RefereeError: If the question or the deck is not as it should be.
    """
    position = _read_json(question)
    deck = load_deck(pack) if pack is not None else None
    try:
        ruling = judge(position, deck)
    except FormatError as error:
        raise CommandError(f"{_name(question)}: {error}") from error
    print_json(ruling)


def _read_json(path: Path) -> Any:
    name = _name(path)
    try:
        data = sys.stdin.buffer.read() if path == STANDARD_INPUT else path.read_bytes()
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_without_doubles)
    except FileNotFoundError as error:
        raise CommandError(f"{name}: expected a file with a question, got nothing") from error
    except IsADirectoryError as error:
        raise CommandError(f"{name}: expected a file with a question, got a folder") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{name}: expected JSON text in UTF-8, got other bytes") from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        raise CommandError(f"{name}: {place}: expected JSON, got: {error.msg}") from error
    except ValueError as error:
        raise CommandError(
            f"{name}: expected JSON, each key once and no endless number, got: {error}"
        ) from error
    except RecursionError as error:
        raise CommandError(f"{name}: expected JSON, got lists within lists without end") from error


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [key for key, _ in pairs]
        twice = next(key for key in names if names.count(key) > 1)
        raise ValueError(f"the key {twice!r} twice in one object")
    return found


def _name(path: Path) -> str:
    return "standard input" if path == STANDARD_INPUT else str(path)
