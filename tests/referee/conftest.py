"""Builders on disk that the tests of the referee share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import write_tiny_deck


@pytest.fixture
def tiny_deck(tmp_path: Path) -> Path:
    """A deck pack of six faces, each of one colour."""
    return write_tiny_deck(tmp_path / "tiny")
