"""Routes of tables: opened, watched, asked, told, corrected, taken along."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import FileResponse, Response
from starlette.concurrency import run_in_threadpool

from referee.server import archive, incoming, schemas, views
from referee.server.access import expect_spoken
from referee.server.evidence import MEDIA_TYPES, NAME
from referee.server.problems import Code, Json, Problem
from referee.server.service import BASE, service_of
from referee.server.tables import Table, answer_of
from referee.server.uploads import chunks_of, describes_file, received

router = APIRouter(tags=["tables"])

Round = Annotated[
    int | None, Query(ge=1, le=10_000, description="The last round, where it is left out.")
]
After = Annotated[int, Query(ge=0, le=10**9, description="Only events after this number.")]


def _table(request: Request, table_id: str) -> Table:
    return service_of(request).hall.find(table_id)


Found = Annotated[Table, Depends(_table)]


@router.get("/tables", response_model=schemas.TablesBody)
async def list_tables(request: Request) -> Response:
    """Every table."""
    return Json({"tables": [answer_of(table) for table in service_of(request).hall.all()]})


@router.post("/tables", response_model=schemas.TableBody, status_code=201)
def open_table(request: Request, order: schemas.NewTable) -> Response:
    """Opens a table and watches it."""
    spec = order.model_dump(mode="json")
    spec["source"] = order.source.model_dump(mode="json", exclude_none=True)
    table = service_of(request).hall.open(spec)
    return Json(answer_of(table), 201, {"Location": f"{BASE}/tables/{table.id}"})


@router.get("/tables/{table_id}", response_model=schemas.TableBody)
async def get_table(table: Found) -> Response:
    """A table."""
    return Json(answer_of(table))


@router.delete("/tables/{table_id}", status_code=204, response_class=Response)
def delete_table(request: Request, table: Found) -> Response:
    """Stops a table and forgets it, its match, evidence and recordings; export it before."""
    service_of(request).hall.remove(table)
    return Response(status_code=204)


@router.get("/tables/{table_id}/photos", response_model=schemas.PhotosBody)
async def get_photos(table: Found, round: Round = None) -> Response:
    """The photos of a round with their verdicts."""
    return Json(views.photos(views.asked_round(table, round)))


@router.get("/tables/{table_id}/claims", response_model=schemas.ClaimsBody)
async def get_claims(table: Found, round: Round = None) -> Response:
    """The claims of a round in their order, with times, intervals and evidence."""
    shown = views.asked_round(table, round)
    return Json(views.claims(table, shown, f"{BASE}/tables/{table.id}"))


@router.get("/tables/{table_id}/areas", response_model=schemas.AreasBody)
def get_areas(table: Found) -> Response:
    """The zoo areas with their packings, and the points won so far."""
    return Json(views.areas(table))


@router.get("/tables/{table_id}/scores", response_model=schemas.ScoresBody)
async def get_scores(table: Found) -> Response:
    """The points of every player, now and after each round."""
    return Json(views.scores(table))


@router.get("/tables/{table_id}/events", response_model=schemas.EventsBody)
async def get_events(table: Found, after: After = 0) -> Response:
    """What happened after an event."""
    records = table.records
    events = [each.to_event() for each in records[after:] if each.is_announced]
    return Json({"events": events, "last_seq": len(records)})


@router.post("/tables/{table_id}/actions", response_model=dict[str, object], status_code=201)
def add_action(request: Request, table: Found, action: schemas.ActionBody) -> Response:
    """Tells what a camera cannot see; the server's clock says when, unless it is told."""
    expect_spoken(request, action.do)
    return Json(table.act(action.model_dump(exclude_none=True)), 201)


@router.post("/tables/{table_id}/corrections", response_model=dict[str, object], status_code=201)
def add_correction(table: Found, correction: schemas.CorrectionBody) -> Response:
    """Says that an event was another one, or none; what followed is judged anew."""
    return Json(table.correct(correction.seq, correction.replace, correction.why), 201)


@router.get("/tables/{table_id}/evidence/{name}", response_class=Response)
def get_evidence(table: Found, name: str) -> Response:
    """A picture that shows a claim, or a film of it."""
    path = table.evidence / name
    if not NAME.fullmatch(name) or not path.is_file():
        raise Problem(404, Code.NOT_FOUND, "There is no evidence of that name")
    return FileResponse(path, media_type=MEDIA_TYPES[path.suffix])


@router.get("/tables/{table_id}/export", response_class=Response)
def export_table(table: Found) -> Response:
    """The match as one file: records, evidence, and which deck was played with."""
    name = f"match-{table.id}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(archive.pack(table), media_type="application/zip", headers=headers)


@router.post(
    "/import",
    response_model=schemas.TableBody,
    status_code=201,
    openapi_extra=describes_file("application/zip"),
)
async def import_table(request: Request) -> Response:
    """Takes in a match that was exported, as a table of its own."""
    service = service_of(request)
    async with received(request) as (file, _):
        settings = service.settings
        table = await run_in_threadpool(incoming.unpack, file, service.hall, settings.limits)
    return Json(answer_of(table), 201, {"Location": f"{BASE}/tables/{table.id}"})


@router.get("/recordings", response_model=schemas.RecordingsBody)
def list_recordings(request: Request) -> Response:
    """Recordings that may be watched."""
    return Json({"recordings": service_of(request).hall.recordings.names()})


@router.post(
    "/recordings",
    response_model=schemas.RecordingsBody,
    status_code=201,
    openapi_extra=describes_file("video/mp4"),
)
async def add_recording(
    request: Request,
    name: Annotated[
        str | None,
        Query(max_length=120, examples=["evening.mp4"], description="Else that of the file."),
    ] = None,
) -> Response:
    """Keeps a recording."""
    recordings = service_of(request).hall.recordings
    async with received(request) as (file, sent_as):
        kept = await run_in_threadpool(recordings.add, name or sent_as, chunks_of(file))
    return Json({"recordings": [kept]}, 201)
