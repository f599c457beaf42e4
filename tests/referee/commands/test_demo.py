"""The demo leaves a film and the lines, says where, and goes on with the page."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import urllib.request
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from typer.testing import CliRunner

from referee.cli import app
from referee.commands import demo, replay
from referee.commands import serve as service
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


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[service.ServeOrder]:
    """What would be served."""
    orders: list[service.ServeOrder] = []
    monkeypatch.setattr(service, "serve", lambda order, visit: orders.append(order))
    monkeypatch.delenv("CI", raising=False)
    return orders


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(
    ("options", "place", "is_served"),
    [
        ([], "pipe", False),
        ([], "terminal", True),
        ([], "terminal of CI", False),
        (["--no-serve"], "terminal", False),
        (["--serve"], "pipe of CI", True),
    ],
)
def test_the_page_follows_where_somebody_can_look_at_it(
    served: list[service.ServeOrder],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    place: str,
    is_served: bool,
):
    if place.endswith("CI"):
        monkeypatch.setenv("CI", "true")
    is_terminal = place.startswith("terminal")
    monkeypatch.setattr("typer.testing._NamedTextIOWrapper.isatty", lambda _: is_terminal)
    result = RUN.invoke(app, ["demo", "--out", str(tmp_path / "out"), *options])
    assert result.exit_code == 0, result.output
    assert bool(served) is is_served
    assert ("demo --serve" in result.stdout) is (not options and not is_served)
    for order in served:
        assert (order.host, order.recordings) == ("127.0.0.1", tmp_path)
        assert not order.data.exists()  # the match of a demo is gone with it


_SERVE_SAMPLE = """
from referee.commands.demo import _sample_settings, _serve_sample
from vision.resources import SAMPLE_RECORDING, find_resource
if __name__ == "__main__":
    video = find_resource(SAMPLE_RECORDING)
    _serve_sample(video, _sample_settings(video))
"""


@pytest.mark.parametrize("is_looked_at", [True, False])
def test_the_page_shows_the_sample_live_until_it_is_stopped(tmp_path: Path, is_looked_at: bool):
    """Ctrl-C ends it at once, and quietly, while somebody looks on or all of it still starts."""
    script = tmp_path / "serve_sample.py"
    script.write_text(_SERVE_SAMPLE)
    environment = {"PYTHONPATH": str(Path(demo.__file__).parents[2]), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-u", str(script)]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    pipes["start_new_session"] = True  # a terminal sends Ctrl-C to every process of the command
    with subprocess.Popen(command, env=environment, **pipes) as process:
        told = [process.stdout.readline() for _ in range(3)]
        assert "Stop with Ctrl-C" in told[1]
        link, _, table = told[2].split()[-1].partition("#/table/")
        api = f"{link}api/v1/tables/{table}"
        with urllib.request.urlopen(api, timeout=10) as answer:
            shown = json.load(answer)
        assert (shown["state"], shown["realtime"], shown["lead"]) == ("open", True, "green")
        looking, viewer = threading.Event(), threading.Thread(target=lambda: look(api, looking))
        if is_looked_at:
            viewer.start()
            assert looking.wait(60)
        os.killpg(process.pid, signal.SIGINT)
        rest = process.communicate(timeout=30)
        if is_looked_at:
            viewer.join(10)
    assert (process.returncode, rest) == (0, ("", ""))
    assert [path.name for path in tmp_path.iterdir()] == [script.name]


def look(api: str, looking: threading.Event) -> None:
    """Looks at a live picture until it ends."""
    with urllib.request.urlopen(f"{api}/picture.mjpg", timeout=30) as picture:
        while picture.read(4096):
            looking.set()


class Browser(webbrowser.BaseBrowser):
    """A browser that remembers what it was shown."""

    def __init__(self, is_beside: bool) -> None:
        super().__init__("some")
        self.background = is_beside
        self.shown: list[str] = []

    def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
        self.shown.append(url)
        return True


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="has a display at all times")
@pytest.mark.parametrize(
    ("display", "is_beside", "is_shown"),
    [(None, True, False), (":0", True, True), (":0", False, False)],
)
def test_a_browser_is_opened_where_there_is_a_display_and_never_on_the_terminal(
    monkeypatch: pytest.MonkeyPatch, display: str | None, is_beside: bool, is_shown: bool
):
    browser = Browser(is_beside)
    monkeypatch.setattr(webbrowser, "get", lambda: browser)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    if display:
        monkeypatch.setenv("DISPLAY", display)
    assert demo.show_page("http://127.0.0.1:1/") is is_shown
    assert browser.shown == ["http://127.0.0.1:1/"] * is_shown


def test_no_browser_is_no_failure(monkeypatch: pytest.MonkeyPatch):
    def none() -> None:
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(webbrowser, "get", none)
    assert demo.show_page("http://127.0.0.1:1/") is False
