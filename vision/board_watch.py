"""From frames to what happens on a printed board: gate, read, remember, look back.

The board is read once, at the start; later only those spaces that something has disturbed, once it
has come to rest and no arm lies over them. Lookback then finds the moment at which a card or a chip
came to lie there, in the frames that were not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.attention import Attention
from vision.board import BoardReader
from vision.board_registration import Registration as BoardPlace
from vision.board_view import BoardView
from vision.board_watch_landing import find_landing_by_hand
from vision.board_watch_memory import (
    CONFIRM_S,
    BoardMemory,
    ChipChange,
    Comparison,
    Space,
    SpaceChange,
    is_sure_chip,
)
from vision.board_watch_spaces import SpaceWatch
from vision.errors import NoTableError
from vision.frame import Frame
from vision.lookback import Landing
from vision.pipeline import LOOK_BACK_S
from vision.registration import find_camera_move
from vision.source import FrameSource
from vision.stopwatch import stopwatch
from vision.table import (
    BoardEvent,
    BoardReading,
    BoardSettled,
    CardLaid,
    CardLifted,
    ChipLaid,
    ChipLifted,
    ChipReading,
    Notice,
    Quad,
    SpaceState,
)

_QUARTERS = ("nw", "ne", "se", "sw")
_SEEK_EVERY_S = 1.0
"""While no board is seen it is sought this often: it takes about as long as a second's frames."""
_PLACE_AGAIN_S = 5.0
"""A camera on a soft arm sinks by a few pixels a minute: before a look the board is fitted anew."""
_LONGEST_WAIT_S = 4.0
_TOLD_AFTER = 4
"""Looks in vain after which people are told, while nothing moves there: some four seconds."""
_BEFORE_S = 0.3
"""Frames from before a disturbance that a look back needs to know how it was."""
_REST_AFTER_MOVE_S = 0.3
_INNER = 0.7
"""The square within a chip's circle."""
_ONE_BUMP_S = 1.0


