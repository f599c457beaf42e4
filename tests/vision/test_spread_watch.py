"""A table at rest is read once; what one look could not name is named by the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.faces import FaceSource
from vision.frame import Frame, Image
from vision.resources import find_resource
from vision.spread_watch import Expected, SpreadWatcher
from vision.still import open_reader
from vision.table import Notice, PieceKind, Settled, TableReading

FPS = 10
SIZE_HW = (360, 480)
CARD_WH = (80, 112)
PLACES = {"h03": (40, 30), "h10": (140, 34), "h17": (240, 28), "h07": (340, 36)}
FOLDER = find_resource("datasets/decks/exploring-galapagos") / "cards"
FACES = [
    FaceSource(path.stem, "back" if path.stem.startswith("back") else "habitat",
               path.read_bytes(), (63.5, 88.9))
    for path in sorted(Path(FOLDER).iterdir())
]  # fmt: skip
FACES_BY_ID = {face.id: face for face in FACES}
TABLE = cv2.GaussianBlur(
    np.random.default_rng(5).integers(70, 150, (*SIZE_HW, 3)).astype(np.uint8), (0, 0), 2
)


def picture(places: Mapping[str, tuple[int, int]], glare: tuple[int, int] | None = None) -> Image:
    """Cards on a table, and a lamp that washes one out."""
    shown = TABLE.copy()
    for card, (x, y) in places.items():
        data = np.frombuffer(FACES_BY_ID[card].data, np.uint8)
        face = cv2.imdecode(data, cv2.IMREAD_COLOR)
        shown[y : y + CARD_WH[1], x : x + CARD_WH[0]] = cv2.resize(
            face, CARD_WH, interpolation=cv2.INTER_AREA
        )
    if glare is not None:
        cv2.ellipse(shown, (glare[0] + 40, glare[1] + 56), (36, 50), 0, 0, 360, (250,) * 3, -1)
    return np.asarray(shown, np.uint8)


@dataclass
class Film:
    """Pictures, each for some seconds."""

    scenes: list[tuple[Image, float]]
    broken: str | None = None
    frame_count: int | None = None

    def frames(self) -> Iterator[Frame]:
        index = 0
        for image, seconds in self.scenes:
            for _ in range(round(seconds * FPS)):
                rng = np.random.default_rng(index)
                shaken = np.clip(image + rng.normal(0, 1.2, image.shape), 0, 255).astype(np.uint8)
                luma = np.asarray(cv2.cvtColor(shaken, cv2.COLOR_BGR2GRAY), np.uint8)
                yield Frame(index, index / FPS, luma, lambda shaken=shaken: shaken)
                index += 1


def names(reading: TableReading) -> set[str | None]:
    return {piece.face_id for piece in reading.pieces if piece.kind is not PieceKind.HAND}


def is_named(count: int):
    return lambda reading: len(names(reading) - {None}) >= count


@pytest.fixture(scope="module")
def watch():
    reader = open_reader(FACES)

    def watch(film: Film, cards: int = 4):
        expected = Expected(3, is_named(cards), lambda _: False)
        return list(SpreadWatcher(reader, FACES, expected).watch(film))

    return watch


def test_bare_table_is_not_read(watch):
    film = Film([(TABLE, 1.5)])
    assert [names(event.reading) for event in watch(film)] == [set()]


def test_table_at_rest_is_read_once_and_let_go_when_it_is_cleared(watch):
    film = Film([(TABLE, 0.5), (picture(PLACES), 2.5), (TABLE, 1.0)])
    events = watch(film)
    assert [names(event.reading) for event in events] == [{*PLACES}, set()]
    assert [0.9 <= events[0].timestamp_s <= 1.2, events[1].timestamp_s >= 3.4] == [True, True]


def test_looks_at_one_rest_name_together_what_none_of_them_could(watch):
    first, second = PLACES["h10"], PLACES["h07"]
    film = Film([(picture(PLACES, first), 1.2), (picture(PLACES, second), 1.2)])
    seen = [names(event.reading) for event in watch(film)]
    assert "h10" not in seen[0]
    assert {*PLACES} <= seen[-1]


def test_moved_camera_is_told_and_the_table_read_in_its_new_place(watch):
    bumped = {card: (x + 14, y + 9) for card, (x, y) in PLACES.items()}
    before, after = picture(PLACES), picture(bumped)
    events = watch(Film([(before, 1.0), (after, 1.2)]))
    notices = [event for event in events if isinstance(event, Notice)]
    assert [notice.code for notice in notices] == ["camera-moved"]
    assert isinstance(events[-1], Settled)
    places = {piece.face_id: piece.quad_px[0] for piece in events[-1].reading.pieces}
    for card, at in bumped.items():
        assert np.allclose(places[card], at, atol=3)


def test_broken_stream_is_told(watch):
    events = watch(Film([(TABLE, 0.3)], broken="decoding stopped"))
    assert [event.code for event in events if isinstance(event, Notice)] == ["stream-broken"]
