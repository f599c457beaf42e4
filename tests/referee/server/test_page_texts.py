"""Everything that the service can send has a text of the page, in every language."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path

import pytest

from referee.adapter.exploring_sides import SIDES
from referee.decks import load_deck
from referee.games.catalog import GAMES
from referee.games.exploring_galapagos.model import Method
from referee.games.galapa_go.model import EndedBy, Verdict
from referee.games.panda_gorilla.model import QUARTERS, Rule, Size
from referee.server.problems import Code, of_vision
from tests.referee.server.sentences import (
    assigned,
    constants_in,
    doubting,
    function_of,
    functions_of,
    is_sentence,
    modules,
    notice_codes,
    raised,
    sentences_in,
)
from vision.errors import GalleryError, NoTableError, SourceError, VisionError
from vision.resources import find_resource
from vision.table import PieceKind

PAGE = Path(str(files("referee.server"))) / "page"
LANGUAGES = ("en", "de")
_DOUBTS = ("referee/adapter/*.py", "referee/still*.py", "referee/watch*.py")
_COUNTS = ("referee/games/exploring_galapagos/scoring.py",)
_SOURCES = ("vision/source.py", "vision/live*.py", "vision/camera*.py")
_PHOTOS = ("vision/photo.py", "vision/board_search.py", "vision/faces.py", "referee/still*.py")
_PICTURES = (*_PHOTOS, "vision/board_*.py")
_SERVICE = ("referee/server/*.py", "referee/seated.py")
_FORMATS = tuple(
    f"referee/{name}.py"
    for name in (
        "seatings",
        "packs",
        "decks",
        "fields",
        "rulings",
        "engines",
        "judge",
        "games/*/position",
        "games/*/cards",
    )
)
_FAILURES = ("SourceError", "FeedLostError", "NoTableError", "GalleryError")
_OF_EXPORTS = ("archive", "incoming")
_IN_BLANKS = ("{} cards", "{} card", "{} keys", "{} key", "expected {}, got {}")


def texts(language: str) -> dict[str, str]:
    found = json.loads((PAGE / "texts" / f"{language}.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def plain(text: str) -> str:
    return re.sub(r"\{\w+\}", "{}", text)


class Reader:
    """Reads sentences as the page does (`said.js`): by English texts with blanks in them."""

    def __init__(self) -> None:
        known = [(k, plain(v)) for k, v in texts("en").items() if k.startswith("said.")]
        known.sort(key=lambda each: -len(each[1].replace("{}", "")))
        self._known = [(key, _pattern(text)) for key, text in known]
        self.used: set[str] = set()

    def reads(self, sentence: str) -> bool:
        """Whether a sentence, and every sentence in its blanks, has a text."""
        for key, pattern in self._known:
            found = pattern.fullmatch(sentence)
            if found:
                self.used.add(key)
                return all(self.reads(part) for part in found.groups() if is_sentence(part))
        _, _, what = sentence.partition(": ")
        if what and self.reads(what):
            return True
        parts = sentence.split("; ")
        return len(parts) > 1 and all(map(self.reads, parts))


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("(.+?)".join(map(re.escape, text.split("{}"))), re.DOTALL)


def doubts() -> set[str]:
    return {each for f in doubting(modules(*_DOUBTS, *_COUNTS)) for each in sentences_in(f)}


def failures() -> set[str]:
    found = set(raised(modules(*_SOURCES, *_PICTURES), dict.fromkeys(_FAILURES, 0)))
    found |= set(raised(modules(*_SERVICE), {"Over": 0}))
    found |= set(assigned(modules(*_SOURCES), {"broken", "_broken"}))
    for module, name in (
        ("vision/camera_opencv.py", "why_closed"),
        ("referee/watch.py", "nothing_seen"),
    ):
        found |= sentences_in(function_of(module, name))
    return found


def expectations() -> set[str]:
    """What is expected of requests and decks, and what was got instead."""
    asked = dict.fromkeys(("bad_input", "too_large", "FormatError", "PositionError", "refuse"), 1)
    asked["DeckError"] = 2
    given = {name: place + 1 for name, place in asked.items()}
    # Of a file that is no exported match, a code tells; its details are for programmers.
    paths = [p for p in modules(*_SERVICE, *_FORMATS) if not p.stem.startswith(_OF_EXPORTS)]
    found = {*raised(paths, asked), *raised(paths, given)}
    found |= sentences_in(function_of("referee/errors.py", "shown"))
    cameras = raised(modules("vision/camera_list.py"), dict.fromkeys(_FAILURES, 0))
    found |= {told.removeprefix("expected ") for told in cameras}
    # Of a picture that cannot be read the service tells the same two.
    for told in {*raised(modules(*_PHOTOS, *_SOURCES), dict.fromkeys(_FAILURES, 0)), "nothing"}:
        for kind in (NoTableError, GalleryError, SourceError, VisionError):
            for error in of_vision(kind(told), "picture").errors:
                found |= {error["expected"], error["got"]}
    return found


def remarks() -> set[str]:
    """What is odd about a deck that is sent."""
    paths = modules("referee/deck_check.py", "referee/games/*/cards.py")
    asked = {"check_deck", "_check_picture", "_check_alike", "check_cards", "lawn_faults"}
    found = [each for path in paths for each in functions_of(path) if each.name in asked]
    assert {each.name for each in found} == asked
    return {sentence for each in found for sentence in sentences_in(each)}


@pytest.mark.parametrize("sentences", [doubts, failures, expectations, remarks])
def test_every_sentence_of_the_service_can_be_translated(
    sentences: Callable[[], set[str]],
) -> None:
    said = {each for each in sentences() if is_sentence(each)}
    reader = Reader()
    assert len(said) > 8
    assert sorted(each for each in said if not reader.reads(each)) == []


def test_no_sentence_is_translated_that_nobody_says() -> None:
    reader = Reader()
    for each in {*doubts(), *failures(), *expectations(), *remarks(), *_IN_BLANKS}:
        reader.reads(each)
    assert [k for k in texts("en") if k.startswith("said.") and k not in reader.used] == []


def test_every_notice_has_a_text() -> None:
    codes = notice_codes(modules("referee/**/*.py", "vision/**/*.py"))
    assert {"watch-stopped", "recording-ended", "card-taken", "camera-moved"} <= codes
    assert len(codes) > 24
    known = {key.removeprefix("notice.") for key in texts("en") if key.startswith("notice.")}
    assert known == codes


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("verdict", Verdict),
        ("ended", EndedBy),
        ("breach", Rule),
        ("problem", Code),
        ("kind", PieceKind),
        ("side", SIDES),
        ("size", Size),
        ("quarter", QUARTERS),
        ("method", Method),
        ("game", GAMES),
    ],
)
def test_every_word_of_the_service_has_a_text(kind: str, words: Iterable[str]) -> None:
    assert [word for word in words if f"{kind}.{word}" not in texts("en")] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_card_has_a_text(game: str) -> None:
    deck = load_deck(find_resource(f"datasets/decks/{game}"))
    assert {card.kind for card in deck.cards if f"kind.{card.kind}" not in texts("en")} == set()


def test_every_reason_of_a_verdict_has_a_text() -> None:
    script = (PAGE / "said.js").read_text(encoding="utf-8")
    patterns = [re.compile(each) for each in re.findall(r"^  \[/(.+)/, \(", script, re.MULTILINE)]
    faults = set(re.findall(r'^  "([^"]+)": "fault\.', script, re.MULTILINE))
    assert len(patterns) > 15
    said = constants_in("referee/games/galapa_go/course.py", "referee/games/galapa_go/matching.py")
    said |= sentences_in(function_of("referee/games/galapa_go/scoring.py", "_claim"))
    said |= sentences_in(function_of("referee/games/galapa_go/scoring.py", "_memory_verdict"))
    said |= {f"shows an unusual animal; {late}" for late in said if late.startswith("placed after")}
    said = {each.replace("{}", "red") for each in said if not each.startswith("placed after")}
    assert len(said) > 15
    unread = {each for each in said if not any(p.fullmatch(each) for p in patterns)}
    assert unread - faults == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_counted_has_a_form_for_one(language: str) -> None:
    known = texts(language)
    counted = {key for key, text in known.items() if re.search(r"\{count\} \w", text)}
    counted -= {key for key in known if key.startswith("said.") or key.endswith(".one")}
    assert len(counted) > 8
    assert [key for key in counted if f"{key}.one" not in known] == []
    assert [key for key in known if key.endswith(".one") and "{count}" not in known[key]] == []
