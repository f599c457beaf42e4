from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.tables import (
    CARD_MM,
    Lying,
    boxes_around,
    deck_gallery,
    deck_sources,
    draw_table,
    source,
)
from vision.detection import Detections
from vision.errors import WeightsError
from vision.faces import Face
from vision.gallery import Gallery
from vision.gate import Region
from vision.still import TableReader, open_reader, read_still
from vision.table import PieceKind, PieceReading, TableReading

LAYOUT = [
    Lying("a01", 60, 70, 3),
    Lying("a12", 150, 70, -4),
    Lying("a23", 240, 72, 180),
    Lying("t07", 340, 75, 90),
    Lying("a30", 60, 190, 2),
    Lying("a08", 150, 190, -176),
    Lying("cam-green", 168, 200, 15),
    Lying("back-animal", 260, 190, 5),
]
KINDS = [PieceKind.CARD] * 6 + [PieceKind.CAMERA, PieceKind.BACK]


class Told:
    """A detector that is told what to find; keeps the size of the pictures it was given."""

    def __init__(self, detections: Detections) -> None:
        self.detections = detections
        self.asked: list[tuple[int, ...]] = []

    def detect(self, image_bgr: NDArray[np.uint8], share: float = 1.0) -> Detections:
        self.asked.append((*image_bgr.shape, share))
        return self.detections


@pytest.fixture(scope="module")
def reading() -> TableReading:
    boxes = boxes_around(LAYOUT, KINDS, noise=0.03, seed=1)
    return read_still(draw_table(LAYOUT), Told(boxes), deck_gallery())


def by_id(reading: TableReading) -> dict[str | None, PieceReading]:
    return {piece.face_id: piece for piece in reading.pieces}


def test_every_piece_is_named(reading: TableReading) -> None:
    assert sorted(str(p.face_id) for p in reading.pieces) == sorted(p.id for p in LAYOUT)
    assert (reading.width_px, reading.height_px) == (1000, 700)


def test_quads_start_at_the_top_left_of_the_face(reading: TableReading) -> None:
    for card in LAYOUT[:7]:  # the back looks the same upside down
        most_px = 4 if card.id == "a08" else 1.5  # two corners of it are hidden
        assert np.abs(np.array(by_id(reading)[card.id].quad_px) - card.quad).max() < most_px


def test_the_camera_lies_above_its_card_and_hides_part_of_it(reading: TableReading) -> None:
    order = [piece.face_id for piece in reading.pieces]
    assert order.index("cam-green") > order.index("a08")
    assert by_id(reading)["cam-green"].visible == 1
    assert by_id(reading)["a08"].visible == pytest.approx(0.37, abs=0.08)
    assert by_id(reading)["cam-green"].kind is PieceKind.CAMERA


def test_cards_have_their_size_on_the_table(reading: TableReading) -> None:
    for piece in reading.pieces:
        assert piece.quad_mm is not None
        corners = np.array(piece.quad_mm)
        assert np.linalg.norm(corners[1] - corners[0]) == pytest.approx(63, abs=1.5)
        assert np.linalg.norm(corners[3] - corners[0]) == pytest.approx(88, abs=1.5)


def test_the_gallery_has_the_last_word_on_the_kind() -> None:
    cards = LAYOUT[:3]
    boxes = boxes_around(cards, [PieceKind.CAMERA, PieceKind.BACK, PieceKind.CARD])
    reading = read_still(draw_table(cards), Told(boxes), deck_gallery())
    assert {piece.kind for piece in reading.pieces} == {PieceKind.CARD}


def test_one_piece_found_twice_is_one_piece() -> None:
    cards = [*LAYOUT[:2], Lying("a12", 154, 72, -2)]
    boxes = boxes_around(cards, [PieceKind.CARD, PieceKind.CARD, PieceKind.CAMERA])
    reading = read_still(draw_table(LAYOUT[:2]), Told(boxes), deck_gallery())
    assert sorted(str(p.face_id) for p in reading.pieces) == ["a01", "a12"]


