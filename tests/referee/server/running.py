"""A service that really listens, and a table on it, for tests of what TestClient cannot show."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2

RECORDINGS = Path(__file__).parents[2] / "data" / "recordings"
BASE = "/api/v1"
TINY = {
    "game": "galapa-go",
    "deck": "galapa-go",
    "source": {"recording": "tiny.mp4"},
    "players": ["orange", "green"],
    "lead": "orange",
    "realtime": False,
}
SAMPLE = {
    **TINY,
    "source": {"recording": "sample.mp4"},
    "players": ["yellow", "green", "orange"],
    "lead": "green",
}
PATIENCE_S = 300.0


def wait_for(what: Callable[[], Any], patience_s: float = PATIENCE_S) -> Any:
    """Returns what a question answers once the answer is no longer empty."""
    until = time.monotonic() + patience_s
    while not (answer := what()):
        assert time.monotonic() < until, f"waited {patience_s:g} s in vain"
        time.sleep(0.05)
    return answer


class RunningService:
    """`table-referee serve` as a process."""

    def __init__(self, data: Path, *options: str) -> None:
        self._options = [
            "--port", "0", "--data", str(data), "--recordings", str(RECORDINGS), *options,
        ]  # fmt: skip
        self.start()

    def start(self) -> None:
        code = "from referee.cli import main; main()"
        command = [sys.executable, "-c", code, "serve", *self._options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.told = self.process.stdout.readline()
        assert "http://" in self.told, "the service did not start"
        self.link = self.told.split()[-1]
        self.client = httpx2.Client(base_url=self.link.partition("?")[0] + "api/v1", timeout=30)

    def kill(self) -> None:
        """Ends the service as hard as it can be ended."""
        self.client.close()
        os.kill(self.process.pid, signal.SIGKILL)
        self._reap()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.client.close()
            self.process.terminate()
            self._reap()

    def __enter__(self) -> RunningService:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def _reap(self) -> None:
        try:
            self.process.wait(30)
        finally:
            assert self.process.stdout is not None
            self.process.stdout.close()

    def open_table(self, spec: dict[str, Any]) -> str:
        answer = self.client.post("/tables", json=spec)
        assert answer.status_code == 201, answer.text
        return f"/tables/{answer.json()['id']}"

    def url_of(self, table: str) -> str:
        return f"{str(self.client.base_url).rstrip('/')}{table}"

    def first_picture(self, table: str) -> httpx2.Response:
        """Waits until a table is watched: until then it has no picture."""

        def look() -> httpx2.Response | None:
            answer = self.client.get(f"{table}/picture.jpg")
            return answer if answer.status_code == 200 else None

        picture: httpx2.Response = wait_for(look)
        return picture

    def events(self, table: str, after: int = 0) -> list[dict[str, Any]]:
        answer = self.client.get(f"{table}/events", params={"after": after})
        events: list[dict[str, Any]] = answer.json()["events"]
        return events

    def state(self, table: str) -> str:
        return str(self.client.get(table).json()["state"])

    def metrics(self) -> str:
        return self.client.get("/metrics").text
