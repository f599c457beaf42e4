"""Who may do what, and what browsers are told not to do.

On loopback nobody is asked for anything, but only this machine's own names are answered (DNS
rebinding) and no page of another origin may change anything (CSRF). On a network everybody shows
a token: a table keeper may do everything; a player may look, ask the rules and say what is said
at the table, and nothing of what a camera sees.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from enum import StrEnum
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.server.door import answer_page, wants_page
from referee.server.problems import Code, Problem, answer_problem
from referee.server.settings import Settings

COOKIE = "table_referee_token"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_PLAYERS_POST = re.compile(r"/api/v1/(judge|tables/[^/]+/actions)")
_ONLY_KEEPER = "Only the table keeper may do that"
_OPEN = frozenset({"/health", "/api/v1/health"})
_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_DOCS_POLICY = _POLICY + "; script-src 'self' 'unsafe-inline'"
"""The page of the API's description begins with a script inside it."""

_HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"x-frame-options": b"DENY",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=()",
}


class Role(StrEnum):
    """What somebody is at the table."""

    KEEPER = "keeper"
    PLAYER = "player"


SPOKEN = frozenset({"pass", "no-match", "guess", "give-up", "lead"})
"""What players say; where Camera cards lie is seen, or told by the keeper."""


def expect_spoken(request: HTTPConnection, do: str) -> None:
    """Refuses an action of somebody who may only tell what was said.

    Raises:
        Problem: 403 if it is a player's, and nothing that is said.
    """
    if request.state.role is Role.PLAYER and do not in SPOKEN:
        raise Problem(403, Code.KEEPER_ONLY, _ONLY_KEEPER)


class Access:
    """Middleware that lets in whoever may come in, and sets headers on every answer."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or says why not."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        refused = self._refusal(scope, headers)
        scope.setdefault("state", {})["role"] = self._role_of(scope, headers)
        if scope["type"] == "websocket":
            if refused is not None:
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": refused.detail})
                return
            await self._app(scope, receive, send)
            return
        guarded = _with_headers(send, scope["path"], self._cookie(scope, headers))
        needs_token = refused is not None and refused.code is Code.TOKEN_NEEDED
        if needs_token and wants_page(scope["method"], scope["path"], headers):
            await answer_page(headers)(scope, receive, guarded)
            return
        if refused is not None:
            asks = {"WWW-Authenticate": "Bearer"} if refused.status_code == 401 else None
            await answer_problem(refused, asks)(scope, receive, guarded)
            return
        await self._app(scope, receive, guarded)

    def _refusal(self, scope: Scope, headers: Mapping[str, str]) -> Problem | None:
        host = headers.get("host", "")
        known = self._settings.hosts
        if known is not None and _name_of(host) not in known:
            detail = "The service is not called by that name; use the address it has printed"
            return Problem(403, Code.OTHER_HOST, detail)
        is_change = scope["type"] == "websocket" or scope["method"] not in _SAFE
        origin = headers.get("origin")
        if is_change and origin is not None and urlsplit(origin).netloc != host:
            return Problem(403, Code.OTHER_ORIGIN, "Pages of other origins may change nothing here")
        if self._settings.keeper_token is None or scope["path"] in _OPEN:
            return None
        role = self._role_of(scope, headers)
        if role is None:
            detail = "A token is asked for: open the link that the service has printed"
            return Problem(401, Code.TOKEN_NEEDED, detail)
        may = role is Role.KEEPER or scope["type"] == "websocket" or scope["method"] in _SAFE
        if not may and not _PLAYERS_POST.fullmatch(scope["path"]):
            return Problem(403, Code.KEEPER_ONLY, _ONLY_KEEPER)
        return None

    def _role_of(self, scope: Scope, headers: Mapping[str, str]) -> Role | None:
        if self._settings.keeper_token is None:
            return Role.KEEPER
        return self._role(_token(scope, headers))

    def _role(self, token: str) -> Role | None:
        tokens = {
            Role.KEEPER: self._settings.keeper_token,
            Role.PLAYER: self._settings.player_token,
        }
        for role, known in tokens.items():
            if known is not None and secrets.compare_digest(token.encode(), known.encode()):
                return role
        return None

    def _cookie(self, scope: Scope, headers: Mapping[str, str]) -> str | None:
        """Returns the cookie that a link with a token leaves, so that pictures and sockets work."""
        told: str = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[-1]
        if self._settings.keeper_token is None or self._role(told) is None:
            return None
        return f"{COOKIE}={told}; Path=/; HttpOnly; SameSite=Strict"


def _token(scope: Scope, headers: Mapping[str, str]) -> str:
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return token.strip()
    told: list[str] = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
    if told:
        return told[-1]
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return str(cookie.value) if cookie is not None else ""


def _name_of(host: str) -> str:
    """Returns a `Host` without its port.

    >>> _name_of("localhost:8000"), _name_of("[::1]:8000")
    ('localhost', '::1')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _with_headers(send: Send, path: str, cookie: str | None) -> Send:
    policy = _DOCS_POLICY if path == "/docs" else _POLICY

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message["headers"])
            present = {name.lower() for name, _ in headers}
            added = {**_HEADERS, b"content-security-policy": policy.encode()}
            if path.startswith("/api/"):
                added[b"cache-control"] = b"no-store"
            headers += [(name, value) for name, value in added.items() if name not in present]
            if cookie is not None:
                headers.append((b"set-cookie", cookie.encode("latin-1")))
            message = {**message, "headers": headers}
        await send(message)

    return guarded
