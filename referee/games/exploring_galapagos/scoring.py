"""What a round comes to: method, choice, impact and points of each player; who won in the end.

`rule_round` is the one function that `judge`, the rules and a table being watched all ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.errors import counted
from referee.games.exploring_galapagos.model import (
    CHOICES,
    HabitatCard,
    Method,
    PlayerCards,
    PlayerRuling,
    Record,
    RoundPosition,
)


def rule_round(position: RoundPosition) -> tuple[PlayerRuling, ...]:
    """Returns what the rules say about each player's round, in the order of the players."""
    return tuple([_rule_player(player, position) for player in position.players])


def determine_method(player: PlayerCards, shared: Sequence[HabitatCard]) -> Method | None:
    """Returns how a player scores (Determining the Scoring Method).

    That of the locked-in card, or else the one seen most often in the shared hand; None where the
    shared hand shows all three (E6). Whether the player has used it before is not asked here.
    """
    if player.locked is not None:
        return player.locked.method
    methods = [card.method for card in shared]
    return next((method for method in methods if methods.count(method) > 1), None)


def count_animals(method: Method, cards: Iterable[HabitatCard]) -> dict[str, int]:
    """Returns by choice the animals on the cards, in the rulebook's order (Score Calculation)."""
    counts = dict.fromkeys(CHOICES[method], 0)
    if method is Method.TIME:  # an animal's own time, or else its card's (E1)
        for card in cards:
            for animal in card.animals:
                counts[animal.time] += 1
    elif method is Method.COLOR:
        for card in cards:
            for animal in card.animals:
                counts[animal.color] += 1
    else:
        for card in cards:
            for animal in card.animals:
                counts[animal.zone] += 1
    return counts


def impact_points(own: int, shared: int) -> int:
    """Returns the points for a player's own icons (Ecological Impact).

    They are added where own and shared icons together are an odd number, else subtracted (E12).

    >>> impact_points(own=2, shared=1), impact_points(own=2, shared=2), impact_points(0, 0)
    (2, -2, 0)
    """
    return own if (own + shared) % 2 else -own


def totals(players: Sequence[str], records: Sequence[Mapping[str, Record]]) -> dict[str, int]:
    """Returns each player's points over the rounds (Winning the Game; E20).

    >>> totals(["ann", "bob"], [{"ann": Record(Method.TIME, 7), "bob": Record(None, 0)}])
    {'ann': 7, 'bob': 0}
    """
    return {player: sum(record[player].score for record in records) for player in players}


def winners(scores: Mapping[str, int]) -> tuple[str, ...]:
    """Returns who has most points; tied players share the victory (E20).

    >>> winners({"ann": 12, "bob": 9, "cat": 12})
    ('ann', 'cat')
    """
    most = max(scores.values())
    return tuple(player for player, score in scores.items() if score == most)


def hand_size(players: int) -> int:
    """Returns how many cards each of so many players owns, the locked-in one among them (Setup).

    It never changes in a round: who adds a card to the draft takes one.

    >>> [hand_size(players) for players in (2, 3, 4, 5)]
    [4, 4, 3, 3]
    """
    return 4 if players <= 3 else 3


def _rule_player(player: PlayerCards, position: RoundPosition) -> PlayerRuling:
    own, shared = player.own, position.shared
    own_impact = sum([card.impact for card in own])
    shared_impact = sum([card.impact for card in shared])
    method = determine_method(player, shared)
    choice, base, impact = None, 0, impact_points(own_impact, shared_impact)
    if method is None:
        reason = "the shared hand shows all three methods"
    elif method in player.used:  # E7; that it is recorded anyway is E8
        reason = f"{method} was used in an earlier round"
    else:
        counts = count_animals(method, (*own, *shared))
        choice = max(counts, key=counts.__getitem__)  # the first of equal ones (E5)
        base = counts[choice]
        how = "locked in" if player.locked is not None else "most often in the shared hand"
        reason = f"{method} {how}: {counted(base, f'{choice} animal')}"
    if choice is None and not position.rulings.impact_on_zero:  # E10
        impact = 0
    else:
        reason += _impact_words(own_impact, shared_impact)
    score = base + impact
    if score < 0:  # E11
        score, reason = 0, f"{reason}; not below 0"
    return PlayerRuling(
        player.name, method, choice, base, own_impact, shared_impact, impact, score, reason
    )


def _impact_words(own: int, shared: int) -> str:
    """Returns why the icons count as they do.

    >>> _impact_words(2, 2), _impact_words(1, 0)
    ('; 4 impact icons, even: minus 2 own', '; 1 impact icon, odd: plus 1 own')
    """
    if not own:
        return "; no impact icon on own cards"
    parity, sign = ("odd", "plus") if (own + shared) % 2 else ("even", "minus")
    return f"; {counted(own + shared, 'impact icon')}, {parity}: {sign} {own} own"
