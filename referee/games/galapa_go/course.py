"""The course of a round: whose Camera stands where, and the moment at which the round ends.

Rulebook: Game Flow, End of the Round, the notes on Camera cards, and the Special Task cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.games.galapa_go.matching import extreme_species, matching_cards
from referee.games.galapa_go.model import (
    AnimalCard,
    Cover,
    EndedBy,
    GiveUp,
    Guess,
    NoMatch,
    Pass,
    PlayerAction,
    RoundPosition,
    Special,
    SpecialKind,
    Verdict,
    Withdraw,
)

FIRST_THERE = "another Camera lay there first"
MAY_NOT_MOVE = "the player's Camera lies already and may not be moved"
ROUND_HAD_ENDED = "the round had ended"
ONLY_LEAD_COVERS = "only the lead player covers a card in this round"
ANSWERED_BEFORE = "another player had answered first"
JUDGED_LATE = "placed after the round had ended, which the house judges"


@dataclass(slots=True)
class Placement:
    """A Camera as it was placed.

    Attributes:
        player: Whose Camera.
        card: The card under it.
        t: When, in seconds.
        fate: Withdrawn or void; None for one that stands and is checked.
        reason: Why it does not stand.
        spoken: Whether a spoken answer took the card without a Camera.
        is_late: Whether it was placed after the end of the round and is checked all the same (G9).
    """

    player: str
    card: str
    t: float
    fate: Verdict | None = None
    reason: str = ""
    spoken: bool = False
    is_late: bool = False


@dataclass(slots=True)
class Course:
    """What has come of the actions of a round so far.

    Attributes:
        matching: The cards that fit.
        placements: Every Camera in the order of placing.
        standing: By player the Camera that lies where it stays: one that is checked, or a late
            right one that counts nothing because the question had been answered.
        owner: By card the player whose Camera stands on it.
        contested: Players whose Camera still lies on a card that another one owns.
        passed: Players who gave up, or said that nothing fits.
        said_no_match: Players who said that nothing fits.
        given_up: By player the won card named for a penalty.
        ended_by: Why the round ended, or None.
        ended_at: Index of the action that ended it, or None.
        guesser: Who named the animals of a Memory card, or None.
    """

    matching: tuple[AnimalCard, ...]
    placements: list[Placement] = field(default_factory=list)
    standing: dict[str, Placement] = field(default_factory=dict)
    owner: dict[str, str] = field(default_factory=dict)
    contested: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)
    said_no_match: set[str] = field(default_factory=set)
    given_up: dict[str, str] = field(default_factory=dict)
    ended_by: EndedBy | None = None
    ended_at: int | None = None
    guesser: str | None = None


def special_kind(position: RoundPosition) -> SpecialKind | None:
    """Returns which Special Task was turned, or None."""
    task = position.tasks[0] if position.tasks else None
    return task.kind if isinstance(task, Special) else None


def follow(position: RoundPosition, actions: Sequence[PlayerAction]) -> Course:
    """Returns the course of a round under its actions, which are in the order of time."""
    course = Course(matching_cards(position.layout, position.tasks, position.rulings))
    is_memory = special_kind(position) is SpecialKind.MEMORY
    react, find_end = (_react_memory, _memory_end) if is_memory else (_react, _end)
    for index, action in enumerate(actions):
        if isinstance(action, GiveUp):
            course.given_up[action.player] = action.card
            continue
        react(course, position, action)
        if course.ended_by is None:
            course.ended_by = find_end(course, position)
            course.ended_at = index if course.ended_by else None
    return course


def next_guesser(course: Course, position: RoundPosition) -> str | None:
    """Returns who may name the animals now: clockwise from the lead's left, one guess each (G32).

    None before the lead has covered a card, and once everybody has had a guess.
    """
    if position.lead not in course.standing or course.ended_by:
        return None
    for player in _after_lead(position):
        if player not in course.passed:
            return player
    return None


def _react(course: Course, position: RoundPosition, action: PlayerAction) -> None:
    if isinstance(action, Cover):
        _cover(course, position, action)
    elif isinstance(action, Withdraw):
        course.contested.discard(action.player)
    elif course.ended_by is not None:
        return
    elif isinstance(action, Pass):
        course.passed.add(action.player)
    elif isinstance(action, NoMatch):
        course.passed.add(action.player)
        course.said_no_match.add(action.player)
    elif isinstance(action, Guess):
        _answer(course, position, action)


def _cover(course: Course, position: RoundPosition, action: Cover) -> None:
    """Places a Camera; the lower one owns the card, and one that stands stays (G5, G6, G9).

    To Most and Least the first right answer wins, so that a late right one counts nothing (G30).
    """
    placement = Placement(action.player, action.card, action.t)
    course.placements.append(placement)
    has_ended = course.ended_by is not None
    holder = course.owner.get(action.card)
    if has_ended and not _judges_late(course, position):
        placement.fate, placement.reason = Verdict.VOID, ROUND_HAD_ENDED
    elif holder is not None and holder != action.player:
        placement.fate = Verdict.VOID if has_ended else Verdict.WITHDRAWN
        placement.reason = FIRST_THERE
        course.contested.add(action.player)
    elif action.player in course.standing:
        placement.fate, placement.reason = Verdict.VOID, MAY_NOT_MOVE
    else:
        if _shows(course.matching, action.card) and _is_answered(course, position):
            placement.fate, placement.reason = Verdict.VOID, ANSWERED_BEFORE
        placement.is_late = has_ended
        course.standing[action.player] = placement
        course.owner[action.card] = action.player
        course.contested.discard(action.player)


def _judges_late(course: Course, position: RoundPosition) -> bool:
    """Whether a late Camera is checked (G9); after an agreed no-match nobody is (G12)."""
    return position.rulings.late_claims == "judged" and course.ended_by is not EndedBy.NO_MATCH


def _answer(course: Course, position: RoundPosition, action: Guess) -> None:
    """Takes a spoken answer to Most or Least; a wrong one changes nothing (G30)."""
    kind = special_kind(position)
    if kind not in (SpecialKind.MOST, SpecialKind.LEAST) or action.player in course.standing:
        return
    named = frozenset(action.animals)
    if len(named) != 1 or not named <= extreme_species(position.layout, kind, position.rulings):
        return
    free = [
        card.id for card in course.matching if named <= card.species and card.id not in course.owner
    ]
    if not free:
        return
    card = action.card if action.card in free else free[0]
    placement = Placement(action.player, card, action.t, spoken=True)
    course.placements.append(placement)
    course.standing[action.player] = placement
    course.owner[card] = action.player


def _end(course: Course, position: RoundPosition) -> EndedBy | None:
    """Returns why the round ends now, or None (End of the Round; G8, G10, G12, G14, G15)."""
    standing, players = course.standing, position.players
    if _is_answered(course, position):
        return EndedBy.ANSWERED
    if len(standing) == len(players):
        return EndedBy.ALL_COVERED
    if standing and all(card.id in course.owner for card in course.matching):
        return EndedBy.NONE_LEFT
    if not standing and len(course.said_no_match) == len(players):
        return EndedBy.NO_MATCH
    if all(player in standing or player in course.passed for player in players):
        return EndedBy.ALL_PASSED
    return None


def _is_answered(course: Course, position: RoundPosition) -> bool:
    """Whether Most or Least has its answer: a Camera that stands is right."""
    return special_kind(position) in (SpecialKind.MOST, SpecialKind.LEAST) and any(
        placement.fate is None and _shows(course.matching, placement.card)
        for placement in course.standing.values()
    )


def _react_memory(course: Course, position: RoundPosition, action: PlayerAction) -> None:
    """Memory: the lead covers a card, the others guess one after the other (G32, G33)."""
    if isinstance(action, Cover):
        _cover_memory(course, position, action)
    elif isinstance(action, Withdraw):
        course.contested.discard(action.player)
    elif isinstance(action, Pass | NoMatch) and course.ended_by is None:
        course.passed.add(action.player)
    elif isinstance(action, Guess) and action.player == next_guesser(course, position):
        course.passed.add(action.player)
        covered = course.standing[position.lead].card
        if frozenset(action.animals) == _card(position, covered).species:
            course.guesser = action.player


def _cover_memory(course: Course, position: RoundPosition, action: Cover) -> None:
    placement = Placement(action.player, action.card, action.t)
    course.placements.append(placement)
    if course.ended_by is not None:
        placement.fate, placement.reason = Verdict.VOID, ROUND_HAD_ENDED
    elif action.player == position.lead:
        if position.lead in course.standing:
            placement.fate, placement.reason = Verdict.VOID, MAY_NOT_MOVE
        else:
            course.standing[position.lead] = placement
            course.owner[action.card] = position.lead
    elif action.card in course.owner:
        placement.fate, placement.reason = Verdict.WITHDRAWN, FIRST_THERE
        course.contested.add(action.player)
    else:
        placement.fate, placement.reason = Verdict.VOID, ONLY_LEAD_COVERS


def _memory_end(course: Course, position: RoundPosition) -> EndedBy | None:
    if position.lead not in course.standing:
        return None
    if course.guesser is not None or next_guesser(course, position) is None:
        return EndedBy.GUESSED
    return None


def _after_lead(position: RoundPosition) -> tuple[str, ...]:
    seat = position.players.index(position.lead)
    return position.players[seat + 1 :] + position.players[:seat]


def _card(position: RoundPosition, card_id: str) -> AnimalCard:
    return next(card for card in position.layout if card.id == card_id)


def _shows(cards: Sequence[AnimalCard], card_id: str) -> bool:
    return any(card.id == card_id for card in cards)
