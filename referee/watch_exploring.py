"""Exploring Galapagos as it is watched: its eye and its table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from referee.adapter.exploring_watched import ExploringSettings, ExploringTable
from referee.deck_faces import deck_faces
from referee.decks import Deck
from referee.games.exploring_galapagos.model import CardBack, HabitatCard, Method, Rulings
from referee.watch_orders import WatchedGame, WatchSettings
from vision.spread_watch import Expected, SpreadWatcher
from vision.still import open_reader
from vision.table import TableEvent

_LEAST_PIECES = 6
"""Where fewer things lie, no round can be scored: two hands have eight cards."""


def open_exploring(deck: Deck, settings: WatchSettings) -> WatchedGame[TableEvent]:
    """Returns what watches a table on which this deck is played with."""
    cards = [piece for piece in deck.pieces if isinstance(piece, HabitatCard | CardBack)]
    table = ExploringTable(cards, _table_settings(settings))
    expected = Expected(_LEAST_PIECES, table.is_clear, table.may_lack)

    def open_eye(weights: Path | None, progress: Callable[[int], None] | None) -> SpreadWatcher:
        faces = deck_faces(deck)
        return SpreadWatcher(open_reader(faces, weights), faces, expected, progress)

    return WatchedGame(table, open_eye)


def _table_settings(settings: WatchSettings) -> ExploringSettings:
    return ExploringSettings(
        players=settings.players,
        seats=settings.seats,
        used={
            player: tuple(Method(word) for word in words) for player, words in settings.used.items()
        },
        rulings=Rulings(impact_on_zero=settings.rulings.get("impact_on_zero") is True),
    )
