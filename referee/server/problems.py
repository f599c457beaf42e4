"""What goes wrong, as `application/problem+json` (RFC 9457).

Every answer that is no success has the same shape: `type`, `title`, `status`, `code`, `detail`
and, for bad input, `errors` with the place, what was expected there and what was got. The `code`
stays what it is when the sentences are worded anew: pages translate by it.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from enum import StrEnum
from http import HTTPStatus
from pathlib import Path, PurePath
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import ValidationError
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException as StarletteHTTPException

from referee.errors import DeckError, FormatError, RefereeError, shown
from referee.storage import StorageError
from vision.errors import GalleryError, NoTableError, SourceError, VisionError

_log = logging.getLogger(__name__)

Error = dict[str, str]
BODY = "the body"
"""The place of what is wrong with a body as a whole."""


class Code(StrEnum):
    """What went wrong, in a word for programs."""

    BAD_INPUT = "bad-input"
    TOO_LARGE = "too-large"
    NO_FILE = "no-file"
    NO_PICTURE = "no-picture"
    NO_TABLE_SEEN = "no-table-seen"
    NO_VIDEO = "no-video"
    NO_RECORDING = "no-recording"
    NO_CAMERA = "no-camera"
    NO_STREAM = "no-stream"
    NO_DECK_PACK = "no-deck-pack"
    NO_MATCH_FILE = "no-match-file"
    MATCH_CHANGED = "match-changed"
    NAME_TAKEN = "name-taken"
    BAD_NAME = "bad-name"
    UNKNOWN_DECK = "unknown-deck"
    UNKNOWN_TABLE = "unknown-table"
    NOT_FOUND = "not-found"
    NO_ROUND = "no-round"
    TOO_SLOW = "too-slow"
    TOO_MANY_TABLES = "too-many-tables"
    TOKEN_NEEDED = "token-needed"
    KEEPER_ONLY = "keeper-only"
    OTHER_HOST = "other-host"
    OTHER_ORIGIN = "other-origin"
    METHOD_NOT_ALLOWED = "method-not-allowed"
    NOT_KEPT = "not-kept"
    FAILED = "failed"


class Json(JSONResponse):
    """JSON in ASCII: also texts that no UTF-8 can spell (lone surrogates) reach their reader."""

    def render(self, content: Any) -> bytes:
        """Returns the body."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


class Problem(HTTPException):
    """A request that is answered with a problem.

    Args:
        status: The HTTP status.
        code: What went wrong, for programs.
        detail: One sentence for people.
        errors: For bad input: the place, what was expected there and what was got.
    """

    def __init__(self, status: int, code: Code, detail: str, errors: Sequence[Error] = ()) -> None:
        super().__init__(status, detail)
        self.code = code
        self.errors = list(errors)


def bad_input(
    place: str, expected: str, got: str, status: int = 422, code: Code = Code.BAD_INPUT
) -> Problem:
    """Returns the problem of one bad value; a place that is empty is the body as a whole."""
    return _of_errors([_error(place, expected, got)], status, code)


def too_large(place: str, expected: str, got: str = "more") -> Problem:
    """Returns the problem of something that is larger than it may be."""
    return bad_input(place, expected, got, 413, Code.TOO_LARGE)


