"""What must be reached, and what was."""

from __future__ import annotations

from dataclasses import dataclass

PLAIN_ROUNDS = 1.0
OTHER_ROUNDS = 0.90
WRONG_ORDERS = 0
WITHIN_ONE_FRAME = 0.92
WITHIN_TWO_FRAMES = 0.97
WITHIN_DT = 0.95
REPLAY_SPEED = 0.25
STILL_IDENTITIES = 0.99
STILL_WRONG = 0
TABLES_RIGHT = 1.0
ISLAND_ROUNDS = 1.0
ISLANDS_RIGHT = 1.0
BOARDS_RIGHT = 1.0
ZOOS_RIGHT = 1.0
FRAMES_OFF = 2
ZOO_TIMES = 0.95
PHOTO_RECALL_LOOSE = 0.95
PHOTO_RECALL_TIGHT = 0.85
PHOTO_FALSE = 0.10


@dataclass(frozen=True, slots=True)
class Check:
    """One figure against its threshold."""

    what: str
    figure: float
    threshold: float
    is_share: bool = True
    at_most: bool = False

    @property
    def is_met(self) -> bool:
        """Whether the figure is on the right side of its threshold."""
        if self.at_most:
            return self.figure <= self.threshold
        return self.figure >= self.threshold

    def shown(self, value: float) -> str:
        """Returns a figure in words."""
        return f"{value:.1%}" if self.is_share else f"{value:g}"

    @property
    def wanted(self) -> str:
        """The threshold in words."""
        return f"{'at most' if self.at_most else 'at least'} {self.shown(self.threshold)}"
