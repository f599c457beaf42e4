"""Turns of Panda, Gorilla & Co for a recording: what is laid, proposed and scored, one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from datasets.art.paint import Rng
from datasets.zoo_play import ZooTable, begin, choose, play_until, table_of
from referee.decks import Deck
from referee.games.panda_gorilla import rules
from referee.games.panda_gorilla.course import phase
from referee.games.panda_gorilla.model import Proposal, Tile
from referee.games.panda_gorilla.position import format_ruling
from referee.games.panda_gorilla.state import Phase, ScoreArea, State

Json = dict[str, Any]

_MOST_ACTIONS = 40
"""More than one turn takes, with every area that it completes."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One player's turn.

    Attributes:
        player: Whose.
        tile: The card laid, or the pond.
        chip: What was proposed on it, if anything.
        scored: The areas that it completed, as contract §2 spells them, in reading order; where
            it ended the game, then those that were still open.
        returned: The chips that go home afterwards.
    """

    player: str
    tile: Tile
    chip: Proposal | None
    scored: tuple[Json, ...]
    returned: tuple[Proposal, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """A part of a match: how the table was when it begins, the turns, how it is at the end."""

    start: ZooTable
    turns: tuple[Turn, ...]
    end: ZooTable


def play_match(rng: Rng, deck: Deck, share: float, turns: int) -> Match:
    """Plays by chance until a share of the spaces is covered, and then some turns to be filmed.

    Raises:
        RuleViolation: if a game cannot be played with this deck.
    """
    state = play_until(rng, begin(rng, deck), share)
    while phase(state) is Phase.SCORING:
        state = rules.apply(state, choose(rng, rules.legal_actions(state)))
    start = table_of(state)
    played: list[Turn] = []
    while len(played) < turns and phase(state) in (Phase.DRAWING, Phase.OPENING):
        turn, state = _play_turn(rng, state)
        if turn is None:
            break
        played.append(turn)
    return Match(start, tuple(played), table_of(state))


def _play_turn(rng: Rng, state: State) -> tuple[Turn | None, State]:
    player, laid, chips = state.turn, len(state.tiles), state.proposals
    scored: tuple[Json, ...] = ()
    before_scoring = chips
    told: set[Phase] = set()
    for _ in range(_MOST_ACTIONS):
        actions = rules.legal_actions(state)
        if not actions:
            break
        now = phase(state)
        if isinstance(actions[0], ScoreArea) and now not in told:
            before_scoring = before_scoring if told else state.proposals
            scored += _score(state)
            told.add(now)
        if len(state.tiles) > laid and phase(state) is Phase.DRAWING:
            break
        state = rules.apply(state, choose(rng, actions))
    if len(state.tiles) == laid:
        return None, state
    last = before_scoring if scored else state.proposals
    new = [chip for chip in last if chip not in chips]
    gone = tuple(chip for chip in last if chip not in state.proposals)
    return Turn(player, state.tiles[-1], new[0] if new else None, scored, gone), state


def _score(state: State) -> tuple[Json, ...]:
    """Returns the areas with chips that are complete; at the end of the game the others too."""
    is_final = phase(state) is Phase.FINAL
    areas = format_ruling(rules.ruling(state))["areas"]
    return tuple(area for area in areas if area["chips"] and (area["complete"] or is_final))
