"""Where matches are kept: an SQLite file (WAL), or a PostgreSQL database by URL.

A match is its records, which are only ever appended; an append is safe on the disk, or has not
happened, when it returns. The statements are the same for both databases.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from referee.errors import RefereeError
from referee.records import Kind, Record

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS tables (id TEXT PRIMARY KEY, spec TEXT NOT NULL,"
    " created DOUBLE PRECISION NOT NULL, state TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS records (table_id TEXT NOT NULL REFERENCES tables(id)"
    " ON DELETE CASCADE, seq INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,"
    " question TEXT, PRIMARY KEY (table_id, seq))",
)


class StorageError(RefereeError):
    """Matches cannot be kept, or not be read; the message says why."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table that is kept.

    Attributes:
        id: Its name in requests.
        spec: How it was asked for, as plain JSON.
        created: When, in seconds since 1970.
        state: `open` while its source is to be watched, else why that is over.
    """

    id: str
    spec: dict[str, Any]
    created: float
    state: str


class _Database(Protocol):
    """What both databases offer."""

    def run(self, *statements: tuple[str, Sequence[object]]) -> list[tuple[Any, ...]]:
        """Runs statements, all or none of them, and returns the rows of the last one."""
        ...

    def close(self) -> None:
        """Closes the connection."""
        ...


class Storage:
    """Tables and their records. It may be used from several threads.

    Args:
        database: A connection of `open_storage`.
    """

    def __init__(self, database: _Database) -> None:
        self._database = database
        for statement in _SCHEMA:
            database.run((statement, ()))

    def tables(self) -> list[StoredTable]:
        """Returns every table, in the order in which they were opened."""
        rows = self._database.run(
            ("SELECT id, spec, created, state FROM tables ORDER BY created, id", ())
        )
        return [StoredTable(row[0], json.loads(row[1]), row[2], row[3]) for row in rows]

    def add_table(self, table: StoredTable, records: Sequence[Record] = ()) -> None:
        """Keeps a new table, with the records of an imported match.

        Raises:
            StorageError: if there is one of this id, or it cannot be kept.
        """
        row = (table.id, _dumps(table.spec), table.created, table.state)
        insert = ("INSERT INTO tables (id, spec, created, state) VALUES (?, ?, ?, ?)", row)
        self._database.run(insert, *_inserts(table.id, records))

    def set_state(self, table_id: str, state: str) -> None:
        """Keeps that a table is watched, or why that is over."""
        self._database.run(("UPDATE tables SET state = ? WHERE id = ?", (state, table_id)))

    def remove_table(self, table_id: str) -> None:
        """Forgets a table and all of its records."""
        self._database.run(
            ("DELETE FROM records WHERE table_id = ?", (table_id,)),
            ("DELETE FROM tables WHERE id = ?", (table_id,)),
        )

    def records(self, table_id: str) -> list[Record]:
        """Returns the records of a table in the order of their numbers."""
        rows = self._database.run(
            (
                "SELECT seq, kind, body, question FROM records WHERE table_id = ? ORDER BY seq",
                (table_id,),
            )
        )
        return [
            Record(seq, Kind(kind), json.loads(body), json.loads(question) if question else None)
            for seq, kind, body, question in rows
        ]

    def append(self, table_id: str, records: Sequence[Record]) -> None:
        """Keeps records, all or none of them.

        Raises:
            StorageError: if one of these numbers is taken, or they cannot be kept.
        """
        self._database.run(*_inserts(table_id, records))

    def close(self) -> None:
        """Closes the database."""
        self._database.close()


def open_storage(folder: Path, url: str | None = None) -> Storage:
    """Opens a PostgreSQL database, or the SQLite file of a folder where no URL is given.

    Raises:
        StorageError: if it cannot be opened; the message holds no password.
    """
    if url is None:
        return Storage(_Sqlite(folder / "matches.sqlite"))
    return Storage(_open_postgres(url))


class _Sqlite:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        try:
            self._connection = sqlite3.connect(path, check_same_thread=False, timeout=10)
            self._connection.execute("PRAGMA journal_mode = WAL")
            # What was announced must be there after a loss of power too.
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute("PRAGMA foreign_keys = ON")
        except sqlite3.Error as error:
            raise StorageError(f"{path}: expected a database of matches: {error}") from error

    def run(self, *statements: tuple[str, Sequence[object]]) -> list[tuple[Any, ...]]:
        try:
            with self._lock, self._connection:
                rows: list[tuple[Any, ...]] = []
                for sql, values in statements:
                    rows = self._connection.execute(sql, values).fetchall()
                return rows
        except sqlite3.Error as error:
            raise StorageError(f"{self._path}: cannot be read or written: {error}") from error

    def close(self) -> None:
        with self._lock:
            self._connection.close()


def _open_postgres(url: str) -> _Database:
    if not url.startswith(("postgresql://", "postgres://")):
        raise StorageError("--database: expected a URL such as postgresql://user@host/name")
    try:
        import psycopg  # noqa: PLC0415 - an extra: only who asks for PostgreSQL needs it
    except ImportError as error:
        raise StorageError(
            "--database: expected the driver of PostgreSQL: pip install table-referee[postgres]"
        ) from error
    return _Postgres(lambda: psycopg.connect(url, autocommit=True), psycopg.Error)


class _Postgres:
    """A connection that is opened again after the server was away."""

    def __init__(self, connect: Callable[[], Any], error: type[Exception]) -> None:
        self._connect = connect
        self._error = error
        self._lock = threading.Lock()
        self._connection = self._opened()

    def run(self, *statements: tuple[str, Sequence[object]]) -> list[tuple[Any, ...]]:
        with self._lock:
            if self._connection.closed:
                self._connection = self._opened()
            try:
                with self._connection.transaction():
                    rows: list[tuple[Any, ...]] = []
                    for sql, values in statements:
                        cursor = self._connection.execute(sql.replace("?", "%s"), values)
                        rows = cursor.fetchall() if cursor.description else []
                    return rows
            except self._error as error:
                raise StorageError(f"PostgreSQL: {_one_line(error)}") from error

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _opened(self) -> Any:
        try:
            return self._connect()
        except self._error as error:
            raise StorageError(f"--database: cannot be reached: {_one_line(error)}") from error


def _inserts(table_id: str, records: Sequence[Record]) -> list[tuple[str, tuple[object, ...]]]:
    sql = "INSERT INTO records (table_id, seq, kind, body, question) VALUES (?, ?, ?, ?, ?)"
    return [
        (
            sql,
            (
                table_id,
                record.seq,
                record.kind.value,
                _dumps(record.body),
                None if record.question is None else _dumps(record.question),
            ),
        )
        for record in records
    ]


def _dumps(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
