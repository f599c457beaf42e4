"""What an answer may leave open: cards of a table that nobody can see, and what depends on them.

A truth lists as `unseen` the cards of which hardly anything is in sight. Where one lies, an answer
is right when it names it all the same, or when it does not and says so: every other card of the
place is right, nothing is named in its stead, and a doubt tells of the place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

SHARED = "shared"
_WORDS_OF_SHARED = "shared hand|in the middle"


@dataclass(frozen=True, slots=True)
class Place:
    """The cards in the middle or of one player; None among them is one without a name."""

    cards: tuple[str | None, ...]
    locked: str | None = None

    def lacks(self, wanted: Place, unseen: Collection[str]) -> frozenset[str]:
        """Returns which unseen cards of those wanted here have no name here."""
        all_wanted, named = {*wanted.cards, wanted.locked}, {*self.cards, self.locked}
        return frozenset(card for card in unseen if card in all_wanted and card not in named)

    def is_but_for(self, lacking: Collection[str], wanted: Place) -> bool:
        """Returns whether all is as wanted but for cards that have no name here."""
        locked = None if wanted.locked in lacking else wanted.locked
        named = sorted(card for card in self.cards if card is not None)
        return (
            named == sorted(card for card in wanted.cards if card and card not in lacking)
            and self.locked == locked
            and self.cards.count(None) <= len(lacking)
        )


def places_of(position: Json, sides: dict[str, str]) -> dict[str, Place]:
    """Returns what lies in each place: `shared`, and the sides of the players.

    Args:
        position: As `judge` takes it.
        sides: The side of each player; who has none is named by it.
    """
    places = {SHARED: Place(tuple(position["shared"]))}
    for player in position["players"]:
        name = sides.get(player["name"], player["name"])
        places[name] = Place(tuple(player["hand"]), player["locked"])
    return places


def left_open(answer: Json, true: Json, sides: dict[str, str]) -> tuple[set[str], set[str]]:
    """Returns places whose cards, and players whose points, an answer rightly leaves open.

    Args:
        answer: Of a photograph; players are named by their side.
        true: Its truth.
        sides: The side of each player of the truth.
    """
    unseen = frozenset(true.get("unseen", ()))
    got, wanted = places_of(answer["position"], {}), places_of(true["position"], sides)
    doubts = [doubt["text"] for doubt in answer["doubts"]]
    lacking = {
        name: got[name].lacks(place, unseen) for name, place in wanted.items() if name in got
    }
    cards = {
        name
        for name, missing in lacking.items()
        if missing and got[name].is_but_for(missing, wanted[name]) and _is_told(name, doubts)
    }
    unscored = {player["name"] for player in answer["players"] if player["score"] is None}
    points = {name for name in unscored if lacking.get(name) or lacking.get(SHARED)}
    return cards, points


def _is_told(place: str, doubts: Iterable[str]) -> bool:
    """Returns whether a doubt tells of a place; `top` is no part of `top-left`."""
    words = _WORDS_OF_SHARED if place == SHARED else re.escape(place)
    return any(re.search(rf"(?<![\w-])({words})(?![\w-])", doubt) for doubt in doubts)
