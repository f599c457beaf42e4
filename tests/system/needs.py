"""`python -m tests.system.needs`: what the system tests need and lack, and how to get it."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_POSTGRES_PLACES = (
    "/usr/lib/postgresql",
    "/usr/local/bin",
    "/usr/local/pgsql/bin",
    "/opt/homebrew/bin",
)


def find_browser() -> str | None:
    """Returns where Chromium or a Chrome lies; CHROMIUM may name it."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _BROWSERS)), None)


def find_postgres(name: str) -> str | None:
    """Returns where a program of PostgreSQL lies: on the path, or where Debian puts it."""
    found = [path for place in _POSTGRES_PLACES for path in sorted(Path(place).glob(f"**/{name}"))]
    return shutil.which(name) or (str(found[-1]) if found else None)


def missing() -> list[str]:
    """Returns a sentence for each thing that is not there."""
    needed = {
        "the browser Chromium is missing: apt-get install chromium, or set CHROMIUM to the path "
        "of a Chrome": find_browser(),
        "the Python package playwright, which drives the browser, is missing: pip install -e "
        "'.[dev]'": find_spec("playwright"),
        "PostgreSQL is missing (initdb and postgres): apt-get install postgresql": find_postgres(
            "initdb"
        )
        and find_postgres("postgres"),
    }
    return [sentence for sentence, found in needed.items() if not found]


if __name__ == "__main__":
    lacking = missing()
    sys.stderr.write("".join(f"make test-system: {sentence}\n" for sentence in lacking))
    sys.exit(bool(lacking))
