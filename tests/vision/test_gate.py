"""The gate asks for a look where something came to rest looking different, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.films import CardFilm
from vision.gate import MotionGate, Region


def asked(film: CardFilm, light: float = 0.0) -> list[int]:
    """Frames at which most of the card's place has settled, accepted at once."""
    gate = MotionGate(film.size[1], film.size[0])
    found = []
    for frame in film.frames():
        dimmed = np.clip(frame.luma * (1 - light * frame.index), 0, 255).astype(np.uint8)
        gate.update(dimmed, frame.timestamp_s)
        settled = gate.settled(frame.timestamp_s)
        place = gate.cells_of(Region(90, 60, 156, 150))
        if np.count_nonzero(settled & place) > 0.6 * np.count_nonzero(place):
            found.append(frame.index)
            gate.accept(settled)
    return found


def test_a_still_table_asks_for_nothing() -> None:
    assert asked(CardFilm(lands_at=-50)) == []


def test_a_card_that_lands_asks_once_soon_after() -> None:
    first, *rest = asked(CardFilm(lands_at=20))
    assert 22 <= first <= 27
    assert rest == []


def test_a_card_that_passes_by_asks_for_nothing_c31() -> None:
    film = CardFilm(lands_at=30, leaves_at=30)
    assert asked(film) == []


def test_slow_dimming_is_no_change_c6() -> None:
    assert asked(CardFilm(lands_at=-50), light=0.008) == []


def test_a_card_that_is_taken_away_asks_again() -> None:
    assert len(asked(CardFilm(lands_at=15, leaves_at=40))) == 2


def test_regions_cover_their_cells() -> None:
    gate = MotionGate(320, 240)
    cells = np.zeros((gate.rows, gate.cols), np.bool_)
    cells[3:6, 4:9] = True
    cells[20, 30] = True
    (region, members), (small, _) = gate.regions(cells, margin_cells=0)
    assert region == Region(32, 24, 72, 48)
    assert np.count_nonzero(members) == 15
    assert small == Region(240, 160, 248, 168)


def test_disturbed_since_is_the_first_motion() -> None:
    film = CardFilm(lands_at=20, step_px=3)
    gate = MotionGate(320, 240)
    for frame in film.frames():
        if frame.index > 18:
            break
        gate.update(frame.luma, frame.timestamp_s)
    since = gate.disturbed_since(Region(92, 62, 150, 140))
    assert 0 < since <= 18 / 30
    assert gate.disturbed_since(Region(0, 200, 60, 240)) == pytest.approx(float("inf"))
