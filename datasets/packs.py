"""Faces of deck packs as textures, so that a printed deck can be among the drawn ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.art.paint import Image
from referee.decks import load_deck

TEXTURE_WIDTH = 128


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """The textures of one deck pack, by what they show.

    Attributes:
        faces: everything that lies face up, without the Camera cards.
        cameras: the Camera cards.
        backs: the backs.
        size_mm: width and height of a card.
    """

    faces: tuple[Image, ...]
    cameras: tuple[Image, ...]
    backs: tuple[Image, ...]
    size_mm: tuple[float, float]


def read_pack(path: Path) -> Pack:
    """Reads a deck pack's pictures at texture size, as BGRA.

    Raises:
        DeckError: if the pack breaks its format.
        ValueError: if one of its files is not a picture.
    """
    deck = load_deck(path)
    groups: dict[str, list[Image]] = {"camera": [], "back": [], "face": []}
    for card in deck.cards:
        if card.size_mm == deck.card_mm:
            group = card.kind if card.kind in groups else "face"
            groups[group].append(_texture(deck.path / card.image))
    return Pack(tuple(groups["face"]), tuple(groups["camera"]), tuple(groups["back"]), deck.card_mm)


def _texture(path: Path) -> Image:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3:
        raise ValueError(f"{path}: not a colour picture; expected the PNG of a card")
    size = (TEXTURE_WIDTH, round(TEXTURE_WIDTH * picture.shape[0] / picture.shape[1]))
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    return (
        small
        if small.shape[2] == 4
        else np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2BGRA), np.uint8)
    )
