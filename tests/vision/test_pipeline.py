"""Events of whole little films: what lands, when, and what is let go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from tests.vision.films import CardFilm, as_bgr, patterned
from vision.detection import Detections
from vision.frame import Frame, Image
from vision.gate import Region
from vision.looking import Gains
from vision.pipeline import TableWatcher
from vision.seen_light import AS_PRINTED
from vision.seen_plane import Corners
from vision.sighting import Effort
from vision.slots import to_quad
from vision.table import (
    Landed,
    Lifted,
    Notice,
    PieceKind,
    PieceReading,
    Settled,
    TableEvent,
    TableReading,
)


@dataclass
class PatternReader:
    """Sees the film's card wherever its pattern is in the picture, half of it hidden or not."""

    looks: list[Region | None] = field(default_factory=list)

    def find(
        self, image_bgr: Image, region: Region | None = None, scale: float = 1.0
    ) -> Detections:
        self.looks.append(region)
        card = patterned(90, 66, 2).astype(int)
        luma = image_bgr[..., 0].astype(int)
        places = [
            (top, left)
            for top in range(0, luma.shape[0] - 90, 10)
            for left in range(0, luma.shape[1] - 66, 5)
            if np.median(np.abs(luma[top : top + 30, left : left + 66] - card[:30])) < 8
        ]
        quads = [
            [[x, y], [x + 66, y], [x + 66, y + 90], [x, y + 90]]
            for y, x in places
            if region is None or (region.left <= x < region.right and region.top <= y)
        ]
        if not quads:
            return Detections.empty()
        count = len(quads)
        return Detections(
            np.array(quads, np.float32), np.zeros(count, np.int64), np.ones(count, np.float32)
        )

    @property
    def kinds(self) -> frozenset[PieceKind]:
        return frozenset({PieceKind.CARD})

    def read_detections(
        self,
        image_bgr: Image,
        detections: Detections,
        timestamp_s: float,
        *,
        efforts: Sequence[Effort],
    ) -> TableReading:
        pieces = tuple(
            PieceReading(PieceKind.CARD, 0.99, to_quad(quad), face_id="a01", face_kind="animal")
            for quad in detections.quads
        )
        height, width = image_bgr.shape[:2]
        return TableReading(timestamp_s, width, height, pieces)

    def name_held(
        self,
        image_bgr: Image,
        quads: Sequence[Corners],
        gains: Gains,
        known: Sequence[PieceReading],
    ) -> PieceReading | None:
        return None

    def gains_of(self, image_bgr: Image, reading: TableReading) -> Gains:
        return AS_PRINTED


@dataclass
class FilmSource:
    """A film as a source."""

    film: CardFilm
    bump_at: int = 10_000
    broken: str | None = None
    frame_count: int | None = None

    def frames(self) -> Iterator[Frame]:
        for frame in self.film.frames():
            if frame.index >= self.bump_at:
                luma = np.roll(frame.luma, (6, -10), axis=(0, 1))
                yield replace(frame, luma=luma, to_bgr=as_bgr(luma))
            else:
                yield frame


def watch(
    film: CardFilm, bump_at: int = 10_000, broken: str | None = None
) -> tuple[list[TableEvent], PatternReader]:
    reader = PatternReader()
    source = FilmSource(film, bump_at, broken)
    return list(TableWatcher(reader).watch(source)), reader


def of(kind: type, events: Sequence[TableEvent]) -> list[TableEvent]:
    return [event for event in events if isinstance(event, kind)]


def test_an_empty_table_settles_once_and_nothing_happens_c39() -> None:
    events, _ = watch(CardFilm(lands_at=10_000, count=40))
    assert [type(event) for event in events] == [Settled]


def test_a_landing_is_told_with_its_frame() -> None:
    events, _ = watch(CardFilm(lands_at=25, count=50))
    (landed,) = of(Landed, events)
    assert isinstance(landed, Landed)
    assert landed.frame_index == 25
    assert landed.timestamp_s == pytest.approx(25 / 30)
    assert landed.piece.face_id == "a01"


def test_a_hand_that_stays_on_the_card_does_not_delay_it_c30() -> None:
    events, _ = watch(CardFilm(lands_at=25, hand_until=45, count=70))
    (landed,) = of(Landed, events)
    assert isinstance(landed, Landed)
    assert landed.frame_index == 25


def test_what_lies_there_from_the_start_has_not_landed() -> None:
    events, _ = watch(CardFilm(lands_at=-50, count=60))
    assert of(Landed, events) == []
    first = events[0]
    assert isinstance(first, Settled)
    assert [piece.face_id for piece in first.reading.pieces] == ["a01"]


def test_a_card_that_is_taken_away_is_let_go_c40() -> None:
    events, _ = watch(CardFilm(lands_at=-50, leaves_at=30, count=80))
    (lifted,) = of(Lifted, events)
    assert isinstance(lifted, Lifted)
    assert 30 / 30 <= lifted.timestamp_s <= 45 / 30
    last = events[-1]
    assert isinstance(last, Settled)
    assert last.reading.pieces == ()


