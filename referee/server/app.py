"""The composition root of the service: settings in, an application out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi_offline import FastAPIOffline
from starlette.concurrency import run_in_threadpool
from starlette.routing import Match, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from referee.server import problems, routes_decks, routes_feed, routes_rules, routes_tables
from referee.server.access import Access
from referee.server.bodies import BodyLimit
from referee.server.schemas import ProblemBody
from referee.server.service import BASE, Service
from referee.server.settings import Settings

_PAGE = Path(__file__).parent / "page"
_ABOUT = (
    "A referee that watches a table: what lies there, who was first, which photos are correct, "
    "what each zoo area scores. Errors are `application/problem+json`."
)
_PROBLEM: dict[str, Any] = {
    "model": ProblemBody,
    "content": {"application/problem+json": {}},
    "description": "What went wrong",
}
_STATUSES = (401, 403, 404, 408, 409, 413, 422, 503)


class _Page(Mount):
    """The page: nothing that is asked of the API is a file of it.

    A route that is asked by a wrong method would be sought among the files, and said to be none.
    """

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Returns whether a request may be for the page."""
        if str(scope["path"]).startswith(f"{BASE}/"):
            return Match.NONE, {}
        return super().matches(scope)


def create_app(settings: Settings) -> FastAPI:
    """Returns the service as an ASGI application; matches are taken up when it starts.

    Raises:
        OSError: if the data folder cannot be made.
        StorageError: if the database cannot be opened.
    """
    service = Service(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await run_in_threadpool(service.start)
        try:
            yield
        finally:
            await run_in_threadpool(service.stop)

    # Its documentation page brings its scripts along: nothing is fetched from other hosts.
    app = FastAPIOffline(
        title="Table Referee",
        version=version("table-referee"),
        description=_ABOUT,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.service = service
    api = APIRouter(prefix=BASE, responses=dict.fromkeys(_STATUSES, _PROBLEM))
    for router in (
        routes_rules.probes,
        routes_rules.router,
        routes_decks.router,
        routes_tables.router,
        routes_feed.router,
    ):
        api.include_router(router)
    app.include_router(api)
    app.include_router(routes_rules.probes, include_in_schema=False)
    if _PAGE.is_dir():
        app.router.routes.append(_Page("/", StaticFiles(directory=_PAGE, html=True)))
    app.add_middleware(BodyLimit, limits=settings.limits, base=BASE)
    app.add_middleware(Access, settings=settings)
    problems.install(app)
    return app
