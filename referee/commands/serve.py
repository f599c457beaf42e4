"""`table-referee serve`: the service, until it is told to stop."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import uvicorn

from referee.commands.console import CommandError
from referee.server.app import create_app
from referee.server.settings import Settings


@dataclass(frozen=True, slots=True)
class ServeOrder:
    """Where to serve, and from what.

    Attributes:
        host: The address to listen on.
        port: The port to listen on.
        data: Folder for matches, decks, recordings and evidence.
        database: URL of a PostgreSQL database, or None for a file in the data folder.
        recordings: A second folder from which recordings may be watched.
    """

    host: str
    port: int
    data: Path
    database: str | None
    recordings: Path | None


def serve(order: ServeOrder) -> None:
    """Serves until it is told to stop.

    Raises:
        CommandError: If the data folder cannot be used.
    """
    settings = Settings(order.data, order.database, order.recordings)
    try:
        app = create_app(settings)
    except OSError as error:
        raise CommandError(
            f"{order.data}: expected a folder to write to: {error.strerror}"
        ) from error
    uvicorn.run(app, host=order.host, port=order.port, log_level="warning")
