import json
from dataclasses import replace

import pytest

from referee.adapter.exploring_galapagos import format_round, places_of, see_round
from referee.adapter.exploring_ruling import Dealt, rule_seen
from referee.adapter.exploring_seated import Seating
from tests.referee.adapter.islands import DECK, FACES, Camera, deal, piece, placed, table
from vision.table import PieceKind, PieceReading, TableReading


def told(answer):
    position = answer["position"]
    players = {p["name"]: (sorted(p["hand"]), p["locked"]) for p in position["players"]}
    return players, sorted(position["shared"])


FIVE = ("bottom", "left", "top-left", "top-right", "right")


def see_still(reading):
    return format_round(see_round(reading, DECK, Seating(), is_only_look=True), Seating())


def see(reading, seating=None):
    seating = seating or Seating()
    return format_round(see_round(reading, DECK, seating), seating)


@pytest.mark.parametrize("camera", [Camera(), Camera(-9, 20, 31), Camera(14, 40, 95)])
@pytest.mark.parametrize(
    ("sides", "locked", "shared"),
    [
        (("bottom", "top"), (), 3),
        (("bottom", "top"), (0, 1), 0),
        (("bottom", "top"), (0, 1), 1),
        (("bottom", "right"), (1,), 3),
        (("top-left", "top-right"), (0, 1), 0),
        (("left", "right"), (0,), 3),
        (("bottom", "left", "top"), (0, 1, 2), 0),
        (("bottom", "left", "right"), (1, 2), 3),
        (("bottom", "top-left", "top-right"), (0, 2), 3),
        (("bottom", "top-left", "top-right"), (), 3),
        (("bottom", "left", "top", "right"), (0, 1, 2, 3), 0),
        (("bottom", "left", "top", "right"), (3,), 3),
        (("bottom", "left", "top-left", "top-right", "right"), (), 3),
        (("bottom", "left", "top-left", "top-right", "right"), (0, 1, 2, 3, 4), 2),
    ],
)
def test_tells_whose_each_card_is_and_who_sits_where(camera, sides, locked, shared):
    seated, row = deal(sides, locked, shared)
    answer = see(table(camera, seated, row))
    expected = {side: (sorted(cards), lock) for side, (cards, lock) in seated.items()}
    assert told(answer) == (expected, sorted(row))
    assert [player["name"] for player in answer["players"]] == list(sides)
    assert answer["doubts"] == []


def test_scores_with_names_and_the_methods_used_before():
    seated, row = deal(("bottom", "top"), (0, 1), 1)
    seats = {"ann": "bottom", "bob": "top"}
    method = DECK[FACES.index(seated["bottom"][1])].method
    answer = see(table(Camera(), seated, row), Seating(seats, {"ann": (method,)}))
    ann, bob = answer["players"]
    assert (ann["name"], ann["score"]) == ("ann", 0)
    assert f"{method.value} was used" in ann["reason"]
    assert bob["name"] == "bob"
    assert bob["base"] == 5
    assert answer["position"]["players"][0]["used"] == [method.value]


def test_seats_given_go_before_how_the_table_looks():
    seated, row = deal(("bottom", "top"), (0,), 3)
    answer = see(table(Camera(), seated, row), Seating({"bob": "top-left", "ann": "bottom"}))
    assert {p["name"]: sorted(p["hand"]) for p in answer["position"]["players"]} == {
        "ann": sorted(seated["bottom"][0]),
        "bob": sorted(seated["top"][0]),
    }


def test_says_where_a_player_said_to_sit_has_no_cards():
    seated, row = deal(("bottom", "top"), (0,), 3)
    seats = {"ann": "bottom", "bob": "top", "cat": "left"}
    answer = see(table(Camera(), seated, row), Seating(seats))
    assert "no cards are seen at left, where cat sits" in [d["text"] for d in answer["doubts"]]


