"""Scores on photographs, by hand-made truth."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.evaluate import iou, score_photos

SQUARE = np.array([[10.0, 10.0], [30.0, 10.0], [30.0, 30.0], [10.0, 30.0]])


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "one.png"), np.zeros((60, 80, 3), np.uint8))
    quads = {"images": {"one.png": {"quads": [SQUARE.tolist(), (SQUARE + 25).tolist()]}}}
    (tmp_path / "quads.json").write_text(json.dumps(quads))
    return tmp_path


def test_iou_of_shifted_squares() -> None:
    assert iou(SQUARE, SQUARE) == pytest.approx(1.0)
    assert iou(SQUARE, SQUARE + np.array([10, 0])) == pytest.approx(1 / 3)
    assert iou(SQUARE, SQUARE + 100) == 0.0


def test_found_loosely_missed_and_false(photos: Path) -> None:
    answers = np.stack(
        [SQUARE + np.array([4, 0]), SQUARE + np.array([40, -5])]
    )  # IoU 0.67, and nothing
    score = score_photos(photos, lambda _: answers)
    assert (score.cards, score.answers) == (2, 2)
    assert score.at_50 == 0.5
    assert score.at_70 == 0.0
    assert score.false == 0.5


def test_partly_visible_cards_are_forgiven(photos: Path) -> None:
    (photos / "manifest.csv").write_text(
        "file,cards_fully_visible_by_eye,cards_visible_incl_partial_by_eye\none.png,2,3\n"
    )
    score = score_photos(photos, lambda _: np.stack([SQUARE, SQUARE + np.array([40, -5])]))
    assert score.false == 0.0


def test_no_answer_is_no_false_answer(photos: Path) -> None:
    score = score_photos(photos, lambda _: np.zeros((0, 4, 2)))
    assert (score.at_50, score.false) == (0.0, 0.0)
