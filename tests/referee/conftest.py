"""Builders on disk that the tests of the referee share."""

from __future__ import annotations

from pathlib import Path

import pytest
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


@pytest.fixture
def tiny_deck(tmp_path: Path) -> Path:
    """A deck pack of six faces, each of one colour."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "deck.yaml").write_text(TINY_DECK, encoding="utf-8")
    for shade, name in enumerate(("a1", "a2", "a3", "t1", "cam-red", "cam-blue")):
        picture = Image.new("RGB", (252, 352), (40 * shade, 200 - 30 * shade, 120))
        picture.save(folder / f"{name}.png")
    return folder
