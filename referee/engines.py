"""The games of which a whole match can be played, each with what it is played with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.errors import FormatError, shown
from referee.fields import listed
from referee.games.catalog import GAMES
from referee.rules import Notation, Rules, Telling


@dataclass(frozen=True, slots=True)
class Engine:
    """What a whole match of a game is played with.

    Attributes:
        game: As contract §1 spells it.
        rules: Its rules.
        notation: Its text form.
        telling: What people at the table are told.
    """

    game: str
    rules: Rules[Any, Any, Any]
    notation: Notation[Any, Any, Any]
    telling: Telling[Any, Any]


def engine_of(name: str) -> Engine:
    """Returns what a match of a game is played with.

    Raises:
        FormatError: if there is no such game, or it cannot be played yet.
    """
    game = GAMES.get(name)
    if game is None:
        raise FormatError("game", listed(GAMES), shown(name))
    if game.rules is None or game.notation is None or game.telling is None:
        raise FormatError("game", f"a game that can be played ({listed(playable())})", name)
    return Engine(name, game.rules, game.notation, game.telling)


def playable() -> tuple[str, ...]:
    """Returns the names of the games of which a whole match can be played."""
    return tuple(
        game.name for game in GAMES.values() if game.rules and game.notation and game.telling
    )
