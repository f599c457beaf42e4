"""What the routes ask: decks, tables, rulings and figures, put together from the settings."""

from __future__ import annotations

import tempfile
import threading
from importlib.metadata import version
from pathlib import Path
from typing import Any

from anyio import CapacityLimiter, to_thread
from prometheus_client import generate_latest
from starlette.requests import HTTPConnection

from referee.decks import Deck
from referee.errors import shown
from referee.judge import judge
from referee.pictures import picture_size
from referee.seatings import check_seating, check_users
from referee.server.figures import Figures
from referee.server.folder import FolderLock
from referee.server.hall import Hall
from referee.server.problems import Code, Problem, bad_input, of_vision, too_large
from referee.server.settings import Settings
from referee.server.shelf import DeckShelf
from referee.still_orders import StillOptions
from referee.storage import open_storage
from referee.watch import score_picture
from vision.errors import VisionError

BASE = "/api/v1"


class Service:
    """A running service, without its wire.

    Args:
        settings: What it is started with.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        settings.data.mkdir(parents=True, exist_ok=True)
        self._lock = FolderLock(settings.data)
        self.shelf = DeckShelf(settings.data / "decks", settings.limits)
        self.storage = open_storage(settings.data, settings.database)
        self.hall = Hall(settings, self.shelf, self.storage)
        self.figures = Figures(lambda: [table.figures() for table in self.hall.all()])
        self._reading = threading.Lock()
        self._judging = CapacityLimiter(settings.limits.judges)

    def start(self) -> None:
        """Takes up the matches that are kept, and watches on."""
        self.hall.resume()

    def stop(self) -> None:
        """Stops watching; what is kept stays."""
        self.hall.close()
        self.storage.close()
        self._lock.release()

    def end_pictures(self) -> None:
        """Lets everybody go who looks at a live picture; they would look on for ever."""
        for table in self.hall.all():
            table.latest.close()

    def health(self) -> dict[str, Any]:
        """Returns that the service is there, and how much it does."""
        tables = self.hall.all()
        return {
            "status": "ok",
            "version": version("table-referee"),
            "tables": len(tables),
            "watched": sum(table.is_watched for table in tables),
        }

    def metrics(self) -> bytes:
        """Returns the figures as Prometheus reads them."""
        return generate_latest(self.figures.registry)

    def deck(self, deck_id: str) -> Deck:
        """Returns a deck.

        Raises:
            Problem: 404 if there is none of this id.
        """
        deck = self.shelf.find(deck_id)
        if deck is None:
            raise Problem(404, Code.UNKNOWN_DECK, "There is no deck of that id")
        return deck

    async def judge(self, position: dict[str, Any], deck_id: str | None) -> dict[str, Any]:
        """Puts a question to the rules, beside the event loop and a few at a time.

        Raises:
            FormatError: if it cannot be answered.
            Problem: if there is no deck of this id, or too much is asked.
        """
        offer, most = position.get("offer"), self.settings.limits.offered
        if isinstance(offer, list) and len(offer) > most:
            raise bad_input("offer", f"at most {most} cards", shown(offer))

        def answer() -> dict[str, Any]:
            return judge(position, None if deck_id is None else self.deck(deck_id))

        return await to_thread.run_sync(answer, limiter=self._judging)

    def score(self, picture: bytes, deck_id: str, options: StillOptions) -> dict[str, Any]:
        """Reads a photograph of a table at rest.

        Args:
            picture: PNG or JPEG.
            deck_id: The deck that is played with.
            options: What people say beside the picture.

        Raises:
            FormatError: if something is said that cannot be.
            Problem: if it is no picture, or too large.
            VisionError: if nothing can be read from it.
        """
        size, most = picture_size(picture), self.settings.limits.pixels
        if size is None:
            raise bad_input("picture", "a PNG or JPEG picture", "other data", code=Code.NO_PICTURE)
        if size[0] * size[1] > most:
            expected = f"at most {most / 1e6:g} million pixels"
            raise too_large("picture", expected, f"{size[0]} x {size[1]}")
        deck = self.deck(deck_id)
        check_seating(deck.game, None, options.seats, options.used)
        # One at a time: a photograph takes all cores for a second, and live tables go before.
        with self._reading, tempfile.TemporaryDirectory(dir=self.settings.data) as folder:
            path = Path(folder) / "picture"
            path.write_bytes(picture)
            try:
                answer = score_picture(path, deck, options.is_final, options=options)
            except VisionError as error:
                raise of_vision(error, "picture", path) from error
        if options.used:
            check_users(options.used, {}, [player["name"] for player in answer["players"]])
        return answer


def service_of(request: HTTPConnection) -> Service:
    """Returns the service that a request is for."""
    service: Service = request.app.state.service
    return service
