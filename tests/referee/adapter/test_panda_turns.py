"""One turn after the other: what stands on the board, what has gone home, what is left."""

from __future__ import annotations

from referee.adapter.panda_lines import LaidChip
from referee.adapter.panda_turns import Standing, Turn, Zoo, outcomes
from referee.games.panda_gorilla.model import (
    Board,
    PathCard,
    Proposal,
    Rulings,
    Size,
    Space,
    Tile,
)
from referee.games.panda_gorilla.packing import FULL_SUPPLY
from vision.table import Quad

QUAD: Quad = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
BOARD = Board(1, 4, entrance=(Space(0, 1),), signs=(Space(0, 0), Space(0, 2)))
ACROSS = PathCard("across", frozenset("ew"), ("light", "light", "dark", "dark"))
ZOO = Zoo(BOARD, Rulings())


def turn(t: float, col: int, chip: tuple[str, str] | None = None) -> Turn:
    laid = None
    if chip is not None:
        quarter, player = chip
        laid = LaidChip(t + 1, 0.02, Proposal(Space(0, col), quarter, player, Size.SMALL))
    return Turn(t, 0.02, Tile(Space(0, col), ACROSS, 0), QUAD, laid)


def test_chips_of_a_scored_area_go_home_and_its_animals_leave_the_supply() -> None:
    (outcome,) = outcomes(ZOO, (turn(2.0, 0, ("nw", "red")),), Standing())
    standing = outcome.standing
    assert standing.proposals == ()
    assert [chip.player for chip in standing.home] == ["red"]
    assert standing.supply.small == FULL_SUPPLY.small - 1
    assert standing.totals == {"red": 1}


def test_an_area_is_scored_when_the_chip_of_its_turn_lies_on_whichever_area() -> None:
    *_, outcome = outcomes(
        ZOO, (turn(2.0, 2, ("nw", "red")), turn(5.0, 3, ("sw", "blue"))), Standing()
    )
    assert [(line.t, line.area["points"]) for line in outcome.scored] == [
        (6.0, {"red": 2}),
        (6.0, {"blue": 2}),
    ]


def test_an_area_that_was_scored_pays_no_second_time() -> None:
    (first,) = outcomes(ZOO, (turn(2.0, 0, ("nw", "red")),), Standing())
    again = LaidChip(9.0, 0.02, Proposal(Space(0, 0), "ne", "blue", Size.SMALL))
    late = Turn(9.0, 0.02, Tile(Space(0, 0), ACROSS, 0), QUAD, again, is_late=True)
    (second,) = outcomes(ZOO, (late,), first.standing)
    assert second.scored == ()
    assert second.standing.totals == {"red": 1}
    assert second.placed.t == 9.0


def test_what_lay_there_from_the_start_breaks_no_rule_of_order() -> None:
    apart = Turn(0.0, 0.0, Tile(Space(0, 3), ACROSS, 0), QUAD)
    (outcome,) = outcomes(ZOO, (apart,), Standing())
    assert outcome.placed.illegal == ()
    (later,) = outcomes(ZOO, (turn(2.0, 3),), Standing())
    assert [breach["rule"] for breach in later.placed.illegal] == ["sign"]
