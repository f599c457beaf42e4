"""What we depend on: declared, used, of a licence that goes with ours, and nothing beside it.

All of this needs no network. Known vulnerabilities are looked up by `make audit`, which does.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata, packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.benchmarks.measuring import measure_environment

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(\[[a-z,]+\])?(?P<version>.*)")
EXTRAS = PROJECT["optional-dependencies"]

USED_BY_OTHERS = {
    "python-multipart": "fastapi reads photographs and packs that are sent with it",
    "websockets": "uvicorn speaks WebSocket with it",
}
COMES_ALONG = {"starlette": "fastapi is made of it", "anyio": "starlette waits by it"}
OPTIONAL = {"psycopg": "the postgres extra", "ultralytics": "reads other weights where it is there"}

GOES_WITH_AGPL_3 = re.compile(
    r"MIT(-CMU)?|0?BSD(-[23]-Clause)?|Apache([ -]2\.0)?|PSF-2\.0|ISC|Zlib|CC0-1\.0|MPL-2\.0"
    r"|LGPL-[23]\.[01](-or-later)?|AGPL-3\.0-or-later"
    r"|(MIT|BSD|ISC|Apache Software|Python Software Foundation) License( \(ISCL\))?"
)
"""Licences whose code may be used in a program under the AGPL 3 (gnu.org's list)."""


def name_of(requirement: str) -> str:
    """Returns a name as package indexes compare them."""
    found = REQUIREMENT.match(requirement)
    assert found
    return re.sub(r"[-_.]+", "-", found["name"]).lower()


@cache
def imported() -> set[str]:
    """Returns the distributions that the run time imports, by the imports in its sources."""
    modules: set[str] = set()
    for path in [*ROOT.glob("referee/**/*.py"), *ROOT.glob("vision/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                modules.add(node.module.partition(".")[0])
    theirs = modules - set(sys.stdlib_module_names) - {"referee", "vision", "_typeshed"}
    known = packages_distributions()
    return {name_of(known.get(module, [module])[0]) for module in theirs}


def licences_of(name: str) -> list[str]:
    """Returns the licences of a distribution: its SPDX expression, else its classifiers."""
    told = metadata(name)
    if told.get("License-Expression"):
        return re.split(r" (?:AND|OR) ", told["License-Expression"])
    classifiers = told.get_all("Classifier") or []
    listed = [each.split(" :: ")[-1] for each in classifiers if each.startswith("License ::")]
    return listed or [(told.get("License") or "none is told").partition("\n")[0]]


@pytest.mark.parametrize("group", ["run time", *EXTRAS])
def test_every_dependency_says_from_which_version_on(group: str) -> None:
    wanted = PROJECT["dependencies"] if group == "run time" else EXTRAS[group]
    without = [each for each in wanted if not re.match(r">=\d", REQUIREMENT.match(each)["version"])]
    assert without == []


def test_everything_that_is_declared_is_used_and_everything_used_is_declared() -> None:
    declared = {name_of(each) for each in PROJECT["dependencies"]}
    assert declared - imported() == set(USED_BY_OTHERS)
    assert imported() - declared <= {*COMES_ALONG, *OPTIONAL}


def test_every_licence_goes_with_ours() -> None:
    needed = list(measure_environment())
    assert {"numpy", "starlette", "h11"} <= {name_of(name) for name in needed}
    others = {
        name: licences_of(name)
        for name in needed
        if not all(GOES_WITH_AGPL_3.fullmatch(each) for each in licences_of(name))
    }
    assert others == {}


@pytest.mark.parametrize(
    ("licence", "does_go"),
    [
        ("MIT", True),
        ("BSD-3-Clause", True),
        ("Apache 2.0", True),
        ("GPL-2.0-only", False),
        ("Proprietary", False),
        ("none is told", False),
    ],
)
def test_licences_are_told_apart(licence: str, does_go: bool) -> None:
    assert bool(GOES_WITH_AGPL_3.fullmatch(licence)) is does_go


def test_the_run_time_needs_neither_torch_nor_a_second_build_of_opencv() -> None:
    names = {name_of(name) for name in measure_environment()}
    assert not names & {"torch", "ultralytics", "onnxruntime", "opencv-python-headless", "scipy"}
    for twin in ("opencv-python-headless", "opencv-contrib-python"):
        with pytest.raises(PackageNotFoundError):
            metadata(twin)  # two of them overwrite each other's files


@pytest.mark.skipif(find_spec("pip") is None, reason="this environment has no pip to ask")
def test_what_is_installed_fits_together() -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "No broken requirements found.\n")