def answer_problem(problem: Problem, headers: dict[str, str] | None = None) -> Response:
    """Returns a problem as it goes over the wire."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(problem.status_code).phrase,
        "status": problem.status_code,
        "code": problem.code.value,
        "detail": problem.detail,
    }
    if problem.errors:
        body["errors"] = problem.errors
    return Json(body, problem.status_code, headers, media_type="application/problem+json")


def install(app: FastAPI) -> None:
    """Makes an app answer every error with a problem."""

    @app.exception_handler(StarletteHTTPException)
    async def on_http(request: Request, error: StarletteHTTPException) -> Response:
        headers = dict(error.headers) if error.headers else None
        return answer_problem(_of_http(error), headers)

    @app.exception_handler(RequestValidationError)
    async def on_request(request: Request, error: RequestValidationError) -> Response:
        return answer_problem(_of_errors([_of_request(each) for each in error.errors()]))

    @app.exception_handler(FormatError)
    async def on_format(request: Request, error: FormatError) -> Response:
        return answer_problem(of_format(error))

    @app.exception_handler(RefereeError)
    async def on_referee(request: Request, error: RefereeError) -> Response:
        return answer_problem(bad_input("", "what the referee can use", str(error)))

    @app.exception_handler(StorageError)
    async def on_storage(request: Request, error: StorageError) -> Response:
        _log.error("%s %s: %s", request.method, request.url.path, error)
        detail = "Matches cannot be kept now; nothing was changed"
        return answer_problem(Problem(503, Code.NOT_KEPT, detail))

    @app.exception_handler(VisionError)
    async def on_vision(request: Request, error: VisionError) -> Response:
        return answer_problem(of_vision(error, BODY))

    @app.exception_handler(Exception)
    async def on_bug(request: Request, error: Exception) -> Response:
        _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
        detail = "The service failed; its log says where"
        return answer_problem(Problem(500, Code.FAILED, detail))


def of_format(error: FormatError, whole: str = "") -> Problem:
    """Returns the problem of an input that breaks its format.

    Args:
        error: What is wrong.
        whole: The place of the input in the request's body; empty for the body itself.
    """
    place = ".".join(filter(None, (whole, error.place)))
    if not isinstance(error, DeckError):
        return bad_input(place, error.expected, error.got)
    # Of a pack no more is told than what its files are called: not where this machine keeps it.
    file = PurePath(error.file).name
    errors = [_error(place or file, error.expected, error.got)]
    where = f"{file}: {place}" if place else file
    detail = f"{where}: expected {error.expected}, got {error.got}"
    return Problem(422, Code.NO_DECK_PACK, detail, errors)


def of_vision(error: VisionError, place: str, path: Path | None = None) -> Problem:
    """Returns the problem of a picture, video or deck in which nothing can be read.

    Args:
        error: What is wrong.
        place: The place in the request.
        path: Where it was kept meanwhile; that is not told.
    """
    told = str(error).removeprefix(f"{path}: ")
    code, wanted = next(
        (each[1:] for each in _OF_VISION if isinstance(error, each[0])),
        (Code.BAD_INPUT, "what can be read"),
    )
    found = _TOLD.fullmatch(told)
    if found:
        return bad_input(place, found[1], found[2], code=code)
    return Problem(422, code, f"{place}: {told}", [_error(place, wanted, told)])


_TOLD = re.compile(r"expected (.+?),? (?:and )?(?:got:?|found) (.+)", re.DOTALL)
_OF_VISION = (
    (NoTableError, Code.NO_TABLE_SEEN, "a table with cards of the deck"),
    (GalleryError, Code.NO_DECK_PACK, "pictures by which faces can be told apart"),
    (SourceError, Code.NO_PICTURE, "pictures"),
)


def _error(place: str, expected: str, got: str) -> Error:
    return {"place": place or BODY, "expected": expected, "got": got}


def _of_errors(errors: list[Error], status: int = 422, code: Code = Code.BAD_INPUT) -> Problem:
    first = errors[0]
    detail = f"{first['place']}: expected {first['expected']}, got {first['got']}"
    return Problem(status, code, detail, errors[:_MOST_ERRORS])


_MOST_ERRORS = 20
"""Nobody reads more, and as many as were sent could be as much as was sent."""
_OF_STATUS = {404: Code.NOT_FOUND, 405: Code.METHOD_NOT_ALLOWED}


def _of_http(error: StarletteHTTPException) -> Problem:
    """Returns what the framework beneath has refused as a problem of ours."""
    if isinstance(error, Problem):
        return error
    if error.status_code == 400:  # a body of a form or of JSON that it cannot even take apart
        return bad_input("", "a body that can be read", "a damaged or too deeply nested one")
    code = _OF_STATUS.get(error.status_code, Code.BAD_INPUT)
    return Problem(error.status_code, code, str(error.detail))


def first_error(error: ValidationError, place: str) -> FormatError:
    """Returns what is wrong with an object at some place of an input, the first of it."""
    first = error.errors()[0]
    told = _of_pydantic(first, _place_of(first["loc"], place))
    return FormatError(told["place"], told["expected"], told["got"])


def _of_request(error: Any) -> Error:
    _, *steps = error["loc"]  # the first one says whether it is the body, the path or the query
    return _of_pydantic(error, _place_of(steps))


def _of_pydantic(error: Any, place: str) -> Error:
    kind = error["type"]
    if kind == "missing":
        expected = "this key" if place else "an object with named keys"
        return _error(place, expected, "nothing")
    if kind == "extra_forbidden":
        return _error(place, "only keys that are described at /docs", "an unknown key")
    if kind == "json_invalid":
        return _error("", "JSON", f"text that is none from character {error['loc'][-1] + 1} on")
    return _error(place, *_wanted_and_got(kind, error))


_LENGTHS = {
    "too_short": ("min_length", "at least {}"),
    "too_long": ("max_length", "at most {}"),
    "string_too_short": ("min_length", "a text of at least {} characters"),
    "string_too_long": ("max_length", "a text of at most {} characters"),
}
_TYPES = {"string_type": "a text", "dict_type": "an object with named keys", "list_type": "a list"}


def _wanted_and_got(kind: str, error: Any) -> tuple[str, str]:
    got = error.get("input")
    if isinstance(got, bytes):  # it was not even tried to read it as JSON
        return "JSON, sent as application/json", "a body of another type"
    if isinstance(got, UploadFile):
        return "a text", "a file"
    if kind == "value_error" and "UploadFile" in error["msg"]:  # the framework's own word
        return "a file", "a text"
    return _wanted(kind, error), shown(got)


def _wanted(kind: str, error: Any) -> str:
    """Returns what was expected in the words of this house."""
    if kind in _LENGTHS:
        key, text = _LENGTHS[kind]
        wanted = error["ctx"][key]
        return "a text" if (kind, wanted) == ("string_too_short", 1) else text.format(wanted)
    if kind in _TYPES:
        return _TYPES[kind]
    return str(error["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")


def _place_of(steps: Sequence[str | int], place: str = "") -> str:
    """Returns a place as the contract spells it, where the steps begin at another one.

    >>> _place_of(["players", 0]), _place_of(["source", "camera"], "table")
    ('players[0]', 'table.source.camera')
    """
    for step in steps:
        place += f"[{step}]" if isinstance(step, int) else f".{step}" if place else step
    return place
