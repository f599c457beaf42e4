"""Tables of Exploring Galapagos for tests: cards of a made-up deck, as some camera sees them."""

from __future__ import annotations

from math import cos, radians, sin

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
