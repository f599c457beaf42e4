"""`table-referee doctor`: which cameras there are, and whether what one sees is good enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import typer
from rich.table import Table
from rich.text import Text

from referee.commands.console import CommandError, output, print_json
from referee.commands.outputs import replacing
from vision.camera import WANTED, CameraDriver, CameraMode, measure, negotiate, rate_of, shortfalls
from vision.camera_list import CameraInfo, find_camera, list_cameras
from vision.camera_opencv import OpenCvCamera
from vision.coaching import Finding, Grade, coach
from vision.errors import SourceError
from vision.frame import Image
from vision.live_open import open_live
from vision.overlay import AMBER, GREEN, RED, Mark, Overlay, Row, Sign, draw_overlay
from vision.photo import read_photo
from vision.source import FrameSource, VideoFile
from vision.still import open_reader

_MEASURED_FRAMES = 60
_VIDEO_FRAMES = 300
_COLOURS = {Grade.GOOD: GREEN, Grade.FAIR: AMBER, Grade.BAD: RED}
_STYLES = {Grade.GOOD: "green", Grade.FAIR: "yellow", Grade.BAD: "bold red"}
_SIGNS = {Grade.GOOD: Sign.TICK, Grade.FAIR: Sign.DASH, Grade.BAD: Sign.CROSS}


@dataclass(frozen=True, slots=True)
class DoctorOrder:
    """What to look at; every camera where nothing is named.

    Attributes:
        camera: A camera's name or index, or the address of a stream.
        picture: A photograph of the table.
        video: A recording of the table.
        out: File for the picture with the marks.
        weights: A detector other than the one that ships with the program.
        is_for_programs: Print JSON instead of words.
    """

    camera: str | None = None
    picture: Path | None = None
    video: Path | None = None
    out: Path | None = None
    weights: Path | None = None
    is_for_programs: bool = False


@dataclass(frozen=True, slots=True)
class Examined:
    """One source and what is to be said about it.

    Attributes:
        name: The source.
        findings: What is to be said.
        image_bgr: A picture of it, `(H, W, 3)` uint8, or None where it gives none.
        mode: What it gives, in words.
    """

    name: str
    findings: tuple[Finding, ...]
    image_bgr: Image | None = None
    mode: str = ""


def examine(order: DoctorOrder) -> None:
    """Looks at what was asked for, says what is good and what is not, and writes the picture.

    Raises:
        CommandError: If more than one thing is to be looked at, or an output cannot be written.
        VisionError: If there is no such camera, picture or video.
        typer.Exit: With status 1 where something is bad.
    """
    named = [each for each in (order.camera, order.picture, order.video) if each is not None]
    if len(named) > 1:
        raise CommandError("expected one of --camera, --picture and --video, got several")
    cameras = list_cameras() if not named or order.camera else []
    examined = _examine_all(order, cameras)
    if not order.camera:
        names = {each.name for each in examined}
        cameras = [camera for camera in cameras if camera.name in names]
    if order.is_for_programs:
        print_json({"cameras": [_camera_json(c) for c in cameras], "examined": _json(examined)})
    else:
        if not named:
            _print_cameras(cameras)
        for each in examined:
            _print_examined(each)
    if order.out is not None:
        _write_picture(examined, order.out, order.is_for_programs)
    findings = [finding for each in examined for finding in each.findings]
    if not examined or any(finding.grade is Grade.BAD for finding in findings):
        raise typer.Exit(1)


def _examine_all(order: DoctorOrder, cameras: Sequence[CameraInfo]) -> list[Examined]:
    if order.picture is not None:
        image_bgr = read_photo(order.picture)
        findings = _coach(image_bgr, None, order.weights)
        return [Examined(str(order.picture), findings, image_bgr, _size(image_bgr))]
    if order.video is not None:
        return [_examine_frames(str(order.video), VideoFile(order.video), order.weights)]
    if order.camera is not None and "://" in order.camera:
        stream = open_live(order.camera)
        return [_examine_frames(stream.name, stream, order.weights)]
    chosen = [find_camera(order.camera, cameras)] if order.camera is not None else cameras
    examined = [examine_camera(OpenCvCamera(c.name), c.name, order.weights) for c in chosen]
    if any(camera.device is not None for camera in chosen):
        return examined
    # Where the system lists none, an index that opens is a camera; if none does, one says why.
    return [each for each in examined if each.image_bgr is not None] or examined[:1]


def examine_camera(driver: CameraDriver, name: str, weights: Path | None = None) -> Examined:
    """Opens a camera, negotiates, verifies by what comes, and looks at its picture."""
    try:
        driver.open()
        said = negotiate(driver, WANTED)
        given = measure(driver, said, _MEASURED_FRAMES)
        shot = driver.read()
        if shot is None:
            raise SourceError(f"{name}: expected a picture, it stopped after {_MEASURED_FRAMES}")
    except SourceError as error:
        advice = "See what it says, then ask the doctor again"
        finding = Finding("camera", Grade.BAD, str(error), "a camera that opens", advice)
        return Examined(name, (finding,))
    finally:
        driver.close()
    image_bgr = shot.to_bgr()
    findings = (_mode_finding(given), *_coach(image_bgr, given.rate_fps, weights))
    return Examined(name, findings, image_bgr, str(given))


def _mode_finding(given: CameraMode) -> Finding:
    """Whether the camera gives what it was asked for; its rate is a finding of its own."""
    asked = CameraMode(WANTED.pixel_format, WANTED.size_wh, 0.0)
    missing = shortfalls(asked, given)
    if not missing:
        return Finding("camera", Grade.GOOD, f"It gives {given}, as asked", str(WANTED))
    advice = "Fine as long as size and rate below are good; another USB port may help"
    text = "; ".join(missing)
    return Finding("camera", Grade.FAIR, text[0].upper() + text[1:], str(WANTED), advice)


def _examine_frames(name: str, source: FrameSource, weights: Path | None) -> Examined:
    """Looks at the first seconds of a video or a stream, and at the last picture of them."""
    times_s: list[float] = []
    image_bgr: Image | None = None
    frames = source.frames()
    count = _VIDEO_FRAMES if isinstance(source, VideoFile) else _MEASURED_FRAMES
    for number, frame in enumerate(islice(frames, count)):
        times_s.append(frame.timestamp_s)
        if number % 10 == 0:
            image_bgr = frame.to_bgr()
    if hasattr(frames, "close"):
        frames.close()
    if image_bgr is None:
        raise SourceError(f"{name}: expected pictures, got none")
    rate_fps = rate_of(times_s)
    mode = f"{_size(image_bgr)} at {rate_fps:.0f} frames a second"
    return Examined(name, _coach(image_bgr, rate_fps, weights), image_bgr, mode)


def _coach(image_bgr: Image, rate_fps: float | None, weights: Path | None) -> tuple[Finding, ...]:
    reading = open_reader((), weights).detect(image_bgr)
    return tuple(coach(image_bgr, reading, rate_fps))


def overlay_of(examined: Examined) -> Overlay:
    """Returns the drawing of what was found: places outlined, a row for each finding."""
    marks = [
        Mark(quad, _COLOURS[finding.grade], finding.topic, strong=finding.grade is Grade.BAD)
        for finding in examined.findings
        for quad in finding.quads
        if finding.grade is not Grade.GOOD
    ]
    rows = [
        Row(_COLOURS[finding.grade], finding.found, _SIGNS[finding.grade])
        for finding in examined.findings
    ]
    name = examined.name if "://" in examined.name else Path(examined.name).name
    return Overlay(tuple(marks), title=name, subtitle=examined.mode, rows=tuple(rows))


def _write_picture(examined: Sequence[Examined], out: Path, is_quiet: bool) -> None:
    """Writes the pictures of all sources below each other."""
    drawn = [
        draw_overlay(each.image_bgr, overlay_of(each))
        for each in examined
        if each.image_bgr is not None
    ]
    if not drawn:
        return
    width = max(picture.shape[1] for picture in drawn)
    wide = [cv2.copyMakeBorder(p, 0, 0, 0, width - p.shape[1], cv2.BORDER_CONSTANT) for p in drawn]
    try:
        done, data = cv2.imencode(out.suffix or ".", np.vstack(wide))
    except cv2.error:
        done = False
    if not done:
        raise CommandError(f"{out}: expected a name ending in .jpg or .png, got {out.suffix!r}")
    with replacing(out) as unfinished:
        unfinished.write_bytes(data.tobytes())
    if not is_quiet:
        output().print("Picture with the marks:", out.resolve(), soft_wrap=True, markup=False)


def _print_cameras(cameras: Sequence[CameraInfo]) -> None:
    console = output()
    if not cameras:
        console.print(
            "No camera is plugged in. Plug one in and ask again; or let the doctor look at a "
            "photograph (--picture FILE) or a recording (--video FILE) of your table.",
            markup=False,
        )
        return
    table = Table("Index", "Name", "Called by its driver", title="Cameras", title_justify="left")
    for camera in cameras:
        table.add_row(str(camera.index), camera.name, camera.label)
    console.print(table)


def _print_examined(examined: Examined) -> None:
    console = output()
    console.print(Text(f"\n{examined.name}", style="bold"), Text(examined.mode))
    for finding in examined.findings:
        line = Text.assemble((f"{finding.grade:<5}", _STYLES[finding.grade]), f" {finding.found}.")
        if finding.grade is not Grade.GOOD:
            line.append(f" Wanted: {finding.wanted}. {finding.advice}.")
        console.print(line, soft_wrap=True)


def _camera_json(camera: CameraInfo) -> dict[str, Any]:
    return {"name": camera.name, "index": camera.index, "label": camera.label}


def _json(examined: Sequence[Examined]) -> list[dict[str, Any]]:
    return [
        {
            "name": each.name,
            "mode": each.mode,
            "findings": [
                {
                    "topic": finding.topic,
                    "grade": finding.grade.value,
                    "found": finding.found,
                    "wanted": finding.wanted,
                    "advice": finding.advice,
                    "quads": [[list(map(_rounded, corner)) for corner in q] for q in finding.quads],
                }
                for finding in each.findings
            ],
        }
        for each in examined
    ]


def _rounded(value: float) -> float:
    return round(value, 1)


def _size(image_bgr: Image) -> str:
    return f"{image_bgr.shape[1]}x{image_bgr.shape[0]}"
