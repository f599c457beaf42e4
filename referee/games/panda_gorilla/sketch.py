"""The zoo drawn with letters, so that a match can be followed without a board on the table.

A card is five letters wide and three high: its lawns in the corners, its paths between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.games.panda_gorilla.model import (
    QUARTERS,
    ROTATIONS,
    Board,
    Face,
    PathCard,
    Proposal,
    Space,
    Tile,
)

KEY = """\
# dark lawn   . light lawn   - | path   ~ pond
= entrance    s sign         rL red's large chip"""

_LAWNS: Mapping[str, str] = {"dark": "#", "light": "."}
_WIDTH = 5


def draw_zoo(board: Board, tiles: Sequence[Tile], chips: Iterable[Proposal]) -> str:
    """Returns what lies on a board, as lines: the part of it in which something lies.

    Args:
        board: The zoo grounds.
        tiles: The cards in the order in which they were laid.
        chips: The chips that lie on them.
    """
    lying = {tile.space: tile for tile in tiles}
    marks = mark_chips(chips)
    rows, cols = _part(board, lying)
    lines = ["   " + " ".join(f"{col:^{_WIDTH}}" for col in cols).rstrip()]
    for row in rows:
        cells = [
            draw_space(board, Space(row, col), lying, marks.get(Space(row, col), {}))
            for col in cols
        ]
        for index, parts in enumerate(zip(*cells, strict=True)):
            label = f"{row:>2} " if index == 1 else "   "
            lines.append((label + " ".join(parts)).rstrip())
    return "\n".join([*lines, KEY])


def draw_cards(cards: Sequence[PathCard]) -> str:
    """Returns cards side by side as their images show them, each under its id."""
    columns = [(card.id, *draw_face(card.faces[0])) for card in cards]
    widths = [max(len(line) for line in column) for column in columns]
    return "\n".join(
        "   ".join(line.ljust(width) for line, width in zip(lines, widths, strict=True)).rstrip()
        for lines in zip(*columns, strict=True)
    )


def draw_face(face: Face, chips: Mapping[str, str] | None = None) -> tuple[str, str, str]:
    """Returns a card as it lies, as three lines.

    >>> face = Face((False, True, True, False), ("dark", "dark", "light", "dark"))
    >>> for line in draw_face(face, {"se": "rL"}):
    ...     print(line)
    #####
    ##+--
    ##|rL
    """
    north, east, south, west = face.paths
    nw, ne, se, sw = (_LAWNS[lawn] for lawn in face.lawns)
    marks = {name: 2 * lawn for name, lawn in zip(QUARTERS, (nw, ne, se, sw), strict=True)}
    marks.update(chips or {})
    centre = "+" if any(face.paths) else nw
    return (
        marks["nw"] + ("|" if north else nw) + marks["ne"],
        ("--" if west else 2 * nw) + centre + ("--" if east else 2 * ne),
        marks["sw"] + ("|" if south else sw) + marks["se"],
    )


def draw_space(
    board: Board, space: Space, lying: Mapping[Space, Tile], chips: Mapping[str, str]
) -> tuple[str, str, str]:
    """Returns what lies on a space, as three lines.

    Args:
        board: The zoo grounds.
        space: Which space.
        lying: The cards that are seen, by space.
        chips: The marks of the chips on the space, by quarter.
    """
    tile = lying.get(space)
    if tile is not None and tile.card is not None:
        return draw_face(tile.card.faces[ROTATIONS.index(tile.rotation)], chips)
    if tile is not None:
        return ("~" * _WIDTH,) * 3
    if space in board.entrance:
        return "=====", "=====", "====="
    return " " * _WIDTH, "  s  " if space in board.signs else "     ", " " * _WIDTH


def mark_chips(chips: Iterable[Proposal]) -> dict[Space, dict[str, str]]:
    """Returns the marks of chips by space and quarter, such as `rL` for red's large one."""
    marks: dict[Space, dict[str, str]] = {}
    for chip in chips:
        mark = f"{chip.player[0]}{chip.size[0].upper()}"
        marks.setdefault(chip.space, {})[chip.quarter] = mark
    return marks


def _part(board: Board, lying: Iterable[Space]) -> tuple[range, range]:
    """Returns the rows and columns around everything that lies there, the entrance and signs."""
    used = [*lying, *board.entrance, *board.signs] or [Space(0, 0), Space(board.rows, board.cols)]
    rows, cols = zip(*used, strict=True)
    return (
        range(max(0, min(rows) - 1), min(board.rows, max(rows) + 2)),
        range(max(0, min(cols) - 1), min(board.cols, max(cols) + 2)),
    )
