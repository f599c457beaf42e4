"""What goes on and on: events over a WebSocket, and the live picture."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import anyio
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from fastapi.responses import Response, StreamingResponse

from referee.server.problems import Code, Problem
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
    async with anyio.create_task_group() as group:
        group.start_soon(_until_left, socket, group.cancel_scope)
        if await _send_events(socket, table, int(after)):
            await socket.close(_GONE, "the table has gone")
        group.cancel_scope.cancel()


async def _send_events(socket: WebSocket, table: Table, after: int) -> bool:
    """Sends events until the table has gone; returns whether the other side is still there."""
    with table.bell.listen() as event:
        while table.state != "removed":
            event.clear()
            records = table.records
            try:
                for record in records[after:]:
                    if record.is_announced:
                        await socket.send_text(json.dumps(record.to_event()))
            except (WebSocketDisconnect, RuntimeError):
                return False
            after = max(after, len(records))
            if table.records is records:
                await event.wait()
    return True


async def _until_left(socket: WebSocket, scope: anyio.CancelScope) -> None:
    """Ends it all when the other side has gone; what it says is not for us."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
    scope.cancel()


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
    finally:
        table.tell_viewers(-1)


@router.get("/tables/{table_id}/picture.jpg", response_class=Response)
async def get_picture(table: Found) -> Response:
    """The newest annotated picture."""
    if not table.latest.picture:
        raise Problem(404, Code.NOT_FOUND, "There is no picture of this table yet")
    return Response(table.latest.picture, media_type="image/jpeg")
