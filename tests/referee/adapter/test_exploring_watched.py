import pytest

from referee.adapter.exploring_watched import ExploringSettings, ExploringTable
from referee.games.exploring_galapagos.model import Method, Rulings
from referee.games.exploring_galapagos.position import judge
from tests.referee.adapter.islands import DECK, FACES, Camera, deal, hand, middle_row, piece, table
from vision.table import Notice, PieceKind, PieceReading, Settled, TableReading

CAMERA = Camera(-9, 20, 31)
TWO, THREE = ("bottom", "top"), ("bottom", "left", "top")


def dealt(sides, locked, shared, first=0):
    """A deal that begins with another card of the deck."""
    seated, row = deal(sides, locked, shared)
    turned = dict(zip(FACES, FACES[first:] + FACES[:first], strict=True))
    seated = {
        side: ([turned[card] for card in own], turned.get(lock))
        for side, (own, lock) in seated.items()
    }
    return seated, [turned[card] for card in row]


def look(t, seated, shared, extra=()):
    reading = table(CAMERA, seated, shared, extra)
    return Settled(t, TableReading(t, reading.width_px, reading.height_px, reading.pieces))


def nothing(t):
    return Settled(t, TableReading(t, 1800, 1400, ()))


def told(events, settings=None, end=99.0):
    watched = ExploringTable(DECK, settings or ExploringSettings())
    lines = [line for event in events for line in watched.take(event)]
    return [line.to_json() for line in [*lines, *watched.finish(end)]]


def hands(lines):
    return [line for line in lines if line["type"] == "hands"]


def rounds(*deals, step=10.0):
    """A look at each deal, and one at the table that was cleared after it."""
    for number, (seated, row) in enumerate(deals, start=1):
        yield look(number * step, seated, row)
        yield nothing(number * step + 5)


def test_empty_table_says_nothing():
    assert told([nothing(0.0), nothing(3.0)]) == []


def test_round_is_told_once_as_the_rules_judge_it():
    seated, row = deal(TWO, (1,), 3)
    first_cards = {"bottom": (seated["bottom"][0][:2], None)}
    lines = told([
        nothing(0.0),
        look(2.0, first_cards, row[:1]),
        look(4.0, seated, row),
        look(5.0, seated, row),
        look(9.0, first_cards, ()),
        nothing(10.0),
    ])  # fmt: skip
    (line,) = hands(lines)
    assert (line["t"], line["round"], line["doubts"]) == (4.0, 1, [])
    assert line["players"] == judge(line["position"], DECK)["players"]
    assert {p["name"]: (sorted(p["hand"]), p["locked"]) for p in line["position"]["players"]} == {
        side: (sorted(own), lock) for side, (own, lock) in seated.items()
    }
    assert sorted(line["position"]["shared"]) == sorted(row)
    assert [each["t"] for each in lines] == sorted(each["t"] for each in lines)
    layouts = [len(each["cards"]) for each in lines if each["type"] == "layout"]
    assert layouts == [3, 11, 2, 0]


def test_methods_used_before_and_totals_go_on_over_three_rounds():
    deals = [dealt(TWO, (0, 1), 0, first) for first in (0, 3, 7)]
    lines = hands(told(rounds(*deals)))
    methods = {card.id: card.method.value for card in DECK[:-1]}
    used = {side: [] for side in TWO}
    points = dict.fromkeys(TWO, 0)
    for number, (line, (seated, _)) in enumerate(zip(lines, deals, strict=True), start=1):
        question = line["position"]
        assert {p["name"]: p["used"] for p in question["players"]} == used
        assert line["players"] == judge(question, DECK)["players"]
        points = {p["name"]: points[p["name"]] + p["score"] for p in line["players"]}
        assert (line["round"], line["totals"], line["game_over"]) == (number, points, number == 3)
        for side in TWO:
            method = methods[seated[side][1]]
            used[side] += [method] if method not in used[side] else []
    assert len(used["bottom"]) < 3  # one was used twice, and brought nothing the second time
    assert [line["winners"] for line in lines[:2]] == [[], []]
    best = max(points.values())
    assert lines[2]["winners"] == [side for side in TWO if points[side] == best]


def test_game_after_three_rounds_begins_anew():
    deals = [dealt(TWO, (0, 1), 0, first) for first in (0, 3, 7, 11)]
    fourth = hands(told(rounds(*deals), ExploringSettings(used={"bottom": (Method.ZONE,)})))[3]
    assert fourth["round"] == 4
    assert all(player["used"] == [] for player in fourth["position"]["players"])
    assert fourth["totals"] == {p["name"]: p["score"] for p in fourth["players"]}


