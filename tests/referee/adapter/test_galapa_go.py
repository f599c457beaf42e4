"""Events of a table become rounds; a person can read every story below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from referee.adapter.galapa_go import GalapaGoTable, TableSettings
from referee.adapter.lines import ClaimLine, LayoutLine, Line, NoticeLine, RoundLine, TaskLine
from referee.games.galapa_go.model import Animal, AnimalCard, CameraCard, Card, Task, Variant
from referee.games.galapa_go.position import format_ruling, read_position
from referee.games.galapa_go.scoring import rule_round
from vision.table import (
    Landed,
    Lifted,
    Notice,
    PieceKind,
    PieceReading,
    Point,
    Quad,
    Settled,
    TableEvent,
    TableReading,
)

SPECIES = ("lion", "elephant", "giraffe")
HOMES = {"red": (150.0, 450.0), "blue": (-170.0, 100.0), "green": (470.0, 100.0)}
"""Seen from above: red sits at the bottom, blue on the left, green on the right."""


def deck() -> list[Card]:
    animals: list[Card] = [
        AnimalCard(
            f"a{number:02}",
            (Animal(SPECIES[number % 3], SPECIES[number % 3]),),
        )
        for number in range(30)
    ]
    tasks: list[Card] = [
        Task("t-lion", frozenset({"lion"}), frozenset()),
        Task("t-elephant", frozenset({"elephant"}), frozenset()),
        Task("t-none", frozenset({"lion", "elephant"}), frozenset()),
        Task("t-not-lion", frozenset(), frozenset({"lion"})),
    ]
    cameras: list[Card] = [CameraCard(f"cam-{player}", player) for player in HOMES]
    return [*animals, *tasks, *cameras]


def piece(face: str, kind: str, x: float, y: float) -> PieceReading:
    quad: Quad = ((x - 31, y - 44), (x + 31, y - 44), (x + 31, y + 44), (x - 31, y + 44))
    shown = PieceKind.CAMERA if kind == "camera" else PieceKind.CARD
    return PieceReading(shown, 0.99, quad, quad, face_id=face, face_kind=kind)


def spot(number: int) -> Point:
    return 75.0 * (number % 5), 100.0 * (number // 5)


def layout(numbers: Sequence[int]) -> list[PieceReading]:
    return [piece(f"a{number:02}", "animal", *spot(number)) for number in numbers]


def settled(t: float, *pieces: PieceReading) -> Settled:
    return Settled(t, TableReading(t, 1280, 720, pieces))


def start(*extra: PieceReading, numbers: Sequence[int] = range(15)) -> Settled:
    homes = [piece(f"cam-{player}", "camera", *home) for player, home in HOMES.items()]
    return settled(0.0, *layout(numbers), *homes, *extra)


def task(t: float, name: str) -> Landed:
    return Landed(t, 0.017, piece(name, "task", 450, 300), (), round(30 * t))


def claim(
    t: float, player: str, card: int, under: tuple[str, ...] = (), dt: float = 0.017
) -> Landed:
    name = f"a{card:02}"
    lies = piece(f"cam-{player}", "camera", *spot(card))
    return Landed(t, dt, lies, (*under, name), round(30 * t))


def lift(t: float, player: str, card: int) -> Lifted:
    lies = piece(f"cam-{player}", "camera", *spot(card))
    return Lifted(t, 0.0, lies, (f"a{card:02}",), round(30 * t))


def home(t: float, player: str) -> Landed:
    return Landed(t, 0.017, piece(f"cam-{player}", "camera", *HOMES[player]), (), round(30 * t))


def watch(*events: TableEvent, settings: TableSettings | None = None) -> list[Line]:
    table = GalapaGoTable(
        deck(), settings or TableSettings(players=("red", "blue", "green"), lead="red")
    )
    lines = [line for event in events for line in table.take(event)]
    return [*lines, *table.finish(99.0)]


def rounds(lines: list[Line]) -> list[RoundLine]:
    return [line for line in lines if isinstance(line, RoundLine)]


def verdicts(line: RoundLine) -> list[tuple[str, str, str]]:
    return [(c["player"], c["card"], c["verdict"]) for c in line.ruling["claims"]]


def test_a_table_without_a_task_has_no_round() -> None:
    lines = watch(start())
    assert [type(line) for line in lines] == [LayoutLine]
    assert isinstance(lines[0], LayoutLine)
    assert [card.card for card in lines[0].cards] == [f"a{n:02}" for n in range(15)]


def test_a_running_round_is_told_as_it_stands_and_goes_on() -> None:
    table = GalapaGoTable(deck(), TableSettings(players=("red", "blue", "green"), lead="red"))
    for event in (start(), task(2.0, "t-lion"), claim(4.0, "blue", 3), claim(5.0, "red", 1)):
        assert RoundLine not in {type(line) for line in table.take(event)}
        running = list(table.running(6.0))
    assert [type(line) for line in running] == [TaskLine, ClaimLine, ClaimLine, RoundLine]
    assert verdicts(rounds(running)[0]) == [("blue", "a03", "correct"), ("red", "a01", "wrong")]
    assert rounds(running)[0].ruling["ended_by"] is None
    assert list(table.running(6.0)) == running
    assert list(table.take(claim(6.5, "green", 6))) == []
    (ended,) = rounds(list(table.running(8.0)))
    assert (ended.ruling["ended_by"], ended.t) == ("all-covered", 6.5)
    (closed,) = rounds(list(table.finish(9.0)))
    assert (closed.ruling, closed.t) == (ended.ruling, 9.0)
    assert list(table.running(9.0)) == []


def test_a_round_carries_the_question_that_was_judged() -> None:
    (line,) = rounds(
        watch(start(), task(2.0, "t-lion"), claim(4.0, "blue", 3), task(9.0, "t-elephant"))[:-2]
    )
    assert line.question is not None
    position, actions = read_position(line.question, deck())
    assert format_ruling(rule_round(position, actions)) == line.ruling
    assert [(action["do"], action["player"]) for action in line.question["actions"]] == [
        ("cover", "blue"),
        ("pass", "red"),
        ("pass", "green"),
    ]


def test_without_two_players_there_is_no_question() -> None:
    table = GalapaGoTable(deck(), TableSettings())
    bare = settled(0.0, *layout(range(15)))
    lines = [line for event in (bare, task(2.0, "t-lion")) for line in table.take(event)]
    assert [type(line) for line in lines] == [LayoutLine]
    assert [line.question for line in rounds(list(table.running(3.0)))] == [None]


def test_a_plain_round() -> None:
    lines = watch(
        start(),
        task(2.0, "t-lion"),
        claim(4.0, "blue", 3),
        claim(5.0, "red", 1),
        claim(6.0, "green", 0),
        lift(8.0, "blue", 3),
    )
    kinds = [type(line) for line in lines]
    assert kinds == [LayoutLine, TaskLine, ClaimLine, ClaimLine, ClaimLine, RoundLine]
    (line,) = rounds(lines)
    assert verdicts(line) == [
        ("blue", "a03", "correct"),
        ("red", "a01", "wrong"),
        ("green", "a00", "correct"),
    ]
    assert line.ruling["ended_by"] == "all-covered"
    assert line.ruling["won"] == {"red": [], "blue": ["a03"], "green": ["a00"]}
    assert line.t == 8.0


def test_claims_count_by_landing_not_by_when_they_were_seen_c32() -> None:
    (line,) = rounds(
        watch(start(), task(2.0, "t-lion"), claim(4.5, "red", 0), claim(4.1, "blue", 0))
    )
    assert verdicts(line)[0][0] == "blue"


def test_a_claim_that_is_seen_before_its_task_counts() -> None:
    (line,) = rounds(
        watch(start(), claim(4.1, "green", 0), task(2.8, "t-lion"), claim(4.2, "red", 3))
    )
    assert verdicts(line) == [("green", "a00", "correct"), ("red", "a03", "correct")]


def test_a_claim_of_the_next_round_that_is_seen_before_its_task_is_not_late() -> None:
    first, second = rounds(
        watch(
            start(),
            task(2.0, "t-lion"),
            claim(4.0, "red", 0),
            claim(9.5, "blue", 1),
            task(8.0, "t-elephant"),
        )
    )
    assert verdicts(first) == [("red", "a00", "correct")]
    assert verdicts(second) == [("blue", "a01", "correct")]


def test_the_later_camera_on_a_card_is_taken_back_and_put_elsewhere() -> None:
    lines = watch(
        start(),
        task(2.0, "t-lion"),
        claim(4.0, "green", 0),
        claim(4.3, "red", 0, ("cam-green",)),
        lift(5.0, "red", 0),
        claim(5.6, "red", 3),
        claim(6.0, "blue", 6),
        lift(8.0, "red", 3),
    )
    (line,) = rounds(lines)
    assert verdicts(line) == [
        ("green", "a00", "correct"),
        ("red", "a00", "withdrawn"),
        ("red", "a03", "correct"),
        ("blue", "a06", "correct"),
    ]
    taken_back = [item for item in lines if isinstance(item, ClaimLine) and item.is_withdrawn]
    assert [(item.player, item.order, item.t) for item in taken_back] == [("red", 2, 5.0)]


@pytest.mark.parametrize("gap_s", [0.0, 0.016])
def test_claims_in_one_frame_are_close_and_the_stack_decides_c45(gap_s: float) -> None:
    (line,) = rounds(
        watch(
            start(),
            task(2.0, "t-lion"),
            claim(4.0, "red", 0, ("cam-blue",)),
            claim(4.0 + gap_s, "blue", 0),
        )
    )
    assert line.close == (("blue", "red"),)
    assert verdicts(line)[0][:2] == ("blue", "a00")


def test_of_two_claims_in_one_frame_the_one_taken_back_was_the_upper() -> None:
    """Red's Camera is found only when blue's leaves: that it lies on blue's, nobody has seen."""
    (line,) = rounds(
        watch(
            start(),
            task(2.0, "t-lion"),
            claim(4.0, "blue", 0),
            claim(4.0, "red", 0, ("cam-blue",), dt=0.1),
            lift(5.0, "blue", 0),
            claim(6.0, "blue", 3),
            claim(7.0, "green", 6),
        )
    )
    assert [set(pair) for pair in line.close] == [{"blue", "red"}]
    assert verdicts(line)[:3] == [
        ("red", "a00", "correct"),
        ("blue", "a00", "withdrawn"),
        ("blue", "a03", "correct"),
    ]


