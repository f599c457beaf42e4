"""A round as it is seen: Cameras placed and taken back, and in which order."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from referee.adapter.lines import ClaimLine
from referee.games.galapa_go.model import (
    AnyTask,
    Cover,
    NoMatch,
    Pass,
    PlayerAction,
    RoundPosition,
    RoundRuling,
    Verdict,
    Withdraw,
)
from referee.games.galapa_go.position import MIN_PLAYERS, format_position
from vision.table import PieceReading

_FOUND_LATE_S = 0.05
"""Half the span of a landing from which on its moment was not seen, but worked out afterwards."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A Camera on a laid-out card."""

    cover: Cover
    half_width_s: float
    piece: PieceReading
    beneath: tuple[str, ...]


@dataclass(slots=True)
class WatchedRound:
    """A round as far as it has been seen."""

    number: int
    t: float
    tasks: tuple[AnyTask, ...]
    position: RoundPosition
    placed: list[Placed] = field(default_factory=list)
    withdrawn: list[tuple[Withdraw, Placed]] = field(default_factory=list)


def actions_of(running: WatchedRound) -> list[PlayerAction]:
    """What was done in the order of time; within one frame, in the order of the stack."""
    actions: list[PlayerAction] = [placed.cover for placed in in_order(running)]
    for withdraw, placed in sorted(running.withdrawn, key=lambda pair: pair[0].t):
        after = actions.index(placed.cover) + 1
        while after < len(actions) and actions[after].t <= withdraw.t:
            after += 1
        actions.insert(after, withdraw)
    return actions


def question_of(position: RoundPosition, actions: Sequence[PlayerAction]) -> dict[str, Any] | None:
    """The question that a round puts to the rules (contract §2), or None without two players.

    The stack may have told an order within one frame that the times alone do not.
    """
    if len(position.players) < MIN_PLAYERS:
        return None
    ordered: list[PlayerAction] = []
    for action in actions:
        t = round(action.t, 3)
        ordered.append(replace(action, t=max(t, ordered[-1].t) if ordered else t))
    return format_position(position, ordered)


def with_collisions(ruling: RoundRuling, running: WatchedRound) -> RoundRuling:
    """A Camera seen to be taken back from a card that another one covered first was withdrawn.

    Hands already on their way when a round ends still collide: the rulebook's note on two Cameras
    on one card then says what happened better than that the claim came late.
    """
    taken_back = {id(placed) for _, placed in running.withdrawn}
    covered: set[str] = set()
    claims = []
    for claim, placed in zip(ruling.claims, in_order(running), strict=True):
        is_collision = claim.card in covered and id(placed) in taken_back
        covered.add(claim.card)
        if claim.verdict is Verdict.VOID and is_collision:
            reason = "another Camera card lay there first"
            claims.append(replace(claim, verdict=Verdict.WITHDRAWN, reason=reason))
        else:
            claims.append(claim)
    return replace(ruling, claims=tuple(claims))


def in_order(running: WatchedRound) -> list[Placed]:
    """Claims by the moment of landing; where the frames do not tell, by what the table does.

    The stacking tells who was first within one frame. Where it was not seen, it is told by whose
    Camera was taken back, as the upper one is.
    """
    ordered = sorted(running.placed, key=lambda item: (item.cover.t, item.cover.player))
    taken_back = {id(placed) for _, placed in running.withdrawn}
    for index in range(len(ordered) - 1):
        first, second = ordered[index], ordered[index + 1]
        if _is_close(first, second) and _is_upper(first, second, taken_back):
            ordered[index], ordered[index + 1] = second, first
    return ordered


def _is_upper(one: Placed, other: Placed, taken_back: Set[int]) -> bool:
    """Whether one of two Cameras on a card lies on the other, as far as anything tells."""
    if _lies_on(one, other) or _lies_on(other, one):
        return _lies_on(one, other)
    return id(one) in taken_back and id(other) not in taken_back


def _lies_on(one: Placed, other: Placed) -> bool:
    """Whether a Camera was seen to lie on another one; a late find may as well lie beneath it."""
    return other.piece.face_id in one.beneath and one.half_width_s < _FOUND_LATE_S


def _is_close(one: Placed, other: Placed) -> bool:
    apart_s = abs(one.cover.t - other.cover.t)
    return (
        one.cover.card == other.cover.card
        and one.cover.player != other.cover.player
        and apart_s < one.half_width_s + other.half_width_s - 1e-6
    )


def too_close(placed: Sequence[Placed]) -> tuple[tuple[str, str], ...]:
    """Players whose claims on one card the frames cannot tell apart."""
    return tuple(
        (one.cover.player, other.cover.player)
        for one, other in combinations(placed, 2)
        if _is_close(one, other)
    )


def given_up(running: WatchedRound, t: float) -> list[PlayerAction]:
    """The table went on although the rules had not ended the round: everybody gave up."""
    covered = {placed.cover.player for placed in running.placed}
    players = running.position.players
    if not covered:
        return [NoMatch(t, player) for player in players]
    return [Pass(t, player) for player in players if player not in covered]


def stands(ruling: RoundRuling, placed: Placed) -> bool:
    """Whether a Camera counts: it was neither late nor put on a covered card."""
    return any(
        claim.player == placed.cover.player
        and claim.card == placed.cover.card
        and claim.verdict.value in {"correct", "wrong"}
        for claim in ruling.claims
    )


def claim_line(
    number: int, order: int, placed: Placed, taken_back_s: float | None = None
) -> ClaimLine:
    """The line that tells a claim, or that it was taken back."""
    return ClaimLine(
        t=placed.cover.t if taken_back_s is None else taken_back_s,
        half_width_s=placed.half_width_s,
        round=number,
        player=placed.cover.player,
        card=placed.cover.card,
        order=order,
        quad_px=placed.piece.quad_px,
        is_withdrawn=taken_back_s is not None,
    )
