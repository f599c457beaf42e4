"""What is visible decides what is labelled."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.items import Item, Scene, Shadows, Table
from datasets.labels import clip, label_lines
from datasets.render import Rendered, render
from datasets.viewpoint import aim

CARD = (60.0, 80.0)


def art(tone: int) -> np.ndarray:
    picture = np.full((80, 60, 4), tone, np.uint8)
    picture[..., 3] = 255
    return picture


def photograph(*items: Item, tilt: float = 0.0, k1: float = 0.0) -> Rendered:
    tile = np.full((32, 32, 3), 90, np.uint8)
    table = Table(tile, 2.0, 0.0, None, ((0, 0, 0), 0.0), tile)
    scene = Scene(table, items, Shadows((0.0, 0.0), 0.1, 0.3), "test")
    return render(scene, aim((400, 300), 1.0, tilt, 0.0, 0.0, 400.0, k1=k1))


@pytest.mark.parametrize(("covered", "labelled"), [(0.60, True), (0.70, True), (0.80, False)])
def test_a_covered_card_is_labelled_by_its_visible_share(covered: float, labelled: bool) -> None:
    below = Item("card", art(240), (0.0, 0.0), CARD, 0.0)
    above = Item("camera", art(40), (CARD[0] * (1 - covered), 0.0), CARD, 0.0)
    rendered = photograph(below, above)
    truth = {t.kind: t for t in rendered.truths}
    assert truth["card"].visible == pytest.approx(1 - covered, abs=0.03)
    assert truth["camera"].visible > 0.97
    kinds = [line.split()[0] for line in label_lines(rendered)]
    assert kinds == (["0", "1"] if labelled else ["1"])


def test_quads_are_amodal_and_follow_the_turn() -> None:
    turned = Item("card", art(240), (10.0, -5.0), CARD, np.pi / 2)
    quad = photograph(turned).truths[0].quad
    scale = 1.0 * 400 / (400.0 - 0.3)
    expected = np.array([[40, -30], [40, 30], [-40, 30], [-40, -30]]) + np.array([10, -5])
    assert quad == pytest.approx(expected * scale + (200, 150), abs=0.3)


def test_the_painted_card_fills_its_quad() -> None:
    rendered = photograph(Item("card", art(240), (0.0, 0.0), CARD, 0.4), tilt=0.6, k1=-0.1)
    quad = rendered.truths[0].quad
    bright = np.argwhere(rendered.image[..., 0] > 170)[:, ::-1]
    assert bright.min(axis=0) == pytest.approx(quad.min(axis=0), abs=2.0)
    assert bright.max(axis=0) == pytest.approx(quad.max(axis=0), abs=2.0)


def test_far_edge_looks_smaller_when_the_camera_leans() -> None:
    quad = photograph(Item("card", art(240), (0.0, 0.0), CARD, 0.0), tilt=0.7).truths[0].quad
    assert np.hypot(*(quad[1] - quad[0])) < np.hypot(*(quad[2] - quad[3]))
    assert quad[0, 1] < quad[3, 1]


def test_things_are_never_labelled() -> None:
    rendered = photograph(Item("thing", art(240), (0.0, 0.0), CARD, 0.0))
    assert rendered.truths == ()
    assert label_lines(rendered) == []


def test_a_card_cut_by_the_edge_is_clipped() -> None:
    half_out = np.array([[-10.0, 10.0], [20.0, 10.0], [20.0, 50.0], [-10.0, 50.0]])
    assert clip(half_out, (100, 100)).min() == 0.0
    assert len(clip(half_out + 200, (100, 100))) == 0
    diamond = np.array([[50.0, -5.0], [60.0, 5.0], [50.0, 15.0], [40.0, 5.0]])
    assert len(clip(diamond, (100, 100))) == 5
