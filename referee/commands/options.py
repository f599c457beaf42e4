"""What people may type: every argument and option that commands share, with its help."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.commands.console import CommandError

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
"""How an address begins; a single letter is a drive."""


def _file(text: str) -> Path:
    """Returns the file of a name; a path would make `http:/` of an address.

    Raises:
        CommandError: If it is the address of something elsewhere.
    """
    if _ADDRESS.match(text):
        raise CommandError(f"{text}: expected a file on this machine, got an address")
    return Path(text)


def _flag(*names: str, help: str) -> Any:
    """Returns an option that stands alone: the help shows no kind of value after it."""
    return typer.Option(*names, metavar=" ", help=help)


Version = Annotated[bool, _flag("--version", help="Tell the version and end.")]

# ---- what is looked at --------------------------------------------------------------------------

Picture = Annotated[
    Path, typer.Argument(parser=_file, metavar="IMAGE", help="A photograph of the table.")
]
Video = Annotated[
    Path, typer.Argument(parser=_file, metavar="VIDEO", help="A recording of the table.")
]
Question = Annotated[
    Path,
    typer.Argument(
        parser=_file, metavar="POSITION.json", help="The question, or - for standard input."
    ),
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
    Path | None,
    typer.Option(parser=_file, metavar="IMAGE", help="A photograph of the table instead."),
]
VideoInstead = Annotated[
    Path | None,
    typer.Option(parser=_file, metavar="VIDEO", help="A recording of the table instead."),
]
Realtime = Annotated[
    bool, _flag("--realtime", help="A video file stands in for a camera, at its own pace.")
]
Weights = Annotated[
    Path | None,
    typer.Option(
        parser=_file,
        metavar="FILE",
        help="Another detector than the one that comes with the program: .onnx, or .pt where "
        "ultralytics is installed.",
    ),
]

# ---- what is played, and by whom ----------------------------------------------------------------

Pack = Annotated[
    Path,
    typer.Option(
        "--deck",
        parser=_file,
        metavar="PACK",
        help="Deck pack that is played with: folder or .zip.",
    ),
]
PackArgument = Annotated[
    Path, typer.Argument(parser=_file, metavar="PACK", help="Deck pack: folder or .zip.")
]
PackOfQuestion = Annotated[
    Path | None,
    typer.Option(
        "--deck",
        parser=_file,
        metavar="PACK",
        help="Deck pack, where the question brings no cards itself.",
    ),
]
Players = Annotated[
    str | None,
    typer.Option(
        metavar="red,blue",
        help="Who plays, clockwise from above: colours, or names from the side of the camera on "
        "(Exploring Galapagos). Without it: those who are seen.",
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

# ---- what cannot be seen on the table --------------------------------------------------------

Final = Annotated[
    bool,
    _flag("--final", help="The game is over: in Panda, Gorilla & Co every area with chips scores."),
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
    typer.Option(
        "--out", parser=_file, metavar="FILE.jsonl", help="Write every event as a JSON line."
    ),
]
Film = Annotated[
    Path | None,
    typer.Option(
        "--video",
        parser=_file,
        metavar="OUT.mp4",
        help="Write the recording with the rulings drawn on it.",
    ),
]
Marked = Annotated[
    Path | None,
    typer.Option(
        "--out",
        parser=_file,
        metavar="PICTURE",
        help="Write the picture with what was seen drawn on it.",
    ),
]
Pdf = Annotated[Path, typer.Argument(parser=_file, metavar="OUT.pdf", help="The PDF to write.")]
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
