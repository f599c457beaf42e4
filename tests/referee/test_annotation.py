"""What is drawn at each moment of a recording."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.annotation import Storyboard, overlay_of_detections, overlay_of_seen
from referee.decks import Deck, load_deck
from tests.builders import write_tiny_deck
from vision.overlay import AMBER, COLOURS, GREEN, GREY, WHITE, Mark, Sign


def quad(left: float) -> list[list[float]]:
    return [[left, 0.0], [left + 10, 0.0], [left + 10, 20.0], [left, 20.0]]


def layout(t: float, *cards: str) -> dict[str, Any]:
    laid = [{"id": card, "quad": quad(20.0 * int(card[1])), "score": 0.9} for card in cards]
    return {"type": "layout", "t": t, "cards": laid}


def claim(t: float, order: int, player: str, card: str, **more: Any) -> dict[str, Any]:
    return {"order": order, "player": player, "card": card, "t": t, "dt": 0.017, **more}


def told(line_type: str, claim: dict[str, Any]) -> dict[str, Any]:
    return {"type": line_type, "round": 1, **claim}


RED, BLUE = claim(3.0, 1, "red", "a1"), claim(3.5, 2, "blue", "a1")
LINES = [
    layout(0.0, "a1", "a2", "a3"),
    {"type": "task", "t": 2.0, "round": 1, "tasks": ["t1"]},
    told("claim", RED),
    told("claim", BLUE),
    told("withdrawn", {**BLUE, "t": 4.0}),
    {"type": "notice", "t": 4.5, "code": "moved", "text": "the camera has moved"},
    {
        "type": "round",
        "t": 6.0,
        "round": 1,
        "matching": ["a1", "a2"],
        "ended_by": "all-passed",
        "claims": [{**RED, "verdict": "correct"}, {**BLUE, "verdict": "withdrawn"}],
    },
    layout(8.0, "a2", "a3"),
    {"type": "task", "t": 9.0, "round": 2, "tasks": ["t1"]},
]


@pytest.fixture
def deck(tmp_path: Path) -> Deck:
    return load_deck(write_tiny_deck(tmp_path / "tiny"))


@pytest.fixture
def story(deck: Deck) -> Storyboard:
    return Storyboard(LINES, deck)


def strong(marks: tuple[Mark, ...]) -> list[tuple[str, str, Sign | None]]:
    return [(mark.caption, mark.badge, mark.sign) for mark in marks if mark.strong]


def thin(marks: tuple[Mark, ...]) -> list[tuple[str, tuple[int, int, int]]]:
    return [(mark.caption, mark.colour) for mark in marks if not mark.strong]


def test_nothing_was_seen(deck: Deck):
    overlay = Storyboard([], deck).overlay_at(1.0)
    assert (overlay.marks, overlay.title, overlay.rows, overlay.stamp) == ((), "", (), "1.00 s")


def test_times_of_lines_are_rounded_and_frames_are_not(story: Storyboard):
    overlay = story.overlay_at(1.999)
    assert overlay.title == "Round 1"


def test_layout_then_task(story: Storyboard):
    overlay = story.overlay_at(1.0)
    assert (thin(overlay.marks), overlay.title) == (
        [("a1", WHITE), ("a2", WHITE), ("a3", WHITE)],
        "",
    )
    assert story.overlay_at(2.5).subtitle == "t1: lion"


def test_a_claim_is_seen_from_its_time_on(story: Storyboard):
    assert strong(story.overlay_at(2.99).marks) == []
    overlay = story.overlay_at(3.0)
    assert strong(overlay.marks) == [("a1", "1", None)]
    assert overlay.marks[-1].colour == COLOURS["red"]
    assert [row.text for row in overlay.rows] == ["1.  red on a1 at 3.000 s ±0.017"]


def test_a_contested_card_goes_back_to_the_first(story: Storyboard):
    assert strong(story.overlay_at(3.6).marks) == [("a1", "2", None)]
    overlay = story.overlay_at(4.1)
    assert strong(overlay.marks) == [("a1", "1", None)]
    assert [row.sign for row in overlay.rows] == [None, Sign.DASH]


def test_verdicts_and_missed_photos_after_the_round(story: Storyboard):
    overlay = story.overlay_at(6.5)
    assert overlay.title == "Round 1 · everybody else passed"
    assert strong(overlay.marks) == [("a1", "1", Sign.TICK)]
    assert thin(overlay.marks) == [("a2 fits too", GREEN), ("a3", WHITE)]
    assert [row.sign for row in overlay.rows] == [Sign.TICK, Sign.DASH]


@pytest.mark.parametrize(
    ("ended_by", "signs"), [("all-covered", [Sign.TICK, Sign.DASH]), ("all-passed", [None, None])]
)
def test_verdicts_come_with_the_camera_that_ended_the_round(deck: Deck, ended_by, signs):
    lines = [*LINES[:4], {**LINES[6], "ended_by": ended_by}]
    story = Storyboard(lines, deck)
    assert [row.sign for row in story.overlay_at(3.9).rows] == [None, None]
    assert [row.sign for row in story.overlay_at(4.1).rows] == signs
    assert [row.sign for row in story.overlay_at(6.0).rows] == [Sign.TICK, Sign.DASH]


def test_a_card_that_was_taken_home_is_not_drawn(story: Storyboard):
    overlay = story.overlay_at(8.5)
    assert strong(overlay.marks) == []
    assert len(overlay.rows) == 2


def test_the_next_task_clears_the_table(story: Storyboard):
    overlay = story.overlay_at(9.5)
    assert (overlay.title, overlay.rows) == ("Round 2", ())
    assert thin(overlay.marks) == [("a2", WHITE), ("a3", WHITE)]


@pytest.mark.parametrize(("t", "text"), [(4.4, ""), (4.5, "the camera has moved"), (8.5, "")])
def test_a_notice_stays_long_enough_to_be_read(story: Storyboard, t: float, text: str):
    assert story.overlay_at(t).notice == text


def test_a_photograph_without_a_task(deck: Deck):
    seen = [
        {"id": "a1", "kind": "animal", "score": 0.9, "quad": quad(0)},
        {"id": "cam-red", "kind": "camera", "score": 0.9, "quad": quad(20)},
    ]
    overlay = overlay_of_seen({"seen": seen}, deck)
    assert [mark.colour for mark in overlay.marks] == [WHITE, COLOURS["red"]]
    assert (overlay.title, overlay.subtitle) == ("2 faces", "")


def test_weak_detections_are_grey():
    found = [{"kind": "camera", "score": score, "quad": quad(0)} for score in (0.9, 0.4)]
    overlay = overlay_of_detections({"detections": found})
    assert [(mark.caption, mark.colour) for mark in overlay.marks] == [
        ("camera 0.90", AMBER),
        ("camera 0.40", GREY),
    ]
