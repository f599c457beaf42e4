"""Who sits where at a table of Exploring Galapagos, and what they used before, checked.

So is whether the game of a photograph is over, which only Panda, Gorilla & Co asks for.

People type it, `ann@bottom,bob@left` and `ann:time+zone`, or programs send it by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.adapter.exploring_sides import SIDES
from referee.errors import FormatError, shown
from referee.fields import listed
from referee.games.exploring_galapagos.model import MAX_PLAYERS, Method
from referee.seated import NAMED

_METHODS = tuple(method.value for method in Method)


def parse_seats(text: str) -> dict[str, str]:
    """Returns the side of each player, as they are typed.

    >>> parse_seats("ann@bottom, bob@top-left")
    {'ann': 'bottom', 'bob': 'top-left'}

    Raises:
        FormatError: If one is not of that form, or a name, a side or a player is too much.
    """
    seats: dict[str, str] = {}
    for part in text.split(","):
        name, sign, side = (word.strip() for word in part.partition("@"))
        if not sign or not name:
            raise FormatError("seats", "name@side, such as ann@bottom", shown(part))
        if name in seats:
            raise FormatError("seats", "every name and side once", shown(text))
        seats[name] = side
    check_seats(seats)
    return seats


def check_seats(seats: Mapping[str, str], players: Sequence[str] | None = None) -> None:
    """Checks the side of each player; players are None where nobody has named them.

    Raises:
        FormatError: If there is no such side, a side is taken twice, or they are not the players.
    """
    for name, side in seats.items():
        if side not in SIDES:
            raise FormatError("seats", f"{listed(SIDES)} for {name}", shown(side))
    if len({*seats.values()}) < len(seats):
        raise FormatError("seats", "every name and side once", shown(tuple(seats.values())))
    if len(seats) > MAX_PLAYERS:
        raise FormatError("seats", f"at most {MAX_PLAYERS} players", str(len(seats)))
    if players is not None and seats and {*players} != seats.keys():
        expected = f"the side of each of the players {listed(players, 'and')}"
        raise FormatError("seats", expected, shown(tuple(seats)))


def parse_used(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Returns the methods of each player, as they are typed; several may be parted by commas.

    >>> parse_used(["ann:time+zone,bob:color"])
    {'ann': ('time', 'zone'), 'bob': ('color',)}

    Raises:
        FormatError: If one is not of that form, names a player twice or an unknown method.
    """
    used: dict[str, tuple[str, ...]] = {}
    for part in (part for text in texts for part in text.split(",")):
        name, sign, words = (word.strip() for word in part.partition(":"))
        if not sign or not name:
            raise FormatError("used", "name:methods, such as ann:time+zone", shown(part))
        if name in used:
            raise FormatError("used", "every name once", f"{name} again")
        used[name] = tuple(word.strip() for word in words.split("+"))
    check_methods(used)
    return used


def check_methods(used: Mapping[str, Sequence[str]]) -> None:
    """Checks the methods that players have used before.

    Raises:
        FormatError: If there is no such method, or a player has one twice.
    """
    for name, methods in used.items():
        for method in methods:
            if method not in _METHODS:
                raise FormatError("used", f"{listed(_METHODS)} for {name}", shown(method))
        if len(set(methods)) < len(methods):
            raise FormatError("used", f"every method once for {name}", shown(tuple(methods)))


def check_users(
    used: Mapping[str, Sequence[str]], seats: Mapping[str, str], players: Sequence[str] | None
) -> None:
    """Checks that methods are those of somebody who plays: by name, or else by side.

    Raises:
        FormatError: If one is of nobody who plays.
    """
    known = players or tuple(seats) or tuple(SIDES)
    for name in used:
        if name not in known:
            raise FormatError("used", f"one of the players {listed(known)}", name)


def check_seating(
    game: str,
    players: Sequence[str] | None,
    seats: Mapping[str, str],
    used: Mapping[str, Sequence[str]],
) -> None:
    """Checks all that is told of the places at a table on which a game is played.

    Raises:
        FormatError: If any of it cannot be, or means nothing in that game.
    """
    for place, told in (("seats", seats), ("used", used)):
        if told and game != NAMED:
            raise FormatError(place, f"a deck of {NAMED}", f"one of {game}")
    check_seats(seats, players)
    check_methods(used)
    check_users(used, seats, players)
