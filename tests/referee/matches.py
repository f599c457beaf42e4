"""Matches for tests: a small one that is known by heart, and random ones of every game."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

from referee.engines import Engine, engine_of, playable
from referee.events import ActionObserved, Correction, Event, MatchStarted, Undo

PLAYTHROUGHS = Path(__file__).parents[1] / "data" / "playthroughs"
GAMES = playable()

SETUP = """\
players red blue
lead red
animal a1 lion/lion
animal a2 lion/elephant blue-crab
animal a3 crocodile/giraffe red-crab
animal a4 giraffe/giraffe gorilla/gorilla
task t1 +lion
task t2 +giraffe
task t3 -lion
"""
STARTED = MatchStarted("galapa-go", SETUP, "Small")

ROUND = ("lay out", "turn", "1 red cover a1", "2 blue cover a2", "end round")
"""A round in which both players find a lion; its actions are the events 2 to 6 of a match."""


def actions(*texts: str) -> list[Event]:
    return [ActionObserved(text) for text in texts]


@cache
def setups_of(game: str) -> tuple[str, ...]:
    """Returns the setups of a game's playthroughs, as text."""
    notation, texts = engine_of(game).notation, []
    for path in sorted((PLAYTHROUGHS / game.replace("-", "_")).glob("*.txt")):
        setup = path.read_text(encoding="utf-8").partition("== setup\n")[2]
        texts.append(notation.format_setup(notation.parse_setup(setup.partition("== play\n")[0])))
    assert texts, f"no playthrough of {game}"
    return tuple(texts)


def random_actions(engine: Engine, setup: str, rng: Random, count: int) -> list[str]:
    """Returns the first legal actions of a random game, as text."""
    state, texts = engine.rules.initial_state(engine.notation.parse_setup(setup)), []
    for _ in range(count):
        legal = engine.rules.legal_actions(state)
        if not legal:
            break
        action = rng.choice(legal)
        texts.append(engine.notation.format_action(action))
        state = engine.rules.apply(state, action)
    return texts


def random_match(game: str, rng: Random, count: int = 30) -> list[Event]:
    """Returns a match: legal play with corrections, undos and actions that cannot be mixed in."""
    engine, setup = engine_of(game), rng.choice(setups_of(game))
    played = random_actions(engine, setup, rng, count)
    others = [*random_actions(engine, setup, rng, count), "nonsense"]
    events: list[Event] = [MatchStarted(game, setup)]
    for text in played:
        events.append(ActionObserved(text))
        if rng.random() < 0.15:
            replace = rng.choice([None, ActionObserved(rng.choice(others))])
            events.append(Correction(rng.randint(1, len(events) + 1), replace, "seen again"))
        if rng.random() < 0.1:
            events.append(Undo())
        if rng.random() < 0.1:
            events.append(ActionObserved(rng.choice(others)))
    return events
