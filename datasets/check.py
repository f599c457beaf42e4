"""Proves a set of pictures: `python -m datasets.check TRAIN HELD` (hashes, balance, no leak)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from datasets.build import digest
from datasets.scene import CLASSES

app = typer.Typer(add_completion=False, help=__doc__)
console = Console()


def check_set(folder: Path) -> list[str]:
    """Lists what is wrong with one set: its hash, its counts, classes it lacks."""
    path = folder / "manifest.json"
    if not path.is_file():
        return [f"{folder}: no manifest.json; expected a set that datasets.build finished"]
    manifest = json.loads(path.read_text())
    problems = []
    if digest(folder) != manifest["sha256"]:
        problems.append(f"{folder}: its files are not those that manifest.json hashes")
    count = len(list((folder / "images").iterdir()))
    if count != manifest["count"]:
        problems.append(f"{folder}: {count} pictures; manifest.json says {manifest['count']}")
    problems += [
        f"{folder}: no {name} is labelled; expected each class of {', '.join(CLASSES)}"
        for name in CLASSES
        if not manifest["labels"][name]
    ]
    return problems


def leaks(folders: list[Path]) -> list[str]:
    """Lists pictures that lie in two sets."""
    seen: dict[str, Path] = {}
    problems = []
    for folder in folders:
        for path in sorted((folder / "images").iterdir()):
            mark = hashlib.sha256(path.read_bytes()).hexdigest()
            if mark in seen and seen[mark].parent != path.parent:
                problems.append(f"{path}: the same picture as {seen[mark]}")
            seen[mark] = path
    return problems


@app.command()
def main(
    folders: Annotated[list[Path], typer.Argument(exists=True, file_okay=False, help="sets")],
) -> None:
    """Checks sets of pictures alone and against each other; exits with 1 on a problem."""
    problems = [line for folder in folders for line in check_set(folder)] + leaks(folders)
    for line in problems:
        console.print(line)
    if problems:
        raise typer.Exit(1)
    console.print(f"{len(folders)} sets are whole and share no picture")


if __name__ == "__main__":
    app()
