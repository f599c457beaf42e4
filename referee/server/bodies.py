"""Bodies that are too large are refused before they are read whole, and slow ones given up."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.server.problems import Code, Problem, answer_problem, too_large
from referee.server.settings import Limits

_FORM_BYTES = 64 << 10
"""What a form has beside the file in it."""


class BodyLimit:
    """Middleware that lets no request body grow past what its path takes in."""

    def __init__(self, app: ASGIApp, limits: Limits, base: str) -> None:
        self._app = app
        self._least = limits.json_bytes
        self._wait_s = limits.body_wait_s
        self._by_path = {
            f"{base}/decks": limits.pack_bytes + _FORM_BYTES,
            f"{base}/score": limits.picture_bytes + _FORM_BYTES,
            f"{base}/recordings": limits.recording_bytes + _FORM_BYTES,
            f"{base}/import": limits.import_bytes + _FORM_BYTES,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, its body counted."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._by_path.get(scope["path"], self._least)
        told = dict(scope["headers"]).get(b"content-length", b"0")
        if told.isdigit() and int(told) > most:
            await answer_problem(_too_large(most))(scope, receive, send)
            return
        await self._app(scope, _counted(receive, most, self._wait_s), send)


def _counted(receive: Receive, most: int, wait_s: float) -> Receive:
    count, is_whole = 0, False

    async def counted() -> Message:
        nonlocal count, is_whole
        if is_whole:  # what comes now is that the other side has gone, whenever that is
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), wait_s)
        except TimeoutError:
            detail = f"The next piece of the body did not come within {wait_s:g} s"
            raise Problem(408, Code.TOO_SLOW, detail) from None
        count += len(message.get("body", b""))
        if count > most:
            raise _too_large(most)
        is_whole = not message.get("more_body", False)
        return message

    return counted


def _too_large(most: int) -> Problem:
    size = f"{most >> 20} MB" if most >= 1 << 20 else f"{most >> 10} kB"
    return too_large("", f"at most {size}")