def test_backs_and_a_pile_in_front_of_the_lead_are_nobodys():
    seated, row = deal(("bottom", "left", "right"), (0, 2), 3)
    camera = Camera(5, 15)
    pile = [piece(camera, "back", at, 4, "back") for at in ((150, 120), (-130, 230))]
    answer = see(table(camera, seated, row, pile))
    assert told(answer)[0] == {s: (sorted(c), lock) for s, (c, lock) in seated.items()}
    assert answer["doubts"] == []


def test_an_unknown_card_leaves_its_owner_without_score_and_the_others_with_theirs():
    seated, row = deal(("bottom", "top"), (0, 1), 2)
    seated["top"] = ([*seated["top"][0][:2], None], seated["top"][1])
    answer = see(table(Camera(), seated, row))
    bottom, top = answer["players"]
    assert bottom["score"] is not None
    assert (top["score"], top["method"]) == (None, None)
    assert [d["text"] for d in answer["doubts"]] == ["top: 1 of 4 cards could not be named"]


def test_an_unknown_shared_card_leaves_nobody_with_a_score():
    seated, row = deal(("bottom", "top"), (0,), 3)
    answer = see(table(Camera(), seated, [row[0], None, row[2]]))
    assert [player["score"] for player in answer["players"]] == [None, None]
    assert "shared hand could not be named" in answer["doubts"][0]["text"]


def scores_of(answer):
    return {player["name"]: player["score"] for player in answer["players"]}


def texts_of(answer):
    return [doubt["text"] for doubt in answer["doubts"]]


def test_nobody_is_scored_where_a_shared_card_is_missing():
    """Who holds all cards and has locked in none plays until three cards are shared."""
    seated, row = deal(("bottom", "top"), (0,), 3)
    answer = see(table(Camera(), seated, row[:2]))
    assert scores_of(answer) == {"bottom": None, "top": None}
    assert texts_of(answer)[0].startswith("a shared card or a locked-in one is not seen; nobody")
    assert texts_of(answer)[1].startswith("top: no locked-in card is seen, and 2 cards in the")
    one = see(table(Camera(), seated, row[:1]))
    assert "and 1 card in the middle" in texts_of(one)[1]


@pytest.mark.parametrize("shared", [2, 3])
def test_cards_too_few_without_a_locked_in_one_may_be_the_shared_ones(shared):
    seated, row = deal(("bottom", "top"), (0, 1), shared)
    seated["top"] = (seated["top"][0], None)
    answer = see(table(Camera(), seated, row))
    assert scores_of(answer)["top"] is None
    assert (scores_of(answer)["bottom"] is None) == (shared < 3)


@pytest.mark.parametrize("count", [1, 2])
def test_a_card_too_few_is_told_and_its_owner_not_scored(count):
    seated, row = deal(("bottom", "left", "top"), (0, 1, 2), 2)
    whole = scores_of(see(table(Camera(), seated, row)))
    seated["top"] = (seated["top"][0][:count], seated["top"][1])
    answer = see(table(Camera(), seated, row))
    assert scores_of(answer) == whole | {"top": None}
    told = f"{count + 1} cards seen, expected 4"
    assert texts_of(answer) == [f"top: {told}"]
    assert answer["players"][2]["reason"] == f"not scored: {told}"


def test_a_card_too_many_leaves_its_owner_without_score():
    seated, row = deal(("bottom", "left", "top", "right"), (0, 1, 2, 3), 1)
    whole = scores_of(see(table(Camera(), seated, row)))
    seated["left"] = ([*seated["left"][0], "h18"], seated["left"][1])
    answer = see(table(Camera(), seated, row))
    assert scores_of(answer) == whole | {"left": None}
    assert texts_of(answer) == ["left: 4 cards seen, expected 3"]


def cut(reading, side, by_px):
    """The reading of a picture whose edge was moved in by some pixels.

    A card is unseen where less than 0.6 of it are left.
    """
    left, top = (by_px if side == each else 0 for each in ("left", "top"))
    width = reading.width_px - (by_px if side in ("left", "right") else 0)
    height = reading.height_px - (by_px if side in ("top", "bottom") else 0)
    kept = []
    for each in reading.pieces:
        quad = tuple((x - left, y - top) for x, y in each.quad_px)
        xs, ys = ([corner[axis] for corner in quad] for axis in (0, 1))
        high, wide = max(ys) - min(ys), max(xs) - min(xs)
        in_view = (min(max(xs), width) - max(min(xs), 0)) / wide
        in_view = min(in_view, (min(max(ys), height) - max(min(ys), 0)) / high)
        if in_view > 0.6:
            kept.append(replace(each, quad_px=quad))
    return TableReading(0.0, width, height, tuple(kept))


