"""Photographs tables of two games with truth: `python -m datasets.still panda --help`.

Every picture comes with `NAME.truth.json` (contract §4): what is seen where, the question that the
table is, and the rule engine's answer to it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer
from rich.console import Console
from rich.progress import track

from datasets.art import arms
from datasets.art.paint import Image, Rng, f64
from datasets.degrade import degrade, illuminate
from datasets.items import Item, Scene
from datasets.render import render
from datasets.spread import Spread
from datasets.spreads import EXPLORING, PANDA, SPREADS, spread_loose_exploring
from datasets.still_styles import (
    CUT,
    STYLES,
    Camera,
    sample_camera,
    sample_flaws,
    sample_ground,
    sample_light,
    sample_shadows,
)
from datasets.still_truth import Json, describe_still
from datasets.truth import name_deck, write_truth
from referee.decks import Deck, load_deck
from referee.errors import DeckError

DECKS = Path(__file__).parent / "decks"
CACHE = Path(__file__).parent / "cache" / "stills"
HAND_MM = 12.0


class Game(StrEnum):
    """The games whose tables are photographed."""

    PANDA = "panda"
    EXPLORING = "exploring"


NAMES = {Game.PANDA: PANDA, Game.EXPLORING: EXPLORING}

app = typer.Typer(add_completion=False, help=__doc__)
console = Console()


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides a still.

    Attributes:
        seed: Same seed, same picture.
        style: A name of `STYLES`.
        held: Whether it is a table that no training picture shows.
        loose: Whether an Exploring Galapagos table is laid loosely: hands fanned, any seats.
        size: Width and height of the picture; drawn by lot where None.
    """

    seed: int
    style: str
    held: bool = False
    loose: bool = False
    size: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """A picture (BGR), the quality at which it is written, and its truth."""

    image: Image
    jpeg: int
    truth: Json


def make_still(recipe: Recipe, deck: Deck, deck_name: str) -> Still:
    """Lays a table and photographs it; same recipe, same deck, same picture.

    Args:
        recipe: What decides it.
        deck: A deck of one of the games.
        deck_name: How the truth names the deck.

    Raises:
        DeckError: if the deck lacks a piece or a picture cannot be read.
    """
    style = STYLES[recipe.style]
    if recipe.size is not None:
        style = replace(style, sizes=(recipe.size,))
    rng = np.random.default_rng(np.random.SeedSequence([recipe.seed, *recipe.style.encode()]))
    lay = spread_loose_exploring if recipe.loose else SPREADS[deck.game]
    spread = lay(rng, deck)
    camera = sample_camera(rng, style, spread.reach, any_side=spread.board is not None)
    shadows = sample_shadows(rng)
    hands = [sample_hand(rng, camera, spread, shadows.slant) for _ in range(style.hands)]
    items = tuple(each.item for each in spread.laid) + tuple(hands)
    scene = Scene(sample_ground(rng, style, held=recipe.held), items, shadows, deck.game)
    rendered = render(scene, camera.view)
    flaws = sample_flaws(rng, style)
    lit = illuminate(rendered.image, rendered.ids, sample_light(rng, style))
    image = degrade(lit, rng, flaws)
    facts = {"style": recipe.style, "seed": recipe.seed}
    truth = describe_still(spread, rendered, camera, deck, deck_name) | facts
    return Still(image, flaws.jpeg, truth)


def sample_hand(rng: Rng, camera: Camera, spread: Spread, slant: tuple[float, float]) -> Item:
    """Lays an arm over the table that points at one of the things on it, from the outside."""
    look = arms.sample_look(rng, (-slant[0] * 2, -slant[1] * 2))
    arm = arms.draw_arm(rng, look)
    tips = [each.item.at_mm for each in spread.laid if each.facts is not None]
    tip = f64(tips[int(rng.integers(len(tips)))])
    middle = (spread.reach.min(0) + spread.reach.max(0)) / 2
    away = tip - middle if np.hypot(*(tip - middle)) > 1 else f64([0.0, 1.0])
    angle = float(np.arctan2(-away[0], away[1]) + rng.normal(0, 0.25))
    to_centre = f64(arm.size_mm) / 2 - arm.tip_mm
    cos, sin = np.cos(angle), np.sin(angle)
    at = (
        float(tip[0] + to_centre[0] * cos - to_centre[1] * sin),
        float(tip[1] + to_centre[0] * sin + to_centre[1] * cos),
    )
    return Item("hand", arm.art, at, arm.size_mm, angle, HAND_MM, 0.0)


def write_still(still: Still, picture: Path) -> None:
    """Writes a picture as JPEG, and its truth beside it."""
    cv2.imwrite(str(picture), still.image, [cv2.IMWRITE_JPEG_QUALITY, still.jpeg])
    write_truth(picture.with_suffix(".truth.json"), still.truth)


@app.command()
def main(  # noqa: PLR0913, PLR0917 - one parameter an option
    game: Annotated[Game, typer.Argument(help="whose tables are photographed")],
    out: Annotated[Path, typer.Option(help="folder to write")] = CACHE,
    count: Annotated[int, typer.Option(min=1, help="how many; styles come in turn")] = len(STYLES)
    - 1,
    seed: Annotated[int, typer.Option(help="of the first; each next one has the next")] = 1,
    deck: Annotated[Path | None, typer.Option(help="deck pack; ours where none is named")] = None,
    style: Annotated[str, typer.Option(help=f"one of {', '.join(STYLES)}; all where empty")] = "",
    held: Annotated[
        bool, typer.Option("--held", help="tables that no training picture shows")
    ] = False,
    loose: Annotated[
        bool, typer.Option("--loose", help="Exploring: hands fanned, any seats, things around")
    ] = False,
) -> None:
    """Photographs tables of one game; pictures already there are kept.

    What a picture cuts off cannot be scored: a series of Exploring Galapagos has none of those.
    """
    if style and style not in STYLES:
        raise typer.BadParameter(
            f"{style!r}; expected one of {', '.join(STYLES)}", param_hint="--style"
        )
    if loose and game is not Game.EXPLORING:
        raise typer.BadParameter("only for exploring", param_hint="--loose")
    pack = _load(deck or DECKS / NAMES[game], NAMES[game])
    out.mkdir(parents=True, exist_ok=True)
    styles = (style,) if style else tuple(s for s in STYLES if game is Game.PANDA or s != CUT)
    for number in track(range(count), "Photographing", console=console):
        recipe = Recipe(seed + number, styles[number % len(styles)], held, loose)
        picture = out / f"{game.value}-{recipe.seed:04d}-{recipe.style}.jpg"
        if not picture.with_suffix(".truth.json").exists():
            write_still(make_still(recipe, pack, name_deck(pack.path, out)), picture)


def _load(path: Path, game: str) -> Deck:
    try:
        deck = load_deck(path)
    except DeckError as error:
        raise typer.BadParameter(str(error), param_hint="--deck") from error
    if deck.game != game:
        raise typer.BadParameter(f"{path}: expected a deck of {game}, got one of {deck.game}")
    return deck


if __name__ == "__main__":
    app()
