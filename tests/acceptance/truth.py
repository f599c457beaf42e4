"""Recordings and their truth (contract §4), as frozen values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple


class ClaimKey(NamedTuple):
    """What must be right about a claim besides its time."""

    player: str
    card: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A Camera card that came to lie on a card.

    Attributes:
        key: Who, where, and what the rules say of it.
        t: First moment at which it lay there, in seconds.
        dt: Half the width of the interval that it is known to lie in; 0 in a truth.
    """

    key: ClaimKey
    t: float
    dt: float = 0.0


@dataclass(frozen=True, slots=True)
class Round:
    """A round, as it was played or as it was seen.

    Attributes:
        tasks: Task cards that were turned.
        t: When the (last) Task card lay face up, in seconds.
        claims: In the order of time.
        outcome: Everything else that must be right: `won`, `ended_by`, `lead`.
        close: Players whose claims on one card the frames are said not to tell apart.
    """

    tasks: frozenset[str]
    t: float
    claims: tuple[Claim, ...]
    outcome: dict[str, Any]
    close: frozenset[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording with its truth."""

    video: Path
    deck: Path
    players: tuple[str, ...]
    lead: str
    variant: str
    rounds: tuple[Round, ...]


def load_recording(video: Path) -> Recording:
    """Reads the truth beside a recording."""
    truth = json.loads(video.with_suffix(".truth.json").read_text(encoding="utf-8"))
    return Recording(
        video=video,
        deck=(video.parent / truth["deck"]).resolve(),
        players=tuple(truth["players"]),
        lead=truth["lead"],
        variant=truth["variant"],
        rounds=tuple(_read_true_round(source) for source in truth["rounds"]),
    )


def read_rounds(lines: list[dict[str, Any]]) -> tuple[Round, ...]:
    """Returns the rounds that the lines of a replay tell of."""
    tasks = {line["round"]: line for line in lines if line["type"] == "task"}
    rulings = [line for line in lines if line["type"] == "round"]
    return tuple(_read_seen_round(ruling, tasks.get(ruling["round"])) for ruling in rulings)


def read_outcome(answer: dict[str, Any]) -> dict[str, Any]:
    """Returns what a round's answer says besides its claims, in a form that can be compared."""
    won = {player: frozenset(cards) for player, cards in answer["won"].items() if cards}
    return {"won": won, "ended_by": answer["ended_by"], "lead": answer["lead"]}


def _read_true_round(source: dict[str, Any]) -> Round:
    # The claims of `expect` carry the verdict, those of the round the exact time.
    times = {
        (claim["player"], claim["card"], round(claim["t"], 2)): claim["t"]
        for claim in source["claims"]
    }
    claims = [
        Claim(
            _key(claim),
            times.get((claim["player"], claim["card"], round(claim["t"], 2)), claim["t"]),
        )
        for claim in source["expect"]["claims"]
    ]
    outcome = read_outcome(source["expect"])
    return Round(frozenset(source["tasks"]), source["task_t"], tuple(claims), outcome)


def _read_seen_round(ruling: dict[str, Any], task: dict[str, Any] | None) -> Round:
    claims = [Claim(_key(claim), claim["t"], claim["dt"]) for claim in ruling["claims"]]
    return Round(
        tasks=frozenset(task["tasks"]) if task is not None else frozenset(),
        t=task["t"] if task is not None else ruling["t"],
        claims=tuple(claims),
        outcome=read_outcome(ruling),
        close=frozenset(frozenset(pair) for pair in ruling.get("close", ())),
    )


def _key(claim: dict[str, Any]) -> ClaimKey:
    return ClaimKey(claim["player"], claim["card"], claim["verdict"])
