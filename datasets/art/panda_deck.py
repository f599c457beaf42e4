"""Our deck for Panda, Gorilla & Co: 74 path cards, 36 chips, the pond and the board.

Paths that meet, and lawns that end at them, allow 21 different cards up to rotation; each is
there three or four times, and the three kinds of lawn (light, dark, both) come about equally often.
"""

from collections.abc import Iterator

from datasets.art import zoo_board as board
from datasets.art.deck_plan import BoardPlan, DeckPlan, Face
from datasets.art.zoo_chips import DIAMETERS_MM, chip_face
from datasets.art.zoo_path import QUARTERS, path_face, pond_face

PLAYERS = ("red", "yellow", "green", "blue")
CARD_PX = (308, 308)
"""Seven pixels a millimetre."""

CHIP_PX = (240, 240)
CHIPS_EACH = 3
_BOARD_PX_A_UNIT = 0.5
_LAWNS = {"L": "light", "D": "dark"}

CARDS: tuple[tuple[str, str, int], ...] = (
    ("ns", "LLLL", 4), ("ns", "DDDD", 4), ("ns", "LDDL", 5),
    ("es", "LLLL", 4), ("es", "DDDD", 4), ("es", "LLDL", 4), ("es", "DDLD", 4),
    ("esw", "LLLL", 3), ("esw", "DDDD", 3), ("esw", "DDLL", 4), ("esw", "LLDD", 4),
    ("esw", "LLDL", 4), ("esw", "LLLD", 4), ("esw", "DDLD", 4), ("esw", "DDDL", 4),
    ("nesw", "LLLL", 2), ("nesw", "DDDD", 2), ("nesw", "DLLL", 3), ("nesw", "LDDD", 3),
    ("nesw", "DDLL", 3), ("nesw", "LDLD", 2),
)  # fmt: skip
"""Edges with a path, lawns of the quarters from north-west clockwise, how many of the card."""


def plan_deck() -> DeckPlan:
    """The deck as it is written into its pack."""
    faces = (*_paths(), Face("back-path", "back", "of: path", pond_face()), *_chips())
    return DeckPlan("panda-gorilla", "Paper Zoo", (44, 44), CARD_PX, faces, _board())


def quarters_of(lawns: str) -> dict[str, str]:
    """The lawn of each quarter, from letters such as `LDDL`."""
    return {name: _LAWNS[letter] for name, letter in zip(QUARTERS, lawns, strict=True)}


def _paths() -> Iterator[Face]:
    for index, (paths, lawns, count) in enumerate(CARDS, 1):
        quarters = quarters_of(lawns)
        shown = ", ".join(f"{name}: {lawn}" for name, lawn in quarters.items())
        entry = f"paths: [{', '.join(paths)}], quarters: {{{shown}}}, count: {count}"
        yield Face(f"p{index:02}", "path", entry, path_face(paths, quarters, index))


def _chips() -> Iterator[Face]:
    for player in PLAYERS:
        for size, mm in DIAMETERS_MM.items():
            entry = f"player: {player}, size: {size}, mm: [{mm}, {mm}], count: {CHIPS_EACH}"
            svg = chip_face(player, size)
            yield Face(f"chip-{player}-{size}", "chip", entry, svg, CHIP_PX)


def _board() -> BoardPlan:
    k = _BOARD_PX_A_UNIT
    x0, y0, x1, y1 = (k * v for v in (board.GRID.x0, board.GRID.y0, board.GRID.x1, board.GRID.y1))
    corners = ", ".join(f"[{x:g}, {y:g}]" for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
    signs = ", ".join(f"[{row}, {col}]" for row, col in board.SIGNS)
    entry = (
        f"rows: {board.ROWS}, cols: {board.COLS}, space_mm: {board.SPACE / 10:g}, "
        f"entrance: [[{board.ENTRANCE[0]}, {board.ENTRANCE[1]}]], signs: [{signs}], "
        f"corners_px: [{corners}]"
    )
    return BoardPlan(entry, board.board_face(), (round(k * board.WIDTH), round(k * board.HEIGHT)))
