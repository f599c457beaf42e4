"""The command line: what people type, and what the help tells them. The work is in `commands`.

Each command loads what it needs when it is called, so that `--help` and `judge` start at once.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from referee.commands.group import RefereeGroup

# Before numpy is loaded: its matrices are small here, and threads would wait for each other longer
# than they compute.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

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

Pack = Annotated[
    Path,
    typer.Option("--deck", metavar="PACK", help="Deck pack that is played with: folder or .zip."),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print JSON for programs instead of a table for people.")
]
Weights = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Another detector than the one that comes with the program: .onnx, or .pt where "
        "ultralytics is installed.",
    ),
]
Picture = Annotated[Path, typer.Argument(metavar="IMAGE", help="A photograph of the table.")]
DrawnTo = Annotated[
    Path | None,
    typer.Option(metavar="PICTURE", help="Write the photograph with what was seen drawn on it."),
]


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
    video: Annotated[Path, typer.Argument(metavar="VIDEO", help="A recording of the table.")],
    deck: Pack,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="red,blue",
            help="Who plays, clockwise from above. Without it: those whose Camera cards are seen.",
        ),
    ] = None,
    lead: Annotated[
        str | None, typer.Option(metavar="red", help="Who turned the first Task card.")
    ] = None,
    variant: Annotated[
        str, typer.Option(metavar="normal|complex", help="One Task at a time, or two (complex).")
    ] = "normal",
    ruling: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A house ruling other than the default, such as late_claims=judged; repeatable.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Write every event as a JSON line.")
    ] = None,
    video_out: Annotated[
        Path | None,
        typer.Option(
            "--video", metavar="OUT.mp4", help="Write the recording with the rulings drawn on it."
        ),
    ] = None,
    weights: Weights = None,
    as_json: AsJson = False,
) -> None:
    """Watch a recording of Galapa Go and rule on every round: who was first, who was right."""
    from referee.commands.options import parse_lead, parse_players, parse_rulings, parse_variant

    seats = parse_players(players)
    chosen = (parse_lead(lead, seats), parse_variant(variant))
    rulings = parse_rulings(ruling or ())

    from referee.commands.replay import ReplayOrder
    from referee.commands.replay import replay as run
    from referee.watch_orders import WatchSettings

    settings = WatchSettings(players=seats, lead=chosen[0], variant=chosen[1], rulings=rulings)
    run(ReplayOrder(video, deck, settings, weights, out, video_out, as_json))


@app.command()
def watch(
    camera: Annotated[
        str,
        typer.Option(
            "--camera",
            metavar="NAME|INDEX|URL|FILE",
            help="A camera by its name or index (`doctor` lists them), the address of a stream "
            "(rtsp://, http://), or a video file.",
        ),
    ],
    deck: Pack,
    realtime: Annotated[
        bool,
        typer.Option("--realtime", help="A video file stands in for a camera, at its own pace."),
    ] = False,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="red,blue",
            help="Who plays, clockwise from above. Without it: those whose Camera cards are seen.",
        ),
    ] = None,
    lead: Annotated[
        str | None, typer.Option(metavar="red", help="Who turned the first Task card.")
    ] = None,
    variant: Annotated[
        str, typer.Option(metavar="normal|complex", help="One Task at a time, or two (complex).")
    ] = "normal",
    ruling: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A house ruling other than the default, such as late_claims=judged; repeatable.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Write every event as a JSON line.")
    ] = None,
    weights: Weights = None,
    as_json: AsJson = False,
) -> None:
    """Watch a table while it is played and tell every ruling as it falls; Ctrl-C ends it."""
    from referee.commands.options import parse_lead, parse_players, parse_rulings, parse_variant

    seats = parse_players(players)
    chosen = (parse_lead(lead, seats), parse_variant(variant))
    rulings = parse_rulings(ruling or ())

    from referee.commands.watch import WatchOrder, watch_table
    from referee.watch_orders import WatchSettings

    settings = WatchSettings(players=seats, lead=chosen[0], variant=chosen[1], rulings=rulings)
    watch_table(WatchOrder(camera, deck, settings, realtime, weights, out, as_json))


@app.command()
def doctor(
    camera: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|INDEX|URL", help="One camera. Without it: every one is listed and opened."
        ),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="IMAGE", help="A photograph of the table instead.")
    ] = None,
    video: Annotated[
        Path | None, typer.Option(metavar="VIDEO", help="A recording of the table instead.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="PICTURE", help="Write what was seen, with the marks on it."),
    ] = None,
    weights: Weights = None,
    as_json: AsJson = False,
) -> None:
    """List cameras and coach the setup: view, size, sharpness, light, glare, frame rate.

    Ends with status 1 where something is bad.
    """
    from referee.commands.doctor import DoctorOrder, examine

    examine(DoctorOrder(camera, picture, video, out, weights, as_json))


@app.command()
def score(
    image: Picture,
    deck: Pack,
    final: Annotated[bool, typer.Option("--final", help="The game is over: score all.")] = False,
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="ann@bottom,bob@left",
            help="Exploring Galapagos: who sits at which side, bottom, left, top-left, top, "
            "top-right or right. Without it players are named by their side.",
        ),
    ] = None,
    used: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ann:time+zone",
            help="Exploring Galapagos: the methods a player used in earlier rounds; repeatable.",
        ),
    ] = None,
    corners: Annotated[
        tuple[str, str, str, str] | None,
        typer.Option(
            metavar="X,Y X,Y X,Y X,Y",
            help="Panda, Gorilla & Co: where the outer corners of the spaces are in the picture, "
            "clockwise from the north-west, for a board that is not found by its border.",
        ),
    ] = None,
    out: DrawnTo = None,
    weights: Weights = None,
    as_json: AsJson = False,
) -> None:
    """Read a photograph of a table at rest: name every card, and rule on what lies there."""
    from referee.commands.still_options import parse_corners, parse_seats, parse_used

    players = parse_seats(seats)
    methods = parse_used(used or ())
    corners_px = parse_corners(corners or ())

    from referee.commands.pictures import score as run
    from referee.still_orders import StillOptions

    options = StillOptions(is_final=final, seats=players, used=methods, corners_px=corners_px)
    run(image, deck, weights=weights, options=options, as_json=as_json, out=out)


@app.command()
def detect(
    image: Picture,
    out: DrawnTo = None,
    weights: Weights = None,
    as_json: AsJson = False,
) -> None:
    """Find cards, backs and hands in a photograph, of whatever deck, without naming them."""
    from referee.commands.pictures import detect as run

    run(image, weights=weights, as_json=as_json, out=out)


@app.command()
def judge(
    position: Annotated[
        Path, typer.Argument(metavar="POSITION.json", help="The question, or - for standard input.")
    ],
    deck: Annotated[
        Path | None,
        typer.Option(metavar="PACK", help="Deck pack, where the question brings no cards itself."),
    ] = None,
) -> None:
    """Put one question to the rules: a position and what was done in, one JSON object out."""
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
) -> None:
    """Play a match at the keyboard: legal actions are offered, illegal ones explained."""
    from referee.commands.play import play as run
    from referee.commands.play_setup import PlayOrder

    run(PlayOrder(game, players, lead, variant, tuple(ruling or ()), deck, seed, journal))


@app.command()
def serve(
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Where to listen; others than this machine are asked for a token.",
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="PORT")] = 8000,
    data: Annotated[
        Path, typer.Option(metavar="FOLDER", help="For matches, decks, recordings and evidence.")
    ] = Path("table-referee-data"),
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="A PostgreSQL database in place of a file in the folder."),
    ] = None,
    recordings: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="A folder from which recordings may be watched."),
    ] = None,
) -> None:
    """Serve the page and the API: tables watched live, claims in order, corrections, scores."""
    from referee.commands.serve import ServeOrder
    from referee.commands.serve import serve as run

    run(ServeOrder(host, port, data, database, recordings))


@deck_app.command("print")
def print_deck(
    pack: Annotated[Path, typer.Argument(metavar="PACK", help="Deck pack: folder or .zip.")],
    out: Annotated[Path, typer.Argument(metavar="OUT.pdf", help="The PDF to write.")],
    page: Annotated[str, typer.Option(metavar="A4|Letter", help="Size of the paper.")] = "A4",
) -> None:
    """Write a deck as a PDF for playing: real size, crop marks, backs aligned for duplex."""
    from referee.commands.packs import print_pack

    print_pack(pack, out, page)


@deck_app.command("check")
def check_deck(
    pack: Annotated[Path, typer.Argument(metavar="PACK", help="Deck pack: folder or .zip.")],
) -> None:
    """Read every file of a deck and say what is wrong or odd about it."""
    from referee.commands.packs import check_pack

    check_pack(pack)


def main() -> None:
    """Runs the command line."""
    app()
