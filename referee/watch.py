"""A table being watched: pipeline -> adapter -> the lines of contract §3, one generator for all.

Also the still questions: what lies on a photograph, and what the rules make of it.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.adapter.answers import format_quad, format_seen, format_unnamed
from referee.adapter.lines import Line
from referee.adapter.stills import judge_still
from referee.deck_faces import deck_faces
from referee.decks import Deck
from referee.errors import DeckError
from referee.still_doubts import doubt_deck
from referee.still_exploring import score_exploring
from referee.still_orders import (
    StillOptions,
    StillOrder,
)
from referee.still_panda import score_panda
from referee.watch_exploring import open_exploring
from referee.watch_galapa_go import galapa_go_cards, open_galapa_go
from referee.watch_orders import Event, Eye, WatchedGame, WatchedTable, WatchSettings
from referee.watch_panda import open_panda
from vision.errors import NoTableError
from vision.landing_dates import LOOK_BACK_S
from vision.photo import read_photo
from vision.source import VideoFile
from vision.still import open_reader
from vision.table import PieceKind, PieceReading

_SURE_TO_LIE = 0.5
"""Weaker detections that cannot be named are no doubts but noise."""

Json = dict[str, Any]
ReportProgress = Callable[[int, int | None], None]
"""Called with the frames done and the frames to come, None where nobody knows."""


def watch(
    path: Path,
    deck: Deck,
    settings: WatchSettings,
    progress: ReportProgress | None = None,
    weights: Path | None = None,
) -> Iterator[Json]:
    """Watches a recording and tells what happens, in the order of time.

    Args:
        path: A video file.
        deck: The deck that is played with.
        settings: What a camera cannot see.
        progress: Told after each frame.
        weights: A detector other than the one that ships with the program.

    Raises:
        SourceError: The file is no video.
        NoTableError: It never shows a table of the game.
        WeightsError: The detector cannot be loaded.
        GalleryError: The deck's pictures cannot be used.
        DeckError: The deck is of another game, or a setting is not known.
    """
    game = open_game(deck, settings)
    source = VideoFile(path)
    eye = game.open_eye(weights, _reporter(progress, source.frame_count))
    try:
        for line in _in_order_of_time(game.table, eye, source):
            yield line.to_json()
    except NoTableError as error:
        raise NoTableError(f"{path}: {error}") from error


def shows_cards(line: Mapping[str, Any]) -> bool:
    """Whether a line tells of cards that were seen, whatever the game."""
    return line["type"] in ("placed", "hands") or bool(line["type"] == "layout" and line["cards"])


def nothing_seen(deck: Deck) -> str:
    """Returns what is said of a source of which no line `shows_cards`."""
    return f"expected a table with cards of {deck.name!r}, no cards seen"


def score_picture(
    path: Path,
    deck: Deck,
    final: bool = False,
    weights: Path | None = None,
    options: StillOptions | None = None,
) -> Json:
    """Reads a still table and answers like `judge`, with what was seen and what is in doubt.

    Raises:
        VisionError: The picture, the weights or the deck's pictures cannot be used, or it shows
            no table of the game, or nothing of the deck.
        DeckError: The deck is of another game.
    """
    if deck.game not in _STILLS:
        raise DeckError(str(deck.path), "game", f"one of {', '.join(_STILLS)}", repr(deck.game))
    options = replace(options or StillOptions(), is_final=final)
    image_bgr, faces = read_photo(path), deck_faces(deck)
    order = StillOrder(path, image_bgr, deck, faces, lambda: open_reader(faces, weights), options)
    return doubt_deck(_STILLS[deck.game](order), order)


def _score_galapa_go(order: StillOrder) -> Json:
    reading = order.open_reader().read(order.image_bgr)
    answer = judge_still(reading, galapa_go_cards(order.deck))
    answer["seen"] = [format_seen(piece) for piece in reading.pieces if piece.face_id is not None]
    size_px = reading.width_px, reading.height_px
    doubts = [format_unnamed(piece, size_px) for piece in reading.pieces if _is_doubtful(piece)]
    answer["doubts"] = [*answer.get("doubts", ()), *doubts]
    return answer


_STILLS: Mapping[str, Callable[[StillOrder], Json]] = {
    "galapa-go": _score_galapa_go,
    "exploring-galapagos": score_exploring,
    "panda-gorilla": score_panda,
}
"""How a photograph of each game is scored."""


def detect_picture(path: Path, weights: Path | None = None) -> Json:
    """Finds what lies on a photograph without naming it.

    Raises:
        VisionError: The picture or the weights cannot be used.
    """
    image_bgr = read_photo(path)
    reading = open_reader((), weights).detect(image_bgr)
    return {
        "width": reading.width_px,
        "height": reading.height_px,
        "detections": [
            {"kind": p.kind.value, "score": round(p.score, 3), "quad": format_quad(p.quad_px)}
            for p in reading.pieces
        ],
    }


def open_game(deck: Deck, settings: WatchSettings) -> WatchedGame[Any]:
    """Returns what watches the deck's game: its table, and how its eye is opened.

    Raises:
        DeckError: The deck is of a game that cannot be watched, or a setting is not known.
    """
    if deck.game not in _GAMES:
        expected = f"{' or '.join(_GAMES)}, a game that can be watched"
        raise DeckError(str(deck.path), "game", expected, repr(deck.game))
    return _GAMES[deck.game](deck, settings)


_GAMES: Mapping[str, Callable[[Deck, WatchSettings], WatchedGame[Any]]] = {
    "galapa-go": open_galapa_go,
    "exploring-galapagos": open_exploring,
    "panda-gorilla": open_panda,
}
"""How each game is watched."""


def _reporter(progress: ReportProgress | None, total: int | None) -> Callable[[int], None] | None:
    if progress is None:
        return None
    return lambda done: progress(done, total)


def _in_order_of_time(
    table: WatchedTable[Event], eye: Eye[Event], source: VideoFile
) -> Iterator[Line]:
    """Lines by their time: a landing becomes known a moment after it happened."""
    waiting: list[tuple[float, int, Line]] = []
    count = 0
    for event in eye.watch(source):
        while waiting and waiting[0][0] < eye.now_s - LOOK_BACK_S:
            yield heapq.heappop(waiting)[2]
        for line in table.take(event):
            heapq.heappush(waiting, (round(line.t, 3), count, line))
            count += 1
    for line in table.finish(eye.now_s):
        heapq.heappush(waiting, (round(line.t, 3), count, line))
        count += 1
    while waiting:
        yield heapq.heappop(waiting)[2]


def _is_doubtful(piece: PieceReading) -> bool:
    """Whether something surely lies there, and nobody can say which face it shows."""
    return (
        piece.face_id is None and piece.kind is not PieceKind.HAND and piece.score >= _SURE_TO_LIE
    )
