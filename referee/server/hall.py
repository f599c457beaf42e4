"""All tables of a service: opened, resumed, found, forgotten."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from pathlib import Path
from typing import Any

from referee.decks import Deck
from referee.errors import FormatError, shown
from referee.fields import at
from referee.records import Json, Kind, Record
from referee.rulings import read_rulings
from referee.seated import check_lead, check_players, check_variant
from referee.seatings import check_seating
from referee.server.kept_film import next_part
from referee.server.problems import Code, Problem, bad_input, of_format, of_vision
from referee.server.settings import Settings
from referee.server.shelf import DeckShelf
from referee.server.sources import Recordings, check_live
from referee.server.tables import OPEN, Table
from referee.server.watching import WatchOrder
from referee.storage import Storage, StoredTable
from referee.watch import open_game
from referee.watch_orders import WatchSettings
from vision.errors import SourceError
from vision.source import VideoFile

_log = logging.getLogger(__name__)


class Hall:
    """All tables.

    Args:
        settings: What the service is started with.
        shelf: The decks.
        storage: Where matches are kept.
    """

    def __init__(self, settings: Settings, shelf: DeckShelf, storage: Storage) -> None:
        self._settings = settings
        self._shelf = shelf
        self._storage = storage
        self._lock = threading.Lock()
        self._tables: dict[str, Table] = {}
        others = [settings.data, *([settings.recordings] if settings.recordings else [])]
        self.recordings = Recordings(
            settings.data / "recordings", others, hidden=settings.data / "evidence"
        )

    def resume(self) -> None:
        """Takes up every table that is kept, and watches those that were watched on."""
        for kept in self._storage.tables():
            deck = self._shelf.find(kept.spec["deck"])
            if deck is None:
                _log.warning("the table %s is left out: its deck has gone", kept.id)
                continue
            table = self._tables[kept.id] = self._made(kept, deck)
            if table.state == OPEN:
                try:
                    table.start(self._order(table))
                except Problem as error:
                    table.give_up(str(error.detail))

    def close(self) -> None:
        """Stops watching; every match goes on when the service starts again."""
        for table in self.all():
            table.stop()

    def all(self) -> list[Table]:
        """Returns every table, in the order in which they were opened."""
        return sorted(self._tables.values(), key=lambda table: (table.kept.created, table.id))

    def find(self, table_id: str) -> Table:
        """Returns a table.

        Raises:
            Problem: 404 if there is none of this id.
        """
        table = self._tables.get(table_id)
        if table is None:
            raise Problem(404, Code.UNKNOWN_TABLE, "There is no table of that id")
        return table

    def open(self, spec: dict[str, Any]) -> Table:
        """Opens a table and has it watched.

        Args:
            spec: Contract §5's `POST /tables`, its shape checked.

        Raises:
            Problem: if it names what is not there, or a setting is not one of the game.
        """
        deck = self.checked_deck(spec)
        for kind, what in spec["source"].items():
            if kind != "recording":
                check_live(kind, what)
        with self._lock:
            if sum(table.is_watched for table in self.all()) >= self._settings.limits.tables:
                detail = "As many tables are watched as this service may; end one first"
                raise Problem(409, Code.TOO_MANY_TABLES, detail)
            kept = StoredTable(secrets.token_hex(5), spec, time.time(), OPEN)
            table = self._made(kept, deck)
            order = self._order(table)
            self._storage.add_table(kept)
            self._tables[kept.id] = table
            table.start(order)  # before the lock is let go: the next one counts it
        return table

    def bring(self, spec: dict[str, Any], state: str, records: list[Record]) -> Table:
        """Takes in a match that was exported and has been checked; nothing watches it."""
        kept = StoredTable(secrets.token_hex(5), spec, time.time(), state)
        with self._lock:
            deck = self.checked_deck(spec)
            self._storage.add_table(kept, records)
            try:
                table = self._tables[kept.id] = self._made(kept, deck)
            except Exception:
                self._storage.remove_table(kept.id)
                raise
        return table

    def remove(self, table: Table) -> None:
        """Stops a table and forgets it, with its evidence."""
        with self._lock:
            self._tables.pop(table.id, None)
        table.remove()

    def _made(self, kept: StoredTable, deck: Deck) -> Table:
        evidence = self._settings.data / "evidence" / kept.id
        return Table(kept, deck, self._storage, evidence, self.recordings.own)

    def checked_deck(self, spec: dict[str, Any], whole: str = "") -> Deck:
        """Returns the deck of a table, the settings of which it can be played with.

        Args:
            spec: Contract §5's `POST /tables`, its shape checked.
            whole: Where it stands in the request; empty for the body itself.

        Raises:
            Problem: If there is no such deck, or a setting is not one of the game.
        """
        deck = self._shelf.find(spec["deck"])
        if deck is None:
            expected, got = "the id of a deck (GET /decks)", shown(spec["deck"])
            raise bad_input(at(whole, "deck"), expected, got, code=Code.UNKNOWN_DECK)
        if deck.game != spec["game"]:
            raise bad_input(at(whole, "game"), f"{deck.game}, the game of the deck", spec["game"])
        players, lead = spec.get("players"), spec.get("lead")
        try:
            if players is not None:
                check_players(deck.game, players)
            if lead is not None:
                check_lead(deck.game, lead, players)
            check_variant(deck.game, spec["variant"])
            read_rulings(deck.game, spec["rulings"], "rulings")
            settings = _settings_of(spec)
            check_seating(deck.game, settings.players, settings.seats, settings.used)
            open_game(deck, settings)
        except FormatError as error:
            raise of_format(error, whole) from error
        return deck

    def _order(self, table: Table) -> WatchOrder:
        spec = table.kept.spec
        kind, what = next((k, v) for k, v in spec["source"].items() if v is not None)
        if kind == "recording":
            path = self.recordings.find(what)
            try:
                VideoFile(path)
            except SourceError as error:
                raise of_vision(error, "source.recording", path) from error
            what = str(path)
        recording = next_part(self.recordings.own, table.id) if spec.get("record") else None
        said: list[Json] = [r.body for r in table.records if r.kind is Kind.LINE]
        pack: Path = table.deck.path
        settings, is_paced = _settings_of(spec), spec["realtime"]
        return WatchOrder(
            pack,
            kind,
            what,
            settings,
            is_paced,
            tuple(said),
            table.evidence,
            recording,
            self._settings.painter,
        )


def _settings_of(spec: dict[str, Any]) -> WatchSettings:
    players, used = spec.get("players"), spec.get("used", {})
    return WatchSettings(
        players=tuple(players) if players else None,
        lead=spec.get("lead"),
        variant=spec["variant"],
        rulings=spec["rulings"],
        seats=spec.get("seats", {}),
        used={name: tuple(methods) for name, methods in used.items()},
    )
