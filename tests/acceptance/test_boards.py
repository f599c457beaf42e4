"""A photograph without its board is one fault, and no end of a whole run."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from datasets.still import DECKS
from tests.acceptance.boards import run_board


def test_a_board_that_is_not_found_is_a_fault(tmp_path: Path) -> None:
    noise = np.random.default_rng(2).integers(0, 256, (300, 400, 3)).astype(np.uint8)
    cv2.imwrite(str(tmp_path / "none.png"), noise)
    truth_path = tmp_path / "none.truth.json"
    deck = str(DECKS / "panda-gorilla")
    truth_path.write_text(json.dumps({"deck": deck, "position": {}, "seen": [], "expect": {}}))
    run = run_board(truth_path, {})
    assert len(run.faults) == 1
    assert "expected the board of this deck" in run.faults[0]
