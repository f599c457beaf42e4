"""What a watched match comes to: seen, told, corrected, judged anew."""

from __future__ import annotations

import pytest

from referee.ledger import Match, announcements, fold
from referee.records import Kind
from tests.referee.watched import FIRST, Book, claim, first_round, judge, question, two_rounds


def verdicts(match: Match, number: int) -> list[tuple[str, str, str]]:
    ruling = match.rounds[number].ruling
    assert ruling is not None
    return [(each["player"], each["card"], each["verdict"]) for each in ruling["claims"]]


def folded(book: Book) -> Match:
    return fold(book.records, judge)


def announce(book: Book) -> list[dict]:
    lines = announcements(book.records, folded(book))
    for line in lines:
        book.add(Kind.RULING, line)
    return lines


def test_nothing_comes_to_nothing() -> None:
    match = folded(Book())
    assert (match.rounds, match.lines, match.is_corrected) == ({}, (), False)
    assert announce(Book()) == []


def test_a_round_is_ruled_upon_once_however_often_one_looks() -> None:
    book = first_round()
    (line,) = announce(book)
    assert (line["type"], line["round"], line["ended_by"]) == ("round", 1, "all-covered")
    assert [(c["t"], c["dt"]) for c in line["claims"]] == [(2.0, 0.017), (3.0, 0.017)]
    assert announce(book) == []
    closed = {**judge(question(*FIRST)), "close": []}
    book.line({"type": "round", "t": 8.0, "round": 1, "tasks": ["t1"], **closed}, question(*FIRST))
    assert announce(book) == []


def test_a_running_round_has_verdicts_and_no_announcement() -> None:
    book = first_round()
    book.records.pop()
    assert verdicts(folded(book), 1) == [("red", "a1", "correct")]
    assert not folded(book).rounds[1].is_over
    assert announce(book) == []


def test_a_ruling_that_was_not_announced_in_time_is_announced_later() -> None:
    book = first_round()
    assert len(announcements(book.records, folded(book))) == 1
    book.act(1, 9.0, "red", "pass")
    (line,) = announce(book)
    assert line["ended_by"] == "all-covered"


@pytest.mark.parametrize(
    ("told", "ended_by"),
    [([], None), (["red"], None), (["red", "blue"], "no-match")],
)
def test_what_players_say_counts(told, ended_by) -> None:
    book = first_round()
    del book.records[2:]
    for index, player in enumerate(told):
        book.act(1, 5.0 + index, player, "no-match")
    match = folded(book)
    assert match.rounds[1].ruling["ended_by"] == ended_by
    assert match.rounds[1].is_over is bool(ended_by)


def test_the_first_player_can_be_told() -> None:
    book = first_round()
    book.act(1, 0.5, "blue", "lead")
    assert folded(book).rounds[1].question["lead"] == "blue"


def test_a_claim_that_was_no_claim_is_gone_and_the_round_goes_on() -> None:
    book = first_round()
    announce(book)
    book.correct(4, None)
    (line,) = announce(book)
    assert line["ended_by"] is None
    assert [c["player"] for c in line["claims"]] == ["red"]
    assert [c.player for c in folded(book).rounds[1].claims] == ["red"]


def test_a_corrected_claim_is_judged_as_it_was_in_truth() -> None:
    book = first_round()
    announce(book)
    book.correct(4, {"card": "a2"})
    (line,) = announce(book)
    assert verdicts(folded(book), 1) == [("red", "a1", "correct"), ("blue", "a2", "correct")]
    assert line["won"] == {"red": ["a1"], "blue": ["a2"]}


def test_a_corrected_time_changes_the_order() -> None:
    book = first_round()
    book.correct(4, {"t": 1.5})
    assert [c.player for c in folded(book).rounds[1].claims] == ["blue", "red"]
    assert [c["order"] for c in folded(book).rounds[1].ruling["claims"]] == [1, 2]


def test_a_corrected_task_changes_the_verdicts() -> None:
    book = first_round()
    book.correct(2, {"tasks": ["t2"]})
    match = folded(book)
    assert match.rounds[1].tasks == ("t2",)
    assert verdicts(match, 1) == [("red", "a1", "wrong"), ("blue", "a3", "correct")]


