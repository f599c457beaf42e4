"""What people say of a table that is watched, by the game that is played on it, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.adapter.exploring_sides import SIDES
from referee.commands.console import CommandError
from referee.commands.still_options import (
    expect_of_game,
    expect_players,
    of_option,
    parse_seats,
    parse_used,
)
from referee.errors import FormatError
from referee.rulings import Value, read_rulings
from referee.seated import check_lead, check_players, check_variant
from referee.seatings import check_seats
from referee.text_lines import parse_value

if TYPE_CHECKING:
    from referee.watch_orders import WatchSettings


@dataclass(frozen=True, slots=True)
class Said:
    """What was typed, as it was typed.

    Attributes:
        players: Such as `red,blue`.
        lead: Such as `red`.
        variant: normal or complex.
        rulings: Each as `name=value`.
        seats: Such as `ann@bottom,bob@left`.
        used: Each as `ann:time+zone`.
    """

    players: str | None = None
    lead: str | None = None
    variant: str = "normal"
    rulings: Sequence[str] = ()
    seats: str | None = None
    used: Sequence[str] = ()


def read_said(game: str, said: Said) -> WatchSettings:
    """Returns what people say of a table on which a game is played.

    Raises:
        CommandError: If any of it is not as it should be.
    """
    expect_of_game({"--seats": said.seats is not None, "--used": said.used}, game)
    players = _parse_players(game, said.players)
    seats = parse_seats(said.seats)
    with of_option("--seats"):
        check_seats(seats, players)
    told = (players, _parse_lead(game, said.lead, players or tuple(seats) or None))
    rules = (_parse_variant(game, said.variant), _parse_rulings(game, said.rulings))
    used = parse_used(said.used)
    expect_players(used, players or tuple(seats) or tuple(SIDES))

    from referee.watch_orders import WatchSettings  # noqa: PLC0415  loads numpy: after the checks

    return WatchSettings(*told, *rules, seats, used)


def split_ruling(text: str) -> tuple[str, str]:
    """Returns the name of a house ruling, and the word after it, of `name=value`.

    >>> split_ruling("late_claims = judged")
    ('late_claims', 'judged')

    Raises:
        CommandError: If it is not of that form.
    """
    name, sign, word = text.partition("=")
    if not sign:
        raise CommandError(f"--ruling: expected name=value, got {text!r}")
    return name.strip(), word.strip()


def _parse_players(game: str, text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    players = tuple(player.strip() for player in text.split(","))
    with of_option("--players"):
        check_players(game, players)
    return players


def _parse_lead(game: str, text: str | None, players: tuple[str, ...] | None) -> str | None:
    if text is not None:
        with of_option("--lead"):
            check_lead(game, text, players)
    return text


def _parse_variant(game: str, text: str) -> str:
    with of_option("--variant"):
        check_variant(game, text)
    return text


def _parse_rulings(game: str, texts: Sequence[str]) -> dict[str, Value]:
    """Returns all house rulings of a game: the defaults, and what was said otherwise."""
    chosen: dict[str, Value] = {}
    for text in texts:
        name, word = split_ruling(text)
        chosen[name] = parse_value(word)
    try:
        return read_rulings(game, chosen, "--ruling")
    except FormatError as error:
        raise CommandError(str(error)) from error
