"""What a table being watched tells: frozen values, one for each kind of line of contract §3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from referee.adapter.answers import Json, format_quad
from vision.table import Quad


class Line(Protocol):
    """A line of any game."""

    @property
    def t(self) -> float:
        """When that happened which it tells."""

    def to_json(self) -> Json:
        """Returns the line as contract §3 spells it."""


@dataclass(frozen=True, slots=True)
class CardPlace:
    """A laid-out card and where it was seen."""

    card: str
    quad_px: Quad
    score: float


@dataclass(frozen=True, slots=True)
class LayoutLine:
    """Cards were laid out or taken away."""

    t: float
    cards: tuple[CardPlace, ...]

    def to_json(self) -> Json:
        """Returns the line as contract §3 spells it."""
        cards = [
            {"id": card.card, "quad": format_quad(card.quad_px), "score": round(card.score, 3)}
            for card in self.cards
        ]
        return {"type": "layout", "t": format_time(self.t), "cards": cards}


@dataclass(frozen=True, slots=True)
class TaskLine:
    """A Task was turned, two in the complex variant; a round begins."""

    t: float
    round: int
    tasks: tuple[str, ...]

    def to_json(self) -> Json:
        """Returns the line as contract §3 spells it."""
        tasks = list(self.tasks)
        return {"type": "task", "t": format_time(self.t), "round": self.round, "tasks": tasks}


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """A Camera came to lie on a card, or was taken back.

    Attributes:
        t: First moment at which it lay where it stays; for one taken back, when it was seen gone.
        half_width_s: The true moment lies within `t` plus or minus this.
        quad_px: Where the Camera lay.
    """

    t: float
    half_width_s: float
    round: int
    player: str
    card: str
    order: int
    quad_px: Quad
    is_withdrawn: bool = False

    def to_json(self) -> Json:
        """Returns the line as contract §3 spells it."""
        return {
            "type": "withdrawn" if self.is_withdrawn else "claim",
            "t": format_time(self.t),
            "round": self.round,
            "player": self.player,
            "card": self.card,
            "order": self.order,
            "dt": format_time(self.half_width_s),
        }


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round was judged.

    Attributes:
        t: When it was over: the clearing up began, or the next Task was turned.
        round: Its number, from 1.
        tasks: The Tasks.
        ruling: Everything that `judge` answers, in its own words (contract §2).
        half_widths_s: Half-width of each claim's interval, in the order of the claims.
        close: Players whose claims on one card the frames cannot tell apart.
        question: The question that was judged (contract §2), for whoever judges it anew; None
            where it cannot be asked, such as with unknown players.
    """

    t: float
    round: int
    tasks: tuple[str, ...]
    ruling: Mapping[str, Any]
    half_widths_s: tuple[float, ...]
    close: tuple[tuple[str, str], ...] = field(default=())
    question: Mapping[str, Any] | None = None

    def to_json(self) -> Json:
        """Returns the line as contract §3 spells it."""
        ruling = dict(self.ruling)
        claims = [
            {**claim, "t": format_time(claim["t"]), "dt": format_time(half_s)}
            for claim, half_s in zip(ruling["claims"], self.half_widths_s, strict=True)
        ]
        return {
            "type": "round",
            "t": format_time(self.t),
            "round": self.round,
            "tasks": list(self.tasks),
            **ruling,
            "claims": claims,
            "close": [list(pair) for pair in self.close],
        }


@dataclass(frozen=True, slots=True)
class HandsLine:
    """A round of Exploring Galapagos was judged.

    Attributes:
        t: When the cards lay on the table so for the first time.
        round: Its number, from 1.
        answer: Everything that `judge` answers, in its own words (contract §2), with the
            `position` that was asked and the `doubts`.
        totals: Points by player over the rounds so far; None where a round's are not known.
        game_over: Whether this was the third round.
        winners: Who has most then.
    """

    t: float
    round: int
    answer: Mapping[str, Any]
    totals: Mapping[str, int | None]
    game_over: bool
    winners: tuple[str, ...]

    def to_json(self) -> Json:
        """Returns the line as contract §3 spells it."""
        return {
            "type": "hands",
            "t": format_time(self.t),
            "round": self.round,
            **self.answer,
            "totals": dict(self.totals),
            "game_over": self.game_over,
            "winners": list(self.winners),
        }


@dataclass(frozen=True, slots=True)
class NoticeLine:
    """Something a person should know."""

    t: float
    code: str
    text: str

    def to_json(self) -> Json:
        """Returns the line as contract §3 spells it."""
        return {"type": "notice", "t": format_time(self.t), "code": self.code, "text": self.text}


def format_time(seconds: float) -> float:
    """Returns a time as lines give it, to a millisecond."""
    return round(seconds, 3)
