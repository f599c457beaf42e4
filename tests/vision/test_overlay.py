"""What is drawn, and that nothing else of the picture changes."""

from itertools import combinations

import numpy as np
import pytest

from vision.overlay import COLOURS, WHITE, Mark, Overlay, Row, Sign, draw_overlay

SQUARE = ((300.0, 200.0), (500.0, 200.0), (500.0, 480.0), (300.0, 480.0))


def grey(height: int = 720, width: int = 1280) -> np.ndarray:
    return np.full((height, width, 3), 128, np.uint8)


def changed(overlay: Overlay, image: np.ndarray) -> np.ndarray:
    return np.any(draw_overlay(image, overlay) != image, axis=2)


def test_nothing_asked_nothing_drawn():
    assert not changed(Overlay(), grey()).any()


def test_the_picture_given_is_left_alone():
    image = grey()
    draw_overlay(image, Overlay(title="Round 1", marks=(Mark(SQUARE, strong=True),)))
    assert (image == 128).all()


def test_outline_lies_on_the_quad_in_the_players_colour():
    drawn = draw_overlay(grey(), Overlay(marks=(Mark(SQUARE, COLOURS["blue"], strong=True),)))
    assert tuple(drawn[340, 300]) == COLOURS["blue"]
    assert tuple(drawn[200, 400]) == COLOURS["blue"]
    assert (drawn[:150] == 128).all()


def test_thin_outline_leaves_the_inside_alone_and_strong_tints_it():
    thin = draw_overlay(grey(), Overlay(marks=(Mark(SQUARE),)))
    strong = draw_overlay(grey(), Overlay(marks=(Mark(SQUARE, COLOURS["red"], strong=True),)))
    assert tuple(thin[340, 400]) == (128, 128, 128)
    blue, _, red = (int(value) for value in strong[340, 400])
    assert red > 128 > blue


def test_signs_differ_in_shape_and_in_colour():
    """The strokes are white on a disc: green, red or grey."""
    strokes, discs = {}, {}
    for sign in Sign:
        drawn = draw_overlay(grey(), Overlay(marks=(Mark(SQUARE, COLOURS["blue"], sign=sign),)))
        disc = drawn[205:255, 455:505].astype(int)
        strokes[sign] = disc[10:40, 10:40].min(axis=2) > 240
        discs[sign] = np.median(disc[10:40, 10:40].reshape(-1, 3), axis=0)
    for one, other in combinations(Sign, 2):
        assert (strokes[one] != strokes[other]).mean() > 0.03
    tick, cross, dash = (discs[sign] for sign in Sign)
    assert tick[1] > tick[2] + 50
    assert cross[2] > cross[1] + 50
    assert np.ptp(dash) < 20


@pytest.mark.parametrize(
    ("overlay", "where"),
    [
        (Overlay(title="Round 1"), (slice(0, 120), slice(0, 640))),
        (Overlay(stamp="1.000 s"), (slice(0, 120), slice(640, 1280))),
        (Overlay(rows=(Row(WHITE, "red"),)), (slice(600, 720), slice(0, 640))),
        (Overlay(notice="moved"), (slice(600, 720), slice(640, 1280))),
    ],
)
def test_panels_keep_to_their_corners(overlay: Overlay, where: tuple[slice, slice]):
    different = changed(overlay, grey())
    inside = np.zeros_like(different)
    inside[where] = True
    assert different[inside].any()
    assert not different[~inside].any()


def test_caption_changes_with_its_words():
    one, other = (
        draw_overlay(grey(), Overlay(marks=(Mark(SQUARE, caption=words),)))
        for words in ("a01", "a02")
    )
    assert (one != other).any()


@pytest.mark.parametrize("size", [(2, 2), (64, 48), (3000, 2000)])
def test_any_size_of_picture_and_quads_outside_of_it(size: tuple[int, int]):
    far = ((-900.0, -900.0), (9000.0, -5.0), (9000.0, 9000.0), (-5.0, 9000.0))
    mark = Mark(far, caption="outside", badge="1", sign=Sign.TICK, strong=True)
    overlay = Overlay((mark,), "title", "subtitle", "stamp", (Row(WHITE, "row"),), "notice")
    assert draw_overlay(grey(*size), overlay).shape == (*size, 3)


def test_lines_grow_with_the_picture():
    def width_of_edge(scale: int) -> int:
        quad = tuple((x * scale, y * scale) for x, y in SQUARE)
        image = grey(720 * scale, 1280 * scale)
        return int(
            changed(Overlay(marks=(Mark(quad, strong=True),)), image)[
                340 * scale, : 300 * scale
            ].sum()
        )

    assert width_of_edge(4) > 2 * width_of_edge(1)
