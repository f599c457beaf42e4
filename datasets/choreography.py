"""Who carries what when: the rounds of a recording as tracks of cards and trips of hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from datasets.art.paint import Rng
from datasets.hand_trips import Carry, HandTrips, Outside, Trip
from datasets.motion import Leg, Pose, Track
from datasets.play import Move, Round, rule_of
from datasets.seating import CARD_MM, PILE_MM, Places
from referee.games.galapa_go.model import RoundRuling, Verdict


@dataclass(frozen=True, slots=True)
class Staged:
    """A round on the recording's own clock: when its (last) Task lay face up, what came of it."""

    played: Round
    task_s: float
    ruling: RoundRuling


@dataclass(frozen=True, slots=True)
class Choreography:
    """All motion of a recording.

    Attributes:
        tracks: By card id: Animal, Task and Camera cards (`camera:COLOUR`).
        trips: In the order of their start.
        rests: Hands that lie on the table without doing anything.
        rounds: The rounds with their times.
        end_s: When nothing moves any more.
    """

    tracks: dict[str, Track]
    trips: tuple[Trip, ...]
    rests: tuple[Trip, ...]
    rounds: tuple[Staged, ...]
    end_s: float


def camera_id(player: str) -> str:
    """Returns the id of a player's Camera card among the tracks."""
    return f"camera:{player}"


def choreograph(
    rng: Rng, rounds: Sequence[Round], places: Places, outside: Outside, *, rests: bool
) -> Choreography:
    """Turns rounds into motion.

    Args:
        rng: Source of all chance.
        rounds: What is played.
        places: Where things lie.
        outside: Tells where hands are out of sight.
        rests: Whether an idle hand rests on the table in each round.
    """
    stage = _Stage(rng, places, outside, rounds[0])
    staged = []
    now = float(rng.uniform(0.5, 0.9))
    for played in rounds:
        task_s = stage.turn_tasks(played, now)
        stage.play(played, task_s)
        if rests:
            stage.rest(played, task_s)
        ruling = rule_of(played, task_s)
        staged.append(Staged(played, task_s, ruling))
        now = stage.clear_up(played, ruling, task_s + played.over_s) + float(rng.uniform(0.15, 0.4))
    trips = tuple(sorted(stage.trips, key=lambda trip: trip.start_s))
    end_s = max(trip.end_s for trip in trips) + 0.5
    return Choreography(stage.tracks, trips, tuple(stage.rests), tuple(staged), end_s)


