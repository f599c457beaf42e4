"""The latency benchmark measures from the true landing to the line that holds."""

from pathlib import Path

import pytest

from tests.acceptance.truth import Claim, ClaimKey, Recording, Round
from tests.benchmarks.latency import (
    Latency,
    Told,
    latency_table,
    measure_latency,
    waits_of,
    work_out_latency,
)
from vision.resources import SAMPLE_DECK, find_resource

TINY = Path(__file__).parents[1] / "data" / "recordings" / "tiny.mp4"


def recording(*claims: Claim) -> Recording:
    rounds = (Round(frozenset({"t1"}), 0.0, claims, {}),)
    return Recording(Path(), Path(), ("red", "blue"), "red", "normal", rounds)


def line(kind: str, player: str = "", card: str = "", t: float = 0.0) -> dict[str, object]:
    return {"type": kind, "round": 1, "player": player, "card": card, "t": t}


def ruling(won: str, verdict: str = "correct") -> dict[str, object]:
    claims = [{"player": "red", "card": "a1", "verdict": verdict}]
    return {**line("round"), "won": {won: ["a1"]}, "claims": claims}


def waits(told: list[tuple[float, dict[str, object]]], *claims: Claim) -> Latency:
    lines = [Told(at_s, each) for at_s, each in told]
    return waits_of(lines, recording(*claims))


RED = Claim(ClaimKey("red", "a1", "correct"), 2.0)
BLUE = Claim(ClaimKey("blue", "a2", "wrong"), 3.0)


def test_nothing_told_is_missed() -> None:
    assert waits([], RED) == Latency(missed=2)


def test_waits_are_to_the_first_claim_line_and_the_ruling_that_holds() -> None:
    late = Claim(ClaimKey("blue", "a1", "void"), 3.4)
    told = [
        (2.5, line("claim", "red", "a1")),
        (3.2, line("claim", "blue", "a2")),
        (3.3, ruling("blue")),
        (3.6, line("claim", "red", "a1")),
        (3.75, line("claim", "blue", "a1")),
        (3.75, ruling("red")),
        (5.0, ruling("red")),
    ]
    found = waits(told, RED, BLUE, late)
    assert found.claims_s == pytest.approx([0.5, 0.2, 0.35])
    assert found.verdicts_s == pytest.approx([0.75])
    assert (found.missed, found.false, found.reversed) == (0, 0, 1)


def test_claims_that_nobody_made_and_doubled_ones_are_false() -> None:
    told = [
        (2.5, line("claim", "red", "a1", t=2.0)),
        (2.6, line("claim", "red", "a1", t=2.1)),
        (2.7, line("claim", "blue", "a1", t=2.2)),
        (2.8, line("round")),
    ]
    assert waits(told, RED).false == 2


def test_a_recording_is_measured_at_its_own_pace() -> None:
    latency = measure_latency(TINY, find_resource(SAMPLE_DECK), repeats=1)
    assert latency.frames > 100
    assert len(latency.verdicts_s) + latency.missed >= 1
    assert all(wait_s > 0 for wait_s in latency.claims_s + latency.verdicts_s)
    idle = work_out_latency(TINY, find_resource(SAMPLE_DECK))
    assert len(idle.verdicts_s) == len(latency.verdicts_s)
    assert idle.false == 0
    assert all(0 < wait_s < 2 for wait_s in idle.claims_s)
    assert latency_table(latency, idle).row_count == 4