def test_a_corrected_layout_renames_what_was_covered() -> None:
    book = first_round()
    cards = [{"id": name} for name in ("a2", "a1", "a3", "a4", "a5")]
    book.correct(1, {"cards": cards})
    assert verdicts(folded(book), 1)[0] == ("red", "a2", "correct")


def test_a_person_may_overrule_a_round() -> None:
    book = two_rounds()
    announce(book)
    book.correct(5, {"won": {"red": [], "blue": ["a1"]}, "lead": "blue"})
    lines = announce(book)
    assert [line["round"] for line in lines] == [1]
    assert folded(book).rounds[2].question["lead"] == "blue"


def test_one_error_does_not_block_everything_after_c38() -> None:
    """Failure C38: a wrong card in an early round, corrected later; what followed is recomputed."""
    book = two_rounds()
    announce(book)
    assert folded(book).rounds[2].question["won"] == {"red": ["a1"]}
    book.correct(4, {"card": "a2"})
    match = folded(book)
    assert match.rounds[2].question["won"] == {"red": ["a1"], "blue": ["a2"]}
    assert "a2" not in match.rounds[2].question["layout"]
    book.correct(3, {"card": "a4"})  # no lion either: nothing won, a1 lies there again
    match = folded(book)
    assert match.rounds[2].question["won"] == {"red": [], "blue": ["a2"]}
    assert "a1" in match.rounds[2].question["layout"]


@pytest.mark.parametrize(
    ("gone", "ended_by", "won"),
    [
        ((4,), "all-passed", {"red": ["a1"], "blue": []}),
        ((3, 4), "no-match", {"red": [], "blue": []}),
    ],
)
def test_a_corrected_round_that_the_table_has_left_keeps_its_points(gone, ended_by, won) -> None:
    """Without the claim the rules had not ended the round; the players went on all the same."""
    book = two_rounds()
    for seq in gone:
        book.correct(seq, None)
    first, second = (folded(book).rounds[number] for number in (1, 2))
    assert (first.ruling["ended_by"], first.ruling["won"]) == (ended_by, won)
    assert {who: cards for who, cards in second.question["won"].items() if cards} == {
        who: cards for who, cards in won.items() if cards
    }
    assert ("a1" in second.question["layout"]) is (not won["red"])


def test_a_correction_is_announced_once_and_both_are_kept_c41() -> None:
    """Failure C41: one event a correction, and the log keeps the old and the new."""
    book = first_round()
    announce(book)
    book.correct(4, {"card": "a2"})
    assert len(announce(book)) == 1
    assert announce(book) == []
    kinds = [record.kind for record in book.records]
    assert kinds.count(Kind.CORRECTION) == 1
    rulings = [record.body for record in book.records if record.kind is Kind.RULING]
    assert [ruling["won"]["blue"] for ruling in rulings] == [[], ["a2"]]


def test_the_last_correction_holds_and_a_correction_can_be_taken_back() -> None:
    book = first_round()
    book.correct(4, {"card": "a4"})
    second = book.correct(4, {"card": "a2"})
    assert verdicts(folded(book), 1)[1] == ("blue", "a2", "correct")
    book.correct(second, None)
    assert verdicts(folded(book), 1)[1] == ("blue", "a4", "wrong")
    book.correct(6, None)
    book.correct(5, None)
    assert verdicts(folded(book), 1)[1] == ("blue", "a3", "wrong")


def test_an_action_can_be_corrected_and_taken_back() -> None:
    book = first_round()
    del book.records[2:]
    first = book.act(1, 5.0, "red", "no-match")
    book.act(1, 6.0, "blue", "no-match")
    book.correct(first, {"do": "pass"})
    assert folded(book).rounds[1].ruling["ended_by"] == "all-passed"
    book.correct(first, None)
    assert folded(book).rounds[1].ruling["ended_by"] is None


