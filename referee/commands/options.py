"""What people may type: every argument and option that commands share, with its help.

And what they type after `--players`, `--lead`, `--variant` and `--ruling`, checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.commands.console import CommandError
from referee.errors import FormatError
from referee.fields import listed
from referee.games.galapa_go.model import COLOURS
from referee.games.galapa_go.model import Variant as GalapaGoVariant
from referee.rulings import read_rulings

if TYPE_CHECKING:
    from referee.watch_orders import WatchSettings


def _flag(*names: str, help: str) -> Any:
    """Returns an option that stands alone: the help shows no kind of value after it."""
    return typer.Option(*names, metavar=" ", help=help)


Version = Annotated[bool, _flag("--version", help="Tell the version and end.")]

# ---- what is looked at --------------------------------------------------------------------------

Picture = Annotated[Path, typer.Argument(metavar="IMAGE", help="A photograph of the table.")]
Video = Annotated[Path, typer.Argument(metavar="VIDEO", help="A recording of the table.")]
Question = Annotated[
    Path, typer.Argument(metavar="POSITION.json", help="The question, or - for standard input.")
]
AnySource = Annotated[
    str,
    typer.Option(
        "--camera",
        metavar="NAME|INDEX|URL|FILE",
        help="A camera by its name or index (`doctor` lists them), the address of a stream "
        "(rtsp://, http://), or a video file.",
    ),
]
OneCamera = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|INDEX|URL", help="One camera. Without it: every one is listed and opened."
    ),
]
PictureInstead = Annotated[
    Path | None, typer.Option(metavar="IMAGE", help="A photograph of the table instead.")
]
VideoInstead = Annotated[
    Path | None, typer.Option(metavar="VIDEO", help="A recording of the table instead.")
]
Realtime = Annotated[
    bool, _flag("--realtime", help="A video file stands in for a camera, at its own pace.")
]
Weights = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Another detector than the one that comes with the program: .onnx, or .pt where "
        "ultralytics is installed.",
    ),
]

# ---- what is played, and by whom ----------------------------------------------------------------

Pack = Annotated[
    Path,
    typer.Option("--deck", metavar="PACK", help="Deck pack that is played with: folder or .zip."),
]
PackArgument = Annotated[Path, typer.Argument(metavar="PACK", help="Deck pack: folder or .zip.")]
PackOfQuestion = Annotated[
    Path | None,
    typer.Option(
        "--deck", metavar="PACK", help="Deck pack, where the question brings no cards itself."
    ),
]
Players = Annotated[
    str | None,
    typer.Option(
        metavar="red,blue",
        help="Who plays, clockwise from above. Without it: those whose Camera cards are seen.",
    ),
]
Lead = Annotated[str | None, typer.Option(metavar="red", help="Who turned the first Task card.")]
Variant = Annotated[
    str, typer.Option(metavar="normal|complex", help="One Task at a time, or two (complex).")
]
Ruling = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="A house ruling other than the default, such as late_claims=judged; repeatable.",
    ),
]

# ---- what people say beside a photograph --------------------------------------------------------

Final = Annotated[
    bool,
    _flag("--final", help="Panda, Gorilla & Co: the game is over, every area with chips scores."),
]
Seats = Annotated[
    str | None,
    typer.Option(
        metavar="ann@bottom,bob@left",
        help="Exploring Galapagos: who sits at which side of the picture, each as name@side. The "
        "sides are bottom, left, top-left, top, top-right and right. Without it players are named "
        "by their side.",
    ),
]
Used = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ann:time+zone",
        help="Exploring Galapagos: which of time, color and zone a player used in earlier rounds; "
        "the name is that of --seats, else the side; repeatable.",
    ),
]
Corners = Annotated[
    tuple[str, str, str, str] | None,
    typer.Option(
        metavar="X,Y X,Y X,Y X,Y",
        help="Panda, Gorilla & Co: where the outer corners of the spaces are in the picture, in "
        "pixels, clockwise from the north-west, for a board that is not found by its border.",
    ),
]

# ---- what comes out -----------------------------------------------------------------------------

AsJson = Annotated[
    bool, _flag("--json", help="Print JSON for programs instead of a table for people.")
]
Lines = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE.jsonl", help="Write every event as a JSON line."),
]
Film = Annotated[
    Path | None,
    typer.Option(
        "--video", metavar="OUT.mp4", help="Write the recording with the rulings drawn on it."
    ),
]
Marked = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="PICTURE", help="Write the picture with what was seen drawn on it."
    ),
]
Pdf = Annotated[Path, typer.Argument(metavar="OUT.pdf", help="The PDF to write.")]
Page = Annotated[str, typer.Option(metavar="A4|Letter", help="Size of the paper.")]

# ---- where the service listens, and what it keeps -----------------------------------------------

Host = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS", help="Where to listen; others than this machine are asked for a token."
    ),
]
Port = Annotated[
    int,
    typer.Option(min=0, max=65535, metavar="PORT", help="Port to listen on; 0 takes a free one."),
]
DataFolder = Annotated[
    Path, typer.Option(metavar="FOLDER", help="For matches, decks, recordings and evidence.")
]
Database = Annotated[
    str | None,
    typer.Option(metavar="URL", help="A PostgreSQL database in place of a file in the folder."),
]
Recordings = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="A folder from which recordings may be watched."),
]


# ---- what was typed, checked --------------------------------------------------------------------

_GAME = "galapa-go"
"""The one game that can be watched; the values of its rulings are all words."""


def parse_table(
    players: str | None, lead: str | None, variant: str, rulings: Sequence[str] | None
) -> WatchSettings:
    """Returns what people say of a table that is watched.

    Raises:
        CommandError: If any of it is not as it should be.
    """
    seats = parse_players(players)
    told = (seats, parse_lead(lead, seats), parse_variant(variant), parse_rulings(rulings or ()))

    from referee.watch_orders import WatchSettings  # noqa: PLC0415  loads numpy: after the checks

    return WatchSettings(*told)


def parse_players(text: str | None) -> tuple[str, ...] | None:
    """Returns the players of `red,blue`, or None where nothing was given.

    >>> parse_players("red, blue")
    ('red', 'blue')

    Raises:
        CommandError: If one is no colour of a player, or is named twice.
    """
    if text is None:
        return None
    players = tuple(player.strip() for player in text.split(","))
    for player in players:
        _expect_colour(player, "--players")
    if len(set(players)) < len(players):
        raise CommandError(f"--players: expected every colour once, got {text!r}")
    if len(players) < 2:
        raise CommandError(
            f"--players: expected at least two colours, such as red,blue, got {text!r}"
        )
    return players


def parse_lead(text: str | None, players: tuple[str, ...] | None) -> str | None:
    """Returns the player who leads the first round, or None where nothing was given.

    Raises:
        CommandError: If it is none of the players.
    """
    if text is None:
        return None
    _expect_colour(text, "--lead")
    if players is not None and text not in players:
        raise CommandError(f"--lead: expected one of the players {listed(players)}, got {text!r}")
    return text


def parse_variant(text: str) -> str:
    """Returns the name of the variant.

    Raises:
        CommandError: If there is no such variant.
    """
    names = [variant.value for variant in GalapaGoVariant]
    if text not in names:
        raise CommandError(f"--variant: expected {listed(names)}, got {text!r}")
    return text


def parse_rulings(texts: Sequence[str]) -> dict[str, str]:
    """Returns the house rulings of a table: the defaults, and what `name=value` says otherwise.

    Raises:
        CommandError: If one is not of that form, or the name or the value is unknown.
    """
    chosen: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise CommandError(f"--ruling: expected name=value, got {text!r}")
        chosen[name.strip()] = value.strip()
    try:
        return {name: str(value) for name, value in read_rulings(_GAME, chosen, "--ruling").items()}
    except FormatError as error:
        raise CommandError(str(error)) from error


def _expect_colour(text: str, option: str) -> None:
    if text not in COLOURS:
        raise CommandError(f"{option}: expected {listed(COLOURS)}, got {text!r}")
