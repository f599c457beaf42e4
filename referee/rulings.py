"""The named house rulings: where a rulebook is silent, the table chooses (contract, fine print)."""

from __future__ import annotations

from collections.abc import Mapping

from referee.errors import FormatError, shown
from referee.fields import at, listed, read_object
from referee.text_lines import format_value

Value = str | bool

RULINGS: Mapping[str, Mapping[str, tuple[Value, ...]]] = {
    "galapa-go": {
        "late_claims": ("void", "judged"),
        "most_least_counts": ("animals", "cards"),
        "most_least_wrong": ("penalty", "none"),
    },
    "exploring-galapagos": {
        "impact_on_zero": (False, True),
    },
    "panda-gorilla": {
        "path_into_wall": (True, False),
        "pond_adjacency": (False, True),
        "supply": ("limited", "unlimited"),
        "same_player_twice": ("once", "each"),
    },
}
"""By game and name the values that a ruling may have, the default first."""


def default_rulings(game: str) -> dict[str, Value]:
    """Returns the house's own ruling on every point of a game.

    >>> default_rulings("exploring-galapagos")
    {'impact_on_zero': False}
    """
    return {name: values[0] for name, values in RULINGS[game].items()}


def read_rulings(game: str, value: object, place: str) -> dict[str, Value]:
    """Returns the rulings of a table: the defaults, and what the input says otherwise.

    Raises:
        FormatError: if the input names an unknown ruling or an unknown value.
    """
    known = RULINGS[game]
    rulings = default_rulings(game)
    for name, choice in read_object(value, place, frozenset(), known.keys()).items():
        if not any(choice == allowed and type(choice) is type(allowed) for allowed in known[name]):
            words = [format_value(allowed) for allowed in known[name]]
            raise FormatError(at(place, name), listed(words), shown(choice))
        rulings[name] = choice
    return rulings