def test_what_was_seen_to_be_taken_back_can_be_kept() -> None:
    book = first_round()
    del book.records[3:]
    back = {"t": 2.5, "player": "red", "do": "withdraw"}
    seq = book.line(claim(1, 2.5, "red", "a1", 1, "withdrawn"), question(FIRST[0], back))
    (seen,) = folded(book).rounds[1].claims
    assert seen.is_withdrawn
    book.correct(seq, None)
    (kept,) = folded(book).rounds[1].claims
    assert not kept.is_withdrawn
    assert [action["do"] for action in folded(book).rounds[1].question["actions"]] == ["cover"]


def test_a_claim_that_never_was_takes_its_withdrawal_with_it() -> None:
    book = first_round()
    del book.records[3:]
    back = {"t": 2.5, "player": "red", "do": "withdraw"}
    book.line(claim(1, 2.5, "red", "a1", 1, "withdrawn"), question(FIRST[0], back))
    book.correct(3, None)
    assert folded(book).rounds[1].question["actions"] == []


def test_a_correction_that_cannot_be_judged_is_a_doubt_and_no_crash() -> None:
    book = two_rounds()
    before = verdicts(folded(book), 1)
    book.correct(4, {"card": "a99"})
    match = folded(book)
    assert "a99" in str(match.rounds[1].doubt)
    assert verdicts(match, 1) == before
    assert match.rounds[2].doubt is None


def test_a_late_claim_that_was_seen_to_collide_stays_withdrawn() -> None:
    book = first_round()
    actions = [*FIRST, {"t": 3.5, "player": "red", "do": "cover", "card": "a3"}]
    ruling = judge(question(*actions))
    reason = "another Camera card lay there first"
    ruling["claims"][2] |= {"verdict": "withdrawn", "reason": reason}
    line = {"type": "round", "t": 8.0, "round": 1, "tasks": ["t1"], **ruling, "close": []}
    book.line(claim(1, 3.5, "red", "a3", 3), question(*actions))
    book.line(line, question(*actions))
    book.act(1, 7.0, "red", "pass")
    assert verdicts(folded(book), 1)[2] == ("red", "a3", "withdrawn")


def test_a_round_without_players_has_no_ruling() -> None:
    book = Book()
    book.line({"type": "task", "t": 1.0, "round": 1, "tasks": ["t1"]})
    assert folded(book).rounds[1].ruling is None
    assert announce(book) == []


def test_events_carry_their_number() -> None:
    book = first_round()
    book.act(1, 4.0, "red", "pass")
    book.correct(4, None)
    events = [record.to_event() for record in book.records]
    assert [event["seq"] for event in events] == [1, 2, 3, 4, 5, 6]
    assert events[4] == {
        "seq": 5, "type": "action", "t": 4.0, "player": "red", "do": "pass", "round": 1,
    }  # fmt: skip
    assert (events[5]["type"], events[5]["of"], events[5]["replace"]) == ("correction", 4, None)


def test_areas_scored_at_once_are_two_and_one_told_again_is_one() -> None:
    book = Book()
    for corner in ("nw", "se", "nw"):
        area = {"quarters": [[0, 0, corner]], "points": {"red": 5}}
        book.line({"type": "scored", "t": 4.0, **area})
    assert len(folded(book).of_type("scored")) == 2


def test_a_card_that_was_taken_from_a_board_is_not_there_any_more_c40() -> None:
    book = Book()
    laid = {"type": "placed", "t": 2.0, "row": 3, "col": 4, "card": "p01", "rotation": 90}
    book.line(laid)
    assert folded(book).of_type("placed") == [laid]
    book.line({**laid, "taken": True})
    book.line({**laid, "t": 5.0, "col": 5})
    assert folded(book).of_type("placed") == [{**laid, "t": 5.0, "col": 5}]
    book.line(laid)  # it had never been taken
    assert len(folded(book).of_type("placed")) == 2


def test_a_round_during_which_the_camera_was_lost_stays_incomplete() -> None:
    book = two_rounds()
    book.records[4].body["incomplete"] = True
    (line,) = announce(book)
    assert line["incomplete"] is True
    book.correct(4, {"card": "a2"})
    (line,) = announce(book)
    assert (line["won"]["blue"], line["incomplete"]) == (["a2"], True)
