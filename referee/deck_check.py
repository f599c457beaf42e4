"""What is wrong or odd about a deck pack that can be read: its pictures, and its cards together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from referee.decks import Deck, DeckCard, Piece, load_deck
from referee.errors import DeckError
from referee.games import catalog
from referee.games.panda_gorilla.model import Chip, PathCard
from referee.pictures import picture_size

MIN_SIDE_PX = 200
"""Shortest side of a card's image (contract §1)."""

_CELLS = 32
"""Faces are compared in so many cells a side: finer than any symbol that tells two apart."""
_WORST = 8
"""So many cells in which two faces differ most are compared: a symbol fills at least as many."""
_ALIKE = 32.0
"""Mean difference of these, of 255. A picture saved anew, smaller and as a coarse JPEG, stays
below; of two faces of our decks no pair is nearer than 76."""
_BEHIND = (128, 128, 128, 255)
"""What lies behind the transparent corners of a face."""


def check_deck(path: str | Path) -> list[str]:
    """Returns everything that is wrong or odd about a deck pack, each as one sentence."""
    try:
        deck = load_deck(path)
    except DeckError as error:
        return [str(error)]
    problems = catalog.GAMES[deck.game].check_cards(deck.pieces)
    for card in deck.cards:
        problems += _check_picture(card, deck)
    backs = Counter(card.piece.of for card in deck.cards if hasattr(card.piece, "of"))
    problems += [f"{count} backs of the kind {kind}" for kind, count in backs.items() if count > 1]
    problems += _check_alike(deck)
    return problems


def _check_picture(card: DeckCard, deck: Deck) -> list[str]:
    size = picture_size(deck.read_image_bytes(card))
    if size is None:
        return [f"{card.id}: {card.image} is no PNG or JPEG picture"]
    width, height = size
    if min(size) < MIN_SIDE_PX:
        return [
            f"{card.id}: {card.image} is {width} x {height} px; "
            f"at least {MIN_SIDE_PX} px on the short side are asked for"
        ]
    expected = card.size_mm[0] / card.size_mm[1]
    if not 0.9 < width / height / expected < 1.1:
        return [
            f"{card.id}: {card.image} is {width} x {height} px, which is not the shape of a card "
            f"of {card.size_mm[0]:g} x {card.size_mm[1]:g} mm"
        ]
    return []


def _check_alike(deck: Deck) -> Iterator[str]:
    """Names every two faces that look the same and yet mean something else."""
    cards: list[DeckCard] = []
    looks: list[NDArray[np.int16]] = []
    for card in deck.cards:
        look = _look_of(deck.read_image_bytes(card))
        if look is not None:
            cards.append(card)
            looks.append(look)
    for first, second in _alike(looks):
        one, other = cards[first], cards[second]
        if one.size_mm == other.size_mm and _meaning(one.piece) != _meaning(other.piece):
            yield (
                f"{one.id} and {other.id} look alike ({one.image}, {other.image}) and mean "
                "different things: nobody can tell which of them lies there"
            )


def _alike(looks: Sequence[NDArray[np.int16]]) -> Iterator[tuple[int, int]]:
    """Pairs of faces that look the same, by their numbers."""
    if not looks:
        return
    # Coarser cells first: none of them differs by more where the finer ones are alike.
    blocks = (len(looks), _CELLS // 4, 4, _CELLS // 4, 4, 3)
    coarse = np.stack(looks).reshape(blocks).mean(axis=(2, 4), dtype=np.float32)
    for first, look in enumerate(looks):
        gaps = np.abs(coarse[first + 1 :] - coarse[first]).max(axis=(1, 2, 3))
        for second in np.flatnonzero(gaps <= _ALIKE) + first + 1:
            difference = np.abs(look - looks[int(second)]).max(axis=2)
            if np.sort(difference, axis=None)[-_WORST:].mean() < _ALIKE:
                yield first, int(second)


def _look_of(data: bytes) -> NDArray[np.int16] | None:
    """(cells, cells, 3) int16, red-green-blue: a face in coarse cells, or None without one."""
    try:
        with Image.open(BytesIO(data)) as picture:
            face = picture.convert("RGBA")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    ground = Image.new("RGBA", face.size, _BEHIND)
    ground.alpha_composite(face)
    cells = ground.convert("RGB").resize((_CELLS, _CELLS), Image.Resampling.BOX)
    return np.asarray(cells, np.int16)


def _meaning(piece: Piece) -> Piece:
    """What a face says, whatever it is called and however many of it there are."""
    if isinstance(piece, PathCard | Chip):
        return replace(piece, id="", count=1)
    return replace(piece, id="")
