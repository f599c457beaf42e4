"""`table-referee demo`: the sample recording, from the file to the rulings, then live."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import urllib.error
import urllib.request
import webbrowser
from pathlib import Path
from typing import Any

from referee.commands.console import CommandError, complain, output
from referee.commands.replay import ReplayOrder, replay
from referee.decks import load_deck
from referee.watch_orders import WatchSettings
from vision.resources import SAMPLE_DECK, SAMPLE_RECORDING, find_resource

_FILM = "sample-annotated.mp4"
_LINES = "sample.jsonl"
_DECK_ID = "galapa-go"
_ANSWER_S = 60.0


def demonstrate(folder: Path, is_served: bool | None = None) -> None:
    """Watches the sample recording and leaves an annotated video and the JSON lines in a folder.

    Args:
        folder: Where they go.
        is_served: Whether the page follows, with the sample as a table that is played live, until
            a person stops it. None for only where a person is there: on a terminal.

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
    replay(ReplayOrder(video, load_deck(pack), settings, lines_to=lines, film_to=film))
    console.print("\nAnnotated video:", film.resolve(), soft_wrap=True, markup=False)
    console.print("Every event as JSON lines:", lines.resolve(), soft_wrap=True, markup=False)
    if _has_person() if is_served is None else is_served:
        console.print("\nNow the same table live, on its page.")
        _serve_sample(video, settings)
    elif is_served is None:
        console.print("The same table live, on its page: table-referee demo --serve")


def _has_person() -> bool:
    """Returns whether somebody is there to look at a page, and to stop it."""
    return sys.stdout.isatty() and not os.environ.get("CI")


def _serve_sample(video: Path, settings: WatchSettings) -> None:
    """Serves the page with the sample at its own pace; its match is gone afterwards."""
    from referee.commands.serve import ServeOrder, serve  # noqa: PLC0415 - rulings come first

    table = {
        "game": "galapa-go",
        "deck": _DECK_ID,
        "source": {"recording": video.name},
        "players": settings.players,
        "lead": settings.lead,
        "variant": settings.variant,
        "realtime": True,
    }
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as data:
        order = ServeOrder("127.0.0.1", 0, Path(data), recordings=video.parent)
        serve(order, lambda link: _open_table(link, table))


def _open_table(link: str, table: dict[str, Any]) -> None:
    """Opens the table, says where it is, and shows it where there is a display."""
    request = urllib.request.Request(
        f"{link}api/v1/tables",
        json.dumps(table).encode("ascii"),
        {"Content-Type": "application/json"},
    )
    directly = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with directly.open(request, timeout=_ANSWER_S) as answer:
            page = f"{link}#/table/{json.load(answer)['id']}"
    except (urllib.error.URLError, OSError) as error:
        complain(f"the sample cannot be shown on the page: {error}")
        return
    output().print("The sample, played live:", page, soft_wrap=True, markup=False)
    sys.stdout.flush()
    show_page(page)


def show_page(link: str) -> bool:
    """Opens a browser where there is a display; returns whether there is one to open.

    A browser of the terminal is no choice: it would take the terminal from whoever reads it.
    """
    has_display = any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    if not has_display and sys.platform not in ("win32", "darwin"):
        return False
    try:
        browser = webbrowser.get()
        is_beside = isinstance(browser, webbrowser.BackgroundBrowser) or getattr(
            browser, "background", sys.platform in ("win32", "darwin")
        )
        return is_beside and browser.open(link)
    except (webbrowser.Error, OSError):
        return False


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
