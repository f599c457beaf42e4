"""Deck packs as folders and .zip files, and everything that must be refused in one."""

import shutil
import zipfile

import pytest
from PIL import Image

from referee.deck_check import check_deck
from referee.decks import load_deck
from referee.errors import DeckError
from referee.games.exploring_galapagos.model import HabitatAnimal, HabitatCard
from referee.games.galapa_go.model import (
    Animal,
    AnimalCard,
    CameraCard,
    CardBack,
    Special,
    SpecialKind,
    Task,
)
from referee.games.panda_gorilla.model import Board, Chip, PathCard, Space
from referee.pictures import picture_size
from tests.referee.deck_packs import EXPLORING, GALAPA_GO, PANDA, TEXTS, Pack, png


@pytest.fixture
def pack(tmp_path):
    return Pack(tmp_path)


def zipped(folder, inside=""):
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, inside + file.relative_to(folder).as_posix())
    return path


def test_galapa_go_cards_are_read(pack):
    deck = pack.load()
    assert (deck.game, deck.name, deck.card_mm, deck.board) == (
        "galapa-go", "Small deck", (63.0, 88.0), None,
    )  # fmt: skip
    assert deck.pieces == (
        AnimalCard("a1", (Animal("lion", "lion"),)),
        AnimalCard("a2", (Animal("giraffe", "gorilla"),), ("red",)),
        Task("t1", frozenset({"lion"}), frozenset({"blue-crab"})),
        Special("s1", SpecialKind.MOST),
        CameraCard("cam-red", "red"),
        CardBack("back-animal", "animal"),
    )
    assert [card.size_mm for card in deck.of_kind("animal", "special")] == [
        (63.0, 88.0), (63.0, 88.0), (44.0, 68.0),
    ]  # fmt: skip
    assert deck.card("t1").kind == "task"
    with pytest.raises(KeyError):
        deck.card("t2")


def test_exploring_cards_are_read(pack):
    card = pack.load("exploring-galapagos").pieces[0]
    sky = HabitatAnimal("gray-bird", "sky", "morning")
    sea = HabitatAnimal("blue-fish", "sea", "night")
    assert card == HabitatCard("h1", 1, "zone", "morning", 1, (sky, sea))


def test_panda_cards_and_board_are_read(pack):
    deck = pack.load("panda-gorilla")
    assert deck.pieces[:2] == (
        PathCard("p1", frozenset({"n", "e"}), ("dark", "light", "dark", "dark"), 2),
        Chip("chip", "red", "large", 3),
    )
    corners = ((0, 0), (300, 0), (300, 200), (0, 200))
    assert deck.board == Board(
        2, 3, (Space(0, 1),), (Space(0, 0), Space(0, 2)), 45, "board.png", corners
    )
    assert picture_size(deck.read_board_bytes()) == (300, 200)


@pytest.mark.parametrize("game", TEXTS)
@pytest.mark.parametrize("inside", ["", "sample/"])
def test_zip_gives_the_same_deck(pack, game, inside):
    folder = pack.write(game)
    deck, packed = load_deck(folder), load_deck(zipped(folder, inside))
    assert (packed.cards, packed.board) == (deck.cards, deck.board)
    for card in deck.cards:
        assert packed.read_image_bytes(card) == deck.read_image_bytes(card)


@pytest.mark.parametrize("game", TEXTS)
def test_small_decks_are_in_order(pack, game):
    problems = check_deck(pack.write(game))
    expected = ["s1: cards/s1.png is 210 x 294 px"] if game == "galapa-go" else []
    assert [problem[: len(start)] for problem, start in zip(problems, expected, strict=True)] == (
        expected
    )


