"""Questions to the rules with their right answers, and broken ones that must be refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referee.errors import RefereeError
from referee.judge import judge

_ORDERED = frozenset({"claims"})
"""Lists whose order is part of the answer; lists of ids are sets."""
_NOT_COMPARED = frozenset({"reason", "packing"})
"""Words for people, and one of several packings that are equally good."""


def run_cases(folder: Path, prefix: str) -> Iterator[tuple[str, str]]:
    """Asks the cases of a game and gives the name of each with what is wrong, if anything is."""
    for path in sorted((folder / prefix).glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        try:
            yield path.stem, difference(case["expect"], judge(case["position"]))
        except RefereeError as error:
            yield path.stem, f"refused: {error}"
    for path in sorted((folder / "broken").glob(f"{prefix}*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        yield path.stem, _check_refusal(case)


def difference(expected: Any, got: Any, place: str = "", *, is_ordered: bool = True) -> str:
    """Returns the first place at which an answer is wrong, or nothing.

    Reasons do not count, nor does which of equally good packings is shown; their numbers do.
    """
    if isinstance(expected, dict) and set(expected) == {"any_of"}:
        found = [difference(each, got, place, is_ordered=is_ordered) for each in expected["any_of"]]
        return "" if "" in found else found[0]
    if isinstance(expected, dict) and isinstance(got, dict):
        keys = [key for key in expected if key not in _NOT_COMPARED]
        parts = (
            difference(expected[key], got.get(key), f"{place}.{key}", is_ordered=key in _ORDERED)
            for key in keys
        )
        return next(filter(None, parts), "")
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        if not is_ordered and all(isinstance(each, str) for each in expected + got):
            expected, got = sorted(expected), sorted(got)
        pairs = enumerate(zip(expected, got, strict=True))
        parts = (difference(one, other, f"{place}[{index}]") for index, (one, other) in pairs)
        return next(filter(None, parts), "")
    return "" if expected == got else f"{place}: expected {expected!r}, got {got!r}"


def _check_refusal(case: dict[str, Any]) -> str:
    try:
        judge(case["position"])
    except RefereeError as error:
        missing = [
            words
            for words in case["expect"]["message_has"]
            if not any(word in str(error) for word in words)
        ]
        return f"the message {str(error)!r} names none of {missing}" if missing else ""
    return "was answered, expected a refusal"
