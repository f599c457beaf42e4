"""Scenes: the held-out style shares no art that only training may show."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.art.build_deck import DEFAULT_OUT
from datasets.art.cameras import CAMERA_STYLES
from datasets.art.faces import FAMILIES
from datasets.art.surfaces import SURFACES
from datasets.scene import CLASSES, HELD, STYLES, TRAIN, sample_scene
from referee.decks import load_deck


def test_held_out_cameras_and_tables_are_never_trained_on() -> None:
    assert not set(HELD.cameras) & set(TRAIN.cameras)
    assert {"terrazzo", "herringbone"} <= set(HELD.surfaces) - set(TRAIN.surfaces)
    assert {"arcana", "mosaic"} <= set(HELD.faces) - set(TRAIN.faces)
    assert HELD.held
    assert not TRAIN.held


def test_every_name_of_a_style_can_be_drawn() -> None:
    for style in STYLES.values():
        assert set(style.faces) <= set(FAMILIES)
        assert set(style.cameras) <= {*CAMERA_STYLES, "emoji"}
        assert set(style.surfaces) <= set(SURFACES)


@pytest.mark.parametrize(
    ("game", "kinds"),
    [
        ("panda-gorilla", {"path", "chip", "back"}),
        ("exploring-galapagos", {"card", "back"}),
    ],
)
def test_a_quarter_of_the_tables_show_a_game_where_a_deck_is_given(
    game: str, kinds: set[str]
) -> None:
    deck = load_deck(DEFAULT_OUT / game)
    ours, found = 0, set[str]()
    for seed in range(24):
        scene = sample_scene(np.random.default_rng(seed), TRAIN, games=(deck,))
        faces = {item.kind for item in scene.items if item.file}
        ours += bool(faces)
        found |= faces
    assert 2 <= ours <= 11
    assert found >= kinds


def test_all_classes_appear_within_a_few_scenes() -> None:
    kinds = {
        item.kind
        for seed in range(12)
        for item in sample_scene(np.random.default_rng(seed), TRAIN).items
    }
    assert kinds == {*CLASSES, "thing"}