class BoardWatcher:
    """Watches one source and tells what happens on the board.

    Args:
        reader: Of the board and the deck's faces.
        progress: Called with the number of frames done, or None.

    Attributes:
        now_s: Time of the newest frame.
    """

    def __init__(self, reader: BoardReader, progress: Callable[[int], None] | None = None) -> None:
        self._reader = reader
        self._progress = progress
        self._memory = BoardMemory(reader.meaning)
        self._attention: Attention
        self._spaces: SpaceWatch
        self._place: BoardPlace | None = None
        self._sought_s = -np.inf
        self._moved_s = -np.inf
        self._is_placed_anew = False
        self._placed_s = 0.0
        self._brightness = 1.0
        self._landed: dict[tuple[int, int, str], Landing] = {}
        self._doubts: set[str] = set()
        self._suspected: dict[tuple[int, int, str], Landing] = {}
        self.now_s = 0.0

    def watch(self, source: FrameSource) -> Iterator[BoardEvent]:
        """All events of a source in the order in which they become known.

        Raises:
            SourceError: The source gives not one frame.
            NoTableError: The board is never seen.
        """
        previous: Frame | None = None
        for frame in source.frames():
            self.now_s = frame.timestamp_s
            if previous is None:
                self._attention = Attention(frame)
                self._spaces = SpaceWatch(
                    self._attention, self._reader.board.rows, self._reader.board.cols
                )
                yield from self._seek(frame)
            else:
                yield from self._follow(frame, previous)
            previous = frame
            if self._progress:
                self._progress(frame.index + 1)
        if self._place is None:
            raise NoTableError("expected the board of this deck, its printed border in view")
        if previous is not None:
            yield from self._finish(previous, source)

    def _seek(self, frame: Frame) -> Iterator[BoardEvent]:
        """Looks for the board, and reads all of it where it is found."""
        if frame.timestamp_s - self._sought_s < _SEEK_EVERY_S:
            return
        is_first = not np.isfinite(self._sought_s)
        self._sought_s = frame.timestamp_s
        image = frame.to_bgr()
        try:
            with stopwatch("board"):
                self._place = self._reader.find(image)
        except NoTableError as error:
            if is_first:
                yield Notice(frame.timestamp_s, "board-not-seen", str(error))
            return
        self._take_place(self._place)
        spaces = list(np.ndindex(self._reader.board.rows, self._reader.board.cols))
        self._spaces.disturb(spaces, 0.0)
        yield from self._look(frame, spaces)

    def _follow(self, frame: Frame, previous: Frame) -> Iterator[BoardEvent]:
        attention = self._attention
        with stopwatch("gate"):
            attention.take(frame)
        if self._place is None:
            yield from self._seek(frame)
            return
        with stopwatch("camera"):
            gate = attention.gate
            move = find_camera_move(previous.luma, frame.luma, gate.moving, gate.small)
        if move is not None:
            yield from self._move(frame, move.homography, move.shift_px)
            return
        self._spaces.take(frame.timestamp_s)
        if self._is_placed_anew and frame.timestamp_s - self._moved_s > _REST_AFTER_MOVE_S:
            self._is_placed_anew = False
            self._refine(frame)
        with stopwatch("spaces"):
            groups = self._spaces.asking(frame.luma, frame.timestamp_s)
        for group in groups:
            yield from self._look(frame, group)

    def _finish(self, last: Frame, source: FrameSource) -> Iterator[BoardEvent]:
        for group in self._spaces.waiting():
            yield from self._look(last, group)
        if source.broken is not None:
            yield Notice(last.timestamp_s, "stream-broken", source.broken)

    def _look(self, frame: Frame, spaces: Sequence[Space]) -> Iterator[BoardEvent]:
        """Reads some spaces and tells what has changed there."""
        if frame.timestamp_s - self._placed_s > _PLACE_AGAIN_S:
            self._refine(frame)
        place = self._place
        if place is None:
            return
        with stopwatch("read"):
            look = self._reader.read(frame.to_bgr(), self._lit(place), frame.timestamp_s, spaces)
        found = self._memory.compare(look)
        events = sorted(self._events(frame, look, found), key=lambda event: event.timestamp_s)
        self._suspect(frame, look, found)
        self._spaces.accept(found.known, frame.luma)
        yield from events
        yield from self._postpone(frame, look, found)
        sure_s = min(frame.timestamp_s, self._spaces.disturbed_since_s)
        yield BoardSettled(
            frame.timestamp_s,
            max(sure_s, frame.timestamp_s - LOOK_BACK_S),
            self._memory.reading(look),
        )

    def _events(
        self, frame: Frame, look: BoardReading, found: Comparison
    ) -> Iterator[CardLaid | CardLifted | ChipLaid | ChipLifted]:
        laid_s: dict[Space, float] = {}
        for change in found.spaces:
            after, before = change.after, change.before
            landing = self._landing_of_space(frame, change)
            t, half_s, index = landing.timestamp_s, landing.half_width_s, landing.index
            is_bare = after.state is SpaceState.EMPTY
            if before is not None and is_bare:
                yield CardLifted(t, half_s, before, index)
            if not is_bare:
                yield CardLaid(t, half_s, after, index)
                laid_s[after.row, after.col] = t
        for chip_change in found.chips:
            yield self._chip_event(frame, chip_change, found, laid_s)

    def _chip_event(
        self, frame: Frame, change: ChipChange, found: Comparison, laid_s: Mapping[Space, float]
    ) -> ChipLaid | ChipLifted:
        """A chip came or went; one that is named anew has lain there since it came."""
        chip = change.chip
        place = (chip.row, chip.col, chip.quarter)
        is_named_anew = place in self._landed and any(
            (each.chip.row, each.chip.col, each.chip.quarter) == place
            and each.is_there is not change.is_there
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
        for space in look.spaces:
            place = (space.row, space.col)
            quarters = {
                chip.quarter: chip
                for chip in look.chips
                if (chip.row, chip.col) == place and place in found.open and not is_sure_chip(chip)
            }
            for quarter in _QUARTERS:
                key = (*place, quarter)
                if quarter not in quarters:
                    self._suspected.pop(key, None)
                elif key not in self._suspected:
                    start = 0.0 if self.now_s == 0 else None
                    landing = self._landing_of_chip(frame, quarters[quarter], start)
                    self._suspected[key] = landing

    def _postpone(
        self, frame: Frame, look: BoardReading, found: Comparison
    ) -> Iterator[BoardEvent]:
        """Has what could not be told looked at again, ever more rarely, and says so."""
        for space in found.open:
            tries = self._spaces.tries(space)
            wait_s = min(CONFIRM_S * 2**tries, _LONGEST_WAIT_S)
            self._spaces.postpone([space], frame.timestamp_s + wait_s)
            doubt = _doubt(frame.timestamp_s, look, space)
            if tries == _TOLD_AFTER and doubt.text not in self._doubts:
                self._doubts.add(doubt.text)
                yield doubt

    def _landing_of_space(self, frame: Frame, change: SpaceChange) -> Landing:
        after = change.after
        if change.before is None:
            return Landing(0, 0.0, 0.0, 1.0)
        return self._landing(frame, after.quad_px, (after.row, after.col), None)

    def _landing_of_chip(self, frame: Frame, chip: ChipReading, laid_s: float | None) -> Landing:
        if laid_s == 0.0:
            return Landing(0, 0.0, 0.0, 1.0)
        quad = _inner(chip.quad_px)
        return self._landing(frame, quad, (chip.row, chip.col), laid_s)

    def _landing(self, frame: Frame, quad: Quad, space: Space, from_s: float | None) -> Landing:
        """When the present look of a quad began, no earlier than its space was disturbed."""
        since_s = min(self._spaces.since_s(space), frame.timestamp_s)
        start_s = since_s - _BEFORE_S if from_s is None else from_s
        with stopwatch("lookback"):
            earliest_s = max(start_s, frame.timestamp_s - LOOK_BACK_S)
            return self._attention.landing_of(quad, frame, earliest_s, find_landing_by_hand)

    def _take_place(self, place: BoardPlace) -> None:
        self._place = place
        self._brightness = self._attention.ring.brightness
        self._placed_s = self.now_s
        self._spaces.place(place.view)

    def _lit(self, place: BoardPlace) -> BoardPlace:
        """The place with its print as bright as it is now."""
        ratio = self._attention.ring.brightness / self._brightness
        patches = replace(place.patches, gains=place.patches.gains * ratio)
        return replace(place, patches=patches)

    def _refine(self, frame: Frame) -> None:
        """Fits the board to the picture once more, where enough of its print is in view."""
        self._placed_s = frame.timestamp_s
        if self._place is None:
            return
        with stopwatch("board"):
            found = self._reader.finder.refine(frame.to_bgr(), self._place.view)
        if found is not None:
            self._take_place(found)

    def _move(
        self, frame: Frame, homography: NDArray[np.float64], shift_px: float
    ) -> Iterator[BoardEvent]:
        """Carries everything over to where the picture went."""
        if self._place is None:
            return
        view = self._place.view
        moved = BoardView(np.asarray(homography @ view.matrix), view.lens, view.image_wh)
        self._attention.restart(frame, homography)
        self._take_place(replace(self._place, view=moved))
        self._memory.move(lambda quad: _carried(quad, homography))
        spaces = list(np.ndindex(self._reader.board.rows, self._reader.board.cols))
        self._spaces.disturb(spaces, frame.timestamp_s)
        is_news = frame.timestamp_s - self._moved_s > _ONE_BUMP_S
        self._moved_s, self._is_placed_anew = frame.timestamp_s, True
        if is_news:
            text = f"the camera was moved by {shift_px:.0f} pixels; the board was found again"
            yield Notice(frame.timestamp_s, "camera-moved", text)


def _doubt(timestamp_s: float, look: BoardReading, space: Space) -> Notice:
    """What people are told of a space that cannot be read."""
    seen = next(each for each in look.spaces if (each.row, each.col) == space)
    where = f"row {space[0]}, column {space[1]}"
    chips = [chip for chip in look.chips if (chip.row, chip.col) == space]
    for chip in chips:
        if not is_sure_chip(chip):
            other = f" or {chip.runner_up}" if chip.runner_up else ""
            text = f"a chip on {chip.quarter} of {where} cannot be told for sure: {chip.face_id}"
            return Notice(timestamp_s, "chip-in-doubt", text + other)
    if seen.state is SpaceState.UNSEEN:
        return Notice(timestamp_s, "space-hidden", f"{where} cannot be seen")
    either = _words(None if seen.face_id is None else (seen.face_id, seen.rotation))
    text = f"{where} cannot be told for sure: {either} or {_words(seen.runner_up)}"
    return Notice(timestamp_s, "space-in-doubt", text)


def _words(lying: tuple[str, int] | None) -> str:
    return "nothing" if lying is None else f"{lying[0]} turned by {lying[1]}°"


def _inner(quad: Quad) -> Quad:
    corners = np.asarray(quad)
    middle = corners.mean(axis=0)
    return _quad(middle + _INNER * (corners - middle))


def _carried(quad: Quad, homography: NDArray[np.float64]) -> Quad:
    points = np.asarray(quad, np.float64)[None]
    return _quad(cv2.perspectiveTransform(points, homography)[0])


def _quad(corners: NDArray[np.float64]) -> Quad:
    first, second, third, fourth = ((float(x), float(y)) for x, y in corners)
    return first, second, third, fourth
