"""The tables of the two games that are laid from a deck pack, by the game's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from datasets.art.paint import Rng
from datasets.island_habits import sample_any_sides, sample_habits
from datasets.island_play import deal_islands
from datasets.island_table import lay_islands
from datasets.spread import Spread
from datasets.zoo_play import play_zoo
from datasets.zoo_table import lay_zoo
from referee.decks import Deck

PANDA, EXPLORING = "panda-gorilla", "exploring-galapagos"


def spread_panda(rng: Rng, deck: Deck) -> Spread:
    """Lays a Panda table: from a few cards to a full board."""
    share = float(rng.choice((0.15, 0.35, 0.6, 0.85, 1.0)) * rng.uniform(0.7, 1.0))
    return lay_zoo(rng, deck, play_zoo(rng, deck, share))


def spread_exploring(rng: Rng, deck: Deck) -> Spread:
    """Lays an Exploring Galapagos table."""
    return lay_islands(rng, deck, deal_islands(rng, deck))


def spread_loose_exploring(rng: Rng, deck: Deck) -> Spread:
    """Lays an Exploring Galapagos table on which people play rather than pose.

    Hands are fanned and turned, seats are any, cards lie face down, things stand around.
    """
    table = deal_islands(rng, deck)
    sides = sample_any_sides(rng, len(table.players))
    return lay_islands(rng, deck, table, sides, sample_habits(rng))


SPREADS: Mapping[str, Callable[[Rng, Deck], Spread]] = MappingProxyType(
    {PANDA: spread_panda, EXPLORING: spread_exploring}
)
"""Lays a table by chance, with a deck of that game."""
