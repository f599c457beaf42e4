"""The latency benchmark measures from the true landing to the line that holds."""

from pathlib import Path

import pytest

from tests.acceptance.truth import Claim, ClaimKey, Recording, Round
from tests.benchmarks.latency import Latency, latency_table, measure_latency, waits_of
from vision.resources import SAMPLE_DECK, find_resource

TINY = Path(__file__).parents[1] / "data" / "recordings" / "tiny.mp4"


def recording(*claims: Claim) -> Recording:
    rounds = (Round(frozenset({"t1"}), 0.0, claims, {}),)
    return Recording(Path(), Path(), ("red", "blue"), "red", "normal", rounds)


def line(kind: str, player: str = "", card: str = "") -> dict[str, object]:
    return {"type": kind, "round": 1, "player": player, "card": card}


def test_nothing_told_is_missed() -> None:
    claim = Claim(ClaimKey("red", "a1", "correct"), 2.0)
    assert waits_of([], recording(claim)) == Latency([], [], missed=2)


def test_waits_are_to_the_first_claim_line_and_the_last_ruling() -> None:
    first = Claim(ClaimKey("red", "a1", "correct"), 2.0)
    last = Claim(ClaimKey("blue", "a2", "wrong"), 3.0)
    late = Claim(ClaimKey("blue", "a1", "void"), 3.4)
    told = [
        (2.5, line("claim", "red", "a1")),
        (3.2, line("claim", "blue", "a2")),
        (3.3, line("round")),
        (3.6, line("claim", "red", "a1")),
        (3.75, line("claim", "blue", "a1")),
        (3.75, line("round")),
    ]
    waits = waits_of(told, recording(first, last, late))
    assert waits.claims_s == pytest.approx([0.5, 0.2, 0.35])
    assert waits.verdicts_s == pytest.approx([0.75])
    assert waits.missed == 0


def test_a_recording_is_measured_at_its_own_pace() -> None:
    latency = measure_latency(TINY, find_resource(SAMPLE_DECK), repeats=1)
    assert latency.frames > 100
    assert len(latency.verdicts_s) + latency.missed >= 1
    assert all(wait_s > 0 for wait_s in latency.claims_s + latency.verdicts_s)
    assert latency_table(latency).row_count == 2