BROKEN = [
    # game, text of the pack that is changed, what it becomes, words of the message
    (GALAPA_GO, "format: 1", "format: 2", ["format", "1", "2"]),
    (GALAPA_GO, "format: 1", "format: true", ["format"]),
    (GALAPA_GO, "format: 1\n", "", ["format"]),
    (GALAPA_GO, "format: 1", "format: 1\nformat: 1", ["format", "twice"]),
    (GALAPA_GO, "format: 1", "format: 1\nauthor: me", ["author"]),
    (GALAPA_GO, "galapa-go", "chess", ["game", "chess", "galapa-go"]),
    (GALAPA_GO, "galapa-go", "exploring-galapagos", ["cards[0].kind", "habitat", "animal"]),
    (GALAPA_GO, "[63, 88]", "[63]", ["card_mm"]),
    (GALAPA_GO, "[63, 88]", "[63, -88]", ["card_mm"]),
    (GALAPA_GO, "[63, 88]", "[63, .inf]", ["card_mm"]),
    (GALAPA_GO, "id: a2", "id: a1", ["cards[1].id", "a1"]),
    (GALAPA_GO, "id: a2", "id: 2", ["cards[1].id", "2"]),
    (GALAPA_GO, "cards/a2.png", "cards/a9.png", ["cards[1].image", "a2", "a9.png"]),
    (GALAPA_GO, "cards/a2.png", "../galapa-go/cards/a2.png", ["cards[1].image"]),
    (GALAPA_GO, "cards/a2.png", "/etc/hostname", ["cards[1].image"]),
    (GALAPA_GO, " image: cards/a2.png,", "", ["cards[1].image", "a2"]),
    (GALAPA_GO, "crabs: [red]", "crabs: [green]", ["cards[1].crabs[0]", "green"]),
    (GALAPA_GO, "crabs: [red]", "crabs: [red, red]", ["cards[1].crabs[1]"]),
    (GALAPA_GO, "crabs: [red]", "crab: [red]", ["cards[1].crab", "crabs"]),
    (GALAPA_GO, "body: gorilla", "body: [gorilla]", ["cards[1].animals[0].body"]),
    (GALAPA_GO, "kind: task", "kind: duty", ["cards[2].kind", "duty", "task"]),
    (GALAPA_GO, "special: most", "special: more", ["cards[3].special", "more", "least"]),
    (GALAPA_GO, "mm: [44, 68]", "mm: 44", ["cards[3].mm"]),
    (GALAPA_GO, "player: red", "player: pink", ["cards[4].player", "pink"]),
    (GALAPA_GO, "of: animal", "of: path", ["cards[5].of", "path"]),
    (GALAPA_GO, "cards:", "board: {}\ncards:", ["board"]),
    (GALAPA_GO, "cards:", "cards: [", ["line", "YAML"]),
    (GALAPA_GO, GALAPA_GO, "", ["object"]),
    (GALAPA_GO, GALAPA_GO, "- 1", ["object"]),
    (GALAPA_GO, GALAPA_GO, "!!python/object/apply:os.getcwd []", ["YAML"]),
    (GALAPA_GO, GALAPA_GO[GALAPA_GO.index("cards:") :], "cards: []", ["cards"]),
    (EXPLORING, "value: 1", "value: one", ["cards[0].value", "one"]),
    (EXPLORING, "impact: 1", "impact: 3", ["cards[0].impact", "3"]),
    (EXPLORING, "time: night", "time: noon", ["cards[0].animals[1].time", "noon"]),
    (EXPLORING, "zone: sky", "zone: air", ["cards[0].animals[0].zone", "air"]),
    (EXPLORING, "method: zone", "method: luck", ["cards[0].method", "luck"]),
    (PANDA, "paths: [n, e]", "paths: [n, n]", ["cards[0].paths[1]"]),
    (PANDA, "paths: [n, e]", "paths: [n, up]", ["cards[0].paths[1]", "up"]),
    (PANDA, "nw: dark", "nw: red", ["cards[0].quarters.nw", "red"]),
    (PANDA, ", sw: dark}", "}", ["cards[0].quarters.sw"]),
    (PANDA, "count: 2", "count: 0", ["cards[0].count", "0"]),
    (PANDA, "size: large", "size: huge", ["cards[1].size", "huge"]),
    (PANDA, "rows: 2", "rows: 0", ["board.rows"]),
    (PANDA, "entrance: [[0, 1]]", "entrance: [[0, 3]]", ["board.entrance[0]", "3"]),
    (PANDA, "entrance: [[0, 1]]", "entrance: [[0, 1.0]]", ["board.entrance[0]"]),
    (PANDA, "image: board.png", "image: zoo.png", ["board.image", "zoo.png"]),
    (PANDA, ", [0, 200]]}", "]}", ["board.corners_px"]),
    (PANDA, "space_mm: 45", "space_mm: wide", ["board.space_mm", "wide"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "old", "new", "words"), BROKEN, ids=[f"{words}" for *_, words in BROKEN]
)
def test_broken_pack_is_refused_with_its_place(pack, text, old, new, words):
    assert old in text
    game = next(name for name, own in TEXTS.items() if own == text)
    folder = pack.write(game, text.replace(old, new))
    with pytest.raises(DeckError) as caught:
        load_deck(folder)
    message = str(caught.value)
    assert "deck.yaml" in message
    assert all(word in message for word in words), message
    assert "\n" not in message
    assert check_deck(folder) == [message]


def test_what_is_no_pack_is_refused(pack, tmp_path):
    file = tmp_path / "deck.zip"
    for path, word in [(tmp_path / "none", "none"), (tmp_path, "deck.yaml")]:
        with pytest.raises(DeckError, match=word):
            load_deck(path)
    file.write_bytes(b"no zip")
    with pytest.raises(DeckError, match=r"expected a folder or a \.zip file, got a damaged one"):
        load_deck(file)
    picture = tmp_path / "table.jpg"
    picture.write_bytes(b"\xff\xd8")
    with pytest.raises(DeckError, match=r"a \.zip file, got a file of another kind"):
        load_deck(picture)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("one/deck.yaml", GALAPA_GO)
        archive.writestr("two/deck.yaml", GALAPA_GO)
    with pytest.raises(DeckError, match="several"):
        load_deck(file)


def test_zip_that_leads_out_of_itself_is_refused(pack):
    text = GALAPA_GO.replace("cards/a2.png", "../a2.png")
    path = zipped(pack.write(text=text))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("../a2.png", png(210, 294))
    with pytest.raises(DeckError, match=r"cards\[1\]\.image"):
        load_deck(path)


def test_link_out_of_the_folder_is_refused(pack, tmp_path):
    folder = pack.write()
    outside = tmp_path / "outside.png"
    shutil.move(folder / "cards" / "a2.png", outside)
    (folder / "cards" / "a2.png").symlink_to(outside)
    with pytest.raises(DeckError, match=r"cards\[1\]\.image"):
        load_deck(folder)


def test_bomb_in_a_zip_is_refused(pack):
    folder = pack.write()
    (folder / "cards" / "a1.png").write_bytes(bytes(33 * 2**20))
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*.*")):
            archive.write(file, file.relative_to(folder).as_posix())
    deck = load_deck(path)
    with pytest.raises(DeckError, match="MB"):
        deck.read_image_bytes(deck.card("a1"))


def test_damaged_zip_is_refused(pack):
    path = zipped(pack.write())
    data = bytearray(path.read_bytes())
    at = data.index(b"\x89PNG", data.index(b"cards/a1.png")) + 40
    data[at : at + 20] = bytes(20)
    path.write_bytes(data)
    deck = load_deck(path)
    with pytest.raises(DeckError, match=r"cards/a1\.png"):
        deck.read_image_bytes(deck.card("a1"))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("require: [lion]", "require: [loin]", "t1: no Animal card shows 'loin'"),
        ("require: [lion], forbid: [blue-crab]", "mm: [63, 88]", "t1: the Task neither"),
        (
            "{id: back-animal, kind: back",
            "{id: more, kind: back, image: cards/a1.png, of: animal}\n"
            "  - {id: back-animal, kind: back",
            "2 backs of the kind animal",
        ),
        (
            "  - {id: cam-red, kind: camera, image: cards/cam-red.png, player: red}\n",
            "",
            "no Camera card",
        ),
    ],
)
def test_odd_deck_is_named_by_the_check(pack, old, new, problem):
    assert old in GALAPA_GO
    problems = check_deck(pack.write(text=GALAPA_GO.replace(old, new)))
    assert any(each.startswith(problem) for each in problems), problems


