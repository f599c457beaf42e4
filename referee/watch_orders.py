"""A table that is to be watched: what is told beforehand, and what each game brings for it.

An eye sees what happens on the table of its game, the table of the game makes lines of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from referee.adapter.lines import Line
from vision.source import FrameSource

Event = TypeVar("Event")
"""What can happen on the table of one game, as its eye tells it."""

_Seen_co = TypeVar("_Seen_co", covariant=True)
_Taken_contra = TypeVar("_Taken_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """What a camera cannot see.

    Attributes:
        players: Clockwise, or None to take the Cameras on the table in their seating order.
        lead: The first lead player, or None for the first of the players.
        variant: normal or complex.
        rulings: The named house rulings that differ from their defaults.
        seats: The side at which each player sits (Exploring Galapagos).
        used: The methods that players have used before (Exploring Galapagos).
    """

    players: tuple[str, ...] | None = None
    lead: str | None = None
    variant: str = "normal"
    rulings: Mapping[str, str | bool] = field(default_factory=dict)
    seats: Mapping[str, str] = field(default_factory=dict)
    used: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Eye(Protocol[_Seen_co]):
    """Watches a source and tells what happens on the table of one game."""

    @property
    def now_s(self) -> float:
        """Time of the newest frame."""

    def watch(self, source: FrameSource) -> Iterator[_Seen_co]:
        """All events of a source in the order in which they become known.

        Raises:
            VisionError: The source gives not one frame, or never shows such a table.
        """


class WatchedTable(Protocol[_Taken_contra]):
    """A table of some game: takes what happens on it and tells what that means."""

    def take(self, event: _Taken_contra) -> Iterator[Line]:
        """Takes the next event and gives what it makes known."""

    def running(self, timestamp_s: float) -> Iterator[Line]:
        """What is believed of what still runs, as if it were over now."""

    def finish(self, timestamp_s: float) -> Iterator[Line]:
        """The source has ended."""


OpenEye = Callable[[Path | None, Callable[[int], None] | None], Eye[Event]]
"""Opens an eye, given the weights of another detector or None, and who is told after each frame
how many are done. It may raise WeightsError, GalleryError and DeckError."""


@dataclass(frozen=True, slots=True, eq=False)
class WatchedGame(Generic[Event]):
    """All that one game brings to be watched.

    Attributes:
        table: Its table, before anything has happened.
        open_eye: Loads what its eye needs; slow, so it is asked for only when frames come.
    """

    table: WatchedTable[Event]
    open_eye: OpenEye[Event]