@pytest.mark.parametrize("camera", [Camera(), Camera(8, 25, 70)])
@pytest.mark.parametrize(
    ("sides", "locked", "shared"),
    [
        (("bottom", "top"), (0, 1), 2),
        (("bottom", "top"), (1,), 3),
        (("left", "right"), (0, 1), 0),
        (("bottom", "left", "top"), (0, 2), 3),
        (("bottom", "left", "top", "right"), (0, 1, 2, 3), 1),
        (("bottom", "left", "top", "right"), (2,), 3),
        (FIVE, (0, 1, 2, 3, 4), 2),
    ],
)
@pytest.mark.parametrize("side", ["left", "top", "right", "bottom"])
def test_the_edge_of_a_picture_takes_points_away_and_never_changes_them(
    camera, sides, locked, shared, side
):
    seated, row = deal(sides, locked, shared)
    whole = see_still(table(camera, seated, row))
    true = {frozenset(filter(None, held(p))): s for p, s in zip_scores(whole)}
    for by_px in range(60, 760, 70):
        answer = see_still(cut(table(camera, seated, row), side, by_px))
        for player, score in zip_scores(answer):
            if score is not None:
                assert true[frozenset(held(player))] == score, (by_px, answer["doubts"])
        assert answer["doubts"] or None not in scores_of(answer).values()


def held(player):
    return [*player["hand"], *([player["locked"]] if player["locked"] else [])]


def zip_scores(answer):
    return zip(answer["position"]["players"], scores_of(answer).values(), strict=True)


def test_a_seat_outside_the_picture_is_told_and_the_others_scored():
    """Three players would hold four cards each; hands that end well inside it are whole."""
    seated, row = deal(("bottom", "left", "top", "right"), (0, 1, 2, 3), 2)
    whole = scores_of(see_still(table(Camera(), seated, row)))
    del seated["right"]
    answer = see_still(table(Camera(), seated, row))
    assert scores_of(answer) == {side: whole[side] for side in seated}
    assert texts_of(answer) == [
        "each of the 3 players that are seen has 3 cards, as where more play: "
        "the cards of others are not in view"
    ]
    del seated["top"]
    assert {*scores_of(see_still(table(Camera(), seated, row))).values()} == {None}
    seats = Seating({"ann": "bottom", "bob": "left", "cat": "top", "dan": "right"})
    named = format_round(see_round(table(Camera(), seated, row), DECK, seats), seats)
    assert scores_of(named) == {"ann": whole["bottom"], "bob": whole["left"]}
    assert [text[:17] for text in texts_of(named)] == ["no cards are seen"] * 2


@pytest.mark.parametrize(("down_px", "is_scored"), [(0, True), (400, False)])
def test_three_shared_cards_at_the_edge_with_nobody_beyond_them_may_be_a_hand(down_px, is_scored):
    seated, row = deal(("bottom", "top"), (0, 1), 3)
    seated["top"] = ([*seated["top"][0][:2], None], seated["top"][1])
    seen = see_round(table(Camera(), seated, row), DECK, Seating())
    out_px = min(x for card in seen.shared for x, _ in card.quad_px) - 5
    moved = [
        replace(card, quad_px=tuple((x - out_px, y + down_px) for x, y in card.quad_px))
        for card in seen.shared
    ]
    dealt = Dealt(seen.players, moved, (1800, 1400), True, 2)
    ruled = rule_seen(dealt, {card.id: card for card in DECK}, Seating())
    assert (ruled.rulings["bottom"] is not None) == is_scored


