"""Our Panda deck: complete up to rotation, countable, and every piece told from the others."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.art import zoo_board
from datasets.art.build_deck import DEFAULT_OUT
from datasets.art.panda_deck import CARD_PX, PLAYERS, plan_deck
from datasets.art.rendering import render_rgba
from datasets.art.zoo_chips import chip_face
from datasets.art.zoo_path import path_face
from referee.deck_check import check_deck
from referee.decks import load_deck
from referee.games.panda_gorilla.model import EDGES, SIZES, Chip, PathCard
from tests.datasets.art.committed import (
    assert_face_is_current,
    assert_pack_is_current,
    assert_picture_is_current,
    assert_same_on_every_run,
    small_pictures,
)

PACK = DEFAULT_OUT / "panda-gorilla"
Colouring = tuple[frozenset[str], tuple[str, str, str, str]]


def turned(card: Colouring) -> Colouring:
    """A card after a quarter turn clockwise: what was north is east, what was nw is ne."""
    paths, (nw, ne, se, sw) = card
    return frozenset(EDGES[(EDGES.index(e) + 1) % 4] for e in paths), (sw, nw, ne, se)


def upright(card: Colouring) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The same value for every rotation of a card."""
    forms = []
    for _ in range(4):
        card = turned(card)
        forms.append((tuple(sorted(card[0])), card[1]))
    return min(forms)


def possible_cards() -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Every card with at least two lawns: quarters with no path between them have one colour."""
    found = set()
    for flags in product((False, True), repeat=4):
        paths = frozenset(edge for edge, has in zip(EDGES, flags, strict=True) if has)
        if len(paths) < 2:
            continue
        for lawns in product(("light", "dark"), repeat=4):
            nw, ne, se, sw = lawns
            pairs = {"n": (nw, ne), "e": (ne, se), "s": (se, sw), "w": (sw, nw)}
            if all(edge in paths or one == other for edge, (one, other) in pairs.items()):
                found.add(upright((paths, lawns)))
    return found


def deck_paths() -> list[PathCard]:
    return [piece for piece in load_deck(PACK).pieces if isinstance(piece, PathCard)]


def test_every_colouring_is_there_once_up_to_rotation() -> None:
    cards = [upright((card.paths, card.quarters)) for card in deck_paths()]
    assert len(cards) == len(set(cards)) == 21
    assert set(cards) == possible_cards()


def test_counts_are_those_of_the_game() -> None:
    assert sum(card.count for card in deck_paths()) == 74
    chips = [piece for piece in load_deck(PACK).pieces if isinstance(piece, Chip)]
    assert sum(chip.count for chip in chips) == 36
    assert {(chip.player, chip.size) for chip in chips} == set(product(PLAYERS, SIZES))


def test_light_and_dark_lawn_are_about_equally_frequent() -> None:
    lawns = [lawn for card in deck_paths() for lawn in card.quarters * card.count]
    assert lawns.count("light") / len(lawns) == pytest.approx(0.5, abs=0.03)


def test_committed_pack_is_the_one_that_the_code_writes() -> None:
    assert_pack_is_current(plan_deck())


@pytest.mark.parametrize("card_id", ["p03", "p12", "p21", "back-path", "chip-blue-small"])
def test_committed_picture_shows_its_drawing(card_id: str) -> None:
    assert_face_is_current(plan_deck(), card_id)


def test_committed_board_shows_its_drawing() -> None:
    board = plan_deck().board
    assert board is not None
    assert_picture_is_current(board.svg, board.size_px, PACK / "board.png")


def test_drawings_do_not_depend_on_the_run() -> None:
    assert_same_on_every_run(plan_deck())


def test_committed_pack_has_nothing_wrong_and_is_small() -> None:
    assert check_deck(PACK) == []
    assert sum(path.stat().st_size for path in PACK.rglob("*.*")) < 2e6


def quarter_tones(image: NDArray[np.uint8], gain: tuple[float, float, float]) -> list[float]:
    """Brightness of the outer part of each quarter under a coloured light, nw, ne, se, sw."""
    grey = cv2.cvtColor(np.clip(image * gain, 0, 255).astype(np.uint8), cv2.COLOR_RGB2GRAY)
    side = grey.shape[0]
    near, far = slice(4, side // 4), slice(side - side // 4, side - 4)
    places = ((near, near), (near, far), (far, far), (far, near))
    return [float(np.median(grey[rows, columns])) for rows, columns in places]


@pytest.mark.parametrize(
    "gain", [(1.0, 1.0, 1.0), (1.0, 0.8, 0.55), (0.5, 0.45, 0.35)], ids=["grey", "warm", "dim"]
)
def test_greens_are_apart_in_grey_and_in_warm_light(gain: tuple[float, float, float]) -> None:
    for card in deck_paths():
        picture = cv2.imread(str(PACK / "cards" / f"{card.id}.png"), cv2.IMREAD_COLOR)
        tones = quarter_tones(picture[..., ::-1].astype(np.uint8), gain)
        for lawn, tone in zip(card.quarters, tones, strict=True):
            assert (tone > 95 * gain[1]) == (lawn == "light")
        light = [t for lawn, t in zip(card.quarters, tones, strict=True) if lawn == "light"]
        dark = [t for lawn, t in zip(card.quarters, tones, strict=True) if lawn == "dark"]
        if light and dark:
            assert min(light) > 2 * max(dark)


@pytest.mark.parametrize("edge", EDGES)
def test_path_leaves_in_the_middle_of_its_edges_only(edge: str) -> None:
    """Two cards side by side continue each other's path: same place, same width, mirrored."""
    drawn = {True: None, False: None}
    for paths in (("n", "e", "s", "w"), tuple(e for e in EDGES if e != edge)):
        svg = path_face(paths, dict.fromkeys(("nw", "ne", "se", "sw"), "dark"), 0)
        rgb = render_rgba(svg, *CARD_PX)[..., :3].astype(int)
        turns = EDGES.index(edge)  # brings the edge to the top
        rim = np.rot90(rgb, turns)[3]
        sandy = rim[:, 0] > 200
        drawn[edge in paths] = sandy
    with_path, without = drawn[True], drawn[False]
    assert with_path is not None
    assert without is not None
    places = np.nonzero(with_path)[0]
    assert places.min() + places.max() == pytest.approx(CARD_PX[0] - 1, abs=2)
    assert np.ptp(places) == pytest.approx(CARD_PX[0] * 84 / 440, abs=6)
    assert not without.any()


