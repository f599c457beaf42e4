"""Films turns of Panda, Gorilla & Co with truth: `python -m datasets.zoo_recording --help`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.progress import track

from datasets.spreads import PANDA
from datasets.still_styles import Circumstances
from datasets.take import TICKS
from datasets.truth import name_deck, write_truth
from datasets.video_file import Format, write_video
from datasets.zoo_film import ZooTake, describe_film, prepare_film
from datasets.zoo_turns import play_match
from referee.decks import Deck, load_deck
from referee.errors import DeckError

DECK = Path(__file__).parent / "decks" / PANDA

app = typer.Typer(add_completion=False, help=__doc__)
console = Console()


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides a recording.

    Attributes:
        seed: Same seed, same frames.
        turns: How many are filmed.
        share: How much of the board is covered when the film begins.
        size: Width and height of the frames.
        fps: Frames a second.
        tilt_deg: Least and greatest tilt of the camera.
    """

    seed: int
    turns: int = 5
    share: float = 0.15
    size: tuple[int, int] = (1280, 720)
    fps: int = 30
    tilt_deg: tuple[float, float] = (5.0, 38.0)


def prepare(recipe: Recipe, deck: Deck) -> ZooTake:
    """Draws by lot everything that happens in a recording.

    Raises:
        DeckError: if the deck lacks a piece or a picture cannot be read.
    """
    rng = np.random.default_rng(np.random.SeedSequence([recipe.seed, 0x200]))
    match = play_match(rng, deck, recipe.share, recipe.turns)
    kind = Circumstances(sizes=(recipe.size,), tilt_deg=recipe.tilt_deg)
    return prepare_film(rng, deck, match, kind, recipe.fps)


def record(recipe: Recipe, deck: Deck, video: Path) -> ZooTake:
    """Films a recording into a file, and writes its truth beside it."""
    take = prepare(recipe, deck)
    form = Format(recipe.size, recipe.fps, TICKS)
    shown = track(take.film.frames(), video.name, total=len(take.film.ticks), console=console)
    write_video(video, zip(shown, take.film.ticks, strict=True), form)
    truth = describe_film(take, deck, name_deck(deck.path, video.parent))
    write_truth(video.with_suffix(".truth.json"), truth)
    return take


@app.command()
def main(  # noqa: PLR0913, PLR0917 - one parameter an option
    video: Annotated[
        Path, typer.Argument(help="the .mp4 to write; NAME.truth.json comes beside it")
    ],
    deck: Annotated[Path, typer.Option(help="deck pack to play with")] = DECK,
    seed: Annotated[int, typer.Option(help="same seed, same frames")] = 1,
    turns: Annotated[int, typer.Option(min=1, help="how many are filmed")] = 5,
    share: Annotated[
        float, typer.Option(min=0, max=1, help="of the board covered when the film begins")
    ] = 0.15,
    width: Annotated[int, typer.Option(min=320, help="of the frames, which are 16:9")] = 1280,
    fps: Annotated[int, typer.Option(min=5, max=120, help="frames a second")] = 30,
) -> None:
    """Films one recording."""
    try:
        pack = load_deck(deck)
    except DeckError as error:
        raise typer.BadParameter(str(error), param_hint="--deck") from error
    if pack.game != PANDA:
        raise typer.BadParameter(f"{deck}: expected a deck of {PANDA}, got one of {pack.game}")
    size = (width // 32 * 32, width // 32 * 18)
    take = record(Recipe(seed, turns, share, size, fps), pack, video)
    console.print(f"{video}: {len(take.film.ticks)} frames, {take.film.motion.end_s:.1f} s")


if __name__ == "__main__":
    app()
