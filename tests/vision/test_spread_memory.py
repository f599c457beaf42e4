"""What several looks at a table have seen, taken together."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.films import as_bgr, patterned
from vision.attention import Attention
from vision.faces import FaceSource
from vision.frame import Frame
from vision.slots import to_quad
from vision.spread_memory import SpreadMemory, camera_shift
from vision.table import PieceKind, PieceReading, TableReading

SIZE_HW = (240, 320)
FACES = [FaceSource(face, "habitat", b"", (60.0, 90.0)) for face in ("h1", "h2", "h3")]
HERE, THERE = (40, 60), (200, 60)


def quad(place, size=(60, 90)):
    (x, y), (wide, high) = place, size
    return to_quad(np.array([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)], float))


def seen(place, face=None, kind=PieceKind.CARD, score=0.9, runner_up=None):
    return PieceReading(kind, score, quad(place), None, face, face and "habitat", runner_up)


class Table:
    """A table whose picture is given as which pattern lies where; every change is a look."""

    def __init__(self):
        self.index = 0
        self.memory = SpreadMemory(FACES)
        self.attention = Attention(self._frame({}))

    def look(self, lying, *pieces):
        """Takes a look at patterns by place, that reads so, and returns what is known then."""
        self.index += 1
        frame = self._frame(lying)
        self.attention.take(frame)
        cells = np.ones_like(self.attention.gate.moving)
        reading = TableReading(frame.timestamp_s, SIZE_HW[1], SIZE_HW[0], pieces)
        known = self.memory.take(self.attention, frame, reading, cells)
        return {
            piece.face_id: piece.quad_px[0]
            for piece in known.pieces
            if piece.kind is not PieceKind.HAND
        }

    def let_go(self, lying, *over):
        self.index += 1
        frame = self._frame(lying)
        self.attention.take(frame)
        return self.memory.let_go(self.attention, frame, [quad(place) for place in over])

    def _frame(self, lying):
        picture = np.full(SIZE_HW, 120, np.uint8)
        for (x, y), seed in lying.items():
            picture[y : y + 90, x : x + 60] = patterned(90, 60, seed)
        return Frame(self.index, self.index * 0.5, picture, as_bgr(picture))


@pytest.fixture
def table():
    return Table()


def test_bare_table(table):
    assert table.look({}) == {}
    assert table.let_go({}) is False


def test_name_of_one_look_is_kept_where_the_next_cannot_tell(table):
    lying = {HERE: 1}
    assert table.look(lying, seen(HERE, "h1")) == {"h1": HERE}
    assert table.look(lying, seen(HERE)) == {"h1": HERE}
    assert table.look(lying) == {"h1": HERE}


def test_later_look_names_what_had_no_name(table):
    lying = {HERE: 1}
    assert table.look(lying, seen(HERE)) == {None: HERE}
    assert [piece.quad_px[0] for piece in table.memory.unnamed] == [HERE]
    assert table.look(lying, seen(HERE, "h1")) == {"h1": HERE}
    assert table.memory.unnamed == ()


def test_card_is_gone_where_its_place_looks_otherwise(table):
    table.look({HERE: 1}, seen(HERE, "h1"))
    assert table.look({}) == {}


def test_card_under_a_hand_is_still_there(table):
    table.look({HERE: 1}, seen(HERE, "h1"))
    assert table.look({HERE: 9}, seen(HERE, kind=PieceKind.HAND)) == {"h1": HERE}


def test_other_card_in_the_place_of_one(table):
    table.look({HERE: 1}, seen(HERE, "h1"))
    assert table.look({HERE: 2}, seen(HERE, "h2")) == {"h2": HERE}
    assert table.look({HERE: 3}, seen(HERE, runner_up="h3")) == {None: HERE}


def test_what_seemed_to_lie_there_and_is_not_seen_again_is_nothing(table):
    table.look({HERE: 1}, seen(HERE))
    assert table.look({HERE: 1}) == {}


def test_card_that_was_moved_lies_in_one_place(table):
    table.look({HERE: 1}, seen(HERE, "h1"))
    assert table.look({THERE: 1}, seen(THERE, "h1")) == {"h1": THERE}


def test_face_that_still_lies_in_its_place_was_misread_elsewhere(table):
    table.look({HERE: 1}, seen(HERE, "h1"))
    lying = {HERE: 1, THERE: 2}
    assert table.look(lying, seen(THERE, "h1")) == {"h1": HERE, None: THERE}


def test_cards_are_let_go_without_a_reading(table):
    table.look({HERE: 1, THERE: 2}, seen(HERE, "h1"), seen(THERE, "h2"))
    assert table.let_go({HERE: 1, THERE: 2}) is False
    assert table.let_go({}, HERE) is True
    assert [piece.face_id for piece in table.memory.pieces] == ["h1"]


def test_all_pieces_lie_on_one_plane_once_two_are_named(table):
    frame = table._frame({})
    table.look({HERE: 1}, seen(HERE, "h1"))
    assert table.memory.reading(frame).pieces[0].quad_mm is None
    table.look({HERE: 1, THERE: 2}, seen(HERE, "h1"), seen(THERE, "h2"))
    quads = [np.array(piece.quad_mm) for piece in table.memory.reading(frame).pieces]
    for corners in quads:
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        assert np.allclose(sides, [60, 90, 60, 90], atol=0.5)


PLACES = [(30, 40), (120, 40), (210, 40), (40, 130)]


def lying_at(places):
    return [seen(place, f"h{number}") for number, place in enumerate(places)]


@pytest.mark.parametrize(
    ("after", "shift"),
    [
        ([], None),
        (PLACES, None),
        ([(x + 2, y) for x, y in PLACES], None),
        ([(x + 12, y + 5) for x, y in PLACES], 13.0),
        ([(x - 0.05 * y + 20, y + 0.05 * x) for x, y in PLACES], 19.5),
        ([(x + 40 * (x > 100), y) for x, y in PLACES], None),
    ],
    ids=["gone", "still", "pushed", "shifted", "turned", "two of them moved"],
)
def test_camera_was_moved_where_all_cards_went_the_same_way(after, shift):
    told = camera_shift(lying_at(PLACES), lying_at(after))
    assert told == (shift if shift is None else pytest.approx(shift, abs=1.0))
