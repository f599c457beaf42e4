"""Cards, times and verdicts in words, for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.decks import Deck
from referee.games.galapa_go.model import Special, Task
from referee.games.galapa_go.telling import describe_task

Line = Mapping[str, Any]
"""One line of a replay (contract §3)."""


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
    return describe_task(piece) if isinstance(piece, Special | Task) else task
