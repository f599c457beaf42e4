"""How well a space agrees with a face, whatever the light."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.board_fit import (
    MIRRORED,
    ROOM,
    FaceStack,
    careful_costs,
    quick_costs,
    surface_terms,
)

SIDE = 30
Picture = NDArray[np.float32]


def card(west: float, east: float) -> Picture:
    """A path in the middle with a lawn on either side."""
    picture = np.empty((3, SIDE, SIDE), np.float32)
    for band, (path, tint) in enumerate(((0.6, 0.5), (0.8, 1.0), (0.9, 0.6))):
        picture[band, :, :12], picture[band, :, 18:] = west * tint, east * tint
        picture[band, :, 12:18] = path
    return picture


DARK, LIGHT, MIXED = card(0.3, 0.3), card(0.8, 0.8), card(0.3, 0.8)
FACES = FaceStack.of(np.stack([DARK, LIGHT, MIXED]).reshape(3, 3, -1), surface_terms(SIDE))
ALL = np.ones(SIDE * SIDE, np.float32)


def lamp(picture: Picture) -> Picture:
    """A reflection that fades from one corner."""
    fade = np.linspace(0.25, 0, SIDE, dtype=np.float32)
    return picture + fade[:, None] * fade / 0.25


def shade(picture: Picture) -> Picture:
    return picture * np.linspace(0.55, 1.0, SIDE, dtype=np.float32)[:, None]


@pytest.mark.parametrize("light", [lambda p: p, lambda p: 0.6 * p, lamp, shade])
@pytest.mark.parametrize(("number", "face"), list(enumerate([DARK, LIGHT, MIXED])))
def test_the_right_face_costs_least(number: int, face: Picture, light: object) -> None:
    seen = np.asarray(light(face), np.float32).reshape(3, -1)  # type: ignore[operator]
    costs, *_ = careful_costs(seen, ALL, FACES)
    assert costs.argmin() == number
    assert quick_costs(seen[None], ALL[None], FACES)[0].argmin() == number


def test_a_face_costs_nothing_against_itself() -> None:
    costs, errors, _ = careful_costs(MIXED.reshape(3, -1), ALL, FACES)
    assert costs[2] == pytest.approx(0, abs=1e-5)
    assert errors[2].max() < 1e-4


def test_what_counts_for_nothing_decides_nothing() -> None:
    seen, weights = MIXED.copy(), ALL.reshape(SIDE, SIDE).copy()
    seen[:, :, 18:] = 0.3 * np.array([0.5, 1.0, 0.6], np.float32)[:, None, None]
    costs, *_ = careful_costs(seen.reshape(3, -1), weights.ravel(), FACES)
    assert costs.argmin() == 0
    weights[:, 18:] = 0
    costs, *_ = careful_costs(seen.reshape(3, -1), weights.ravel(), FACES)
    assert costs[0] == pytest.approx(costs[2], abs=1e-4)


def test_a_thing_upon_the_card_is_capped() -> None:
    """A white thing on the dark lawn is no light lawn."""
    seen = DARK.copy()
    seen[:, 4:16, 20:30] = 1.0
    costs, *_ = careful_costs(seen.reshape(3, -1), ALL, FACES)
    assert costs.argmin() == 0


def test_light_far_from_that_of_the_board_costs() -> None:
    costs = [
        careful_costs(np.float32(gain) * MIXED.reshape(3, -1), ALL, FACES)[0][2]
        for gain in (1.0, 0.8, 0.4)
    ]
    assert costs[0] < costs[1] < costs[2]
    assert costs[2] > 0.003


def dazzling(picture: Picture) -> tuple[Picture, NDArray[np.bool_]]:
    """A lamp mirrored so strongly that of many colours the camera sees but the brightest."""
    fade = np.exp(-(np.linspace(-1.2, 0.8, SIDE, dtype=np.float32) ** 2))
    seen = picture + 0.75 * fade[:, None] * fade
    return np.minimum(seen, 1.0).reshape(3, -1), (seen >= 1.0).reshape(3, -1)


@pytest.mark.parametrize(("number", "face"), list(enumerate([DARK, LIGHT, MIXED])))
def test_a_dazzled_camera_tells_how_bright_a_colour_is_at_least(number: int, face: Picture) -> None:
    seen, full = dazzling(face)
    assert 0.15 < full.mean() < 0.9
    costs, errors, _ = careful_costs(seen, ALL, FACES, 1, MIRRORED, full)
    assert costs.argmin() == number
    _, cut_off, _ = careful_costs(seen, ALL, FACES, 1, MIRRORED)
    assert errors[number].mean() < 0.7 * cut_off[number].mean()


def test_a_mirrored_lamp_may_add_much_white_and_no_colour() -> None:
    white = DARK.reshape(3, -1) + np.float32(0.4)
    tinted = DARK.reshape(3, -1) + np.array([[0.4], [0.0], [0.0]], np.float32)
    in_room, in_glare = (
        [careful_costs(seen, ALL, FACES, 1, lamp)[0][0] for seen in (white, tinted)]
        for lamp in (ROOM, MIRRORED)
    )
    assert in_glare[0] < 0.5 * in_room[0]
    assert in_glare[1] / in_glare[0] > 2 * in_room[1] / in_room[0]


def test_windows_are_compared_each_with_its_own_weights() -> None:
    windows = np.stack([DARK, LIGHT, MIXED]).reshape(3, 3, -1)
    weights = np.stack([ALL, ALL, ALL])
    weights[2].reshape(SIDE, SIDE)[:, 18:] = 0
    together = careful_costs(windows, weights, FACES.chosen(np.array([0])))[0]
    alone = [
        careful_costs(window, weight, FACES.chosen(np.array([0])))[0][0]
        for window, weight in zip(windows, weights, strict=True)
    ]
    assert together == pytest.approx(alone, abs=1e-6)
    assert together[0] < 1e-5
    assert together[2] < 1e-4
    assert together[1] > 0.001
