"""Lays a table of Panda, Gorilla & Co: board, path cards, ponds, chips, pile, score markers."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from datasets.art import paint
from datasets.art.paint import Image, Rng, f64
from datasets.deck_art import BoardArt, read_board, read_face
from datasets.items import Item, Points
from datasets.spread import Care, Laid, Outline, Spread, sample_care
from datasets.zoo_play import ZooTable
from referee.decks import Deck, DeckCard
from referee.errors import DeckError
from referee.games.panda_gorilla.model import CardBack, Chip, Proposal, Tile
from referee.games.panda_gorilla.position import format_position

BOARD_MM, TILE_MM, CHIP_MM = 2.2, 1.2, 2.0
"""Thickness of the board, of a path card, of a chip."""

QUARTER_MIDDLES = {"nw": (-1, -1), "ne": (1, -1), "se": (1, 1), "sw": (-1, 1)}
_CARDBOARD = (150, 170, 180)
_PILE_CARD_MM = 0.45
"""What a card adds to the pile: less than laid cards, which are drawn raised to be seen."""

_MARKERS = {
    "red": (50, 40, 200), "yellow": (40, 200, 240), "green": (70, 150, 40), "blue": (190, 100, 30)
}  # fmt: skip


def lay_zoo(rng: Rng, deck: Deck, table: ZooTable) -> Spread:
    """Lays a table with the pieces of a deck.

    Raises:
        DeckError: if the deck lacks a piece that lies on the table.
    """
    return ZooLaying(rng, deck, table).spread()


class ZooLaying:
    """One table while it is being laid; `care` is how far things stray."""

    def __init__(self, rng: Rng, deck: Deck, table: ZooTable) -> None:
        """Begins with nothing.

        Raises:
            DeckError: if the deck has no board.
        """
        self._rng, self._deck, self._table = rng, deck, table
        self._board: BoardArt = read_board(deck)
        self._care: Care = sample_care(rng)
        self._space_mm = float(deck.board.space_mm or 0.0) if deck.board is not None else 0.0
        self._faces: dict[str, Image] = {}

    def spread(self) -> Spread:
        """Lays everything."""
        table, lift = self._table, BOARD_MM
        laid = [Laid(self.board())]
        tiles = {tile.space: self.tile(tile) for tile in table.tiles}
        laid += tiles.values()
        laid += [self.chip(chip, tiles[chip.space].item) for chip in table.chips]
        laid += self._markers()
        laid += self._beside()
        return Spread(
            laid=tuple(laid),
            position=format_position(table.position),
            reach=self.reach(),
            board=self.grid(),
            spaces={
                (row, col): Outline(f64([self._corner(row + r, col + c) for r, c in _SQUARE]), lift)
                for row in range(table.board.rows)
                for col in range(table.board.cols)
            },
        )

    def _corner(self, row: float, col: float) -> tuple[float, float]:
        x, y = self._board.grid_mm
        return x + col * self._space_mm, y + row * self._space_mm

    def board(self) -> Item:
        """Returns the board."""
        size = self._board.size_mm
        return Item("thing", self._board.art, (0, 0), size, 0.0, 0.0, BOARD_MM, _CARDBOARD)

    def grid(self) -> Outline:
        """Returns the corners of the grid."""
        board = self._table.board
        corners = [self._corner(board.rows * r, board.cols * c) for r, c in _SQUARE]
        return Outline(f64(corners), BOARD_MM)

    def reach(self, side_mm: float = 0.0, front_mm: float = 0.0) -> Points:
        """Returns the corners of the board, with margins at its sides, before and behind it."""
        width, height = self._board.size_mm
        width, height = width + 2 * side_mm, height + 2 * front_mm
        return f64([((c - 0.5) * width, (r - 0.5) * height) for r, c in _SQUARE])

    def tile(self, tile: Tile) -> Laid:
        """Returns a path card or a pond as it lies."""
        space = tile.space
        x, y = self._corner(space.row + 0.5, space.col + 0.5)
        dx, dy, stray = self._care.stray(self._rng)
        rotation = tile.rotation
        if tile.card is None:
            rotation = 90 * int(self._rng.integers(4))
            card, facts = self.back("path"), {"kind": "back"}
        else:
            card, facts = self._deck.card(tile.card.id), {"kind": "path"}
        angle = float(np.radians(rotation)) + stray
        item = Item(
            facts["kind"], self.face(card), (x + dx, y + dy), card.size_mm, angle, BOARD_MM,
            TILE_MM, _CARDBOARD, file=card.id,
        )  # fmt: skip
        where = {"rotation": rotation, "row": space.row, "col": space.col}
        return Laid(item, {"id": card.id, **facts, **where})

    def chip(self, chip: Proposal, tile: Item) -> Laid:
        """Puts a chip on a quarter as it lies on the board, well inside of it."""
        card = self._chip_card(chip.player, chip.size)
        sign_x, sign_y = QUARTER_MIDDLES[chip.quarter]
        room = max(0.0, tile.size_mm[0] / 2 - card.size_mm[0]) / 2
        free = room + 1.5  # a little over the edge of the quarter, as people put them
        dx, dy = self._rng.uniform(-free, free, 2)
        lean = (tile.angle + np.pi / 4) % (np.pi / 2) - np.pi / 4  # the stray without the rotation
        cos, sin = np.cos(lean), np.sin(lean)
        across = sign_x * tile.size_mm[0] / 4 + float(dx)
        along = sign_y * tile.size_mm[1] / 4 + float(dy)
        at = (
            tile.at_mm[0] + across * cos - along * sin,
            tile.at_mm[1] + across * sin + along * cos,
        )
        space = chip.space
        facts = {"id": card.id, "kind": "chip", "row": space.row, "col": space.col,
                 "quarter": chip.quarter}  # fmt: skip
        return Laid(self._chip_item(card, at, BOARD_MM + TILE_MM), facts)

    def _chip_item(self, card: DeckCard, at: tuple[float, float], lift: float) -> Item:
        angle = float(self._rng.uniform(0, 2 * np.pi))
        return Item(
            "chip", self.face(card), at, card.size_mm, angle, lift, CHIP_MM, _CARDBOARD,
            file=card.id,
        )  # fmt: skip

    def _markers(self) -> Iterator[Laid]:
        """Wooden score markers on the rim of the board."""
        width, height = self._board.size_mm
        inset = abs(self._board.grid_mm[1] + height / 2) * 0.35
        for player in self._table.players:
            along, side = self._rng.uniform(-0.45, 0.45), int(self._rng.integers(4))
            ends = (
                (along * width, -height / 2 + inset), (width / 2 - inset, along * height),
                (along * width, height / 2 - inset), (-width / 2 + inset, along * height),
            )  # fmt: skip
            art = draw_marker(self._rng, _MARKERS[player])
            item = Item("thing", art, ends[side], (11, 11), 0.0, BOARD_MM, 9.0, _MARKERS[player])
            yield Laid(item)

    def _beside(self) -> Iterator[Laid]:
        """The pile with the card beside it that lies face up, and chips that are not in play."""
        width, height = self._board.size_mm
        side = int(self._rng.choice((-1, 1)))
        at = (side * (width / 2 + 38.0), float(self._rng.uniform(-0.35, 0.35)) * height)
        if self._table.pile:
            back = self.back("path")
            angle = float(self._rng.normal(0, 0.15))
            thick = _PILE_CARD_MM * self._table.pile
            item = Item(
                "back", self.face(back), at, back.size_mm, angle, 0.0, thick, (220, 226, 228),
                file=back.id,
            )  # fmt: skip
            yield Laid(item, {"id": back.id, "kind": "back"})
        if self._table.face_up is not None:
            card = self._deck.card(self._table.face_up.id)
            beside = (at[0] + float(self._rng.normal(0, 3)), at[1] + card.size_mm[1] * 1.25)
            angle = float(self._rng.normal(0, 0.15))
            item = Item("path", self.face(card), beside, card.size_mm, angle, 0.0, TILE_MM,
                        _CARDBOARD, file=card.id)  # fmt: skip
            yield Laid(item, {"id": card.id, "kind": "path"})
        for index in range(int(self._rng.integers(0, 7))):
            player = self._table.players[int(self._rng.integers(len(self._table.players)))]
            size = ("large", "medium", "small")[int(self._rng.integers(3))]
            card = self._chip_card(player, size)
            spot = (-side * (width / 2 + float(self._rng.uniform(20, 44))),
                    (index - 3) * 32.0 + float(self._rng.uniform(-5, 5)))  # fmt: skip
            yield Laid(self._chip_item(card, spot, 0.0), {"id": card.id, "kind": "chip"})

    def face(self, card: DeckCard) -> Image:
        """Returns the picture of a card, read once."""
        if card.id not in self._faces:
            self._faces[card.id] = read_face(self._deck, card)
        return self._faces[card.id]

    def back(self, of: str) -> DeckCard:
        """Returns the back of a kind of card.

        Raises:
            DeckError: if the deck has none.
        """
        for card in self._deck.of_kind("back"):
            if isinstance(card.piece, CardBack) and card.piece.of == of:
                return card
        raise DeckError(str(self._deck.path), "cards", f"a back of the kind {of}", "none")

    def _chip_card(self, player: str, size: str) -> DeckCard:
        for card in self._deck.of_kind("chip"):
            piece = card.piece
            if isinstance(piece, Chip) and (piece.player, piece.size) == (player, size):
                return card
        raise DeckError(str(self._deck.path), "cards", f"a {size} chip of {player}", "none")


_SQUARE = ((0, 0), (0, 1), (1, 1), (1, 0))
"""Rows and columns of a square's corners, clockwise from its north-west."""


def draw_marker(rng: Rng, tone: tuple[int, int, int]) -> Image:
    """Draws a round wooden marker from above, lit from one side."""
    side = 64
    canvas = paint.flat((side, side), paint.near(rng, tone, 10))
    ys, xs = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j]
    shine = np.clip(1 - np.hypot(xs + 0.35, ys + 0.35), 0, 1)[..., None]
    lit = canvas * (0.8 + 0.25 * shine) + 110 * shine**3
    alpha = np.zeros((side, side), np.uint8)
    cv2.circle(alpha, (side // 2, side // 2), side // 2 - 1, 255, -1, cv2.LINE_AA)
    return paint.with_alpha(np.clip(lit, 0, 255).astype(np.uint8), alpha)
