"""How cards and hands move: poses over time on smooth paths with a definite moment of rest."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from datasets.items import Points

WHOLE_TURN = 2 * np.pi
AWAY_MM = 25.0  # what has come to rest at such a height has been carried off


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a thing is: centre on the table plane, clockwise turn, height, how far turned over.

    Attributes:
        x_mm: To the right.
        y_mm: Towards the viewer.
        angle: Clockwise seen from above, in radians.
        lift_mm: Height of its underside.
        flip: 0 lies face down, 1 face up; between them the card stands on its long edge.
    """

    x_mm: float
    y_mm: float
    angle: float
    lift_mm: float = 0.0
    flip: float = 1.0


@dataclass(frozen=True, slots=True)
class Leg:
    """One way from rest to rest.

    Attributes:
        start_s: When it begins.
        end_s: The first moment at which the target pose is held.
        source: Where it begins.
        target: Where it ends.
        arch_mm: How high it rises in between.
        bow_mm: How far the way bends aside.
        brake: Part of a full slow-down that is run through before contact; at 1 the thing
            would creep to a stop, at 0.9 it still moves visibly in the last frame before.
        settle: Share of the way at which it touches down; what is left it slides.
    """

    start_s: float
    end_s: float
    source: Pose
    target: Pose
    arch_mm: float = 0.0
    bow_mm: float = 0.0
    brake: float = 0.9
    settle: float = 1.0

    def at(self, t_s: float) -> Pose:
        """Returns the pose at a time; before and after it the ends."""
        if t_s >= self.end_s:
            return self.target
        if t_s <= self.start_s:
            return self.source
        share = (t_s - self.start_s) / (self.end_s - self.start_s)
        done = _eased(share * self.brake) / _eased(self.brake)
        a, b = self.source, self.target
        dx, dy = b.x_mm - a.x_mm, b.y_mm - a.y_mm
        away = np.hypot(dx, dy)
        bow = self.bow_mm * np.sin(np.pi * done) / away if away > 1 else 0.0
        turn = (b.angle - a.angle + np.pi) % WHOLE_TURN - np.pi
        up = min(done / self.settle, 1.0)
        arch = self.arch_mm * np.sin(np.pi * up**0.85)
        return Pose(
            float(a.x_mm + dx * done - dy * bow),
            float(a.y_mm + dy * done + dx * bow),
            float(a.angle + turn * done),
            float(a.lift_mm + (b.lift_mm - a.lift_mm) * up + arch),
            float(a.flip + (b.flip - a.flip) * up),
        )


def _eased(share: float) -> float:
    """The way of least jerk: 0 at 0, 1 at 1, both at rest."""
    return share**3 * (10 - 15 * share + 6 * share**2)


@dataclass(frozen=True, slots=True)
class Track:
    """All ways of one thing, in the order of time, and where it is before the first."""

    home: Pose
    legs: tuple[Leg, ...] = ()

    def at(self, t_s: float) -> Pose:
        """Returns the pose at a time."""
        index = bisect_right(self.legs, t_s, key=lambda leg: leg.start_s) - 1
        return self.home if index < 0 else self.legs[index].at(t_s)

    def moves(self, t_s: float, until_s: float) -> bool:
        """Whether it moves at any time of an interval."""
        return any(leg.start_s < until_s and leg.end_s > t_s for leg in self.legs)

    def last_end(self, t_s: float) -> float:
        """Returns when the way in progress, or the one before, ends; -inf before the first.

        Of two things that came to lie on each other, that with the later end lies above.
        """
        index = bisect_right(self.legs, t_s, key=lambda leg: leg.start_s) - 1
        return float("-inf") if index < 0 else self.legs[index].end_s

    def is_on_table(self, t_s: float) -> bool:
        """Whether it lies face up: a Task in its deck, or a card taken away, does not."""
        pose = self.at(t_s)
        return pose.flip > 0.5 and pose.lift_mm < AWAY_MM

    def then(self, leg: Leg) -> Track:
        """Returns this track with one more way at its end."""
        return Track(self.home, (*self.legs, leg))

    @property
    def end(self) -> Pose:
        """Where it comes to rest at last."""
        return self.legs[-1].target if self.legs else self.home


def corners_3d(pose: Pose, size_mm: tuple[float, float], *, back: bool = False) -> Points:
    """Returns the corners of a card in space: x, y, height; clockwise from its top left.

    Args:
        pose: Where it is.
        size_mm: Width and height.
        back: Whether the back's corners are asked for, not the face's.
    """
    half = np.asarray(size_mm, np.float64) / 2
    local = np.asarray([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64) * half
    over = np.pi * (1 - pose.flip)
    side = local[:, 0] * (np.cos(over) if not back else -np.cos(over))
    height = (
        pose.lift_mm + half[0] * np.sin(over) + local[:, 0] * np.sin(over) * (-1 if back else 1)
    )
    cos, sin = np.cos(pose.angle), np.sin(pose.angle)
    x = pose.x_mm + side * cos - local[:, 1] * sin
    y = pose.y_mm + side * sin + local[:, 1] * cos
    return np.column_stack([x, y, height])
