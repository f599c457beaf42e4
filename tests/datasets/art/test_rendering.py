"""SVG to PNG."""

import cv2
import numpy as np

from datasets.art.rendering import encode_png, render_rgba
from datasets.art.svg import Box, document, flat, placed, rounded

HALF = document(flat("M0 0H20V40H0Z", "#ff0000").to_svg(), 40, 40)


def test_render_paints_where_the_path_is() -> None:
    rgba = render_rgba(HALF, 20, 20)
    assert rgba.shape == (20, 20, 4)
    assert rgba[10, 2].tolist() == [255, 0, 0, 255]
    assert rgba[10, 17].tolist() == [0, 0, 0, 0]


def test_png_keeps_colours_and_round_corners() -> None:
    card = document(flat(rounded(Box(0, 0, 100, 100), 30), "#2080c0").to_svg(), 100, 100)
    png = encode_png(render_rgba(card, 100, 100), colours=8)
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture.shape == (100, 100, 4)
    assert picture[50, 50].tolist() == [0xC0, 0x80, 0x20, 255]
    assert picture[1, 1, 3] == 0
    tones = set(picture[..., 3].ravel().tolist())
    assert {0, 255} < tones


def test_placed_centres_and_mirrors() -> None:
    shape = flat("M0 0H10V10H0Z", "#00ff00").to_svg()
    box, frame = Box(0, 0, 20, 10), Box(0, 0, 40, 40)
    plain = render_rgba(document(placed(shape, box, frame), 40, 40), 40, 40)
    mirrored = render_rgba(document(placed(shape, box, frame, mirrored=True), 40, 40), 40, 40)
    assert plain[20, 5, 3] == 255
    assert plain[20, 35, 3] == 0
    assert np.array_equal(mirrored, plain[:, ::-1])
    assert not plain[5].any()


def test_placed_grows_no_further_than_its_limit() -> None:
    shape = flat("M0 0H10V10H0Z", "#00ff00").to_svg()
    content = placed(shape, Box(0, 0, 10, 10), Box(0, 0, 40, 40), limit=1)
    alpha = render_rgba(document(content, 40, 40), 40, 40)[..., 3]
    assert (alpha == 255).sum() == 100
