"""The faces of a deck, brought to one small size and ready to be compared.

Faces whose sides have the same proportions share a *format*: a canonical picture, 80 px on its
short side, onto which every crop is flattened before it is compared. Preparing a deck means
decoding and shrinking its pictures; the result is kept on disk under a key made of the pictures'
own bytes, so that the second start reads one file.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import GalleryError
from vision.table import PieceKind

FINE_SHORT_PX = 80
"""Short side of the canonical picture. A crab of a card is then some 14 px wide, and a card of
60-110 px in the frame is neither thrown away nor blown up much."""

COARSE_SHORT_PX = 20
"""Short side of the picture used to draw up a short list."""

_CACHE_VERSION = 3
_LEAST_SIDE_PX = 16

FloatImage = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One face of a deck.

    Attributes:
        id: The deck's id of the face.
        kind: The deck's kind (animal, task, camera, back, path, chip, ...).
        image_bgr: (H, W, 3) uint8, upright, cut at the edge; a fourth channel is its alpha.
        size_mm: Width and height of the piece.
        player: Whose piece it is, where it is somebody's.
    """

    id: str
    kind: str
    image_bgr: NDArray[np.uint8]
    size_mm: tuple[float, float]
    player: str | None = None


@dataclass(frozen=True, slots=True)
class FaceSource:
    """A face whose picture is still as it lies in the pack.

    Attributes:
        data: The bytes of a PNG or JPEG file; the other fields are those of `Face`.
    """

    id: str
    kind: str
    data: bytes
    size_mm: tuple[float, float]
    player: str | None = None


@dataclass(frozen=True, slots=True)
class FaceCard:
    """What is known of a face beside its picture; the fields are those of `Face`."""

    id: str
    kind: str
    size_mm: tuple[float, float]
    player: str | None

    @property
    def piece_kind(self) -> PieceKind:
        """What the detector should take a piece with this face for."""
        if self.kind in {PieceKind.CAMERA, PieceKind.PATH, PieceKind.CHIP, PieceKind.BACK}:
            return PieceKind(self.kind)
        return PieceKind.CARD

    @property
    def is_unique(self) -> bool:
        """Whether no more than one piece of the deck shows this face."""
        return self.piece_kind in {PieceKind.CARD, PieceKind.CAMERA}


@dataclass(frozen=True, slots=True, eq=False)
class FaceFormat:
    """All faces whose sides have the same proportions, flattened.

    Attributes:
        faces: The faces, in the order of the arrays.
        size_wh: Width and height of the canonical picture in pixels.
        fine: (N, H, W, 3) uint8 BGR.
        opacity: (N, H, W) uint8, 255 where the face is, 0 outside rounded corners.
    """

    faces: tuple[FaceCard, ...]
    size_wh: tuple[int, int]
    fine: NDArray[np.uint8]
    opacity: NDArray[np.uint8]

    @property
    def is_square(self) -> bool:
        """Whether the face could lie in four rotations."""
        return self.size_wh[0] == self.size_wh[1]

    @property
    def coarse_wh(self) -> tuple[int, int]:
        """Size of the small picture used to draw up a short list."""
        scale = COARSE_SHORT_PX / min(self.size_wh)
        return round(self.size_wh[0] * scale), round(self.size_wh[1] * scale)


def canonical_size(size_mm: tuple[float, float]) -> tuple[int, int]:
    """Width and height in pixels of the canonical picture of a piece of this size."""
    width_mm, height_mm = size_mm
    scale = FINE_SHORT_PX / min(width_mm, height_mm)
    return round(width_mm * scale), round(height_mm * scale)


def prepare(faces: Sequence[Face]) -> tuple[FaceFormat, ...]:
    """Flatten the faces of a deck, by format.

    Raises:
        GalleryError: There is no face, an id twice, or a picture too small or of a wrong shape.
    """
    _check_ids([face.id for face in faces])
    groups: dict[tuple[int, int], list[tuple[FaceCard, FloatImage]]] = {}
    for face in faces:
        size = canonical_size(face.size_mm)
        card = FaceCard(face.id, face.kind, face.size_mm, face.player)
        groups.setdefault(size, []).append((card, _shrink(face, size)))
    return tuple(_make_format(size, members) for size, members in groups.items())


def prepare_sources(
    sources: Sequence[FaceSource], cache_folder: Path | None = None
) -> tuple[FaceFormat, ...]:
    """Flatten the faces of a deck from its files' bytes, or take them from the cache.

    Args:
        sources: The faces.
        cache_folder: Where prepared decks are kept; the user's own cache folder by default.

    Raises:
        GalleryError: As `prepare`, or the bytes are no picture.
    """
    _check_ids([source.id for source in sources])
    folder = cache_folder if cache_folder is not None else user_cache_folder()
    path = folder / f"gallery-{_content_key(sources)}.npz"
    cards = [FaceCard(s.id, s.kind, s.size_mm, s.player) for s in sources]
    kept = _load(path, cards)
    if kept is not None:
        return kept
    formats = prepare([_decode(source) for source in sources])
    _save(path, formats)
    return formats


