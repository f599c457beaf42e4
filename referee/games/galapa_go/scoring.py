"""What a round comes to: verdicts, won and lost cards, the next lead, the end and the winners.

`rule_round` is the one function that `judge`, the rules and a table being watched all ask.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.games.galapa_go.course import (
    JUDGED_LATE,
    Course,
    Placement,
    follow,
    special_kind,
)
from referee.games.galapa_go.matching import explain, explain_match
from referee.games.galapa_go.model import (
    Claim,
    EndedBy,
    PlayerAction,
    RoundPosition,
    RoundRuling,
    SpecialKind,
    Verdict,
)

Won = Mapping[str, tuple[str, ...]]


def rule_round(position: RoundPosition, actions: Sequence[PlayerAction]) -> RoundRuling:
    """Returns what the rules say about a round under its actions, in the order of time.

    While the round runs the verdicts are what they would be, and nothing has moved yet. Asking
    again with more actions is how a table that is being watched follows its round.
    """
    course = follow(position, actions)
    claims = tuple(
        _claim(course, position, placement, order)
        for order, placement in enumerate(course.placements, start=1)
    )
    won, box, layout = position.won, position.box, tuple(card.id for card in position.layout)
    is_played = course.ended_by not in (None, EndedBy.NO_MATCH)
    if is_played:
        gained = _gained(course, position, claims)
        lost = _lost(course, position, claims)
        won = {
            player: tuple(card for card in won.get(player, ()) if card != lost.get(player))
            + gained.get(player, ())
            for player in position.players
        }
        box = (*box, *lost.values())
        layout = tuple(card for card in layout if all(card not in c for c in gained.values()))
    few_left = is_played and len(layout) <= position.variant.few_left
    game_over = few_left and position.deck_left == 0
    ended_at = course.ended_at
    return RoundRuling(
        matching=tuple(card.id for card in course.matching),
        ended_by=course.ended_by,
        ended_at=ended_at,
        ended_t=None if ended_at is None else actions[ended_at].t,
        claims=claims,
        won={player: won.get(player, ()) for player in position.players},
        box=box,
        layout=layout,
        lead=next_lead(position) if is_played else position.lead,
        redeal=few_left and position.deck_left > 0,
        game_over=game_over,
        winners=winners(position.players, won) if game_over else (),
    )


def next_lead(position: RoundPosition) -> str:
    """Returns the player to the left of the lead, who leads next (G18)."""
    players = position.players
    return players[(players.index(position.lead) + 1) % len(players)]


def winners(players: Sequence[str], won: Won) -> tuple[str, ...]:
    """Returns who won most cards; tied players share the victory (G34).

    >>> winners(["red", "blue", "green"], {"red": ("a1",), "green": ("a2",)})
    ('red', 'green')
    """
    most = max(len(won.get(player, ())) for player in players)
    return tuple(player for player in players if len(won.get(player, ())) == most)


def _claim(course: Course, position: RoundPosition, placement: Placement, order: int) -> Claim:
    if placement.fate is not None:
        verdict, reason = placement.fate, placement.reason
    elif special_kind(position) is SpecialKind.MEMORY:
        verdict, reason = _memory_verdict(course)
    elif any(card.id == placement.card for card in course.matching):
        verdict = Verdict.CORRECT
        reason = "named the animal first" if placement.spoken else explain_match(position.tasks)
    else:
        card = next(card for card in position.layout if card.id == placement.card)
        verdict, reason = Verdict.WRONG, explain(card, position.tasks)
    if placement.is_late:
        reason = f"{reason}; {JUDGED_LATE}"
    return Claim(placement.player, placement.card, order, placement.t, verdict, reason)


def _memory_verdict(course: Course) -> tuple[Verdict, str]:
    if course.guesser is not None:
        return Verdict.VOID, f"guessed by {course.guesser}"
    if course.ended_by is None:
        return Verdict.CORRECT, "nobody has guessed it yet"
    return Verdict.CORRECT, "nobody guessed it"


def _gained(
    course: Course, position: RoundPosition, claims: Sequence[Claim]
) -> dict[str, tuple[str, ...]]:
    """Returns by player the cards that the round brings: one at most (G1)."""
    if course.guesser is not None:
        return {course.guesser: (course.standing[position.lead].card,)}
    return {claim.player: (claim.card,) for claim in claims if claim.verdict is Verdict.CORRECT}


def _lost(course: Course, position: RoundPosition, claims: Sequence[Claim]) -> dict[str, str]:
    """Returns by player what a wrong claim costs: the card named, or the last (G16, G17)."""
    is_free = position.rulings.most_least_wrong == "none"
    if is_free and special_kind(position) in (SpecialKind.MOST, SpecialKind.LEAST):
        return {}
    lost = {}
    for claim in claims:
        owned = position.won.get(claim.player, ())
        if claim.verdict is Verdict.WRONG and owned:
            named = course.given_up.get(claim.player)
            lost[claim.player] = named if named in owned else owned[-1]
    return lost
