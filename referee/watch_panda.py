"""Panda, Gorilla & Co as it is watched: its eye and its table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from referee.adapter.panda_table import PandaTable
from referee.deck_faces import deck_faces
from referee.decks import Deck
from referee.games.panda_gorilla.model import Rulings
from referee.still_panda import board_of, cards_of, open_board_reader
from referee.watch_orders import WatchedGame, WatchSettings
from vision.board_watch import BoardWatcher
from vision.table import BoardEvent


def open_panda(deck: Deck, settings: WatchSettings) -> WatchedGame[BoardEvent]:
    """Returns what watches a table on which this deck is played with."""

    def open_eye(weights: Path | None, progress: Callable[[int], None] | None) -> BoardWatcher:
        # A board is read without the detector: its spaces say where cards can lie.
        del weights
        return BoardWatcher(open_board_reader(deck, deck_faces(deck)), progress)

    table = PandaTable(board_of(deck), cards_of(deck), Rulings.of(settings.rulings))
    return WatchedGame(table, open_eye)
