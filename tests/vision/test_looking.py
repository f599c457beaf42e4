"""What came to rest is looked at by a detector only where more may lie there than was known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.films import CardFilm
from tests.vision.test_pipeline import PatternReader
from vision.attention import Attention
from vision.frame import Frame
from vision.gate import Cells
from vision.looking import Looker
from vision.slots import Slot, SlotBook
from vision.table import PieceKind, PieceReading, Quad

FILM = CardFilm(lands_at=30, count=50, noise=1)
CARD: Quad = ((90, 60), (156, 60), (156, 150), (90, 150))
UPPER_PART: Quad = ((90, 60), (156, 60), (156, 120), (90, 120))


def watched(*, is_other_beside: bool = False) -> tuple[Attention, Frame, Cells]:
    """A film in which a card lands, its last frame, and what came to rest looking different."""
    frames = list(FILM.frames())
    if is_other_beside:
        for frame in frames[32:]:
            frame.luma[60:120, 170:220] = 240
    attention = Attention(frames[0])
    for frame in frames[1:]:
        attention.take(frame)
    return attention, frames[-1], attention.gate.settled(frames[-1].timestamp_s)


def slots(attention: Attention, frame: Frame, *quads: Quad) -> SlotBook:
    """Pieces that were read as they lie in a frame, each one above those before it."""
    book = SlotBook()
    for number, quad in enumerate(quads):
        piece = PieceReading(PieceKind.CARD, 0.99, quad, face_id=f"a{number:02}")
        book.add(Slot(0, piece, 0.0, (), look=attention.look_of(quad, frame)))
    return book


def test_a_known_card_explains_that_its_place_has_changed() -> None:
    attention, frame, cells = watched()
    book = slots(attention, frame, CARD)
    look = Looker(PatternReader(), book).recall(attention, frame, cells)
    assert cells.any()
    assert look is not None
    assert look.unchanged == {slot.number for slot in book}
    assert not attention.gate.settled(frame.timestamp_s).any()


@pytest.mark.parametrize("case", ["other beside it", "looks otherwise", "one above it"])
def test_what_known_cards_do_not_explain_is_looked_at(case: str) -> None:
    attention, frame, cells = watched(is_other_beside=case == "other beside it")
    book = slots(attention, frame, CARD)
    if case == "looks otherwise":
        noise = np.random.default_rng(5).integers(0, 255, frame.luma.shape, np.uint8)
        book = slots(attention, replace(frame, luma=noise), CARD)
    if case == "one above it":
        book = slots(attention, frame, CARD, UPPER_PART)
        _, upper = book
        book.update(replace(upper, look=None))
    assert Looker(PatternReader(), book).recall(attention, frame, cells) is None
    assert (attention.gate.settled(frame.timestamp_s) == cells).all()
