"""Matches in a PostgreSQL database: a server of the test's own, on loopback."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.storage import Storage, StorageError, StoredTable, open_storage
from tests.referee.server.running import TINY, RunningService, wait_for
from tests.referee.test_storage import TABLE, record
from tests.system.needs import find_postgres

pytestmark = pytest.mark.system


def as_nobody(command: list[str]) -> list[str]:
    """Returns a command as another user runs it: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return command
    user = next(name for name in ("postgres", "nobody") if _is_user(name))
    return ["setpriv", f"--reuid={user}", "--regid=nogroup", "--clear-groups", *command]


def _is_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


@pytest.fixture(scope="module")
def url(tmp_path_factory) -> Iterator[str]:
    initdb, postgres = find_postgres("initdb"), find_postgres("postgres")
    assert initdb, "PostgreSQL is needed: apt-get install postgresql"
    assert postgres, "PostgreSQL is needed: apt-get install postgresql"
    folder = Path("/tmp") / f"referee-postgres-{os.getpid()}"
    folder.mkdir(mode=0o700)
    if os.geteuid() == 0:
        shutil.chown(folder, next(name for name in ("postgres", "nobody") if _is_user(name)))
    base = folder / "base"
    try:
        subprocess.run(
            as_nobody([initdb, "-D", str(base), "-U", "referee", "-A", "trust", "--no-sync"]),
            check=True,
            capture_output=True,
            cwd="/",
        )
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [postgres, "-D", str(base), "-h", "127.0.0.1", "-p", str(port), "-k", str(folder)]
        with subprocess.Popen(
            as_nobody(command), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/"
        ) as server:
            address = f"postgresql://referee@127.0.0.1:{port}/postgres"
            wait_for(lambda: answers(address), 30)
            yield address
            server.terminate()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def answers(url: str) -> Storage | None:
    try:
        storage = open_storage(Path("/"), url)
    except StorageError:
        return None
    storage.close()
    return storage


@pytest.fixture
def storage(url, tmp_path) -> Iterator[Storage]:
    storage = open_storage(tmp_path, url)
    for table in storage.tables():
        storage.remove_table(table.id)
    yield storage
    storage.close()


def test_what_was_appended_is_there_after_it_is_opened_again(storage, url, tmp_path):
    assert storage.tables() == []
    storage.add_table(TABLE)
    storage.append("t1", [record(1), record(2, "\x00 ? %s")])
    again = open_storage(tmp_path, url)
    assert again.tables() == [TABLE]
    assert again.records("t1") == [record(1), record(2, "\x00 ? %s")]
    again.close()


def test_records_come_all_or_none(storage):
    storage.add_table(TABLE)
    storage.append("t1", [record(1)])
    with pytest.raises(StorageError):
        storage.append("t1", [record(2), record(1)])
    with pytest.raises(StorageError):
        storage.append("t9", [record(1)])
    assert storage.records("t1") == [record(1)]


def test_a_table_is_kept_once_and_forgotten(storage):
    storage.add_table(TABLE, [record(1)])
    with pytest.raises(StorageError):
        storage.add_table(StoredTable("t1", {}, 1.0, "open"))
    storage.set_state("t1", "ended")
    assert [table.state for table in storage.tables()] == ["ended"]
    storage.remove_table("t1")
    assert (storage.tables(), storage.records("t1")) == ([], [])


def test_a_match_is_kept_there_and_goes_on_after_kill_9(storage, url, tmp_path):
    with RunningService(tmp_path / "data", "--database", url) as service:
        table = service.open_table(TINY)
        wait_for(lambda: service.events(table))
        service.kill()
        service.start()
        wait_for(lambda: service.state(table) != "open")
        events = service.events(table)
        assert [event["type"] for event in events] == ["layout", "task", "claim", "round"]
    assert not (tmp_path / "data" / "matches.sqlite").exists()
    assert len(storage.records(table.rsplit("/", 1)[1])) == 5
