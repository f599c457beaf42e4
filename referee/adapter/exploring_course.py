"""The rounds of a game of Exploring Galapagos that were seen: methods used, totals, who won.

Players are known by the side at which they sit; who that is may be told later, or never.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.adapter.exploring_seated import SeatedPlayer, SeenRound
from referee.games.exploring_galapagos.model import (
    ROUNDS,
    SHARED_SIZE,
    HabitatCard,
    Method,
    PlayerCards,
)
from referee.games.exploring_galapagos.scoring import determine_method, winners


@dataclass(frozen=True, slots=True)
class Recorded:
    """What is written down of a player's round (Recording Scores).

    Attributes:
        method: The method used, or None for none (E6).
        is_known: Whether the method could be seen.
        score: The points, or None where they are not known.
    """

    method: Method | None
    is_known: bool
    score: int | None


@dataclass(frozen=True, slots=True)
class Course:
    """The rounds of one game so far.

    Attributes:
        before: Methods used before the recording began, by player.
        rounds: What was written down, by side, for each round.
    """

    before: Mapping[str, tuple[Method, ...]] = field(default_factory=dict)
    rounds: tuple[Mapping[str, Recorded], ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether three rounds were seen (Gameplay)."""
        return len(self.rounds) == ROUNDS

    def used(self, side: str, player: str) -> tuple[Method, ...]:
        """Returns the methods that a player has used, whatever they scored (E8)."""
        told = [*self.before.get(player, ())]
        for written in self.rounds:
            method = written[side].method if side in written else None
            if method is not None and method not in told:
                told.append(method)
        return tuple(told)

    def with_unknown(self, seen: SeenRound) -> SeenRound:
        """Returns a round without the rulings that hang on a method nobody has seen."""
        rulings, doubts = dict(seen.rulings), [*seen.doubts]
        for player in seen.players:
            ruling = rulings[player.name]
            missed = [
                number
                for number, written in enumerate(self.rounds, start=1)
                if player.side not in written or not written[player.side].is_known
            ]
            if missed:
                doubts.append(
                    f"{player.name}: the method of round {missed[0]} is not known, so it may "
                    "have been used before"
                )
            is_repeated = ruling is not None and ruling.choice is None
            if missed and not is_repeated:
                rulings[player.name] = None
        return replace(seen, rulings=rulings, doubts=tuple(doubts))

    def after(self, seen: SeenRound, cards: Mapping[str, HabitatCard]) -> Course:
        """Returns the course with one more round written down."""
        written = {player.side: _recorded(seen, player, cards) for player in seen.players}
        return replace(self, rounds=(*self.rounds, written))

    def totals(self, seen: SeenRound) -> dict[str, int | None]:
        """Returns the points of the players of a round, None where a round of theirs is unknown."""
        return {player.name: self._total(player.side) for player in seen.players}

    def winners(self, seen: SeenRound) -> tuple[str, ...]:
        """Returns who has most after three rounds; nobody where that is not known."""
        known = {name: total for name, total in self.totals(seen).items() if total is not None}
        is_known = self.is_over and len(known) == len(seen.players)
        return winners(known) if is_known and known else ()

    def _total(self, side: str) -> int | None:
        scores = [written[side].score if side in written else None for written in self.rounds]
        known = [score for score in scores if score is not None]
        return sum(known) if len(known) == len(scores) else None


def _recorded(seen: SeenRound, player: SeatedPlayer, cards: Mapping[str, HabitatCard]) -> Recorded:
    ruling = seen.rulings[player.name]
    if ruling is not None:
        return Recorded(ruling.method, True, ruling.score)
    locked = player.locked
    shared: Sequence[HabitatCard] = [
        cards[str(piece.face_id)] for piece in seen.shared if piece.face_id in cards
    ]
    if locked is not None and locked.face_id in cards:
        return Recorded(cards[str(locked.face_id)].method, True, None)
    if locked is None and len(shared) == SHARED_SIZE == len(seen.shared):
        return Recorded(determine_method(PlayerCards(player.name, ()), shared), True, None)
    return Recorded(None, False, None)
