"""The live picture, at which people of every language look: there is no word in it."""

from __future__ import annotations

import re
from typing import Any

import cv2
import numpy as np
import pytest

from referee.commands.tellings import live_painter, painter
from referee.decks import load_deck
from tests.referee.commands.test_exploring_rounds import LINES as HANDS
from tests.referee.commands.test_exploring_rounds import PLACES, table
from tests.referee.commands.test_panda_turns import LINES as TURNS
from vision.resources import find_resource

BARE = np.full((720, 1280, 3), 90, np.uint8)
MATCHES: dict[str, list[dict[str, Any]]] = {
    "galapa-go": [
        {"type": "layout", "t": 0.0, "cards": [
            {"id": card, "score": 0.9, "quad": [[x, 80], [x + 80, 80], [x + 80, 190], [x, 190]]}
            for card, x in (("a01", 100), ("a02", 300), ("a03", 500))
        ]},
        {"type": "task", "t": 1.0, "round": 1, "tasks": ["t05"]},
        {"type": "claim", "t": 2.0, "round": 1, "player": "red", "card": "a01", "order": 1,
         "dt": 0.02},
        {"type": "round", "t": 3.0, "round": 1, "tasks": ["t05"], "matching": ["a01", "a02"],
         "ended_by": "no-match", "claims": [
             {"player": "red", "card": "a01", "order": 1, "t": 2.0, "dt": 0.02, "verdict": "wrong",
              "reason": "does not match: no lion"}]},
        {"type": "notice", "t": 3.0, "code": "camera-moved", "text": "the camera was moved"},
    ],
    "exploring-galapagos": HANDS,
    "panda-gorilla": TURNS,
}  # fmt: skip
SPOKEN = re.compile(r"[a-z]{2,}", re.IGNORECASE)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that is drawn."""
    texts: list[str] = []
    draw = cv2.putText

    def drawn(image: Any, text: str, *rest: Any) -> Any:
        texts.append(text)
        return draw(image, text, *rest)

    monkeypatch.setattr(cv2, "putText", drawn)
    return texts


@pytest.mark.parametrize("game", MATCHES)
def test_a_live_picture_has_no_words_and_keeps_its_size(game: str, written: list[str]) -> None:
    deck = load_deck(find_resource(f"datasets/decks/{game}"))
    picture = table(*PLACES) if game == "exploring-galapagos" else BARE
    times_s = sorted({line["t"] + 0.1 for line in MATCHES[game]})
    tell = painter(MATCHES[game], deck)
    for at_s in times_s:
        tell(picture, at_s)
    assert any(SPOKEN.search(text) for text in written)  # a film tells all this in words

    written.clear()
    paint = live_painter(MATCHES[game], deck)
    painted = [paint(picture, at_s) for at_s in times_s]
    assert [text for text in written if SPOKEN.search(text)] == []
    assert {each.shape for each in painted} == {picture.shape}
    assert len(set(written)) > len(times_s)  # names of cards, orders or points beside the time
