"""Films whole rounds of Galapa Go with truth: `python -m datasets.recording --help`.

The other two games are filmed by `datasets.zoo_recording` and `datasets.island_recording`, and
photographed by `datasets.still`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer
from rich.console import Console
from rich.progress import track

from datasets import island_recording, zoo_recording
from datasets.art.paint import Rng
from datasets.play import SCENARIOS, NoRoundError
from datasets.props import TABLES
from datasets.sensor import Exposures
from datasets.spreads import EXPLORING, PANDA
from datasets.still import Recipe as StillRecipe
from datasets.still import make_still, write_still
from datasets.take import PERTURBATIONS, TICKS, Recipe, Take, prepare
from datasets.truth import describe_recording, describe_still, name_deck, write_truth
from datasets.video_file import Format, write_video
from referee.decks import Deck, load_deck
from referee.errors import DeckError
from referee.games.galapa_go.model import Variant

DECK = Path(__file__).parent / "decks" / "galapa-go"
CACHE = Path(__file__).parent / "cache" / "recordings"

SAMPLE = Recipe(5, scenarios=("contest-wrong", "plain"), is_plain=True)
TINY = Recipe(
    7,
    size=(640, 360),
    seats=2,
    scenarios=("none-left",),
    table="walnut",
    is_plain=True,
    tilt_deg=18.0,
)

STILL = replace(SAMPLE, seed=3, size=(960, 540))

ZOO = zoo_recording.Recipe(29, turns=3, share=0.2, size=(960, 540), tilt_deg=(8.0, 20.0))
ISLANDS = island_recording.Recipe(3, rounds=2, size=(960, 540), fps=20)
TABLES_SHOWN = {
    PANDA: StillRecipe(22, "plain", size=(1280, 960)),
    EXPLORING: StillRecipe(20, "plain", size=(1280, 960)),
}

KINDS: dict[str, Recipe] = {
    "plain": Recipe(0),
    "contested": Recipe(0, scenarios=("contest-move", "contest-home"), seats=4),
    "near": Recipe(0, scenarios=("near", "near-same"), seats=4, fps=60),
    "wrong": Recipe(0, scenarios=("wrong", "contest-wrong"), won=2),
    "no-match": Recipe(0, scenarios=("no-match", "none-left"), perturbations=("vfr",), seats=2),
    "special": Recipe(0, scenarios=("special", "most-least"), size=(1920, 1080), seats=2),
    "complex": Recipe(
        0,
        scenarios=("plain", "none-left"),
        seats=2,
        variant=Variant.COMPLEX,
        perturbations=("drift",),
    ),
    "phone": Recipe(
        0,
        scenarios=("none-left", "plain"),
        size=(720, 1280),
        seats=2,
        perturbations=("dim", "rotate"),
    ),
    "bumped": Recipe(0, scenarios=("plain", "late"), seats=4, perturbations=("bump", "drop")),
    "rough": Recipe(
        0, scenarios=("plain", "none-left"), seats=5, perturbations=("jpeg", "rest", "upside-down")
    ),
    "crowd-plain": Recipe(0, seats=6),
    "late": Recipe(0, scenarios=("late", "wrong"), won=1, perturbations=("rest", "drift")),
}
"""What each kind of recording shows; tables, tilt and chance differ from one to the next."""

app = typer.Typer(add_completion=False, help=__doc__)
console = Console()


def record(take: Take, deck: Deck, video: Path, preset: str = "medium") -> None:
    """Films a recording into a file, and writes its truth beside it."""
    recipe = take.recipe
    form = Format(recipe.size, recipe.fps, TICKS, 24, preset, "rotate" in recipe.perturbations)
    shown = track(take.frames(deck), video.name, total=len(take.ticks), console=console)
    write_video(video, zip(shown, take.ticks, strict=True), form)
    write_truth(
        video.with_suffix(".truth.json"),
        describe_recording(take, deck, name_deck(deck.path, video.parent)),
    )


def photograph(take: Take, deck: Deck, picture: Path) -> None:
    """Writes the last picture of a recording, in which no hand is seen, and its truth."""
    end_s, exposures = take.motion.end_s, Exposures(take.sensor, take.recipe.size)
    image = exposures.expose(take.film(deck).frame(end_s), end_s)
    cv2.imwrite(str(picture), image, [cv2.IMWRITE_JPEG_QUALITY, 90])
    truth = describe_still(take, deck, name_deck(deck.path, picture.parent))
    write_truth(picture.with_suffix(".truth.json"), truth)


def sample_recipe(rng: Rng, kind: str, seed: int) -> Recipe:
    """Draws by lot what a kind of recording leaves open."""
    recipe = KINDS[kind]
    return replace(
        recipe, seed=seed, table=str(rng.choice(TABLES)), tilt_deg=float(rng.uniform(8, 40)),
        seats=recipe.seats if recipe.seats != 3 else int(rng.integers(3, 5)),
    )  # fmt: skip


@app.command()
def sample(
    out: Annotated[
        Path, typer.Argument(help="folder of test data, with recordings/ and pictures/")
    ],
) -> None:
    """Films the recordings and pictures that the repository ships."""
    deck = _load(DECK)
    for folder in ("recordings", "pictures"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    record(prepare(SAMPLE, deck), deck, out / "recordings" / "sample.mp4")
    record(prepare(TINY, deck), deck, out / "recordings" / "tiny.mp4")
    photograph(prepare(STILL, deck), deck, out / "pictures" / "table.jpg")
    zoo_recording.record(ZOO, _load(DECK.parent / PANDA), out / "recordings" / "panda.mp4")
    islands = out / "recordings" / "exploring.mp4"
    island_recording.record(ISLANDS, _load(DECK.parent / EXPLORING), islands)
    for game, recipe in TABLES_SHOWN.items():
        pack, picture = _load(DECK.parent / game), out / "pictures" / f"{game}.jpg"
        write_still(make_still(recipe, pack, name_deck(pack.path, picture.parent)), picture)


@app.command()
def film(  # noqa: PLR0913, PLR0917 - one parameter an option
    video: Annotated[
        Path, typer.Argument(help="the .mp4 to write; NAME.truth.json comes beside it")
    ],
    deck: Annotated[Path, typer.Option(help="deck pack to play with")] = DECK,
    seed: Annotated[int, typer.Option(help="same seed, same frames")] = 1,
    rounds: Annotated[
        str, typer.Option(help=f"what the rounds show: {', '.join(SCENARIOS)}")
    ] = "plain,plain",
    seats: Annotated[int, typer.Option(min=2, max=6, help="number of players")] = 3,
    spoil: Annotated[str, typer.Option(help=f"what disturbs: {', '.join(PERTURBATIONS)}")] = "",
    table: Annotated[str, typer.Option(help=f"what it is played on: {', '.join(TABLES)}")] = "oak",
    size: Annotated[str, typer.Option(help="width x height in pixels")] = "1280x720",
    fps: Annotated[int, typer.Option(min=5, max=120, help="frames a second")] = 30,
    tilt: Annotated[
        float, typer.Option(min=0, max=50, help="of the camera, in degrees from straight down")
    ] = 26.0,
    complex_variant: Annotated[bool, typer.Option("--complex", help="two Tasks at a time")] = False,
) -> None:
    """Films one recording."""
    recipe = Recipe(
        seed,
        _read_size(size),
        fps,
        seats,
        scenarios=_read_names(rounds, tuple(SCENARIOS), "--rounds"),
        table=_read_names(table or " ", TABLES, "--table")[0],
        variant=Variant.COMPLEX if complex_variant else Variant.NORMAL,
        perturbations=_read_names(spoil, PERTURBATIONS, "--spoil"),
        tilt_deg=tilt,
    )
    pack = _load(deck)
    try:
        take = prepare(recipe, pack)
    except NoRoundError as error:
        raise typer.BadParameter(str(error), param_hint="--rounds") from error
    record(take, pack, video)
    console.print(f"{video}: {len(take.ticks)} frames, {take.motion.end_s:.1f} s")


@app.command()
def many(
    out: Annotated[Path, typer.Argument(help="folder to write")] = CACHE,
    count: Annotated[int, typer.Option(min=1, help="how many; the kinds come in turn")] = len(
        KINDS
    ),
    seed: Annotated[int, typer.Option(help="of the first; each next one has the next")] = 500,
    deck: Annotated[Path, typer.Option(help="deck pack to play with")] = DECK,
) -> None:
    """Films recordings of all kinds on all kinds of tables; those already there are kept."""
    out.mkdir(parents=True, exist_ok=True)
    pack, kinds = _load(deck), tuple(KINDS)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        rng = np.random.default_rng(np.random.SeedSequence([seed, number]))
        recipe = sample_recipe(rng, kind, seed + number)
        video = out / f"{seed + number}-{kind}.mp4"
        if not video.with_suffix(".truth.json").exists():
            record(prepare(recipe, pack), pack, video, "veryfast")


def _load(path: Path) -> Deck:
    try:
        return load_deck(path)
    except DeckError as error:
        raise typer.BadParameter(str(error), param_hint="--deck") from error


def _read_names(text: str, known: tuple[str, ...], option: str) -> tuple[str, ...]:
    names = tuple(name for name in text.split(",") if name)
    for name in names:
        if name not in known:
            raise typer.BadParameter(
                f"{name!r}; expected names of {', '.join(known)}", param_hint=option
            )
    return names


def _read_size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (
        width.isdigit()
        and height.isdigit()
        and int(width) % 2 == int(height) % 2 == 0
        and min(int(width), int(height)) >= 64
    ):
        raise typer.BadParameter(
            f"{text!r}; expected two even numbers such as 1280x720", param_hint="--size"
        )
    return int(width), int(height)


if __name__ == "__main__":
    app()
