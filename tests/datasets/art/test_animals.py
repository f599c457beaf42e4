"""Any head closes any body: what the crosses of the deck rest upon."""

from collections.abc import Callable, Mapping
from itertools import permutations, product

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from datasets.art.animals import BODIES, HEADS, SPECIES, creature
from datasets.art.rendering import render_rgba
from datasets.art.svg import Box, Part, document, group

JOINT_RADIUS = 62
SIDE = 300


def drawn(part: Part, box: Box, *, sticker: bool = False) -> npt.NDArray[np.uint8]:
    """The alpha of what a box shows of a part, scaled to a square of 300 px."""
    content = part.to_sticker() if sticker else part.to_svg()
    move = f"scale({SIDE / box.width} {SIDE / box.height}) translate({-box.x0} {-box.y0})"
    return render_rgba(document(group(content, move), SIDE, SIDE), SIDE, SIDE)[..., 3]


def test_species_are_the_five_of_the_game() -> None:
    assert SPECIES == ("crocodile", "elephant", "giraffe", "lion", "gorilla")


@pytest.mark.parametrize("species", SPECIES)
def test_head_covers_the_joint(species: str) -> None:
    alpha = drawn(HEADS[species](), Box(-100, -100, 100, 100))
    y, x = np.mgrid[-100 : 100 : SIDE * 1j, -100 : 100 : SIDE * 1j]
    assert np.all(alpha[np.hypot(x, y) < JOINT_RADIUS] > 250)


@pytest.mark.parametrize(("head", "body"), [*product(SPECIES, SPECIES)])
def test_head_and_body_are_one_piece(head: str, body: str) -> None:
    part = creature(head, body)
    alpha = drawn(part, part.box.grown(20), sticker=True)
    pieces, _ = cv2.connectedComponents((alpha > 128).astype(np.uint8))
    assert pieces == 2  # the ground and the animal


@pytest.mark.parametrize("draw", [*HEADS.values(), *BODIES.values()])
def test_box_holds_the_whole_drawing(draw: Callable[[], Part]) -> None:
    drawing = draw()
    alpha = drawn(drawing, drawing.box.grown(8))
    edge = np.concatenate([alpha[0], alpha[-1], alpha[:, 0], alpha[:, -1]])
    assert not edge.any()


@pytest.mark.parametrize("parts", [HEADS, BODIES])
def test_species_differ_in_shape(parts: Mapping[str, Callable[[], Part]]) -> None:
    masks = {}
    for name, draw in parts.items():
        drawing = draw()
        masks[name] = drawn(drawing, drawing.box) > 128
    for one, other in permutations(parts, 2):
        both, either = masks[one] & masks[other], masks[one] | masks[other]
        assert both.sum() / either.sum() < 0.86, (one, other)
