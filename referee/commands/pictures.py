"""`table-referee score` and `detect`: a photograph of the table in, what lies there out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
from rich.table import Table
from rich.text import Text

from referee.adapter.answers import read_quad
from referee.annotation import overlay_of_detections, overlay_of_seen
from referee.commands.console import CommandError, output, print_json
from referee.commands.exploring_pictures import draw_exploring, print_exploring
from referee.commands.outputs import expect_apart, expect_place, replacing
from referee.commands.panda_pictures import draw_panda, print_panda
from referee.commands.still_options import SaidOfStill, expect_players, read_still
from referee.decks import Deck, load_deck
from referee.watch import detect_picture, score_picture
from referee.wording import describe_tasks, format_won
from vision.frame import Image
from vision.legend import Legend, add_legend
from vision.overlay import AMBER, Mark, Overlay, draw_overlay
from vision.photo import read_photo

_PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})


def score(
    image: Path,
    pack: Path,
    *,
    weights: Path | None,
    said: SaidOfStill,
    as_json: bool,
    out: Path | None,
) -> None:
    """Reads a still table, names what lies there, and prints it.

    Raises:
        RefereeError: If the deck, an output or what is said is not as it should be.
        VisionError: If the picture cannot be read or shows no card.
    """
    _expect_writable(out, (image, pack))
    deck = load_deck(pack)
    options = read_still(deck.game, said)
    answer = score_picture(image, deck, options.is_final, weights, options)
    if options.used:
        expect_players(options.used, [player["name"] for player in answer["players"]])
    show = _SHOWN[deck.game]
    if out is not None:
        _write_picture(out, show.draw(read_photo(image), answer, deck))
    if as_json:
        print_json(answer)
    else:
        show.tell(answer, deck)


def detect(image: Path, *, weights: Path | None, as_json: bool, out: Path | None) -> None:
    """Finds cards, hands and the like in a photograph, without naming them, and prints them.

    Raises:
        RefereeError: If an output is not as it should be.
        VisionError: If the picture or the weights cannot be read.
    """
    _expect_writable(out, (image,))
    answer = detect_picture(image, weights)
    if out is not None:
        _write_picture(out, draw_overlay(read_photo(image), overlay_of_detections(answer)))
    if as_json:
        print_json(answer)
    else:
        _print_detections(answer)


def _expect_writable(out: Path | None, inputs: Sequence[Path]) -> None:
    """Refuses a place for the picture that cannot be, before the work is done."""
    if out is None:
        return
    if out.suffix.lower() not in _PICTURE_SUFFIXES and not out.is_dir():
        raise CommandError(f"{out}: expected a name ending in .jpg or .png, got {out.suffix!r}")
    expect_apart([out], inputs)
    expect_place(out)


def _write_picture(out: Path, picture: Image) -> None:
    done, data = cv2.imencode(out.suffix, picture)
    if not done:
        raise CommandError(f"{out}: expected a kind of picture that OpenCV can write")
    with replacing(out) as unfinished:
        unfinished.write_bytes(data.tobytes())


def _print_seen(answer: Mapping[str, Any], deck: Deck) -> None:
    console = output()
    table = Table("Face", "Kind", "Sure", "Where", title="Seen", title_justify="left")
    for seen in answer["seen"]:
        fits = seen["id"] in answer.get("matching", ())
        name = Text(f"{seen['id']} ✓", "green") if fits else Text(seen["id"])
        table.add_row(name, seen["kind"], f"{seen['score']:.2f}", _centre(seen["quad"]))
    console.print(table)
    tasks = [seen["id"] for seen in answer["seen"] if seen["kind"] in ("task", "special")]
    if tasks:
        console.print(f"Task {describe_tasks(tasks, deck)}")
        console.print(f"Photos that fit: {' '.join(answer['matching']) or 'none'}")
    if any(answer.get("won", {}).values()):
        console.print(f"Cards won: {format_won(answer['won'])}")
    for doubt in answer.get("doubts", ()):
        console.print(f"In doubt: {doubt['text']}", style="yellow")


def _draw_seen(picture: Image, answer: Mapping[str, Any], deck: Deck) -> Image:
    """Returns the photograph with every face named, and what is told of them below it."""
    overlay, doubts = overlay_of_seen(answer, deck), answer["doubts"]
    doubtful = [
        Mark(read_quad(each["quad"]), AMBER, badge="?") for each in doubts if "quad" in each
    ]
    drawn = draw_overlay(picture, Overlay(marks=(*overlay.marks, *doubtful)))
    title = " · ".join(filter(None, (overlay.title, overlay.subtitle)))
    notice = f"{len(doubts)} in doubt: {doubts[0]['text']}" if doubts else ""
    return add_legend(drawn, Legend(title, notice=notice))


@dataclass(frozen=True, slots=True)
class _Show:
    """How the answer to a photograph of a game is drawn and told."""

    draw: Callable[[Image, Mapping[str, Any], Deck], Image]
    tell: Callable[[Mapping[str, Any], Deck], None]


_SHOWN: Mapping[str, _Show] = {
    "galapa-go": _Show(_draw_seen, _print_seen),
    "exploring-galapagos": _Show(draw_exploring, print_exploring),
    "panda-gorilla": _Show(draw_panda, print_panda),
}


def _print_detections(answer: Mapping[str, Any]) -> None:
    table = Table("Kind", "Sure", "Where", title=f"{len(answer['detections'])} things found")
    for found in answer["detections"]:
        table.add_row(found["kind"], f"{found['score']:.2f}", _centre(found["quad"]))
    output().print(table)


def _centre(quad: Any) -> str:
    return f"{sum(x for x, _ in quad) / 4:.0f}, {sum(y for _, y in quad) / 4:.0f}"