@pytest.mark.parametrize("place", ["top", "shared"])
def test_cards_that_may_be_anothers_score_for_nobody_who_may_hold_them(place):
    seated, row = deal(("bottom", "top"), (0, 1), 2)
    seen = see_round(table(Camera(), seated, row), DECK, Seating())
    quads = [card.quad_px for card in (seen.shared if place == "shared" else seen.players[1].own)]
    by_id = {card.id: card for card in DECK}
    dealt = Dealt(seen.players, seen.shared, (1800, 1400), True, 2, quads[:1])
    ruled = rule_seen(dealt, by_id, Seating())
    assert ruled.rulings["top"] is None
    assert (ruled.rulings["bottom"] is None) == (place == "shared")
    assert "could also be" in ruled.doubts[0]
    assert rule_seen(replace(dealt, contested=()), by_id, Seating()).rulings == seen.rulings


def test_a_locked_in_card_in_line_with_the_shared_ones_is_not_taken_for_one():
    """Who sits at the left locks in a card that lies as the shared ones do, here beside them."""
    seated, row = deal(FIVE, (1,), 3)
    places = [(-134, 0), (-62, 0), (10, 0)]
    shared = [piece(Camera(), face, at, 0) for face, at in zip(row, places, strict=True)]
    whole = see_still(table(Camera(), seated, (), shared))
    assert told(whole)[0]["left"][1] == seated["left"][1]
    assert None not in scores_of(whole).values()
    for third in ([], [None]):
        seated["left"] = ([*seated["left"][0], *third], seated["left"][1])
        answer = see_still(table(Camera(), seated, (), shared[:2]))
        assert {*scores_of(answer).values()} == {None}
        assert any("could also be" in text for text in texts_of(answer))


def test_a_hand_cut_behind_its_locked_in_card_is_scored_where_all_of_it_is_named():
    seated, row = deal(("bottom", "top"), (0, 1), 2)
    whole = table(Camera(), seated, row)
    low = max(y for one in whole.pieces for _, y in one.quad_px)
    tight = replace(whole, height_px=int(low) - 20)
    assert scores_of(see_still(tight)) == scores_of(see_still(whole))


def test_nobody_is_scored_where_the_shared_hand_may_go_on_outside_the_picture():
    """Of three shared cards the last is cut off, while both hands are wholly in view."""
    seated, row = deal(("bottom", "top"), (0, 1), 3)
    places = [(0, 0), (72, 0), (144, 0)]
    shared = [piece(Camera(), face, at, 0) for face, at in zip(row, places, strict=True)]
    edge = int(Camera().px((122, 0))[0])
    cut_off = replace(table(Camera(), seated, (), shared[:2]), width_px=edge)
    answer = see_still(cut_off)
    assert {*scores_of(answer).values()} == {None}
    assert texts_of(answer) == [
        "the shared hand may go on outside the picture; nobody can be scored"
    ]
    assert None not in scores_of(see_still(table(Camera(), seated, (), shared[:2]))).values()


def test_nobody_is_scored_where_one_player_is_seen_and_fewer_than_three_shared_cards():
    seated, row = deal(("bottom", "top"), (0, 1), 2)
    del seated["top"]
    answer = see_still(table(Camera(), seated, row))
    assert {*scores_of(answer).values()} == {None}
    assert any("shared ones may be among the others; nobody" in each for each in texts_of(answer))


NAMED = Seating({"ann": "bottom", "bob": "left", "cat": "top", "dan": "right"})


@pytest.mark.parametrize("seating", [Seating(), NAMED])
def test_a_hand_that_seems_the_shared_one_as_that_is_hidden_scores_for_nobody(seating):
    seated, row = deal(("bottom", "left", "top", "right"), (0, 3), 3)

    def scores(row):
        seen = see_round(table(Camera(), seated, row), DECK, seating, is_only_look=True)
        return format_round(seen, seating)

    hidden = scores([])
    assert {*scores_of(hidden).values()} == {None}
    assert any("taken for shared ones could be those of" in text for text in texts_of(hidden))
    del seated["right"]
    assert None not in scores_of(scores(row)).values()


