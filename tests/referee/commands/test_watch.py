"""`watch`: what a replay rules, told as it falls, whatever the camera does, until Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from referee.cli import app
from referee.commands import watch
from referee.live import Told, with_gaps
from tests.vision.fake_camera import QUICK, WANTED, FakeCamera, wait_for
from vision.live import Gap, LiveSource
from vision.live_feed import CameraFeed, FileFeed
from vision.resources import SAMPLE_DECK, find_resource
from vision.source import VideoFile

RUN = CliRunner(env={"COLUMNS": "200"})
RECORDINGS = Path(__file__).parents[2] / "data" / "recordings"
DECK = str(find_resource(SAMPLE_DECK))
LAYOUT = {"type": "layout", "t": 0.0, "cards": [{"id": "a1", "quad": [[0, 0]] * 4, "score": 0.9}]}
TASK = {"type": "task", "t": 0.0, "round": 1, "tasks": ["t1"]}
CLAIM = {"player": "red", "card": "a1", "order": 1, "t": 0.2, "dt": 0.017}
ROUND = {
    "type": "round",
    "t": 0.4,
    "round": 1,
    "tasks": ["t1"],
    "ended_by": "none-left",
    "claims": [{**CLAIM, "verdict": "correct", "reason": "shows a lion"}],
    "won": {"red": ["a1"], "blue": []},
    "lead": "red",
    "game_over": False,
}


def run(*words: object) -> Result:
    return RUN.invoke(app, ["watch", *map(str, words)])


def rulings(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**line, "t": None} for line in lines if line["type"] == "round"]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Lines that are told of whatever is watched, once its first frame has come."""
    lines: list[dict[str, Any]] = [LAYOUT, TASK, {"type": "claim", "round": 1, **CLAIM}, ROUND]

    def watch_live(source, deck, settings, **_):
        for frame in source.frames():
            if frame.index == 0:
                yield tuple(Told(line) for line in lines)

    monkeypatch.setattr(watch, "watch_live", watch_live)
    return lines


