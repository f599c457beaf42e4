"""A match as one file: a .zip of its records and its evidence, sealed against mix-ups."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from typing import Any

from referee.server.evidence import NAME, stems_of
from referee.server.tables import Table

MATCH = "match.json"
FOLDER = "evidence/"
FORMAT = 2


def pack(table: Table) -> bytes:
    """Returns a match as one file."""
    known = stems_of(table.records)
    paths = [
        path
        for path in sorted(table.evidence.glob("*"))
        # What a kill has left over belongs to no claim.
        if NAME.fullmatch(path.name) and path.name.rpartition("-")[0] in known
    ]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        seals = {}
        for path in paths:
            data = path.read_bytes()
            seals[path.name] = hashlib.sha256(data).hexdigest()
            archive.writestr(FOLDER + path.name, data, zipfile.ZIP_STORED)
        archive.writestr(MATCH, json.dumps(sealed(_plain(table, seals)), indent=1))
    return out.getvalue()


def _plain(table: Table, seals: dict[str, str]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "table": table.public_spec(),
        "deck": {"id": table.kept.spec["deck"], "name": table.deck.name},
        "state": table.state,
        "records": [
            [each.seq, each.kind.value, each.body, each.question] for each in table.records
        ],
        "evidence": seals,
    }


def sealed(match: dict[str, Any]) -> dict[str, Any]:
    """Returns a match with its seal: one that was changed on its way is noticed."""
    return {**match, "seal": seal_of(match)}


def seal_of(match: dict[str, Any]) -> str:
    """Returns the SHA-256 of all that a match says, the hashes of its evidence included."""
    told = {name: value for name, value in match.items() if name != "seal"}
    plain = json.dumps(told, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode("ascii")).hexdigest()