def user_cache_folder() -> Path:
    """The folder of this user in which prepared decks are kept."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "table-referee"


def _check_ids(ids: Sequence[str]) -> None:
    if not ids:
        raise GalleryError("the deck has no faces; expected at least one card with a picture")
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise GalleryError(f"face id {twice[0]!r} occurs twice; expected every id once")


def _shrink(face: Face, size_wh: tuple[int, int]) -> FloatImage:
    image = face.image_bgr
    if image.ndim != 3 or image.shape[2] not in {3, 4} or image.dtype != np.uint8:
        raise GalleryError(
            f"picture of face {face.id!r} has shape {image.shape} and type {image.dtype}; "
            "expected (height, width, 3 or 4) of uint8"
        )
    if min(image.shape[:2]) < _LEAST_SIDE_PX:
        raise GalleryError(
            f"picture of face {face.id!r} is {image.shape[1]}x{image.shape[0]} px; "
            f"expected at least {_LEAST_SIDE_PX} px on the short side"
        )
    if image.shape[2] == 3:
        opaque = np.full(image.shape[:2], 255, np.uint8)
        image = np.dstack([image, opaque]).astype(np.uint8)
    # Alpha weighs the colours, so that what is cut away does not bleed into the edge.
    pixels = image.astype(np.float32)
    alpha = pixels[..., 3:] / 255
    pixels[..., :3] *= alpha
    small = np.asarray(cv2.resize(pixels, size_wh, interpolation=cv2.INTER_AREA), np.float32)
    small[..., :3] /= np.maximum(small[..., 3:] / 255, 1e-3)
    return np.clip(small, 0, 255).astype(np.float32)


def _make_format(
    size_wh: tuple[int, int], members: Sequence[tuple[FaceCard, FloatImage]]
) -> FaceFormat:
    pixels = np.stack([picture for _, picture in members]).round().astype(np.uint8)
    return FaceFormat(
        faces=tuple(card for card, _ in members),
        size_wh=size_wh,
        fine=np.ascontiguousarray(pixels[..., :3]),
        opacity=np.ascontiguousarray(pixels[..., 3]),
    )


def decode_picture(source: FaceSource) -> NDArray[np.uint8]:
    """(H, W, 3 or 4) uint8 BGR or BGRA: the picture of a face as it lies in the deck pack.

    Raises:
        GalleryError: The bytes are no picture.
    """
    data = np.frombuffer(source.data, np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_UNCHANGED) if len(data) else None
    if image is None:
        raise GalleryError(f"picture of face {source.id!r}: expected PNG or JPEG, got other data")
    pixels = np.asarray(image)
    if pixels.dtype == np.uint16:
        pixels = pixels // 257
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[..., None], 3, axis=2)
    return np.asarray(pixels, np.uint8)


def _decode(source: FaceSource) -> Face:
    return Face(source.id, source.kind, decode_picture(source), source.size_mm, source.player)


def _content_key(sources: Sequence[FaceSource]) -> str:
    digest = hashlib.sha256(f"{_CACHE_VERSION}:{FINE_SHORT_PX}".encode())
    for source in sources:
        digest.update(repr((source.id, source.kind, source.size_mm, source.player)).encode())
        digest.update(hashlib.sha256(source.data).digest())
    return digest.hexdigest()[:32]


def _load(path: Path, cards: Sequence[FaceCard]) -> tuple[FaceFormat, ...] | None:
    """The prepared deck in a cache file, or None where there is none that can be read."""
    by_id = {card.id: card for card in cards}
    formats = []
    try:
        with np.load(path, allow_pickle=False) as arrays:
            for number in range(int(arrays["formats"])):
                fine = arrays[f"fine{number}"]
                names = [str(name) for name in arrays[f"ids{number}"]]
                formats.append(
                    FaceFormat(
                        faces=tuple(by_id[name] for name in names),
                        size_wh=(fine.shape[2], fine.shape[1]),
                        fine=fine,
                        opacity=arrays[f"opacity{number}"],
                    )
                )
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile):
        return None
    return tuple(formats)


def _save(path: Path, formats: Sequence[FaceFormat]) -> None:
    """Keep a prepared deck; a cache that cannot be written is done without."""
    arrays: dict[str, NDArray[np.generic]] = {"formats": np.array(len(formats))}
    for number, members in enumerate(formats):
        arrays[f"fine{number}"] = members.fine
        arrays[f"opacity{number}"] = members.opacity
        arrays[f"ids{number}"] = np.array([card.id for card in members.faces])
    passing = path.with_name(f"{path.stem}.{os.getpid()}.npz")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(passing, allow_pickle=False, **arrays)
        passing.replace(path)
    except OSError:
        passing.unlink(missing_ok=True)