def test_claims_two_frames_apart_are_not_close() -> None:
    (line,) = rounds(
        watch(start(), task(2.0, "t-lion"), claim(4.0, "red", 0), claim(4.067, "blue", 0))
    )
    assert line.close == ()
    assert verdicts(line)[0][0] == "red"


def test_claims_on_different_cards_are_never_close() -> None:
    (line,) = rounds(
        watch(start(), task(2.0, "t-lion"), claim(4.0, "red", 0), claim(4.0, "blue", 3))
    )
    assert line.close == ()


def test_a_claim_after_the_end_is_void() -> None:
    everyone = [number for number in range(15) if number % 3]
    (line,) = rounds(
        watch(
            start(numbers=[0, *everyone]),
            task(2.0, "t-lion"),
            claim(4.0, "red", 0),
            claim(5.0, "blue", 1),
            lift(7.0, "red", 0),
        )
    )
    assert line.ruling["ended_by"] == "none-left"
    assert verdicts(line) == [("red", "a00", "correct"), ("blue", "a01", "void")]


def test_a_collision_after_the_end_is_taken_back_not_late() -> None:
    everyone = [number for number in range(15) if number % 3]
    (line,) = rounds(
        watch(
            start(numbers=[0, *everyone]),
            task(2.0, "t-lion"),
            claim(4.0, "red", 0),
            claim(4.4, "blue", 0, ("cam-red",)),
            lift(5.0, "blue", 0),
            lift(7.0, "red", 0),
        )
    )
    assert line.ruling["ended_by"] == "none-left"
    assert verdicts(line) == [("red", "a00", "correct"), ("blue", "a00", "withdrawn")]


