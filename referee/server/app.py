"""The composition root of the service: settings in, an application out."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, FastAPI

from referee.server import problems, routes_decks, routes_rules
from referee.server.bodies import BodyLimit
from referee.server.schemas import ProblemBody
from referee.server.service import BASE, Service
from referee.server.settings import Settings

_ABOUT = (
    "A referee that watches a table: what lies there, who was first, which photos are correct, "
    "what each zoo area scores. Errors are `application/problem+json`."
)
_PROBLEM: dict[str, Any] = {
    "model": ProblemBody,
    "content": {"application/problem+json": {}},
    "description": "What went wrong",
}


def create_app(settings: Settings) -> FastAPI:
    """Returns the service as an ASGI application.

    Raises:
        OSError: if the data folder cannot be made.
    """
    service = Service(settings)
    app = FastAPI(
        title="Table Referee",
        version=version("table-referee"),
        description=_ABOUT,
        docs_url="/docs",
        redoc_url=None,
    )
    app.state.service = service
    api = APIRouter(prefix=BASE, responses=dict.fromkeys((400, 404, 413, 422), _PROBLEM))
    for router in (routes_rules.probes, routes_rules.router, routes_decks.router):
        api.include_router(router)
    app.include_router(api)
    app.include_router(routes_rules.probes, include_in_schema=False)
    app.add_middleware(BodyLimit, limits=settings.limits, base=BASE)
    problems.install(app)
    return app
