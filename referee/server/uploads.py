"""Files that are sent: in a form, whatever its field is called, or as the body itself."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import IO, Any

from fastapi import Request
from starlette.datastructures import UploadFile

from referee.server.problems import Code, bad_input

_IN_MEMORY_BYTES = 4 << 20
_CHUNK_BYTES = 1 << 20


@asynccontextmanager
async def received(request: Request) -> AsyncIterator[tuple[IO[bytes], str]]:
    """Gives the file that a request brings, and the name that it was sent with, if any.

    Raises:
        Problem: if it brings none.
    """
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        async with request.form(max_files=1, max_fields=8) as form:
            for value in form.values():
                if isinstance(value, UploadFile):
                    yield value.file, value.filename or ""
                    return
        raise _nothing_sent()
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES) as file:
        async for chunk in request.stream():
            file.write(chunk)
        if not file.tell():
            raise _nothing_sent()
        file.seek(0)
        yield file, ""


async def sent_file(request: Request) -> bytes:
    """Returns the bytes of the file that a request brings.

    Raises:
        Problem: if it brings none.
    """
    async with received(request) as (file, _):
        return file.read()


def chunks_of(file: IO[bytes]) -> Iterator[bytes]:
    """Yields a file piece by piece."""
    while chunk := file.read(_CHUNK_BYTES):
        yield chunk


def describes_file(media_type: str) -> dict[str, Any]:
    """Returns what the API's description says of a request that brings one file."""
    binary = {"type": "string", "format": "binary"}
    form = {"type": "object", "properties": {"file": binary}, "required": ["file"]}
    content = {media_type: {"schema": binary}, "multipart/form-data": {"schema": form}}
    return {"requestBody": {"required": True, "content": content}}


def _nothing_sent() -> Exception:
    return bad_input("", "a file, in a form or as the body", "none", code=Code.NO_FILE)