def test_a_task_replaced_without_a_claim_is_an_agreed_no_match() -> None:
    first, second = rounds(
        watch(
            start(),
            task(2.0, "t-none"),
            task(7.0, "t-lion"),
            claim(9.0, "red", 0),
            claim(9.5, "blue", 3),
            claim(9.8, "green", 6),
        )
    )
    assert (first.ruling["ended_by"], first.ruling["claims"]) == ("no-match", [])
    assert first.ruling["lead"] == "red"
    assert (second.round, second.ruling["ended_by"]) == (2, "all-covered")


def test_the_next_task_ends_a_round_in_which_others_gave_up() -> None:
    first, _ = rounds(
        watch(start(), task(2.0, "t-lion"), claim(4.0, "red", 0), task(9.0, "t-elephant"))
    )
    assert first.ruling["ended_by"] == "all-passed"
    assert first.ruling["won"]["red"] == ["a00"]


def test_won_cards_leave_the_layout_and_the_lead_goes_round() -> None:
    lines = watch(
        start(),
        task(2.0, "t-lion"),
        claim(4.0, "red", 0),
        claim(4.5, "blue", 3),
        claim(5.0, "green", 1),
        lift(7.0, "red", 0),
        home(7.5, "red"),
        settled(8.0, *layout([1, 2, *range(4, 15)]), piece("a00", "animal", 240, 450)),
        task(10.0, "t-elephant"),
    )
    first, second = rounds(lines)
    assert first.ruling["lead"] == "blue"
    assert second.ruling["layout"] == [f"a{n:02}" for n in (1, 2, *range(4, 15))]
    assert second.ruling["won"]["red"] == ["a00"]
    shown = [line for line in lines if isinstance(line, LayoutLine)]
    assert [len(line.cards) for line in shown] == [15, 13]


