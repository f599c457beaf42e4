"""Draws our own decks and writes each as a deck pack (contract §1).

python -m datasets.art.build_deck [GAME ...] [--out datasets/decks]
"""

from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from datasets.art import exploring_deck, galapa_go_deck, panda_deck
from datasets.art.deck_plan import DeckPlan, Face
from datasets.art.rendering import encode_png, render_rgba

DEFAULT_OUT = Path(__file__).parents[1] / "decks"

DECKS: MappingProxyType[str, Callable[[], DeckPlan]] = MappingProxyType(
    {
        "galapa-go": galapa_go_deck.plan_deck,
        "exploring-galapagos": exploring_deck.plan_deck,
        "panda-gorilla": panda_deck.plan_deck,
    }
)
"""Our deck for each game."""

BOARD_COLOURS = 224
"""A board has more to show than a card, and still fits a palette."""


def deck_yaml(plan: DeckPlan) -> str:
    """The text of `deck.yaml`."""
    lines = [
        "format: 1",
        f"game: {plan.game}",
        f"name: {plan.name}",
        f"card_mm: [{plan.card_mm[0]}, {plan.card_mm[1]}]",
    ]
    if plan.board is not None:
        lines.append(f"board: {{{plan.board.entry}, image: board.png}}")
    lines.append("cards:")
    for face in plan.faces:
        head = f"id: {face.id}, kind: {face.kind}, image: cards/{face.id}.png"
        lines.append(f"  - {{{head}, {face.entry}}}")
    return "\n".join(lines) + "\n"


def face_png(face: Face, plan: DeckPlan) -> bytes:
    """The picture of a face as it is committed."""
    return encode_png(render_rgba(face.svg, *(face.size_px or plan.card_px)))


def write_deck(plan: DeckPlan, out: Path) -> int:
    """Writes the pack into a folder and returns how many bytes its pictures take."""
    cards = out / "cards"
    cards.mkdir(parents=True, exist_ok=True)
    pictures = {
        cards / f"{face.id}.png": face_png(face, plan)
        for face in track(plan.faces, f"Drawing {plan.name}", console=Console(stderr=True))
    }
    if plan.board is not None:
        rgba = render_rgba(plan.board.svg, *plan.board.size_px)
        pictures[out / "board.png"] = encode_png(rgba, BOARD_COLOURS)
    for path, png in pictures.items():
        path.write_bytes(png)
    (out / "deck.yaml").write_text(deck_yaml(plan), encoding="utf-8")
    return sum(map(len, pictures.values()))


def main(
    games: Annotated[list[str] | None, typer.Argument(help=f"{', '.join(DECKS)}; or all")] = None,
    out: Annotated[Path, typer.Option(help="Folder of the deck packs.")] = DEFAULT_OUT,
) -> None:
    """Draw every card of our decks."""
    for game in games or DECKS:
        if game not in DECKS:
            raise typer.BadParameter(f"{game!r}; expected one of {', '.join(DECKS)}")
        size = write_deck(DECKS[game](), out / game)
        Console().print(f"{out / game}: {size / 1e6:.1f} MB of pictures")


if __name__ == "__main__":
    typer.run(main)
