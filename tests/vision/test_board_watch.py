"""A board watched frame by frame: hands, cards that come and go, a camera that is bumped."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.films import Picture, as_bgr, patterned
from vision.board_registration import Patches, Registration
from vision.board_view import BoardView, Lens
from vision.board_watch import BoardWatcher
from vision.errors import NoTableError
from vision.frame import Frame
from vision.table import (
    BoardEvent,
    BoardReading,
    BoardSettled,
    CardLaid,
    CardLifted,
    Notice,
    SpaceReading,
    SpaceState,
)

FPS, SIDE = 30, 80
ROWS, COLS, LEFT, TOP = 2, 3, 200, 100
SIZE_WH = (640, 360)
Space = tuple[int, int]

TABLE = (patterned(SIZE_WH[1], SIZE_WH[0], 1) // 4 + 90).astype(np.uint8)
FACES = {name: patterned(SIDE, SIDE, seed) for seed, name in enumerate(("a", "b", "c"), 11)}
HAND = patterned(SIZE_WH[1], SIZE_WH[0], 5)


def draw(
    cards: Mapping[Space, str], hand: Space | None, shift: tuple[int, int] = (0, 0)
) -> Picture:
    """The board with cards; a hand that comes from the lower edge and covers a space."""
    picture = TABLE.copy()
    for (row, col), face in cards.items():
        top, left = TOP + row * SIDE, LEFT + col * SIDE
        picture[top : top + SIDE, left : left + SIDE] = FACES[face]
    if hand is not None:
        top, left = TOP + hand[0] * SIDE - 10, LEFT + hand[1] * SIDE - 20
        picture[top:, left : left + SIDE + 60] = HAND[top:, left : left + SIDE + 60]
    return np.roll(picture, shift, (0, 1))


@dataclass
class Source:
    """Frames drawn one by one."""

    count: int
    picture: Callable[[int], Picture]
    frame_count: int | None = None
    broken: str | None = None

    def frames(self) -> Iterator[Frame]:
        for index in range(self.count):
            luma = self.picture(index)
            yield Frame(index, index / FPS, luma, as_bgr(luma))


@dataclass
class Reader:
    """Reads the drawn board by comparing each space with the faces and the bare table."""

    shift: tuple[int, int] = (0, 0)
    looks: list[tuple[float, tuple[Space, ...]]] = field(default_factory=list)
    board: Any = field(default_factory=lambda: SimpleNamespace(rows=ROWS, cols=COLS))

    @property
    def finder(self) -> Reader:
        return self

    def meaning(self, space: SpaceReading) -> str:
        return str(space.face_id)

    def find(self, image: Picture, corners_px: object = None) -> Registration:
        if image.max() < 30:
            raise NoTableError("expected the board of this deck, and found none")
        return self.refine(image, None)

    def refine(self, image: Picture, start: object) -> Registration:
        down, right = self.shift
        matrix = np.array([[SIDE, 0, LEFT + right - 0.5], [0, SIDE, TOP + down - 0.5], [0, 0, 1.0]])
        patches = Patches(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros((0, 3)))
        return Registration(BoardView(matrix, Lens.of(SIZE_WH), SIZE_WH), patches)

    def read(
        self, image: Picture, place: Registration, t: float, spaces: Collection[Space]
    ) -> BoardReading:
        self.looks.append((t, tuple(spaces)))
        seen = tuple(self._space(image, place.view, space) for space in sorted(spaces))
        return BoardReading(t, *SIZE_WH, ROWS, COLS, seen, ())

    def _space(self, image: Picture, view: BoardView, space: Space) -> SpaceReading:
        row, col = space
        corners = np.array([[col, row], [col + 1, row], [col + 1, row + 1], [col, row + 1]])
        left, top = np.round(view.in_picture(corners)[0] + 0.5).astype(int)
        patch = image[top : top + SIDE, left : left + SIDE, 0]
        home = TABLE[TOP + row * SIDE :, LEFT + col * SIDE :][:SIDE, :SIDE]
        likeness = {name: correlation(patch, face) for name, face in FACES.items()}
        likeness[""] = correlation(patch, home)
        best = max(likeness, key=lambda name: likeness[name])
        state = SpaceState.COVERED if best else SpaceState.EMPTY
        if likeness[best] < 0.8:
            state = SpaceState.UNSEEN
        quad: Any = tuple((float(x), float(y)) for x, y in view.in_picture(corners))
        kind = "path" if best else None
        return SpaceReading(row, col, state, 0.99, quad, best or None, kind, explained=0.9)


def correlation(one: Picture, other: Picture) -> float:
    return float(cv2.matchTemplate(one, other, cv2.TM_CCOEFF_NORMED)[0, 0])


def watched(
    count: int, picture: Callable[[int], Picture], reader: Reader | None = None
) -> list[BoardEvent]:
    watcher = BoardWatcher(reader or Reader())  # type: ignore[arg-type]
    return list(watcher.watch(Source(count, picture)))


def news(events: list[BoardEvent]) -> list[BoardEvent]:
    return [event for event in events if not isinstance(event, BoardSettled)]


def by_hand(
    before: Mapping[Space, str], after: Mapping[Space, str], at: Space, rest: int = 8
) -> Callable[[int], Picture]:
    """A hand comes in frame 10, rests over a space, is gone in frame 10 + `rest` + 4."""

    def picture(index: int) -> Picture:
        if index < 10:
            return draw(before, None)
        if index < 14:  # it slides up from the edge
            return draw(before, (at[0] + 14 - index, at[1]))
        if index < 14 + rest:
            return draw(after, at)
        return draw(after, None)

    return picture


def test_a_board_at_rest_tells_what_lies_there_at_first_and_is_not_looked_at_again() -> None:
    reader = Reader()
    events = watched(60, lambda _: draw({(0, 1): "a", (1, 2): "b"}, None), reader)
    laid = [(event.timestamp_s, event.space.face_id) for event in news(events)]  # type: ignore[union-attr]
    assert laid == [(0.0, "a"), (0.0, "b")]
    assert len(reader.looks) == 1


def test_a_card_laid_by_a_hand_is_read_when_the_hand_has_gone_and_dated_to_its_rest() -> None:
    reader = Reader()
    events = watched(60, by_hand({}, {(0, 1): "a"}, (0, 1)), reader)
    (laid,) = news(events)
    assert isinstance(laid, CardLaid)
    assert (laid.space.row, laid.space.col, laid.space.face_id) == (0, 1, "a")
    assert laid.frame_index == 14
    assert all(t >= 22 / FPS for t, _ in reader.looks[1:])
    assert all((1, 0) not in spaces for _, spaces in reader.looks[1:])


def test_a_hand_that_rests_over_the_board_changes_nothing() -> None:
    reader = Reader()
    cards = {(0, 1): "a"}
    events = watched(120, by_hand(cards, cards, (0, 1), rest=30), reader)
    assert [type(event) for event in news(events)] == [CardLaid]
    assert len(reader.looks) == 1


def test_a_card_taken_away_is_told_after_a_second_look() -> None:
    reader = Reader()
    events = watched(90, by_hand({(0, 1): "a"}, {}, (0, 1)), reader)
    lifted = news(events)[-1]
    assert isinstance(lifted, CardLifted)
    assert (lifted.space.row, lifted.space.col) == (0, 1)
    assert len([spaces for _, spaces in reader.looks[1:] if (0, 1) in spaces]) == 2


def test_what_was_hidden_at_first_has_lain_there_from_the_start() -> None:
    def picture(index: int) -> Picture:
        return draw({(0, 1): "a"}, (0, 1) if index < 20 else None)

    (laid,) = news(watched(80, picture))
    (same,) = news(watched(40, picture))
    assert laid == same
    assert isinstance(laid, CardLaid)
    assert laid.timestamp_s == 0.0


def test_a_bumped_camera_is_told_once_and_nothing_moves_on_the_board() -> None:
    cards = {(0, 1): "a", (1, 2): "b", (1, 0): "c"}
    reader = Reader()

    def picture(index: int) -> Picture:
        if index < 30:
            return draw(cards, None)
        reader.shift = (6, 9)
        return draw(cards, None, (6, 9))

    events = news(watched(90, picture, reader))
    assert [type(event) for event in events] == [CardLaid, CardLaid, CardLaid, Notice]
    assert isinstance(events[-1], Notice)
    assert events[-1].code == "camera-moved"


def test_a_board_that_is_seen_later_is_read_then() -> None:
    black = np.zeros(SIZE_WH[::-1], np.uint8)
    cards = {(0, 1): "a"}
    events = watched(60, lambda index: black if index < 20 else draw(cards, None))
    assert [type(event) for event in news(events)] == [Notice, CardLaid]


def test_a_recording_without_the_board_is_refused() -> None:
    black = np.zeros(SIZE_WH[::-1], np.uint8)
    with pytest.raises(NoTableError, match="expected the board"):
        watched(40, lambda _: black)


def test_a_space_that_cannot_be_read_is_remarked_once() -> None:
    strange = np.flipud(patterned(SIDE, SIDE, 77))

    def picture(index: int) -> Picture:
        image = draw({}, None)
        if index >= 10:
            image[TOP : TOP + SIDE, LEFT : LEFT + SIDE] = strange
        return image

    events = news(watched(300, picture))
    assert [(type(event), getattr(event, "code", "")) for event in events] == [
        (Notice, "space-hidden")
    ]


def test_what_is_still_in_doubt_at_the_end_is_remarked() -> None:
    class Unsure(Reader):
        def _space(self, image: Picture, view: BoardView, space: Space) -> SpaceReading:
            seen = super()._space(image, view, space)
            is_other = seen.face_id == "a"
            return replace(seen, state=SpaceState.DOUBTFUL) if is_other else seen

    events = news(watched(40, by_hand({}, {(0, 1): "a"}, (0, 1)), Unsure()))
    assert [(type(event), getattr(event, "code", "")) for event in events] == [
        (Notice, "space-in-doubt")
    ]