def test_small_hands_tell_of_others_only_where_one_is_seen_to_end():
    seated, row = deal(("bottom", "left", "top", "right"), (), 3)
    del seated["right"]
    seen = see_round(table(Camera(), seated, row), DECK, Seating(), is_only_look=True)
    dealt = Dealt(seen.players, seen.shared, (1800, 1400), True, 3)
    by_id = {card.id: card for card in DECK}
    assert "each of the 3 players" in rule_seen(dealt, by_id, Seating()).doubts[0]
    cut_off = rule_seen(replace(dealt, size_px=(9, 9)), by_id, Seating())
    assert {*cut_off.rulings.values()} == {None}
    assert "3 cards seen, expected 4" in cut_off.doubts[0]


def test_two_tables_in_one_picture_score_for_nobody():
    deck = [replace(card, id=f"{card.id}{half}") for half in "ab" for card in DECK[:18]]
    pieces = []
    for half, out in (("a", -500), ("b", 500)):
        seated, row = deal(("bottom", "left", "top", "right"), (0, 1, 2, 3), 2)
        for one in table(Camera(plane_turn=0), seated, row).pieces:
            quad_px = tuple((x / 2 + 450 + out, y / 2) for x, y in one.quad_px)
            quad_mm = tuple((x + out * 1.5, y) for x, y in one.quad_mm)
            name = f"{one.face_id}{half}"
            pieces.append(replace(one, face_id=name, quad_px=quad_px, quad_mm=quad_mm))
    seating = Seating()
    seen = see_round(TableReading(0.0, 1800, 700, tuple(pieces)), deck, seating, is_only_look=True)
    assert {*seen.rulings.values()} == {None}
    assert "players are seen, expected at most 5; nobody can be scored" in seen.doubts[0]


def test_who_has_no_cards_where_they_are_said_to_sit_gets_no_score():
    seated, row = deal(("bottom", "top"), (0, 1), 2)
    reading = table(Camera(), seated, row)
    apart = Seating({"ann": "left", "bob": "right"})
    answer = format_round(see_round(reading, DECK, apart), apart)
    assert scores_of(answer) == {"ann": None, "bob": None}
    assert "ann: the cards taken for ann's do not lie at left" in texts_of(answer)
    one = Seating({"ann": "bottom", "bob": "left"})
    answer = format_round(see_round(reading, DECK, one), one)
    assert (scores_of(answer)["ann"] is None, scores_of(answer)["bob"]) == (False, None)


def over(camera, at):
    return PieceReading(PieceKind.HAND, 0.6, piece(camera, None, at, 0).quad_px)


@pytest.mark.parametrize("is_seen", [True, False])
def test_the_last_card_of_the_deck_is_told_by_all_others(is_seen):
    seated, row = deal(FIVE, (0, 1), 3)
    whole = see(table(Camera(), seated, row))
    own, locked = seated["left"]
    seated["left"] = ([own[0], None] if is_seen else own[:1], locked)
    hand = over(Camera(), placed("left", 33, 0))
    answer = see_still(table(Camera(), seated, row, [hand]))
    assert told(answer) == told(whole)
    assert answer["players"] == whole["players"]
    texts = [d["text"] for d in answer["doubts"]]
    assert texts == [f"{own[1]} is told by elimination: all other cards of the deck are seen"]
    assert (
        see(table(Camera(), seated, row, [hand]))["players"][1]["score"]
        != (whole["players"][1]["score"])
    )


@pytest.mark.parametrize(
    ("sides", "locked", "lacking"),
    [
        (FIVE, (0,), "left"),  # it could be the locked-in card
        (FIVE[:4], (0, 1), "left"),  # it could be any of those in the deck
    ],
)
def test_a_card_that_may_be_another_is_not_told(sides, locked, lacking):
    seated, row = deal(sides, locked, 3)
    own, lock = seated[lacking]
    seated[lacking] = (own[:-1], lock)
    answer = see_still(table(Camera(), seated, row, [over(Camera(), placed(lacking, 33, 0))]))
    hands = {player["name"]: player["hand"] for player in answer["position"]["players"]}
    assert sorted(filter(None, hands[lacking])) == sorted(own[:-1])
    assert hands[lacking][-1] is None
    texts = [doubt["text"] for doubt in answer["doubts"]]
    assert texts == [f"{lacking}: 1 of 3 cards could not be named"]


