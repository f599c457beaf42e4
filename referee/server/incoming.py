"""A match that was exported is taken in: everything in its file is checked or judged anew.

The seal notices what was changed by mistake, and anybody can make another one. So nothing is
believed that the records tell: rulings are those of the rules here, and the state is what the last
record says of the watching.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Annotated, Any, Literal

from pydantic import Field, ValidationError

from referee.decks import Deck
from referee.errors import FormatError, shown
from referee.records import Json, Kind, Record
from referee.server.archive import FOLDER, FORMAT, MATCH, seal_of
from referee.server.evidence import NAME, begins_as_named, stems_of
from referee.server.hall import Hall
from referee.server.incoming_records import checked_records
from referee.server.problems import Code, bad_input, first_error, of_format, too_large
from referee.server.schemas import NewTable, Strict
from referee.server.settings import Limits
from referee.server.sources import check_live
from referee.server.tables import Table, state_after

_NONE = Code.NO_MATCH_FILE
_MAX_FILES = 20_000
_MAX_FILE_BYTES = 8 << 20
_MAX_MATCH_BYTES = 64 << 20
_MAX_RECORDS = 100_000

_KindWord = Annotated[Kind, Field(strict=False)]
_Row = Annotated[tuple[int, _KindWord, Json, Json | None], Field(strict=False)]


class _Deck(Strict):
    id: str
    name: str


class _Match(Strict):
    format: Literal[2]
    table: NewTable
    deck: _Deck
    state: str
    records: Annotated[list[_Row], Field(max_length=_MAX_RECORDS)]
    evidence: dict[str, str]
    seal: str


def unpack(file: IO[bytes], hall: Hall, limits: Limits) -> Table:
    """Takes a match in, as a new table.

    Raises:
        Problem: If it is no export, was changed, is too large, or cannot have happened.
    """
    with _opened(file, limits) as archive:
        match = _read_match(archive)
        spec = match.table.model_dump(mode="json")
        spec["source"] = {k: v for k, v in spec["source"].items() if v is not None}
        if "stream" in spec["source"]:
            check_live("stream", spec["source"]["stream"], "table")
        deck = hall.checked_deck(spec, "table")
        _check_deck(match.deck, spec, deck)
        try:
            rows = [Record(*row) for row in match.records]
            records = checked_records(rows, spec, deck)
        except FormatError as error:
            raise of_format(error) from error
        names = _check_evidence(archive, match.evidence, stems_of(records))
        table = hall.bring(spec, state_after(records), records)
        table.evidence.mkdir(parents=True, exist_ok=True)
        for name in names:
            (table.evidence / name).write_bytes(archive.read(FOLDER + name))
    return table


def _opened(file: IO[bytes], limits: Limits) -> zipfile.ZipFile:
    """Returns the files of an export, none of them too large or there twice."""
    with _reading():
        archive = zipfile.ZipFile(file)
    infos = archive.infolist()
    if len(infos) > _MAX_FILES:
        raise too_large("", f"at most {_MAX_FILES} files")
    if sum(info.file_size for info in infos) > limits.unpacked_bytes:
        raise too_large("", f"at most {limits.unpacked_bytes >> 20} MB of files")
    names: set[str] = set()
    for info in infos:
        name = info.filename
        if name != MATCH and not (
            name.startswith(FOLDER) and NAME.fullmatch(name.removeprefix(FOLDER))
        ):
            expected = f"{MATCH}, and pictures and films in {FOLDER}"
            raise bad_input(shown(name), expected, "another file", code=_NONE)
        if name in names:
            raise bad_input(name, "each file once", "another one of that name", code=_NONE)
        names.add(name)
        most = _MAX_MATCH_BYTES if name == MATCH else _MAX_FILE_BYTES
        if info.file_size > most:
            raise too_large(name, f"at most {most >> 20} MB")
    if MATCH not in names:
        raise bad_input("", f"an exported match with {MATCH}", "other files", code=_NONE)
    return archive


@contextmanager
def _reading() -> Iterator[None]:
    """Tells of whatever is wrong with a .zip that it is none."""
    try:
        yield
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        EOFError,
        OSError,
        RuntimeError,  # encrypted, or packed in a way that is not known
        ValueError,
    ) as error:
        raise bad_input("", "an exported match", "other data", code=_NONE) from error


def _read_match(archive: zipfile.ZipFile) -> _Match:
    with _reading():
        data = archive.read(MATCH)
    try:
        told = json.loads(data, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise bad_input(MATCH, "JSON of an exported match", "other data", code=_NONE) from error
    if not isinstance(told, dict):
        raise bad_input(MATCH, "an object with named keys", shown(told), code=_NONE)
    if told.get("format") != FORMAT:
        raise bad_input("format", str(FORMAT), shown(told.get("format")), code=_NONE)
    try:
        match = _Match.model_validate(told)
    except ValidationError as error:
        raise of_format(first_error(error, "")) from error
    if match.seal != seal_of(told):
        expected = "the match as it was exported"
        raise bad_input("seal", expected, "a changed one", code=Code.MATCH_CHANGED)
    return match


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def _check_deck(told: _Deck, spec: Json, deck: Deck) -> None:
    if told.id != spec["deck"]:
        raise bad_input("deck.id", f"{spec['deck']}, the deck of the table", shown(told.id))
    if told.name != deck.name:
        expected = f"{shown(deck.name)}, which the deck {told.id} is called here"
        raise bad_input("deck.name", expected, shown(told.name))


def _check_evidence(
    archive: zipfile.ZipFile, told: dict[str, str], stems: frozenset[str]
) -> list[str]:
    """Returns the names of the evidence, all of it there, and of claims of the match."""
    there = {name.removeprefix(FOLDER) for name in archive.namelist() if name != MATCH}
    for name in sorted(told.keys() ^ there):
        if name in there:
            raise bad_input(FOLDER + name, f"a file that {MATCH} lists", "another one")
        raise bad_input(f"evidence.{name}", "a file of this name", "none")
    for name in sorted(there):
        if name.rpartition("-")[0] not in stems:
            raise bad_input(FOLDER + name, "evidence of a claim of this match", "of another one")
        with _reading():
            data = archive.read(FOLDER + name)
        if not begins_as_named(name, data):
            raise bad_input(FOLDER + name, "a JPEG picture or MP4 film", "other data")
        if hashlib.sha256(data).hexdigest() != told[name]:
            expected = "the file as it was exported"
            raise bad_input(FOLDER + name, expected, "a changed one", code=Code.MATCH_CHANGED)
    return sorted(there)
