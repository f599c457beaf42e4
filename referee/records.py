"""Records of a watched match: what was seen, told, ruled and corrected, each with its number."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Json = dict[str, Any]


class Kind(StrEnum):
    """What a record is."""

    LINE = "line"  # something was seen (contract §3)
    RULING = "ruling"  # a round was ruled upon; announced
    ACTION = "action"  # somebody told what cannot be seen
    CORRECTION = "correction"  # somebody said that a record was another one, or none


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that is kept.

    Attributes:
        seq: Its number in the match, from 1.
        kind: What it is.
        body: Its content, as plain JSON.
        question: What the round of a line asked the rules then, or None.
    """

    seq: int
    kind: Kind
    body: Json
    question: Json | None = None

    @property
    def is_announced(self) -> bool:
        """Whether it is an event for others: rounds as seen are only what rulings are made of."""
        return self.kind is not Kind.LINE or self.body["type"] != "round"

    def to_event(self) -> Json:
        """Returns it as a line of contract §3 with its `seq`."""
        if self.kind is Kind.CORRECTION:
            body = {name: value for name, value in self.body.items() if name != "seq"}
            return {"seq": self.seq, "type": "correction", **body, "of": self.body["seq"]}
        if self.kind is Kind.ACTION:
            return {"seq": self.seq, "type": "action", **self.body}
        return {"seq": self.seq, **self.body}


def key_of(line: Json) -> Hashable:
    """Returns what a line is about: a later one with the same key replaces it."""
    match line["type"]:
        case "task" | "round":
            return line["type"], line["round"]
        case "hands":
            return line["type"], line.get("round", line["t"])
        case "scored":
            return line["type"], repr(line["quarters"])  # an area is scored once
        case "claim" | "withdrawn":
            return line["type"], line["round"], line["player"], line["card"], line["t"]
        case "placed":
            return line["type"], line["row"], line["col"], line["t"]
        case kind:
            return kind, line["t"], line.get("code")


@dataclass(frozen=True, slots=True)
class Truths:
    """What corrections in force say; None in place of what did not happen.

    Attributes:
        by_key: By the key of a line.
        by_seq: By the number of an action.
    """

    by_key: Mapping[Hashable, Json | None]
    by_seq: Mapping[int, Json | None]

    def of_record(self, record: Record, default: Json) -> Json | None:
        """Returns what a record says in truth."""
        if record.kind is Kind.LINE:
            truth = self.by_key.get(key_of(record.body), default)
        else:
            truth = self.by_seq.get(record.seq, default)
        return None if truth is None else {**default, **truth}


def truths_of(records: Sequence[Record]) -> Truths:
    """Returns what the corrections among some records say; of those of one thing the last."""
    by_key: dict[Hashable, Json | None] = {}
    by_seq: dict[int, Json | None] = {}
    struck: set[int] = set()
    for record in reversed(records):
        if record.kind is not Kind.CORRECTION or record.seq in struck:
            continue
        target = records[record.body["seq"] - 1]
        told = record.body["replace"]
        if target.kind is Kind.CORRECTION:
            struck.add(target.seq)
        elif target.kind is Kind.ACTION:
            by_seq.setdefault(target.seq, told)
        else:
            by_key.setdefault(key_of(target.body), told)
    return Truths(by_key, by_seq)
