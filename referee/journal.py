"""The journal: an append-only file in which a match is kept, one event a line.

A match is its journal: replaying the events gives the same session and the same announcements,
byte for byte. A line is JSON in one fixed spelling,

    {"event": {...}, "seal": "9f86d081...", "seq": 3}

where `seal` is the SHA-256 of the seal before it and of the line without its own. So a line that
was changed, taken out or moved is noticed, with its number; that lines were cut off at the end can
only be noticed by whoever knows the last seal (`Journal.seal`). A last line without its end is what
a program leaves that was killed while it wrote: it was never acted upon and is dropped.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from referee.errors import FormatError, shown
from referee.events import Event, event_from_plain, event_to_plain
from referee.fields import read_object

VERSION = 1
_HEAD = {"journal": "table-referee", "version": VERSION}


class JournalError(FormatError):
    """A journal that cannot be read or written.

    Attributes:
        file: The journal.
    """

    def __init__(self, file: str, place: str, expected: str, got: str) -> None:
        super().__init__(f"{file}: {place}" if place else file, expected, got)
        self.place = place
        self.file = file


@dataclass(frozen=True, slots=True)
class Link:
    """The end of the chain: what the next line is tied to.

    Attributes:
        seq: The number of the last event; 0 after the head.
        seal: The seal of the last line.
    """

    seq: int
    seal: str


def head_line() -> tuple[str, Link]:
    """Returns the first line of every journal, and the end of the chain after it."""
    seal = _seal("", _HEAD)
    return _spell({**_HEAD, "seal": seal}), Link(0, seal)


def event_line(link: Link, event: Event) -> tuple[str, Link]:
    """Returns the line of an event, and the end of the chain after it."""
    record = {"seq": link.seq + 1, "event": event_to_plain(event)}
    seal = _seal(link.seal, record)
    return _spell({**record, "seal": seal}), Link(link.seq + 1, seal)


@dataclass(frozen=True, slots=True)
class Chain:
    """What a journal holds.

    Attributes:
        events: Every event, in the order of its number.
        link: The end of the chain.
        torn: The beginning of a last line that was never finished; empty for none.
        size: How many bytes there are without the torn line.
    """

    events: tuple[Event, ...]
    link: Link
    torn: str
    size: int


def read_chain(data: bytes, name: str) -> Chain:
    """Returns what the bytes of a journal hold.

    Args:
        data: All of the file.
        name: What messages call it.

    Raises:
        JournalError: if it is no journal, one of another version, or a line was changed, taken out
            or moved; the place names the line.
    """
    *lines, rest = data.split(b"\n")
    torn = rest.decode("utf-8", "replace")
    head, link = head_line()
    if not lines and head.encode().startswith(data):
        return Chain((), link, torn, 0)
    _check_head(lines[0] if lines else rest, head, name)
    events: list[Event] = []
    for number, line in enumerate(lines[1:], start=2):
        event, link = _read_line(line, link, name, number)
        events.append(event)
    return Chain(tuple(events), link, torn, len(data) - len(rest))


class Journal:
    """A journal on disk, open for more; nothing that was written is ever written over.

    Attributes:
        path: The file.
        events: What it held when it was opened.
        torn: The unfinished last line that was dropped when it was opened; empty for none.
    """

    def __init__(self, path: Path) -> None:
        """Opens a journal, or begins one where there is no file.

        Raises:
            JournalError: if the file is no sound journal.
            OSError: if it cannot be read or written.
        """
        self.path = path
        if path.exists():
            chain = read_chain(path.read_bytes(), str(path))
        else:
            chain = Chain((), head_line()[1], "", 0)
        self.events, self.torn = chain.events, chain.torn
        self._link, self._size = chain.link, chain.size
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
        if chain.torn:
            os.ftruncate(self._file, chain.size)
        if not chain.size:
            self._write(head_line()[0])
            _sync_folder(path.parent)

    @property
    def seal(self) -> str:
        """The seal of the last line: whoever knows it notices that lines were cut off."""
        return self._link.seal

    def append(self, event: Event) -> int:
        """Writes an event and returns its number once it is safe on the disk.

        Raises:
            JournalError: if another program has written to the file meanwhile.
            OSError: if it cannot be written; the file is as it was.
        """
        line, link = event_line(self._link, event)
        self._write(line)
        self._link = link
        return link.seq

    def close(self) -> None:
        """Closes the file."""
        os.close(self._file)

    def _write(self, line: str) -> None:
        size = os.fstat(self._file).st_size
        if size != self._size:
            got = f"{size}: another program writes to it"
            raise JournalError(str(self.path), "", f"a file of {self._size} bytes", got)
        data = line.encode() + b"\n"
        os.lseek(self._file, size, os.SEEK_SET)
        try:
            _write_all(self._file, data)
            os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, size)
            raise
        self._size = size + len(data)


def read_journal(path: Path) -> Chain:
    """Returns what a journal holds, and leaves the file as it is.

    Raises:
        JournalError: if it is no sound journal.
        OSError: if it cannot be read.
    """
    return read_chain(path.read_bytes(), str(path))


def _write_all(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]


def _sync_folder(folder: Path) -> None:
    """Makes the name of a new file as safe as its content; only POSIX can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)


def _seal(before: str, record: Mapping[str, Any]) -> str:
    return hashlib.sha256((before + _spell(record)).encode()).hexdigest()


def _spell(record: Mapping[str, Any]) -> str:
    """Returns JSON in the one spelling that a journal has: ASCII, sorted keys, no spare blank."""
    return json.dumps(record, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _check_head(line: bytes, head: str, name: str) -> None:
    if line == head.encode():
        return
    record = _parse(line)
    if record.get("journal") != "table-referee":
        got = shown(line.decode("utf-8", "replace"))
        raise JournalError(name, "line 1", "the head of a journal", got)
    if record.get("version") != VERSION:
        got = f"version {shown(record.get('version'))}"
        raise JournalError(name, "line 1", f"a journal of version {VERSION}", got)
    raise JournalError(name, "line 1", "the line as it was written", "a changed one")


def _read_line(line: bytes, link: Link, name: str, number: int) -> tuple[Event, Link]:
    place = f"line {number}"

    def refuse(expected: str, got: str) -> NoReturn:
        raise JournalError(name, place, expected, got)

    record = _parse(line)
    seal, seq = record.pop("seal", None), record.get("seq")
    if _spell({**record, "seal": seal}).encode() != line:
        refuse("the line as it was written", shown(line.decode("utf-8", "replace")))
    if seq != link.seq + 1 or type(seq) is not int:
        refuse(f"the event {link.seq + 1}", f"the event {shown(seq)}: lines are missing or moved")
    if seal != _seal(link.seal, record):
        refuse("the line as it was written", "one that was changed, or that follows on another")
    try:
        read_object(record, "", frozenset({"seq", "event"}))
        event = event_from_plain(record["event"], "event")
    except FormatError as error:
        raise JournalError(name, f"{place}: {error.place}", error.expected, error.got) from error
    return event, Link(link.seq + 1, str(seal))


def _parse(line: bytes) -> dict[str, Any]:
    """Returns the object of a line; an empty one for what is none, or cannot be spelled."""
    try:
        value = json.loads(line)
        _spell(value)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
