"""The whole game of Galapa Go: what may be done, and what comes of it.

The course of one round and its ruling are `scoring.rule_round`; here rounds follow each other
(Setup, Game Flow, End of the Round, Complex Variant).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.fields import listed
from referee.games.galapa_go.course import Course, follow, next_guesser, special_kind
from referee.games.galapa_go.model import (
    COLOURS,
    LAYOUT_SIZE,
    AnimalCard,
    Cover,
    EndedBy,
    GiveUp,
    Guess,
    NoMatch,
    Pass,
    RoundPosition,
    RoundRuling,
    Rulings,
    Special,
    SpecialKind,
    Task,
    Variant,
    Verdict,
    Withdraw,
)
from referee.games.galapa_go.objections import Moment, object_to
from referee.games.galapa_go.scoring import rule_round, winners
from referee.games.galapa_go.state import (
    Action,
    EndRound,
    LayOut,
    Phase,
    Setup,
    Shuffle,
    State,
    TurnTask,
)
from referee.rules import Mix, Objection, Outcome, RuleViolation, Table


def set_up(pieces: Sequence[object], table: Table) -> Setup:
    """Returns the setup of a game with the cards of a deck, which lie as they were shuffled.

    The complex variant is played without the Special Task cards (Complex Variant).

    Raises:
        RuleViolation: if these players cannot play with these cards.
    """
    variants = [variant.value for variant in Variant]
    if table.variant not in variants:
        raise RuleViolation(f"expected the variant {listed(variants)}, got {table.variant}")
    variant = Variant(table.variant)
    kinds = (Task,) if variant is Variant.COMPLEX else (Task, Special)
    setup = Setup(
        players=table.players,
        lead=table.lead,
        animals=tuple(piece for piece in pieces if isinstance(piece, AnimalCard)),
        tasks=tuple(piece for piece in pieces if isinstance(piece, kinds)),
        variant=variant,
        rulings=Rulings(**{name: str(value) for name, value in table.rulings.items()}),
    )
    initial_state(setup)
    return setup


def initial_state(setup: Setup) -> State:
    """Returns the table before the first layout (Setup).

    Raises:
        RuleViolation: if the players, the lead or the cards are not those of a game.
    """
    fault = _setup_fault(setup)
    if fault:
        raise RuleViolation(fault)
    return State(
        setup=setup,
        lead=setup.lead,
        deck=setup.animals,
        layout=(),
        task_deck=setup.tasks,
        discard=(),
        tasks=(),
        won=dict.fromkeys(setup.players, ()),
        box=(),
        actions=(),
    )


def phase(state: State) -> Phase:
    """Returns what happens next."""
    variant = state.setup.variant
    if not state.tasks and len(state.layout) <= variant.few_left:
        return Phase.LAYING if state.deck else Phase.OVER
    if len(state.tasks) < variant.tasks:
        return Phase.TURNING
    return Phase.RUNNING if ruling(state).ended_by is None else Phase.CHECKING


def legal_actions(state: State) -> tuple[Action, ...]:
    """Returns what the rules allow now; a player's action bears the time of the last one.

    What is not allowed but happens all the same at a table, such as a Camera on a covered card or
    a late one, can be applied too and is ruled upon; it is not listed. Of the orders in which the
    used Task cards may lie after shuffling, only that in which they were put away is listed.
    """
    match phase(state):
        case Phase.LAYING:
            return (LayOut(),)
        case Phase.TURNING if state.task_deck:
            return (TurnTask(),)
        case Phase.TURNING:
            return (Shuffle(tuple(task.id for task in state.discard)),)
        case Phase.RUNNING:
            return tuple(_running_actions(state))
        case Phase.CHECKING:
            return (*_penalty_choices(state), EndRound())
        case Phase.OVER:
            return ()


def apply(state: State, action: Action) -> State:
    """Returns the state after an action.

    Raises:
        RuleViolation: if the action cannot happen in this phase, or names a player, card or order
            that is not there.
    """
    objection = explain(state, action)
    if objection is not None and not objection.can_happen:
        raise RuleViolation(f"{objection.reason}; got {action} while {phase(state)}")
    match action:
        case LayOut():
            dealt, deck = state.deck[:LAYOUT_SIZE], state.deck[LAYOUT_SIZE:]
            return replace(state, layout=(*state.layout, *dealt), deck=deck)
        case TurnTask():
            tasks = (*state.tasks, state.task_deck[0])
            return replace(state, tasks=tasks, task_deck=state.task_deck[1:])
        case Shuffle():
            # Those turned for this round stay out (G21, G23).
            by_id = {task.id: task for task in state.discard}
            return replace(state, task_deck=tuple(by_id[t] for t in action.order), discard=())
        case EndRound():
            return _end_round(state)
        case _:
            return replace(state, actions=(*state.actions, action))


def explain(state: State, action: Action) -> Objection | None:
    """Returns what the rules have against an action now; None for one that they allow."""
    now, position = phase(state), round_position(state)
    course = follow(position, state.actions)
    owes = frozenset[str]()
    if isinstance(action, GiveUp) and now is Phase.CHECKING:
        owes = frozenset(choice.player for choice in _penalty_choices(state))
    return object_to(Moment(state, now, position, course, owes), action)


def shuffle(state: State, mix: Mix) -> Shuffle | None:
    """Returns the shuffling of the used Task cards where none is left to turn (G21)."""
    if phase(state) is not Phase.TURNING or state.task_deck:
        return None
    return Shuffle(tuple(mix([task.id for task in state.discard])))


def outcome(state: State) -> Outcome | None:
    """Returns the numbers of won cards and who has most, or None while the game runs."""
    if phase(state) is not Phase.OVER:
        return None
    scores = {player: len(cards) for player, cards in state.won.items()}
    return Outcome(scores, winners(state.setup.players, state.won))


def round_position(state: State) -> RoundPosition:
    """Returns the round's beginning as the ruling takes it."""
    return RoundPosition(
        players=state.setup.players,
        lead=state.lead,
        layout=state.layout,
        tasks=state.tasks,
        won=state.won,
        box=state.box,
        deck_left=len(state.deck),
        variant=state.setup.variant,
        rulings=state.setup.rulings,
    )


