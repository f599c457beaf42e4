from __future__ import annotations

import numpy as np
import pytest

from vision.detection import KINDS, Detections
from vision.table import PieceKind

SQUARE = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)


def two() -> Detections:
    return Detections(
        np.stack([SQUARE, SQUARE + 5]), np.array([0, 5]), np.array([0.5, 0.25], np.float32)
    )


def test_nothing_found_is_a_value() -> None:
    assert len(Detections.empty()) == 0


def test_classes_are_those_of_the_contract_in_order() -> None:
    assert [kind.value for kind in KINDS] == ["card", "camera", "path", "chip", "back", "hand"]
    assert two().kind(1) is PieceKind.HAND


def test_shifted_moves_every_corner() -> None:
    assert two().shifted((3, -2)).quads[1, 0].tolist() == [8, 3]


def test_select_keeps_the_given_order() -> None:
    assert two().select(np.array([1, 0])).confidence.tolist() == [0.25, 0.5]


@pytest.mark.parametrize(
    ("quads", "class_id", "confidence", "message"),
    [
        (np.zeros((1, 4), np.float32), [0], [0.5], "quads has shape"),
        (SQUARE[None].astype(np.float64), [0], [0.5], "float64; expected"),
        (SQUARE[None], [0, 1], [0.5], "class_id has shape"),
        (SQUARE[None], [6], [0.5], "expected 0 to 5"),
        (SQUARE[None] * np.nan, [0], [0.5], "not finite"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(
    quads: np.ndarray, class_id: list[int], confidence: list[float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Detections(quads, np.array(class_id), np.array(confidence, np.float32))
