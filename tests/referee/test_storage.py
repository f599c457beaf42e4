"""Matches on the disk: what was appended is there, in order, once."""

from __future__ import annotations

import sqlite3
import threading

import pytest

from referee.records import Kind, Record
from referee.storage import StorageError, StoredTable, open_storage

TABLE = StoredTable("t1", {"game": "galapa-go", "players": ["red"]}, 12.5, "open")


def record(seq: int, text: str = "é") -> Record:
    return Record(seq, Kind.LINE, {"type": "notice", "text": text}, {"q": seq} if seq % 2 else None)


@pytest.fixture
def storage(tmp_path):
    storage = open_storage(tmp_path)
    yield storage
    storage.close()


def test_an_empty_storage_has_no_table(storage):
    assert storage.tables() == []
    assert storage.records("t1") == []


def test_what_was_appended_is_there_after_it_is_opened_again(storage, tmp_path):
    storage.add_table(TABLE)
    storage.append("t1", [record(1), record(2)])
    storage.append("t1", [])
    storage.append("t1", [record(3)])
    again = open_storage(tmp_path)
    assert again.tables() == [TABLE]
    assert again.records("t1") == [record(1), record(2), record(3)]
    again.close()


def test_records_come_all_or_none(storage):
    storage.add_table(TABLE)
    storage.append("t1", [record(1)])
    with pytest.raises(StorageError):
        storage.append("t1", [record(2), record(1)])
    assert storage.records("t1") == [record(1)]


def test_a_record_of_no_table_is_refused(storage):
    with pytest.raises(StorageError):
        storage.append("t9", [record(1)])


def test_a_table_is_kept_once(storage):
    storage.add_table(TABLE, [record(1)])
    with pytest.raises(StorageError):
        storage.add_table(TABLE, [record(1), record(2)])
    assert storage.records("t1") == [record(1)]


def test_a_state_is_kept_and_a_table_forgotten(storage):
    storage.add_table(TABLE, [record(1)])
    storage.set_state("t1", "ended")
    assert [table.state for table in storage.tables()] == ["ended"]
    storage.remove_table("t1")
    assert storage.tables() == []
    assert storage.records("t1") == []


def test_several_threads_may_append(storage):
    for number in range(4):
        storage.add_table(StoredTable(f"t{number}", {}, float(number), "open"))

    def fill(number):
        for seq in range(1, 21):
            storage.append(f"t{number}", [record(seq)])

    threads = [threading.Thread(target=fill, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(storage.records(f"t{number}")) for number in range(4)] == [20] * 4


def test_the_file_is_written_ahead_and_safe(storage, tmp_path):
    connection = sqlite3.connect(tmp_path / "matches.sqlite")
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_what_is_no_database_is_told(tmp_path):
    (tmp_path / "matches.sqlite").write_bytes(b"no database, but long enough to be one" * 100)
    with pytest.raises(StorageError, match=r"matches\.sqlite"):
        open_storage(tmp_path)


@pytest.mark.parametrize("url", ["mysql://x", "x"])
def test_a_url_of_another_database_is_told(tmp_path, url):
    with pytest.raises(StorageError, match="postgresql://"):
        open_storage(tmp_path, url)


def test_a_database_that_is_not_there_is_told_without_its_password(tmp_path):
    with pytest.raises(StorageError) as told:
        open_storage(tmp_path, "postgresql://me:secret@127.0.0.1:1/none?connect_timeout=2")
    assert "secret" not in str(told.value)
