"""What is believed to lie on a board: new things at once, changes of mind after a second look."""

from __future__ import annotations

from typing import Any

import pytest

from vision.board_watch_memory import BoardMemory, Comparison
from vision.table import (
    BoardReading,
    ChipReading,
    ObscureReading,
    Quad,
    SpaceReading,
    SpaceState,
)

SQUARE: Quad = ((0.0, 0.0), (50.0, 0.0), (50.0, 50.0), (0.0, 50.0))


def space(face: str | None = None, rotation: int = 0, **more: Any) -> SpaceReading:
    kind = None if face is None else "back" if face == "pond" else "path"
    state = SpaceState.EMPTY if face is None else SpaceState.COVERED
    told = {"state": state, "score": 0.99, "quad_px": SQUARE, "explained": 0.95} | more
    return SpaceReading(row=0, col=0, face_id=face, face_kind=kind, rotation=rotation, **told)


def chip(face: str, quarter: str = "nw", score: float = 0.999, **more: Any) -> ChipReading:
    return ChipReading(0, 0, quarter, face, score, SQUARE, **more)


def look(
    t: float, seen: SpaceReading, *chips: ChipReading, obscure: str | None = None
) -> BoardReading:
    unread = () if obscure is None else (ObscureReading(0, 0, obscure, 0.1, SQUARE),)
    return BoardReading(t, 640, 480, 1, 1, (seen,), chips, unread)


def meaning(seen: SpaceReading) -> str:
    return f"{seen.face_id} {seen.rotation % 180 if seen.face_id == 'even' else seen.rotation}"


@pytest.fixture
def memory() -> BoardMemory:
    return BoardMemory(meaning)


def faces(found: Comparison) -> list[str | None]:
    return [change.after.face_id for change in found.spaces]


def chips_of(found: Comparison) -> list[tuple[str, bool]]:
    return [(change.chip.face_id, change.is_there) for change in found.chips]


def test_a_bare_space_is_known_and_no_news(memory: BoardMemory) -> None:
    found = memory.compare(look(0.0, space()))
    assert (faces(found), found.known, found.open) == ([], ((0, 0),), ())
    assert memory.is_filled


def test_a_card_and_its_chip_on_a_bare_space_are_believed_at_once(memory: BoardMemory) -> None:
    memory.compare(look(0.0, space()))
    found = memory.compare(look(1.0, space("a"), chip("red")))
    assert (faces(found), chips_of(found)) == (["a"], [("red", True)])
    assert faces(memory.compare(look(2.0, space("a"), chip("red")))) == []


@pytest.mark.parametrize(
    "unclear",
    [
        {"state": SpaceState.UNSEEN},
        {"state": SpaceState.DOUBTFUL},
        {"explained": 0.4},
    ],
    ids=["unseen", "doubtful", "half hidden"],
)
def test_what_is_not_clear_changes_nothing(memory: BoardMemory, unclear: dict[str, Any]) -> None:
    memory.compare(look(0.0, space()))
    found = memory.compare(look(1.0, space("a", **unclear)))
    assert (faces(found), found.known, found.open) == ([], (), ((0, 0),))


def test_after_a_doubt_a_card_must_be_seen_twice(memory: BoardMemory) -> None:
    memory.compare(look(0.0, space()))
    memory.compare(look(1.0, space("a", state=SpaceState.DOUBTFUL)))
    assert faces(memory.compare(look(1.5, space("a")))) == []
    assert faces(memory.compare(look(2.0, space("a")))) == ["a"]


@pytest.mark.parametrize(
    "after", [space(), space("b"), space("a", 90)], ids=["gone", "b", "turned"]
)
def test_a_change_of_mind_needs_a_second_look_a_while_later(
    memory: BoardMemory, after: SpaceReading
) -> None:
    memory.compare(look(0.0, space("a")))
    assert memory.compare(look(1.0, after)).open == ((0, 0),)
    assert memory.compare(look(1.1, after)).open == ((0, 0),)
    found = memory.compare(look(1.3, after))
    assert faces(found) == [after.face_id]
    assert found.spaces[0].before == space("a")


