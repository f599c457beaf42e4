"""Small things that tests of several folders build."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

TINY_DECK = """\
format: 1
game: galapa-go
name: Tiny deck
card_mm: [63, 88]
cards:
  - {id: a1, kind: animal, image: a1.png, animals: [{head: lion, body: lion}]}
  - {id: a2, kind: animal, image: a2.png, animals: [{head: gorilla, body: lion}]}
  - {id: a3, kind: animal, image: a3.png, animals: [{head: gorilla, body: gorilla}]}
  - {id: t1, kind: task, image: t1.png, require: [lion]}
  - {id: cam-red, kind: camera, image: cam-red.png, player: red}
  - {id: cam-blue, kind: camera, image: cam-blue.png, player: blue}
"""


def write_tiny_deck(folder: Path) -> Path:
    """Writes a deck pack of six faces, each of one colour, and returns its folder."""
    folder.mkdir()
    (folder / "deck.yaml").write_text(TINY_DECK, encoding="utf-8")
    for shade, name in enumerate(("a1", "a2", "a3", "t1", "cam-red", "cam-blue")):
        picture = Image.new("RGB", (252, 352), (40 * shade, 200 - 30 * shade, 120))
        picture.save(folder / f"{name}.png")
    return folder
