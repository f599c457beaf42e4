"""`replay`, `score` and `detect`: what they write, and what they say of what is no recording."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from referee.cli import app
from referee.commands import pictures, replay
from tests.builders import write_tiny_deck
from vision.errors import SourceError

RUN = CliRunner(env={"COLUMNS": "200"})
QUAD = [[40.0, 30.0], [80.0, 30.0], [80.0, 90.0], [40.0, 90.0]]
CLAIM = {"player": "red", "card": "a1", "order": 1, "t": 0.2, "dt": 0.017}
LINES: list[dict[str, Any]] = [
    {"type": "layout", "t": 0.0, "cards": [{"id": "a1", "quad": QUAD, "score": 0.9}]},
    {"type": "task", "t": 0.1, "round": 1, "tasks": ["t1"]},
    {"type": "claim", "round": 1, **CLAIM},
    {
        "type": "round",
        "t": 0.4,
        "round": 1,
        "tasks": ["t1"],
        "matching": ["a1"],
        "ended_by": "none-left",
        "claims": [{**CLAIM, "verdict": "correct", "reason": "shows a lion"}],
        "won": {"red": ["a1"], "blue": []},
        "layout": [],
        "lead": "red",
        "redeal": False,
        "game_over": False,
        "winners": [],
        "close": [],
    },
    {"type": "notice", "t": 0.5, "code": "moved", "text": "the camera has moved"},
]


def run(*arguments: object) -> Result:
    return RUN.invoke(app, [str(argument) for argument in arguments])


def refusal(result: Result) -> str:
    """Returns the one sentence, at the end of standard error, of an order that was refused."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    last = result.stderr.rstrip("\n").rsplit("\n", maxsplit=1)[-1]
    assert last.startswith("table-referee: ")
    assert "Traceback" not in result.output
    return last


def write_video(path: Path, frames: int = 15) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=25)
        stream.width, stream.height, stream.pix_fmt = 160, 120, "yuv420p"
        for _ in range(frames):
            grey = np.full((120, 160, 3), 128, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(grey, format="bgr24")))
        container.mux(stream.encode())
    return path


