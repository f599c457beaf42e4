"""Past frames come back as they were, within what sensor noise hides, and in bounded memory."""

from __future__ import annotations

import numpy as np

from tests.vision.films import CardFilm
from vision.gate import MotionGate, Region
from vision.ring import FrameRing


def filled(film: CardFilm, seconds: float = 8.0) -> FrameRing:
    gate = MotionGate(film.size[1], film.size[0])
    ring = FrameRing(gate.cell_px, seconds)
    for frame in film.frames():
        gate.update(frame.luma, frame.timestamp_s)
        ring.push(frame.index, frame.timestamp_s, frame.luma, gate.small, gate.exposure_step)
    return ring


def test_patches_are_the_frames_within_noise() -> None:
    film = CardFilm(lands_at=30)
    region = Region(70, 50, 201, 170)
    patches = list(filled(film).patches(region, 0.0))
    assert [patch.index for patch in patches] == list(range(60))
    for patch in patches:
        true = film.luma(patch.index)[50:170, 70:201].astype(int)
        assert np.abs(patch.luma.astype(int) - true).max() <= 4 * film.noise


def test_patches_start_at_the_moment_asked_for() -> None:
    patches = list(filled(CardFilm(lands_at=30)).patches(Region(0, 0, 50, 50), 1.0))
    assert patches[0].index == 30


def test_old_frames_are_let_go() -> None:
    film = CardFilm(lands_at=30)
    ring = filled(film, seconds=0.5)
    patches = list(ring.patches(Region(70, 50, 201, 170), 0.0))
    assert patches[0].index == ring.first_index == 44
    true = film.luma(44)[50:170, 70:201].astype(int)
    assert np.abs(patches[0].luma.astype(int) - true).max() <= 4 * film.noise


def test_a_still_table_costs_next_to_nothing() -> None:
    still = filled(CardFilm(lands_at=-50, noise=1))
    moving = filled(CardFilm(lands_at=50, noise=1))
    assert still.bytes_kept < 0.02 * 60 * 240 * 320
    assert moving.bytes_kept > still.bytes_kept


def test_a_moved_camera_does_not_lose_the_past_c36() -> None:
    film = CardFilm(lands_at=30)
    ring = filled(film)
    shifted = np.roll(film.luma(59), (7, -12), axis=(0, 1))
    gate = MotionGate(320, 240)
    gate.update(shifted, 2.0)
    to_new = np.array([[1, 0, -12], [0, 1, 7], [0, 0, 1.0]])
    ring.restart(shifted, gate.small, to_new)
    patches = list(ring.patches(Region(60, 60, 160, 160), 0.0))
    assert [patch.index for patch in patches] == list(range(60))
    for patch in (patches[10], patches[45]):
        true = film.luma(patch.index)[53:153, 72:172].astype(int)
        assert np.abs(patch.luma.astype(int) - true).max() <= 4 * film.noise
    assert np.array_equal(patches[-1].luma, shifted[60:160, 60:160])