class _Stage(HandTrips):
    """The table as it is being choreographed."""

    def __init__(self, rng: Rng, places: Places, outside: Outside, first: Round) -> None:
        position = first.position
        super().__init__(rng, outside, dict(zip(position.players, places.seats, strict=True)))
        self.places = places
        self.rests: list[Trip] = []
        self.turned = 0
        self.tracks = {camera_id(p): Track(seat.home) for p, seat in self.seats.items()}
        self.piles = {p: list(position.won.get(p, ())) for p in position.players}
        for player, pile in self.piles.items():
            for index, card in enumerate(pile):
                self.tracks[card] = Track(
                    self.strayed(self.seats[player].won(index, places.card_mm[0]))
                )
        for card_, cell in zip(position.layout, places.cells, strict=False):
            self.tracks[card_.id] = Track(cell)

    def turn_tasks(self, played: Round, now: float) -> float:
        """The lead turns the top of the Task deck; returns when the last one lies face up."""
        carries, at = [], now + float(self.rng.uniform(0.45, 0.6))
        deck = self.places.decks["task"]
        for index, task in enumerate(played.position.tasks):
            self.tracks[task.id] = Track(replace(deck, lift_mm=PILE_MM["task"] + CARD_MM, flip=0.0))
            took = float(self.rng.uniform(0.5, 0.65))
            spot = self.strayed(self.places.tasks[index], 2.0, 0.07)
            target = replace(spot, lift_mm=CARD_MM * self.turned)
            carries.append(
                Carry(task.id, target, at, at + took, float(self.rng.uniform(0.08, 0.2)))
            )
            at += took + 0.75
        self.turned += 1
        self.carry(played.position.lead, carries)
        return carries[-1].end_s

    def play(self, played: Round, task_s: float) -> None:
        """Every player brings the Camera card, and moves it where another one lay first."""
        level = 1
        by_player: dict[str, list[Move]] = {}
        for move in played.moves:
            by_player.setdefault(move.player, []).append(move)
        for player, moves in by_player.items():
            carries, leave = [], 0.0
            for move in moves:
                land = task_s + move.at_s
                start = max(land - float(self.rng.uniform(0.42, 0.62)), leave)
                hold = float(self.rng.uniform(0.12, 0.45))
                if move.until_s is not None:
                    leave = task_s + move.until_s
                    hold = leave - land
                carries.append(
                    Carry(camera_id(player), self._on(player, move, level), start, land, hold)
                )
                level += 1
                if move.to_home:
                    home = self.strayed(self.seats[player].home, 3.0, 0.05)
                    carries.append(
                        Carry(
                            camera_id(player),
                            home,
                            leave,
                            leave + float(self.rng.uniform(0.55, 0.75)),
                            0.15,
                        )
                    )
            self.carry(player, carries, float(self.rng.choice((0.05, 0.3, 0.8))))

    def rest(self, played: Round, task_s: float) -> None:
        """A hand lies on the edge of the layout for a while."""
        player = played.position.players[int(self.rng.integers(len(played.position.players)))]
        seat = self.seats[player]
        cells = sorted(
            self.places.cells,
            key=lambda c: np.hypot(c.x_mm - seat.home.x_mm, c.y_mm - seat.home.y_mm),
        )
        cell = cells[int(self.rng.integers(3))]
        spot = replace(self.tip(cell, seat, 28.0), lift_mm=2.0)
        off = self.off(spot, seat)
        come, go = (
            task_s - float(self.rng.uniform(0.1, 1.0)),
            task_s + played.over_s - float(self.rng.uniform(0.4, 1.0)),
        )
        track = Track(
            off, (Leg(come - 0.5, come, off, spot, 30.0), Leg(go, go + 0.5, spot, off, 30.0))
        )
        self.rests.append(Trip(player, track, (), come - 0.5, go + 0.5))

    def clear_up(self, played: Round, ruling: RoundRuling, now: float) -> float:
        """Cameras go home, won cards to their owners, penalties away; returns when it is done."""
        stays = {m.player: m for m in played.moves if not m.to_home}
        done = now
        for index, player in enumerate(p for p in played.position.players if p in stays):
            at = now + index * float(self.rng.uniform(0.25, 0.5)) + 0.4
            carries = self._clear_one(player, stays[player].card, ruling, at)
            self.carry(player, carries)
            done = max(done, carries[-1].end_s + carries[-1].hold_s)
        return done

    def _clear_one(self, player: str, card: str, ruling: RoundRuling, at: float) -> list[Carry]:
        rng, seat, pile = self.rng, self.seats[player], self.piles[player]
        took = float(rng.uniform(0.5, 0.65))
        home = self.strayed(seat.home, 3.0, 0.06)
        carries = [Carry(camera_id(player), home, at, at + took, 0.1)]
        at += took + 0.42
        gained = [
            c.card
            for c in ruling.claims
            if c.player == player and c.verdict is Verdict.CORRECT and c.card in ruling.won[player]
        ]
        lost = [c for c in pile if c in ruling.box]
        if gained:
            target = self.strayed(seat.won(len(pile), self.places.card_mm[0]), 2.0, 0.05)
            carries.append(Carry(card, target, at, at + took, 0.12))
            pile.append(card)
        elif lost:
            pile.remove(lost[0])
            gone = self.off(self.tracks[lost[0]].end, seat)
            carries.append(
                Carry(
                    lost[0], replace(gone, angle=seat.home.angle, lift_mm=30.0), at, at + took, 0.05
                )
            )
        return carries

    def _on(self, player: str, move: Move, level: int) -> Pose:
        """Returns where on its card a Camera comes to lie."""
        rng, below = self.rng, self.tracks[move.card].end
        dx, dy = rng.normal(0, 5.0, 2).clip(-9, 9)
        own = self.seats[player].home.angle + float(rng.normal(0, 0.22))
        quarter = (
            np.round((own - below.angle) / np.pi) * np.pi + below.angle + float(rng.normal(0, 0.1))
        )
        angle = own if rng.random() < 0.45 else float(quarter)
        return Pose(
            below.x_mm + float(dx), below.y_mm + float(dy), angle, below.lift_mm + CARD_MM * level
        )
