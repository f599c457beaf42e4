"""Galapa Go as it is watched: its eye and its table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from referee.adapter.galapa_go import GalapaGoTable, TableSettings
from referee.deck_faces import deck_faces
from referee.decks import Deck
from referee.games.galapa_go.model import (
    AnimalCard,
    CameraCard,
    Card,
    CardBack,
    Rulings,
    Special,
    Task,
    Variant,
)
from referee.watch_orders import WatchedGame, WatchSettings
from vision.pipeline import TableWatcher
from vision.still import open_reader
from vision.table import TableEvent


def open_galapa_go(deck: Deck, settings: WatchSettings) -> WatchedGame[TableEvent]:
    """Returns what watches a table on which this deck is played with."""

    def open_eye(weights: Path | None, progress: Callable[[int], None] | None) -> TableWatcher:
        return TableWatcher(open_reader(deck_faces(deck), weights), progress)

    return WatchedGame(GalapaGoTable(galapa_go_cards(deck), _table_settings(settings)), open_eye)


def galapa_go_cards(deck: Deck) -> tuple[Card, ...]:
    """Returns the cards of a deck as the rules know them."""
    return tuple(
        piece
        for piece in deck.pieces
        if isinstance(piece, AnimalCard | Task | Special | CameraCard | CardBack)
    )


def _table_settings(settings: WatchSettings) -> TableSettings:
    return TableSettings(
        players=settings.players,
        lead=settings.lead,
        variant=Variant(settings.variant),
        rulings=Rulings(**{name: str(value) for name, value in settings.rulings.items()}),
    )
