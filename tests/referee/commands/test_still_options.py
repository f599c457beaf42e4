"""What people say beside a photograph: refused where it names who or what is not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from referee.cli import app
from referee.commands import pictures
from tests.builders import write_tiny_deck
from tests.referee.refusals import refusal

CORNERS = ("--corners", "0,0", "9,0", "9,9", "0,9")


def score(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["score", *map(str, arguments)])


@pytest.fixture
def photograph(tmp_path: Path) -> Path:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.full((120, 160, 3), 128, np.uint8))
    return path


@pytest.fixture
def island_deck(tmp_path: Path) -> Path:
    """A deck of Exploring Galapagos with one card."""
    pack = write_tiny_deck(tmp_path / "island")
    habitat = "{id: h1, kind: habitat, image: a1.png, value: 1, method: zone, time: day, impact: 0,"
    (pack / "deck.yaml").write_text(
        "format: 1\ngame: exploring-galapagos\nname: Island\ncard_mm: [63, 88]\n"
        f"cards:\n  - {habitat} animals: [{{color: gray-bird, zone: sky}}]}}\n",
        encoding="utf-8",
    )
    return pack


@pytest.mark.parametrize(
    ("options", "owner"),
    [
        (("--seats", "ann@bottom"), "exploring-galapagos"),
        (("--seats", ""), "exploring-galapagos"),
        (("--used", "bottom:time"), "exploring-galapagos"),
        (("--used", "red:time"), "exploring-galapagos"),
        (CORNERS, "panda-gorilla"),
        (("--corners", "0,0", "9,0", "9,9", "none"), "panda-gorilla"),
    ],
)
def test_what_means_nothing_in_the_game_of_the_deck(
    photograph: Path, tmp_path: Path, options: tuple[str, ...], owner: str
) -> None:
    deck = write_tiny_deck(tmp_path / "tiny")
    told = refusal(score(photograph, "--deck", deck, *options))
    assert options[0] in told
    assert f"expected a deck of {owner}, got one of galapa-go" in told


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--used", "bob:time"), "expected one of the players bottom, left, "),
        (("--seats", "ann@top,eve@left", "--used", "bob:time"), "ann or eve, got bob"),
        (("--seats", "ann@top", "--used", "top:time"), "ann, got top"),
        (("--seats", "ann@top", "--used", "ann:time+time"), "every method once"),
    ],
)
def test_methods_of_nobody(
    photograph: Path, island_deck: Path, options: tuple[str, ...], told: str
) -> None:
    assert told in refusal(score(photograph, "--deck", island_deck, *options))


def test_methods_of_somebody_whose_cards_are_not_seen(
    photograph: Path, island_deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer: dict[str, Any] = {"players": [{"name": "bottom"}, {"name": "top"}]}
    monkeypatch.setattr(pictures, "score_picture", lambda *_: answer)
    order = (photograph, "--deck", island_deck, "--json", "--used")
    assert "bottom or top, got left" in refusal(score(*order, "left:time"))
    assert score(*order, "top:time").exit_code == 0


def test_options_of_panda_are_refused_for_exploring(photograph: Path, island_deck: Path) -> None:
    told = refusal(score(photograph, "--deck", island_deck, *CORNERS))
    assert f"{CORNERS[0]}: expected a deck of panda-gorilla, got one of exploring-" in told


def test_every_game_may_be_over(photograph: Path, island_deck: Path, tmp_path: Path) -> None:
    for deck in (island_deck, write_tiny_deck(tmp_path / "tiny")):
        now, then = score(photograph, "--deck", deck), score(photograph, "--deck", deck, "--final")
        assert (now.exit_code, now.output) == (then.exit_code, then.output)


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (("score",), "missing argument 'IMAGE'; `table-referee score --help`"),
        (("score", "t.png"), "missing option '--deck'; `table-referee score --help`"),
        (("score", "t.png", "--deck"), "'--deck' requires an argument; `table-referee score"),
        (("score", "t.png", "--deck", "d", *CORNERS[:4]), "'--corners' requires 4 arguments;"),
        (("score", "t.png", "--deck", "d", *CORNERS, "5,5"), "extra argument"),
        (("score", "t.png", "--deck", "d", "--colour"), "no such option: --colour"),
        (("deck", "burn"), "no such command 'burn'; `table-referee deck --help`"),
        (("--burn",), "no such option: --burn; `table-referee --help`"),
        (("serve", "--port", "door"), "invalid value for '--port'"),
    ],
)
def test_what_cannot_be_typed_is_refused_in_one_sentence(order: tuple[str, ...], told: str) -> None:
    result = CliRunner().invoke(app, [*order], prog_name="table-referee")
    assert told in refusal(result)


@pytest.mark.parametrize(
    "order",
    [
        ("score", "URL", "--deck", "d"),
        ("score", "t.png", "--deck", "URL"),
        ("detect", "URL"),
        ("replay", "URL", "--deck", "d"),
        ("deck", "check", "URL"),
        ("judge", "URL"),
        ("doctor", "--picture", "URL"),
    ],
)
def test_an_address_is_named_as_it_was_typed(order: tuple[str, ...]) -> None:
    url = "https://example.org/a//b.jpg"
    result = CliRunner().invoke(app, [url if word == "URL" else word for word in order])
    assert (
        refusal(result)
        == f"table-referee: {url}: expected a file on this machine, got an address\n"
    )


def test_a_drive_is_no_address() -> None:
    assert "C://table.jpg: expected a file" not in refusal(score("C://table.jpg", "--deck", "d"))
