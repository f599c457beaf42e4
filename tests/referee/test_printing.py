"""The PDF of a deck: real size, the right backs behind the faces, each card as often as it is."""

import io
import re
from pathlib import Path

import pytest
from PIL import Image

from referee.decks import Deck, load_deck
from referee.errors import DeckError
from referee.printing import PAGES, print_deck
from referee.printing_sheets import MARGIN_MM, Sheet, plan_sheets
from tests.referee.pdf_pages import drawn_images, page_streams

GO_CARDS = """
  - {id: a01, kind: animal, image: red.png, animals: [{head: lion, body: lion}]}
  - {id: a02, kind: animal, image: red.png, animals: [{head: lion, body: giraffe}]}
  - {id: t01, kind: task, image: red.png, require: [lion]}
  - {id: s01, kind: special, image: red.png, special: most}
  - {id: cam-red, kind: camera, image: red.png, player: red}
  - {id: back-animal, kind: back, image: blue.png, of: animal}
  - {id: back-task, kind: back, image: blue.png, of: task}
"""
POINTS_PER_MM = 72 / 25.4


def pack(folder: Path, cards: str, *, card_mm: str = "[63, 88]", name: str = "Test") -> Deck:
    for colour in ("red", "blue"):
        Image.new("RGB", (210, 294), colour).save(folder / f"{colour}.png")
    head = f"format: 1\ngame: galapa-go\nname: {name}\ncard_mm: {card_mm}\ncards:"
    (folder / "deck.yaml").write_text(head + cards, encoding="utf-8")
    return load_deck(folder)


def animals(count: int) -> str:
    line = (
        "\n  - {{id: a{:02}, kind: animal, image: red.png, animals: [{{head: lion, body: lion}}]}}"
    )
    return "".join(line.format(i) for i in range(count)) + (
        "\n  - {id: back-animal, kind: back, image: blue.png, of: animal}\n"
    )


def ids(sheet: Sheet) -> list[str | None]:
    return [face and face.id for face in sheet.faces]


def test_page_has_the_size_of_its_paper(tmp_path: Path) -> None:
    deck = pack(tmp_path, GO_CARDS)
    for page, box in (("A4", "595.27"), ("Letter", "612 792")):
        print_deck(deck, tmp_path / "out.pdf", page)
        media = re.findall(rb"/MediaBox \[ 0 0 (.*?) \]", (tmp_path / "out.pdf").read_bytes())
        assert media
        assert all(size.decode().startswith(box) for size in media)


def test_kinds_lie_before_their_own_backs(tmp_path: Path) -> None:
    sheets = plan_sheets(pack(tmp_path, GO_CARDS), "A4")
    assert [ids(sheet) for sheet in sheets] == [
        ["a01", "a02"],
        ["back-animal", "back-animal"],
        ["t01", "s01"],
        ["back-task", "back-task"],
        ["cam-red"],
        ["cam-red"],
    ]
    assert [sheet.is_back for sheet in sheets] == [False, True] * 3


def test_one_sided_print_has_the_faces_only(tmp_path: Path) -> None:
    sheets = plan_sheets(pack(tmp_path, GO_CARDS), "A4", duplex=False)
    assert [ids(sheet) for sheet in sheets] == [["a01", "a02"], ["t01", "s01"], ["cam-red"]]


def test_kind_without_a_back_leaves_its_other_side_white(tmp_path: Path) -> None:
    cards = "\n  - {id: t01, kind: task, image: red.png, require: [lion]}\n"
    assert [ids(sheet) for sheet in plan_sheets(pack(tmp_path, cards), "A4")] == [["t01"], [None]]


def test_full_pages_come_first(tmp_path: Path) -> None:
    sheets = plan_sheets(pack(tmp_path, animals(11)), "A4")
    assert [len(sheet.faces) for sheet in sheets] == [9, 9, 2, 2]


@pytest.mark.parametrize("page", PAGES)
def test_a_back_lies_behind_its_face_when_the_sheet_is_turned(tmp_path: Path, page: str) -> None:
    grid = plan_sheets(pack(tmp_path, animals(2)), page)[0].grid
    width = PAGES[page][0]
    for place in range(grid.columns * grid.rows):
        front_x, front_y = grid.origin_mm(place, is_back=False)
        back_x, back_y = grid.origin_mm(place, is_back=True)
        assert back_x == pytest.approx(width - front_x - 63)
        assert back_y == front_y
    assert grid.origin_mm(0, is_back=False) != grid.origin_mm(0, is_back=True)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("card_mm", [(63.0, 88.0), (44.0, 44.0), (18.0, 18.0), (90.0, 120.0)])
