"""`python -m tests.acceptance RECORDINGS [NAME ...]`: one row a recording, a total, the thresholds.

Exits 1 below a threshold and 2 where the folder is missing. Names restrict the run to recordings
and stills that have one of them in their own, for work on a single one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from referee.decks import Deck
from tests.acceptance.boards import run_board
from tests.acceptance.cases import run_cases
from tests.acceptance.comparing import Tally
from tests.acceptance.island_videos import IslandRun, run_islands
from tests.acceptance.photos import PhotoRun, run_photos
from tests.acceptance.stills import StillRun, run_still
from tests.acceptance.tables import run_table
from tests.acceptance.thresholds import (
    BOARDS_RIGHT,
    FRAMES_OFF,
    ISLAND_ROUNDS,
    ISLANDS_RIGHT,
    OTHER_ROUNDS,
    PHOTO_FALSE,
    PHOTO_RECALL_LOOSE,
    PHOTO_RECALL_TIGHT,
    PLAIN_ROUNDS,
    REPLAY_SPEED,
    STILL_IDENTITIES,
    STILL_WRONG,
    TABLES_RIGHT,
    WITHIN_DT,
    WITHIN_ONE_FRAME,
    WITHIN_TWO_FRAMES,
    WRONG_ORDERS,
    ZOO_TIMES,
    ZOOS_RIGHT,
    Check,
)
from tests.acceptance.true_stills import ScoredRun
from tests.acceptance.videos import Replayed, Run, run_recording
from tests.acceptance.zoo_videos import ZooRun, run_zoo

_GAME = "galapa"
_QUESTIONS_OF = ("galapa", "exploring", "panda")
_BELOW_THRESHOLD, _NOTHING_TO_RUN = 1, 2


@dataclass(frozen=True, slots=True)
class _ScoredGame:
    """A game whose photographs are scored: how, and which share must be entirely right."""

    run: Callable[[Path, dict[Path, Deck]], ScoredRun]
    what: str
    wanted: float


_TABLES = _ScoredGame(run_table, "Exploring tables entirely right", TABLES_RIGHT)
_BOARDS = _ScoredGame(run_board, "Panda boards entirely right", BOARDS_RIGHT)


def main(arguments: Sequence[str]) -> int:
    """Runs all that is asked for and returns the exit status."""
    console = Console(width=None if sys.stdout.isatty() else 140, highlight=False)
    folder, names = Path(arguments[0] if arguments else "../shared/recordings"), arguments[1:]
    if not folder.is_dir():
        console.print(
            f"{folder.resolve()}: expected practice recordings with truth, got no such folder; "
            "nothing was run. Name another: make acceptance RECORDINGS=FOLDER",
            soft_wrap=True,
        )
        return _NOTHING_TO_RUN

    def is_wanted(path: Path) -> bool:
        return not names or any(name in path.name for name in names)

    videos = filter(is_wanted, sorted((folder / _GAME).glob("*.mp4")))
    stills = sorted((folder / _GAME / "stills").glob("*.truth.json"))
    stills += sorted((folder / "galapa-pbr").glob("*.truth.json"))
    tables = _stills_in(folder / "exploring")
    checks = [
        *_run_videos(console, videos),
        *_run_stills(console, filter(is_wanted, stills)),
        *_run_scored(console, filter(is_wanted, tables), _TABLES),
        *_run_islands(console, filter(is_wanted, sorted((folder / "exploring").glob("*.mp4")))),
        *_run_scored(console, filter(is_wanted, _stills_in(folder / "panda")), _BOARDS),
        *_run_zoos(console, filter(is_wanted, sorted((folder / "panda").glob("*.mp4")))),
        *_run_photos(console, folder.parent / "photos", is_wanted),
        *_run_cases(console, folder.parent / "cases", bool(names)),
    ]
    if not checks:
        console.print(f"{folder.resolve()}: nothing of Galapa Go to run", soft_wrap=True)
        return _NOTHING_TO_RUN
    _print_checks(console, checks)
    return 0 if all(check.is_met for check in checks) else _BELOW_THRESHOLD


def _run_videos(console: Console, videos: Iterator[Path]) -> list[Check]:
    table = Table(
        "Recording", "Rounds right", "Claims found", "False", "Wrong orders", "±1 frame",
        "±2 frames", "Inside t±dt", "Worst", "Speed / decoding", title="Recordings",
    )  # fmt: skip
    runs: list[Run] = []
    for video in videos:
        run = run_recording(video)
        runs.append(run)
        name = run.replayed.name
        table.add_row(name, *_tally_cells(run.tally), _speed(run.replayed))
        _tell(console, name, f"{run.tally.rounds_right} of {run.tally.rounds} rounds right")
        _tell_all(console, run.tally.faults, run.replayed)
    if not runs:
        return []
    total = _total(runs)
    decode_s = sum(run.replayed.decode_s for run in runs)
    replay_s = sum(run.replayed.replay_s for run in runs)
    table.add_section()
    table.add_row("total", *_tally_cells(total), _speed_words(decode_s, replay_s))
    console.print(table)
    plain = _total([run for run in runs if run.is_plain])
    others = _total([run for run in runs if not run.is_plain])
    rounds = (
        Check("rounds of plain recordings right", plain.share_right, PLAIN_ROUNDS),
        Check("rounds of all others right", others.share_right, OTHER_ROUNDS),
    )
    return [
        *(check for check, tally in zip(rounds, (plain, others), strict=True) if tally.rounds),
        Check("claims in wrong order", total.wrong_orders, WRONG_ORDERS, False, True),
        Check("claim times within one frame", total.share_within(1), WITHIN_ONE_FRAME),
        Check("claim times within two frames", total.share_within(2), WITHIN_TWO_FRAMES),
        Check("true moment inside t ± dt", total.share_within_dt, WITHIN_DT),
        Check("replay speed against decoding alone", decode_s / replay_s, REPLAY_SPEED),
    ]


def _tell(console: Console, name: str, what: str) -> None:
    """Prints a line at once: a whole run takes minutes, and the tables come at its end."""
    console.print(f"{name}: {what}", markup=False, soft_wrap=True)


def _tell_all(console: Console, faults: Sequence[str], replayed: Replayed) -> None:
    """Prints what is wrong with a replay, and what it remarked."""
    for told in (*faults, *(f"notice: {text}" for text in replayed.notices)):
        _tell(console, replayed.name, told)


def _total(runs: Sequence[Run]) -> Tally:
    total = Tally()
    for run in runs:
        total.add(run.tally)
    return total


def _tally_cells(tally: Tally) -> tuple[str, ...]:
    return (
        f"{tally.rounds_right} of {tally.rounds}",
        f"{len(tally.frames_off)} of {tally.claims}",
        str(tally.claims_false),
        str(tally.wrong_orders),
        f"{tally.share_within(1):.1%}",
        f"{tally.share_within(2):.1%}",
        f"{tally.share_within_dt:.1%}",
        str(max(tally.frames_off, default=0)),
    )


def _speed(replayed: Replayed) -> str:
    return _speed_words(replayed.decode_s, replayed.replay_s)


def _speed_words(decode_s: float, replay_s: float) -> str:
    return f"{decode_s / replay_s:.2f} ({decode_s:.1f} s/{replay_s:.1f} s)"


def _run_stills(console: Console, truths: Iterator[Path]) -> list[Check]:
    table = Table("Still", "Layout named", "Wrongly named", "Not named", "Matching", title="Stills")
    decks: dict[Path, Deck] = {}
    runs: list[StillRun] = []
    for path in truths:
        run = run_still(path, decks)
        runs.append(run)
        _tell(console, run.name, f"{run.right} of {run.expected} named")
        matching = "right" if run.is_matching_right else "wrong"
        named = f"{run.right} of {run.expected}"
        table.add_row(run.name, named, " ".join(run.wrong), " ".join(run.missed), matching)
    if not runs:
        return []
    right, expected = sum(run.right for run in runs), sum(run.expected for run in runs)
    wrong = sum(len(run.wrong) for run in runs)
    table.add_section()
    table.add_row("total", f"{right} of {expected}", str(wrong), str(expected - right), "")
    console.print(table)
    return [
        Check("layout cards of stills named", right / expected, STILL_IDENTITIES),
        Check("faces of stills wrongly named", wrong, STILL_WRONG, False, True),
    ]


def _run_scored(console: Console, truths: Iterator[Path], game: _ScoredGame) -> list[Check]:
    """Runs photographs of which the whole answer must be right."""
    decks: dict[Path, Deck] = {}
    runs: list[ScoredRun] = []
    for path in truths:
        runs.append(run := game.run(path, decks))
        _tell(console, run.name, _verdict(run))
        excused = (f"out of sight: {text}" for text in run.out_of_sight)
        for told in (*run.faults, *excused, *(f"doubt: {text}" for text in run.doubts)):
            _tell(console, run.name, told)
    if not runs:
        return []
    right = sum(not run.faults for run in runs)
    if any(run.out_of_sight for run in runs):
        strict = sum(not run.faults and not run.out_of_sight for run in runs)
        _tell(console, game.what, f"{right} of {len(runs)}; with what is out of sight: {strict}")
    return [Check(game.what, right / len(runs), game.wanted)]


def _verdict(run: ScoredRun) -> str:
    if run.faults:
        return "wrong"
    return "right in all that is in sight" if run.out_of_sight else "entirely right"


def _run_islands(console: Console, videos: Iterator[Path]) -> list[Check]:
    table = Table("Recording", "Rounds right", "Speed / decoding", title="Exploring recordings")
    runs: list[IslandRun] = []
    for video in videos:
        runs.append(run := run_islands(video))
        right = f"{run.rounds_right} of {run.rounds}"
        table.add_row(run.replayed.name, right, _speed(run.replayed))
        _tell(console, run.replayed.name, f"{right} rounds right")
        _tell_all(console, run.faults, run.replayed)
    if not runs:
        return []
    console.print(table)
    rounds, faultless = sum(run.rounds for run in runs), sum(not run.faults for run in runs)
    share = sum(run.rounds_right for run in runs) / max(1, rounds)
    return [
        Check("rounds of Exploring recordings right", share, ISLAND_ROUNDS),
        Check("Exploring recordings without a fault", faultless / len(runs), ISLANDS_RIGHT),
    ]


def _stills_in(folder: Path) -> list[Path]:
    """Returns the truths of a folder that stand beside a picture, not beside a video."""
    truths = sorted(folder.glob("*.truth.json"))
    return [path for path in truths if not path.with_name(f"{path.name[:-11]}.mp4").exists()]


def _run_zoos(console: Console, videos: Iterator[Path]) -> list[Check]:
    runs: list[ZooRun] = []
    for video in videos:
        runs.append(run := run_zoo(video))
        verdict = "wrong" if run.faults else "entirely right"
        worst, speed = max(run.frames_off, default=0), _speed(run.replayed)
        times = f"times off by {worst} frames at most"
        _tell(console, run.replayed.name, f"{verdict}, {times}, {speed}")
        _tell_all(console, run.faults, run.replayed)
    if not runs:
        return []
    right = sum(not run.faults for run in runs) / len(runs)
    off = [frames for run in runs for frames in run.frames_off]
    within = sum(frames <= FRAMES_OFF for frames in off) / max(1, len(off))
    return [
        Check("Panda recordings entirely right", right, ZOOS_RIGHT),
        Check(f"placements within {FRAMES_OFF} frames", within, ZOO_TIMES),
    ]


def _run_photos(console: Console, folder: Path, is_wanted: Callable[[Path], bool]) -> list[Check]:
    if not folder.is_dir() or not is_wanted(folder):
        return []
    table = Table(
        "Photograph", "Cards", "IoU 0.5", "IoU 0.7", "Answers", "False", title="Photographs"
    )
    runs: list[PhotoRun] = list(run_photos(folder))
    for run in runs:
        table.add_row(run.name, *map(str, _photo_cells(run)))
    cards, found, fitting, answers, false = map(sum, zip(*map(_photo_cells, runs), strict=True))
    table.add_section()
    table.add_row("total", *map(str, (cards, found, fitting, answers, false)))
    console.print(table)
    return [
        Check("cards on photographs found at IoU 0.5", found / cards, PHOTO_RECALL_LOOSE),
        Check("cards on photographs found at IoU 0.7", fitting / cards, PHOTO_RECALL_TIGHT),
        Check("answers on photographs false", false / max(1, answers), PHOTO_FALSE, at_most=True),
    ]


def _photo_cells(run: PhotoRun) -> tuple[int, ...]:
    return run.cards, run.found, run.fitting, run.answers, run.false


def _run_cases(console: Console, folder: Path, is_skipped: bool) -> list[Check]:
    if not folder.is_dir() or is_skipped:
        return []
    answers = [answer for game in _QUESTIONS_OF for answer in run_cases(folder, game)]
    faults = [(name, fault) for name, fault in answers if fault]
    for name, fault in faults:
        _tell(console, name, fault)
    right = len(answers) - len(faults)
    console.print(f"Questions to the rules: {right} of {len(answers)} answered right")
    return [Check("questions to the rules answered right", right / len(answers), 1.0)]


def _print_checks(console: Console, checks: Sequence[Check]) -> None:
    table = Table("What", "Wanted", "Reached", "", title="Thresholds")
    for check in checks:
        verdict = "[green]met[/green]" if check.is_met else "[red]NOT MET[/red]"
        table.add_row(check.what, check.wanted, check.shown(check.figure), verdict)
    console.print(table)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
