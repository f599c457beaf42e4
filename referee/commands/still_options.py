"""What people type after `--seats` and `--used`, checked."""

from __future__ import annotations

from collections.abc import Sequence

from referee.adapter.exploring_sides import SIDES
from referee.commands.console import CommandError
from referee.fields import listed
from referee.games.exploring_galapagos.model import MAX_PLAYERS, Method

_METHODS = tuple(method.value for method in Method)


def parse_seats(text: str | None) -> dict[str, str]:
    """Returns the side of each player of `ann@bottom,bob@left`; none where nothing was given.

    >>> parse_seats("ann@bottom, bob@top-left")
    {'ann': 'bottom', 'bob': 'top-left'}

    Raises:
        CommandError: If one is not of that form, or a name, a side or a player is too much.
    """
    seats: dict[str, str] = {}
    for part in [] if text is None else text.split(","):
        name, sign, side = (word.strip() for word in part.partition("@"))
        if not sign or not name:
            raise CommandError(f"--seats: expected name@side, such as ann@bottom, got {part!r}")
        if side not in SIDES:
            raise CommandError(f"--seats: expected {listed(SIDES)} after {name}@, got {side!r}")
        if name in seats or side in seats.values():
            raise CommandError(f"--seats: expected every name and side once, got {text!r}")
        seats[name] = side
    if len(seats) > MAX_PLAYERS:
        raise CommandError(f"--seats: expected at most {MAX_PLAYERS} players, got {len(seats)}")
    return seats


def parse_used(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Returns the methods of each player of `ann:time+zone`; several may be parted by commas.

    >>> parse_used(["ann:time+zone,bob:color"])
    {'ann': ('time', 'zone'), 'bob': ('color',)}

    Raises:
        CommandError: If one is not of that form, names a player twice or an unknown method.
    """
    used: dict[str, tuple[str, ...]] = {}
    for part in (part for text in texts for part in text.split(",")):
        name, sign, words = (word.strip() for word in part.partition(":"))
        if not sign or not name:
            raise CommandError(
                f"--used: expected name:methods, such as ann:time+zone, got {part!r}"
            )
        if name in used:
            raise CommandError(f"--used: expected every name once, got {name} again")
        methods = tuple(word.strip() for word in words.split("+"))
        for method in methods:
            if method not in _METHODS:
                raise CommandError(
                    f"--used: expected {listed(_METHODS)} after {name}:, got {method!r}"
                )
        used[name] = methods
    return used
