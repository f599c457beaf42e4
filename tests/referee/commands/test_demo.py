"""The demo leaves a film and the lines, and says where."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest
from typer.testing import CliRunner

from referee.cli import app
from referee.commands import demo, replay
from tests.builders import write_tiny_deck

RUN = CliRunner(env={"COLUMNS": "200"})
LAYOUT = {"type": "layout", "t": 0.0, "cards": [{"id": "a1", "quad": [[0, 0]] * 4, "score": 0.9}]}


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A sample of two frames in place of the one that ships; returns what the watcher is told."""
    video, deck = tmp_path / "sample.mp4", write_tiny_deck(tmp_path / "tiny")
    with av.open(str(video), "w") as container:
        stream = container.add_stream("mpeg4", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for _ in range(2):
            black = av.VideoFrame.from_ndarray(np.zeros((48, 64, 3), np.uint8), format="bgr24")
            container.mux(stream.encode(black))
        container.mux(stream.encode())
    truth = {"players": ["red", "blue"], "lead": "blue", "variant": "normal"}
    video.with_suffix(".truth.json").write_text(json.dumps(truth), encoding="utf-8")
    find: Callable[[str], Path] = {demo.SAMPLE_RECORDING: video, demo.SAMPLE_DECK: deck}.__getitem__
    monkeypatch.setattr(demo, "find_resource", find)
    told: list[object] = []

    def watch(path, deck, settings, *_):
        told.extend((path, settings.players, settings.lead, settings.variant))
        return iter([LAYOUT])

    monkeypatch.setattr(replay, "watch", watch)
    return told


def test_demo_writes_a_film_and_lines_and_says_where(sample: list[object], tmp_path: Path):
    out = tmp_path / "some" / "folder"
    result = RUN.invoke(app, ["demo", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in out.iterdir()) == ["sample-annotated.mp4", "sample.jsonl"]
    assert json.loads((out / "sample.jsonl").read_text(encoding="utf-8")) == LAYOUT
    for name in ("sample-annotated.mp4", "sample.jsonl"):
        assert str(out / name) in result.stdout
    assert sample == [tmp_path / "sample.mp4", ("red", "blue"), "blue", "normal"]


def test_demo_into_a_file(sample: list[object], tmp_path: Path):
    result = RUN.invoke(app, ["demo", "--out", str(tmp_path / "sample.mp4" / "out")])
    assert result.exit_code == 2
    assert "sample.mp4" in result.stderr