def test_cards_stay_apart_and_inside_the_margin(
    tmp_path: Path, page: str, card_mm: tuple[float, float]
) -> None:
    deck = pack(tmp_path, animals(1), card_mm=f"[{card_mm[0]}, {card_mm[1]}]")
    grid = plan_sheets(deck, page)[0].grid
    places = [grid.origin_mm(i, is_back=False) for i in range(grid.columns * grid.rows)]
    for x, y in places:
        assert MARGIN_MM - 1e-9 <= x <= PAGES[page][0] - MARGIN_MM - card_mm[0] + 1e-9
        assert MARGIN_MM - 1e-9 <= y <= PAGES[page][1] - MARGIN_MM - card_mm[1] + 1e-9
    for i, (x, y) in enumerate(places):
        for other_x, other_y in places[:i]:
            apart_x = abs(x - other_x) >= card_mm[0] - 1e-9
            assert apart_x or abs(y - other_y) >= card_mm[1] - 1e-9


def test_pdf_draws_each_face_and_back_in_its_real_size(tmp_path: Path) -> None:
    deck = pack(tmp_path, animals(2))
    print_deck(deck, tmp_path / "out.pdf", "A4")
    pages = [drawn_images(stream) for stream in page_streams(tmp_path / "out.pdf")]
    front, back = (images[1::2] for images in pages)
    grounds = [ground for images in pages for ground in images[::2]]  # the face, enlarged
    assert len(front) == len(back) == 2
    for (width, height, x, y), ground in zip(front + back, grounds, strict=True):
        gap_x, gap_y = ((m - n) / 2 for m, n in zip(ground[:2], (width, height), strict=True))
        assert (gap_x, gap_y) == pytest.approx((POINTS_PER_MM, POINTS_PER_MM), abs=0.01)
        assert (x - gap_x, y - gap_y) == pytest.approx(ground[2:], abs=0.01)
    for width, height, _, _ in front + back:
        assert width == pytest.approx(63 * POINTS_PER_MM, abs=0.01)
        assert height == pytest.approx(88 * POINTS_PER_MM, abs=0.01)
    page_width = PAGES["A4"][0] * POINTS_PER_MM
    for (width, _, front_x, front_y), (_, _, back_x, back_y) in zip(front, back, strict=True):
        assert back_x == pytest.approx(page_width - front_x - width, abs=0.01)
        assert back_y == front_y
    assert front[0][2] != back[0][2]


def test_cards_of_a_size_of_their_own_get_their_own_sheets(tmp_path: Path) -> None:
    cards = (
        "\n  - {id: cam-red, kind: camera, image: red.png, player: red, mm: [50, 70]}"
        "\n  - {id: cam-blue, kind: camera, image: blue.png, player: blue}\n"
    )
    sheets = plan_sheets(pack(tmp_path, cards), "A4")
    assert [sheet.grid.card_mm for sheet in sheets] == [(50, 70), (50, 70), (63, 88), (63, 88)]


def test_same_deck_gives_the_same_file(tmp_path: Path) -> None:
    deck = pack(tmp_path, GO_CARDS)
    for name in ("one.pdf", "two.pdf"):
        print_deck(deck, tmp_path / name, "A4")
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


def test_name_in_another_script_is_no_obstacle(tmp_path: Path) -> None:
    deck = pack(tmp_path, GO_CARDS, name="Сафари")
    print_deck(deck, tmp_path / "out.pdf", "Letter")
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF")


def test_card_larger_than_the_page_is_refused(tmp_path: Path) -> None:
    deck = pack(tmp_path, animals(1), card_mm="[300, 88]")
    with pytest.raises(DeckError, match=r"a00.*at most 196 x 283 mm.*300 x 88"):
        plan_sheets(deck, "A4")


def test_picture_that_is_none_is_named(tmp_path: Path) -> None:
    deck = pack(tmp_path, GO_CARDS)
    (tmp_path / "red.png").write_bytes(b"no picture")
    with pytest.raises(DeckError, match=r"red\.png \(a01\).*PNG or JPEG"):
        print_deck(deck, tmp_path / "out.pdf")


def test_transparent_corners_take_the_colour_of_the_edge(tmp_path: Path) -> None:
    deck = pack(tmp_path, animals(1))
    picture = Image.new("RGBA", (210, 294), (255, 0, 0, 255))
    picture.paste((0, 0, 0, 0), (0, 0, 20, 20))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    (tmp_path / "red.png").write_bytes(buffer.getvalue())
    print_deck(deck, tmp_path / "out.pdf")
    front = page_streams(tmp_path / "out.pdf")[0]
    assert re.search(r"1 0 0 rg\s+n [\d. ]+ re f", front)
