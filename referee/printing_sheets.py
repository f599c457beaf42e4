"""Which face of a deck lies where on which sheet of paper.

Faces stand in rows and columns and are followed by a page of backs whose columns run the other
way, so that they meet when the sheet is turned over its long edge. Cards of one size and back
share sheets; chips of all sizes share theirs, each in the middle of a place for the largest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from referee.decks import Deck, DeckCard
from referee.errors import DeckError
from referee.printing_paper import PAGES

MARGIN_MM = 7.0
"""Free border: most printers leave 4 to 6 mm white, and the crop marks need room."""

GAPS_MM = (2.0, 0.0)
"""Room between cards, the widest first; a narrower one is taken only where it saves paper."""

CHIP_GAPS_MM = (4.0, 2.0)
"""Chips are cut out one by one with scissors: they need room, and never share a cut."""

CHIP = "chip"
_TWO_FACED = ("camera", CHIP)
"""Kinds that without a back show their face on both sides: they may not lie the wrong way up."""

_BACK_OF = MappingProxyType({"special": "task"})
"""Kinds that are shuffled into another kind's deck and share its back."""

_Pair = tuple[DeckCard, DeckCard | None]


@dataclass(frozen=True, slots=True)
class Grid:
    """How pieces stand on a page; millimetres from its upper left corner.

    Attributes:
        page_mm: Width and height of the paper.
        card_mm: Width and height of a place: of a card, or of the largest chip.
        columns: Places side by side.
        rows: Places below each other.
        gap_mm: Room between places, across and down.
    """

    page_mm: tuple[float, float]
    card_mm: tuple[float, float]
    columns: int
    rows: int
    gap_mm: tuple[float, float]

    def origin_mm(self, place: int, *, is_back: bool) -> tuple[float, float]:
        """Returns the upper left corner of a place; backs count their columns from the right."""
        row, column = divmod(place, self.columns)
        if is_back:
            column = self.columns - 1 - column
        x, y = (
            (page - count * card - (count - 1) * gap) / 2 + index * (card + gap)
            for page, count, card, gap, index in zip(
                self.page_mm,
                (self.columns, self.rows),
                self.card_mm,
                self.gap_mm,
                (column, row),
                strict=True,
            )
        )
        return x, y

    def corner_mm(
        self, place: int, size_mm: tuple[float, float], *, is_back: bool
    ) -> tuple[float, float]:
        """Returns the upper left corner of a piece of that size in the middle of a place."""
        x, y = self.origin_mm(place, is_back=is_back)
        return x + (self.card_mm[0] - size_mm[0]) / 2, y + (self.card_mm[1] - size_mm[1]) / 2


@dataclass(frozen=True, slots=True)
class Sheet:
    """One side of a sheet of paper.

    Attributes:
        grid: Where its places are.
        faces: What lies on them, in reading order of the front; None on a side left white.
        is_back: Whether this is the side with the backs.
        is_chips: Whether its pieces are cut out one by one, and not along crop marks.
    """

    grid: Grid
    faces: tuple[DeckCard | None, ...]
    is_back: bool
    is_chips: bool = False


def plan_sheets(deck: Deck, page: str, *, duplex: bool = True) -> tuple[Sheet, ...]:
    """Returns the pages of a deck's cards and chips in the order of printing.

    Args:
        deck: The deck; a card is printed as often as its `count` says.
        page: Name of the paper, one of `PAGES`.
        duplex: Whether every page of faces is followed by the page of their backs.

    Raises:
        DeckError: if a card is larger than the page.
    """
    backs = {card.piece.of: card for card in deck.of_kind("back") if hasattr(card.piece, "of")}
    groups: dict[tuple[str | tuple[float, float], str], list[_Pair]] = {}
    for card in deck.cards:
        if card.kind != "back":
            back = _back_of(card, backs)
            form: str | tuple[float, float] = CHIP if card.kind == CHIP else card.size_mm
            key = (form, "" if back is None or back is card else back.id)
            groups.setdefault(key, []).extend([(card, back)] * getattr(card.piece, "count", 1))
    sheets: list[Sheet] = []
    for (shared, _), cards in groups.items():
        is_chips = shared == CHIP
        grid = _fit_grid(PAGES[page], deck, [front for front, _ in cards], is_chips=is_chips)
        for chunk in _chunks(cards, grid.columns * grid.rows):
            sheets.append(Sheet(grid, tuple(front for front, _ in chunk), False, is_chips))
            if duplex:
                sheets.append(Sheet(grid, tuple(back for _, back in chunk), True, is_chips))
    return tuple(sheets)


def _back_of(card: DeckCard, backs: dict[str, DeckCard]) -> DeckCard | None:
    for kind in (card.kind, _BACK_OF.get(card.kind, card.kind)):
        if kind in backs and backs[kind].size_mm == card.size_mm:
            return backs[kind]
    return card if card.kind in _TWO_FACED else None


def _chunks(cards: list[_Pair], size: int) -> Iterator[list[_Pair]]:
    for start in range(0, len(cards), size):
        yield cards[start : start + size]


def _fit_grid(
    page_mm: tuple[float, float], deck: Deck, cards: Sequence[DeckCard], *, is_chips: bool
) -> Grid:
    place_mm = (max(card.size_mm[0] for card in cards), max(card.size_mm[1] for card in cards))
    gaps = CHIP_GAPS_MM if is_chips else GAPS_MM
    fits = [_fit_side(*sides, gaps) for sides in zip(page_mm, place_mm, strict=True)]
    if min(count for count, _ in fits) < 1:
        room = " x ".join(f"{side - 2 * MARGIN_MM:g}" for side in page_mm)
        got = f"{place_mm[0]:g} x {place_mm[1]:g} mm"
        expected = f"a card of at most {room} mm for this page"
        raise DeckError(str(deck.path), cards[0].id, expected, got)
    (columns, gap_x), (rows, gap_y) = fits
    return Grid(page_mm, place_mm, columns, rows, (gap_x, gap_y))


def _fit_side(page_mm: float, card_mm: float, gaps: tuple[float, ...]) -> tuple[int, float]:
    """Returns how many cards stand side by side, and the widest gap that costs none of them."""
    room = page_mm - 2 * MARGIN_MM
    counts = [(int((room + gap) / (card_mm + gap)), gap) for gap in gaps]
    return max(counts)
