"""Builds a set of labelled pictures: `python -m datasets.build OUT --count 8000 --seed 1`."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer
from rich.console import Console
from rich.progress import track

from datasets.art.paint import Image
from datasets.degrade import degrade, illuminate, sample_flaws, sample_light
from datasets.labels import label_lines
from datasets.packs import Pack, read_pack
from datasets.render import render
from datasets.scene import CLASSES, STYLES, retable, sample_scene
from datasets.spreads import SPREADS
from datasets.viewpoint import sample_viewpoint
from referee.decks import Deck, load_deck
from referee.errors import DeckError

RECIPE = 5  # raise when the generator changes what it draws
SHOTS = 3  # pictures of one laid table, each with its own table top, light and camera

app = typer.Typer(add_completion=False, help=__doc__)
console = Console()


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides the bytes of a set."""

    seed: int
    count: int
    style: str
    textures: Path | None = None
    deck: Path | None = None
    games: tuple[Path, ...] = ()


def shots(recipe: Recipe, scene_number: int) -> Iterator[tuple[Image, list[str], int]]:
    """Draws one scene and yields its pictures: BGR, label lines, JPEG quality."""
    style = STYLES[recipe.style]
    rng = np.random.default_rng(np.random.SeedSequence([recipe.seed, scene_number]))
    scene = sample_scene(rng, style, recipe.textures, _pack(recipe.deck), _games(recipe.games))
    for shot in range(SHOTS):
        own = np.random.default_rng(np.random.SeedSequence([recipe.seed, scene_number, shot + 1]))
        if shot:
            scene = retable(own, scene, style, recipe.textures)
        rendered = render(scene, sample_viewpoint(own, scene))
        lit = illuminate(rendered.image, rendered.ids, sample_light(own))
        flaws = sample_flaws(own)
        yield degrade(lit, own, flaws), label_lines(rendered), flaws.jpeg


@lru_cache(maxsize=4)
def _pack(deck: Path | None) -> Pack | None:
    return None if deck is None else read_pack(deck)


@lru_cache(maxsize=4)
def _games(packs: tuple[Path, ...]) -> tuple[Deck, ...]:
    return tuple(load_deck(pack) for pack in packs)


def _write_scene(job: tuple[Recipe, int, Path]) -> Counter[str]:
    recipe, number, out = job
    cv2.setNumThreads(1)
    found: Counter[str] = Counter()
    for shot, (image, lines, quality) in enumerate(shots(recipe, number)):
        index = number * SHOTS + shot
        if index >= recipe.count:
            break
        (out / "labels" / f"{index:06d}.txt").write_text("".join(f"{line}\n" for line in lines))
        cv2.imwrite(
            str(out / "images" / f"{index:06d}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, quality]
        )
        found.update(CLASSES[int(line.split(" ", 1)[0])] for line in lines)
    return found


def build(recipe: Recipe, out: Path, workers: int = 2) -> dict[str, object]:
    """Writes images, labels and manifest.json into `out`; same recipe, same bytes."""
    for name in ("images", "labels"):
        (out / name).mkdir(parents=True, exist_ok=True)
    scenes = -(-recipe.count // SHOTS)
    jobs = [(recipe, number, out) for number in range(scenes)]
    found: Counter[str] = Counter()
    if workers <= 1:
        for job in track(jobs, "drawing", console=console):
            found += _write_scene(job)
    else:
        with ProcessPoolExecutor(workers) as pool:
            for part in track(
                pool.map(_write_scene, jobs, chunksize=4), "drawing", len(jobs), console=console
            ):
                found += part
    manifest: dict[str, object] = {
        "recipe": RECIPE,
        "seed": recipe.seed,
        "count": recipe.count,
        "style": recipe.style,
        "textures": recipe.textures is not None,
        "deck": recipe.deck is not None,
        "games": [deck.name for deck in _games(recipe.games)],
        "classes": list(CLASSES),
        "labels": {name: found[name] for name in CLASSES},
        "sha256": digest(out),
    }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    return manifest


def digest(out: Path) -> str:
    """Hashes names and bytes of all pictures and labels of a set, in sorted order."""
    total = hashlib.sha256()
    for name in ("images", "labels"):
        for path in sorted((out / name).iterdir()):
            total.update(
                f"{name}/{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode()
            )
    return total.hexdigest()


@app.command()
def main(  # noqa: PLR0913, PLR0917 - one parameter an option
    out: Annotated[Path, typer.Argument(help="folder to write; images/, labels/, manifest.json")],
    count: Annotated[int, typer.Option(min=1, help="how many pictures")] = 8000,
    seed: Annotated[int, typer.Option(help="same seed, same bytes")] = 1,
    style: Annotated[
        str, typer.Option(help="train, or held: art and tables kept out of training")
    ] = "train",
    textures: Annotated[
        Path | None,
        typer.Option(
            exists=True, file_okay=False, help="folder of table pictures, mixed with drawn tables"
        ),
    ] = None,
    deck: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            file_okay=False,
            help="deck pack laid on a part of the tables",
        ),
    ] = None,
    games: Annotated[
        list[Path] | None,
        typer.Option(
            "--game",
            exists=True,
            help="deck pack of Panda or Exploring Galapagos whose games lie on a part of the "
            "tables; may be given again",
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="processes that draw")] = 2,
) -> None:
    """Draws labelled pictures of tables for the detector to learn from."""
    if style not in STYLES:
        raise typer.BadParameter(
            f"unknown style {style!r}; expected one of {', '.join(STYLES)}", param_hint="--style"
        )
    recipe = Recipe(seed, count, style, textures, deck, _check_games(games or []))
    manifest = build(recipe, out, workers)
    console.print(f"{count} pictures in {out}: {manifest['labels']}")


def _check_games(packs: list[Path]) -> tuple[Path, ...]:
    try:
        decks = _games(tuple(packs))
    except DeckError as error:
        raise typer.BadParameter(str(error), param_hint="--game") from error
    for deck in decks:
        if deck.game not in SPREADS:
            expected = f"expected a deck of {' or '.join(SPREADS)}, got {deck.game}"
            raise typer.BadParameter(f"{deck.path}: {expected}", param_hint="--game")
    return tuple(packs)


if __name__ == "__main__":
    app()
