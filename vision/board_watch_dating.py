"""What a look at a board has brought, and when each of it came to lie there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from vision.attention import Attention
from vision.board_watch_landing import find_landing_by_hand
from vision.board_watch_memory import ChipChange, Comparison, Space, SpaceChange
from vision.board_watch_spaces import SpaceWatch
from vision.frame import Frame
from vision.landing_dates import LOOK_BACK_S
from vision.lookback import Landing
from vision.slots import to_quad
from vision.stopwatch import stopwatch
from vision.table import (
    BoardReading,
    CardLaid,
    CardLifted,
    ChipLaid,
    ChipLifted,
    ChipReading,
    Quad,
    SpaceState,
)

_QUARTERS = ("nw", "ne", "se", "sw")
_BEFORE_S = 0.3
"""Frames from before a disturbance that a look back needs to know how it was."""
_INNER = 0.7
"""The square within a chip's circle."""
_FROM_START = Landing(0, 0.0, 0.0, 1.0)

Change = CardLaid | CardLifted | ChipLaid | ChipLifted
_Place = tuple[int, int, str]
"""Row, column and quarter."""


class Dating:
    """Dates what changes on one board by the frames that were not looked at.

    Args:
        attention: The frames of the last seconds.
        spaces: When each space was disturbed.
    """

    def __init__(self, attention: Attention, spaces: SpaceWatch) -> None:
        self._attention = attention
        self._spaces = spaces
        self._landed: dict[_Place, Landing] = {}
        self._suspected: dict[_Place, Landing] = {}

    def events(self, frame: Frame, look: BoardReading, found: Comparison) -> list[Change]:
        """What has changed, in the order of time; what cannot be named yet is only dated."""
        changes = list(self._cards(frame, found))
        laid_s = {
            (change.space.row, change.space.col): change.timestamp_s
            for change in changes
            if isinstance(change, CardLaid)
        }
        chips = [self._chip(frame, change, found, laid_s) for change in found.chips]
        self._suspect(frame, look, found)
        return sorted([*changes, *chips], key=lambda change: change.timestamp_s)

    def _cards(self, frame: Frame, found: Comparison) -> Iterator[CardLaid | CardLifted]:
        for change in found.spaces:
            after, before = change.after, change.before
            landing = self._landing_of_card(frame, change)
            t, half_s, index = landing.timestamp_s, landing.half_width_s, landing.index
            if after.state is not SpaceState.EMPTY:
                yield CardLaid(t, half_s, after, index)
            elif before is not None:
                yield CardLifted(t, half_s, before, index)

    def _chip(
        self, frame: Frame, change: ChipChange, found: Comparison, laid_s: Mapping[Space, float]
    ) -> ChipLaid | ChipLifted:
        """A chip came or went; one that is named anew has lain there since it came."""
        chip = change.chip
        place = _place_of(chip)
        is_named_anew = place in self._landed and any(
            _place_of(each.chip) == place and each.is_there is not change.is_there
            for each in found.chips
        )
        if is_named_anew:
            landing = self._landed[place]
        elif place in self._suspected:
            landing = self._suspected.pop(place)
        else:
            landing = self._landing_of_chip(frame, chip, laid_s.get((chip.row, chip.col)))
        t, half_s, index = landing.timestamp_s, landing.half_width_s, landing.index
        if change.is_there:
            self._landed[place] = landing
            return ChipLaid(t, half_s, chip, index)
        if not is_named_anew:
            self._landed.pop(place, None)
        return ChipLifted(t, half_s, chip, index)

    def _suspect(self, frame: Frame, look: BoardReading, found: Comparison) -> None:
        """Dates chips that cannot be named yet: they have lain there since, whatever they are."""
        doubtful = {
            _place_of(chip): chip
            for chip in look.chips
            if (chip.row, chip.col) in found.open and _place_of(chip) not in self._landed
        }
        for space in look.spaces:
            for quarter in _QUARTERS:
                place = (space.row, space.col, quarter)
                if place not in doubtful:
                    self._suspected.pop(place, None)
                elif place not in self._suspected:
                    laid_s = 0.0 if look.timestamp_s == 0 else None
                    landing = self._landing_of_chip(frame, doubtful[place], laid_s)
                    self._suspected[place] = landing

    def _landing_of_card(self, frame: Frame, change: SpaceChange) -> Landing:
        if change.before is None:
            return _FROM_START
        after = change.after
        return self._landing(frame, after.quad_px, (after.row, after.col), None)

    def _landing_of_chip(self, frame: Frame, chip: ChipReading, laid_s: float | None) -> Landing:
        """When a chip came to lie on its card, which was laid then or earlier."""
        if laid_s == 0.0:
            return _FROM_START
        return self._landing(frame, _inner(chip.quad_px), (chip.row, chip.col), laid_s)

    def _landing(self, frame: Frame, quad: Quad, space: Space, from_s: float | None) -> Landing:
        """When the present look of a quad began, no earlier than its space was disturbed."""
        since_s = min(self._spaces.since_s(space), frame.timestamp_s)
        start_s = since_s - _BEFORE_S if from_s is None else from_s
        with stopwatch("lookback"):
            earliest_s = max(start_s, frame.timestamp_s - LOOK_BACK_S)
            return self._attention.landing_of(
                quad, frame, earliest_s, find_landing_by_hand, self._spaces.reach_px
            )


def _place_of(chip: ChipReading) -> _Place:
    return chip.row, chip.col, chip.quarter


def _inner(quad: Quad) -> Quad:
    corners = np.asarray(quad)
    middle = corners.mean(axis=0)
    return to_quad(middle + _INNER * (corners - middle))
