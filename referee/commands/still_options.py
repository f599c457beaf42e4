"""What people say beside a photograph, checked: `--final`, `--seats`, `--used` and `--corners`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from referee import seatings
from referee.adapter.exploring_sides import SIDES
from referee.commands.console import CommandError
from referee.errors import FormatError
from vision.table import Point, Quad

if TYPE_CHECKING:
    from referee.still_orders import StillOptions

_OWNERS = {
    "--seats": "exploring-galapagos",
    "--used": "exploring-galapagos",
    "--corners": "panda-gorilla",
}
"""The game in which an option means something; `--final` may be said of every photograph."""

_CORNERS = 4
_FARTHEST_PX = 1e5
"""No corner of a board that can be seen lies as far as this from the picture's own corner."""


@dataclass(frozen=True, slots=True)
class SaidOfStill:
    """What was typed, as it was typed.

    Attributes:
        is_final: Whether the game is over.
        seats: Such as `ann@bottom,bob@left`.
        used: Each as `ann:time+zone`.
        corners: Each as `x,y`.
    """

    is_final: bool = False
    seats: str | None = None
    used: Sequence[str] = ()
    corners: Sequence[str] = ()


def read_still(game: str, said: SaidOfStill) -> StillOptions:
    """Returns what people say beside a photograph of a table on which a game is played.

    Raises:
        CommandError: If any of it belongs to another game, is not as it should be, or is said of
            a player who is not there.
    """
    told = {
        "--seats": said.seats is not None,
        "--used": said.used,
        "--corners": said.corners,
    }
    expect_of_game(told, game)
    players, methods = parse_seats(said.seats), parse_used(said.used)
    expect_players(methods, tuple(players) or tuple(SIDES))
    corners_px = parse_corners(said.corners)

    from referee.still_orders import StillOptions  # noqa: PLC0415  loads numpy: after the checks

    return StillOptions(said.is_final, players, methods, corners_px)


def expect_of_game(told: Mapping[str, object], game: str) -> None:
    """Refuses options that belong to another game; `told` has what was said, by option.

    Raises:
        CommandError: If something was said that means nothing in this game.
    """
    for option, said in told.items():
        if said and _OWNERS[option] != game:
            raise CommandError(f"{option}: expected a deck of {_OWNERS[option]}, got one of {game}")


def expect_players(used: Mapping[str, Sequence[str]], players: Sequence[str]) -> None:
    """Refuses methods of nobody who plays.

    Raises:
        CommandError: If one is of nobody who plays.
    """
    with of_option("--used"):
        seatings.check_users(used, {}, players)


def parse_seats(text: str | None) -> dict[str, str]:
    """Returns the side of each player of `ann@bottom,bob@left`; none where nothing was given.

    Raises:
        CommandError: If one is not of that form, or a name, a side or a player is too much.
    """
    with of_option("--seats"):
        return {} if text is None else seatings.parse_seats(text)


def parse_used(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Returns the methods of each player of `ann:time+zone`; several may be parted by commas.

    Raises:
        CommandError: If one is not of that form, names a player twice or an unknown method.
    """
    with of_option("--used"):
        return seatings.parse_used(texts)


@contextmanager
def of_option(option: str) -> Iterator[None]:
    """Tells what is wrong with a value of the option that was typed."""
    try:
        yield
    except FormatError as error:
        raise CommandError(f"{option}: expected {error.expected}, got {error.got}") from error


def parse_corners(texts: Sequence[str]) -> Quad | None:
    """Returns the four corners of `x,y` each, or None where none was given.

    Raises:
        CommandError: If they are not four pairs of numbers, clockwise around some area.
    """
    if not texts:
        return None
    corners = [_parse_corner(text) for text in texts]
    if len(corners) != _CORNERS:
        raise CommandError(f"--corners: expected four corners, each as x,y, got {len(corners)}")
    first, second, third, fourth = corners
    turns = zip(
        (fourth, first, second, third), corners, (second, third, fourth, first), strict=True
    )
    if not all(_is_right_turn(*turn) for turn in turns):
        raise CommandError(
            "--corners: expected the outer corners of the spaces clockwise from the north-west, "
            f"got {' '.join(texts)}"
        )
    return first, second, third, fourth


def _parse_corner(text: str) -> Point:
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise CommandError(f"--corners: expected x,y in pixels, got {text!r}") from None
    if not all(isfinite(value) and abs(value) <= _FARTHEST_PX for value in (x, y)):
        raise CommandError(f"--corners: expected x,y in pixels, got {text!r}")
    return x, y


def _is_right_turn(before: Point, here: Point, after: Point) -> bool:
    """Whether the way through three points turns clockwise, as a picture shows it."""
    (x0, y0), (x1, y1), (x2, y2) = before, here, after
    return (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1) > 0
