"""What people type after `--players`, `--lead`, `--variant` and `--ruling`, checked."""

from __future__ import annotations

from collections.abc import Sequence

from referee.commands.console import CommandError
from referee.errors import FormatError
from referee.fields import listed
from referee.games.galapa_go.model import COLOURS, Variant
from referee.rulings import read_rulings

_GAME = "galapa-go"
"""The one game that can be watched; the values of its rulings are all words."""


def parse_players(text: str | None) -> tuple[str, ...] | None:
    """Returns the players of `red,blue`, or None where nothing was given.

    >>> parse_players("red, blue")
    ('red', 'blue')

    Raises:
        CommandError: If one is no colour of a player, or is named twice.
    """
    if text is None:
        return None
    players = tuple(player.strip() for player in text.split(","))
    for player in players:
        _expect_colour(player, "--players")
    if len(set(players)) < len(players):
        raise CommandError(f"--players: expected every colour once, got {text!r}")
    if len(players) < 2:
        raise CommandError(
            f"--players: expected at least two colours, such as red,blue, got {text!r}"
        )
    return players


def parse_lead(text: str | None, players: tuple[str, ...] | None) -> str | None:
    """Returns the player who leads the first round, or None where nothing was given.

    Raises:
        CommandError: If it is none of the players.
    """
    if text is None:
        return None
    _expect_colour(text, "--lead")
    if players is not None and text not in players:
        raise CommandError(f"--lead: expected one of the players {listed(players)}, got {text!r}")
    return text


def parse_variant(text: str) -> str:
    """Returns the name of the variant.

    Raises:
        CommandError: If there is no such variant.
    """
    names = [variant.value for variant in Variant]
    if text not in names:
        raise CommandError(f"--variant: expected {listed(names)}, got {text!r}")
    return text


def parse_rulings(texts: Sequence[str]) -> dict[str, str]:
    """Returns the house rulings of a table: the defaults, and what `name=value` says otherwise.

    Raises:
        CommandError: If one is not of that form, or the name or the value is unknown.
    """
    chosen: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise CommandError(f"--ruling: expected name=value, got {text!r}")
        chosen[name.strip()] = value.strip()
    try:
        return {name: str(value) for name, value in read_rulings(_GAME, chosen, "--ruling").items()}
    except FormatError as error:
        raise CommandError(str(error)) from error


def _expect_colour(text: str, option: str) -> None:
    if text not in COLOURS:
        raise CommandError(f"{option}: expected {listed(COLOURS)}, got {text!r}")
