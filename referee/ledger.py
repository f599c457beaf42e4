"""A watched match as a fold over its records: what was seen, told and corrected -> what holds.

Records are only ever appended. Corrections are records of their own, after which everything that
followed is judged anew; the last correction of a thing holds, and a correction can itself be taken
back. The same records always give the same match, so whoever was stopped between a record and the
announcement of its ruling finds out by folding again (`announcements`): none is lost or doubled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.errors import FormatError
from referee.records import Json, Kind, Record
from referee.rejudging import Carried, Owner, amend, given_up
from referee.sight import Sight, sight_of

Judge = Callable[[Json], Json]
"""Answers a question of contract §2 with the deck of the table."""

_COLLISION = "another Camera card lay there first"


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim as it was seen, or as somebody corrected it."""

    seq: int
    player: str
    card: str
    order: int
    t: float
    dt: float
    is_withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """A round as it is known now.

    Attributes:
        number: From 1.
        t: When it was over, or its last news.
        tasks: Its Tasks.
        claims: In order.
        ruling: What `judge` answers; None where nothing can be asked.
        question: The question behind it, as it holds now; None where there is none.
        close: Players whose claims the frames cannot tell apart.
        is_over: Whether it has ended, or the table has gone on.
        doubt: Why it could not be judged anew; None where nothing is wrong.
    """

    number: int
    t: float
    tasks: tuple[str, ...]
    claims: tuple[Claim, ...]
    ruling: Json | None
    question: Json | None
    close: tuple[tuple[str, str], ...]
    is_over: bool
    doubt: FormatError | None = None

    def to_line(self) -> Json:
        """Returns it as a `round` line."""
        ruling = dict(self.ruling or {})
        line = {"type": "round", "t": self.t, "round": self.number, "tasks": list(self.tasks)}
        return {**line, **ruling, "close": [list(pair) for pair in self.close]}


@dataclass(frozen=True, slots=True)
class Match:
    """Everything that holds.

    Attributes:
        rounds: By number.
        lines: Every other line that was seen, corrected, the last of each key.
        is_corrected: Whether a correction is in force.
    """

    rounds: Mapping[int, Round] = field(default_factory=dict)
    lines: tuple[Json, ...] = ()
    is_corrected: bool = False

    def of_type(self, *types: str) -> list[Json]:
        """Returns the lines of some types, in the order of time."""
        return sorted((line for line in self.lines if line["type"] in types), key=lambda x: x["t"])


def fold(records: Sequence[Record], judge: Judge) -> Match:
    """Returns the match of some records."""
    sight = sight_of(records)
    truth = sight.truth
    rounds = dict(_judge_rounds(sight, judge))
    lines = [truth.of_record(record, default=record.body) for record in sight.seen.values()]
    others = (line for line in lines if line is not None and _is_other(line))
    return Match(rounds, tuple(others), bool(truth.by_key or truth.by_seq))


def _is_other(line: Json) -> bool:
    return line["type"] != "round" and not line.get("taken")


def announcements(records: Sequence[Record], match: Match) -> list[Json]:
    """Returns the `round` lines that hold and have not been announced yet."""
    said = {r.body["round"]: _content(r.body) for r in records if r.kind is Kind.RULING}
    lines = [
        each.to_line()
        for each in match.rounds.values()
        if each.ruling is not None and (each.is_over or each.number in said)
    ]
    return [line for line in lines if said.get(line["round"]) != _content(line)]


def _content(line: Json) -> Json:
    return {name: value for name, value in line.items() if name != "t"}


def judged_again(line: Json, question: Json, judge: Judge) -> Json:
    """Returns a `round` line as the rules answer its question; its times are those it has.

    Raises:
        FormatError: If the question cannot be answered.
    """
    ruling = _as_seen(judge(question), line)
    told = {_name_of(each): {"t": each["t"], "dt": each["dt"]} for each in line["claims"]}
    claims = [{"dt": 0.0, **each, **told.get(_name_of(each), {})} for each in ruling["claims"]]
    return {**line, **ruling, "claims": claims}


def _name_of(claim: Json) -> tuple[str, str, int]:
    return claim["player"], claim["card"], claim["order"]


def _judge_rounds(sight: Sight, judge: Judge) -> Iterator[tuple[int, Round]]:
    """Yields the rounds in their order, each judged with what the one before hands on."""
    carried: Carried | None = None
    numbers = sight.numbers()
    for number in numbers:
        question, amendment = sight.question(number), sight.amendment(number)
        closed = sight.seen.get(("round", number))
        ruling = None if closed is None else _ruling_of(closed.body)
        asked: Json | None = question
        doubt: FormatError | None = None
        if question is not None:
            try:
                if not amendment.is_empty or carried is not None:
                    asked = amend(question, amendment, carried)
                    answer = judge(asked)
                    if answer["ended_by"] is None and number < numbers[-1]:
                        asked = given_up(asked, answer, _last_news_s(sight, number))
                        answer = judge(asked)
                    ruling = _as_seen(answer, ruling)
                elif ruling is None:
                    ruling = judge(asked or question)
            except FormatError as error:
                doubt = error
        found = _overruled(sight, number, ruling)
        yield number, replace(_round(sight, number, found, asked), doubt=doubt)
        carried = _what_differs(found, question, judge)


