"""Doubtful spaces are settled by their neighbours, and by nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.board_joining import count_clashes, settle
from vision.board_looks import EVEN_LIGHT, Lying, SpaceLook
from vision.board_print import Joins, PrintedFace

CLOSE = 1.2
IMAGE = np.zeros((4, 4, 4), np.uint8)
WORDS = ("north", "east", "south", "west")


def face(name: str, sides: str, lawns: str) -> PrintedFace:
    """A card whose sides (p: path, l: lawn) and corners (d, l) are given from north, NW on."""
    joins = Joins(tuple(sides), tuple(lawns))  # type: ignore[arg-type]
    return PrintedFace(name, "path", IMAGE, (44, 44), (name,) * 4, (joins,) * 4)


CROSS = face("cross", "pppp", "dddd")
ACROSS = face("across", "lplp", "dddd")
ALONG = face("along", "plpl", "dddd")
BRIGHT = face("bright", "lplp", "llll")
POND = PrintedFace("pond", "back", IMAGE, (44, 44), ("pond",) * 4)


def look(
    col: int, best: PrintedFace | None, *rivals: tuple[PrintedFace | None, float], seen: float = 0.9
) -> SpaceLook:
    others = tuple((Lying(each, 0, 0.01), margin) for each, margin in rivals)
    return SpaceLook(
        0, col, Lying(best, 0, 0.01), others, (col + 0.5, 0.5), 0.0, seen,
        np.zeros((3, 3), np.float32), 1.0, EVEN_LIGHT,
    )  # fmt: skip


SURE = look(0, CROSS, (ALONG, 3.0))


def settled(second: SpaceLook) -> tuple[str | None, float]:
    _, after = settle([SURE, second], CLOSE)
    best = after.best.face if after.best else None
    return best.id if best else None, after.margin


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (look(1, ACROSS, (ALONG, 1.1), (BRIGHT, 3.0)), ("across", CLOSE)),
        (look(1, ALONG, (ACROSS, 1.05), (BRIGHT, 3.0)), ("across", CLOSE)),
        (look(1, ALONG, (ACROSS, 1.15)), ("along", 1.15)),
        (look(1, ACROSS, (CROSS, 1.1)), ("across", 1.1)),
        (look(1, ALONG, (ACROSS, 2.0)), ("along", 2.0)),
        (look(1, ACROSS, (ALONG, 1.1), seen=0.3), ("across", 1.1)),
        (look(1, ACROSS, (POND, 1.1)), ("across", 1.1)),
        (look(1, ACROSS, (None, 1.1)), ("across", 1.1)),
    ],
    ids=[
        "the best joins", "the next joins", "too much against the eye", "both join",
        "what is seen surely stays", "a hand hides it", "a pond joins anything", "or nothing lies",
    ],
)  # fmt: skip
def test_only_what_joins_wins(second: SpaceLook, expected: tuple[str | None, float]) -> None:
    assert settled(second) == expected


def test_one_that_is_settled_settles_the_next() -> None:
    looks = [SURE, look(1, ACROSS, (ALONG, 1.1)), look(2, ALONG, (ACROSS, 1.0))]
    assert [each.best.face.id for each in settle(looks, CLOSE) if each.best and each.best.face] == [
        "cross", "across", "across"
    ]  # fmt: skip


def test_without_neighbours_nothing_is_settled() -> None:
    alone = look(5, ACROSS, (ALONG, 1.1))
    assert settle([SURE, alone], CLOSE)[1] is alone


def test_corners_count_across_and_beside() -> None:
    cross, bright = CROSS.joins[0], Lying(BRIGHT, 0, 0.0)
    assert count_clashes(bright, (3, 3), {}) == 0
    assert count_clashes(bright, (3, 3), {(2, 2): cross}) == 1
    assert count_clashes(bright, (3, 3), {(3, 2): cross}) == 2
    assert count_clashes(bright, (3, 3), {(2, 3): cross}) == 3


def test_what_is_hidden_for_the_most_part_is_not_settled() -> None:
    """What little is in sight may be explained to the last pixel."""
    doubtful = look(1, ACROSS, (ALONG, 1.1))
    assert settled(replace(doubtful, visible=0.5)) == ("across", CLOSE)
    assert settled(replace(doubtful, visible=0.4)) == ("across", 1.1)
