import json
from math import cos, radians, sin

import pytest

from referee.adapter.exploring_galapagos import Seating, format_round, places_of, see_round
from referee.games.exploring_galapagos.model import CardBack, HabitatAnimal, HabitatCard, Method
from vision.table import PieceKind, PieceReading, TableReading

WIDTH, HEIGHT = 63.0, 88.0
FACES = [f"h{number:02}" for number in range(1, 19)]
METHODS = (Method.TIME, Method.COLOR, Method.ZONE)
FISH = HabitatAnimal("blue-fish", "sea", "day")
DECK = [
    *(
        HabitatCard(
            face, number, METHODS[number % 3], "day", number % 3, (FISH,)
        )
        for number, face in enumerate(FACES, 1)
    ),
    CardBack("back", "habitat"),
]  # fmt: skip
SEATS = {
    "bottom": ((0.0, 190.0), 0.0),
    "left": ((-290.0, 20.0), 90.0),
    "top-left": ((-140.0, -190.0), 180.0),
    "top": ((8.0, -190.0), 180.0),
    "top-right": ((140.0, -190.0), 180.0),
    "right": ((290.0, -10.0), 270.0),
}


class Camera:
    """Sees a plane from above, or tilted, turned by some degrees; its plane has its own turn."""

    def __init__(self, turn=0.0, tilt=0.0, plane_turn=200.0):
        self.turn, self.tilt, self.plane_turn = turn, tilt, plane_turn

    def px(self, point):
        x, y = rotated(point, self.turn)
        depth = 900 - y * sin(radians(self.tilt))
        return 900 + x / depth * 1200, 700 + y * cos(radians(self.tilt)) / depth * 1200

    def mm(self, point):
        x, y = rotated(point, self.plane_turn)
        return x + 333, y - 71


def rotated(point, degree):
    turn = radians(degree)
    x, y = point
    return x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)


def piece(camera, face, at, degree, kind="habitat", score=1.0):
    corners = [
        (at[0] + dx, at[1] + dy)
        for dx, dy in (
            rotated((x * WIDTH / 2, y * HEIGHT / 2), degree)
            for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        )
    ]
    return PieceReading(
        PieceKind.BACK if kind == "back" else PieceKind.CARD,
        score,
        tuple(camera.px(corner) for corner in corners),
        tuple(camera.mm(corner) for corner in corners),
        face,
        kind if face else None,
    )


def placed(side, across, inward):
    (x, y), degree = SEATS[side]
    dx, dy = rotated((across, -inward), degree)
    return x + dx, y + dy


def hand(camera, side, cards, locked=None):
    degree = SEATS[side][1]
    pieces = [
        piece(camera, face, placed(side, (index - (len(cards) - 1) / 2) * 66, 0), degree)
        for index, face in enumerate(cards)
    ]
    if locked is not None:
        pieces.append(piece(camera, locked, placed(side, 12, 84), degree + 90))
    return pieces


def middle_row(camera, cards):
    return [
        piece(camera, face, ((index - (len(cards) - 1) / 2) * 72, 3 * index), 180 * (index % 2))
        for index, face in enumerate(cards)
    ]


def table(camera, seated, shared, extra=()):
    pieces = [*middle_row(camera, shared), *extra]
    for side, (cards, locked) in seated.items():
        pieces += hand(camera, side, cards, locked)
    return TableReading(0.0, 1800, 1400, tuple(pieces))


def deal(sides, locked, shared):
    size = 4 if len(sides) <= 3 else 3
    left = iter(FACES)
    seated = {}
    for number, side in enumerate(sides):
        own = [next(left) for _ in range(size)]
        seated[side] = (own[1:], own[0]) if number in locked else (own, None)
    return seated, [next(left) for _ in range(shared)]


def told(answer):
    position = answer["position"]
    players = {p["name"]: (sorted(p["hand"]), p["locked"]) for p in position["players"]}
    return players, sorted(position["shared"])


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


def test_an_unlocked_player_without_three_shared_cards_gets_no_score():
    seated, row = deal(("bottom", "top"), (0,), 3)
    answer = see(table(Camera(), seated, row[:2]))
    scores = {player["name"]: player["score"] for player in answer["players"]}
    assert scores["top"] is None
    assert scores["bottom"] is not None
    assert any(d["text"].startswith("top: no locked-in card") for d in answer["doubts"])


def test_a_card_too_few_is_told():
    seated, row = deal(("bottom", "top"), (0, 1), 2)
    seated["top"] = (seated["top"][0][:2], seated["top"][1])
    texts = [d["text"] for d in see(table(Camera(), seated, row))["doubts"]]
    assert texts == ["top has 3 cards, expected 4"]


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
