"""Real photographs: are the cards found, and how well do the corners fit?"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.watch import detect_picture

_LOOSE_IOU, _TIGHT_IOU = 0.5, 0.7
Corners = list[list[float]]


@dataclass(frozen=True, slots=True)
class PhotoRun:
    """One photograph.

    Attributes:
        cards: How many fully visible cards it shows.
        found: How many of them were found at IoU 0.5.
        fitting: How many of them were found at IoU 0.7.
        answers: How many cards were answered, less those that may be partly visible cards.
        false: How many of these answers are no card.
    """

    name: str
    cards: int
    found: int
    fitting: int
    answers: int
    false: int


def run_photos(folder: Path) -> Iterator[PhotoRun]:
    """Detects cards in every photograph of which the corners are known."""
    quads = json.loads((folder / "quads.json").read_text(encoding="utf-8"))["images"]
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
        shown = {
            row["file"]: row["cards_visible_incl_partial_by_eye"] for row in csv.DictReader(file)
        }
    for name in sorted(quads):
        answer = detect_picture(folder / name, None)
        partly = max(0, int(shown[name]) - len(quads[name]["quads"]))
        yield compare_photo(name, quads[name]["quads"], answer["detections"], partly)


def compare_photo(
    name: str, cards: list[Corners], detections: list[dict[str, Any]], partly_visible: int
) -> PhotoRun:
    """Returns how well the cards of one photograph were found, the surest answer first."""
    answers = sorted(
        (each for each in detections if each["kind"] == "card"), key=lambda each: -each["score"]
    )
    best: dict[int, float] = {}
    false = 0
    for answer in answers:
        overlaps = [
            (-1.0 if index in best else overlap(answer["quad"], card))
            for index, card in enumerate(cards)
        ]
        index = int(np.argmax(overlaps)) if overlaps else -1
        if index >= 0 and overlaps[index] >= _LOOSE_IOU:
            best[index] = overlaps[index]
        else:
            false += 1
    ignored = min(false, partly_visible)
    return PhotoRun(
        name,
        cards=len(cards),
        found=len(best),
        fitting=sum(iou >= _TIGHT_IOU for iou in best.values()),
        answers=len(answers) - ignored,
        false=false - ignored,
    )


def overlap(one: Corners, other: Corners) -> float:
    """Returns the intersection over union of two convex quads."""
    first, second = (cv2.convexHull(np.asarray(quad, np.float32)) for quad in (one, other))
    common, _ = cv2.intersectConvexConvex(first, second)
    union = cv2.contourArea(first) + cv2.contourArea(second) - common
    return float(common / union) if union > 0 else 0.0
