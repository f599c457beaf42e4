"""Films rounds of Exploring Galapagos with truth: `python -m datasets.island_recording --help`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.progress import track

from datasets.island_film import IslandTake, describe_film, play_rounds, prepare_film
from datasets.spreads import EXPLORING
from datasets.still_styles import Circumstances
from datasets.take import TICKS
from datasets.truth import name_deck, write_truth
from datasets.video_file import Format, write_video
from referee.decks import Deck, load_deck
from referee.errors import DeckError

DECK = Path(__file__).parent / "decks" / EXPLORING

app = typer.Typer(add_completion=False, help=__doc__)
console = Console()


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides a recording.

    Attributes:
        seed: Same seed, same frames.
        players: How many play.
        rounds: How many are filmed.
        size: Width and height of the frames.
        fps: Frames a second.
        tilt_deg: Least and greatest tilt of the camera.
    """

    seed: int
    players: int = 2
    rounds: int = 3
    size: tuple[int, int] = (1280, 720)
    fps: int = 30
    tilt_deg: tuple[float, float] = (0.0, 25.0)


def prepare(recipe: Recipe, deck: Deck) -> IslandTake:
    """Draws by lot everything that happens in a recording.

    Raises:
        DeckError: if the deck lacks a piece or a picture cannot be read.
    """
    rng = np.random.default_rng(np.random.SeedSequence([recipe.seed, 0x15]))
    tables = play_rounds(rng, deck, recipe.players, recipe.rounds)
    kind = Circumstances(sizes=(recipe.size,), tilt_deg=recipe.tilt_deg)
    return prepare_film(rng, deck, tables, kind, recipe.fps)


def record(recipe: Recipe, deck: Deck, video: Path) -> IslandTake:
    """Films a recording into a file, and writes its truth beside it."""
    take = prepare(recipe, deck)
    ticks = take.film.ticks
    form = Format(recipe.size, recipe.fps, TICKS)
    shown = track(take.film.frames(), video.name, total=len(ticks), console=console)
    write_video(video, zip(shown, ticks, strict=True), form)
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
    players: Annotated[int, typer.Option(min=2, max=5, help="how many play")] = 2,
    rounds: Annotated[int, typer.Option(min=1, max=3, help="how many are filmed")] = 3,
    width: Annotated[int, typer.Option(min=320, help="of the frames, which are 16:9")] = 1280,
    fps: Annotated[int, typer.Option(min=5, max=120, help="frames a second")] = 30,
) -> None:
    """Films one recording."""
    try:
        pack = load_deck(deck)
    except DeckError as error:
        raise typer.BadParameter(str(error), param_hint="--deck") from error
    if pack.game != EXPLORING:
        raise typer.BadParameter(f"{deck}: expected a deck of {EXPLORING}, got one of {pack.game}")
    size = (width // 32 * 32, width // 32 * 18)
    take = record(Recipe(seed, players, rounds, size, fps), pack, video)
    console.print(f"{video}: {len(take.film.ticks)} frames, {take.film.motion.end_s:.1f} s")


if __name__ == "__main__":
    app()
