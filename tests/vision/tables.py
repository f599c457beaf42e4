"""Drawn tables: faces of our own deck laid flat under a tilted camera, with the truth beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import yaml
from numpy.typing import NDArray

from vision.calibration import TablePlane
from vision.detection import KINDS, Detections
from vision.faces import FaceSource
from vision.flatten import flat_corners, homography
from vision.gallery import Gallery
from vision.resources import find_resource
from vision.table import PieceKind

CARD_MM = (63.0, 88.0)
# 1.4 px a millimetre in the middle, the far side a fifth smaller.
TO_PX = np.array([[1.42, 0.05, 60.0], [-0.03, 1.22, 60.0], [0.0, -0.0004, 1.0]])


@dataclass(frozen=True)
class Lying:
    """A face on the table: centre in millimetres and clockwise turn in degrees."""

    id: str
    x_mm: float
    y_mm: float
    turn: float = 0.0

    @property
    def corners_mm(self) -> NDArray[np.float64]:
        half = np.array(CARD_MM) / 2
        local = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        angle = np.deg2rad(self.turn)
        spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return local @ spin.T + (self.x_mm, self.y_mm)

    @property
    def quad(self) -> NDArray[np.float32]:
        back = TablePlane(np.linalg.inv(TO_PX), 0.0, 0)
        return back.in_picture(self.corners_mm)


@lru_cache(maxsize=1)
def deck_sources() -> tuple[FaceSource, ...]:
    folder = find_resource("datasets/decks/galapa-go")
    deck = yaml.safe_load((folder / "deck.yaml").read_text(encoding="utf-8"))
    return tuple(
        FaceSource(
            card["id"], card["kind"], (folder / card["image"]).read_bytes(), CARD_MM,
            card.get("player"),
        )
        for card in deck["cards"]
    )  # fmt: skip


@lru_cache(maxsize=1)
def deck_gallery() -> Gallery:
    return Gallery.from_sources(deck_sources())


def source(face_id: str, among: Sequence[FaceSource] | None = None) -> FaceSource:
    return next(source for source in among or deck_sources() if source.id == face_id)


def draw_table(
    lying: Sequence[Lying],
    *,
    gains: Sequence[float] = (1.0, 1.0, 1.0),
    seed: int = 0,
    sources: Sequence[FaceSource] | None = None,
) -> NDArray[np.uint8]:
    """A 1000 x 700 picture of a brown table, the first face lowest; `gains` tint its light."""
    rng = np.random.default_rng(seed)
    picture = np.empty((700, 1000, 3), np.float32)
    picture[:] = (60, 85, 110)
    picture += cv2.GaussianBlur(rng.normal(0, 40, picture.shape).astype(np.float32), (0, 0), 3)
    for piece in lying:
        face = cv2.imdecode(
            np.frombuffer(source(piece.id, sources).data, np.uint8), cv2.IMREAD_UNCHANGED
        )
        face = cv2.GaussianBlur(face, (0, 0), 1.5).astype(np.float32)
        if face.shape[2] == 3:
            face = np.dstack([face, np.full(face.shape[:2], 255, np.float32)])
        corners = flat_corners((face.shape[1], face.shape[0]))
        warp = homography(corners, piece.quad)
        flat = cv2.warpPerspective(face, warp, (1000, 700), flags=cv2.INTER_AREA)
        alpha = flat[..., 3:] / 255
        picture = picture * (1 - alpha) + flat[..., :3] * alpha
    picture = cv2.GaussianBlur(picture, (0, 0), 0.7) * np.array(gains, np.float32)
    picture += rng.normal(0, 3, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def boxes_around(
    lying: Sequence[Lying], kinds: Sequence[PieceKind], *, noise: float = 0.0, seed: int = 0
) -> Detections:
    """What a detector would say: least boxes, off by a share `noise` of the size of a card."""
    rng = np.random.default_rng(seed)
    quads = []
    for piece in lying:
        (x, y), (w, h), angle = cv2.minAreaRect(piece.quad)
        off = rng.normal(0, noise, 5)
        box = cv2.boxPoints(
            ((x + off[0] * w, y + off[1] * w), (w * (1 + off[2]), h * (1 + off[3])),
             angle + 40 * off[4])
        )  # fmt: skip
        quads.append(box if cv2.contourArea(box, True) > 0 else box[::-1])
    return Detections(
        np.array(quads, np.float32).reshape(-1, 4, 2),
        np.array([KINDS.index(kind) for kind in kinds], np.int64),
        np.full(len(quads), 0.9, np.float32),
    )