def test_later_look_with_more_cards_goes_before_a_round_that_was_possible():
    seated, row = deal(THREE, (0, 1, 2), 3)
    without = {side: own for side, own in seated.items() if side != "left"}
    (line,) = hands(told([look(3.0, without, row), look(6.0, seated, row), nothing(9.0)]))
    assert (line["t"], len(line["players"])) == (6.0, 3)


def test_fewer_cards_while_they_are_gathered_do_not_change_the_round():
    seated, row = deal(THREE, (0, 1, 2), 3)
    without = {side: own for side, own in seated.items() if side != "left"}
    (line,) = hands(told([look(3.0, seated, row), look(6.0, without, row), nothing(9.0)]))
    assert (line["t"], len(line["players"])) == (3.0, 3)


def test_what_is_left_of_a_told_round_is_no_other_one():
    seated, row = deal(THREE, (), 3)
    left = {"bottom": seated["bottom"]}
    events = [look(3.0, seated, row), look(6.0, left, row[:1]), look(8.0, left, row)]
    assert len(hands(told(events))) == 1


def test_cards_dealt_anew_without_a_bare_table_are_another_round():
    one, two = dealt(TWO, (0,), 3), dealt(TWO, (0, 1), 2, 9)
    lines = hands(told([look(3.0, *one), look(20.0, *two)]))
    assert [(line["t"], line["round"]) for line in lines] == [(3.0, 1), (20.0, 2)]


def test_turned_camera_does_not_end_a_round():
    seated, row = deal(TWO, (0,), 3)
    reading = table(Camera(3, 20, 31), seated, row)
    moved = Settled(6.0, TableReading(6.0, 1800, 1400, reading.pieces))
    (line,) = hands(told([look(3.0, seated, row), Notice(5.0, "camera-moved", "…"), moved]))
    assert line["t"] == 3.0


@pytest.mark.parametrize("shared", [0, 1, 2])
def test_draft_is_no_round(shared):
    """Hands are hidden; locked-in cards, the row of the draft and the shared hand lie open."""
    cards = iter(FACES)
    row = [next(cards) for _ in range(3)]
    draft = [
        *middle_row(CAMERA, row),
        *hand(CAMERA, "left", [next(cards) for _ in range(shared)]),
        *hand(CAMERA, "bottom", [], next(cards)),
    ]
    seen = Settled(4.0, TableReading(4.0, 1800, 1400, tuple(draft)))
    lines = told([seen, nothing(9.0)])
    assert not hands(lines)
    assert lines[-1]["code"] == "no-round"


def test_hands_that_lie_face_down_are_no_round():
    """What is locked in and drafted may look like hands that lack a card."""
    seated, _ = deal(TWO, (0, 1), 0)
    short = {"bottom": seated["bottom"], "top": (seated["top"][0][1:], seated["top"][1])}
    backs = [piece(CAMERA, "back", (66 * number - 99, 350), 0, kind="back") for number in range(4)]
    assert len(hands(told([look(4.0, short, ()), nothing(9.0)]))) == 1
    assert not hands(told([look(4.0, short, (), backs), nothing(9.0)]))


def unnamed(event, card):
    """The look without the name of a card."""
    pieces = tuple(
        PieceReading(PieceKind.CARD, 0.8, each.quad_px, each.quad_mm)
        if each.face_id == card
        else each
        for each in event.reading.pieces
    )
    reading = event.reading
    return Settled(event.timestamp_s, TableReading(reading.timestamp_s, 1800, 1400, pieces))


def test_card_without_a_name_leaves_its_player_without_points_and_is_told():
    seated, row = deal(TWO, (0, 1), 2)
    missing = seated["top"][0][1]
    lines = told([unnamed(look(3.0, seated, row), missing), nothing(9.0)])
    (line,) = hands(lines)
    scores = {player["name"]: player["score"] for player in line["players"]}
    assert scores["top"] is None
    assert scores["bottom"] is not None
    assert line["totals"] == scores
    (notice,) = [each for each in lines if each["type"] == "notice"]
    assert notice["code"] == "round-incomplete"
    assert "top: 1 of 4 cards could not be named" in notice["text"]


def test_player_of_whom_a_card_is_missing_gets_no_points():
    seated, row = deal(THREE, (0, 1, 2), 2)
    seated["left"] = (seated["left"][0][1:], seated["left"][1])
    lines = told([look(3.0, seated, row), nothing(9.0)])
    scores = {player["name"]: player["score"] for player in hands(lines)[0]["players"]}
    assert [side for side in THREE if scores[side] is None] == ["left"]
    assert "left: 3 cards seen, expected 4" in lines[-2]["text"]