def test_a_wrong_claim_costs_a_card_won_before() -> None:
    won = [piece("a15", "animal", 240, 450), piece("a16", "animal", 255, 450)]
    (line,) = rounds(
        watch(
            start(*won),
            task(2.0, "t-lion"),
            claim(4.0, "red", 1),
            claim(5.0, "blue", 0),
            claim(6.0, "green", 3),
            lift(8.0, "blue", 0),
        )
    )
    assert line.ruling["won"]["red"] == ["a15"]
    assert line.ruling["box"] == ["a16"]
    assert "a01" in line.ruling["layout"]


def test_two_tasks_open_a_round_of_the_complex_variant() -> None:
    settings = TableSettings(("red", "blue"), "red", Variant.COMPLEX)
    lines = watch(
        start(),
        task(2.0, "t-lion"),
        task(2.3, "t-elephant"),
        claim(4.0, "red", 0),
        settings=settings,
    )
    (line,) = rounds(lines)
    assert line.tasks == ("t-lion", "t-elephant")
    assert line.ruling["matching"] == []


def test_an_old_task_on_the_discards_opens_no_round_until_somebody_claims() -> None:
    old = piece("t-lion", "task", 450, 300)
    assert rounds(watch(start(old))) == []
    (line,) = rounds(watch(start(old), claim(1.0, "red", 0)))
    assert line.tasks == ("t-lion",)


def test_a_better_look_at_a_task_is_no_next_task() -> None:
    (line,) = rounds(
        watch(start(), task(2.0, "t-elephant"), task(2.1, "t-lion"), claim(4.0, "red", 0))
    )
    assert (line.round, line.tasks) == (1, ("t-lion",))


def test_a_task_that_an_arm_hid_is_not_turned_once_more() -> None:
    events = (task(2.0, "t-lion"), claim(4.0, "red", 0), task(5.0, "t-lion"), claim(6.0, "blue", 3))
    (line,) = rounds(watch(start(), *events))
    assert line.tasks == ("t-lion",)
    assert [player for player, _, _ in verdicts(line)] == ["red", "blue"]


