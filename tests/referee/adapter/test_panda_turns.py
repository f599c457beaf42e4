"""One turn after the other: what stands on the board, what has gone home, what is left."""

from __future__ import annotations

from dataclasses import replace

from referee.adapter.panda_lines import LaidChip, PlacedLine, ScoredLine
from referee.adapter.panda_turns import Deed, Standing, Taking, Turn, Zoo, outcomes
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
    assert [(line.t, line.area["points"]) for line in outcome.lines[1:]] == [
        (6.0, {"red": 2}),
        (6.0, {"blue": 2}),
    ]


def test_an_area_that_was_scored_pays_no_second_time() -> None:
    (first,) = outcomes(ZOO, (turn(2.0, 0, ("nw", "red")),), Standing())
    again = LaidChip(9.0, 0.02, Proposal(Space(0, 0), "ne", "blue", Size.SMALL))
    late = Turn(9.0, 0.02, Tile(Space(0, 0), ACROSS, 0), QUAD, again, is_late=True)
    (second,) = outcomes(ZOO, (late,), first.standing)
    assert [type(line) for line in second.lines] == [PlacedLine]
    assert second.standing.totals == {"red": 1}
    assert second.lines[0].t == 9.0


def test_what_lay_there_from_the_start_breaks_no_rule_of_order() -> None:
    apart = Turn(0.0, 0.0, Tile(Space(0, 3), ACROSS, 0), QUAD)
    (outcome,) = outcomes(ZOO, (apart,), Standing())
    assert outcome.lines[0].illegal == ()
    (later,) = outcomes(ZOO, (turn(2.0, 3),), Standing())
    assert [breach["rule"] for breach in later.lines[0].illegal] == ["sign"]


def covered_board(chip: tuple[str, str]) -> list[Turn]:
    pond = Turn(5.0, 0.02, Tile(Space(0, 3), None), QUAD)
    return [turn(2.0, 0), turn(3.0, 2, chip), pond]


def test_chips_taken_home_from_a_covered_board_end_the_game_and_open_areas_are_scored() -> None:
    deeds = covered_board(("nw", "red"))
    red = Proposal(Space(0, 2), "nw", "red", Size.SMALL)
    *_, outcome = outcomes(ZOO, [*deeds, Taking(8.0, red)], Standing())
    (scored,) = outcome.lines
    assert isinstance(scored, ScoredLine)
    assert (scored.t, scored.area["points"], scored.area["complete"]) == (5.0, {"red": 1}, False)
    assert outcome.standing.proposals == ()


def test_one_chip_of_two_taken_from_a_covered_board_may_be_a_mistake() -> None:
    first, second, pond = covered_board(("nw", "red"))
    late = LaidChip(4.5, 0.02, Proposal(Space(0, 2), "sw", "blue", Size.SMALL))
    both = replace(second, t=4.5, chip=late, is_late=True)
    red = Proposal(Space(0, 2), "nw", "red", Size.SMALL)
    deeds: list[Deed] = [first, second, both, pond, Taking(8.0, red)]
    *_, outcome = outcomes(ZOO, deeds, Standing())
    assert outcome.lines == ()
    *_, ended = outcomes(ZOO, [*deeds, Taking(9.0, late.proposal)], Standing())
    points = [line.area["points"] for line in ended.lines if isinstance(line, ScoredLine)]
    assert points == [{"red": 1}, {"blue": 1}]


def test_a_chip_taken_while_a_space_is_bare_is_only_remarked() -> None:
    red = Proposal(Space(0, 2), "nw", "red", Size.SMALL)
    deeds: list[Deed] = [turn(3.0, 2, ("nw", "red")), Taking(8.0, red)]
    *_, outcome = outcomes(ZOO, deeds, Standing())
    assert (outcome.lines, outcome.standing.proposals) == ((), ())
    assert [line.code for line in outcome.standing.remarks] == ["chip-taken"]
    *_, later = outcomes(ZOO, [*deeds, turn(9.0, 3)], Standing())
    assert [line.to_json()["type"] for line in later.lines] == ["notice", "placed"]


def test_many_chips_taken_one_after_the_other_end_the_game_though_a_space_is_bare() -> None:
    second = turn(3.0, 2, ("nw", "red"))
    deeds: list[Deed] = [second]
    for at, (quarter, player) in enumerate((("sw", "blue"), ("se", "green"))):
        chip = LaidChip(4.0 + at, 0.02, Proposal(Space(0, 2), quarter, player, Size.SMALL))
        deeds.append(replace(second, t=chip.t, chip=chip, is_late=True))
    deeds += [
        Taking(8.0 + at, deed.chip.proposal)
        for at, deed in enumerate(deeds)
        if isinstance(deed, Turn) and deed.chip is not None
    ]
    *_, ended = outcomes(ZOO, deeds[:-1], Standing())
    points = [line.area["points"] for line in ended.lines if isinstance(line, ScoredLine)]
    assert points == []
    *_, ended = outcomes(ZOO, deeds, Standing())
    points = [line.area["points"] for line in ended.lines if isinstance(line, ScoredLine)]
    assert points == [{"red": 1}, {"blue": 1, "green": 1}]
