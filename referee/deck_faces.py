"""The pictures of a deck as vision takes them."""

from __future__ import annotations

from referee.decks import Deck
from vision.faces import FaceSource


def deck_faces(deck: Deck) -> list[FaceSource]:
    """Returns the pictures of a deck as the gallery takes them.

    Raises:
        DeckError: A picture has gone or cannot be read.
    """
    return [
        FaceSource(
            card.id,
            card.kind,
            deck.read_image_bytes(card),
            card.size_mm,
            getattr(card.piece, "player", None),
        )
        for card in deck.cards
    ]
