"""Who may sit at the table of each game, who leads and in which variant: checked before a match."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from referee.errors import FormatError, shown
from referee.fields import listed
from referee.games.exploring_galapagos.model import MAX_PLAYERS
from referee.games.galapa_go import model as galapa_go
from referee.games.panda_gorilla import model as panda_gorilla

NAMED = "exploring-galapagos"
"""The game whose players have names, and sides of the table."""

COLOURS: Mapping[str, Sequence[str]] = {
    "galapa-go": galapa_go.COLOURS,
    "panda-gorilla": panda_gorilla.COLOURS,
}
"""By game the colours that players may have, clockwise in the order of the rulebook."""

_VARIANTS: Mapping[str, Sequence[str]] = {
    "galapa-go": [variant.value for variant in galapa_go.Variant],
}
_NAME = re.compile(r"\w[\w'. -]{0,39}")


def check_players(game: str, players: Sequence[str]) -> None:
    """Checks the players of a table, clockwise.

    Raises:
        FormatError: If one of them cannot play this game, is named twice, or they are too few or
            too many.
    """
    for index, player in enumerate(players):
        _expect_player(game, player, f"players[{index}]")
    what = "name" if game == NAMED else "colour"
    if len(set(players)) < len(players):
        raise FormatError("players", f"every {what} once", shown(tuple(players)))
    if len(players) < 2:
        raise FormatError("players", f"at least two {what}s", shown(tuple(players)))
    if game == NAMED and len(players) > MAX_PLAYERS:
        raise FormatError("players", f"at most {MAX_PLAYERS} names", shown(tuple(players)))


def check_lead(game: str, lead: str, players: Sequence[str] | None) -> None:
    """Checks the first lead player; players are None where nobody has named them yet.

    Raises:
        FormatError: If the lead cannot play this game, or is none of the players.
    """
    _expect_player(game, lead, "lead")
    if players is not None and lead not in players:
        raise FormatError("lead", f"one of the players {listed(players)}", shown(lead))


def check_variant(game: str, variant: str) -> None:
    """Checks the variant of a game.

    Raises:
        FormatError: If the game has none of this name.
    """
    names = _VARIANTS.get(game, ("normal",))
    if variant not in names:
        raise FormatError("variant", listed(names), shown(variant))


def _expect_player(game: str, player: str, place: str) -> None:
    if game == NAMED:
        if not _NAME.fullmatch(player):
            raise FormatError(place, "names like ann, bob", shown(player))
    elif player not in COLOURS[game]:
        raise FormatError(place, listed(COLOURS[game]), shown(player))
