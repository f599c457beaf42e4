"""Samples whole scenes: a laid table, what is around it, hands over it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from datasets import boards, layouts
from datasets.art import faces, surfaces
from datasets.art.paint import Image, Rng
from datasets.items import CLASSES, HELD, STYLES, TRAIN, Item, Points, Scene, Shadows, Style, Table
from datasets.layouts import ArtBox
from datasets.packs import Pack
from datasets.spreads import SPREADS
from datasets.surroundings import reaching_hands, scattered_things, surroundings
from referee.decks import Deck

__all__ = [
    "CLASSES",
    "HELD",
    "STYLES",
    "TRAIN",
    "Item",
    "Points",
    "Scene",
    "Shadows",
    "Style",
    "Table",
    "retable",
    "sample_scene",
    "sample_shadows",
    "sample_table",
]
PACK_SHARE = 0.2  # of the tables are laid with the printed deck
GAME_SHARE = 0.25  # of the tables show a game of Panda or Exploring, where decks of them are given


def sample_scene(
    rng: Rng,
    style: Style,
    textures: Path | None = None,
    pack: Pack | None = None,
    games: Sequence[Deck] = (),
) -> Scene:
    """Draws a whole table by lot.

    Args:
        rng: source of all chance.
        style: families of art to draw from.
        textures: folder of texture pictures, used for a part of the tables.
        pack: a printed deck, used on a part of the tables.
        games: decks of Panda or Exploring Galapagos; on a part of the tables lies a game of one.
    """
    if games and rng.random() < GAME_SHARE:
        return _game_scene(rng, style, textures, games[int(rng.integers(len(games)))])
    names = tuple(LAYOUTS)
    name = str(rng.choice(names, p=[LAYOUTS[n][1] for n in names]))
    first, second = (faces.sample_deck(rng, style.faces, style.cameras) for _ in range(2))
    printed = pack if rng.random() < PACK_SHARE else None
    items = LAYOUTS[name][0](rng, ArtBox((first, second), printed))
    return _surrounded(rng, style, textures, items, name)


def _game_scene(rng: Rng, style: Style, textures: Path | None, deck: Deck) -> Scene:
    """A game with a printed deck, laid by its rules; a board is wider than its field of tiles."""
    items = [each.item for each in SPREADS[deck.game](rng, deck).laid]
    return _surrounded(rng, style, textures, items, "board" if deck.board else "players")


def _surrounded(
    rng: Rng, style: Style, textures: Path | None, items: list[Item], name: str
) -> Scene:
    """Puts what has been laid on a table, with things around it and hands over it."""
    reach = max((float(np.abs(item.corners()).max()) for item in items), default=250.0)
    under, around, over = surroundings(rng, reach)
    gripping = reaching_hands(rng, items, reach) if rng.random() < 0.5 else []
    table = sample_table(rng, style, reach, textures)
    return Scene(table, (*under, *around, *items, *over, *gripping), sample_shadows(rng), name)


def _board_only(rng: Rng, _art: ArtBox) -> list[Item]:
    return boards.board(rng)


def _bare(rng: Rng, art: ArtBox) -> list[Item]:
    """No card at all, or a single one: things that must not be taken for cards."""
    items = scattered_things(rng, int(rng.integers(2, 9)), 260)
    if rng.random() < 0.35:
        at = (float(rng.uniform(-150, 150)), float(rng.uniform(-120, 120)))
        items.append(layouts.card_item(rng, art, 0, at, rng.uniform(0, 6.3), 0.0))
    return items


LAYOUTS: dict[str, tuple[Callable[[Rng, ArtBox], list[Item]], float]] = {
    "photos": (layouts.photo_round, 0.42),
    "scatter": (layouts.scatter, 0.12),
    "rows": (layouts.rows, 0.03),
    "players": (layouts.players, 0.12),
    "fans": (layouts.fans, 0.08),
    "board": (_board_only, 0.20),
    "bare": (_bare, 0.03),
}


def retable(rng: Rng, scene: Scene, style: Style, textures: Path | None) -> Scene:
    """Lays the same items on another table, under another light."""
    reach = max(
        (float(np.abs(i.corners()).max()) for i in scene.items if i.kind not in {"thing", "hand"}),
        default=250.0,
    )
    return replace(
        scene, table=sample_table(rng, style, reach, textures), shadows=sample_shadows(rng)
    )


def sample_table(rng: Rng, style: Style, extent_mm: float, textures: Path | None) -> Table:
    """Draws a table by lot; `extent_mm` is how far the layout reaches from the middle."""
    tile = _surface(rng, style, textures)
    extent = None
    if rng.random() < 0.35:
        left, top, right, bottom = (extent_mm * rng.uniform(0.85, 2.0) + 30 for _ in range(4))
        extent = (-left, -top, right, bottom)
    blue, green, red = (int(v) for v in rng.integers(20, 250, 3))
    rim = ((blue, green, red), float(rng.choice((0, 4, 15, 40))))
    return Table(
        tile,
        float(rng.uniform(0.5, 2.2)),
        float(rng.normal(0, 0.08) + rng.choice((0, 0, 0.785, 0.4))),
        extent,
        rim,
        _surface(rng, style, textures),
    )


def _surface(rng: Rng, style: Style, textures: Path | None) -> Image:
    if textures is not None and rng.random() < 0.45:
        return surfaces.from_file(rng, textures, held=style.held)
    return surfaces.SURFACES[str(rng.choice(style.surfaces))](rng)


def sample_shadows(rng: Rng) -> Shadows:
    """Draws the light's direction and hardness by lot."""
    angle, steep = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 1.1)
    return Shadows(
        (float(steep * np.cos(angle)), float(steep * np.sin(angle))),
        float(rng.uniform(0.05, 0.7)),
        float(rng.uniform(0.15, 0.75)),
    )
