"""The cards of our own deck: how many, which, and that each can be told from the others."""

from collections import Counter

import cv2
import numpy as np
import pytest

from datasets.art.animals import SPECIES
from datasets.art.build_deck import DEFAULT_OUT
from datasets.art.deck_plan import Face
from datasets.art.galapa_go_deck import animal_cards, build_faces, plan_deck, task_cards
from datasets.art.rendering import encode_png, render_rgba
from referee.deck_check import check_deck
from referee.decks import load_deck
from tests.datasets.art.committed import (
    assert_face_is_current,
    assert_pack_is_current,
    assert_same_on_every_run,
    small_pictures,
)

PACK = DEFAULT_OUT / "galapa-go"

FEATURES = {*SPECIES, "red-crab", "blue-crab"}


@pytest.fixture(scope="module")
def faces() -> tuple[Face, ...]:
    return build_faces()


def shown_features() -> list[set[str]]:
    return [
        {species for animal in animals for species in animal} | {f"{crab}-crab" for crab in crabs}
        for animals, crabs, _ in animal_cards()
    ]


def test_counts(faces: tuple[Face, ...]) -> None:
    counts = Counter(face.kind for face in faces)
    assert counts == {"animal": 30, "task": 55, "special": 14, "camera": 6, "back": 2}
    assert len({face.id for face in faces}) == len(faces)


def test_every_cross_and_every_normal_animal_is_there_once() -> None:
    animals = [animals for animals, _, _ in animal_cards()]
    singles = [group[0] for group in animals if len(group) == 1]
    assert sorted(singles) == sorted((head, body) for head in SPECIES for body in SPECIES)
    doubles = [group for group in animals if len(group) == 2]
    assert len(doubles) == 5
    assert all(head == body for group in doubles for head, body in group)


def test_species_are_on_equally_many_cards() -> None:
    counts = Counter(feature for features in shown_features() for feature in features)
    assert {counts[species] for species in SPECIES} == {11}


def test_crabs_are_spread_over_the_cards_and_over_every_head() -> None:
    states = Counter(crabs for _, crabs, _ in animal_cards())
    assert states == {(): 8, ("red",): 8, ("blue",): 8, ("red", "blue"): 6}
    for species in SPECIES:
        crosses = [crabs for animals, crabs, _ in animal_cards()[:20] if animals[0][0] == species]
        assert len(set(crosses)) == 4


def test_tasks_are_distinct_and_say_something_possible() -> None:
    tasks = {(frozenset(require), frozenset(forbid)) for require, forbid in task_cards()}
    assert len(tasks) == 55
    for require, forbid in tasks:
        assert 1 <= len(require) + len(forbid) <= 3
        assert require | forbid <= FEATURES
        assert not require & forbid


@pytest.mark.parametrize(("require", "forbid"), task_cards())
def test_task_has_a_photo(require: tuple[str, ...], forbid: tuple[str, ...]) -> None:
    matching = [s for s in shown_features() if s >= set(require) and not s & set(forbid)]
    assert matching


def test_specials_are_of_all_five_kinds(faces: tuple[Face, ...]) -> None:
    kinds = Counter(face.entry for face in faces if face.kind == "special")
    assert len(kinds) == 5
    assert set(kinds.values()) == {2, 3}


def test_drawings_do_not_depend_on_the_run() -> None:
    assert_same_on_every_run(plan_deck())


def test_no_two_drawings_are_the_same(faces: tuple[Face, ...]) -> None:
    assert len({face.svg for face in faces}) == len(faces)


def test_same_drawing_gives_the_same_bytes(faces: tuple[Face, ...]) -> None:
    one, other = (encode_png(render_rgba(faces[0].svg, 63, 88)) for _ in range(2))
    assert one == other


def test_committed_pack_is_the_one_that_the_code_writes() -> None:
    assert_pack_is_current(plan_deck())


@pytest.mark.parametrize("card_id", ["a01", "a28", "t29", "t55", "s07", "cam-red", "back-task"])
def test_committed_picture_shows_its_drawing(card_id: str) -> None:
    assert_face_is_current(plan_deck(), card_id)


def test_committed_pack_has_nothing_wrong_and_is_small() -> None:
    assert check_deck(PACK) == []
    assert load_deck(PACK).game == "galapa-go"
    assert sum(path.stat().st_size for path in (PACK / "cards").iterdir()) < 4e6


def test_no_two_faces_look_alike_from_afar() -> None:
    """At 70 px of width the nearest pair keeps clear of what noise and light do (1 to 3 levels)."""
    pixels = small_pictures("galapa-go", (70, 98), "")
    for index, picture in enumerate(pixels[:-1]):
        apart = np.abs(pixels[index + 1 :] - picture).mean(axis=1)
        assert apart.min() > 4.5


def test_camera_cards_differ_in_hue_and_in_mark(faces: tuple[Face, ...]) -> None:
    hues, marks = [], []
    for face in faces:
        if face.kind == "camera":
            rgba = render_rgba(face.svg, 126, 176)
            corner = rgba[88:90, 6:8, :3].reshape(-1, 1, 3)
            hues.append(int(cv2.cvtColor(corner, cv2.COLOR_RGB2HSV)[0, 0, 0]))
            marks.append(rgba[60:132, 27:99, :3].min(axis=2) > 200)
    hues.sort()
    steps = [(b - a) % 180 for a, b in zip(hues, [*hues[1:], hues[0]], strict=True)]
    assert min(steps) >= 10
    for index, mark in enumerate(marks):
        for other in marks[:index]:
            assert np.mean(mark != other) > 0.03
