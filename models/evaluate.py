"""Measures a detector: on a held-out set of drawn pictures, and on photographs with quads."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from datasets.scene import CLASSES

Quads = NDArray[np.float64]  # (n, 4, 2) in pixels
Detect = Callable[[NDArray[np.uint8]], Quads]

app = typer.Typer(add_completion=False, help=__doc__)
console = Console()


@dataclass(frozen=True, slots=True)
class PhotoScore:
    """How well fully visible cards of photographs are found.

    Attributes:
        cards: fully visible cards with a quad.
        at_50: share of them found at IoU 0.5.
        at_70: share of them found at IoU 0.7.
        answers: answers that count, right or false.
        false: share of those that lie on no card at all.
    """

    cards: int
    at_50: float
    at_70: float
    answers: int
    false: float


def iou(first: Quads, second: Quads) -> float:
    """Intersection over union of two convex quads."""
    one, two = np.asarray(first, np.float32), np.asarray(second, np.float32)
    shared, _ = cv2.intersectConvexConvex(one, two)
    union = cv2.contourArea(one) + cv2.contourArea(two) - shared
    return float(shared / union) if union > 0 else 0.0


def score_photos(folder: Path, detect: Detect) -> PhotoScore:
    """Compares answers with `quads.json` of a folder of photographs.

    A photograph's partly visible cards have no quads, so only answers on photographs whose
    manifest says that no card is partly visible can be called false there; elsewhere as many
    further answers as there are partly visible cards are forgiven.
    """
    truth = json.loads((folder / "quads.json").read_text())["images"]
    partly = _partly_visible(folder)
    best: list[float] = []
    answers = wrong = 0
    for name, entry in truth.items():
        image = cv2.imread(str(folder / name))
        if image is None:
            raise ValueError(f"{folder / name}: not a picture, though quads.json names it")
        found = detect(np.asarray(image, np.uint8))
        table = np.array([[iou(f, np.asarray(q)) for q in entry["quads"]] for f in found])
        table = table.reshape(len(found), len(entry["quads"]))
        best += [float(table[:, i].max(initial=0)) for i in range(table.shape[1])]
        extra = int((table.max(axis=1, initial=0) < 0.5).sum())
        extra = max(0, extra - partly.get(name, 0))
        answers += len(found)
        wrong += extra
    scores = np.array(best)
    return PhotoScore(
        len(best),
        float((scores >= 0.5).mean()),
        float((scores >= 0.7).mean()),
        answers,
        wrong / max(answers, 1),
    )


def _partly_visible(folder: Path) -> dict[str, int]:
    """How many partly visible cards each photograph has, by the folder's manifest."""
    import csv  # noqa: PLC0415

    path = folder / "manifest.csv"
    if not path.is_file():
        return {}
    with path.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    return {_value(r, "file"): _number(r, "incl") - _number(r, "fully") for r in rows}


def _value(row: dict[str, Any], part: str) -> str:
    return next((str(v) for k, v in row.items() if part in str(k)), "")


def _number(row: dict[str, Any], part: str) -> int:
    text = _value(row, part)
    return int(text) if text.isdigit() else 0


def ultralytics_detector(
    weights: Path, imgsz: int, confidence: float = 0.25, overlap: float = 0.7
) -> Detect:
    """Finds cards of any face class with ultralytics itself."""
    from ultralytics import YOLO  # noqa: PLC0415

    model = YOLO(str(weights), task="obb")
    wanted = [CLASSES.index("card"), CLASSES.index("camera"), CLASSES.index("back")]

    def detect(image: NDArray[np.uint8]) -> Quads:
        answer = model.predict(
            image,
            imgsz=imgsz,
            conf=confidence,
            iou=overlap,
            agnostic_nms=True,
            classes=wanted,
            verbose=False,
            device="cpu",
        )[0]
        return np.asarray(answer.obb.xyxyxyxy.numpy(), np.float64)

    return detect


def score_held(weights: Path, data: Path, imgsz: int) -> dict[str, tuple[float, float]]:
    """Measures mAP50 and mAP50-95 of each class, and of all, on the data's held-out set."""
    from ultralytics import YOLO  # noqa: PLC0415

    result = YOLO(str(weights), task="obb").val(
        data=str(data),
        imgsz=imgsz,
        device="cpu",
        plots=False,
        verbose=False,
        batch=8,
        project=str(Path(__file__).parent / "runs"),
        name="evaluate",
        exist_ok=True,
    )
    scores = {"all": (float(result.box.map50), float(result.box.map))}
    for place, index in enumerate(result.box.ap_class_index):
        scores[CLASSES[int(index)]] = (float(result.box.ap50[place]), float(result.box.ap[place]))
    return scores


@app.command()
def main(
    weights: Annotated[Path, typer.Argument(exists=True, help="weights, .pt or .onnx")],
    data: Annotated[
        Path | None, typer.Option(exists=True, help="data.yaml whose val set is held out")
    ] = None,
    photos: Annotated[
        Path | None, typer.Option(exists=True, help="folder of photographs with quads.json")
    ] = None,
    imgsz: Annotated[int, typer.Option(help="longer side the network sees")] = 640,
    confidence: Annotated[float, typer.Option(help="least confidence of an answer")] = 0.25,
) -> None:
    """Prints what the detector reaches."""
    if data is not None:
        table = Table("class", "mAP50", "mAP50-95")
        for name, (loose, strict) in score_held(weights, data, imgsz).items():
            table.add_row(name, f"{loose:.3f}", f"{strict:.3f}")
        console.print(table)
    if photos is not None:
        score = score_photos(photos, ultralytics_detector(weights, imgsz, confidence))
        console.print(
            f"photographs: {score.cards} cards, {score.at_50:.3f} found at IoU 0.5, "
            f"{score.at_70:.3f} at 0.7; {score.false:.3f} of {score.answers} answers false"
        )


if __name__ == "__main__":
    app()
