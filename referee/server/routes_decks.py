"""Routes of decks."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from referee.server import schemas
from referee.server.problems import Code, Json, Problem
from referee.server.service import BASE, service_of
from referee.server.shelf import ShelvedDeck
from referee.server.uploads import describes_file, sent_file

router = APIRouter(prefix="/decks", tags=["decks"])
_CACHED = {"Cache-Control": "private, max-age=3600"}


@router.get("", response_model=schemas.DecksBody)
def list_decks(request: Request) -> Response:
    """Every deck: ours, and those that were sent."""
    return Json({"decks": [_short(deck) for deck in service_of(request).shelf.all()]})


@router.post(
    "",
    response_model=schemas.DeckBody,
    status_code=201,
    openapi_extra=describes_file("application/zip"),
)
def add_deck(request: Request, pack: Annotated[bytes, Depends(sent_file)]) -> Response:
    """Keeps a deck pack; the same pack once more is the same deck."""
    deck = service_of(request).shelf.add(pack)
    return Json(_short(deck), 201, {"Location": f"{BASE}/decks/{deck.id}"})


@router.get("/{deck_id}", response_model=schemas.WholeDeckBody)
def get_deck(request: Request, deck_id: str) -> Response:
    """A deck with its faces."""
    deck = service_of(request).deck(deck_id)
    body: dict[str, Any] = {
        "id": deck_id,
        "game": deck.game,
        "name": deck.name,
        "card_mm": list(deck.card_mm),
        "cards": [
            {"id": card.id, "kind": card.kind, "image": f"{BASE}/decks/{deck_id}/images/{card.id}"}
            for card in deck.cards
        ],
    }
    if deck.board is not None:
        body["board"] = {"rows": deck.board.rows, "cols": deck.board.cols}
        body["board"]["image"] = f"{BASE}/decks/{deck_id}/images/board"
    return Json(body)


@router.get("/{deck_id}/images/{card_id}", response_class=Response)
def get_image(request: Request, deck_id: str, card_id: str) -> Response:
    """The picture of a face, or of the board (`board`)."""
    deck = service_of(request).deck(deck_id)
    if card_id == "board" and deck.board is not None:
        return _picture(deck.read_board_bytes())
    try:
        return _picture(deck.read_image_bytes(deck.card(card_id)))
    except KeyError as error:
        raise Problem(404, Code.NOT_FOUND, "The deck has no card of that id") from error


def _picture(data: bytes) -> Response:
    kind = "image/png" if data.startswith(b"\x89PNG") else "image/jpeg"
    return Response(data, media_type=kind, headers=_CACHED)


def _short(shelved: ShelvedDeck) -> dict[str, Any]:
    deck = shelved.deck
    body = {"id": shelved.id, "game": deck.game, "name": deck.name, "cards": len(deck.cards)}
    return {**body, "remarks": list(shelved.remarks)}
