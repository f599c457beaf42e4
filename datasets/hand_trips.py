"""Hands that come, carry things from place to place, and go: the same in every game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from datasets.art.paint import Rng
from datasets.motion import Leg, Pose, Track
from datasets.seating import CARD_MM, Seat

Outside = Callable[[float, float], bool]
"""Whether a point of the table plane lies well outside the picture."""


@dataclass(frozen=True, slots=True)
class Trip:
    """A hand comes, carries cards, and goes.

    Attributes:
        player: Whose hand.
        hand: Its finger tips; the angle is that of the fingers.
        cards: Ids of what it carries.
        start_s: When it comes into view.
        end_s: When it has gone.
    """

    player: str
    hand: Track
    cards: tuple[str, ...]
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Carry:
    """One card brought to one place.

    Attributes:
        card: Its id.
        target: Where it goes.
        start_s: When it leaves.
        end_s: When it has landed.
        hold_s: How long the hand stays on it.
    """

    card: str
    target: Pose
    start_s: float
    end_s: float
    hold_s: float


class HandTrips:
    """What lies where and who carries what, while it is being made up.

    Attributes:
        rng: Source of all chance.
        tracks: By the id of a thing.
        trips: Of hands.
        seats: By player: where a hand comes from.
    """

    def __init__(self, rng: Rng, outside: Outside, seats: Mapping[str, Seat]) -> None:
        """Begins with nothing on the table; `outside` tells where hands are out of sight."""
        self.rng, self._outside, self.seats = rng, outside, seats
        self.tracks: dict[str, Track] = {}
        self.trips: list[Trip] = []

    def carry(self, player: str, carries: Sequence[Carry], wait_s: float = 0.05) -> None:
        """Lets one hand carry cards one after the other, coming from and going to off stage."""
        rng, seat = self.rng, self.seats[player]
        grip = float(rng.uniform(8, 17))
        tip = self.tip(self.tracks[carries[0].card].end, seat, grip)
        off = self.off(tip, seat)
        come = float(rng.uniform(0.32, 0.45))
        ready = carries[0].start_s - wait_s
        hand = Track(off, (Leg(ready - come, ready, off, tip, 35.0),))
        last = carries[0]
        for carry in carries:
            source = self.tracks[carry.card].end
            begin = self.tip(source, seat, grip)
            if carry.card != last.card:
                free = last.end_s + last.hold_s
                hand = hand.then(Leg(free, carry.start_s, hand.end, begin, 25.0))
            leg = self._leg(carry, source)
            self.tracks[carry.card] = self.tracks[carry.card].then(leg)
            hand = hand.then(
                replace(leg, source=hand.end, target=self.tip(carry.target, seat, grip))
            )
            last = carry
        free, away = last.end_s + last.hold_s, float(rng.uniform(0.35, 0.5))
        gone = self.off(hand.end, seat)
        hand = hand.then(Leg(free, free + away, hand.end, gone, 40.0))
        ids = tuple(dict.fromkeys(carry.card for carry in carries))
        self.trips.append(Trip(player, hand, ids, ready - come, free + away))

    def _leg(self, carry: Carry, source: Pose) -> Leg:
        rng = self.rng
        away = np.hypot(carry.target.x_mm - source.x_mm, carry.target.y_mm - source.y_mm)
        return Leg(
            carry.start_s,
            carry.end_s,
            source,
            carry.target,
            arch_mm=float(rng.uniform(0.06, 0.16) * away + 12),
            bow_mm=float(rng.normal(0, 0.06) * away),
            brake=float(rng.uniform(0.84, 0.91)),
            settle=float(rng.uniform(0.96, 1.0)),
        )

    def tip(self, card: Pose, seat: Seat, grip_mm: float) -> Pose:
        """Returns where finger tips press on a card: towards the player from its middle."""
        dx, dy = seat.shoulder[0] - card.x_mm, seat.shoulder[1] - card.y_mm
        far = np.hypot(dx, dy)
        return Pose(
            float(card.x_mm + dx / far * grip_mm), float(card.y_mm + dy / far * grip_mm),
            float(np.arctan2(-dx, dy)), card.lift_mm + CARD_MM,
        )  # fmt: skip

    def off(self, tip: Pose, seat: Seat) -> Pose:
        """Returns the first place towards the shoulder at which the hand is out of sight."""
        dx, dy = seat.shoulder[0] - tip.x_mm, seat.shoulder[1] - tip.y_mm
        far = np.hypot(dx, dy)
        for away in np.arange(20.0, 1500.0, 20.0):
            x, y = float(tip.x_mm + dx / far * away), float(tip.y_mm + dy / far * away)
            if self._outside(x, y):
                return Pose(x, y, tip.angle, 40.0)
        return Pose(float(tip.x_mm + dx), float(tip.y_mm + dy), tip.angle, 40.0)

    def strayed(self, pose: Pose, shift_mm: float = 1.5, turn: float = 0.03) -> Pose:
        """Returns a pose a little off, as things are laid by hand."""
        dx, dy = self.rng.normal(0, shift_mm, 2)
        return replace(
            pose,
            x_mm=pose.x_mm + float(dx),
            y_mm=pose.y_mm + float(dy),
            angle=pose.angle + float(self.rng.normal(0, turn)),
        )
