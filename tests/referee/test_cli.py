"""The command line as people meet it: help, answers, and one sentence where the input is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import typer
from PIL import Image
from typer.testing import CliRunner, Result

from referee.cli import app
from referee.commands import console
from referee.commands.group import RefereeGroup
from tests.builders import write_tiny_deck
from tests.referee.refusals import refusal

RUN = CliRunner()
COMMANDS = ("demo", "replay", "score", "detect", "judge", "play", "deck")
POSITION = {
    "game": "galapa-go",
    "cards": [
        {"id": "a1", "kind": "animal", "animals": [{"head": "lion", "body": "lion"}]},
        {"id": "a2", "kind": "animal", "animals": [{"head": "gorilla", "body": "lion"}]},
        {"id": "a3", "kind": "animal", "animals": [{"head": "gorilla", "body": "gorilla"}]},
        {"id": "t1", "kind": "task", "require": ["lion"]},
    ],
    "players": ["red", "blue"],
    "lead": "red",
    "variant": "normal",
    "layout": ["a1", "a2", "a3"],
    "deck_left": 12,
    "tasks": ["t1"],
    "won": {"red": [], "blue": []},
    "box": [],
    "actions": [
        {"t": 1.0, "player": "red", "do": "cover", "card": "a1"},
        {"t": 2.0, "player": "blue", "do": "cover", "card": "a3"},
    ],
}


def run(*arguments: object, **options: str) -> Result:
    return RUN.invoke(app, [str(argument) for argument in arguments], **options)


@pytest.fixture
def tiny_deck(tmp_path: Path) -> Path:
    return write_tiny_deck(tmp_path / "tiny")


@pytest.fixture
def question(tmp_path: Path) -> Path:
    path = tmp_path / "position.json"
    path.write_text(json.dumps(POSITION), encoding="utf-8")
    return path


# ---- help and start ---------------------------------------------------------------------------


def test_help_names_every_command():
    result = run("--help")
    assert result.exit_code == 0
    assert all(command in result.stdout for command in COMMANDS)


@pytest.mark.parametrize("command", [*COMMANDS, "deck print", "deck check"])
def test_every_command_explains_itself(command: str):
    result = run(*command.split(), "--help")
    assert result.exit_code == 0
    assert "Usage:" in result.stdout


def test_judge_and_help_load_no_image_library(question: Path):
    program = (
        "import sys; from referee.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "sys.exit(bool({'cv2', 'numpy', 'av'} & set(sys.modules)) * 9)"
    )
    for arguments in (["--help"], ["judge", str(question)]):
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments], capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()


def test_the_version_is_that_of_the_distribution():
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout == f"table-referee {version('table-referee')}\n"


def test_a_program_that_was_not_installed_has_no_version(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(console, "DISTRIBUTION", "table-referee-elsewhere")
    assert "installed" in refusal(run("--version"))


# ---- judge ------------------------------------------------------------------------------------


def test_judge_prints_one_json_object(question: Path):
    result = run("judge", question)
    assert result.exit_code == 0
    ruling = json.loads(result.stdout)
    assert result.stdout.count("\n") == 1
    assert [claim["verdict"] for claim in ruling["claims"]] == ["correct", "wrong"]
    assert ruling["won"] == {"red": ["a1"], "blue": []}


def test_judge_reads_standard_input(question: Path):
    from_file = run("judge", question)
    from_input = run("judge", "-", input=question.read_text(encoding="utf-8"))
    assert from_input.stdout == from_file.stdout != ""


def test_judge_takes_the_cards_from_a_deck(tmp_path: Path, tiny_deck: Path):
    position = {key: value for key, value in POSITION.items() if key != "cards"}
    path = tmp_path / "position.json"
    path.write_text(json.dumps(position), encoding="utf-8")
    assert json.loads(run("judge", path, "--deck", tiny_deck).stdout)["lead"] == "blue"
    assert "cards" in refusal(run("judge", path))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "expected JSON"),
        (b"{", "line 1 column 2"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"[" * 100_000, "without end"),
        (b"[]", "an object"),
        (b"{}", "game"),
        (json.dumps(POSITION | {"players": ["red", "pink"]}).encode(), "pink"),
        (json.dumps(POSITION | {"colour": "red"}).encode(), "colour"),
        (json.dumps(POSITION | {"layout": ["a99"]}).encode(), "a99"),
    ],
)
def test_judge_names_the_file_and_what_is_wrong_in_it(tmp_path: Path, content: bytes, told: str):
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    message = refusal(run("judge", path))
    assert "broken.json" in message
    assert told in message


def test_judge_of_nothing_and_of_a_folder(tmp_path: Path):
    assert "nothing" in refusal(run("judge", tmp_path / "absent.json"))
    assert "folder" in refusal(run("judge", tmp_path))


# ---- decks ------------------------------------------------------------------------------------


def test_deck_check_counts_the_cards(tiny_deck: Path):
    result = run("deck", "check", tiny_deck)
    assert result.exit_code == 0
    assert "3 animal" in result.stdout


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("image: a1.png", "image: a9.png", "a9.png"),
        ("id: a2", "id: a1", "a1"),
        ("lion", "[", "deck.yaml"),
    ],
)
def test_deck_check_names_what_is_wrong(tiny_deck: Path, old: str, new: str, told: str):
    file = tiny_deck / "deck.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    assert told in refusal(run("deck", "check", tiny_deck))


def test_deck_check_looks_at_the_pictures(tiny_deck: Path):
    Image.new("RGB", (60, 84)).save(tiny_deck / "a2.png")
    assert "a2" in refusal(run("deck", "check", tiny_deck))


def test_deck_of_nothing(tmp_path: Path):
    assert "deck.yaml" in refusal(run("deck", "check", tmp_path))
    assert "absent" in refusal(run("deck", "check", tmp_path / "absent"))


def test_deck_print_writes_a_pdf(tiny_deck: Path, tmp_path: Path):
    out = tmp_path / "deck.pdf"
    assert run("deck", "print", tiny_deck, out, "--page", "Letter").exit_code == 0
    assert out.read_bytes().startswith(b"%PDF")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deck.pdf", "tiny"]


def test_deck_print_refuses_other_paper_and_places_it_cannot_write_to(
    tiny_deck: Path, tmp_path: Path
):
    assert "A4" in refusal(run("deck", "print", tiny_deck, tmp_path / "x.pdf", "--page", "A5"))
    assert "absent" in refusal(run("deck", "print", tiny_deck, tmp_path / "absent" / "x.pdf"))
    assert "folder" in refusal(run("deck", "print", tiny_deck, tmp_path))


# ---- what can go wrong around a command ---------------------------------------------------------


def failing_app(error: BaseException) -> typer.Typer:
    broken = typer.Typer(cls=RefereeGroup, pretty_exceptions_enable=False)

    @broken.command()
    def fail() -> None:
        raise error

    @broken.command()
    def other() -> None: ...

    return broken


def test_a_missing_system_library_comes_with_its_remedy():
    error = ImportError("libGL.so.1: cannot open shared object file: No such file or directory")
    message = refusal(RUN.invoke(failing_app(error), ["fail"]))
    assert "libGL.so.1" in message
    assert "apt-get install libgl1" in message


def test_a_fault_of_ours_is_not_hidden():
    result = RUN.invoke(failing_app(ImportError("No module named 'referee.nonsense'")), ["fail"])
    assert isinstance(result.exception, ImportError)


def test_a_full_disk_is_told_in_one_sentence():
    error = OSError(28, "No space left on device", "out.jsonl")
    assert "out.jsonl: No space left" in refusal(RUN.invoke(failing_app(error), ["fail"]))


START = "from referee.cli import main; main()"


@pytest.mark.parametrize(("closed", "status"), [("0<&-", 2), ("1>&-", 0), ("2>&-", 0)])
def test_a_stream_that_was_closed_breaks_nothing(question: Path, closed: str, status: int):
    source = "-" if closed == "0<&-" else question
    order = f"{sys.executable} -c '{START}' judge {source} {closed}"
    done = subprocess.run(["sh", "-c", order], capture_output=True, check=False)
    assert done.returncode == status
    assert b"Traceback" not in done.stderr


def test_a_letter_that_the_console_lacks_is_written_by_its_number(question: Path):
    question.write_text(question.read_text().replace('"a1"', '"\u2713"'), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", START, "judge", str(question)],
        capture_output=True, check=True, env={**os.environ, "PYTHONIOENCODING": "cp1252"},
    )  # fmt: skip
    assert json.loads(done.stdout)["matching"][0] == "\u2713"


def test_a_reader_that_goes_away_ends_the_program_quietly(question: Path):
    program = [sys.executable, "-c", START, "judge", str(question)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        told = child.stderr.read().decode()
    assert told == ""
