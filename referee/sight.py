"""What was seen and told of a match, round by round, and what people say of it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from referee.records import Json, Kind, Record, Truths, key_of, truths_of
from referee.rejudging import Amendment, Owner, SeenClaim


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen and told of every round.

    Attributes:
        seen: Lines by what they are about.
        actions: What was told, as it is believed now.
        truth: What corrections say.
    """

    seen: Mapping[Hashable, Record]
    actions: Sequence[Json]
    truth: Truths

    def numbers(self) -> list[int]:
        """Returns the rounds in their order."""
        return sorted({record.body["round"] for record in self.seen.values() if _is_round(record)})

    def of_round(self, number: int) -> list[Record]:
        """Returns the lines of a round, the last of each."""
        return [
            record
            for record in self.seen.values()
            if _is_round(record) and record.body["round"] == number
        ]

    def question(self, number: int) -> Json | None:
        """Returns what a round asked the rules when it was seen last."""
        asked = [each for each in self.of_round(number) if each.question is not None]
        return max(asked, key=lambda each: each.seq).question if asked else None

    def amendment(self, number: int) -> Amendment:
        """Returns what people say about a round."""
        tasks: tuple[str, ...] | None = None
        claims: dict[SeenClaim, Json | None] = {}
        kept: set[Owner] = set()
        for record in self.of_round(number):
            key, body = key_of(record.body), record.body
            if key not in self.truth.by_key:
                continue
            truth = self.truth.by_key[key]
            if body["type"] == "task":
                tasks = tuple({**body, **(truth or {})}["tasks"])
            elif body["type"] == "claim":
                words = ("player", "card", "t")
                told = None if truth is None else {w: truth[w] for w in words if w in truth}
                claims[SeenClaim(body["player"], body["card"], body["t"])] = told
            elif body["type"] == "withdrawn" and truth is None:
                kept.add((body["player"], body["card"]))
        told_here = [
            {name: value for name, value in action.items() if name != "round"}
            for action in self.actions
            if action["round"] == number
        ]
        renamed = dict(self._renamed())
        return Amendment(tasks, claims, frozenset(kept), renamed, told_here)

    def _renamed(self) -> Iterator[tuple[str, str]]:
        """Yields the cards of a layout that somebody corrected, as seen and in truth."""
        for record in self.seen.values():
            truth = self.truth.by_key.get(key_of(record.body))
            if record.body["type"] == "layout" and truth is not None and "cards" in truth:
                pairs = zip(record.body["cards"], truth["cards"], strict=False)
                yield from ((s["id"], t["id"]) for s, t in pairs if s["id"] != t["id"])


def _is_round(record: Record) -> bool:
    return record.body["type"] in ("task", "claim", "withdrawn", "round")


def sight_of(records: Sequence[Record]) -> Sight:
    """Returns what was seen and told by some records."""
    truth = truths_of(records)
    seen = {key_of(record.body): record for record in records if record.kind is Kind.LINE}
    told = (
        truth.of_record(record, default=record.body)
        for record in records
        if record.kind is Kind.ACTION
    )
    return Sight(seen, [action for action in told if action is not None], truth)