def ruling(state: State) -> RoundRuling:
    """Returns what the rules say about the round so far."""
    return rule_round(round_position(state), state.actions)


def _setup_fault(setup: Setup) -> str | None:
    players, ids = setup.players, [card.id for card in setup.animals]
    if not 2 <= len(players) <= 6 or len(set(players)) < len(players):
        return f"expected 2 to 6 different players, got {', '.join(players) or 'none'}"
    if not set(players) <= set(COLOURS) or setup.lead not in players:
        got = f"{', '.join(players)}, led by {setup.lead}"
        return f"expected players and lead by their colours {listed(COLOURS)}, got {got}"
    if len(set(ids)) < len(ids) or not ids:
        return "expected Animal cards, each with an id of its own"
    if len({task.id for task in setup.tasks}) < max(len(setup.tasks), setup.variant.tasks):
        return f"expected at least {setup.variant.tasks} Task cards, each with an id of its own"
    if setup.variant is Variant.COMPLEX and any(isinstance(t, Special) for t in setup.tasks):
        return "expected no Special Task cards in the complex variant"
    return None


def _end_round(state: State) -> State:
    result = ruling(state)
    left = set(result.layout)
    return replace(
        state,
        lead=result.lead,
        layout=tuple(card for card in state.layout if card.id in left),
        discard=(*state.discard, *state.tasks),
        tasks=(),
        won=result.won,
        box=result.box,
        actions=(),
    )


def _running_actions(state: State) -> Iterator[Action]:
    position = round_position(state)
    course = follow(position, state.actions)
    now = state.actions[-1].t if state.actions else 0.0
    kind = special_kind(position)
    if kind is SpecialKind.MEMORY:
        yield from _memory_actions(position, course, now)
        return
    for player in position.players:
        if player in course.standing:
            continue
        if player in course.contested:
            yield Withdraw(now, player)
            continue
        for card in position.layout:
            if card.id not in course.owner:
                yield Cover(now, player, card.id)
        if player not in course.passed:
            yield Pass(now, player)
        if player not in course.said_no_match:
            yield NoMatch(now, player)
        if kind in (SpecialKind.MOST, SpecialKind.LEAST):
            shown = frozenset[str]().union(*(card.species for card in position.layout))
            yield from (Guess(now, player, (species,)) for species in sorted(shown))


def _memory_actions(position: RoundPosition, course: Course, now: float) -> Iterator[Action]:
    if position.lead not in course.standing:
        yield from (Cover(now, position.lead, card.id) for card in position.layout)
        return
    guesser = next_guesser(course, position)
    if guesser is not None:
        answers = {tuple(sorted(card.species)) for card in position.layout}
        yield from (Guess(now, guesser, animals) for animals in sorted(answers))
        yield Pass(now, guesser)


def _penalty_choices(state: State) -> Iterator[GiveUp]:
    """Yields the cards that a player may name for a wrong claim, where there is a choice (G17)."""
    result = ruling(state)
    named = {action.player for action in state.actions if isinstance(action, GiveUp)}
    now = state.actions[-1].t
    if result.ended_by is EndedBy.NO_MATCH:
        return
    for claim in result.claims:
        owned: Sequence[str] = state.won[claim.player]
        loses = claim.verdict is Verdict.WRONG and len(result.won[claim.player]) < len(owned)
        if loses and len(owned) > 1 and claim.player not in named:
            yield from (GiveUp(now, claim.player, card) for card in owned)