def test_a_card_under_a_hand_is_unknown_and_its_owner_not_scored():
    seated, row = deal(("bottom", "top"), (0, 1), 2)
    whole = see(table(Camera(), seated, row))
    seated["top"] = (seated["top"][0][:2], seated["top"][1])
    hand = over(Camera(), placed("top", -99, 0))
    seen = see_round(table(Camera(), seated, row, [hand]), DECK, Seating(), is_only_look=True)
    answer = format_round(seen, Seating())
    bottom, top = answer["players"]
    assert bottom == whole["players"][0]
    assert (top["method"], top["score"]) == (None, None)
    assert answer["position"]["players"][1]["hand"].count(None) == 1
    assert [d["text"] for d in answer["doubts"]] == ["top: 1 of 4 cards could not be named"]
    (unknown,) = (card for card in seen.players[1].own if card.face_id is None)
    assert unknown.quad_px == hand.quad_px


def test_a_shared_card_under_a_hand_leaves_nobody_with_a_score():
    seated, row = deal(("bottom", "top"), (0,), 3)
    hand = over(Camera(), (72, 3))
    answer = see_still(table(Camera(), seated, row[:2], [hand]))
    assert answer["position"]["shared"].count(None) == 1
    assert [player["score"] for player in answer["players"]] == [None, None]


@pytest.mark.parametrize(
    ("count", "where"),
    [
        (2, placed("bottom", 0, 0)),  # the hand lies elsewhere
        (0, placed("top", 0, 0)),  # no hand covers so many
        (3, placed("top", 99, 0)),  # nothing is missing
    ],
)
def test_a_hand_hides_only_what_is_missing_beside_it(count, where):
    seated, row = deal(("bottom", "top"), (0, 1), 2)
    seated["top"] = (seated["top"][0][:count], seated["top"][1])
    reading = table(Camera(), seated, row, [over(Camera(), where)])
    assert see_still(reading) == see(reading)


def test_a_thing_of_another_size_is_no_card_even_where_one_is_missing():
    seated, row = deal(("bottom", "top"), (0, 1), 2)
    seated["bottom"] = (seated["bottom"][0][:2], seated["bottom"][1])
    camera = Camera(plane_turn=0)
    thing = piece(camera, None, placed("bottom", 99, 0), 0, score=0.9)
    low = thing.quad_mm[2][1]
    half = tuple((x, (y + low) / 2) for x, y in thing.quad_mm)
    whole = see(table(camera, seated, row, [thing]))
    assert "bottom: 1 of 4 cards could not be named" in [d["text"] for d in whole["doubts"]]
    small = PieceReading(thing.kind, 0.9, thing.quad_px, half)
    assert see(table(camera, seated, row, [small])) == see(table(camera, seated, row))


def test_an_unknown_thing_where_no_card_belongs_is_none():
    seated, row = deal(("bottom", "left", "top-left", "top-right", "right"), (0, 4), 3)
    camera = Camera(3, 20)
    thing = piece(camera, None, (-330, 260), 20, score=0.9)
    assert see(table(camera, seated, row, [thing])) == see(table(camera, seated, row))


def test_without_cards_there_are_no_players():
    seen = see_round(TableReading(0.0, 100, 100, ()), DECK, Seating())
    assert (seen.players, seen.shared) == ((), ())


def test_places_tell_the_locked_in_card_apart_and_the_answer_is_json():
    seated, row = deal(("bottom", "top"), (0, 1), 1)
    seen = see_round(table(Camera(), seated, row), DECK, Seating())
    places = places_of(seen)
    assert places[row[0]] == {"place": "shared"}
    assert places[seated["top"][1]] == {"place": "top", "locked": True}
    assert places[seated["top"][0][0]] == {"place": "top"}
    assert json.loads(json.dumps(format_round(seen, Seating())))
