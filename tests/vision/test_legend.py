"""What stands below a picture."""

from __future__ import annotations

import numpy as np

from vision.legend import Legend, add_legend, legend_height
from vision.lettering import wrap_words
from vision.overlay import AMBER, COLOURS, Row, text_width

PICTURE = np.full((720, 960, 3), 120, np.uint8)
RED, GREEN = COLOURS["red"], COLOURS["green"]


def below(legend: Legend) -> np.ndarray:
    drawn = add_legend(PICTURE, legend)
    assert np.array_equal(drawn[:720], PICTURE)
    return drawn[720:]


def places_of(strip: np.ndarray, colour: tuple[int, int, int]) -> tuple[np.ndarray, np.ndarray]:
    return np.nonzero(np.abs(strip.astype(int) - np.array(colour)).max(axis=2) < 12)


def test_nothing_to_tell_adds_nothing() -> None:
    assert add_legend(PICTURE, Legend()) is PICTURE


def test_short_rows_stand_side_by_side() -> None:
    strip = below(Legend("2 areas", [Row(RED, "red 12"), Row(GREEN, "green 3")]))
    (red_y, red_x), (green_y, green_x) = places_of(strip, RED), places_of(strip, GREEN)
    assert red_x.max() < green_x.min()
    assert abs(red_y.mean() - green_y.mean()) < 1


def test_long_rows_stand_below_each_other() -> None:
    words = "ann 4 = 7 sea - 3 impact (zone), the shared hand adds nothing"
    strip = below(Legend(rows=[Row(RED, words), Row(GREEN, words)]))
    (red_y, red_x), (green_y, green_x) = places_of(strip, RED), places_of(strip, GREEN)
    assert red_y.max() < green_y.min()
    assert abs(red_x.mean() - green_x.mean()) < 1


def test_a_long_notice_is_wrapped_and_ends_within_the_picture() -> None:
    short = below(Legend(notice="1 in doubt"))
    long = below(Legend(notice="1 in doubt: " + "an unknown card lies there " * 8))
    assert long.shape[0] > 1.8 * short.shape[0]
    assert places_of(long, AMBER)[1].max() < 950


def test_words_are_wrapped_by_their_width() -> None:
    assert wrap_words("", 100, 20, 500) == []
    assert wrap_words("a b c", 1, 20, 500) == ["a", "b", "c"]
    lines = wrap_words("the shared hand shows all three methods", 200, 20, 500)
    assert " ".join(lines) == "the shared hand shows all three methods"
    assert all(text_width(line, 20, 500) <= 200 for line in lines)


def test_strip_of_a_film_is_as_high_as_its_highest():
    short, long = Legend("few words"), Legend("many words " * 30)
    highest = legend_height(PICTURE, long)
    assert add_legend(PICTURE, long).shape[0] == PICTURE.shape[0] + highest
    padded, plain = add_legend(PICTURE, short, highest), add_legend(PICTURE, short)
    assert padded.shape == add_legend(PICTURE, long).shape
    assert (padded[: plain.shape[0]] == plain).all()
    assert (padded[plain.shape[0] :] == plain[-1]).all()
