"""What people read beside the notation: the board drawn with letters, and what the rules say.

Each space is three lines of three characters, a dark quarter `#`, a light one `.`, paths `|`, `-`
and `+`; a pond is `~`, the entrance `E`, an empty space blank. The first column counts rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.games.panda_gorilla.course import phase
from referee.games.panda_gorilla.grounds import name_of, space_of
from referee.games.panda_gorilla.model import Board, Face, Size, Space, Tile
from referee.games.panda_gorilla.rules import outcome, ruling
from referee.games.panda_gorilla.scoring import count_of
from referee.games.panda_gorilla.state import Phase, State
from referee.games.panda_gorilla.table import AreaRuling

_LAWNS = {"dark": "#", "light": "."}
_EMPTY, _POND, _ENTRANCE = ("   ",) * 3, ("~~~",) * 3, ("EEE",) * 3


def remarks(state: State) -> Iterator[str]:
    """Yields what the rules make of a state, without its notation, line by line."""
    if not state.tiles:
        return
    yield from draw(state.setup.board, state.tiles)
    result = ruling(state)
    for breach in result.breaches:
        yield f"illegal at {_named(breach.space)}, {breach.rule}: {breach.reason}"
    is_final = phase(state) is Phase.FINAL
    for area in result.areas:
        if area.proposals:
            yield _describe(area, is_scored=area.area.is_complete or is_final)
    end = outcome(state)
    if end is not None:
        yield f"the game is over; won by {' '.join(end.winners)}"


def draw(board: Board, tiles: Iterable[Tile]) -> Iterator[str]:
    r"""Yields the lines of the drawing; what was laid later covers what was laid before.

    >>> from referee.games.panda_gorilla.model import PathCard
    >>> card = PathCard("a", frozenset("ne"), ("dark", "light", "dark", "dark"))
    >>> board = Board(1, 3, entrance=(Space(0, 0),), signs=())
    >>> print("\n".join(draw(board, [Tile(Space(0, 1), card), Tile(Space(0, 2), None)])))
    0 EEE #|. ~~~
    0 EEE #+- ~~~
    0 EEE ### ~~~
    """
    laid = {tile.space: tile for tile in tiles}
    for row in range(board.rows):
        spaces = [_draw_space(board, laid, Space(row, col)) for col in range(board.cols)]
        for line in range(3):
            yield " ".join([str(row), *(space[line] for space in spaces)]).rstrip()


def _draw_space(board: Board, laid: dict[Space, Tile], space: Space) -> tuple[str, ...]:
    if space in board.entrance:
        return _ENTRANCE
    if space not in laid:
        return _EMPTY
    tile = laid[space]
    return _POND if tile.card is None else _draw_face(tile.card.faces[tile.rotation // 90])


def _draw_face(face: Face) -> tuple[str, ...]:
    nw, ne, se, sw = (_LAWNS[lawn] for lawn in face.lawns)
    n, e, s, w = face.paths
    middle = "+" if any(face.paths) else nw
    return (
        nw + ("|" if n else nw) + ne,
        ("-" if w else nw) + middle + ("-" if e else ne),
        sw + ("|" if s else sw) + se,
    )


def _describe(ruling: AreaRuling, *, is_scored: bool) -> str:
    area, first = ruling.area, ruling.area.quarters[0]
    chips = ", ".join(f"{chip.player} {chip.size}" for chip in ruling.proposals)
    status = "complete" if area.is_complete else "open"
    text = f"{status} area from {_named(space_of(first))} {name_of(first)}"
    size = f"{len(area.quarters)} quarters" if len(area.quarters) > 1 else "1 quarter"
    text = f"{text}: {area.colour}, {size}, chips {chips}"
    if not is_scored:
        return text
    counts = ruling.packing.counts
    moved = ", ".join(f"{count_of(counts, s)} {s}" for s in Size if count_of(counts, s))
    points = ", ".join(f"{player} {number}" for player, number in ruling.points.items())
    return f"{text}; moves in: {moved or 'nothing'}; points {points}"


def _named(space: Space) -> str:
    return f"{space.row},{space.col}"
