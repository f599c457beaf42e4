"""What a drawn deck consists of, before it is rendered: its faces, its board, its file's head."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Face:
    """One face of a deck.

    Attributes:
        id: Unique in the deck.
        kind: animal, task, special, camera; path, chip; habitat; back.
        entry: What the card shows, as the rest of its line in `deck.yaml`.
        svg: The drawing.
        size_px: Width and height of its picture, where they differ from the deck's.
    """

    id: str
    kind: str
    entry: str
    svg: str
    size_px: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """A board: its drawing, its size in pixels, and what `deck.yaml` says about it."""

    entry: str
    svg: str
    size_px: tuple[int, int]


@dataclass(frozen=True, slots=True)
class DeckPlan:
    """A whole deck.

    Attributes:
        game: Its game, as the contract names it; also the name of its folder.
        name: What people call the deck.
        card_mm: Width and height of the main kind of card.
        card_px: The same in pixels of its picture.
        faces: Every face, in the order of its file.
        board: The board, for a game that has one.
    """

    game: str
    name: str
    card_mm: tuple[int, int]
    card_px: tuple[int, int]
    faces: tuple[Face, ...]
    board: BoardPlan | None = None