def test_players_are_taken_from_the_cameras_in_seating_order() -> None:
    (line,) = rounds(
        watch(start(), task(2.0, "t-lion"), claim(4.0, "red", 0), settings=TableSettings())
    )
    seats = list(line.ruling["won"])
    at = seats.index("red")
    assert seats[at:] + seats[:at] == ["red", "blue", "green"]


def test_a_camera_of_nobody_is_told_not_ruled() -> None:
    settings = TableSettings(("red", "blue"), "red")
    lines = watch(start(), task(2.0, "t-lion"), claim(4.0, "green", 0), settings=settings)
    assert [line.code for line in lines if isinstance(line, NoticeLine)] == ["unknown-player"]
    assert rounds(lines)[0].ruling["claims"] == []


def test_a_moved_camera_is_passed_on() -> None:
    lines = watch(start(), Notice(3.0, "camera-moved", "by 12 pixels"))
    assert [line.code for line in lines if isinstance(line, NoticeLine)] == ["camera-moved"]


def test_new_cards_are_laid_out_when_one_is_left() -> None:
    settings = TableSettings(("red", "blue"), "red")
    won = [piece(f"a{n:02}", "animal", 240 + 8 * n, 450) for n in range(2, 15)]
    first, second = rounds(
        watch(
            start(*won, numbers=[0, 1]),
            task(2.0, "t-lion"),
            claim(4.0, "red", 0),
            lift(6.0, "red", 0),
            home(6.5, "red"),
            settled(
                9.0,
                *layout([1]),
                *[piece(f"a{n}", "animal", *spot(n - 15)) for n in range(15, 30) if n != 16],
            ),
            task(12.0, "t-elephant"),
            settings=settings,
        )
    )
    assert first.ruling["redeal"] is True
    assert len(second.ruling["layout"]) == 15
    assert "a01" in second.ruling["layout"]


def test_a_claim_on_a_card_that_could_not_be_read_is_told_and_not_lost_without_a_word() -> None:
    (unread,) = layout([7])
    others = [number for number in range(15) if number != 7]
    lines = watch(
        start(replace(unread, face_id=None, face_kind=None), numbers=others),
        task(2.0, "t-lion"),
        Landed(3.0, 0.02, piece("cam-red", "camera", *spot(7)), (), 90),
        claim(4.0, "blue", 0),
    )
    (told,) = (line for line in lines if isinstance(line, NoticeLine))
    assert (told.code, told.t) == ("card-unknown", 3.0)
    assert "red" in told.text
    (line,) = rounds(lines)
    assert [player for player, _, _ in verdicts(line)] == ["blue"]


def test_a_camera_that_comes_home_is_not_told() -> None:
    lines = watch(
        start(),
        task(2.0, "t-lion"),
        Landed(3.0, 0.02, piece("cam-red", "camera", *HOMES["red"]), (), 90),
    )
    assert not [line for line in lines if isinstance(line, NoticeLine)]


ROUND_OF_ALL = (
    task(2.0, "t-lion"),
    claim(4.0, "red", 0),
    claim(4.5, "blue", 3),
    claim(4.6, "green", 6),
    lift(6.0, "red", 0),
    lift(6.0, "blue", 3),
    lift(6.0, "green", 6),
)
"""Everybody has claimed, so the round is over when they take their Cameras back."""


def test_a_claim_tells_that_its_task_lay_under_an_arm() -> None:
    events = (claim(9.0, "blue", 1), task(9.8, "t-elephant"), claim(10.5, "red", 4))
    lines = watch(start(), *ROUND_OF_ALL, *events)
    _, line = rounds(lines)
    assert verdicts(line)[:2] == [("blue", "a01", "correct"), ("red", "a04", "correct")]
    assert [each.t for each in lines if isinstance(each, TaskLine)] == [2.0, 9.0]


def test_a_camera_that_was_taken_back_before_the_task_was_turned_claims_nothing() -> None:
    events = (claim(9.0, "blue", 1), lift(9.4, "blue", 1), task(9.8, "t-elephant"))
    _, line = rounds(watch(start(), *ROUND_OF_ALL, *events, claim(10.5, "red", 4)))
    assert [player for player, *_ in verdicts(line)] == ["red"]
