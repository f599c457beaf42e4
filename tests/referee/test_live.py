"""A table watched live: every line at once, told again only where it changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.adapter.lines import ClaimLine
from referee.adapter.panda_lines import PlacedLine
from referee.decks import Deck, load_deck
from referee.games.panda_gorilla.model import PathCard, Space, Tile
from referee.judge import judge
from referee.live import Memory, Told, watch_live
from referee.watch import watch
from referee.watch_orders import WatchSettings
from vision.frame import Frame
from vision.resources import SAMPLE_DECK, find_resource
from vision.source import VideoFile

RECORDING = Path(__file__).parents[1] / "data" / "recordings" / "tiny.mp4"
SETTINGS = WatchSettings(("orange", "green"), "orange")


class Clocked(VideoFile):
    """A recording that knows how far it has been watched."""

    now_s = 0.0

    def frames(self) -> Iterator[Frame]:
        for frame in super().frames():
            self.now_s = frame.timestamp_s
            yield frame


@pytest.fixture(scope="module")
def deck() -> Deck:
    return load_deck(find_resource(SAMPLE_DECK))


@pytest.fixture(scope="module")
def told(deck: Deck) -> list[tuple[float, Told]]:
    source = Clocked(RECORDING)
    return [(source.now_s, each) for news in watch_live(source, deck, SETTINGS) for each in news]


def without_t(line):
    return {name: value for name, value in line.items() if line["type"] != "round" or name != "t"}


def test_live_lines_are_those_of_a_replay(deck, told):
    replayed = [without_t(line) for line in watch(RECORDING, deck, SETTINGS)]
    assert sorted(map(json.dumps, (without_t(each.line) for _, each in told))) == sorted(
        map(json.dumps, replayed)
    )
    assert [line["type"] for line in replayed].count("round") == 1


def test_the_verdict_comes_while_the_cards_still_lie_there(told):
    known_s, ruled = next((now, each) for now, each in told if each.line["type"] == "round")
    last_s = max(claim["t"] for claim in ruled.line["claims"])
    assert ruled.line["ended_by"] == "none-left"
    assert known_s - last_s < 1.0


def test_a_question_is_told_with_every_round_and_gives_its_ruling(deck, told):
    asked = [each for _, each in told if each.line["type"] in ("task", "claim", "round")]
    assert asked
    assert all(each.question is not None for each in asked)
    ruled = next(each for each in asked if each.line["type"] == "round")
    answer = judge(ruled.question, deck)
    assert {name: ruled.line[name] for name in ("won", "ended_by", "lead", "winners")} == {
        name: answer[name] for name in ("won", "ended_by", "lead", "winners")
    }


def test_what_was_said_before_is_not_said_again(deck, told):
    lines = [json.loads(json.dumps(each.line)) for _, each in told]
    assert list(watch_live(VideoFile(RECORDING), deck, SETTINGS, said=lines)) == []
    rest = list(watch_live(VideoFile(RECORDING), deck, SETTINGS, said=lines[:2]))
    assert [each.line for news in rest for each in news] == [each.line for _, each in told][2:]


def test_what_was_said_and_revised_is_not_said_again_from_the_start() -> None:
    first, revised = (
        ClaimLine(1.0, 0.017, 1, "red", "a1", order, ((0, 0), (1, 0), (1, 1), (0, 1)))
        for order in (1, 2)
    )
    said = [first.to_json(), revised.to_json()]
    memory = Memory(said)
    assert list(memory.news([first])) == []
    assert list(memory.news([revised])) == []
    assert [told.line for told in memory.news([first])] == said[:1]


SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))


def placed(t: float, row: int) -> PlacedLine:
    card = PathCard("p01", frozenset("n"), ("dark", "dark", "dark", "dark"))
    return PlacedLine(t, 0.017, Tile(Space(row, 2), card, 90), SQUARE, None, ())


def test_a_card_of_a_board_that_was_moved_on_is_told_as_taken_c40() -> None:
    """Failure C40: what has gone is told, once, and does not stay for ever."""
    memory = Memory(())
    first, moved = placed(1.0, 3), placed(4.0, 4)
    assert list(memory.taken([first])) == []
    assert [told.line for told in memory.news([first])] == [first.to_json()]
    assert [told.line for told in memory.taken([moved])] == [{**first.to_json(), "taken": True}]
    assert [told.line for told in memory.news([moved])] == [moved.to_json()]
    assert list(memory.taken([moved])) == []
    # The card is seen again where it was laid at first: it was never taken.
    assert [told.line for told in memory.news([first])] == [first.to_json()]


def test_what_was_taken_before_is_not_told_again_from_the_start() -> None:
    first, moved = placed(1.0, 3), placed(4.0, 4)
    said = [first.to_json(), {**first.to_json(), "taken": True}, moved.to_json()]
    memory = Memory(said)
    for lines in ([first], [moved]):
        assert [*memory.taken(lines), *memory.news(lines)] == []


def test_a_claim_that_is_believed_no_longer_is_no_card_of_a_board() -> None:
    claimed = ClaimLine(1.0, 0.017, 1, "red", "a1", 1, SQUARE)
    memory = Memory(())
    assert len(list(memory.news([claimed]))) == 1
    assert list(memory.taken([])) == []