def test_a_recording_in_real_time_is_ruled_as_in_a_replay(tmp_path: Path) -> None:
    live, replayed = tmp_path / "live.jsonl", tmp_path / "replayed.jsonl"
    settings = ["--deck", DECK, "--players", "orange,green", "--lead", "orange"]
    video = RECORDINGS / "tiny.mp4"
    result = run("--camera", video, "--realtime", *settings, "--out", live)
    assert result.exit_code == 0, result.output
    assert RUN.invoke(app, ["replay", str(video), *settings, "--out", str(replayed)]).exit_code == 0
    lines, expected = (
        [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        for file in (live, replayed)
    )
    dropped = [line for line in lines if line.get("code") == "frames-dropped"]
    assert rulings(lines) == rulings(expected) or dropped
    assert len(rulings(lines)) == 1
    assert "tiny.mp4" in result.stderr


def test_every_line_is_told_in_words(told, tiny_deck: Path) -> None:
    told.insert(3, {"type": "withdrawn", "round": 1, **CLAIM, "t": 0.3})
    result = run("--camera", RECORDINGS / "tiny.mp4", "--deck", tiny_deck)
    assert result.exit_code == 0, result.output
    for words in (
        "1 cards lie in the middle",
        "Round 1",
        "1. red on a1 at 0.200 s ±0.017",
        "red took the Camera card back from a1",
        "shows a lion",
        "Next lead: red",
    ):
        assert words in result.stdout
    assert "ruled anew" not in result.stdout


def test_a_ruling_that_changes_says_so(told, tiny_deck: Path) -> None:
    told.append({**ROUND, "lead": "blue"})
    result = run("--camera", RECORDINGS / "tiny.mp4", "--deck", tiny_deck)
    assert result.stdout.count("ruled anew") == 1


def test_programs_get_a_line_for_each(told, tiny_deck: Path, tmp_path: Path) -> None:
    out = tmp_path / "lines.jsonl"
    result = run("--camera", RECORDINGS / "tiny.mp4", "--deck", tiny_deck, "--json", "--out", out)
    assert [json.loads(line) for line in result.stdout.splitlines()] == told
    assert out.read_text(encoding="utf-8") == result.stdout


def test_a_round_during_which_the_camera_was_lost_is_incomplete_c15(
    monkeypatch: pytest.MonkeyPatch, tiny_deck: Path
) -> None:
    camera = FakeCamera()
    source = LiveSource(lambda: CameraFeed(camera, "fake", WANTED, 0), QUICK)

    def watch_live(source: LiveSource, *_, **__) -> Iterator[tuple[Told, ...]]:
        for frame in source.frames():
            if frame.index == 0:
                yield (Told(LAYOUT), Told(TASK))
                camera.is_plugged = False
                wait_for(lambda: bool(source.gaps))
                camera.is_plugged = True
            if source.gaps and frame.timestamp_s > source.gaps[0].until_s:
                yield (Told({**ROUND, "t": frame.timestamp_s}),)
                source.close()

    monkeypatch.setattr(watch, "watch_live", watch_live)
    monkeypatch.setattr(watch, "open_live", lambda *_, **__: source)
    result = run("--camera", "fake", "--deck", tiny_deck)
    assert result.exit_code == 0, result.output
    for words in ("fake is lost", "fake is back", "the ruling is incomplete"):
        assert words in result.stdout


@pytest.mark.parametrize(
    ("gap", "is_incomplete"),
    [
        (None, False),
        (Gap(1.0, 2.0), False),
        (Gap(1.0, 5.5), True),
        (Gap(6.0, 7.0), True),
        (Gap(8.0, float("inf")), True),
        (Gap(10.5, float("inf")), False),
    ],
)
def test_only_a_gap_within_a_round_makes_it_incomplete_c15(gap, is_incomplete: bool) -> None:
    line = with_gaps({"type": "round", "t": 10.0}, 5.0, [gap] if gap else [])
    assert line == {"type": "round", "t": 10.0, **({"incomplete": True} if is_incomplete else {})}


def test_what_cannot_be_watched_is_said_in_one_sentence(tiny_deck: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.mp4"
    text.write_text("no film", encoding="utf-8")
    for camera, said in (
        ("no-such-camera", "expected a camera that is plugged in"),
        ("ftp://host/film", "expected the address of a stream"),
        (text, "expected a video file"),
        (tmp_path / "none.mp4", "expected a video file"),
    ):
        result = run("--camera", camera, "--deck", tiny_deck)
        assert result.exit_code == 2
        assert said in result.stderr
        assert "Traceback" not in result.stderr


def test_a_camera_that_may_not_be_used_ends_with_its_reason_c14(
    monkeypatch: pytest.MonkeyPatch, told, tiny_deck: Path
) -> None:
    refusing = FakeCamera(refuses="fake: expected permission to use /dev/video0")
    source = LiveSource(lambda: CameraFeed(refusing, "fake", WANTED, 0), QUICK)
    monkeypatch.setattr(watch, "open_live", lambda *_, **__: source)
    result = run("--camera", "fake", "--deck", tiny_deck)
    assert result.exit_code == 2
    assert "expected permission to use /dev/video0" in result.stderr


def test_a_table_without_cards_is_no_table_c39(told, tiny_deck: Path) -> None:
    told[:] = [{**LAYOUT, "cards": []}]
    result = run("--camera", RECORDINGS / "tiny.mp4", "--deck", tiny_deck)
    assert result.exit_code == 2
    assert "no cards seen" in result.stderr


def test_a_stream_without_cards_is_told_without_its_password(
    monkeypatch: pytest.MonkeyPatch, told, tiny_deck: Path
) -> None:
    told[:] = [{**LAYOUT, "cards": []}]
    video = VideoFile(RECORDINGS / "tiny.mp4")
    source = LiveSource(lambda: FileFeed(video, is_paced=False))
    source.name = "http://127.0.0.1:9/table"
    monkeypatch.setattr(watch, "open_live", lambda *_, **__: source)
    result = run("--camera", "http://anna:hidden@127.0.0.1:9/table?key=1", "--deck", tiny_deck)
    assert result.exit_code == 2
    assert "table-referee: http://127.0.0.1:9/table: expected" in result.stderr
    assert "hidden" not in result.output


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_ctrl_c_ends_it_cleanly_with_what_is_known(tmp_path: Path) -> None:
    order = ["--camera", str(RECORDINGS / "sample.mp4"), "--realtime", "--deck", DECK, "--json"]
    order += ["--out", str(tmp_path / "lines.jsonl")]
    command = [sys.executable, "-c", "from referee.cli import main; main()", "watch", *order]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        first = child.stdout.readline()
        while json.loads(first.splitlines()[-1])["type"] != "layout":
            first += child.stdout.readline()
        child.send_signal(signal.SIGINT)
        rest, errors = child.communicate(timeout=60)
    assert child.returncode == 0, errors
    assert "Traceback" not in errors
    assert "t24" not in first + rest  # the second Task is turned long after
    assert (tmp_path / "lines.jsonl").read_text(encoding="utf-8") == first + rest
