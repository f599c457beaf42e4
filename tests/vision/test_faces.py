from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import GalleryError
from vision.faces import Face, FaceSource, canonical_size, prepare, prepare_sources
from vision.table import PieceKind


def picture(side: int = 40, channels: int = 3) -> np.ndarray:
    return np.full((side, side, channels), 200, np.uint8)


def png(image: np.ndarray) -> bytes:
    return cv2.imencode(".png", image)[1].tobytes()


def test_canonical_pictures_have_one_short_side() -> None:
    assert canonical_size((63, 88)) == (80, 112)
    assert canonical_size((88, 63)) == (112, 80)
    assert canonical_size((18, 18)) == (80, 80)


def test_faces_are_grouped_by_their_proportions() -> None:
    formats = prepare(
        [
            Face("a", "animal", picture(), (63, 88)),
            Face("p", "path", picture(), (44, 44)),
            Face("c", "chip", picture(), (18, 18)),
        ]
    )
    assert [[card.id for card in f.faces] for f in formats] == [["a"], ["p", "c"]]
    assert formats[1].is_square


def test_what_alpha_cuts_away_does_not_colour_the_edge() -> None:
    image = picture(80, 4)
    image[..., 3] = 255
    image[:40, :40] = (0, 0, 255, 0)
    (made,) = prepare([Face("a", "animal", image, (60, 60))])
    assert made.opacity[0, 0, 0] == 0
    assert made.fine[0, 39, 41].tolist() == [200, 200, 200]


def test_kinds_are_those_that_the_detector_knows() -> None:
    kinds = {"animal": PieceKind.CARD, "camera": PieceKind.CAMERA, "back": PieceKind.BACK}
    for kind, expected in kinds.items():
        (made,) = prepare([Face("x", kind, picture(), (63, 88))])
        assert made.faces[0].piece_kind is expected


@pytest.mark.parametrize(
    ("faces", "message"),
    [
        ([], "no faces"),
        ([Face("a", "animal", picture(), (1, 1))] * 2, "'a' occurs twice"),
        ([Face("a", "animal", picture(8), (1, 1))], "'a' is 8x8 px"),
        ([Face("a", "animal", picture()[..., 0], (1, 1))], r"'a' has shape \(40, 40\)"),
    ],
)
def test_faces_that_cannot_be_used(faces: list[Face], message: str) -> None:
    with pytest.raises(GalleryError, match=message):
        prepare(faces)


def test_a_prepared_deck_is_kept_and_a_changed_one_made_anew(tmp_path: Path) -> None:
    first = FaceSource("a", "animal", png(picture()), (63, 88))
    made = prepare_sources([first], tmp_path)
    (kept_file,) = tmp_path.iterdir()
    kept_file.touch()
    again = prepare_sources([first], tmp_path)
    assert np.array_equal(made[0].fine, again[0].fine)
    assert [card.id for card in again[0].faces] == ["a"]
    prepare_sources([replace(first, data=png(picture() // 2))], tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_broken_cache_is_made_anew(tmp_path: Path) -> None:
    face = FaceSource("a", "animal", png(picture()), (63, 88))
    prepare_sources([face], tmp_path)
    (kept_file,) = tmp_path.iterdir()
    kept_file.write_bytes(b"PK broken")
    assert prepare_sources([face], tmp_path)[0].fine[0, 0, 0, 0] == 200


def test_bytes_that_are_no_picture(tmp_path: Path) -> None:
    for data in (b"", b"text"):
        with pytest.raises(GalleryError, match="'a': expected PNG or JPEG"):
            prepare_sources([FaceSource("a", "animal", data, (63, 88))], tmp_path)
