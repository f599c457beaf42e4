"""Deck packs made on the spot: the smallest of each game, with a black band across each picture."""

import shutil
import struct
import zlib
from pathlib import Path

from referee.decks import Deck, load_deck

GALAPA_GO = """\
format: 1
game: galapa-go
name: Small deck
card_mm: [63, 88]
cards:
  - {id: a1, kind: animal, image: cards/a1.png, animals: [{head: lion, body: lion}]}
  - {id: a2, kind: animal, image: cards/a2.png, animals: [{head: giraffe, body: gorilla}],
     crabs: [red]}
  - {id: t1, kind: task, image: cards/t1.png, require: [lion], forbid: [blue-crab]}
  - {id: s1, kind: special, image: cards/s1.png, special: most, mm: [44, 68]}
  - {id: cam-red, kind: camera, image: cards/cam-red.png, player: red}
  - {id: back-animal, kind: back, image: cards/back.png, of: animal}
"""
EXPLORING = """\
format: 1
game: exploring-galapagos
name: Small deck
card_mm: [63, 88]
cards:
  - {id: h1, kind: habitat, image: cards/h1.png, value: 1, method: zone, time: morning, impact: 1,
     animals: [{color: gray-bird, zone: sky}, {color: blue-fish, zone: sea, time: night}]}
  - {id: back, kind: back, image: cards/back.png, of: habitat}
"""
PANDA = """\
format: 1
game: panda-gorilla
name: Small deck
card_mm: [44, 44]
board: {rows: 2, cols: 3, space_mm: 45, entrance: [[0, 1]], signs: [[0, 0], [0, 2]],
        image: board.png, corners_px: [[0, 0], [300, 0], [300, 200], [0, 200]]}
cards:
  - {id: p1, kind: path, image: cards/p1.png, paths: [n, e],
     quarters: {nw: dark, ne: light, se: dark, sw: dark}, count: 2}
  - {id: chip, kind: chip, image: cards/chip.png, player: red, size: large, mm: [18, 18], count: 3}
  - {id: back, kind: back, image: cards/back.png, of: path}
"""
TEXTS = {"galapa-go": GALAPA_GO, "exploring-galapagos": EXPLORING, "panda-gorilla": PANDA}
SIDES_PX = {"galapa-go": (210, 294), "exploring-galapagos": (210, 294), "panda-gorilla": (200, 200)}


def png(width: int, height: int, band: int = 0, bands: int = 9) -> bytes:
    """Returns a grey PNG picture with one of so many bands black."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    greys = (b"\x00" if row * bands // height == band else b"\x80" for row in range(height))
    rows = zlib.compress(b"".join(b"\0" + grey * width for grey in greys))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


class Pack:
    """Writes packs into a folder of the test's own."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, game: str = "galapa-go", text: str | None = None) -> Path:
        folder = self.root / game
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "cards").mkdir(parents=True)
        names = ["a1", "a2", "t1", "s1", "cam-red", "back", "h1", "p1", "chip"]
        for band, name in enumerate(names):
            picture = png(*SIDES_PX[game], band, len(names))
            (folder / "cards" / f"{name}.png").write_bytes(picture)
        (folder / "board.png").write_bytes(png(300, 200))
        (folder / "deck.yaml").write_text(TEXTS[game] if text is None else text, encoding="utf-8")
        return folder

    def load(self, game: str = "galapa-go") -> Deck:
        return load_deck(self.write(game))
