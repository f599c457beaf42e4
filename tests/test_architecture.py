"""The borders of the house: who may import whom, and what a fresh process loads."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = [
    "referee.rules",
    "referee.rulings",
    "referee.games.catalog",
    "referee.judge",
    "referee.session",
]
SEAM = ["vision", "vision.table", "vision.errors"]
HEAVY = {
    "numpy", "cv2", "av", "onnxruntime", "torch", "ultralytics", "fastapi", "uvicorn", "pydantic",
    "yaml", "rich", "typer", "reportlab", "datasets", "models",
}  # fmt: skip
IMPURE = {"asyncio", "time", "random", "datetime", "logging", "threading"}


def loaded_by(modules):
    code = f"import sys\nimport {', '.join(modules)}\nprint(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in done.stdout.split()}, set(done.stdout.split())


@pytest.mark.parametrize("modules", [CORE, SEAM], ids=["core", "seam"])
def test_fresh_process_loads_nothing_heavy(modules):
    roots, names = loaded_by(modules)
    assert not roots & HEAVY
    assert set(modules) <= names


def test_core_loads_nothing_of_vision():
    roots, _ = loaded_by(CORE)
    assert "vision" not in roots


@pytest.mark.parametrize("module", ["referee.cli", "referee.decks", "referee.adapter.galapa_go"])
def test_decks_adapter_and_command_line_start_without_pixels(module):
    roots, _ = loaded_by([module])
    assert not roots & {"numpy", "cv2", "av", "torch", "ultralytics"}


def test_the_run_time_loads_no_workshop_and_no_torch():
    roots, _ = loaded_by(["referee.watch"])
    assert not roots & {"models", "datasets", "torch", "ultralytics", "PIL"}


def core_files():
    names = [
        *("rules", "rulings", "judge", "fields", "events", "engines", "match", "session"),
        *("ledger", "sight", "records", "rejudging"),
    ]
    files = [ROOT / "referee" / f"{name}.py" for name in names]
    return files + sorted((ROOT / "referee" / "games").rglob("*.py"))


@pytest.mark.parametrize("path", core_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_core_has_no_clock_and_no_dice(path):
    imported = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert not imported & (IMPURE | HEAVY | {"vision", "os", "pathlib", "io"})


def test_import_contracts_hold():
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_top_of_the_repository_holds_what_the_house_names():
    folders = {
        path.name
        for path in ROOT.iterdir()
        if path.is_dir() and list(path.rglob("*.py")) and not path.name.startswith(".")
    }
    built = {"build", "dist"}
    assert folders - built == {"vision", "referee", "models", "datasets", "tests"}
