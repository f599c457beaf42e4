"""Files that commands write: never over what they read, and refused before the work."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from referee.cli import app
from referee.commands import pictures
from referee.commands.console import CommandError
from referee.commands.outputs import expect_apart, replacing
from tests.builders import write_tiny_deck
from tests.referee.refusals import refusal


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a deck, a picture and a text."""
    write_tiny_deck(tmp_path / "deck")
    cv2.imwrite(str(tmp_path / "table.png"), np.full((120, 160, 3), 90, np.uint8))
    (tmp_path / "game.mp4").write_text("no film", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("outputs", "inputs"),
    [
        ([], ["table.png"]),
        ([None, "new.png"], ["table.png", "deck", None]),
        (["deck/new.pdf"], ["deck"]),
        (["game.mp4"], ["table.png", "absent"]),
    ],
)
def test_what_lies_apart(files: Path, outputs: list[str | None], inputs: list[str | None]) -> None:
    expect_apart(*([None if p is None else files / p for p in ps] for ps in (outputs, inputs)))


@pytest.mark.parametrize(
    ("outputs", "inputs", "told"),
    [
        (["table.png"], ["table.png"], "than those that are read"),
        (["deck/../table.png"], ["table.png"], "than those that are read"),
        (["deck/a1.png"], ["deck"], "than those that are read"),
        (["new.png", "new.png"], [], "of its own"),
    ],
)
def test_what_does_not(files: Path, outputs: list[str], inputs: list[str], told: str) -> None:
    with pytest.raises(CommandError, match=told):
        expect_apart(*([files / path for path in paths] for paths in (outputs, inputs)))


@pytest.mark.parametrize(
    "order",
    [
        ("detect", "table.png", "--out", "table.png"),
        ("score", "table.png", "--deck", "deck", "--out", "deck/a1.png"),
        ("doctor", "--picture", "table.png", "--out", "table.png"),
        ("replay", "game.mp4", "--deck", "deck", "--out", "game.mp4"),
        ("replay", "game.mp4", "--deck", "deck", "--video", "game.mp4"),
        ("watch", "--camera", "game.mp4", "--deck", "deck", "--out", "deck/deck.yaml"),
        ("deck", "print", "deck", "deck/deck.yaml"),
    ],
    ids=" ".join,
)
def test_no_command_writes_over_what_it_reads(
    files: Path, order: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    before = {path: path.read_bytes() for path in files.rglob("*") if path.is_file()}
    assert order[-1] in refusal(run(*order))
    assert {path: path.read_bytes() for path in files.rglob("*") if path.is_file()} == before


def test_a_film_needs_the_name_of_a_film(files: Path) -> None:
    order = ("replay", files / "game.mp4", "--deck", files / "deck", "--video", files / "film.txt")
    assert "film.txt: expected a name ending in .mp4, .mkv or .mov" in refusal(run(*order))


@pytest.mark.parametrize("out", ["absent/x.png", "deck", "x.txt", "x"])
def test_a_place_that_cannot_be_written_to_is_found_before_the_work(
    files: Path, out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("the picture was read")

    monkeypatch.chdir(files)
    monkeypatch.setattr(pictures, "detect_picture", fail)
    monkeypatch.setattr(pictures, "score_picture", fail)
    assert out in refusal(run("detect", "table.png", "--out", out))
    assert out in refusal(run("score", "table.png", "--deck", "deck", "--out", out))


def test_a_failure_leaves_what_was_there(files: Path) -> None:
    def write() -> None:
        with replacing(files / "game.mp4") as unfinished:
            unfinished.write_text("half", encoding="utf-8")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert (files / "game.mp4").read_text(encoding="utf-8") == "no film"
    assert not list(files.glob(".*"))