def test_every_path_card_looks_like_itself_in_one_rotation_only() -> None:
    for card in deck_paths():
        picture = cv2.imread(str(PACK / "cards" / f"{card.id}.png"), cv2.IMREAD_COLOR)
        small = cv2.resize(picture, (60, 60), interpolation=cv2.INTER_AREA).astype(float)
        for turns in (1, 2, 3):
            assert np.abs(small - np.rot90(small, turns)).mean() > 4.5, card.id


def test_no_two_path_cards_look_alike_in_any_rotation() -> None:
    pictures = small_pictures("panda-gorilla", (60, 60), "p", "back").reshape(-1, 60, 60, 3)
    assert len(pictures) == 22
    for index, one in enumerate(pictures):
        for other in pictures[:index]:
            apart = [np.abs(one - np.rot90(other, turns)).mean() for turns in range(4)]
            assert min(apart) > 8


def test_chips_differ_in_hue_in_sign_and_in_animal() -> None:
    chips = {
        (player, size): render_rgba(chip_face(player, size), 100, 100)
        for player in PLAYERS
        for size in SIZES
    }
    hues = []
    for player in PLAYERS:
        rim = chips[player, "large"][48:52, 3:5, :3].reshape(-1, 1, 3)
        hues.append(int(cv2.cvtColor(rim, cv2.COLOR_RGB2HSV)[0, 0, 0]))
    for index, hue in enumerate(hues):
        assert all(min(abs(hue - h), 180 - abs(hue - h)) > 15 for h in hues[:index])
    signs = [chips[p, "large"][70:96, 37:63, :3].min(axis=2) > 200 for p in PLAYERS]
    for index, sign in enumerate(signs):
        assert all(np.mean(sign != other) > 0.03 for other in signs[:index])
    heads = [chips["red", s][18:68, 22:78, :3].min(axis=2).astype(int) for s in SIZES]
    for index, head in enumerate(heads):
        assert all(np.mean(np.abs(head - other) > 90) > 0.3 for other in heads[:index])


def test_chip_diameters_tell_the_sizes_and_fit_a_quarter() -> None:
    deck = load_deck(PACK)
    assert deck.board is not None
    assert deck.board.space_mm is not None
    widths = {c.piece.size: c.size_mm[0] for c in deck.cards if isinstance(c.piece, Chip)}
    assert widths["large"] - 2 > widths["medium"] > widths["small"] + 2
    assert widths["large"] < deck.board.space_mm / 2


def test_board_corners_are_those_of_the_grid() -> None:
    """The inner edge of the wall is where the corners say: bricks outside, ground inside."""
    board = load_deck(PACK).board
    assert board is not None
    assert (board.rows, board.cols) == (8, 9)
    picture = cv2.imread(str(PACK / "board.png"), cv2.IMREAD_COLOR).astype(int)
    (x0, y0), (x1, _), (_, y1), _ = board.corners_px
    assert (x1 - x0) / board.cols == pytest.approx((y1 - y0) / board.rows)
    middle_x, middle_y = int(x0 + 200), int((y0 + y1) / 2)
    for outside, inside in (
        (picture[int(y0) - 6, middle_x], picture[int(y0) + 25, middle_x]),
        (picture[int(y1) + 6, middle_x], picture[int(y1) - 25, middle_x]),
        (picture[middle_y, int(x0) - 6], picture[middle_y, int(x0) + 25]),
        (picture[middle_y, int(x1) + 6], picture[middle_y, int(x1) - 25]),
    ):
        assert outside[1] < 100 < inside[1]


def test_signs_lie_beside_the_entrance() -> None:
    board = load_deck(PACK).board
    assert board is not None
    (row, col), = board.entrance  # fmt: skip
    assert all(abs(s.row - row) + abs(s.col - col) == 1 for s in board.signs)
    assert row == board.rows - 1  # the gate is in the wall
    assert (row, col) == zoo_board.ENTRANCE
