"""What a table being watched tells: frozen values, one for each kind of line of contract §3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vision.table import Quad


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


@dataclass(frozen=True, slots=True)
class TaskLine:
    """A Task was turned, two in the complex variant; a round begins."""

    t: float
    round: int
    tasks: tuple[str, ...]


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


@dataclass(frozen=True, slots=True)
class NoticeLine:
    """Something a person should know."""

    t: float
    code: str
    text: str


Line = LayoutLine | TaskLine | ClaimLine | RoundLine | NoticeLine
