"""Routes that need no table: questions to the rules, photographs, health and figures."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, File, Form, Query, Request, UploadFile
from fastapi.responses import Response

from referee.seatings import parse_seats, parse_used
from referee.server import schemas
from referee.server.access import Role
from referee.server.examples import QUESTIONS
from referee.server.problems import Json
from referee.server.service import service_of
from referee.still_orders import StillOptions

router = APIRouter(tags=["rules"])
probes = APIRouter(tags=["service"])


@probes.get("/health", response_model=schemas.Health)
def health(request: Request) -> Response:
    """Says that the service is there; a table keeper is also told what players open."""
    service = service_of(request)
    is_keeper = request.state.role is Role.KEEPER
    link = service.settings.players_link if is_keeper else None
    answer = {**service.health(), "players_link": link}
    return Json(answer, headers={"Cache-Control": "no-store"})


@probes.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
def metrics(request: Request) -> Response:
    """Figures for Prometheus."""
    return Response(service_of(request).metrics(), media_type="text/plain; version=0.0.4")


@router.post("/judge", response_model=dict[str, Any])
async def judge_position(
    request: Request,
    position: Annotated[dict[str, Any], Body(openapi_examples=QUESTIONS)],
    deck: Annotated[
        str | None, Query(description="A deck, where the question brings no cards itself.")
    ] = None,
) -> Response:
    """Puts one question to the rules: a position and what was done in, a ruling out."""
    return Json(await service_of(request).judge(position, deck))


@router.post("/score", response_model=dict[str, Any])
def score_photograph(
    request: Request,
    picture: Annotated[UploadFile, File(description="A photograph of the table, PNG or JPEG.")],
    deck: Annotated[str, Form(description="The deck that is played with.")],
    final: Annotated[bool, Form(description="The game is over: score all.")] = False,
    seats: Annotated[
        str, Form(max_length=400, description="Exploring: `ann@bottom,bob@left`.")
    ] = "",
    used: Annotated[
        str, Form(max_length=400, description="Exploring: `ann:time+zone,bob:color`.")
    ] = "",
) -> Response:
    """Reads a photograph of a table at rest, and answers like `judge` with what was seen."""
    told = StillOptions(
        is_final=final,
        seats=parse_seats(seats) if seats else {},
        used=parse_used([used]) if used else {},
    )
    return Json(service_of(request).score(picture.file.read(), deck, told))
