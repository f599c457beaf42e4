"""What people say of a table that is watched, by the game that is played on it, checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.adapter.exploring_sides import SIDES
from referee.commands.console import CommandError
from referee.commands.still_options import expect_players, parse_seats, parse_used
from referee.errors import FormatError
from referee.fields import listed
from referee.games.exploring_galapagos.model import MAX_PLAYERS
from referee.games.galapa_go import model as galapa_go
from referee.games.panda_gorilla import model as panda_gorilla
from referee.rulings import Value, read_rulings

if TYPE_CHECKING:
    from referee.watch_orders import WatchSettings

_SEATED = "exploring-galapagos"
"""The game whose players have names, and sides of the table."""
_COLOURS: Mapping[str, Sequence[str]] = {
    "galapa-go": galapa_go.COLOURS,
    "panda-gorilla": panda_gorilla.COLOURS,
}
_VARIANTS: Mapping[str, Sequence[str]] = {
    "galapa-go": [variant.value for variant in galapa_go.Variant],
}
_NAME = re.compile(r"\w[\w'-]*")
_TRUTH: Mapping[str, Value] = {"true": True, "false": False}


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
    if game != _SEATED and (said.seats or said.used):
        option = "--seats" if said.seats else "--used"
        raise CommandError(f"{option}: expected a deck of {_SEATED}, got one of {game}")
    players = _parse_players(game, said.players)
    seats = parse_seats(said.seats)
    if players is not None and seats and {*players} != seats.keys():
        raise CommandError(
            f"--seats: expected the side of each of the players {listed(players)}, got {said.seats}"
        )
    told = (players, _parse_lead(game, said.lead, players or tuple(seats) or None))
    rules = (_parse_variant(game, said.variant), _parse_rulings(game, said.rulings))
    used = parse_used(said.used)
    expect_players(used, players or tuple(seats) or tuple(SIDES))

    from referee.watch_orders import WatchSettings  # noqa: PLC0415  loads numpy: after the checks

    return WatchSettings(*told, *rules, seats, used)


def _parse_players(game: str, text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    players = tuple(player.strip() for player in text.split(","))
    for player in players:
        _expect_player(game, player, "--players")
    what = "name" if game == _SEATED else "colour"
    if len(set(players)) < len(players):
        raise CommandError(f"--players: expected every {what} once, got {text!r}")
    if len(players) < 2:
        raise CommandError(f"--players: expected at least two {what}s, got {text!r}")
    if game == _SEATED and len(players) > MAX_PLAYERS:
        raise CommandError(f"--players: expected at most {MAX_PLAYERS} names, got {text!r}")
    return players


def _parse_lead(game: str, text: str | None, players: tuple[str, ...] | None) -> str | None:
    if text is None:
        return None
    _expect_player(game, text, "--lead")
    if players is not None and text not in players:
        raise CommandError(f"--lead: expected one of the players {listed(players)}, got {text!r}")
    return text


def _parse_variant(game: str, text: str) -> str:
    names = _VARIANTS.get(game, ("normal",))
    if text not in names:
        raise CommandError(f"--variant: expected {listed(names)}, got {text!r}")
    return text


def _parse_rulings(game: str, texts: Sequence[str]) -> dict[str, Value]:
    """Returns all house rulings of a game: the defaults, and what was said otherwise."""
    chosen: dict[str, Value] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise CommandError(f"--ruling: expected name=value, got {text!r}")
        chosen[name.strip()] = _TRUTH.get(value.strip(), value.strip())
    try:
        return read_rulings(game, chosen, "--ruling")
    except FormatError as error:
        raise CommandError(str(error)) from error


def _expect_player(game: str, text: str, option: str) -> None:
    if game == _SEATED:
        if not _NAME.fullmatch(text):
            raise CommandError(f"{option}: expected names like ann,bob, got {text!r}")
    elif text not in _COLOURS[game]:
        raise CommandError(f"{option}: expected {listed(_COLOURS[game])}, got {text!r}")
