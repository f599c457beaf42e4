"""A question to the rules, asked again after people have said what a camera did not see.

Questions are those of contract §2 for Galapa Go. Nothing here knows a rule: what a changed
question means is asked of `judge`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Json = dict[str, Any]
Owner = tuple[str, str]
"""A player and a card."""

_STANDS = frozenset({"correct", "wrong"})
_SAME_S = 0.1
"""A player puts no Camera on one card twice within this time."""


class SeenClaim(NamedTuple):
    """A claim as it was seen."""

    player: str
    card: str
    t: float


@dataclass(frozen=True, slots=True)
class Amendment:
    """What people say about one round.

    Attributes:
        tasks: Its Tasks in truth, or None where they were read rightly.
        claims: By a claim as it was seen, what it was in truth; None for no claim at all.
        kept: Claims that were not taken back, although it was seen so.
        renamed: Cards by the name under which they were seen.
        actions: What nobody could see, in contract §2's words.
    """

    tasks: tuple[str, ...] | None = None
    claims: Mapping[SeenClaim, Json | None] = field(default_factory=dict)
    kept: frozenset[Owner] = frozenset()
    renamed: Mapping[str, str] = field(default_factory=dict)
    actions: Sequence[Json] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nobody said anything."""
        return self == Amendment()


@dataclass(frozen=True, slots=True)
class Carried:
    """What one round hands on to the next.

    Attributes:
        won: Each player's cards.
        box: Cards out of the game.
        lead: Who leads.
    """

    won: Mapping[str, tuple[str, ...]]
    box: tuple[str, ...]
    lead: str

    @classmethod
    def from_ruling(cls, ruling: Json) -> Carried:
        """Returns what a ruling hands on."""
        won = {player: tuple(cards) for player, cards in ruling["won"].items()}
        return cls(won, tuple(ruling["box"]), ruling["lead"])


def amend(question: Json, amendment: Amendment, carried: Carried | None) -> Json:
    """Returns a question as people know it better.

    Args:
        question: As it was seen.
        amendment: What people say about this round.
        carried: What the round before hands on, where that is not what was seen; None otherwise.
    """
    amended = {**question, "actions": _actions(question["actions"], amendment)}
    if amendment.tasks is not None:
        amended["tasks"] = list(amendment.tasks)
    if amendment.renamed:
        amended["layout"] = [amendment.renamed.get(card, card) for card in question["layout"]]
    if carried is not None:
        amended |= _hand_on(amended, carried)
    for action in amendment.actions:
        if action["do"] == "lead":
            amended["lead"] = action["player"]
    return amended


def given_up(question: Json, ruling: Json, t: float) -> Json:
    """Returns a question whose round the players left although the rules had not ended it.

    Whoever had no Camera lying gave up when the table went on; where nobody had one, all agreed
    that nothing fits.

    Args:
        question: As it holds.
        ruling: What `judge` answers to it.
        t: When the table went on.
    """
    standing = {each["player"] for each in ruling["claims"] if each["verdict"] in _STANDS}
    word = "pass" if any(each["do"] == "cover" for each in question["actions"]) else "no-match"
    end_s = max([t, *(float(each["t"]) for each in question["actions"])])
    said = [
        {"t": end_s, "player": player, "do": word}
        for player in question["players"]
        if player not in standing
    ]
    return {**question, "actions": [*question["actions"], *said]}


def _actions(seen: Iterable[Json], amendment: Amendment) -> list[Json]:
    actions: list[Json] = []
    standing: dict[str, Json | None] = {}
    cards: dict[str, Owner] = {}
    for action in seen:
        player = action["player"]
        if action["do"] == "cover":
            cards[player] = (player, action["card"])
            standing[player] = truth = _truth_of(action, amendment)
            if truth is not None:
                actions.append(truth)
        elif action["do"] != "withdraw":
            actions.append(action)
        elif (cover := standing.get(player)) and cards[player] not in amendment.kept:
            actions.append({**action, "player": cover["player"]})
    told = [action for action in amendment.actions if action["do"] != "lead"]
    return sorted([*actions, *told], key=lambda action: float(action["t"]))


def _truth_of(cover: Json, amendment: Amendment) -> Json | None:
    """Returns a claim as people know it better; None for none."""
    truth: Json = {}
    for claim, told in amendment.claims.items():
        is_same = (claim.player, claim.card) == (cover["player"], cover["card"])
        if is_same and abs(claim.t - cover["t"]) < _SAME_S:
            if told is None:
                return None
            truth = told
    return _renamed({**cover, **truth}, amendment)


def _renamed(action: Json, amendment: Amendment) -> Json:
    return {**action, "card": amendment.renamed.get(action["card"], action["card"])}


def _hand_on(question: Json, carried: Carried) -> Json:
    """Returns the keys of a question that the round before decides.

    A card that nobody owns any more lies on the table again, one that somebody owns now does not.
    """
    before = {card for cards in question["won"].values() for card in cards} | set(question["box"])
    owned = {card for cards in carried.won.values() for card in cards} | set(carried.box)
    layout = [card for card in question["layout"] if card not in owned]
    layout += sorted(before - owned - set(layout))
    return {
        "won": {player: list(cards) for player, cards in carried.won.items()},
        "box": list(carried.box),
        "lead": carried.lead,
        "layout": layout,
    }
