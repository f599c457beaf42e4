from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from vision.detector import OnnxDetector, open_detector, shipped_weights
from vision.errors import WeightsError
from vision.table import PieceKind


class FakeNet:
    """Answers what it is told; keeps what it was asked."""

    def __init__(self, columns: list[list[float]]) -> None:
        self.output = np.array(columns, np.float32).T[None]
        self.asked: np.ndarray | None = None

    def setInput(self, blob: np.ndarray) -> None:  # noqa: N802 - OpenCV's name
        self.asked = blob

    def forward(self) -> np.ndarray:
        return self.output


def detector(columns: list[list[float]]) -> tuple[OnnxDetector, FakeNet]:
    made = OnnxDetector(shipped_weights())
    net = FakeNet(columns)
    made._net = net  # type: ignore[assignment]
    return made, net


def column(box: list[float], kind: int, score: float, angle: float = 0.0) -> list[float]:
    scores = [0.0] * 6
    scores[kind] = score
    return [*box, *scores, angle]


def test_boxes_come_back_in_pixels_of_the_picture() -> None:
    made, net = detector([column([320, 180, 100, 40], 1, 0.9)])
    found = made.detect(np.zeros((720, 1280, 3), np.uint8))
    assert net.asked is not None
    assert net.asked.shape[3] == 640
    pad = (net.asked.shape[2] - 360) / 2
    expected = np.array([[540, 320], [740, 320], [740, 400], [540, 400]]) - [0, 2 * pad]
    assert found.kind(0) is PieceKind.CAMERA
    assert np.abs(found.quads[0] - expected).max() < 1.1


def test_a_turned_box_runs_clockwise() -> None:
    made, _ = detector([column([320, 320, 100, 40], 0, 0.9, np.pi / 2)])
    quad = made.detect(np.zeros((640, 640, 3), np.uint8)).quads[0]
    assert np.abs(quad - [[340, 270], [340, 370], [300, 370], [300, 270]]).max() < 0.01


def test_the_surest_of_one_place_stays_and_fanned_cards_stay() -> None:
    made, _ = detector(
        [
            column([320, 320, 60, 84], 0, 0.5),
            column([322, 320, 60, 84], 0, 0.8),
            column([342, 320, 60, 84], 0, 0.7),
            column([322, 320, 60, 84], 1, 0.6),
            column([100, 100, 60, 84], 0, 0.05),
        ]
    )
    found = made.detect(np.zeros((640, 640, 3), np.uint8))
    assert found.confidence.tolist() == pytest.approx([0.8, 0.7, 0.6])


def test_nothing_found_in_a_plain_picture_and_in_none() -> None:
    made, _ = detector([column([0, 0, 1, 1], 0, 0.0)])
    assert len(made.detect(np.zeros((64, 64, 3), np.uint8))) == 0
    assert len(made.detect(np.zeros((0, 0, 3), np.uint8))) == 0


def test_weights_that_are_missing_or_no_network(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"gone\.onnx: expected weights .*No such file"):
        open_detector(tmp_path / "gone.onnx")
    junk = tmp_path / "junk.onnx"
    junk.write_bytes(b"no network")
    with pytest.raises(WeightsError, match="expected an ONNX file exported by ultralytics"):
        open_detector(junk)


def test_weights_of_other_classes(tmp_path: Path) -> None:
    other = tmp_path / "other.onnx"
    other.write_bytes(b"imgsz\x12\x0a[640, 640] names\x12\x14{0: 'cat', 1: 'dog'}")
    with pytest.raises(WeightsError, match=r"expected the classes card camera .* got cat dog"):
        open_detector(other)


def test_pt_weights_ask_for_ultralytics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ultralytics", None)
    with pytest.raises(WeightsError, match="needs ultralytics"):
        open_detector(tmp_path / "some.pt")


def test_shipped_weights_are_those_of_the_manifest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "w.onnx").write_bytes(b"changed")
    manifest = tmp_path / "manifest.toml"
    manifest.write_text('[detector]\nfile = "w.onnx"\nsha256 = "00"\n', encoding="utf-8")
    monkeypatch.setattr("vision.detector.find_resource", lambda _: manifest)
    with pytest.raises(WeightsError, match="expected sha256 00, got"):
        shipped_weights()
    manifest.write_text("[other]\n", encoding="utf-8")
    with pytest.raises(WeightsError, match=r"expected a table \[detector\]"):
        shipped_weights()
