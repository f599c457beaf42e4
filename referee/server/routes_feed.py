"""What goes on and on: events over a WebSocket, and the live picture."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from fastapi.responses import Response, StreamingResponse

from referee.server.problems import Problem
from referee.server.routes_tables import Found
from referee.server.service import service_of
from referee.server.tables import Table

router = APIRouter(tags=["tables"])

_BOUNDARY = "frame"
_AGAIN_S = 2.0
_BAD, _GONE = 1008, 1001
"""Why a WebSocket is closed (RFC 6455): what was asked is wrong, or the table has gone."""


@router.websocket("/tables/{table_id}/events")
async def follow_events(socket: WebSocket, table_id: str) -> None:
    """Sends every event after `after`, then each new one; asked again, it goes on where it was."""
    await socket.accept()
    after = socket.query_params.get("after", "0")
    try:
        table = service_of(socket).hall.find(table_id)
    except Problem as error:
        await socket.close(_BAD, error.detail)
        return
    if not after.isascii() or not after.isdigit() or len(after) > 9:
        await socket.close(_BAD, "after: expected the number of an event")
        return
    left = asyncio.create_task(_until_left(socket))
    sending = asyncio.create_task(_send_events(socket, table, int(after)))
    try:
        await asyncio.wait((left, sending), return_when=asyncio.FIRST_COMPLETED)
        if sending.done() and not left.done():
            await socket.close(_GONE, "the table has gone")
    finally:
        for task in (left, sending):
            task.cancel()
        await asyncio.gather(left, sending, return_exceptions=True)


async def _send_events(socket: WebSocket, table: Table, after: int) -> None:
    with table.bell.listen() as event:
        while table.state != "removed":
            event.clear()
            records = table.records
            for record in records[after:]:
                if record.is_announced:
                    await socket.send_text(json.dumps(record.to_event()))
            after = max(after, len(records))
            if table.records is records:
                await event.wait()


async def _until_left(socket: WebSocket) -> None:
    """Returns when the other side has gone; what it says is not for us."""
    try:
        while True:
            await socket.receive_text()
    except (WebSocketDisconnect, KeyError):
        return


@router.get(
    "/tables/{table_id}/picture.mjpg",
    response_class=Response,
    responses={200: {"content": {"multipart/x-mixed-replace": {}}}},
)
async def show_picture(table: Found) -> Response:
    """The annotated picture, live, as MJPEG; slow viewers get fewer pictures, never old ones."""
    media_type = f"multipart/x-mixed-replace; boundary={_BOUNDARY}"
    return StreamingResponse(_parts(table), media_type=media_type)


async def _parts(table: Table) -> AsyncIterator[bytes]:
    table.tell_viewers(1)
    try:
        async for picture in table.latest.pictures(_AGAIN_S):
            head = f"--{_BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}"
            yield head.encode("ascii") + b"\r\n\r\n" + picture + b"\r\n"
            if table.state == "removed":
                return
    finally:
        table.tell_viewers(-1)


@router.get("/tables/{table_id}/picture.jpg", response_class=Response)
async def get_picture(table: Found) -> Response:
    """The newest annotated picture."""
    if not table.latest.picture:
        raise Problem(404, "There is no picture of this table yet")
    return Response(table.latest.picture, media_type="image/jpeg")
