"""Sets of pictures: same seed, same bytes; labels lie inside their pictures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from datasets.art.build_deck import DEFAULT_OUT
from datasets.build import Recipe, app, build, shots
from datasets.scene import CLASSES


@pytest.fixture(scope="module")
def small_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("set")
    build(Recipe(seed=7, count=2, style="train"), out, workers=1)
    return out


def test_same_seed_same_bytes(small_set: Path, tmp_path: Path) -> None:
    again = build(Recipe(seed=7, count=2, style="train"), tmp_path, workers=1)
    assert again == json.loads((small_set / "manifest.json").read_text())


def test_another_seed_other_bytes(small_set: Path, tmp_path: Path) -> None:
    other = build(Recipe(seed=8, count=2, style="train"), tmp_path, workers=1)
    assert other["sha256"] != json.loads((small_set / "manifest.json").read_text())["sha256"]


def test_each_picture_has_its_labels(small_set: Path) -> None:
    names = {path.stem for path in (small_set / "images").iterdir()}
    assert names == {path.stem for path in (small_set / "labels").iterdir()}
    assert len(names) == 2


@pytest.mark.parametrize("style", ["train", "held"])
def test_labels_lie_inside_the_picture(style: str) -> None:
    seen = 0
    for number in range(2):
        for image, lines, quality in shots(Recipe(3, 6, style), number):
            assert image.dtype == np.uint8
            assert 30 <= quality <= 95
            for line in lines:
                kind, *numbers = line.split()
                assert 0 <= int(kind) < len(CLASSES)
                values = np.array([float(n) for n in numbers])
                assert len(values) >= 6
                assert len(values) % 2 == 0
                assert values.min() >= 0.0
                assert values.max() <= 1.0
                seen += 1
    assert seen > 10


def test_manifest_counts_what_is_labelled(small_set: Path) -> None:
    manifest = json.loads((small_set / "manifest.json").read_text())
    lines = [
        line for path in (small_set / "labels").iterdir() for line in path.read_text().splitlines()
    ]
    assert sum(manifest["labels"].values()) == len(lines)


def test_games_of_a_deck_are_among_the_pictures(tmp_path: Path) -> None:
    recipe = Recipe(seed=5, count=12, style="train", games=(DEFAULT_OUT / "panda-gorilla",))
    manifest = build(recipe, tmp_path, workers=1)
    assert manifest["games"] == ["Paper Zoo"]
    plain = build(Recipe(seed=5, count=12, style="train"), tmp_path / "plain", workers=1)
    assert plain["games"] == []
    assert manifest["sha256"] != plain["sha256"]


@pytest.mark.parametrize(
    ("pack", "named"), [("galapa-go", "got galapa-go"), (".", "deck.yaml")], ids=["game", "no deck"]
)
def test_deck_whose_games_cannot_be_laid_is_refused(pack: str, named: str, tmp_path: Path) -> None:
    args = [str(tmp_path / "out"), "--game", str(DEFAULT_OUT / pack)]
    answer = CliRunner().invoke(app, args)
    assert answer.exit_code == 2
    assert named in answer.output


def test_unknown_style_is_refused_in_one_sentence(tmp_path: Path) -> None:
    answer = CliRunner().invoke(app, [str(tmp_path / "out"), "--style", "cubist"])
    assert answer.exit_code == 2
    assert "cubist" in answer.output
