"""Deals a round of Exploring Galapagos as it lies on the table when it is scored."""

from __future__ import annotations

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
    """Deals by chance what a round can end with.

    Whoever is not locked in has gone through three drafts, so the shared hand has three cards
    then; where all are locked in it has from none to three (rulings 2.3, E13).
    """
    count = int(rng.integers(2, 6))
    cards = [piece.id for piece in deck.pieces if isinstance(piece, HabitatCard)]
    order = [cards[int(i)] for i in rng.permutation(len(cards))]
    size = 4 if count <= _LARGE_HAND_PLAYERS else 3
    locked = [bool(rng.random() < 0.6) for _ in range(count)]
    shared = int(rng.integers(0, SHARED_SIZE + 1)) if all(locked) else SHARED_SIZE
    earlier = int(rng.integers(0, 3)) if rng.random() < 0.5 else 0
    players = []
    for name, is_locked in zip(NAMES, locked, strict=False):
        own, order = order[:size], order[size:]
        used = [m.value for m in Method]
        rng.shuffle(used)
        lock = own[-1] if is_locked else None
        hand = tuple(own[:-1] if is_locked else own)
        players.append(Player(name, hand, lock, tuple(sorted(used[:earlier]))))
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
