"""Names of the pictures and films that show a claim, made of what it is: nobody keeps a list."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from zlib import crc32

from referee.records import Json, Kind, Record

MOMENTS = ("before", "at", "after")
NAME = re.compile(r"r\d+-[\w-]+-\d+-((before|at|after)\.jpg|film\.mp4)", re.ASCII)
MEDIA_TYPES = {".jpg": "image/jpeg", ".mp4": "video/mp4"}
"""By the ends of the names."""


def stem_of(claim: Json) -> str:
    """Returns how the names of a claim's pictures begin.

    >>> stem_of({"round": 2, "player": "red", "card": "a07", "t": 1.25})
    'r2-red-a07-1250'
    """
    words = (_word(claim["player"]), _word(claim["card"]))
    return f"r{claim['round']}-{'-'.join(words)}-{round(1000 * claim['t'])}"


def stems_of(records: Iterable[Record]) -> frozenset[str]:
    """Returns how the names of all evidence of a match begin."""
    lines = (record.body for record in records if record.kind is Kind.LINE)
    return frozenset(stem_of(line) for line in lines if line["type"] == "claim")


def picture_name(stem: Path, moment: str) -> Path:
    """Returns where the picture of a moment lies."""
    return stem.with_name(f"{stem.name}-{moment}.jpg")


def clip_name(stem: Path) -> Path:
    """Returns where the film lies."""
    return stem.with_name(f"{stem.name}-film.mp4")


def evidence_of(folder: Path, claim: Json) -> list[str]:
    """Returns what there is to show a claim: pictures in the order of time, then the film."""
    stem = folder / stem_of(claim)
    paths = [*(picture_name(stem, moment) for moment in MOMENTS), clip_name(stem)]
    return [path.name for path in paths if path.is_file()]


def begins_as_named(name: str, head: bytes) -> bool:
    """Returns whether a file begins like what its name of evidence says it is."""
    return head[4:8] == b"ftyp" if name.endswith(".mp4") else head.startswith(b"\xff\xd8")


def _word(text: str) -> str:
    """Returns a text as part of a file's name; two texts never give the same word."""
    plain = re.sub(r"[^a-z0-9]+", "_", text.lower())[:40]
    return plain if plain == text else f"{plain}_{crc32(text.encode('utf-8', 'replace')):08x}"
