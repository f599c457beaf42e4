"""The sample recording from the file to the rulings, with the detector that ships."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli import app
from tests.acceptance.comparing import compare_rounds
from tests.acceptance.truth import load_recording, read_rounds
from tests.acceptance.videos import decode_only

VIDEO = Path(__file__).parents[1] / "data" / "recordings" / "sample.mp4"


def replay_sample(out: Path) -> bytes:
    recording = load_recording(VIDEO)
    order = ["replay", str(VIDEO), "--deck", str(recording.deck), "--lead", recording.lead]
    order += ["--players", ",".join(recording.players), "--out", str(out)]
    result = CliRunner().invoke(app, order)
    assert result.exit_code == 0, result.output
    return out.read_bytes()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What a replay of the sample writes."""
    return replay_sample(tmp_path_factory.mktemp("replay") / "sample.jsonl")


def test_every_round_is_right_and_every_time_within_a_frame(written: bytes):
    lines = [json.loads(line) for line in written.splitlines()]
    times_s, _ = decode_only(VIDEO)
    tally = compare_rounds(load_recording(VIDEO).rounds, read_rounds(lines), times_s)
    assert tally.faults == []
    assert (tally.wrong_orders, tally.claims_false) == (0, 0)
    assert max(tally.frames_off) <= 1
    assert tally.share_within_dt == 1.0


def test_lines_are_in_the_order_of_time_and_rounded(written: bytes):
    lines = [json.loads(line) for line in written.splitlines()]
    times_s = [line["t"] for line in lines]
    assert times_s == sorted(times_s)
    assert all(round(time_s, 3) == time_s for time_s in times_s)
    assert {line["type"] for line in lines} >= {"layout", "task", "claim", "round"}


def test_the_same_recording_gives_the_same_bytes(written: bytes, tmp_path: Path):
    assert replay_sample(tmp_path / "again.jsonl") == written
