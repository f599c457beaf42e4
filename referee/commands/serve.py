"""`table-referee serve`: the service, until it is told to stop."""

from __future__ import annotations

import contextlib
import logging
import secrets
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import segno
import uvicorn
from fastapi import FastAPI

from referee.commands.console import CommandError, output
from referee.commands.tellings import live_painter
from referee.server.app import create_app
from referee.server.service import Service
from referee.server.settings import LOOPBACK, Settings

_ANYWHERE = frozenset({"0.0.0.0", "::"})
_SOCKET_BYTES = 4096
"""What may come over a WebSocket at once: its events go the other way."""
_STOP_S = 5
"""How long whoever still asks may take when the service stops."""


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
    database: str | None = None
    recordings: Path | None = None


def serve(order: ServeOrder, visit: Callable[[str], None] | None = None) -> None:
    """Serves until it is told to stop.

    Args:
        order: Where, and from what.
        visit: Called beside the service with the keeper's link, which answers by then.

    Raises:
        CommandError: If the data folder or the address cannot be used.
        StorageError: If the database cannot be used.
    """
    if order.recordings is not None and not order.recordings.is_dir():
        raise CommandError(f"--recordings: expected a folder, got {order.recordings}")
    if not order.host.strip():
        raise CommandError("--host: expected an address such as 127.0.0.1 or 0.0.0.0, got nothing")
    settings = replace(settings_of(order), painter=live_painter)
    # First the address: where it cannot be had, nothing is written.
    with _listen(order) as listening:
        port = listening.getsockname()[1]
        settings = replace(settings, players_link=_players_link(order, settings, port))
        app = _open(order, settings)
        logging.basicConfig(format="%(levelname)s %(name)s: %(message)s", level=logging.WARNING)
        _tell(order, settings, port)
        if visit is not None:
            # The link answers already: whoever asks waits in the queue until the service is there.
            link = link_of(order.host, port, settings.keeper_token)
            threading.Thread(target=visit, args=(link,), daemon=True).start()
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_STOP_S,
            ws_max_size=_SOCKET_BYTES,
        )
        with contextlib.suppress(KeyboardInterrupt):
            _Server(config, app.state.service).run(sockets=[listening])


def _open(order: ServeOrder, settings: Settings) -> FastAPI:
    try:
        return create_app(settings)
    except OSError as error:
        raise CommandError(
            f"{order.data}: expected a folder to write to: {error.strerror}"
        ) from error


class _Server(uvicorn.Server):
    """A server that ends the live pictures when it stops, and does not wait for their viewers."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stops listening and lets everybody go."""
        self._service.end_pictures()
        await super().shutdown(sockets)


def settings_of(order: ServeOrder) -> Settings:
    """Returns what the service is started with: tokens where others than this machine may come."""
    if order.host in LOOPBACK:
        return Settings(order.data, order.database, order.recordings, hosts=LOOPBACK)
    keeper, player = secrets.token_urlsafe(16), secrets.token_urlsafe(9)
    return Settings(order.data, order.database, order.recordings, keeper, player)


def link_of(host: str, port: int, token: str | None) -> str:
    """Returns what people open in a browser.

    >>> link_of("::1", 8000, None)
    'http://[::1]:8000/'
    """
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/" + (f"?token={token}" if token else "")


def _players_link(order: ServeOrder, settings: Settings, port: int) -> str | None:
    token = settings.player_token
    return None if token is None else link_of(_known_host(order), port, token)


def _known_host(order: ServeOrder) -> str:
    """Returns the host by which others reach the service."""
    return _own_address() if order.host in _ANYWHERE else order.host


def _listen(order: ServeOrder) -> socket.socket:
    family = socket.AF_INET6 if ":" in order.host else socket.AF_INET
    # Only of a socket that says TCP does asyncio turn off Nagle's 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((order.host, order.port))
        listening.listen(2048)  # whoever opens the link at once waits until the service is there
    except OSError as error:
        listening.close()
        raise CommandError(
            f"--host {order.host} --port {order.port}: expected an address to listen on: "
            f"{error.strerror or error}"
        ) from error
    return listening


def _tell(order: ServeOrder, settings: Settings, port: int) -> None:
    console = output()
    host = _known_host(order)
    if settings.keeper_token is None:
        console.print(f"Table Referee: {link_of(host, port, None)}", markup=False, soft_wrap=True)
        console.print("Only this machine can open it. Stop with Ctrl-C.")
    else:
        for who, token in (
            ("Table keeper (may do everything)", settings.keeper_token),
            ("Players (may look, and say what is said at the table)", settings.player_token),
        ):
            link = link_of(host, port, token)
            console.print(f"{who}: {link}", markup=False, soft_wrap=True)
            segno.make(link, micro=False).terminal(out=sys.stdout, compact=True, border=1)
    sys.stdout.flush()


def _own_address() -> str:
    """Returns the address by which the network knows this machine; nothing is sent for that."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation (RFC 5737)
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
