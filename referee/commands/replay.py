"""`table-referee replay`: a recording in, the rulings out."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from referee.commands.console import CommandError, ReportProgress, json_line, output, progress
from referee.commands.outputs import replacing_each
from referee.commands.tellings import painter, rulings_table
from referee.decks import Deck
from referee.watch import nothing_seen, shows_cards, watch
from referee.watch_orders import WatchSettings
from referee.wording import Line
from vision.film import Paint, repaint
from vision.frame import Frame
from vision.source import VideoFile


@dataclass(frozen=True, slots=True)
class ReplayOrder:
    """What to replay, and what to make of it.

    Attributes:
        video: The recording.
        deck: The deck that is played with.
        settings: Who plays, and by which rules.
        weights: A detector other than the one that ships with the program.
        lines_to: File for the JSON lines.
        film_to: File for the annotated video.
        is_for_programs: Print the JSON lines instead of a table.
    """

    video: Path
    deck: Deck
    settings: WatchSettings = field(default_factory=WatchSettings)
    weights: Path | None = None
    lines_to: Path | None = None
    film_to: Path | None = None
    is_for_programs: bool = False


def replay(order: ReplayOrder) -> None:
    """Watches a recording and writes what it was asked to write, all of it or nothing.

    Raises:
        RefereeError: If the deck, an output or a setting is not as it should be.
        VisionError: If the recording cannot be read or shows no card.
    """
    with replacing_each(order.lines_to, order.film_to) as (lines_to, film_to):
        lines = _watch_all(order, lines_to)
        if film_to is not None:
            _write_film(order.video, film_to, painter(lines, order.deck))
    if not order.is_for_programs:
        output().print(rulings_table(lines, order.deck))


def _watch_all(order: ReplayOrder, lines_to: Path | None) -> list[Line]:
    with progress("Watching") as report:
        lines: list[Line] = []
        file = lines_to.open("w", encoding="utf-8") if lines_to is not None else None
        try:
            for line in watch(order.video, order.deck, order.settings, report, order.weights):
                lines.append(line)
                _write_line(line, file, sys.stdout if order.is_for_programs else None)
        finally:
            if file is not None:
                file.close()
    if not any(map(shows_cards, lines)):
        raise CommandError(f"{order.video}: {nothing_seen(order.deck)}")
    return lines


def _write_line(line: Mapping[str, object], *files: TextIO | None) -> None:
    text = json_line(line)
    for file in files:
        if file is not None:
            file.write(text)
            file.flush()


def _write_film(video: Path, film_to: Path, paint: Paint) -> None:
    source = VideoFile(video)
    with progress("Drawing ") as report:
        repaint(_reported(source, report), film_to, paint)


def _reported(source: VideoFile, report: ReportProgress) -> Iterator[Frame]:
    for frame in source.frames():
        yield frame
        report(frame.index + 1, source.frame_count)
