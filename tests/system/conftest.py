"""A service in a process of its own, and a browser that looks at its page."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.referee.server.running import RunningService
from tests.system.needs import find_browser

PATIENCE_MS = 120_000
"""Much longer than anything takes: on a machine that is busy nothing shall fail for that."""

_MISSING = "/tables/missing"
"""Tables that are not there on purpose have names that begin so."""


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service of the tests' own."""
    with RunningService(tmp_path_factory.mktemp("service")) as running:
        yield running.link.rstrip("/")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The browser of the system; `make test-system` has looked whether it is there."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only these tests need it

    # A container has no sandbox for its root user, and little shared memory.
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    arguments = ["--disable-dev-shm-usage", *(["--no-sandbox"] if is_root else [])]
    with sync_playwright() as running:
        chrome = running.chromium.launch(executable_path=find_browser(), args=arguments)
        yield chrome
        chrome.close()


@pytest.fixture
def open_page(browser: Any, service: str) -> Iterator[Callable[..., Any]]:
    """Opens pages that are on their own; whatever they complain of fails the test."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def opened(path: str = "/", width: int = 1280, height: int = 800, **options: Any) -> Any:
        size = {"width": width, "height": height}
        contexts.append(browser.new_context(viewport=size, locale="en-GB", **options))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda told: complaints.append(told.text) if _is_bad(told) else None)
        page.goto(f"{service}{path}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def _is_bad(told: Any) -> bool:
    if told.type != "error":
        return False
    # A line that a test breaks on purpose, and a refusal that it provokes, are meant.
    expected = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "422", "WebSocket connection")
    is_missed = "404" in told.text and _MISSING in told.location["url"]
    return not is_missed and not any(word in told.text for word in expected)
