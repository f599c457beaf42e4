"""Sets are proved by their bytes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from datasets.build import Recipe, build
from datasets.check import check_set, leaks
from datasets.scene import CLASSES


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    folder = tmp_path / "whole"
    manifest = build(Recipe(2, 1, "train"), folder, workers=1)
    manifest["labels"] = dict.fromkeys(CLASSES, 1)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def test_a_whole_set_has_no_problems(whole: Path) -> None:
    assert check_set(whole) == []


def test_a_changed_label_is_found(whole: Path) -> None:
    (whole / "labels" / "000000.txt").write_text("0 0 0 1 0 1 1 0 1\n")
    assert "not those that manifest.json hashes" in check_set(whole)[0]


def test_a_missing_class_is_found(whole: Path) -> None:
    path = whole / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["labels"]["hand"] = 0
    path.write_text(json.dumps(manifest))
    assert "no hand is labelled" in check_set(whole)[0]


def test_an_unfinished_set_is_named(tmp_path: Path) -> None:
    assert "no manifest.json" in check_set(tmp_path)[0]


def test_c28_a_picture_in_two_sets_is_found(whole: Path, tmp_path: Path) -> None:
    twin = tmp_path / "twin"
    shutil.copytree(whole, twin)
    assert len(leaks([whole, twin])) == 1
    assert leaks([whole]) == []
