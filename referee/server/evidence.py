"""Names of the pictures that show a claim, made of what the claim is: nobody keeps a list."""

from __future__ import annotations

import re
from pathlib import Path
from zlib import crc32

from referee.records import Json

MOMENTS = ("before", "at", "after")
NAME = re.compile(r"r\d+-[\w-]+-\d+-(before|at|after)\.jpg", re.ASCII)


def stem_of(claim: Json) -> str:
    """Returns how the names of a claim's pictures begin.

    >>> stem_of({"round": 2, "player": "red", "card": "a07", "t": 1.25})
    'r2-red-a07-1250'
    """
    words = (_word(claim["player"]), _word(claim["card"]))
    return f"r{claim['round']}-{'-'.join(words)}-{round(1000 * claim['t'])}"


def pictures_of(folder: Path, claim: Json) -> list[str]:
    """Returns the names of the pictures of a claim that are there, in the order of time."""
    names = [f"{stem_of(claim)}-{moment}.jpg" for moment in MOMENTS]
    return [name for name in names if (folder / name).is_file()]


def _word(text: str) -> str:
    """Returns a text as part of a file's name; two texts never give the same word."""
    plain = re.sub(r"[^a-z0-9]+", "_", text.lower())[:40]
    return plain if plain == text else f"{plain}_{crc32(text.encode('utf-8', 'replace')):08x}"