def test_a_face_that_exists_once_is_not_named_twice() -> None:
    cards = [LAYOUT[0], Lying("a01", 160, 70, 8)]
    boxes = boxes_around(cards, [PieceKind.CARD, PieceKind.CARD])
    reading = read_still(draw_table(cards), Told(boxes), deck_gallery())
    assert sorted(str(p.face_id) for p in reading.pieces) == ["None", "a01"]


def test_what_is_no_card_stays_without_a_name_and_a_hand_is_a_hand() -> None:
    cards = [LAYOUT[0], Lying("a12", 300, 200)]
    boxes = boxes_around(cards, [PieceKind.CARD, PieceKind.HAND])
    reading = read_still(draw_table(cards[:1]), Told(boxes), deck_gallery())
    assert [(p.kind, p.face_id) for p in reading.pieces] == [
        (PieceKind.CARD, "a01"),
        (PieceKind.HAND, None),
    ]


def test_nothing_found() -> None:
    reading = read_still(draw_table([]), Told(Detections.empty()), deck_gallery())
    assert reading.pieces == ()


def test_a_region_is_read_in_pixels_of_the_whole_picture() -> None:
    card = LAYOUT[0]
    told = Told(boxes_around([card], [PieceKind.CARD]).shifted((-30, -20)))
    reader = TableReader(told, deck_gallery())
    reading = reader.read(draw_table([card]), 1.5, Region(30, 20, 430, 320))
    assert told.asked == [(300, 400, 3, 0.4)]
    assert reading.timestamp_s == 1.5
    assert np.abs(np.array(reading.pieces[0].quad_px) - card.quad).max() < 2.5


def test_detect_names_nothing() -> None:
    card = LAYOUT[0]
    reader = TableReader(Told(boxes_around([card], [PieceKind.CARD])), deck_gallery())
    (piece,) = reader.detect(draw_table([card])).pieces
    assert (piece.kind, piece.face_id) == (PieceKind.CARD, None)
    assert piece.score == pytest.approx(0.9)


def test_a_reader_without_a_deck_can_detect() -> None:
    assert open_reader(()).detect(draw_table([])).width_px == 1000


def test_a_detector_that_cannot_be_loaded_is_told_when_it_is_needed(tmp_path: Path) -> None:
    reader = open_reader((), tmp_path / "gone.onnx")
    with pytest.raises(WeightsError, match=r"gone\.onnx: expected weights .*No such file"):
        reader.detect(draw_table([]))


def test_a_card_that_lies_open_is_not_the_one_whose_strip_peeks_out() -> None:
    """Two cards differ on the right only: where one lies open, the covered one is the other."""
    alike, other = (
        cv2.imdecode(np.frombuffer(source(i).data, np.uint8), 1) for i in ("a08", "a23")
    )
    half = alike.shape[1] * 6 // 10
    twin = Face("twin", "animal", np.hstack([alike[:, :half], other[:, half:]]), CARD_MM)
    faces = [
        Face(s.id, s.kind, cv2.imdecode(np.frombuffer(s.data, np.uint8), 1), s.size_mm, s.player)
        for s in deck_sources()
    ]
    cards = [*LAYOUT[:4], Lying("a08", 60, 190, 2), Lying("a08", 200, 190), Lying("a30", 230, 192)]
    picture, boxes = draw_table(cards), boxes_around(cards, [PieceKind.CARD] * 7)
    for gallery, expected in ((deck_gallery(), None), (Gallery.from_faces([*faces, twin]), "twin")):
        reading = read_still(picture, Told(boxes), gallery)
        names = {piece.face_id for piece in reading.pieces}
        assert {card.id for card in cards} <= names
        assert (names - {card.id for card in cards}) - {None} == {expected} - {None}
