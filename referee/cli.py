"""The command line: what people type, and what the help tells them. The work is in `commands`.

Each command loads what it needs when it is called, so that `--help` and `judge` start at once.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from referee.commands import options
from referee.commands.console import settle_streams, tell_version
from referee.commands.group import RefereeGroup
from referee.commands.outputs import expect_apart, expect_film

# Before numpy is loaded: its matrices are small here, and threads would wait for each other longer
# than they compute.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# What cannot be read is told in one sentence; OpenCV would add its own.
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")

app = typer.Typer(
    name="table-referee",
    cls=RefereeGroup,
    help=(
        "Watches a table where a card game is played, and rules on it: what lies there, who was "
        "first, which claims are correct.\n\nStart with `table-referee demo`."
    ),
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
deck_app = typer.Typer(
    cls=RefereeGroup,
    help="Deck packs: a folder (or .zip) with deck.yaml and one picture a face.",
    no_args_is_help=True,
)
app.add_typer(deck_app, name="deck")


@app.callback(invoke_without_command=True)
def about(version: options.Version = False) -> None:
    """Every command is a function below; only `--version` is asked of the program itself."""
    if version:
        tell_version()
        raise typer.Exit


@app.command()
def demo(
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder for the annotated video and the JSONL.")
    ] = Path("out"),
    serve: Annotated[
        bool | None,
        typer.Option(
            "--serve/--no-serve",
            help="Go on with the page, the sample as a live table. Without either: on a terminal.",
        ),
    ] = None,
) -> None:
    """Watch the sample recording that comes with the program: a minute from nothing to rulings.

    Then the page opens on the same table, live; Ctrl-C ends it.
    """
    from referee.commands.demo import demonstrate

    demonstrate(out, serve)


@app.command()
def replay(
    video: options.Video,
    deck: options.Pack,
    players: options.Players = None,
    lead: options.Lead = None,
    variant: options.Variant = "normal",
    ruling: options.Ruling = None,
    seats: options.Seats = None,
    used: options.Used = None,
    out: options.Lines = None,
    video_out: options.Film = None,
    weights: options.Weights = None,
    as_json: options.AsJson = False,
) -> None:
    """Watch a recording of a game and rule on it: who was first, who was right, what it scores."""
    from referee.commands.table_options import Said, read_said
    from referee.decks import load_deck

    pack = load_deck(deck)
    said = Said(players, lead, variant, ruling or (), seats, used or ())
    told = read_said(pack.game, said)
    expect_apart([out, video_out], [video, deck, weights])
    expect_film(video_out)

    from referee.commands.replay import ReplayOrder
    from referee.commands.replay import replay as run

    run(ReplayOrder(video, pack, told, weights, out, video_out, as_json))


@app.command()
def watch(
    camera: options.AnySource,
    deck: options.Pack,
    realtime: options.Realtime = False,
    players: options.Players = None,
    lead: options.Lead = None,
    variant: options.Variant = "normal",
    ruling: options.Ruling = None,
    seats: options.Seats = None,
    used: options.Used = None,
    out: options.Lines = None,
    weights: options.Weights = None,
    as_json: options.AsJson = False,
) -> None:
    """Watch a table while it is played and tell every ruling as it falls; Ctrl-C ends it."""
    from referee.commands.table_options import Said, read_said
    from referee.decks import load_deck

    pack = load_deck(deck)
    said = Said(players, lead, variant, ruling or (), seats, used or ())
    told = read_said(pack.game, said)
    expect_apart([out], [Path(camera), deck, weights])

    from referee.commands.watch import WatchOrder, watch_table

    watch_table(WatchOrder(camera, pack, told, realtime, weights, out, as_json))


@app.command()
def doctor(
    camera: options.OneCamera = None,
    picture: options.PictureInstead = None,
    video: options.VideoInstead = None,
    out: options.Marked = None,
    weights: options.Weights = None,
    as_json: options.AsJson = False,
) -> None:
    """List cameras and coach the setup: view, size, sharpness, light, glare, frame rate.

    Ends with status 1 where something is bad.
    """
    expect_apart([out], [picture, video, weights])

    from referee.commands.doctor import DoctorOrder, examine

    examine(DoctorOrder(camera, picture, video, out, weights, as_json))


@app.command()
def score(
    image: options.Picture,
    deck: options.Pack,
    final: options.Final = False,
    seats: options.Seats = None,
    used: options.Used = None,
    corners: options.Corners = None,
    out: options.Marked = None,
    weights: options.Weights = None,
    as_json: options.AsJson = False,
) -> None:
    """Read a photograph of a table at rest: name every card, and rule on what lies there.

    With names for Exploring Galapagos: --seats ann@bottom,bob@top-left --used ann:time+zone.
    """
    from referee.commands.pictures import score as run
    from referee.commands.still_options import SaidOfStill

    said = SaidOfStill(final, seats, used or (), corners or ())
    run(image, deck, weights=weights, said=said, as_json=as_json, out=out)


@app.command()
def detect(
    image: options.Picture,
    out: options.Marked = None,
    weights: options.Weights = None,
    as_json: options.AsJson = False,
) -> None:
    """Find cards, backs and hands in a photograph, of whatever deck, without naming them."""
    from referee.commands.pictures import detect as run

    run(image, weights=weights, as_json=as_json, out=out)


@app.command()
def judge(position: options.Question, deck: options.PackOfQuestion = None) -> None:
    """Put one question to the rules: a position in, the ruling out, as one JSON object each."""
    from referee.commands.judging import answer_position

    answer_position(position, deck)


@app.command()
def play(
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help="galapa-go, exploring-galapagos or panda-gorilla."),
    ],
    players: Annotated[
        str | None,
        typer.Option(metavar="red,blue", help="Who plays, clockwise. Without it: red and blue."),
    ] = None,
    lead: Annotated[
        str | None, typer.Option(metavar="red", help="Who begins. Without it: the first player.")
    ] = None,
    variant: Annotated[
        str | None, typer.Option(metavar="normal|complex", help="The variant of the game.")
    ] = None,
    ruling: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE", help="A house ruling other than the default; repeatable."
        ),
    ] = None,
    deck: Annotated[
        Path | None,
        typer.Option(metavar="PACK", help="Deck pack. Without it: ours, where there is one."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Shuffle by this number: the same each time.")
    ] = None,
    journal: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.jsonl", help="Keep the match in this file, or go on with the one in it."
        ),
    ] = None,
    open_: Annotated[
        bool,
        typer.Option(
            "--open",
            help="Show everybody what lies hidden, hands and decks: for learning the rules.",
        ),
    ] = False,
) -> None:
    """Play a match at the keyboard: legal actions are offered, illegal ones explained.

    All players share the keyboard; where hands are hidden it is handed over.

    In a match, help shows what can be typed, and quit leaves.
    """
    from referee.commands.play import play as run
    from referee.commands.play_setup import PlayOrder

    run(PlayOrder(game, players, lead, variant, tuple(ruling or ()), deck, seed, journal, open_))


@app.command()
def serve(
    host: options.Host = "127.0.0.1",
    port: options.Port = 8000,
    data: options.DataFolder = Path("table-referee-data"),
    database: options.Database = None,
    recordings: options.Recordings = None,
) -> None:
    """Serve the page and the API: tables watched live, claims in order, corrections, scores."""
    from referee.commands.serve import ServeOrder
    from referee.commands.serve import serve as run

    run(ServeOrder(host, port, data, database, recordings))


@deck_app.command("print")
def print_deck(pack: options.PackArgument, out: options.Pdf, page: options.Page = "A4") -> None:
    """Write a deck as a PDF for playing: real size, crop marks, backs aligned for duplex."""
    from referee.commands.packs import print_pack

    print_pack(pack, out, page)


@deck_app.command("check")
def check_deck(pack: options.PackArgument) -> None:
    """Read every file of a deck and say what is wrong or odd about it."""
    from referee.commands.packs import check_pack

    check_pack(pack)


def main() -> None:
    """Runs the command line."""
    settle_streams()
    app()
