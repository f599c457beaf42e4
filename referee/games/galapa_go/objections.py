"""What the rules have against an action, with the section of the rulebook that says so.

Some mistakes cannot happen at a table, such as covering a card that is not there. Others can, such
as a Camera on a card that has been taken; then the ruling of the round says what it counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from referee.errors import shown
from referee.fields import listed
from referee.games.galapa_go.cards import known_species
from referee.games.galapa_go.course import (
    FIRST_THERE,
    MAY_NOT_MOVE,
    ONLY_LEAD_COVERS,
    ROUND_HAD_ENDED,
    Course,
    next_guesser,
    special_kind,
)
from referee.games.galapa_go.model import (
    Cover,
    EndedBy,
    GiveUp,
    Guess,
    NoMatch,
    Pass,
    PlayerAction,
    RoundPosition,
    SpecialKind,
    Withdraw,
)
from referee.games.galapa_go.state import Action, EndRound, LayOut, Phase, Shuffle, State, TurnTask
from referee.rules import Objection

FLOW, END, NOTES = "Game Flow", "End of the Round", "Notes"
SPECIALS = "Description of the Special Task Cards"

_Against = tuple[str, str]
"""A reason, and the section that it is read in."""

_DUE: Mapping[Phase, tuple[str, str]] = {
    Phase.LAYING: ("Animal cards are to be laid out first", FLOW),
    Phase.TURNING: ("a Task card is to be turned first", FLOW),
    Phase.RUNNING: ("the round still runs", END),
    Phase.CHECKING: ("the round has ended and is to be settled first", END),
    Phase.OVER: ("the game is over", END),
}


@dataclass(frozen=True, slots=True)
class Moment:
    """A state with what follows from it.

    Attributes:
        state: The state.
        phase: What happens next in it.
        position: The round's beginning.
        course: The course of the round so far.
        owes: The players who may still name the card that a wrong claim costs them.
    """

    state: State
    phase: Phase
    position: RoundPosition
    course: Course
    owes: frozenset[str]


def object_to(moment: Moment, action: Action) -> Objection | None:
    """Returns what the rules have against an action at a moment, or None."""
    if isinstance(action, PlayerAction):
        return _to_player(moment, action)
    state, phase = moment.state, moment.phase
    is_due = {
        LayOut: phase is Phase.LAYING,
        TurnTask: phase is Phase.TURNING and bool(state.task_deck),
        Shuffle: phase is Phase.TURNING and not state.task_deck,
        EndRound: phase is Phase.CHECKING,
    }[type(action)]
    if not is_due:
        if phase is Phase.TURNING and isinstance(action, TurnTask | Shuffle):
            lies = "there are still Task cards to turn" if state.task_deck else "none is left"
            return Objection(f"the used Task cards are shuffled once none is left: {lies}", NOTES)
        return Objection(*_DUE[phase])
    if isinstance(action, Shuffle):
        used = sorted(task.id for task in state.discard)
        if sorted(action.order) != used:
            got = " ".join(action.order) or "nothing"
            return Objection(
                f"expected an order of the used Task cards {' '.join(used)}, got {got}", NOTES
            )
    return None


def _to_player(moment: Moment, action: PlayerAction) -> Objection | None:
    state = moment.state
    if moment.phase not in (Phase.RUNNING, Phase.CHECKING):
        return Objection(*_DUE[moment.phase])
    for reason, section in _impossible(state, action):
        return Objection(reason, section)
    if isinstance(action, GiveUp):
        if action.player in moment.owes:
            return None
        return Objection(f"{action.player} has no card to choose and give up now", END, True)
    is_memory = special_kind(moment.position) is SpecialKind.MEMORY
    for reason, section in (_in_memory if is_memory else _in_round)(moment, action):
        return Objection(reason, section, can_happen=True)
    return None


def _impossible(state: State, action: PlayerAction) -> Iterator[_Against]:
    """Yields what an action names that is not there."""
    player = action.player
    if player not in state.setup.players:
        yield f"{player} is none of the players {' '.join(state.setup.players)}", "Setup"
    elif isinstance(action, GiveUp) and action.card not in state.won[player]:
        yield f"{player} has not won the card {action.card}", END
    if isinstance(action, Guess):
        yield from _unknown_animals(state, action)
    if state.actions and action.t < state.actions[-1].t:
        yield f"expected a time from {state.actions[-1].t:g} s on, got {action.t:g} s", FLOW
    if isinstance(action, Cover) and all(card.id != action.card for card in state.layout):
        yield f"the card {action.card} does not lie on the table", FLOW


def _unknown_animals(state: State, action: Guess) -> Iterator[_Against]:
    known = known_species((*state.setup.animals, *state.setup.tasks))
    unknown = [animal for animal in action.animals if animal not in known]
    if unknown or not action.animals:
        got = shown(tuple(unknown)) if unknown else "none"
        yield f"expected animals by their names {listed(known)}, got {got}", SPECIALS


def _in_round(moment: Moment, action: PlayerAction) -> Iterator[_Against]:
    """Yields what is against an action in any round but Memory, the weightiest first."""
    course, player = moment.course, action.player
    is_free = player in course.contested
    if moment.phase is Phase.CHECKING and not _is_judged_late(moment, action):
        yield ROUND_HAD_ENDED, END
    if isinstance(action, Withdraw):
        if not is_free:
            yield "only a Camera on a taken card is taken back", NOTES
        return
    if player in course.standing:
        yield MAY_NOT_MOVE, NOTES
    if isinstance(action, Cover) and action.card in course.owner:
        yield FIRST_THERE, NOTES
    if is_free:
        yield "the player's Camera lies on a taken card and is to be taken back first", NOTES
    if isinstance(action, Guess):
        yield from _answering(moment, action)
    if isinstance(action, Pass) and player in course.passed:
        yield "the player has passed already", END
    if isinstance(action, NoMatch) and player in course.said_no_match:
        yield "the player has said so already", END


def _is_judged_late(moment: Moment, action: PlayerAction) -> bool:
    """Whether a late Camera is checked all the same: a house ruling (G9)."""
    return (
        isinstance(action, Cover)
        and moment.position.rulings.late_claims == "judged"
        and moment.course.ended_by is not EndedBy.NO_MATCH
    )


def _answering(moment: Moment, action: Guess) -> Iterator[_Against]:
    if special_kind(moment.position) not in (SpecialKind.MOST, SpecialKind.LEAST):
        yield "this Task asks for no spoken answer", SPECIALS
    shown = frozenset[str]().union(*(card.species for card in moment.position.layout))
    if len(action.animals) != 1 or not shown.issuperset(action.animals):
        yield "an answer names one animal that lies on the table", SPECIALS


def _in_memory(moment: Moment, action: PlayerAction) -> Iterator[_Against]:
    """Yields what is against an action in a Memory round, the weightiest first."""
    position, course = moment.position, moment.course
    if moment.phase is Phase.CHECKING:
        yield ROUND_HAD_ENDED, END
    if isinstance(action, Cover):
        if action.player == position.lead and position.lead in course.standing:
            yield MAY_NOT_MOVE, NOTES
        elif action.player != position.lead and action.card in course.owner:
            yield FIRST_THERE, NOTES
        elif action.player != position.lead:
            yield ONLY_LEAD_COVERS, SPECIALS
        return
    if isinstance(action, Withdraw | NoMatch):
        yield "in this round the lead covers a card and the others guess", SPECIALS
    guesser = next_guesser(course, position)
    if guesser is None:
        yield f"the lead {position.lead} is to cover a card first", SPECIALS
    elif action.player != guesser:
        yield f"it is {guesser}'s turn to guess", SPECIALS
    if isinstance(action, Guess) and all(
        frozenset(action.animals) != card.species for card in position.layout
    ):
        yield "no card on the table shows just these animals", SPECIALS
