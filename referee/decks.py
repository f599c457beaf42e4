"""Deck packs: the pictures of a game's cards and what is on each (contract §1)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from referee.errors import DeckError, FormatError, shown
from referee.fields import (
    Json,
    at,
    read_choice,
    read_list,
    read_object,
    read_pair,
    read_text,
    refuse,
)
from referee.games import catalog
from referee.games.exploring_galapagos import model as exploring
from referee.games.galapa_go import model as galapa
from referee.games.panda_gorilla import model as panda
from referee.games.panda_gorilla.cards import read_board
from referee.packs import DECK_FILE, PackFiles, open_pack

Piece = galapa.Card | exploring.Card | panda.Card
"""What is on a card, in the words of its game."""

MAX_CARDS = 2_000
_DECK_KEYS = frozenset({"format", "game", "name", "card_mm", "cards"})


@dataclass(frozen=True, slots=True)
class DeckCard:
    """One face of a deck.

    Attributes:
        id: Unique in the pack.
        kind: animal, task, special, camera, back; habitat; path, chip.
        image: Name of the picture inside the pack.
        size_mm: Width and height of the real card.
        piece: What is on it: an `AnimalCard`, a `Task`, a `CameraCard`, ...
    """

    id: str
    kind: str
    image: str
    size_mm: tuple[float, float]
    piece: Piece


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck pack whose format has been checked.

    Attributes:
        path: The folder or .zip it was read from.
        game: galapa-go, exploring-galapagos or panda-gorilla.
        name: What people call it.
        card_mm: Width and height of the main kind of card.
        cards: Its faces in the order of the pack.
        board: The board, for a game that has one.
    """

    path: Path
    game: str
    name: str
    card_mm: tuple[float, float]
    cards: tuple[DeckCard, ...]
    board: panda.Board | None
    files: PackFiles = field(repr=False, compare=False)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """What is on the cards, in the order of the pack."""
        return tuple(card.piece for card in self.cards)

    def card(self, card_id: str) -> DeckCard:
        """Returns the face of this id.

        Raises:
            KeyError: if the deck has none.
        """
        for card in self.cards:
            if card.id == card_id:
                return card
        raise KeyError(card_id)

    def of_kind(self, *kinds: str) -> tuple[DeckCard, ...]:
        """Returns the faces of some kinds, in the order of the pack."""
        return tuple(card for card in self.cards if card.kind in kinds)

    def read_image_bytes(self, card: DeckCard) -> bytes:
        """Returns the picture of a face as it lies in the pack: PNG or JPEG.

        Raises:
            DeckError: if the file has gone or cannot be read.
        """
        return self.files.read(card.image)

    def read_board_bytes(self) -> bytes:
        """Returns the picture of the board: PNG or JPEG.

        Raises:
            DeckError: if the deck has no board, or its file has gone or cannot be read.
        """
        if self.board is None or self.board.image is None:
            raise DeckError(str(self.path), "board", "a board", "a game without one")
        return self.files.read(self.board.image)


def load_deck(path: str | Path) -> Deck:
    """Reads a deck pack, a folder or a .zip of it.

    Raises:
        DeckError: if the pack breaks its format; it names the file, the place in it, what was
            expected there and what was found.
    """
    pack = Path(path)
    files = open_pack(pack)
    where = f"{pack}/{DECK_FILE}"
    try:
        return _read_deck(_read_yaml(files.read(DECK_FILE), where), pack, files)
    except DeckError:
        raise
    except FormatError as error:
        raise DeckError(where, error.place, error.expected, error.got) from error


def _read_yaml(data: bytes, where: str) -> object:
    try:
        return yaml.load(data, Loader=_UniqueKeyLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f"line {mark.line + 1}" if mark is not None else ""
        problem = getattr(error, "problem", None) or type(error).__name__
        raise DeckError(where, line, "YAML", str(problem)) from error


def _read_deck(value: object, pack: Path, files: PackFiles) -> Deck:
    source = read_object(value, "", _DECK_KEYS, frozenset({"board"}))
    if source["format"] != 1 or type(source["format"]) is not int:
        refuse("format", "1", source["format"])
    game = catalog.GAMES[read_choice(source, "game", "", catalog.GAMES)]
    board = _read_board(source, game, files)
    card_mm = read_pair(source, "card_mm", "")
    items = read_list(source, "cards", "")
    if not items or len(items) > MAX_CARDS:
        refuse("cards", f"a list of 1 to {MAX_CARDS} cards", items)
    cards: dict[str, DeckCard] = {}
    for index, item in enumerate(items):
        place = f"cards[{index}]"
        card = _read_card(item, place, game, card_mm)
        if card.id in cards:
            raise FormatError(at(place, "id"), "an id of its own", f"{card.id} again")
        if not files.has(card.image):
            got = f"no file {card.image}"
            raise FormatError(f"{place}.image ({card.id})", "a file in the pack", got)
        cards[card.id] = card
    return Deck(
        pack, game.name, read_text(source, "name", ""), card_mm, (*cards.values(),), board, files
    )


def _read_board(source: Json, game: catalog.Game, files: PackFiles) -> panda.Board | None:
    if not game.has_board:
        if "board" in source:
            raise FormatError("board", f"no board in {game.name}", "one")
        return None
    if "board" not in source:
        raise FormatError("board", "this key", "nothing")
    board = read_board(source["board"], "board", with_picture=True)
    if board.image is None or not files.has(board.image):
        raise FormatError("board.image", "a file in the pack", f"no file {board.image}")
    return board


def _read_card(
    value: object, place: str, game: catalog.Game, card_mm: tuple[float, float]
) -> DeckCard:
    piece: Piece = game.read_card(value, place)
    source: Json = value if isinstance(value, dict) else {}
    if "image" not in source:
        raise FormatError(f"{place}.image ({piece.id})", "this key", "nothing")
    return DeckCard(
        id=piece.id,
        kind=source["kind"],
        image=read_text(source, "image", place),
        size_mm=read_pair(source, "mm", place) if "mm" in source else card_mm,
        piece=piece,
    )


class _UniqueKeyLoader(yaml.SafeLoader):
    """Reads YAML without code in it, and takes no key twice in one object."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        for key, count in Counter(keys).items():
            if count > 1:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {shown(key)} twice", node.start_mark
                )
        return super().construct_mapping(node, deep)
