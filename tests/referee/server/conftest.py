"""A service of the test's own, and a client that asks it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from referee.server.app import create_app
from referee.server.settings import Settings
from tests.referee.server.running import RECORDINGS

BASE = "/api/v1"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data folder."""
    return tmp_path / "data"


@pytest.fixture
def client(data: Path) -> Iterator[TestClient]:
    """A client of a service on loopback."""
    with TestClient(create_app(Settings(data)), base_url="http://localhost") as client:
        yield client


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of a service that knows the recordings of the tests, for a whole module."""
    settings = Settings(tmp_path_factory.mktemp("data"), recordings=RECORDINGS)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        yield client
