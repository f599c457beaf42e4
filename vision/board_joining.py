"""Doubtful spaces decided by the cards around them: what is printed goes on from card to card.

What the eye sees goes first. Only where it cannot tell two readings apart does the one that joins
its neighbours win, and only over readings that do not; what was laid wrongly is read as it lies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from vision.board_looks import Lying, SpaceLook
from vision.board_print import Joins

_LEAST_EXPLAINED = 0.4
"""Where less of a space is seen and agrees, a hand hides it: joining is not seeing."""
_AGAINST = 1.1
"""The eye may prefer a reading by up to this margin and yet be overruled."""

_NORTH, _EAST, _SOUTH, _WEST = (-1, 0), (0, 1), (1, 0), (0, -1)
_SIDES = (_NORTH, _EAST, _SOUTH, _WEST)
"""Rows and columns to the neighbour at each side."""
_NW, _NE, _SE, _SW = range(4)
_CORNERS = (
    (_NW, _NORTH, _SW), (_NW, _WEST, _NE), (_NW, (-1, -1), _SE),
    (_NE, _NORTH, _SE), (_NE, _EAST, _NW), (_NE, (-1, 1), _SW),
    (_SE, _SOUTH, _NE), (_SE, _EAST, _SW), (_SE, (1, 1), _NW),
    (_SW, _SOUTH, _NW), (_SW, _WEST, _SE), (_SW, (1, -1), _NE),
)  # fmt: skip
"""Each corner, the neighbours that share it, and which corner of theirs it is."""

Space = tuple[int, int]
Known = Mapping[Space, Joins]


def settle(looks: Sequence[SpaceLook], close: float) -> list[SpaceLook]:
    """Looks of which the doubtful ones are settled where their neighbours leave one reading.

    Args:
        looks: Spaces in any order.
        close: The margin below which a reading is in doubt; a settled look has it.
    """
    settled = {(look.row, look.col): look for look in looks}
    while True:
        known = {
            space: look.best.joins
            for space, look in settled.items()
            if look.best is not None and look.best.joins is not None and look.margin >= close
        }
        better = {
            space: decided
            for space, look in settled.items()
            if (decided := _decide(look, known, close)) is not None
        }
        if not better:
            return [settled[look.row, look.col] for look in looks]
        settled |= better


def _decide(look: SpaceLook, known: Known, close: float) -> SpaceLook | None:
    """The look with the one of its close readings that joins, or None where nothing says which."""
    seen = look.explained * look.visible
    if look.best is None or look.margin >= close or seen < _LEAST_EXPLAINED:
        return None
    readings = [(look.best, 1.0), *((r, m) for r, m in look.rivals if m < close)]
    clashes = [count_clashes(lying, (look.row, look.col), known) for lying, _ in readings]
    if any(lying.joins is None for lying, _ in readings):
        return None
    least = min(clashes)
    joining = [reading for reading, count in zip(readings, clashes, strict=True) if count == least]
    chosen, margin = joining[0]
    if any(lying.sameness != chosen.sameness for lying, _ in joining[1:]):
        return None
    if margin > 1.0 and (margin > _AGAINST or least > 0):
        return None
    rest = tuple((r, m) for r, m in readings if r.sameness != chosen.sameness)
    far = [(r, m) for r, m in look.rivals if m >= close]
    rivals = (*((lying, max(close, m)) for lying, m in rest), *far)
    return replace(look, best=chosen, rivals=rivals)


def count_clashes(lying: Lying, space: Space, known: Known) -> int:
    """How often a reading has something else at a side or a corner than a neighbour."""
    joins = lying.joins
    if joins is None:
        return 0
    count = 0
    for side, step in enumerate(_SIDES):
        other = known.get((space[0] + step[0], space[1] + step[1]))
        count += other is not None and joins.sides[side] != other.sides[(side + 2) % 4]
    for corner, step, facing in _CORNERS:
        other = known.get((space[0] + step[0], space[1] + step[1]))
        count += other is not None and joins.corners[corner] != other.corners[facing]
    return count
