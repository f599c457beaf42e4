"""A table watched while it is played: every line as soon as it is known.

`watch.watch` waits until nothing earlier can come and then tells each line once. At a table nobody
waits: a line is told at once, and told again where a later look changes it; of lines with the same
key (`records.key_of`) the last one holds. A card of a board that was moved on, or taken away again,
is told once more with `"taken": true`, and so is an area that is not complete without it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.adapter.lines import Line, RoundLine
from referee.decks import Deck
from referee.records import key_of
from referee.watch import Json, open_game
from referee.watch_orders import WatchSettings
from vision.live import Gap
from vision.source import FrameSource


@dataclass(frozen=True, slots=True)
class Told:
    """A line, and the question to the rules that the round of it asks now; None for none."""

    line: Json
    question: Json | None = None


def watch_live(
    source: FrameSource,
    deck: Deck,
    settings: WatchSettings,
    said: Iterable[Json] = (),
    weights: Path | None = None,
) -> Iterator[tuple[Told, ...]]:
    """Watches a source and tells what happens as soon as it is known.

    Args:
        source: Where the frames come from.
        deck: The deck that is played with.
        settings: What a camera cannot see.
        said: Lines of the same source that were told before; they are not told again.
        weights: A detector other than the one that ships with the program.

    Yields:
        Lines that became known at once and hold together only.

    Raises:
        SourceError: The source gives not one frame.
        WeightsError: The detector cannot be loaded.
        GalleryError: The deck's pictures cannot be used.
        DeckError: The deck is of another game, or a setting is not known.
    """
    game = open_game(deck, settings)
    table, eye = game.table, game.open_eye(weights, None)
    memory = Memory(said)
    for event in eye.watch(source):
        lines = [*table.take(event), *table.running(eye.now_s)]
        news = (*memory.taken(lines), *memory.news(lines))
        if news:
            yield news
    news = tuple(memory.news(table.finish(eye.now_s)))
    if news:
        yield news


def with_gaps(line: Json, since_s: float, gaps: Sequence[Gap]) -> Json:
    """A ruling that says `"incomplete": true` where the camera was lost while its round ran."""
    was_lost = any(gap.from_s < line["t"] and gap.until_s > since_s for gap in gaps)
    return {**line, "incomplete": True} if was_lost else line


class Memory:
    """What was said already: only what is new is said again.

    A source that is watched once more from its start says everything once more, what was revised
    later included; so what was said before is counted off, line by line.
    """

    def __init__(self, said: Iterable[Json]) -> None:
        self._said: dict[Hashable, Json] = {}
        self._before: dict[Hashable, list[Json]] = {}
        for line in said:
            self._before.setdefault(key_of(line), []).append(_content(line))

    def news(self, lines: Iterable[Line]) -> Iterator[Told]:
        """Yields those lines that were not said yet, or are other ones now."""
        waiting = [(line, line.to_json()) for line in lines]
        questions = {
            line.round: dict(line.question)
            for line, _ in waiting
            if isinstance(line, RoundLine) and line.question is not None
        }
        for line, told in waiting:
            if isinstance(line, RoundLine) and told["ended_by"] is None:
                continue  # it still runs
            if self._is_new(told):
                yield Told(told, questions.get(told.get("round", 0)))

    def taken(self, lines: Iterable[Line]) -> Iterator[Told]:
        """Yields what was said of a board, and is not among all that is believed of it now."""
        believed = {key_of(line.to_json()) for line in lines}
        for key, said in list(self._said.items()):
            if said["type"] in _ON_A_BOARD and key not in believed:
                told = {**said, "taken": True}
                if self._is_new(told):
                    yield Told(told)

    def _is_new(self, told: Json) -> bool:
        """Takes a line for said; returns whether it was not, or otherwise."""
        key, content = key_of(told), _content(told)
        if self._said.get(key) == content:
            return False
        self._said[key] = content
        before = self._before.get(key, [])
        if content not in before:
            return True
        del before[: before.index(content) + 1]
        return False


_ON_A_BOARD = frozenset({"placed", "scored"})
"""Lines of which a table always tells all that hold."""


def _content(line: Json) -> Json:
    # A round that was told to have ended is closed when its cards are cleared away: no news.
    return {name: value for name, value in line.items() if line["type"] != "round" or name != "t"}
