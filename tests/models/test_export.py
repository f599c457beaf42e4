"""The manifest of the shipped weights."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import numpy as np
import pytest

from models.export import HERE, MANIFEST, entry, write_manifest
from vision.detector import open_detector


def test_a_file_too_large_is_refused(tmp_path: Path) -> None:
    path = HERE / "runs" / "large.tmp"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"0" * (12 * 1024 * 1024 + 1))
    try:
        with pytest.raises(ValueError, match="at most"):
            entry(path)
    finally:
        path.unlink()


def test_manifest_is_written_as_toml(tmp_path: Path) -> None:
    facts = {"one": {"file": "a.onnx", "classes": ["card"], "metrics": {"card mAP50": 0.97}}}
    write_manifest(facts, tmp_path / "manifest.toml")
    assert tomllib.loads((tmp_path / "manifest.toml").read_text()) == facts


def test_the_manifest_names_the_shipped_bytes() -> None:
    for facts in tomllib.loads(MANIFEST.read_text()).values():
        data = (HERE / facts["file"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == facts["sha256"]
        assert len(data) == facts["bytes"] <= 12 * 1024 * 1024


def test_the_eye_can_open_the_shipped_weights() -> None:
    detections = open_detector().detect(np.full((90, 120, 3), 127, np.uint8))
    assert detections.confidence.shape == detections.class_id.shape
    data = (HERE / "weights" / "detector.onnx").read_bytes()
    assert b"imgsz" in data
    assert b"/runs/" not in data
