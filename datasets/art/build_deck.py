"""Draws our Galapa Go deck and writes it as a deck pack (contract §1).

python -m datasets.art.build_deck [--out datasets/decks/galapa-go]
"""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from datasets.art.galapa_go_deck import Face, build_faces
from datasets.art.rendering import encode_png, render_rgba

CARD_MM = (63, 88)
CARD_PX = (441, 616)
"""Seven pixels a millimetre, about 180 dpi: sharp when printed, small enough to commit."""

DEFAULT_OUT = Path(__file__).parents[1] / "decks" / "galapa-go"


def deck_yaml(faces: tuple[Face, ...]) -> str:
    """The text of `deck.yaml`."""
    lines = [
        "format: 1",
        "game: galapa-go",
        "name: Paper Safari",
        f"card_mm: [{CARD_MM[0]}, {CARD_MM[1]}]",
        "cards:",
    ]
    for face in faces:
        head = f"id: {face.id}, kind: {face.kind}, image: cards/{face.id}.png"
        lines.append(f"  - {{{head}, {face.entry}}}")
    return "\n".join(lines) + "\n"


def face_png(face: Face) -> bytes:
    """The picture of a face as it is committed."""
    return encode_png(render_rgba(face.svg, *CARD_PX))


def write_deck(out: Path) -> int:
    """Writes the pack and returns how many bytes its pictures take."""
    faces = build_faces()
    cards = out / "cards"
    cards.mkdir(parents=True, exist_ok=True)
    total = 0
    for face in track(faces, "Drawing cards", console=Console(stderr=True)):
        png = face_png(face)
        (cards / f"{face.id}.png").write_bytes(png)
        total += len(png)
    (out / "deck.yaml").write_text(deck_yaml(faces), encoding="utf-8")
    return total


def main(out: Annotated[Path, typer.Option(help="Folder of the deck pack.")] = DEFAULT_OUT) -> None:
    """Draw every card of our Galapa Go deck."""
    size = write_deck(out)
    Console().print(f"{out}: {size / 1e6:.1f} MB of pictures")


if __name__ == "__main__":
    typer.run(main)
