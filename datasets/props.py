"""The props of a recording: pictures of cards, backs and arms, and the table under them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from datasets.art import arms, tabletops
from datasets.art.paint import Rng
from datasets.choreography import camera_id
from datasets.compositing import make_sprite
from datasets.deck_art import read_face
from datasets.filming import Props
from datasets.items import TRAIN, Shadows, Table
from datasets.scene import sample_table
from datasets.viewpoint import Viewpoint
from referee.decks import Deck
from referee.games.galapa_go.model import CameraCard, CardBack

TABLES = (*tabletops.WOODS, "any")
"""What can be played on: a wood, or anything that training pictures know."""


def make_props(
    rng: Rng,
    deck: Deck,
    cards: Collection[str],
    table: str,
    lit: tuple[Viewpoint, Shadows],
) -> Props:
    """Makes the pictures of everything that can be seen.

    Args:
        rng: Source of chance for arms and table.
        deck: The deck that is played with.
        cards: Ids of the cards that are seen, Camera cards as `camera_id` gives them.
        table: One of `TABLES`.
        lit: The camera, which says how large things appear, and the shadows.
    """
    view, shadows = lit
    spots, _ = view.project(np.asarray([[-50, 0], [50, 0]], np.float64))
    scale = float(np.hypot(*(spots[1] - spots[0]))) / 100
    faces, backs, hands = {}, {}, {}
    for card in deck.cards:
        piece = card.piece
        key = camera_id(piece.player) if isinstance(piece, CameraCard) else card.id
        if isinstance(piece, CardBack):
            backs[piece.of] = make_sprite(read_face(deck, card), card.size_mm, scale)
        elif key in cards:
            faces[key] = make_sprite(read_face(deck, card), card.size_mm, scale)
        if isinstance(piece, CameraCard) and key in cards:
            arm = _draw_arm(np.random.default_rng(rng.integers(2**63)), shadows)
            hands[piece.player] = (arm, make_sprite(arm.art, arm.size_mm, scale))
    return Props(faces, backs, hands, _make_table(rng, table))


def _draw_arm(rng: Rng, shadows: Shadows) -> arms.Arm:
    lamp = (-shadows.slant[0] * 2, -shadows.slant[1] * 2)
    return arms.draw_arm(rng, arms.sample_look(rng, lamp))


def _make_table(rng: Rng, name: str) -> Table:
    if name == "any":
        return replace(sample_table(rng, TRAIN, 300.0, None), extent_mm=None)
    tile = tabletops.draw_boards(rng, name)
    return Table(
        tile, tabletops.MM_PER_PX, float(rng.normal(0, 0.01)), None, ((0, 0, 0), 0.0), tile
    )
