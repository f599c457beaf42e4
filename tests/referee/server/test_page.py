"""The page's files: served, complete in both languages, and nothing fetched from elsewhere."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from referee.adapter.exploring_sides import SIDES
from referee.games.catalog import GAMES
from referee.games.exploring_galapagos.model import Method
from referee.rulings import read_rulings

PAGE = Path(str(files("referee.server"))) / "page"
ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = sorted(PAGE.rglob("*.js"))
FILES = sorted(path for path in PAGE.rglob("*") if path.is_file())
LANGUAGES = ("en", "de")
TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": ("text/javascript", "application/javascript"),
    ".json": "application/json",
    ".svg": "image/svg+xml",
}

# `t("key"`, `tOr("key"`, and the same with a template whose beginning is fixed.
_KEY = re.compile(r"""\bt(?:Or)?\(\s*"([^"]+)\"""")
_BEGINNING = re.compile(r"\bt(?:Or)?\(\s*`([^$`]+)\$\{")
_LOOKED_UP = re.compile(r"const WORDS = (\[[^\]]+\])")
_CHOICE = re.compile(r"""\bt\([^"`()]+\?\s*"([^"]+)"\s*:\s*"([^"]+)\"""")


def texts(language: str) -> dict[str, str]:
    found = json.loads((PAGE / "texts" / f"{language}.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def without_comments(script: str) -> str:
    return re.sub(r"^\s*//[^\n]*$|^\s*/\*\*.*?\*/", "", script, flags=re.MULTILINE | re.DOTALL)


def code() -> str:
    return "\n".join(without_comments(path.read_text(encoding="utf-8")) for path in SCRIPTS)


def test_the_page_is_served_at_the_root(client: TestClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "Table Referee" in answer.text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PAGE).as_posix())
def test_every_file_is_served_as_what_it_is(client: TestClient, path: Path) -> None:
    answer = client.get(f"/{path.relative_to(PAGE).as_posix()}")
    assert answer.status_code == 200
    assert answer.content == path.read_bytes()
    assert answer.headers["content-type"].startswith(TYPES[path.suffix])


def test_the_api_goes_before_the_page(client: TestClient) -> None:
    assert client.get("/api/v1/health").json()["status"] == "ok"
    assert client.get("/docs").status_code == 200
    assert client.get("/openapi.json").status_code == 200


def test_every_language_has_the_same_texts() -> None:
    first, *others = (texts(language) for language in LANGUAGES)
    for other in others:
        assert list(other) == list(first)
    assert all(text.strip() for language in LANGUAGES for text in texts(language).values())


def test_translations_have_the_same_blanks() -> None:
    english, german = texts("en"), texts("de")
    blanks = {key: set(re.findall(r"\{(\w+)\}", text)) for key, text in english.items()}
    assert {key: set(re.findall(r"\{(\w+)\}", text)) for key, text in german.items()} == blanks


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_that_the_code_uses_is_missing(language: str) -> None:
    known, source = texts(language), code()
    used = set(_KEY.findall(source))
    used |= {key for pair in _CHOICE.findall(source) for key in pair}
    assert len(used) > 100
    assert sorted(used - set(known)) == []
    beginnings = set(_BEGINNING.findall(source))
    assert len(beginnings) > 10
    assert [part for part in beginnings if not any(key.startswith(part) for key in known)] == []


def test_no_text_is_left_over() -> None:
    source = code()
    written = set(re.findall(r'"([^"\n]*)"', source))
    beginnings = [*_BEGINNING.findall(source), "said."]
    # Those that are looked up by what the service says: `test_page_texts` asks whether it does.
    (looked_up,) = _LOOKED_UP.findall(source)
    beginnings += [f"{word}." for word in json.loads(looked_up)]
    keys = {key.removesuffix(".one") for key in texts("en")}
    assert [k for k in keys if k not in written and not k.startswith(tuple(beginnings))] == []


def test_every_house_ruling_can_be_chosen() -> None:
    source = (PAGE / "views" / "setup.js").read_text(encoding="utf-8")
    for game, names in re.findall(r'^  "([a-z-]+)": \{ (\w+: \[.*)\},$', source, re.MULTILINE):
        assert game in GAMES
        for name, values in re.findall(r"(\w+): (\[.*?\])", names):
            for value in json.loads(values):
                read_rulings(game, {name: value}, "rulings")
                word = str(value).lower() if isinstance(value, bool) else value
                assert f"ruling.{name}.{word}" in texts("en")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PAGE).as_posix())
def test_nothing_is_fetched_from_elsewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    # Names of XML vocabularies look like addresses, but nobody fetches them.
    text = text.replace("http://www.w3.org/2000/svg", "")
    assert re.findall(r"(?:https?|wss?)?://[\w-]+\.[\w.-]+", text.replace("rtsp://", "")) == []
    assert re.findall(r"""(?:src|href|url|import|from)\s*[=(]?\s*["']//""", text) == []


def test_nothing_runs_or_looks_from_within_the_html() -> None:
    html = (PAGE / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<script(?![^>]*\bsrc=)", html) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=|javascript:", html) == []


def test_scripts_make_no_code_and_no_markup_of_texts() -> None:
    risky = (
        r"\beval\(|new Function|\.innerHTML\s*=(?!=)|insertAdjacentHTML|outerHTML|document\.write"
    )
    assert re.findall(risky, code()) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(PAGE).as_posix())
def test_every_import_leads_to_a_file_and_a_name(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    for names, target in re.findall(r'import \{([^}]+)\} from "([^"]+)"', source):
        imported = (path.parent / target).resolve()
        assert imported.is_file()
        exported = set(
            re.findall(r"export (?:async )?(?:function|const|class) (\w+)", imported.read_text())
        )
        assert {name.strip() for name in names.split(",") if name.strip()} <= exported


def test_the_wheel_has_every_file_of_the_page() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["referee"]
    package = PAGE.parents[1]
    packed = {path for pattern in patterns for path in package.glob(pattern)}
    assert [path.relative_to(PAGE).as_posix() for path in FILES if path not in packed] == []


def test_seats_are_asked_for_at_every_side_and_every_method() -> None:
    source = (PAGE / "parts" / "seats.js").read_text(encoding="utf-8")
    asked = dict(re.findall(r"^const (\w+) = (\[.*?\]);", source, re.MULTILINE))
    assert json.loads(asked["SIDES"]) == [*SIDES]
    assert json.loads(asked["METHODS"]) == [method.value for method in Method]