def test_looks_that_disagree_confirm_nothing(memory: BoardMemory) -> None:
    memory.compare(look(0.0, space("a")))
    for t, seen in ((1.0, space("b")), (2.0, space("c")), (3.0, space("b"))):
        assert faces(memory.compare(look(t, seen))) == []


def test_a_pond_is_built_over_at_once(memory: BoardMemory) -> None:
    memory.compare(look(0.0, space("pond")))
    assert faces(memory.compare(look(1.0, space("a")))) == ["a"]


def test_readings_that_mean_the_same_are_no_change(memory: BoardMemory) -> None:
    memory.compare(look(0.0, space("even")))
    found = memory.compare(look(1.0, space("even", 180)))
    assert (faces(found), found.known) == ([], ((0, 0),))


def test_a_card_that_was_pushed_is_a_change_and_one_read_a_little_off_is_none(
    memory: BoardMemory,
) -> None:
    memory.compare(look(0.0, space("a")))
    for off, news in ((1.5, []), (12.0, ["a"])):
        quad: Any = tuple((x + off, y) for x, y in SQUARE)
        assert faces(memory.compare(look(1.0, space("a", quad_px=quad)))) == news


def test_a_chip_that_is_gone_needs_a_second_look(memory: BoardMemory) -> None:
    memory.compare(look(0.0, space("a"), chip("red")))
    assert chips_of(memory.compare(look(1.0, space("a")))) == []
    assert chips_of(memory.compare(look(1.5, space("a")))) == [("red", False)]


def test_a_chip_that_cannot_be_named_keeps_the_space_open_but_not_the_card(
    memory: BoardMemory,
) -> None:
    memory.compare(look(0.0, space()))
    for unsure in (chip("red", score=0.5), chip("red", runner_up="blue")):
        found = memory.compare(look(1.0, space("a"), unsure))
        assert (chips_of(found), found.open) == ([], ((0, 0),))
    assert memory.reading(look(1.0, space())).spaces[0].face_id == "a"


def test_where_a_chip_may_lie_unread_the_space_stays_open_and_what_was_known_stands(
    memory: BoardMemory,
) -> None:
    found = memory.compare(look(0.0, space("a"), chip("red"), obscure="se"))
    assert (chips_of(found), found.open) == ([("red", True)], ((0, 0),))
    for t in (1.0, 2.0):
        found = memory.compare(look(t, space("a"), obscure="nw"))
        assert (chips_of(found), found.known) == ([], ((0, 0),))


def test_a_chip_in_doubt_is_named_only_if_it_is_very_clear_later(memory: BoardMemory) -> None:
    memory.compare(look(0.0, space("a"), chip("red", score=0.5)))
    assert chips_of(memory.compare(look(1.0, space("a"), chip("red", score=0.85)))) == []
    assert chips_of(memory.compare(look(2.0, space("a"), chip("red")))) == [("red", True)]


def test_a_chip_becomes_another_one_only_where_that_is_very_clear(memory: BoardMemory) -> None:
    memory.compare(look(0.0, space("a"), chip("large")))
    for t in (1.0, 2.0):
        found = memory.compare(look(t, space("a"), chip("medium", score=0.9)))
        assert (chips_of(found), found.known) == ([], ((0, 0),))
    memory.compare(look(3.0, space("a"), chip("medium")))
    found = memory.compare(look(4.0, space("a"), chip("medium")))
    assert chips_of(found) == [("large", False), ("medium", True)]


def test_everything_is_carried_over_when_the_camera_moves(memory: BoardMemory) -> None:
    memory.compare(look(0.0, space("a"), chip("red")))
    there: Quad = ((9.0, 9.0),) * 4
    memory.move(lambda quad: there)
    reading = memory.reading(look(1.0, space()))
    assert (reading.spaces[0].quad_px, reading.chips[0].quad_px) == (there, there)
