"""What people read beside the notation: the board drawn with letters, and what the rules say.

The drawing is that of `sketch`, the number of its row before each line.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.panda_gorilla.course import phase
from referee.games.panda_gorilla.grounds import name_of, space_of
from referee.games.panda_gorilla.model import Size, Space
from referee.games.panda_gorilla.rules import outcome, ruling
from referee.games.panda_gorilla.scoring import count_of
from referee.games.panda_gorilla.sketch import draw_space, mark_chips
from referee.games.panda_gorilla.state import Phase, State
from referee.games.panda_gorilla.table import AreaRuling


def remarks(state: State) -> Iterator[str]:
    """Yields what the rules make of a state, without its notation, line by line."""
    yield from _draw(state)
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


def _draw(state: State) -> Iterator[str]:
    """Yields the lines of the drawing, each with its row, so that a change of one is told."""
    board, marks = state.setup.board, mark_chips(state.proposals)
    lying = {tile.space: tile for tile in state.tiles}
    for row in range(board.rows):
        spaces = [Space(row, col) for col in range(board.cols)]
        cells = [draw_space(board, space, lying, marks.get(space, {})) for space in spaces]
        for parts in zip(*cells, strict=True):
            yield " ".join([str(row), *parts]).rstrip()


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
