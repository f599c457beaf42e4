"""Dates of what a look has brought: a chip that is named later has lain there all the while."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vision.board_watch_dating import Dating
from vision.board_watch_memory import ChipChange, Comparison, SpaceChange
from vision.frame import Frame
from vision.lookback import Landing
from vision.table import (
    BoardReading,
    CardLaid,
    CardLifted,
    ChipLaid,
    ChipLifted,
    ChipReading,
    Quad,
    SpaceReading,
    SpaceState,
)

SQUARE: Quad = ((0.0, 0.0), (50.0, 0.0), (50.0, 50.0), (0.0, 50.0))
BARE = SpaceReading(0, 0, SpaceState.EMPTY, 0.99, SQUARE)
CARD = SpaceReading(0, 0, SpaceState.COVERED, 0.99, SQUARE, "a", "path")


class Past:
    """Frames of which every landing is dated to 0.4 s before the frame that asks."""

    def __init__(self) -> None:
        self.asked_from_s: list[float] = []

    def landing_of(
        self, quad: Quad, frame: Frame, from_s: float, find: object, margin: int
    ) -> Landing:
        self.asked_from_s.append(from_s)
        return Landing(frame.index - 12, frame.timestamp_s - 0.4, 0.02, 0.9)


def frame(t: float) -> Frame:
    blank = np.zeros((4, 4), np.uint8)
    return Frame(round(t * 30), t, blank, lambda: blank)


def chip(face: str, score: float = 0.999) -> ChipReading:
    return ChipReading(0, 0, "nw", face, score, SQUARE)


def look(t: float, *chips: ChipReading) -> BoardReading:
    return BoardReading(t, 640, 480, 1, 1, (CARD,), chips)


def found(
    *chips: ChipChange, spaces: tuple[SpaceChange, ...] = (), is_open: bool = False
) -> Comparison:
    return Comparison(spaces, chips, (), ((0, 0),) if is_open else ())


@pytest.fixture
def dating() -> Dating:
    past: Any = Past()
    spaces: Any = SimpleNamespace(since_s=lambda space: 0.5, reach_px=20)
    return Dating(past, spaces)


def test_nothing_found_is_nothing_told(dating: Dating) -> None:
    assert dating.events(frame(2.0), look(2.0), found()) == []


def test_cards_come_and_go_when_the_frames_say(dating: Dating) -> None:
    laid = found(spaces=(SpaceChange(BARE, CARD),))
    lifted = found(spaces=(SpaceChange(CARD, BARE),))
    first = found(spaces=(SpaceChange(None, CARD),))
    assert dating.events(frame(2.0), look(2.0), laid) == [CardLaid(1.6, 0.02, CARD, 48)]
    assert dating.events(frame(2.0), look(2.0), lifted) == [CardLifted(1.6, 0.02, CARD, 48)]
    assert dating.events(frame(2.0), look(2.0), first) == [CardLaid(0.0, 0.0, CARD, 0)]


def test_a_chip_is_sought_no_earlier_than_its_card(dating: Dating) -> None:
    both = found(ChipChange(chip("red"), True), spaces=(SpaceChange(BARE, CARD),))
    events = dating.events(frame(3.0), look(3.0), both)
    assert [type(event) for event in events] == [CardLaid, ChipLaid]
    past: Any = dating._attention
    assert past.asked_from_s == pytest.approx([0.2, 2.6])


def test_a_chip_that_is_named_anew_lay_there_since_it_came(dating: Dating) -> None:
    old, new = chip("large"), chip("medium")
    dating.events(frame(2.0), look(2.0), found(ChipChange(old, True)))
    anew = found(ChipChange(old, False), ChipChange(new, True))
    assert dating.events(frame(9.0), look(9.0), anew) == [
        ChipLifted(1.6, 0.02, old, 48),
        ChipLaid(1.6, 0.02, new, 48),
    ]


def test_a_chip_that_was_taken_and_laid_again_is_dated_again(dating: Dating) -> None:
    red = chip("red")
    dating.events(frame(2.0), look(2.0), found(ChipChange(red, True)))
    dating.events(frame(5.0), look(5.0), found(ChipChange(red, False)))
    (laid,) = dating.events(frame(9.0), look(9.0), found(ChipChange(red, True)))
    assert laid.timestamp_s == pytest.approx(8.6)


def test_a_chip_in_doubt_is_dated_when_it_is_seen_first(dating: Dating) -> None:
    unsure = chip("red", 0.5)
    dating.events(frame(2.0), look(2.0, unsure), found(is_open=True))
    dating.events(frame(4.0), look(4.0, unsure), found(is_open=True))
    (laid,) = dating.events(
        frame(6.0), look(6.0, chip("red")), found(ChipChange(chip("red"), True))
    )
    assert laid.timestamp_s == pytest.approx(1.6)


def test_a_doubt_that_went_away_dates_nothing(dating: Dating) -> None:
    dating.events(frame(2.0), look(2.0, chip("red", 0.5)), found(is_open=True))
    dating.events(frame(4.0), look(4.0), found())
    (laid,) = dating.events(
        frame(6.0), look(6.0, chip("red")), found(ChipChange(chip("red"), True))
    )
    assert laid.timestamp_s == pytest.approx(5.6)


def test_a_chip_of_an_open_space_is_dated_however_clear_it_is(dating: Dating) -> None:
    dating.events(frame(2.0), look(2.0, chip("red", 0.5)), found(is_open=True))
    dating.events(frame(4.0), look(4.0, chip("red", 0.85)), found(is_open=True))
    (laid,) = dating.events(
        frame(6.0), look(6.0, chip("red")), found(ChipChange(chip("red"), True))
    )
    assert laid.timestamp_s == pytest.approx(1.6)