@pytest.fixture
def tiny_deck(tmp_path: Path) -> Path:
    return write_tiny_deck(tmp_path / "tiny")


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return write_video(tmp_path / "game.mp4")


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets a replay see these lines, and then fail where an error is given."""

    def see(lines: list[dict[str, Any]], error: Exception | None = None) -> None:
        def watch(*_: object) -> Iterator[dict[str, Any]]:
            yield from lines
            if error is not None:
                raise error

        monkeypatch.setattr(replay, "watch", watch)

    return see


# ---- what a replay writes -----------------------------------------------------------------------


def test_replay_prints_the_rulings_in_a_table(recording, tiny_deck, watched):
    watched(LINES)
    result = run("replay", recording, "--deck", tiny_deck)
    assert result.exit_code == 0, result.output
    for words in ("t1: lion", "red", "a1", "0.200 s ±0.017", "correct", "shows a lion", "moved"):
        assert words in result.stdout


def test_rounds_without_claims_or_without_an_end(recording, tiny_deck, watched):
    agreed = {**LINES[3], "claims": [], "ended_by": "no-match"}
    running = {**LINES[3], "round": 2, "claims": [], "ended_by": None}
    watched([*LINES[:3], agreed, running])
    result = run("replay", recording, "--deck", tiny_deck)
    assert result.exit_code == 0, result.output
    assert "all agreed that nothing fits" in result.stdout
    assert "still running when the recording ended" in result.stdout


def test_replay_for_programs_prints_what_it_writes(recording, tiny_deck, watched, tmp_path):
    watched(LINES)
    out = tmp_path / "lines.jsonl"
    result = run("replay", recording, "--deck", tiny_deck, "--out", out, "--json")
    assert result.stdout == out.read_text(encoding="utf-8")
    assert [json.loads(line) for line in result.stdout.splitlines()] == LINES


def test_replay_draws_every_frame_at_its_time(recording, tiny_deck, watched, tmp_path):
    watched(LINES)
    film = tmp_path / "film.mp4"
    assert run("replay", recording, "--deck", tiny_deck, "--video", film).exit_code == 0
    with av.open(str(film)) as container:
        frames = list(container.decode(video=0))
    assert [round(frame.time, 3) for frame in frames] == [round(i / 25, 3) for i in range(15)]
    before, after = (frames[index].to_ndarray(format="bgr24").astype(int) for index in (3, 7))
    redness = [
        (image[50:70, 50:70, 2] - image[50:70, 50:70, 0]).mean() for image in (before, after)
    ]
    assert abs(redness[0]) < 8
    assert redness[1] > 20


def test_replay_leaves_nothing_half_written(recording, tiny_deck, watched, tmp_path):
    watched(LINES, SourceError("game.mp4: the stream broke"))
    out, film = tmp_path / "lines.jsonl", tmp_path / "film.mp4"
    out.write_text("the last one", encoding="utf-8")
    order = ("replay", recording, "--deck", tiny_deck, "--out", out, "--video", film)
    assert "the stream broke" in refusal(run(*order))
    assert out.read_text(encoding="utf-8") == "the last one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.mp4", "lines.jsonl", "tiny"]


@pytest.mark.parametrize("lines", [[], [{"type": "layout", "t": 0.0, "cards": []}]])
def test_a_recording_of_something_else(recording, tiny_deck, watched, lines):
    watched(lines)
    assert "no cards seen" in refusal(run("replay", recording, "--deck", tiny_deck))


def test_replay_tells_the_settings_to_the_watcher(recording, tiny_deck, monkeypatch):
    told = []

    def watch(path, deck, settings, progress, weights):
        told.append((path, deck.name, settings, weights))
        return iter(LINES)

    monkeypatch.setattr(replay, "watch", watch)
    order = ["--players", "red,blue", "--lead", "blue", "--variant", "complex"]
    order += ["--ruling", "late_claims=judged"]
    assert run("replay", recording, "--deck", tiny_deck, *order).exit_code == 0
    [(path, deck, settings, weights)] = told
    assert (path, deck, weights) == (recording, "Tiny deck", None)
    assert (settings.players, settings.lead, settings.variant) == (
        ("red", "blue"),
        "blue",
        "complex",
    )
    assert settings.rulings["late_claims"] == "judged"
    assert settings.rulings["most_least_counts"] == "animals"


# ---- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--players", "red,pink"], "pink"),
        (["--players", "red,red"], "once"),
        (["--players", "red"], "at least two"),
        (["--players", "red,blue", "--lead", "green"], "green"),
        (["--lead", "Red"], "Red"),
        (["--variant", "hard"], "complex"),
        (["--ruling", "late_claims"], "name=value"),
        (["--ruling", "late_claims=maybe"], "judged"),
        (["--ruling", "early_claims=void"], "early_claims"),
    ],
)
def test_settings_that_make_no_sense(tmp_path, tiny_deck, options, told):
    assert told in refusal(run("replay", tmp_path / "game.mp4", "--deck", tiny_deck, *options))


@pytest.mark.parametrize("option", ["--out", "--video"])
def test_places_that_cannot_be_written_to_are_found_before_the_work(
    recording, tiny_deck, watched, tmp_path, option
):
    watched([], AssertionError("the recording was watched"))
    order = ("replay", recording, "--deck", tiny_deck, option)
    assert "absent" in refusal(run(*order, tmp_path / "absent" / "x.mp4"))
    assert "folder" in refusal(run(*order, tmp_path))
    assert "game.mp4" in refusal(run(*order, recording / "x.mp4"))


def test_a_deck_of_another_game(recording, photograph, tiny_deck):
    text = (tiny_deck / "deck.yaml").read_text(encoding="utf-8")
    text = text.split("cards:")[0].replace("galapa-go", "exploring-galapagos")
    habitat = "{id: h1, kind: habitat, image: a1.png, value: 1, method: zone, time: day, impact: 0,"
    text += f"cards:\n  - {habitat} animals: [{{color: gray-bird, zone: sky}}]}}\n"
    (tiny_deck / "deck.yaml").write_text(text, encoding="utf-8")
    assert "no cards seen" in refusal(run("replay", recording, "--deck", tiny_deck))
    assert "Exploring Galapagos" in refusal(run("score", photograph, "--deck", tiny_deck))


def truncated(path: Path) -> None:
    write_video(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def sound_only(path: Path) -> None:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=8000)
        stream.layout = "mono"
        silence = np.zeros((1, 1024), np.float32)
        frame = av.AudioFrame.from_ndarray(silence, format="fltp", layout="mono")
        frame.sample_rate = 8000
        container.mux(stream.encode(frame))
        container.mux(stream.encode())


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda path: None, id="missing"),
        pytest.param(lambda path: path.mkdir(), id="a folder"),
        pytest.param(lambda path: path.write_bytes(b""), id="empty"),
        pytest.param(lambda path: path.write_text("Dear diary,\n" * 99), id="a text"),
        pytest.param(lambda path: write_video(path, frames=0), id="no frames"),
        pytest.param(truncated, id="truncated"),
        pytest.param(sound_only, id="sound only"),
    ],
)
def test_what_is_no_recording(tmp_path: Path, tiny_deck: Path, make: Callable[[Path], object]):
    path = tmp_path / "game.mp4"
    make(path)
    out = tmp_path / "lines.jsonl"
    assert "game.mp4" in refusal(run("replay", path, "--deck", tiny_deck, "--out", out))
    assert not out.exists()


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda path: None, id="missing"),
        pytest.param(lambda path: path.mkdir(), id="a folder"),
        pytest.param(lambda path: path.write_bytes(b""), id="empty"),
        pytest.param(lambda path: path.write_text("Dear diary,\n" * 99), id="a text"),
        pytest.param(lambda path: path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(99)), id="a stump"),
    ],
)
def test_what_is_no_picture(tmp_path: Path, tiny_deck: Path, make: Callable[[Path], object]):
    path = tmp_path / "table.png"
    make(path)
    assert "table.png" in refusal(run("detect", path))
    assert "table.png" in refusal(run("score", path, "--deck", tiny_deck, "--json"))


def test_weights_that_are_none(tmp_path: Path):
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), np.full((120, 160, 3), 90, np.uint8))
    assert "absent.onnx" in refusal(run("detect", picture, "--weights", tmp_path / "absent.onnx"))
    text = tmp_path / "text.onnx"
    text.write_text("no weights", encoding="utf-8")
    assert "text.onnx" in refusal(run("detect", picture, "--weights", text))


# ---- photographs ---------------------------------------------------------------------------------


@pytest.fixture
def photograph(tmp_path: Path) -> Path:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.full((120, 160, 3), 128, np.uint8))
    return path


def test_detect_prints_json_and_draws(photograph, monkeypatch, tmp_path):
    answer = {
        "width": 160,
        "height": 120,
        "detections": [{"kind": "card", "score": 0.91, "quad": QUAD}],
    }
    monkeypatch.setattr(pictures, "detect_picture", lambda *_: answer)
    out = tmp_path / "drawn.jpg"
    result = run("detect", photograph, "--json", "--out", out)
    assert json.loads(result.stdout) == answer
    drawn = cv2.imread(str(out)).astype(int)
    assert drawn.shape == (120, 160, 3)
    assert abs(drawn[60, 40] - 128).max() > 40
    assert "card" in run("detect", photograph).stdout


def test_score_marks_the_photos_that_fit(photograph, tiny_deck, monkeypatch, tmp_path):
    seen = [
        {"id": "a1", "kind": "animal", "score": 0.99, "quad": QUAD},
        {"id": "t1", "kind": "task", "score": 0.98, "quad": [[x + 60, y] for x, y in QUAD]},
    ]
    answer = {
        "matching": ["a1"],
        "seen": seen,
        "doubts": [{"text": "something lies on a1"}],
        "won": {},
    }
    monkeypatch.setattr(pictures, "score_picture", lambda *_: answer)
    out = tmp_path / "drawn.png"
    result = run("score", photograph, "--deck", tiny_deck, "--out", out)
    for words in ("a1 ✓", "t1: lion", "Photos that fit: a1", "something lies on a1"):
        assert words in result.stdout
    drawn = cv2.imread(str(out)).astype(int)
    assert drawn[60, 50, 1] > drawn[60, 50, 2] + 10
    assert json.loads(run("score", photograph, "--deck", tiny_deck, "--json").stdout) == answer


def test_names_with_brackets_and_colons_are_told_as_they_are(
    photograph, tiny_deck, monkeypatch, tmp_path
):
    seen = [
        {"id": name, "kind": "animal", "score": 0.99, "quad": QUAD}
        for name in ("a[/b]", "[red]a1", "a:lion:")
    ]
    doubt = {"text": "a card [perhaps] a[/b]", "quad": QUAD}
    answer = {"matching": ["a[/b]"], "seen": seen, "doubts": [doubt], "won": {"red": ["[/]"]}}
    monkeypatch.setattr(pictures, "score_picture", lambda *_: answer)
    out = tmp_path / "drawn.png"
    result = run("score", photograph, "--deck", tiny_deck, "--out", out)
    assert result.exit_code == 0, result.output
    for words in ("a[/b] ✓", "[red]a1", "a:lion:", "red [/]", "a card [perhaps] a[/b]"):
        assert words in result.stdout
    assert cv2.imread(str(out)).shape[0] > 120


def test_a_drawing_needs_the_name_of_a_picture(photograph, monkeypatch, tmp_path):
    answer = {"width": 160, "height": 120, "detections": []}
    monkeypatch.setattr(pictures, "detect_picture", lambda *_: answer)
    for name in ("drawn", "drawn.txt"):
        assert name in refusal(run("detect", photograph, "--out", tmp_path / name))
