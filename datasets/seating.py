"""Where things lie in a game of Galapa Go: the layout, the decks, Tasks, and each player's side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.art.paint import Rng
from datasets.items import Points
from datasets.motion import Pose

COLUMNS, ROWS = 5, 3
CARD_MM = 0.4  # thickness of a card, by which cards on each other rise
PILE_MM = {"animal": 9.0, "task": 17.0}


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's side.

    Attributes:
        home: Where the Camera card lies between rounds.
        along: Direction in which won cards are laid beside it.
        shoulder: Where the arm comes from.
    """

    home: Pose
    along: tuple[float, float]
    shoulder: tuple[float, float]

    def won(self, index: int, width_mm: float) -> Pose:
        """Returns the place of a won card, counted from 0: the second overlaps the first."""
        away = width_mm * (1.17 + 0.4 * index)
        return Pose(
            self.home.x_mm + self.along[0] * away, self.home.y_mm + self.along[1] * away,
            self.home.angle, CARD_MM * index,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Places:
    """Everything's place on the table plane.

    Attributes:
        card_mm: Width and height of a card.
        cells: Places of the layout, row by row.
        seats: By player, clockwise.
        decks: The face-down decks by kind: `animal`, `task`.
        tasks: Where turned Task cards lie; the second for the complex variant.
    """

    card_mm: tuple[float, float]
    cells: tuple[Pose, ...]
    seats: tuple[Seat, ...]
    decks: dict[str, Pose]
    tasks: tuple[Pose, ...]

    def reach(self) -> Points:
        """Returns points that a camera over the table must see: corners of what lies around."""
        spots = [seat.home for seat in self.seats] + [
            seat.won(0, self.card_mm[0]) for seat in self.seats
        ]
        spots += [*self.decks.values(), *self.tasks, *self.cells]
        half = np.hypot(*self.card_mm) / 2 * 0.82
        return np.asarray(
            [
                (p.x_mm + dx, p.y_mm + dy)
                for p in spots
                for dx in (-half, half)
                for dy in (-half, half)
            ],
            np.float64,
        )


@dataclass(frozen=True, slots=True)
class Tidiness:
    """How neatly cards are laid: gap, shift and turn by which they stray, share laid head down."""

    gap_mm: float
    shift_mm: float
    turn: float
    flipped: float


def sample_tidiness(rng: Rng) -> Tidiness:
    """Draws by lot how neatly people lay cards."""
    return Tidiness(
        float(rng.uniform(7, 16)), float(rng.uniform(0.5, 2.5)), float(rng.uniform(0.01, 0.07)),
        float(rng.choice((0.0, 0.0, 0.25))),
    )  # fmt: skip


def sample_places(rng: Rng, card_mm: tuple[float, float], seats: int, tidy: Tidiness) -> Places:
    """Draws by lot where everything lies, for two to six players."""
    width, height = card_mm
    pitch = (width + tidy.gap_mm, height + tidy.gap_mm)
    half = (COLUMNS * pitch[0] / 2, ROWS * pitch[1] / 2)
    cells = []
    for row in range(ROWS):
        for column in range(COLUMNS):
            flip = np.pi if rng.random() < tidy.flipped else 0.0
            x, y = (column - (COLUMNS - 1) / 2) * pitch[0], (row - (ROWS - 1) / 2) * pitch[1]
            cells.append(_strayed(rng, Pose(x, y, flip), tidy))
    side = half[0] + 6 + width / 2
    decks = {
        "animal": _strayed(rng, Pose(-side, float(rng.uniform(-40, 40)), 0.0), tidy),
        "task": _strayed(rng, Pose(side, -height * 1.12, 0.0), tidy),
    }
    tasks = (Pose(side, 6.0, 0.0), Pose(side, 6.0 + height * 1.12, 0.0))
    return Places(card_mm, tuple(cells), _sample_seats(rng, card_mm, half, seats), decks, tasks)


def _strayed(rng: Rng, pose: Pose, tidy: Tidiness) -> Pose:
    dx, dy = rng.normal(0, tidy.shift_mm, 2).clip(-tidy.gap_mm / 2.2, tidy.gap_mm / 2.2)
    return Pose(
        pose.x_mm + float(dx),
        pose.y_mm + float(dy),
        pose.angle + float(rng.normal(0, tidy.turn)),
        pose.lift_mm,
        pose.flip,
    )


def _sample_seats(
    rng: Rng, card_mm: tuple[float, float], half: tuple[float, float], count: int
) -> tuple[Seat, ...]:
    """Takes seats in clockwise order: two at the near side, left, two at the far side, right."""
    chosen = {2: (0, 3), 3: (0, 2, 4), 4: (0, 2, 3, 5), 5: (0, 1, 2, 4, 5), 6: (0, 1, 2, 3, 4, 5)}[
        count
    ]
    if count in (3, 4) and rng.random() < 0.5:
        chosen = {3: (0, 2, 5), 4: (0, 1, 3, 4)}[count]
    return tuple(_seat(rng, number, chosen, card_mm, half) for number in chosen)


def _seat(
    rng: Rng,
    number: int,
    taken: tuple[int, ...],
    card_mm: tuple[float, float],
    half: tuple[float, float],
) -> Seat:
    width, height = card_mm
    stray = float(rng.normal(0, 0.05))
    if number in (2, 5):  # left and right
        sign = -1.0 if number == 2 else 1.0
        x = sign * (half[0] + 6 + width + 22 + height / 2)
        y = float(rng.uniform(-0.35, 0.1)) * half[1]
        return Seat(
            Pose(x, y, -sign * np.pi / 2 + stray), (0.0, 1.0), (sign * 1000.0, y * 0.5 + 40)
        )
    near = number in (0, 1)
    partner = {0: 1, 1: 0, 3: 4, 4: 3}[number] in taken
    outward = 1.0 if number in (0, 4) else -1.0
    x = outward * (width * 0.9 if partner else float(rng.uniform(-0.4, 0.1)) * half[0])
    y = (half[1] + 16 + height / 2) * (1.0 if near else -1.0)
    home = Pose(x, y, (0.0 if near else np.pi) + stray)
    return Seat(home, (outward, 0.0), (x + outward * 120.0, 900.0 if near else -1000.0))
