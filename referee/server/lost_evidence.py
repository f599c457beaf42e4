"""Evidence that was not written yet when the program was stopped: made again, or told as lost.

What a recording shows is seen once more when it is watched on from its start. What a camera showed
has gone; a recording that is kept of it ends before the last claims, when it is cut short.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from referee.adapter.lines import format_time
from referee.records import Json
from referee.server.evidence import evidence_of

_LOST = "evidence-lost"
_LAST_S = 30.0
"""What was to be written in the last moments can be missing. A film that was forgotten since,
because there are so many, is not missed."""


def lacking(folder: Path, said: Sequence[Json]) -> list[Json]:
    """Returns the last claims of which there is no film, in the order of time.

    Args:
        folder: Where evidence lies.
        said: Lines that are known of the table.
    """
    seen = [line for line in said if line["type"] != "notice"]
    last_s = max((line["t"] for line in seen), default=0.0)
    claims = (line for line in seen if line["type"] == "claim" and line["t"] >= last_s - _LAST_S)
    lost = [line for line in claims if not any(map(_is_film, evidence_of(folder, line)))]
    return sorted(lost, key=lambda line: float(line["t"]))


def losses(folder: Path, said: Sequence[Json]) -> list[str]:
    """Returns what is to be told of evidence that is lost, each once."""
    told = {line["text"] for line in said if line["type"] == "notice" and line["code"] == _LOST}
    return [text for text in map(_tell, lacking(folder, said)) if text not in told]


def forget_parts(folder: Path) -> None:
    """Removes what is left of films that were being written."""
    for path in folder.glob("*.part.mp4"):
        path.unlink(missing_ok=True)


def _is_film(name: str) -> bool:
    return name.endswith(".mp4")


def _tell(claim: Json) -> str:
    what = f"{claim['player']} on {claim['card']} at {format_time(claim['t']):g} s"
    return f"the film of {what} was lost when the program was stopped"
