"""Deals a round of Exploring Galapagos as it lies on the table when it is scored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from datasets.art.paint import Rng
from referee.decks import Deck
from referee.games.exploring_galapagos.model import SHARED_SIZE, HabitatCard, Method

Json = dict[str, Any]
NAMES = ("ann", "bob", "cat", "dan", "eve")
_LARGE_HAND_PLAYERS = 3
"""Up to so many players have four cards each, more have three (Setup)."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player's cards, the locked-in one apart, and the methods of earlier rounds."""

    name: str
    hand: tuple[str, ...]
    locked: str | None
    used: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IslandTable:
    """What lies on the table: every player's cards, the shared hand, cards left in the deck."""

    players: tuple[Player, ...]
    shared: tuple[str, ...]
    pile: int


def deal_islands(rng: Rng, deck: Deck) -> IslandTable:
    """Deals by chance what one of the three rounds can end with, for two to five players."""
    names = NAMES[: int(rng.integers(2, len(NAMES) + 1))]
    earlier = int(rng.integers(0, 3)) if rng.random() < 0.5 else 0
    used = {}
    for name in names:
        methods = [method.value for method in Method]
        rng.shuffle(methods)
        used[name] = tuple(sorted(methods[:earlier]))
    return deal_round(rng, deck, used)


def deal_round(rng: Rng, deck: Deck, used: Mapping[str, tuple[str, ...]]) -> IslandTable:
    """Deals by chance what a round can end with.

    Whoever is not locked in has gone through three drafts, so the shared hand has three cards
    then; where all are locked in it has from none to three (rulings 2.3, E13).

    Args:
        rng: Source of all chance.
        deck: The deck.
        used: The players clockwise, and the methods that each has used before.
    """
    cards = [piece.id for piece in deck.pieces if isinstance(piece, HabitatCard)]
    order = [cards[int(i)] for i in rng.permutation(len(cards))]
    size = 4 if len(used) <= _LARGE_HAND_PLAYERS else 3
    locked = [bool(rng.random() < 0.6) for _ in used]
    shared = int(rng.integers(0, SHARED_SIZE + 1)) if all(locked) else SHARED_SIZE
    players = []
    for (name, methods), is_locked in zip(used.items(), locked, strict=True):
        own, order = order[:size], order[size:]
        lock = own[-1] if is_locked else None
        hand = tuple(own[:-1] if is_locked else own)
        players.append(Player(name, hand, lock, methods))
    return IslandTable(tuple(players), tuple(order[:shared]), len(order) - shared)


def format_position(table: IslandTable) -> Json:
    """Returns the table as a question to the rule engine (contract §2)."""
    return {
        "game": "exploring-galapagos",
        "players": [
            {"name": p.name, "hand": list(p.hand), "locked": p.locked, "used": list(p.used)}
            for p in table.players
        ],
        "shared": list(table.shared),
    }
