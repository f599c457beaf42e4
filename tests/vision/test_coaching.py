"""What the doctor says of pictures that are blurred, dark, glaring, small or cut off."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.films import patterned
from vision.coaching import Finding, Grade, coach, rate_finding
from vision.coaching_blur import edge_blur_px, glare
from vision.frame import Image
from vision.table import PieceKind, PieceReading, Quad, TableReading

WIDTH, HEIGHT = 640, 480
CARD_WH = (80, 112)
PLACES = [(60, 60), (200, 60), (340, 60), (480, 60), (60, 240), (200, 240), (340, 240), (480, 240)]


def quad_at(left: float, top: float, size_wh: tuple[int, int] = CARD_WH) -> Quad:
    right, bottom = left + size_wh[0], top + size_wh[1]
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def table(places=PLACES, size_wh: tuple[int, int] = CARD_WH) -> tuple[Image, TableReading]:
    """A picture of patterned cards on a grey table, and what a detector finds in it."""
    luma = np.full((HEIGHT, WIDTH), 90, np.uint8)
    for number, (left, top) in enumerate(places):
        card = patterned(size_wh[1], size_wh[0], number)
        part = luma[max(0, top) : top + size_wh[1], max(0, left) : left + size_wh[0]]
        part[:] = card[-part.shape[0] :, -part.shape[1] :]
    pieces = [
        PieceReading(PieceKind.CARD, 0.9, quad_at(max(0, left), max(0, top), size_wh))
        for left, top in places
    ]
    image = np.asarray(cv2.cvtColor(luma, cv2.COLOR_GRAY2BGR), np.uint8)
    return image, TableReading(0.0, WIDTH, HEIGHT, tuple(pieces))


def findings(
    image: Image, reading: TableReading, rate_fps: float | None = 30.0
) -> dict[str, Finding]:
    return {finding.topic: finding for finding in coach(image, reading, rate_fps)}


def scaled(image: Image, factor: float, plus: float = 0.0) -> Image:
    return np.clip(image * factor + plus, 0, 255).astype(np.uint8)


def test_a_good_table_is_good_in_everything() -> None:
    found = findings(*table())
    assert list(found) == ["view", "size", "sharpness", "light", "glare", "rate"]
    assert {finding.grade for finding in found.values()} == {Grade.GOOD}
    assert all(not finding.advice and not finding.quads for finding in found.values())
    assert "8 cards are seen" in found["view"].found


def test_an_empty_table_is_told_and_no_crash_c39() -> None:
    image, reading = table([])
    found = findings(image, reading)
    assert found["view"].grade is Grade.BAD
    assert found["view"].found == "No card is seen"
    black = findings(image * 0, reading)
    assert black["light"].grade is Grade.BAD


def test_a_photograph_has_no_rate() -> None:
    assert "rate" not in findings(*table(), rate_fps=None)


@pytest.mark.parametrize(
    ("factor", "plus", "grade", "advice"),
    [
        (0.2, 0, Grade.BAD, "Turn on a lamp"),
        (0.5, 0, Grade.FAIR, "Turn on a lamp"),
        (0.3, 165, Grade.GOOD, ""),
        (0.2, 205, Grade.FAIR, "Dim the lamp"),
        (0.05, 243, Grade.BAD, "Dim the lamp"),
    ],
)
def test_light(factor: float, plus: float, grade: Grade, advice: str) -> None:
    image, reading = table()
    light = findings(scaled(image, factor, plus), reading)["light"]
    assert (light.grade, light.advice[: len(advice)]) == (grade, advice)


@pytest.mark.parametrize("sigma", [0.8, 1.2, 1.6, 2.5, 3.5])
@pytest.mark.parametrize("contrast", [1.0, 0.5])
def test_blur_is_measured_whatever_the_contrast(sigma: float, contrast: float) -> None:
    blocks = cv2.resize(patterned(75, 100, 5), (400, 300), interpolation=cv2.INTER_NEAREST)
    luma = scaled(np.asarray(blocks, np.uint8), contrast)
    blur_px = edge_blur_px(np.asarray(cv2.GaussianBlur(luma, (0, 0), sigma), np.uint8))
    assert blur_px == pytest.approx(sigma, abs=0.35)


def test_a_plain_picture_has_no_edges() -> None:
    assert edge_blur_px(np.full((100, 100), 128, np.uint8)) is None


@pytest.mark.parametrize(
    ("sigma", "grade"), [(0.5, Grade.GOOD), (3.5, Grade.FAIR), (6.0, Grade.BAD)]
)
def test_sharpness_is_judged_by_the_size_of_cards(sigma: float, grade: Grade) -> None:
    image, reading = table()
    blurred = np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)
    assert findings(blurred, reading)["sharpness"].grade is grade


def highlight(image: Image, place: tuple[int, int], radius: float) -> Image:
    rows, cols = np.mgrid[: image.shape[0], : image.shape[1]]
    distance = ((cols - place[0]) ** 2 + (rows - place[1]) ** 2) / (2 * radius**2)
    lit = image + 400 * np.exp(-distance)[..., None]
    return np.clip(lit, 0, 255).astype(np.uint8)


def test_a_mirrored_lamp_is_found_where_it_is() -> None:
    image, reading = table()
    found = findings(highlight(image, (100, 116), 45), reading)["glare"]
    assert found.grade is Grade.BAD
    assert found.quads == (reading.pieces[0].quad_px,)
    assert "1 cards" in found.found


def test_a_lamp_on_bare_table_does_no_harm() -> None:
    image, reading = table()
    assert findings(highlight(image, (320, 440), 30), reading)["glare"].grade is Grade.GOOD


def test_white_print_is_no_mirrored_lamp() -> None:
    luma = patterned(200, 200, 3) // 2
    luma[60:120, 40:140] = 255
    blurred = np.asarray(cv2.GaussianBlur(luma, (0, 0), 1.0), np.uint8)
    assert not glare(blurred, 80).any()


def test_cards_cut_off_are_marked() -> None:
    image, reading = table([(-30, 60), *PLACES[1:], (200, 420)])
    cut = TableReading(0.0, WIDTH, HEIGHT, (*reading.pieces[:-1], reading.pieces[-1]))
    view = findings(image, cut)["view"]
    assert view.grade is Grade.BAD
    assert view.quads == (reading.pieces[0].quad_px, reading.pieces[-1].quad_px)
    assert "2 of 9 cards are cut off" in view.found


def test_little_room_around_the_cards_is_fair() -> None:
    view = findings(*table([(5, 60), *PLACES[1:]]))["view"]
    assert (view.grade, len(view.quads)) == (Grade.FAIR, 1)


@pytest.mark.parametrize(
    ("size_wh", "grade"),
    [((50, 70), Grade.BAD), ((66, 92), Grade.FAIR), ((76, 106), Grade.GOOD)],
)
def test_pixels_for_a_card(size_wh: tuple[int, int], grade: Grade) -> None:
    size = findings(*table(PLACES, size_wh))["size"]
    assert size.grade is grade
    assert f"{size_wh[0]} pixels" in size.found


def test_far_cards_too_small_are_marked_though_most_are_large_enough() -> None:
    image, reading = table()
    far = tuple(
        PieceReading(PieceKind.CARD, 0.9, quad_at(60 + 60 * i, 400, (40, 56))) for i in (0, 1, 2)
    )
    size = findings(image, TableReading(0.0, WIDTH, HEIGHT, (*reading.pieces, *far)))["size"]
    assert size.grade is Grade.FAIR
    assert size.quads == tuple(piece.quad_px for piece in far)


def test_hands_and_doubtful_pieces_do_not_count() -> None:
    image, reading = table()
    edge = quad_at(0, 0, (20, 20))
    more = (PieceReading(PieceKind.HAND, 0.9, edge), PieceReading(PieceKind.CARD, 0.3, edge))
    found = findings(image, TableReading(0.0, WIDTH, HEIGHT, (*reading.pieces, *more)))
    assert found["view"].grade is Grade.GOOD


@pytest.mark.parametrize(
    ("rate_fps", "grade"),
    [(0.0, Grade.BAD), (15.0, Grade.BAD), (24.0, Grade.FAIR), (29.97, Grade.GOOD)],
)
def test_frame_rate_in_this_light(rate_fps: float, grade: Grade) -> None:
    assert rate_finding(rate_fps).grade is grade