def _what_differs(ruling: Json | None, question: Json | None, judge: Judge) -> Carried | None:
    """Returns what a round hands on, where that is not what was seen."""
    if ruling is None or question is None:
        return None
    try:
        seen = Carried.from_ruling(judge(question))
    except FormatError:
        return None
    now = Carried.from_ruling(ruling)
    return None if now == seen else now


def _round(sight: Sight, number: int, ruling: Json | None, question: Json | None) -> Round:
    records = sight.of_round(number)
    claims = tuple(_claims(sight, records, ruling))
    task = next((record for record in records if record.body["type"] == "task"), None)
    told = None if task is None else sight.truth.of_record(task, default=task.body)
    tasks = tuple((told or {}).get("tasks", ()))
    closed = sight.seen.get(("round", number))
    if ruling is not None:
        ruling = {**ruling, "claims": [_timed(each, claims) for each in ruling["claims"]]}
    return Round(
        number=number,
        t=_last_news_s(sight, number),
        tasks=tuple(question["tasks"]) if question else tasks,
        claims=claims,
        ruling=ruling,
        question=question,
        close=tuple(tuple(pair) for pair in closed.body["close"]) if closed else (),
        is_over=closed is not None or bool(ruling and ruling["ended_by"]),
    )


def _last_news_s(sight: Sight, number: int) -> float:
    """When a round was over, or its last news."""
    closed = sight.seen.get(("round", number))
    if closed is not None:
        return float(closed.body["t"])
    return max(float(record.body["t"]) for record in sight.of_round(number))


def _timed(ruled: Json, claims: Iterable[Claim]) -> Json:
    """Returns a claim of a ruling with the time and interval that the frames give it."""
    for claim in claims:
        if (claim.player, claim.card, claim.order) == (
            ruled["player"],
            ruled["card"],
            ruled["order"],
        ):
            return {**ruled, "t": claim.t, "dt": claim.dt}
    return {"dt": 0.0, **ruled}


def _claims(sight: Sight, records: Iterable[Record], ruling: Json | None) -> Iterator[Claim]:
    """Yields the claims of a round in the order of the ruling, or as they were seen."""
    found: list[Claim] = []
    for record in records:
        body = sight.truth.of_record(record, default=record.body)
        if record.body["type"] == "claim" and body is not None:
            is_back = any(_takes_back(other, record, sight) for other in records)
            words = (body["player"], body["card"], body["order"], body["t"], body["dt"])
            found.append(Claim(record.seq, *words, is_withdrawn=is_back))
    orders: dict[Owner, list[int]] = {}
    for each in ruling["claims"] if ruling else ():
        orders.setdefault((each["player"], each["card"]), []).append(each["order"])
    placed = []
    for claim in sorted(found, key=lambda claim: (claim.t, claim.order)):
        waiting = orders.get((claim.player, claim.card))
        placed.append(replace(claim, order=waiting.pop(0)) if waiting else claim)
    yield from sorted(placed, key=lambda claim: (claim.order, claim.t))


def _takes_back(record: Record, claim: Record, sight: Sight) -> bool:
    return (
        record.body["type"] == "withdrawn"
        and (record.body["player"], record.body["card"], record.body["order"])
        == (claim.body["player"], claim.body["card"], claim.body["order"])
        and sight.truth.of_record(record, default=record.body) is not None
    )


def _ruling_of(line: Json) -> Json:
    others = ("type", "t", "round", "tasks", "close")
    return {name: value for name, value in line.items() if name not in others}


def _overruled(sight: Sight, number: int, ruling: Json | None) -> Json | None:
    """Returns the ruling with what a person says of it instead, key by key."""
    truth = sight.truth.by_key.get(("round", number))
    return {**ruling, **_ruling_of(truth)} if ruling is not None and truth else ruling


def _as_seen(ruling: Json, seen: Json | None) -> Json:
    """Keeps what the rules cannot know: that a late claim collided, or that a round is incomplete.

    Incomplete is a round during which the camera was lost.
    """
    collided = {
        (claim["player"], claim["card"])
        for claim in (seen or {"claims": ()})["claims"]
        if claim["reason"] == _COLLISION
    }
    claims = [
        {**claim, "verdict": "withdrawn", "reason": _COLLISION}
        if claim["verdict"] == "void" and (claim["player"], claim["card"]) in collided
        else claim
        for claim in ruling["claims"]
    ]
    is_incomplete = seen is not None and seen.get("incomplete", False)
    return {**ruling, "claims": claims, **({"incomplete": True} if is_incomplete else {})}
