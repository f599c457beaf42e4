"""A photographed table: what is laid out, what is won, and which Cameras hide their card."""

from __future__ import annotations

from typing import Any

import pytest

from referee.adapter.stills import judge_still
from referee.games.galapa_go.cards import read_card
from referee.games.galapa_go.model import Card
from tests.referee.adapter.test_placing import card, grid
from vision.table import PieceKind, PieceReading, TableReading

LION = [{"head": "lion", "body": "lion"}]


def deck() -> list[Card]:
    objects: list[dict[str, Any]] = [
        {"id": f"l{row}{column}", "kind": "animal", "animals": LION}
        for row in range(3)
        for column in range(5)
    ]
    objects.append({"id": "w1", "kind": "animal", "animals": LION})
    objects.append({"id": "t1", "kind": "task", "require": ["lion"]})
    objects += [
        {"id": f"cam-{player}", "kind": "camera", "player": player} for player in ("red", "blue")
    ]
    return [read_card(each, "here") for each in objects]


def camera(player: str, x: float, y: float, turn_deg: float = 0.0) -> PieceReading:
    here = card("", x, y, turn_deg)
    return PieceReading(
        PieceKind.CAMERA, 1.0, here.quad_px, here.quad_mm, f"cam-{player}", "camera"
    )


def task() -> PieceReading:
    here = card("t1", 450.0, 100.0)
    return PieceReading(PieceKind.CARD, 1.0, here.quad_px, here.quad_mm, "t1", "task")


def without(*names: str) -> list[PieceReading]:
    return [piece for piece in grid() if piece.face_id not in names]


def judge(*pieces: PieceReading) -> dict[str, Any]:
    return judge_still(TableReading(0.0, 1280, 720, pieces), deck())


@pytest.mark.parametrize(
    ("column", "row"), [(2, 1), (0, 0), (4, 2), (0, 1)], ids=["middle", "corner", "end", "edge"]
)
def test_a_camera_on_a_card_that_cannot_be_seen_is_a_doubt(column: int, row: int) -> None:
    name = f"l{row}{column}"
    pieces = [*without(name), task(), camera("red", 75.0 * column + 8, 100.0 * row - 9, 20.0)]
    answer = judge(*pieces, camera("blue", 150.0, 420.0))
    assert set(answer["layout"]) == {str(piece.face_id) for piece in without(name)}
    assert answer["won"] == {"red": [], "blue": []}
    assert [doubt["text"][:12] for doubt in answer["doubts"]] == ["red's Camera"]


@pytest.mark.parametrize("y", [60.0, 100.0], ids=["between two rows", "beside a row"])
def test_a_camera_that_waits_beside_the_layout_is_none(y: float) -> None:
    answer = judge(*grid(), task(), camera("red", -92.0, y, 90.0), camera("blue", 150.0, 420.0))
    assert len(answer["layout"]) == 15
    assert "doubts" not in answer


def test_a_camera_on_a_seen_card_claims_it() -> None:
    answer = judge(*grid(), task(), camera("red", 80.0, 108.0), camera("blue", 150.0, 420.0))
    assert [(claim["player"], claim["card"]) for claim in answer["claims"]] == [("red", "l11")]
    assert "doubts" not in answer


def test_a_card_beside_a_waiting_camera_is_won() -> None:
    won = card("w1", 240.0, 430.0)
    answer = judge(*grid(), won, task(), camera("red", -150.0, 100.0), camera("blue", 150.0, 420.0))
    assert answer["won"] == {"red": [], "blue": ["w1"]}


def test_a_camera_that_waits_beyond_the_rows_beside_a_won_card_hides_none() -> None:
    won = card("w1", 150.0, -95.0)
    answer = judge(*grid(), won, task(), camera("red", 75.0, -95.0), camera("blue", 150.0, 420.0))
    assert "doubts" not in answer
    assert answer["won"] == {"red": ["w1"], "blue": []}
