"""Galapa Go in plain sentences, for people at the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from referee.games.galapa_go.course import follow, next_guesser
from referee.games.galapa_go.model import (
    AnimalCard,
    AnyTask,
    Cover,
    EndedBy,
    GiveUp,
    Guess,
    NoMatch,
    Pass,
    PlayerAction,
    Special,
    SpecialKind,
    Verdict,
    Withdraw,
)
from referee.games.galapa_go.rules import explain, phase, round_position, ruling
from referee.games.galapa_go.state import Action, EndRound, LayOut, Phase, Shuffle, State, TurnTask

_SPECIALS: Mapping[SpecialKind, str] = {
    SpecialKind.ANY_UNUSUAL: "any unusual animal",
    SpecialKind.ANY_NORMAL: "any normal animal",
    SpecialKind.MOST: "the animal seen most often",
    SpecialKind.LEAST: "the animal seen least often",
    SpecialKind.MEMORY: "memory",
}
ENDINGS: Mapping[str, str] = {
    EndedBy.ALL_COVERED: "every player has claimed",
    EndedBy.NONE_LEFT: "no photo left to take",
    EndedBy.NO_MATCH: "all agreed that nothing fits",
    EndedBy.ALL_PASSED: "everybody else passed",
    EndedBy.ANSWERED: "the question was answered",
    EndedBy.GUESSED: "the animals were guessed",
}
"""By `ended_by` why a round ended."""


def describe_action(state: State, action: Action) -> str:
    """Returns an action in words: `red covers a07 (lion-elephant, red crab)`.

    What the lead covers is not told where the others are to remember it (Memory).
    """
    if isinstance(action, Cover) and _is_memory(state):
        return f"{action.player} covers {action.card}"
    return _describe(state, action)


def describe_choice(state: State, action: Action) -> str:
    """Returns an action in words for whoever chooses it.

    Empty for a guess of what lies under the Camera: those that the table allows would tell, for
    all the other cards are seen.
    """
    return "" if isinstance(action, Guess) and _is_memory(state) else _describe(state, action)


def chooser(state: State) -> str | None:
    """Returns the lead before a card is covered that the others are to remember (Memory)."""
    if phase(state) is not Phase.RUNNING or not _is_memory(state):
        return None
    return None if _covered(state) else state.lead


def withhold(state: State, now: State) -> State:
    """Returns a state without the card that the others are to remember now (Memory).

    An action that names it is then told by its name alone.
    """
    is_remembered = phase(now) is Phase.RUNNING and _is_memory(now)
    covered = _covered(now) if is_remembered else {}
    if not covered:
        return state
    animals = tuple(card for card in state.setup.animals if card.id not in covered)
    return replace(state, setup=replace(state.setup, animals=animals))


def _describe(state: State, action: Action) -> str:
    if isinstance(action, PlayerAction):
        return f"{action.player} {_describe_deed(state, action)}"
    return {
        LayOut: f"{state.lead} lays out the Animal cards",
        TurnTask: f"{state.lead} turns a Task card",
        Shuffle: "the used Task cards are shuffled",
        EndRound: "the round is settled: won cards are taken, lost ones go to the box",
    }[type(action)]


def describe_state(
    state: State, _viewer: str | None = None, /, *, is_open: bool = False
) -> tuple[tuple[str, str], ...]:
    """Returns what lies open on the table, and who leads; what fits the Task is not told.

    If it is open, also what lies under the Cameras and how the decks lie.
    """
    return tuple(_lines(state, is_open))


def news(before: State, after: State) -> tuple[str, ...]:
    """Returns the Task that was turned, the verdicts of a round, what its end brings."""
    return tuple(_news(before, after))


def describe_task(task: AnyTask) -> str:
    """Returns what a Task card asks for: `t05: crocodile, no blue crab`."""
    if isinstance(task, Special):
        return f"{task.id}: {_SPECIALS[task.kind]}"
    wanted = [feature.replace("-", " ") for feature in sorted(task.require)]
    unwanted = [f"no {feature.replace('-', ' ')}" for feature in sorted(task.forbid)]
    return f"{task.id}: {', '.join(wanted + unwanted)}"


def _lines(state: State, is_open: bool) -> Iterator[tuple[str, str]]:
    yield "Now", _what_is_due(state)
    yield "Lead", state.lead
    if state.tasks:
        yield "Task", " + ".join(describe_task(task) for task in state.tasks)
    covered = _covered(state)
    photos = [_describe_card(card, covered.get(card.id), is_open) for card in state.layout]
    yield "Photos", ", ".join(photos) or "none"
    for player, cards in state.won.items():
        yield player, f"has won {len(cards)}: {' '.join(cards)}" if cards else "has won nothing yet"
    counts = f"{len(state.deck)} Animal cards, {len(state.task_deck)} Task cards"
    yield "Face down", f"{counts}; {len(state.box)} in the box"
    for name, deck in (("Animal deck", state.deck), ("Task deck", state.task_deck)):
        if is_open and deck:
            yield name, f"{' '.join(card.id for card in deck)}, the top card first"


def _covered(state: State) -> dict[str, str]:
    """Returns the cards on which a Camera stands, each with whose it is."""
    claims = ruling(state).claims if state.tasks else ()
    stands = (Verdict.CORRECT, Verdict.WRONG)
    return {claim.card: claim.player for claim in claims if claim.verdict in stands}


def _what_is_due(state: State) -> str:
    match phase(state):
        case Phase.LAYING:
            return f"{state.lead} lays out Animal cards"
        case Phase.TURNING:
            return f"{state.lead} turns a Task card"
        case Phase.RUNNING if _is_memory(state):
            return _what_is_due_in_memory(state)
        case Phase.RUNNING:
            return "everybody looks for photos that fit the Task"
        case Phase.CHECKING:
            return "the round is over and is settled"
        case Phase.OVER:
            return "the game is over"


def _what_is_due_in_memory(state: State) -> str:
    position = round_position(state)
    guesser = next_guesser(follow(position, state.actions), position)
    if guesser is None:
        return f"{state.lead} covers a card, the others guess in turn what is on it"
    return f"{guesser} guesses what is on the card under {state.lead}'s Camera"


def _is_memory(state: State) -> bool:
    return any(isinstance(t, Special) and t.kind is SpecialKind.MEMORY for t in state.tasks)


def _news(before: State, after: State) -> Iterator[str]:
    if len(after.tasks) > len(before.tasks):
        yield f"Task {describe_task(after.tasks[-1])}"
    elif len(after.actions) > len(before.actions):
        yield from _news_of_round(before, after)
    elif before.tasks and not after.tasks:
        yield from _news_of_settling(before, after)


def _news_of_round(before: State, after: State) -> Iterator[str]:
    """Yields verdicts once they are due: all at the end of the round, later ones as they come."""
    old, new = ruling(before), ruling(after)
    if new.ended_by is None:
        said = after.actions[-1]
        if isinstance(said, Guess) and explain(before, said) is None:
            yield f"That is not right, {said.player}"
        return
    if old.ended_by is None:
        yield f"The round is over: {ENDINGS[new.ended_by]}"
        if new.ended_by is EndedBy.NO_MATCH and new.matching:
            yield f"All the same it fitted: {' '.join(new.matching)}"
    told = old.claims if old.ended_by is not None else ()
    for claim in new.claims:
        if claim not in told:
            yield f"{claim.player} on {claim.card}: {claim.verdict} ({claim.reason})"


def _news_of_settling(before: State, after: State) -> Iterator[str]:
    for player, cards in after.won.items():
        yield from (f"{player} wins {card}" for card in cards if card not in before.won[player])
        yield from (f"{player} loses {card}" for card in before.won[player] if card not in cards)
    if phase(after) is Phase.LAYING:
        yield "New Animal cards are to be laid out"
    if phase(after) is not Phase.OVER:
        yield f"{after.lead} leads the next round"


def _describe_deed(state: State, action: PlayerAction) -> str:
    cards = {card.id: card for card in state.setup.animals}
    match action:
        case Cover(card=card):
            return f"covers {_name(card, cards)}"
        case Guess(animals=animals, card=card):
            taken = f" and takes {_name(card, cards)}" if card is not None else ""
            return f"says {' and '.join(animals) or 'nothing'}{taken}"
        case GiveUp(card=card):
            return f"gives up {_name(card, cards)}"
        case Withdraw():
            return "takes the Camera back"
        case Pass():
            return "passes"
        case NoMatch():
            return "says that nothing fits"


def _name(card_id: str, cards: Mapping[str, AnimalCard]) -> str:
    return f"{card_id} ({_shows(cards[card_id])})" if card_id in cards else card_id


def _describe_card(card: AnimalCard, player: str | None, is_open: bool) -> str:
    if player is None:
        return f"{card.id} ({_shows(card)})"
    shown = f"{_shows(card)}, " if is_open else ""
    return f"{card.id} ({shown}under {player}'s Camera)"


def _shows(card: AnimalCard) -> str:
    """Returns what is on a card: `lion-elephant, red crab` for a lion's head on an elephant."""
    animals = [a.head if a.is_normal else f"{a.head}-{a.body}" for a in card.animals]
    return ", ".join([*animals, *(f"{colour} crab" for colour in card.crabs)])
