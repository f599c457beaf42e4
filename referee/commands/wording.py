"""Cards, times and verdicts in words, for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.decks import Deck
from referee.games.galapa_go.model import Special, Task

Line = Mapping[str, Any]
"""One line of a replay (contract §3)."""

_SPECIALS = {
    "any-unusual": "any unusual animal",
    "any-normal": "any normal animal",
    "most": "the animal seen most often",
    "least": "the animal seen least often",
    "memory": "memory",
}
ENDINGS = {
    "all-covered": "every player has claimed",
    "none-left": "no photo left to take",
    "no-match": "all agreed that nothing fits",
    "all-passed": "everybody else passed",
    "answered": "the question was answered",
    "guessed": "the animals were guessed",
}


def describe_tasks(tasks: Iterable[str], deck: Deck) -> str:
    """Returns what Task cards ask for: `t05: crocodile, no blue crab`."""
    return " + ".join(_describe_task(task, deck) for task in tasks)


def format_time(claim: Line) -> str:
    """Returns a claim's moment with how exactly it is known: `4.067 s ±0.017`."""
    spread = claim.get("dt")
    return f"{claim['t']:.3f} s" + (f" ±{spread:.3f}" if spread is not None else "")


def format_won(won: Mapping[str, list[str]]) -> str:
    """Returns every player's won cards: `red a03 a11, blue none`."""
    return ", ".join(f"{player} {' '.join(cards) or 'none'}" for player, cards in won.items())


def _describe_task(task: str, deck: Deck) -> str:
    try:
        piece = deck.card(task).piece
    except KeyError:
        return task
    if isinstance(piece, Special):
        return f"{task}: {_SPECIALS[piece.kind.value]}"
    if not isinstance(piece, Task):
        return task
    wanted = [_spoken(feature) for feature in sorted(piece.require)]
    unwanted = [f"no {_spoken(feature)}" for feature in sorted(piece.forbid)]
    return f"{task}: {', '.join(wanted + unwanted)}"


def _spoken(feature: str) -> str:
    return feature.replace("-", " ")
