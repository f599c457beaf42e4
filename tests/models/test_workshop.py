"""The training workshop end to end: draw, train a little, export, compare the two run times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from datasets.build import Recipe, build, shots
from models import train as workshop
from models.export import HERE, export_onnx, strip

pytestmark = pytest.mark.train
WARNINGS = "ignore::Warning"  # of torch's exporter and of ultralytics, none of them ours


def both_raw(plain: Path, onnx: Path, size: tuple[int, int]) -> tuple[Any, Any]:
    """Raw answers of torch and of ONNX Runtime to the same drawn picture."""
    import cv2  # noqa: PLC0415
    import onnxruntime  # noqa: PLC0415
    import torch  # noqa: PLC0415
    from ultralytics import YOLO  # noqa: PLC0415

    image, _, _ = next(iter(shots(Recipe(11, 3, "train"), 0)))
    fitted = cv2.resize(image, size)[..., ::-1].astype(np.float32) / 255
    batch = np.ascontiguousarray(fitted.transpose(2, 0, 1)[None])
    network = YOLO(str(plain), task="obb").model.float().eval()
    with torch.no_grad():
        theirs = network(torch.from_numpy(batch))[0].numpy()
    session = onnxruntime.InferenceSession(str(onnx))
    return theirs, session.run(None, {"images": batch})[0]


def assert_same_answers(theirs: Any, ours: Any) -> None:
    assert theirs.shape == ours.shape
    likely = theirs[0, 4:-1].max(axis=0) > 0.01
    assert np.abs(theirs[0, 4:-1] - ours[0, 4:-1]).max() < 0.01
    boxes = np.abs(theirs[0, :4] - ours[0, :4])
    assert boxes[:, likely].max(initial=0.0) < 1.0
    assert np.abs(theirs[0, -1] - ours[0, -1])[likely].max(initial=0.0) < 0.01


@pytest.mark.filterwarnings(WARNINGS)
def test_draw_train_export_and_compare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workshop, "RUNS", tmp_path / "runs")
    build(Recipe(5, 24, "train"), tmp_path / "train", workers=1)
    build(Recipe(6, 6, "held"), tmp_path / "held", workers=1)
    data = workshop.write_data([tmp_path / "train"], tmp_path / "held", tmp_path / "data.yaml")
    config = workshop.load_config(workshop.HERE / "configs" / "smoke.toml")
    last = workshop.train(config, data, "smoke", epochs=1, workers=0)
    plain = strip(last, tmp_path / "smoke.pt")
    onnx = export_onnx(plain, tmp_path / "out" / "smoke.onnx", 160)
    assert_same_answers(*both_raw(plain, onnx, (224, 160)))
    again = workshop.train(config, data, "again", init=plain, epochs=1, workers=0)
    assert again.is_file()


@pytest.mark.filterwarnings(WARNINGS)
@pytest.mark.parametrize("size", [(640, 384), (416, 416)])
def test_shipped_weights_answer_alike(size: tuple[int, int]) -> None:
    weights = HERE / "weights"
    assert_same_answers(*both_raw(weights / "detector.pt", weights / "detector.onnx", size))