class StrangeReader(PatternReader):
    """Also finds a box, and no name for it, where the card lay before."""

    place: Corners = np.array([[90, 60], [156, 60], [156, 150], [90, 150]], np.float32)

    def find(
        self, image_bgr: Image, region: Region | None = None, scale: float = 1.0
    ) -> Detections:
        found = super().find(image_bgr, region)
        if len(found):
            return found
        return Detections(self.place[None], np.zeros(1, np.int64), np.ones(1, np.float32))

    def read_detections(
        self,
        image_bgr: Image,
        detections: Detections,
        timestamp_s: float,
        *,
        efforts: Sequence[Effort],
    ) -> TableReading:
        reading = super().read_detections(image_bgr, detections, timestamp_s, efforts=efforts)
        is_card = bool(len(super().find(image_bgr)))
        pieces = tuple(
            piece if is_card else replace(piece, face_id=None) for piece in reading.pieces
        )
        return replace(reading, pieces=pieces)


def test_a_card_under_something_without_a_name_is_not_let_go() -> None:
    film = CardFilm(lands_at=-50, leaves_at=30, count=80)
    events = list(TableWatcher(StrangeReader()).watch(FilmSource(film)))
    assert of(Lifted, events) == []
    last = events[-1]
    assert isinstance(last, Settled)
    assert [piece.face_id for piece in last.reading.pieces] == ["a01"]


def test_a_card_that_slides_across_counts_only_where_it_stays_c31() -> None:
    events, _ = watch(CardFilm(lands_at=40, step_px=5, count=70))
    assert [event.frame_index for event in of(Landed, events) if isinstance(event, Landed)] == [40]


def test_a_bumped_camera_is_told_and_makes_no_claim_c36() -> None:
    film = CardFilm(lands_at=-50, count=60, size=(240, 400))
    events, _ = watch(film, bump_at=30)
    (notice,) = of(Notice, events)
    assert isinstance(notice, Notice)
    assert notice.code == "camera-moved"
    assert of(Landed, events) == []
    assert of(Lifted, events) == []
    last = events[-1]
    assert isinstance(last, Settled)
    assert last.reading.pieces[0].quad_px[0] == pytest.approx((80, 66), abs=2)


def test_the_detector_is_not_asked_on_every_frame() -> None:
    _, reader = watch(CardFilm(lands_at=25, count=90))
    assert len(reader.looks) < 12


def test_a_broken_source_is_told_at_the_end() -> None:
    events, _ = watch(CardFilm(lands_at=-50, count=20), broken="decoding stopped after frame 20")
    (notice,) = of(Notice, events)
    assert isinstance(notice, Notice)
    assert notice.code == "stream-broken"


def test_the_same_film_gives_the_same_events() -> None:
    film = CardFilm(lands_at=25, hand_until=35, count=60)
    assert watch(film)[0] == watch(film)[0]


class CoverReader(PatternReader):
    """Sees a card that lies there from the start; names what is laid on it, and only in place."""

    place: Corners = np.array([[90, 60], [156, 60], [156, 150], [90, 150]], np.float32)

    @property
    def kinds(self) -> frozenset[PieceKind]:
        return frozenset({PieceKind.CARD, PieceKind.CAMERA})

    def find(
        self, image_bgr: Image, region: Region | None = None, scale: float = 1.0
    ) -> Detections:
        self.looks.append(region)
        if region is not None:
            return Detections.empty()
        return Detections(self.place[None], np.zeros(1, np.int64), np.ones(1, np.float32))

    def read_detections(
        self,
        image_bgr: Image,
        detections: Detections,
        timestamp_s: float,
        *,
        efforts: Sequence[Effort],
    ) -> TableReading:
        pieces = tuple(
            PieceReading(PieceKind.CARD, 0.99, to_quad(quad), to_quad(quad), "a02", "animal")
            for quad in detections.quads
        )
        height, width = image_bgr.shape[:2]
        return TableReading(timestamp_s, width, height, pieces)

    def name_held(
        self,
        image_bgr: Image,
        quads: Sequence[Corners],
        gains: Gains,
        known: Sequence[PieceReading],
    ) -> PieceReading | None:
        if not len(super().find(image_bgr)) or known:
            return None
        quad = to_quad(quads[0])
        return PieceReading(PieceKind.CAMERA, 0.99, quad, None, "cam-red", "camera", visible=0.6)


def test_a_camera_is_named_while_a_hand_holds_it_though_no_detector_finds_it() -> None:
    film = CardFilm(lands_at=25, hand_until=60, count=70)
    reader = CoverReader()
    watcher = TableWatcher(reader)
    known = [
        (watcher.now_s, event)
        for event in watcher.watch(FilmSource(film))
        if isinstance(event, Landed)
    ]
    ((known_s, landed),) = known
    assert landed.piece.face_id == "cam-red"
    assert landed.under == ("a02",)
    assert landed.frame_index == 25
    assert known_s < 25 / 30 + 0.2


def test_a_table_on_which_nothing_moves_is_looked_at_once() -> None:
    _, reader = watch(CardFilm(lands_at=-50, count=200))
    assert reader.looks == [None]


class BumpedReader(CoverReader):
    """The same, where the card lies when the camera has been moved in place for the pattern."""

    place: Corners = np.array([[90, 64], [156, 64], [156, 154], [90, 154]], np.float32)


def test_what_landed_as_the_camera_was_moved_is_found_all_the_same_c36() -> None:
    film = CardFilm(lands_at=25, count=90, size=(240, 400), place=(64, 90))
    watcher = TableWatcher(BumpedReader())
    events = list(watcher.watch(FilmSource(film, bump_at=26)))
    assert [notice.code for notice in events if isinstance(notice, Notice)] == ["camera-moved"]
    landed = [event for event in events if isinstance(event, Landed)]
    assert [event.piece.face_id for event in landed] == ["cam-red"]