def test_lawn_of_two_colours_is_named_by_the_check(pack):
    text = PANDA.replace("se: dark", "se: light")
    assert check_deck(pack.write("panda-gorilla", text)) == [
        "p1: se and sw are one lawn of two colours"
    ]


def test_picture_that_is_none_or_too_small_is_named_by_the_check(pack):
    folder = pack.write()
    (folder / "cards" / "a1.png").write_bytes(b"GIF89a")
    (folder / "cards" / "a2.png").write_bytes(png(100, 140))
    problems = check_deck(folder)
    assert problems[0] == "a1: cards/a1.png is no PNG or JPEG picture"
    assert problems[1].startswith("a2: cards/a2.png is 100 x 140 px; at least 200 px")


def test_faces_that_look_alike_are_named_by_the_check(pack):
    folder = pack.write()
    (folder / "cards" / "a2.png").write_bytes((folder / "cards" / "a1.png").read_bytes())
    problem = check_deck(folder)[-1]
    assert problem.startswith("a1 and a2 look alike (cards/a1.png, cards/a2.png)")


def test_a_face_saved_anew_still_looks_alike(pack):
    folder = pack.write()
    with Image.open(folder / "cards" / "a1.png") as face:
        face.convert("RGB").resize((200, 279)).save(folder / "cards" / "a2.jpg", quality=60)
    file = folder / "deck.yaml"
    file.write_text(file.read_text().replace("cards/a2.png", "cards/a2.jpg"))
    problem = check_deck(folder)[-1]
    assert problem.startswith("a1 and a2 look alike")


def test_equal_cards_may_look_alike(pack):
    twin = "{id: a1, kind: animal, image: cards/a1.png, animals: [{head: lion, body: lion}]}"
    text = GALAPA_GO.replace("cards:\n", f"cards:\n  - {twin.replace('a1,', 'a7,')}\n")
    assert not any("alike" in problem for problem in check_deck(pack.write(text=text)))
