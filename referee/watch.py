"""A table being watched: pipeline -> adapter -> the lines of contract §3, one generator for all.

Also the still questions: what lies on a photograph, and what the rules make of it.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from referee.adapter.answers import format_quad, format_seen, format_unnamed
from referee.adapter.galapa_go import GalapaGoTable, TableSettings
from referee.adapter.lines import ClaimLine, LayoutLine, Line, NoticeLine, RoundLine, TaskLine
from referee.adapter.stills import judge_still
from referee.decks import Deck
from referee.errors import DeckError
from referee.games.galapa_go.model import (
    AnimalCard,
    CameraCard,
    Card,
    CardBack,
    Rulings,
    Special,
    Task,
    Variant,
)
from referee.still_exploring import score_exploring
from referee.still_orders import (
    StillOptions,
    StillOrder,
)
from referee.still_panda import score_panda
from vision.faces import FaceSource
from vision.photo import read_photo
from vision.pipeline import LOOK_BACK_S, TableWatcher
from vision.source import VideoFile
from vision.still import TableReader, open_reader
from vision.table import PieceKind, PieceReading, TableEvent

_SURE_TO_LIE = 0.5
"""Weaker detections that cannot be named are no doubts but noise."""

Json = dict[str, Any]
ReportProgress = Callable[[int, int | None], None]
"""Called with the frames done and the frames to come, None where nobody knows."""


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """What a camera cannot see.

    Attributes:
        players: Clockwise, or None to take the Cameras on the table in their seating order.
        lead: The first lead player, or None for the first of the players.
        variant: normal or complex.
        rulings: The named house rulings that differ from their defaults.
    """

    players: tuple[str, ...] | None = None
    lead: str | None = None
    variant: str = "normal"
    rulings: Mapping[str, str] = field(default_factory=dict)


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
        WeightsError: The detector cannot be loaded.
        GalleryError: The deck's pictures cannot be used.
        DeckError: The deck is of another game, or a setting is not known.
    """
    table = open_table(deck, settings)
    source = VideoFile(path)
    watcher = TableWatcher(_reader(deck, weights), _reporter(progress, source.frame_count))
    yield from map(line_to_json, _in_order_of_time(table, watcher, source))


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
            no table of the game.
        DeckError: The deck is of another game.
    """
    if deck.game not in _STILLS:
        raise DeckError(str(deck.path), "game", f"one of {', '.join(_STILLS)}", repr(deck.game))
    options = replace(options or StillOptions(), is_final=final)
    image_bgr, faces = read_photo(path), deck_faces(deck)
    order = StillOrder(path, image_bgr, deck, faces, lambda: open_reader(faces, weights), options)
    return _STILLS[deck.game](order)


def _score_galapa_go(order: StillOrder) -> Json:
    reading = order.open_reader().read(order.image_bgr)
    answer = judge_still(reading, _cards(order.deck))
    answer["seen"] = [format_seen(piece) for piece in reading.pieces if piece.face_id is not None]
    doubts = [format_unnamed(piece) for piece in reading.pieces if _is_doubtful(piece)]
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


class WatchedTable(Protocol):
    """A table of some game: takes what happens on it and tells what that means."""

    def take(self, event: TableEvent) -> Iterator[Line]:
        """Takes the next event and gives what it makes known."""

    def running(self, timestamp_s: float) -> Iterator[Line]:
        """What is believed of what still runs, as if it were over now."""

    def finish(self, timestamp_s: float) -> Iterator[Line]:
        """The source has ended."""


def open_table(deck: Deck, settings: WatchSettings) -> WatchedTable:
    """Returns the table of the deck's game.

    Raises:
        DeckError: The deck is of a game that cannot be watched, or a setting is not known.
    """
    _expect_galapa_go(deck)
    return GalapaGoTable(_cards(deck), _table_settings(settings))


def deck_faces(deck: Deck) -> list[FaceSource]:
    """Returns the pictures of a deck as the gallery takes them.

    Raises:
        DeckError: A picture has gone or cannot be read.
    """
    return [
        FaceSource(
            card.id,
            card.kind,
            deck.read_image_bytes(card),
            card.size_mm,
            getattr(card.piece, "player", None),
        )
        for card in deck.cards
    ]


def _expect_galapa_go(deck: Deck) -> None:
    if deck.game != "galapa-go":
        raise DeckError(
            str(deck.path), "game", "galapa-go, the game that can be watched", repr(deck.game)
        )


def _cards(deck: Deck) -> tuple[Card, ...]:
    return tuple(
        piece
        for piece in deck.pieces
        if isinstance(piece, AnimalCard | Task | Special | CameraCard | CardBack)
    )


def _table_settings(settings: WatchSettings) -> TableSettings:
    return TableSettings(
        players=settings.players,
        lead=settings.lead,
        variant=Variant(settings.variant),
        rulings=Rulings(**dict(settings.rulings)),
    )


def _reader(deck: Deck, weights: Path | None) -> TableReader:
    return open_reader(deck_faces(deck), weights)


def _reporter(progress: ReportProgress | None, total: int | None) -> Callable[[int], None] | None:
    if progress is None:
        return None
    return lambda done: progress(done, total)


def _in_order_of_time(
    table: WatchedTable, watcher: TableWatcher, source: VideoFile
) -> Iterator[Line]:
    """Lines by their time: a landing becomes known a moment after it happened."""
    waiting: list[tuple[float, int, Line]] = []
    count = 0
    for event in watcher.watch(source):
        while waiting and waiting[0][0] < watcher.now_s - LOOK_BACK_S:
            yield heapq.heappop(waiting)[2]
        for line in table.take(event):
            heapq.heappush(waiting, (round(line.t, 3), count, line))
            count += 1
    for line in table.finish(watcher.now_s):
        heapq.heappush(waiting, (round(line.t, 3), count, line))
        count += 1
    while waiting:
        yield heapq.heappop(waiting)[2]


def line_to_json(line: Line) -> Json:
    """Returns a line as contract §3 spells it."""
    match line:
        case LayoutLine():
            cards = [
                {"id": card.card, "quad": format_quad(card.quad_px), "score": round(card.score, 3)}
                for card in line.cards
            ]
            return {"type": "layout", "t": _time(line.t), "cards": cards}
        case TaskLine():
            return {
                "type": "task",
                "t": _time(line.t),
                "round": line.round,
                "tasks": list(line.tasks),
            }
        case ClaimLine():
            return {
                "type": "withdrawn" if line.is_withdrawn else "claim",
                "t": _time(line.t),
                "round": line.round,
                "player": line.player,
                "card": line.card,
                "order": line.order,
                "dt": _time(line.half_width_s),
            }
        case RoundLine():
            return _round_json(line)
        case NoticeLine():
            return {"type": "notice", "t": _time(line.t), "code": line.code, "text": line.text}


def _round_json(line: RoundLine) -> Json:
    ruling = dict(line.ruling)
    claims = [
        {**claim, "t": _time(claim["t"]), "dt": _time(half_s)}
        for claim, half_s in zip(ruling["claims"], line.half_widths_s, strict=True)
    ]
    return {
        "type": "round",
        "t": _time(line.t),
        "round": line.round,
        "tasks": list(line.tasks),
        **ruling,
        "claims": claims,
        "close": [list(pair) for pair in line.close],
    }


def _is_doubtful(piece: PieceReading) -> bool:
    """Whether something surely lies there, and nobody can say which face it shows."""
    return (
        piece.face_id is None and piece.kind is not PieceKind.HAND and piece.score >= _SURE_TO_LIE
    )


def _time(seconds: float) -> float:
    return round(seconds, 3)
