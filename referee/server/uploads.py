"""Files that are sent: in a form, whatever its field is called, or as the body itself."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from starlette.datastructures import UploadFile

from referee.server.problems import bad_input


async def sent_file(request: Request) -> bytes:
    """Returns the bytes of the file that a request brings.

    Raises:
        Problem: if it brings none.
    """
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        data = await request.body()
    else:
        data = b""
        async with request.form(max_files=1, max_fields=8) as form:
            for value in form.values():
                if isinstance(value, UploadFile):
                    data = await value.read()
    if not data:
        raise bad_input("the body", "a file, in a form or as the body", "none")
    return data


def describes_file(media_type: str) -> dict[str, Any]:
    """Returns what the API's description says of a request that brings one file."""
    binary = {"type": "string", "format": "binary"}
    form = {"type": "object", "properties": {"file": binary}, "required": ["file"]}
    content = {media_type: {"schema": binary}, "multipart/form-data": {"schema": form}}
    return {"requestBody": {"required": True, "content": content}}
