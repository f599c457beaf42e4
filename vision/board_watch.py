"""From frames to what happens on a printed board: gate, read, remember, look back.

The board is read once, at the start; later only those spaces that something has disturbed, once it
has come to rest and no arm lies over them. Lookback then finds the moment at which a card or a chip
came to lie there, in the frames that were not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from vision.attention import Attention
from vision.board import BoardReader
from vision.board_watch_dating import Dating
from vision.board_watch_memory import CONFIRM_S, BoardMemory, Comparison, Space
from vision.board_watch_place import PlaceKeeper
from vision.board_watch_spaces import SpaceWatch
from vision.errors import NoTableError
from vision.following import Follower
from vision.frame import Frame
from vision.landing_dates import LOOK_BACK_S
from vision.registration import Registration, find_camera_move
from vision.slots import warp_quad
from vision.source import FrameSource
from vision.stopwatch import stopwatch
from vision.table import (
    BoardEvent,
    BoardReading,
    BoardSettled,
    ChipReading,
    Notice,
    SpaceState,
)

_BOARD = "the board of this deck, its printed border in view"
_LONGEST_WAIT_S = 4.0
_TOLD_AFTER = 4
"""Looks in vain after which people are told, while nothing moves there: some four seconds."""
_REST_AFTER_MOVE_S = 0.3
_ONE_BUMP_S = 1.0
"""A bumped camera swings for some frames: that is one bump, told once."""
_MANY = 0.3
"""Where this share of the spaces looks different at once, it is not the cards that changed."""


class BoardWatcher(Follower[BoardEvent]):
    """Watches one source and tells what happens on the board.

    At the end of a source in which the board was never seen, `watch` raises NoTableError.

    Args:
        reader: Of the board and the deck's faces.
        progress: Called with the number of frames done, or None.
    """

    def __init__(self, reader: BoardReader, progress: Callable[[int], None] | None = None) -> None:
        super().__init__(progress)
        self._reader = reader
        self._memory = BoardMemory(reader.meaning)
        self._places = PlaceKeeper(reader)
        self._attention: Attention
        self._spaces: SpaceWatch
        self._dating: Dating
        self._moved_s = -np.inf
        self._is_moved = False
        self._doubts: set[str] = set()

    def _start(self, frame: Frame) -> Iterator[BoardEvent]:
        board = self._reader.board
        self._attention = Attention(frame)
        self._spaces = SpaceWatch(self._attention, board.rows, board.cols)
        self._dating = Dating(self._attention, self._spaces)
        yield from self._seek(frame)
        if self._places.place is None:
            yield Notice(frame.timestamp_s, "board-not-seen", f"{_BOARD}, is not seen yet")

    def _follow(self, frame: Frame, previous: Frame) -> Iterator[BoardEvent]:
        attention = self._attention
        with stopwatch("gate"):
            attention.take(frame)
        if self._places.place is None:
            yield from self._seek(frame)
            return
        with stopwatch("camera"):
            gate = attention.gate
            move = find_camera_move(previous.luma, frame.luma, gate.moving, gate.small)
        if move is not None:
            yield from self._move(frame, move)
            return
        self._spaces.take(frame.timestamp_s)
        if self._is_moved and frame.timestamp_s - self._moved_s > _REST_AFTER_MOVE_S:
            self._is_moved = False
            self._fit(frame)
        with stopwatch("spaces"):
            groups = self._spaces.asking(frame.luma, frame.timestamp_s)
        if sum(map(len, groups)) > _MANY * self._spaces.count and self._places.is_due(self.now_s):
            yield from self._look_around(frame)
            return
        for group in groups:
            yield from self._look(frame, group)

    def _seek(self, frame: Frame) -> Iterator[BoardEvent]:
        """Looks for the board, and reads all of it where it is found."""
        if not self._places.seek(frame, self._attention.ring.brightness):
            return
        self._take_place()
        is_first = not self._memory.is_filled
        self._spaces.disturb(self._spaces.all, 0.0 if is_first else frame.timestamp_s)
        yield from self._look(frame, self._spaces.all)

    def _look_around(self, frame: Frame) -> Iterator[BoardEvent]:
        """Much looks different at once: is the board where it was?"""
        if self._fit(frame):
            return
        self._places.lose(frame)
        text = "the board is not seen where it was; it is sought"
        yield Notice(frame.timestamp_s, "board-not-seen", text)

    def _finish(self, last: Frame, source: FrameSource) -> Iterator[BoardEvent]:
        if not self._places.was_seen:
            raise NoTableError(f"expected {_BOARD}, and never found it")
        for group in self._spaces.waiting():
            yield from self._look(last, group, is_last=True)
        if source.broken is not None:
            yield Notice(last.timestamp_s, "stream-broken", source.broken)

    def _look(
        self, frame: Frame, spaces: Sequence[Space], *, is_last: bool = False
    ) -> Iterator[BoardEvent]:
        """Reads some spaces and tells what has changed there."""
        if self._places.is_due(frame.timestamp_s):
            self._fit(frame)
        place = self._places.lit(self._attention.ring.brightness)
        if place is None:
            return
        with stopwatch("read"):
            look = self._reader.read(frame.to_bgr(), place, frame.timestamp_s, spaces)
        found = self._memory.compare(look)
        events = self._dating.events(frame, look, found)
        self._spaces.accept(found.known, frame.luma)
        yield from events
        yield from self._postpone(frame, look, found, is_last=is_last)
        sure_s = min(frame.timestamp_s, self._spaces.disturbed_since_s)
        sure_s = max(sure_s, frame.timestamp_s - LOOK_BACK_S)
        yield BoardSettled(frame.timestamp_s, sure_s, self._memory.reading(look))

    def _postpone(
        self, frame: Frame, look: BoardReading, found: Comparison, *, is_last: bool
    ) -> Iterator[BoardEvent]:
        """Has what could not be told looked at again, ever more rarely, and says so."""
        unnamed = [chip for chip in look.chips if not self._memory.has_chip(chip)]
        for space in found.open:
            tries = self._spaces.tries(space)
            wait_s = min(CONFIRM_S * 2**tries, _LONGEST_WAIT_S)
            self._spaces.postpone([space], frame.timestamp_s + wait_s)
            if tries != _TOLD_AFTER and not is_last:
                continue
            doubt = _doubt(frame.timestamp_s, look, unnamed, space)
            # A hand over the board when the recording ends hides nothing that has happened.
            is_told = tries == _TOLD_AFTER or doubt.code != "space-hidden"
            if is_told and doubt.text not in self._doubts:
                self._doubts.add(doubt.text)
                yield doubt

    def _fit(self, frame: Frame) -> bool:
        """Fits the board to the picture once more, where enough of its print is in view."""
        is_there = self._places.fit(frame, self._attention.ring.brightness)
        if is_there:
            self._take_place()
        return is_there

    def _take_place(self) -> None:
        """Takes over where the board lies now."""
        went = self._places.went()
        if went is not None:
            self._memory.move(lambda quad: warp_quad(quad, went))
        if self._places.place is not None:
            self._spaces.place(self._places.place.view)

    def _move(self, frame: Frame, move: Registration) -> Iterator[BoardEvent]:
        """Carries everything over to where the picture went."""
        self._attention.restart(frame, move.homography)
        self._places.move(move.homography)
        self._take_place()
        self._spaces.disturb(self._spaces.all, frame.timestamp_s)
        is_news = frame.timestamp_s - self._moved_s > _ONE_BUMP_S
        self._moved_s, self._is_moved = frame.timestamp_s, True
        if is_news:
            text = f"the camera was moved by {move.shift_px:.0f} pixels; the board was found again"
            yield Notice(frame.timestamp_s, "camera-moved", text)


def _doubt(
    timestamp_s: float, look: BoardReading, unnamed: Sequence[ChipReading], space: Space
) -> Notice:
    """What people are told of a space that cannot be read."""
    seen = next(each for each in look.spaces if (each.row, each.col) == space)
    where = f"row {space[0]}, column {space[1]}"
    for chip in unnamed:
        if (chip.row, chip.col) == space and seen.state is SpaceState.COVERED:
            other = f" or {chip.runner_up}" if chip.runner_up else ""
            text = f"a chip on {chip.quarter} of {where} cannot be told for sure: {chip.face_id}"
            return Notice(timestamp_s, "chip-in-doubt", text + other)
    for obscure in look.obscure:
        if (obscure.row, obscure.col) == space and seen.state is SpaceState.COVERED:
            text = f"a chip may lie unread on {obscure.quarter} of {where}"
            return Notice(timestamp_s, "chip-in-doubt", text)
    if seen.state is SpaceState.UNSEEN:
        return Notice(timestamp_s, "space-hidden", f"{where} cannot be seen")
    if seen.state is not SpaceState.DOUBTFUL:
        return Notice(timestamp_s, "space-hidden", f"{where} cannot be seen clearly")
    text = f"{where} cannot be told for sure: {seen.either}"
    return Notice(timestamp_s, "space-in-doubt", text)
