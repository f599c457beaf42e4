"""`table-referee demo`: the sample recording, from the file to the rulings."""

from __future__ import annotations

import json
from pathlib import Path

from referee.commands.console import CommandError, output
from referee.commands.replay import ReplayOrder, replay
from referee.watch_orders import WatchSettings
from vision.resources import SAMPLE_DECK, SAMPLE_RECORDING, find_resource

_FILM = "sample-annotated.mp4"
_LINES = "sample.jsonl"


def demonstrate(folder: Path) -> None:
    """Watches the sample recording and leaves an annotated video and the JSON lines in a folder.

    Raises:
        RefereeError: If the folder cannot be written.
        VisionError: If a part of the program is missing.
    """
    video, pack = find_resource(SAMPLE_RECORDING), find_resource(SAMPLE_DECK)
    console = output()
    console.print(f"A table where Galapa Go is played: {video}", markup=False, soft_wrap=True)
    _make_folder(folder)
    film, lines = folder / _FILM, folder / _LINES
    settings = _sample_settings(video)
    replay(ReplayOrder(video, pack, settings, lines_to=lines, film_to=film))
    console.print("\nAnnotated video:", film.resolve(), soft_wrap=True, markup=False)
    console.print("Every event as JSON lines:", lines.resolve(), soft_wrap=True, markup=False)


def _sample_settings(video: Path) -> WatchSettings:
    """Returns who plays in the sample: what a person would tell the referee before a game."""
    facts = json.loads(video.with_suffix(".truth.json").read_text(encoding="utf-8"))
    return WatchSettings(
        players=tuple(facts["players"]), lead=facts["lead"], variant=facts["variant"], rulings={}
    )


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"{folder}: expected a folder to write to: {error.strerror}") from error
