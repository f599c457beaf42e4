"""A still table of Galapa Go: what lies in the middle, and which photos would be correct."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot
from statistics import median
from typing import Any

from referee.adapter.answers import format_doubt
from referee.adapter.placing import (
    middle_of,
    place_of,
    seats_clockwise,
    short_and_long_side,
    sort_cards,
    table_turn,
    turned_back,
)
from referee.games.galapa_go.model import (
    AnimalCard,
    CameraCard,
    Card,
    Cover,
    RoundPosition,
    Special,
    Task,
    Variant,
)
from referee.games.galapa_go.position import format_ruling
from referee.games.galapa_go.scoring import rule_round
from vision.table import PieceReading, Point, TableReading

_NEIGHBOUR = 1.3
"""Pitches of the layout within which a card is a neighbour; over a corner it is none."""
_ASIDE = 0.5
"""Cosine of the angle from which two neighbours lie on different sides: 60 degrees."""
_COVERED_MM = 45.0
"""A Camera nearer than this to a card's centre lies on it: half of a card's height."""


def judge_still(reading: TableReading, cards: Sequence[Card]) -> dict[str, Any]:
    """Answers about a still table like `judge`.

    The order of the claims cannot be seen on a still; they are numbered in reading order.

    Args:
        reading: The table, lowest piece first.
        cards: The deck's cards.

    Returns:
        `layout` alone where no Task is seen; else all that `judge` answers.
    """
    by_id: Mapping[str, Card] = {card.id: card for card in cards}
    animals = [p for p in reading.pieces if isinstance(by_id.get(str(p.face_id)), AnimalCard)]
    cameras: dict[str, PieceReading] = {
        card.player: piece
        for piece in reading.pieces
        if isinstance(card := by_id.get(str(piece.face_id)), CameraCard)
    }
    covers = {player: _covered(camera, animals) for player, camera in cameras.items()}
    hiding = _hiding(cameras, covers, animals)
    homes: dict[str, Point] = {
        player: place_of(camera)
        for player, camera in cameras.items()
        if covers[player] is None and player not in hiding
    }
    placing = sort_cards(animals, homes)
    layout = [by_id[str(piece.face_id)] for piece in placing.layout]
    tasks = [
        card
        for piece in reading.pieces
        if isinstance(card := by_id.get(str(piece.face_id)), Task | Special)
    ][-1:]
    names: dict[str, Any] = {"layout": [card.id for card in layout]}
    if hiding:
        names["doubts"] = [_hidden_card(player, camera) for player, camera in hiding.items()]
    if not tasks:
        return names
    places = {player: place_of(camera) for player, camera in cameras.items()}
    middle = middle_of(placing.layout or reading.pieces)
    players = tuple(seats_clockwise(places, middle)) or ("nobody",)
    position = RoundPosition(
        players=players,
        lead=players[0],
        layout=tuple(card for card in layout if isinstance(card, AnimalCard)),
        tasks=tuple(tasks),
        won={player: placing.won.get(player, ()) for player in players},
        variant=Variant.NORMAL,
    )
    laid_out = {card.id for card in layout}
    claims = [
        Cover(0.0, player, covered)
        for player in players
        if (covered := covers.get(player)) is not None and covered in laid_out
    ]
    answer = format_ruling(rule_round(position, claims))
    return {**answer, **names}


def _covered(camera: PieceReading, animals: Sequence[PieceReading]) -> str | None:
    """The Animal card under a Camera: the one whose centre is nearest."""
    x, y = place_of(camera)
    reach = _COVERED_MM if camera.quad_mm is not None else _half_height_px(camera)
    best, nearest = None, reach
    for piece in animals:
        other_x, other_y = place_of(piece)
        distance = ((x - other_x) ** 2 + (y - other_y) ** 2) ** 0.5
        if distance < nearest:
            best, nearest = piece.face_id, distance
    return best


def _hiding(
    cameras: Mapping[str, PieceReading],
    covers: Mapping[str, str | None],
    animals: Sequence[PieceReading],
) -> dict[str, PieceReading]:
    """Cameras that lie in the layout on a card of which nothing can be read.

    They lie in its rows like a card, with neighbours on two sides; a Camera that waits at home has
    one at most.
    """
    pieces = [*animals, *cameras.values()]
    turn = table_turn(animals)
    width, height = short_and_long_side(animals)
    places = [turned_back(place_of(piece), turn) for piece in pieces]
    spots = [(x / width, y / height) for x, y in places]
    pitch = _usual_pitch(spots[: len(animals)])
    found: dict[str, PieceReading] = {}
    for spot, (player, camera) in zip(spots[len(animals) :], cameras.items(), strict=True):
        ways = [
            (x - spot[0], y - spot[1])
            for x, y in spots
            if 0 < hypot(x - spot[0], y - spot[1]) < _NEIGHBOUR * pitch
        ]
        if covers[player] is None and _are_on_two_sides(ways):
            found[player] = camera
    # A row of Cameras and won cards beyond the layout's rows is nobody's photo.
    laid_out = sort_cards([*animals, *found.values()], {}).layout
    return {player: camera for player, camera in found.items() if camera in laid_out}


def _usual_pitch(spots: Sequence[Point]) -> float:
    """Median distance of a card's nearest neighbour, in sides of a card."""
    nearest = [
        min(hypot(x - u, y - v) for u, v in spots if (u, v) != (x, y))
        for x, y in spots
        if any((u, v) != (x, y) for u, v in spots)
    ]
    return median(nearest) if nearest else 1.0


def _are_on_two_sides(ways: Sequence[Point]) -> bool:
    return any(
        x * u + y * v < _ASIDE * hypot(x, y) * hypot(u, v)
        for index, (x, y) in enumerate(ways)
        for u, v in ways[index + 1 :]
    )


def _hidden_card(player: str, camera: PieceReading) -> dict[str, Any]:
    text = f"{player}'s Camera lies on a card that cannot be seen; it is left out"
    return format_doubt(camera.kind.value, camera.score, camera.quad_px, text)


def _half_height_px(piece: PieceReading) -> float:
    (x1, y1), (x2, y2) = piece.quad_px[1], piece.quad_px[2]
    return float(((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5) / 2
