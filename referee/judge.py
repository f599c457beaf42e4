"""One question to a rule engine, one answer (contract §2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from referee.errors import FormatError, PositionError, shown
from referee.fields import listed
from referee.games.catalog import GAMES

if TYPE_CHECKING:
    from referee.decks import Deck


def judge(position: Mapping[str, Any], deck: Deck | None = None) -> dict[str, Any]:
    """Returns the answer of the game's rule engine to a question.

    Args:
        position: The question; it may carry its own `cards`, which go before those of the deck.
        deck: The deck that is played with.

    Raises:
        PositionError: if the question breaks its format; it names the place and what was expected.
    """
    try:
        return _judge(position, deck)
    except PositionError:
        raise
    except FormatError as error:
        raise PositionError(error.place, error.expected, error.got) from error


def _judge(position: Mapping[str, Any], deck: Deck | None) -> dict[str, Any]:
    if not isinstance(position, Mapping):
        raise PositionError("the position", "an object with named keys", shown(position))
    name = position.get("game")
    game = GAMES.get(name) if isinstance(name, str) else None
    if game is None:
        raise PositionError("game", listed(GAMES), shown(name))
    if game.judge is None:
        judged = listed([each.name for each in GAMES.values() if each.judge is not None])
        got = f"{game.name}, whose rule engine is not there yet"
        raise PositionError("game", f"a game that can be judged ({judged})", got)
    if deck is not None and deck.game != game.name and "cards" not in position:
        raise PositionError("game", f"{deck.game}, the game of the deck {deck.name}", game.name)
    return game.judge(position, None if deck is None else deck.pieces)
