"""The decks that a service knows: ours, and those that were sent to it."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from referee.deck_check import check_deck
from referee.decks import Deck, load_deck
from referee.errors import DeckError
from referee.games.catalog import GAMES
from referee.packs import DECK_FILE
from referee.pictures import picture_size
from referee.server.settings import Limits
from vision.errors import ResourceError
from vision.resources import find_resource

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,80}")
_SENT = "the pack"
"""What messages call a pack that came over the wire: no path of this machine leaves it."""


@dataclass(frozen=True, slots=True)
class ShelvedDeck:
    """A deck with the name by which requests call it.

    Attributes:
        id: Its name in requests.
        deck: The deck.
        remarks: What is odd about it, a sentence each; only told when it is sent.
    """

    id: str
    deck: Deck
    remarks: tuple[str, ...] = ()


class DeckShelf:
    """Deck packs in a folder, one .zip each, beside those that ship with the program.

    Args:
        folder: Where packs that are sent are kept; made where there is none.
        limits: How large they may be.
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder = folder
        self._limits = limits
        self._known: dict[str, Deck] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def all(self) -> list[ShelvedDeck]:
        """Returns every deck, ours first."""
        sent = sorted(path.stem for path in self._folder.glob("*.zip"))
        found = [(name, self.find(name)) for name in [*GAMES, *sent]]
        return [ShelvedDeck(name, deck) for name, deck in found if deck is not None]

    def find(self, deck_id: str) -> Deck | None:
        """Returns the deck of this id, or None."""
        if deck_id not in self._known:
            path = self._path_of(deck_id)
            if path is None:
                return None
            try:
                self._known[deck_id] = load_deck(path)
            except DeckError:
                return None  # placed there by hand, or an older format: no deck
        return self._known[deck_id]

    def add(self, data: bytes) -> ShelvedDeck:
        """Keeps a pack that was sent; one that is there already stays as it is.

        Raises:
            DeckError: if it is no sound deck pack, or too large.
        """
        handle, name = tempfile.mkstemp(suffix=".part", dir=self._folder)
        path = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            self._refuse_bombs(path)
            deck = load_deck(path)
            remarks = tuple(_without(text, path) for text in check_deck(path))
            deck_id = f"{_slug(deck.name)}-{hashlib.sha256(data).hexdigest()[:8]}"
            path.replace(self._folder / f"{deck_id}.zip")
        except DeckError as error:
            got = _without(error.got, path)
            raise DeckError(_without(error.file, path), error.place, error.expected, got) from error
        finally:
            path.unlink(missing_ok=True)
        deck = self._known.setdefault(deck_id, load_deck(self._at(deck_id)))
        return ShelvedDeck(deck_id, deck, remarks)

    def _refuse_bombs(self, path: Path) -> None:
        """Refuses what would grow too large when it is unpacked, before anything is."""
        try:
            with zipfile.ZipFile(path) as archive:
                infos = archive.infolist()
                if sum(info.file_size for info in infos) > self._limits.unpacked_bytes:
                    most = f"at most {self._limits.unpacked_bytes >> 20} MB of files"
                    raise DeckError(str(path), "", most, "more")
                for info in infos:
                    is_text = PurePosixPath(info.filename).name == DECK_FILE
                    if is_text and info.file_size > self._limits.deck_yaml_bytes:
                        most = f"at most {self._limits.deck_yaml_bytes >> 10} kB"
                        raise DeckError(f"{path}/{DECK_FILE}", "", most, "a larger file")
        except (zipfile.BadZipFile, OSError, ValueError) as error:
            raise DeckError(str(path), "", "a .zip of a deck pack", "other data") from error
        deck = load_deck(path)
        pictures = [(card.id, deck.read_image_bytes(card)) for card in deck.cards]
        if deck.board is not None:
            pictures.append(("board", deck.read_board_bytes()))
        for name, picture in pictures:
            width, height = picture_size(picture) or (0, 0)
            if width * height > self._limits.pixels:
                most = f"a picture of at most {self._limits.pixels / 1e6:g} million pixels"
                raise DeckError(str(path), name, most, f"{width} x {height}")
            if width == 0:
                raise DeckError(str(path), name, "a PNG or JPEG picture", "other data")

    def _path_of(self, deck_id: str) -> Path | None:
        if deck_id in GAMES:
            try:
                return find_resource(f"datasets/decks/{deck_id}")
            except ResourceError:
                return None
        if not _NAME.fullmatch(deck_id):
            return None
        path = self._at(deck_id)
        return path if path.is_file() else None

    def _at(self, deck_id: str) -> Path:
        return self._folder / f"{deck_id}.zip"


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "deck"


def _without(text: str, path: Path) -> str:
    return text.replace(str(path), _SENT)
