"""What goes wrong, as `application/problem+json` (RFC 9457).

Every answer that is no success has the same shape: `type`, `title`, `status`, `detail` and, for
bad input, `errors` with the place, what was expected there and what was got.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException as StarletteHTTPException

from referee.errors import FormatError, RefereeError, shown
from referee.storage import StorageError
from vision.errors import VisionError

_log = logging.getLogger(__name__)

Error = dict[str, str]


class Json(JSONResponse):
    """JSON in ASCII: also texts that no UTF-8 can spell (lone surrogates) reach their reader."""

    def render(self, content: Any) -> bytes:
        """Returns the body."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


class Problem(HTTPException):
    """A request that is answered with a problem.

    Args:
        status: The HTTP status.
        detail: One sentence for people.
        errors: For bad input: the place, what was expected there and what was got.
    """

    def __init__(
        self,
        status: int,
        detail: str,
        errors: Sequence[Error] = (),
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(status, detail, headers)
        self.errors = list(errors)


def bad_input(place: str, expected: str, got: str, status: int = 422) -> Problem:
    """Returns the problem of one bad value."""
    where = f"{place}: " if place else ""
    errors = [{"place": place, "expected": expected, "got": got}]
    return Problem(status, f"{where}expected {expected}, got {got}", errors)


def answer_problem(
    status: int, detail: str, errors: Sequence[Error] = (), headers: dict[str, str] | None = None
) -> Response:
    """Returns a problem as it goes over the wire."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    if errors:
        body["errors"] = list(errors)
    return Json(body, status, headers, media_type="application/problem+json")


def install(app: FastAPI) -> None:
    """Makes an app answer every error with a problem."""

    @app.exception_handler(StarletteHTTPException)
    async def on_http(request: Request, error: StarletteHTTPException) -> Response:
        errors = error.errors if isinstance(error, Problem) else ()
        headers = dict(error.headers) if error.headers else None
        return answer_problem(error.status_code, str(error.detail), errors, headers)

    @app.exception_handler(RequestValidationError)
    async def on_request(request: Request, error: RequestValidationError) -> Response:
        errors = [_of_pydantic(each) for each in error.errors()]
        first = errors[0]
        detail = f"{first['place']}: expected {first['expected']}, got {first['got']}"
        return answer_problem(422, detail, errors)

    @app.exception_handler(RefereeError)
    async def on_referee(request: Request, error: RefereeError) -> Response:
        errors = []
        if isinstance(error, FormatError):
            errors = [{"place": error.place, "expected": error.expected, "got": error.got}]
        return answer_problem(422, str(error), errors)

    @app.exception_handler(StorageError)
    async def on_storage(request: Request, error: StorageError) -> Response:
        _log.error("%s %s: %s", request.method, request.url.path, error)
        return answer_problem(503, "Matches cannot be kept now; nothing was changed")

    @app.exception_handler(VisionError)
    async def on_vision(request: Request, error: VisionError) -> Response:
        return answer_problem(422, str(error))

    @app.exception_handler(Exception)
    async def on_bug(request: Request, error: Exception) -> Response:
        _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
        return answer_problem(500, "The service failed; its log says where")


def _of_pydantic(error: Any) -> Error:
    place = ".".join(str(step) for step in error["loc"] if step not in ("body", "query", "path"))
    kind = error["type"]
    if kind == "missing":
        return {"place": place, "expected": "this key", "got": "nothing"}
    if kind == "extra_forbidden":
        return {"place": place, "expected": "only keys of the contract", "got": "an unknown key"}
    if kind == "json_invalid":
        return {"place": "the body", "expected": "JSON", "got": str(error["ctx"]["error"])}
    expected = str(error["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")
    return {"place": place or "the body", "expected": expected, "got": shown(error.get("input"))}
