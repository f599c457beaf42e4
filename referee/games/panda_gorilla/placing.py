"""Where a path card may lie, and what is against it elsewhere (Action "Card"; P1 to P8, P13)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from referee.games.panda_gorilla.grounds import Grounds, neighbours_of
from referee.games.panda_gorilla.model import (
    EDGES,
    QUARTERS,
    ROTATIONS,
    Breach,
    Face,
    PathCard,
    Placement,
    Rule,
    Space,
    Tile,
)

_MEETING = (
    ((-1, 0, 3), (-1, -1, 2), (0, -1, 1)),
    ((-1, 0, 2), (-1, 1, 3), (0, 1, 0)),
    ((0, 1, 3), (1, 1, 0), (1, 0, 1)),
    ((1, 0, 0), (1, -1, 1), (0, -1, 2)),
)
"""By quarter, in the order of `QUARTERS`, the three others that meet it at the card's corner: rows
and columns to their card, and which of its quarters."""


@dataclass(frozen=True, slots=True)
class Side:
    """What is asked of the edge of a card by what it faces.

    Attributes:
        wants_path: Whether a path must end there, or must not.
        fault: What is wrong where it is otherwise.
    """

    wants_path: bool
    fault: str


_PATH = Side(True, "the path of the card beside it is cut")
_LAWN = Side(False, "its path ends in a lawn")
_GATE = Side(True, "no path leads to the entrance")
_WALL = Side(False, "its path ends at the wall")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the neighbours of a space ask of a card that comes to lie there.

    Attributes:
        sides: By edge, in the order of `EDGES`; None where every edge will do.
        corners: By quarter, in the order of `QUARTERS`, the lawns that it meets at the corner.
    """

    sides: tuple[Side | None, ...]
    corners: tuple[tuple[tuple[Space, str], ...], ...]

    def admit(self, face: Face) -> bool:
        """Returns whether a card fits as it lies."""
        for side, has_path in zip(self.sides, face.paths, strict=True):
            if side is not None and side.wants_path is not has_path:
                return False
        for meeting, lawn in zip(self.corners, face.lawns, strict=True):
            for _, other in meeting:
                if other != lawn:
                    return False
        return True


def surroundings_of(grounds: Grounds, space: Space) -> Surroundings:
    """Returns what a card must be like on a space.

    Paths go on across every border between face-up cards, both ways (P1). A card on a sign leads
    to the entrance beside it; elsewhere the entrance is a wall (P4), into which a path may run
    unless the table plays otherwise (P2). A pond asks for nothing (P3). All lawns that meet at the
    corner of a card have one colour (P7).
    """
    sides = [
        _side(grounds, space, neighbour, edge)
        for edge, neighbour in enumerate(neighbours_of(space))
    ]
    return Surroundings(tuple(sides), tuple(_corners(grounds, space)))


def placements(grounds: Grounds, cards: Iterable[PathCard]) -> list[Placement]:
    """Returns every way to lay one of the cards, card by card, then in reading order.

    Rotations that look alike are all listed; a card that comes twice is taken once.
    """
    spaces = [(space, surroundings_of(grounds, space)) for space in _allowed_spaces(grounds)]
    return [
        Placement(card.id, space, rotation)
        for card in {card.id: card for card in cards}.values()
        for space, surroundings in spaces
        for rotation, face in zip(ROTATIONS, card.faces, strict=True)
        if surroundings.admit(face)
    ]


def breaches(grounds: Grounds, tile: Tile) -> list[Breach]:
    """Returns the rules that a card or pond breaks where it is laid; one entry for each rule.

    What lies on something is only that: it does not come to lie there. A pond may lie on every
    empty space (P11).
    """
    space = tile.space
    if not grounds.is_open(space) or (tile.card is None and space in grounds.ponds):
        return [Breach(space, Rule.OCCUPIED, _occupied_by(grounds, space))]
    if tile.card is None:
        return []
    found = []
    if not _is_near(grounds, space):
        found.append(_misplaced(grounds, space))
    face, surroundings = tile.card.faces[tile.rotation // 90], surroundings_of(grounds, space)
    for rule, faults in (
        (Rule.PATH, list(_path_faults(surroundings, face))),
        (Rule.COLOUR, list(_colour_faults(surroundings, face))),
    ):
        if faults:
            found.append(Breach(space, rule, "; ".join(faults)))
    return found


def _side(grounds: Grounds, space: Space, neighbour: Space, edge: int) -> Side | None:
    face = grounds.faces.get(neighbour)
    if face is not None:
        return _PATH if face.paths[(edge + 2) % 4] else _LAWN
    if neighbour in grounds.entrance and space in grounds.signs:
        return _GATE
    if not grounds.rulings.path_into_wall and not grounds.is_space(neighbour):
        return _WALL
    return None


def _corners(grounds: Grounds, space: Space) -> Iterator[tuple[tuple[Space, str], ...]]:
    faces = grounds.faces
    for meeting in _meeting_at(space):
        yield tuple(
            [(other, faces[other].lawns[index]) for other, index in meeting if other in faces]
        )


@lru_cache(maxsize=1024)
def _meeting_at(space: Space) -> tuple[tuple[tuple[Space, int], ...], ...]:
    return tuple(
        [
            tuple([(Space(space.row + row, space.col + col), at) for row, col, at in meeting])
            for meeting in _MEETING
        ]
    )


def _allowed_spaces(grounds: Grounds) -> list[Space]:
    """Returns where a card may lie as far as its face does not matter, in reading order."""
    spaces = set(grounds.signs)
    for laid in (grounds.faces, grounds.ponds):
        for space in laid:
            spaces.update(neighbours_of(space))
    return sorted([each for each in spaces if grounds.is_open(each) and _is_near(grounds, each)])


def _is_near(grounds: Grounds, space: Space) -> bool:
    """Whether it is a sign or, after the first card, beside a face-up card (P5, P6)."""
    if space in grounds.signs:
        return True
    if not grounds.faces:
        return False
    ponds = grounds.ponds if grounds.rulings.pond_adjacency else ()
    return any(near in grounds.faces or near in ponds for near in neighbours_of(space))


def _occupied_by(grounds: Grounds, space: Space) -> str:
    if space in grounds.entrance:
        return "the entrance is there"
    return "a card lies there" if space in grounds.faces else "a pond lies there"


def _misplaced(grounds: Grounds, space: Space) -> Breach:
    if not grounds.faces:
        return Breach(space, Rule.SIGN, "the first card goes on a space with a sign")
    reason = "there is neither a sign nor a face-up card beside it"
    if grounds.rulings.pond_adjacency:
        reason = "there is neither a sign nor a card beside it"
    return Breach(space, Rule.ADJACENCY, reason)


def _path_faults(surroundings: Surroundings, face: Face) -> Iterator[str]:
    for edge, side, has_path in zip(EDGES, surroundings.sides, face.paths, strict=True):
        if side is not None and side.wants_path is not has_path:
            yield f"{side.fault} at {edge}"


def _colour_faults(surroundings: Surroundings, face: Face) -> Iterator[str]:
    for quarter, meeting, lawn in zip(QUARTERS, surroundings.corners, face.lawns, strict=True):
        for space, other in meeting:
            if other != lawn:
                where = f"({space.row}, {space.col})"
                yield f"{quarter} is {lawn}, the lawn of the card at {where} is {other}"
