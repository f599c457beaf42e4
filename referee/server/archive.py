"""A match as one file: a .zip of its records and its evidence, sealed against mix-ups."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from typing import Any

from referee.records import Kind, Record
from referee.server import views
from referee.server.evidence import NAME, begins_as_named
from referee.server.hall import Hall
from referee.server.problems import Code, bad_input, too_large
from referee.server.schemas import NewTable
from referee.server.settings import Limits
from referee.server.tables import ENDED, OPEN, Table, answer_of

_MATCH = "match.json"
_FORMAT = 1
_MAX_FILES = 20_000
_MAX_RECORDS = 100_000
_MAX_FILE_BYTES = 8 << 20


def pack(table: Table) -> bytes:
    """Returns a match as one file."""
    records = [[each.seq, each.kind.value, each.body, each.question] for each in table.records]
    match = {
        "format": _FORMAT,
        "table": table.kept.spec,
        "deck": {"id": table.kept.spec["deck"], "name": table.deck.name},
        "state": table.state,
        "records": records,
        "seal": seal_of(records),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_MATCH, json.dumps(match, indent=1))
        for path in sorted(table.evidence.glob("*")):
            if NAME.fullmatch(path.name):
                archive.write(path, f"evidence/{path.name}", zipfile.ZIP_STORED)
    return out.getvalue()


def unpack(data: bytes, hall: Hall, limits: Limits) -> Table:
    """Takes a match in, as a new table.

    Raises:
        Problem: if it is no export, was changed, or is too large.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            if (
                len(infos) > _MAX_FILES
                or sum(info.file_size for info in infos) > limits.unpacked_bytes
            ):
                most = f"at most {limits.unpacked_bytes >> 20} MB of files"
                raise too_large("", most)
            evidence = {
                info.filename.removeprefix("evidence/"): _evidence(archive, info)
                for info in infos
                if info.filename.startswith("evidence/")
            }
            match = json.loads(archive.read(_MATCH))
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, NotImplementedError) as error:
        raise bad_input("", "an exported match", "other data", code=Code.NO_MATCH_FILE) from error
    except (ValueError, RecursionError, RuntimeError, OSError) as error:
        raise bad_input(_MATCH, "JSON of an exported match", "other data") from error
    table = _bring(hall, *_read(match))
    table.evidence.mkdir(parents=True, exist_ok=True)
    for name, data_of_file in evidence.items():
        (table.evidence / name).write_bytes(data_of_file)
    return table


def _bring(hall: Hall, spec: dict[str, Any], state: str, records: list[Record]) -> Table:
    table = None
    try:
        table = hall.bring(spec, state, records)
        for view in (views.scores, views.areas, answer_of):
            view(table)
        for shown in table.match.rounds.values():
            views.photos(shown)
            views.claims(table, shown, "")
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        if table is not None:
            hall.remove(table)
        raise bad_input("records", "records of a match", "others") from error
    return table


def _read(match: Any) -> tuple[dict[str, Any], str, list[Record]]:
    try:
        if match["format"] != _FORMAT:
            raise bad_input("format", str(_FORMAT), repr(match["format"])[:40])
        rows, state = match["records"], str(match["state"])
        if match["seal"] != seal_of(rows):
            expected = "records as they were written"
            raise bad_input("seal", expected, "changed ones", code=Code.MATCH_CHANGED)
        spec = NewTable.model_validate(match["table"]).model_dump(mode="json")
        spec["source"] = {k: v for k, v in spec["source"].items() if v is not None}
        records = [Record(row[0], Kind(row[1]), row[2], row[3]) for row in rows]
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise bad_input(_MATCH, "an exported match", "another shape") from error
    numbers = [record.seq for record in records]
    if numbers != list(range(1, len(records) + 1)) or len(records) > _MAX_RECORDS:
        raise bad_input("records", "every record, in order", "others")
    return spec, ENDED if state == OPEN else state[:400], records


def _evidence(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    name = info.filename.removeprefix("evidence/")
    if not NAME.fullmatch(name) or info.file_size > _MAX_FILE_BYTES:
        raise bad_input("evidence", "pictures and films by their names", "another file")
    data = archive.read(info)
    if not begins_as_named(name, data):
        raise bad_input(info.filename, "a JPEG picture or MP4 film", "other data")
    return data


def seal_of(records: Any) -> str:
    """Returns the SHA-256 of records: a match that was changed on its way is noticed."""
    plain = json.dumps(records, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode("ascii")).hexdigest()