def test_cards_are_sought_where_a_hand_or_the_shared_one_may_lack_some():
    seated, row = deal(TWO, (0, 1), 2)
    short = {**seated, "top": (seated["top"][0][1:], seated["top"][1])}
    watched = ExploringTable(DECK, ExploringSettings())
    assert watched.may_lack(look(3.0, short, row).reading)
    assert watched.may_lack(look(3.0, seated, row).reading)  # a third shared card
    assert not watched.may_lack(look(3.0, seated, ()).reading)
    assert not watched.may_lack(look(3.0, *deal(TWO, (0, 1), 3)).reading)
    assert not watched.may_lack(nothing(3.0).reading)


def test_better_look_names_what_the_first_could_not():
    seated, row = deal(TWO, (0, 1), 2)
    seen = look(3.0, seated, row)
    lines = told([unnamed(seen, row[0]), look(4.0, seated, row), nothing(9.0)])
    assert hands(lines)[0]["players"] == judge(hands(lines)[0]["position"], DECK)["players"]
    assert not [each for each in lines if each["type"] == "notice"]


def test_method_that_nobody_saw_leaves_later_rounds_open():
    one, two = dealt(TWO, (0, 1), 0, 0), dealt(TWO, (0, 1), 0, 9)
    events = [unnamed(look(3.0, *one), one[0]["top"][1]), look(20.0, *two)]
    second = hands(told(events))[1]
    scores = {player["name"]: player["score"] for player in second["players"]}
    assert scores["top"] is None
    assert scores["bottom"] is not None
    assert second["totals"]["top"] is None
    assert any("the method of round 1 is not known" in doubt["text"] for doubt in second["doubts"])


def test_locked_in_method_counts_as_used_where_the_points_are_not_known():
    one, two = dealt(TWO, (0, 1), 0, 0), dealt(TWO, (0, 1), 0, 9)
    events = [unnamed(look(3.0, *one), one[0]["top"][0][0]), look(20.0, *two)]
    second = hands(told(events))[1]
    methods = {card.id: card.method.value for card in DECK[:-1]}
    used = {player["name"]: player["used"] for player in second["position"]["players"]}
    assert used["top"] == [methods[one[0]["top"][1]]]
    assert all(player["score"] is not None for player in second["players"])


def test_players_are_named_clockwise_from_the_camera():
    settings = ExploringSettings(players=("ann", "bob", "cat"), used={"cat": (Method.COLOR,)})
    seated, row = deal(THREE, (0, 1, 2), 1)
    (line,) = hands(told([look(3.0, seated, row)], settings))
    held = {player["name"]: player for player in line["position"]["players"]}
    sides = dict(zip(("ann", "bob", "cat"), THREE, strict=True))
    assert all(held[name]["locked"] == seated[side][1] for name, side in sides.items())
    assert held["cat"]["used"] == ["color"]


def test_seats_give_the_players_their_sides():
    settings = ExploringSettings(seats={"ann": "top", "bob": "bottom"})
    seated, row = deal(TWO, (0, 1), 1)
    (line,) = hands(told([look(3.0, seated, row)], settings))
    held = {player["name"]: player["locked"] for player in line["position"]["players"]}
    assert held == {"ann": seated["top"][1], "bob": seated["bottom"][1]}


def test_round_with_too_few_players_is_told_with_a_doubt():
    settings = ExploringSettings(players=("ann", "bob", "cat"))
    seated, row = deal(TWO, (0, 1), 1)
    lines = told([look(3.0, seated, row)], settings)
    assert [player["name"] for player in hands(lines)[0]["players"]] == [*TWO]
    assert "cards of 2 players are seen, expected 3" in lines[-1]["text"]


def test_house_ruling_counts():
    seated, row = deal(TWO, (0, 1), 0)
    used = {side: tuple(Method) for side in TWO}
    settings = ExploringSettings(used=used, rulings=Rulings(impact_on_zero=True))
    (line,) = hands(told([look(3.0, seated, row)], settings))
    assert [player["impact"] != 0 for player in line["players"]] == [True, True]


def test_round_that_lies_there_is_believed_before_it_is_over():
    seated, row = deal(TWO, (0,), 3)
    watched = ExploringTable(DECK, ExploringSettings())
    assert list(watched.take(look(3.0, seated, row))) == []
    believed = [line.to_json() for line in watched.running(4.0)]
    assert [line["type"] for line in believed] == ["layout", "hands"]
    assert [line.to_json() for line in watched.take(nothing(9.0))][:2] == believed
