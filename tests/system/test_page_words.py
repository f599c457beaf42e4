"""What the page says, in both languages, where the service says it in English or not at all."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.system.test_page_in_browser import (
    NO_SCORES,
    PICTURES,
    made_table,
    stand_in,
)
from vision.resources import find_resource

pytestmark = [
    pytest.mark.system,
    # The browser's own event loop is closed by its driver, after pytest has looked.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

Open = Callable[..., Any]
GERMAN = "localStorage.setItem('table-referee', JSON.stringify({language: 'de'}))"
TWICE_SAID = """async () => {
    const { said } = await import("./said.js");
    const [en, de] = await Promise.all(["en", "de"].map(
        async name => (await fetch(`texts/${name}.json`)).json()));
    const filled = (key, text) => text.replace(/\\{(\\w+)\\}/g, (blank, name) =>
        name === "count" ? (key.endsWith(".one") ? "1" : "12") : `x-${name}`);
    return Object.keys(en).filter(key => key.startsWith("said."))
        .map(key => [said(filled(key, en[key])), filled(key, de[key])]);
}"""
SAID = "async text => (await import('./said.js')).said(text)"


def go(page: Any, address: str) -> None:
    page.goto(f"{page.url.partition('#')[0]}#{address}")


def show_german(page: Any) -> None:
    page.evaluate(GERMAN)
    page.reload()
    page.get_by_role("link", name="Tisch einrichten").wait_for()


def test_every_sentence_of_the_service_is_said_in_german(open_page: Open) -> None:
    page = open_page()
    show_german(page)
    pairs = page.evaluate(TWICE_SAID)
    assert len(pairs) > 100
    assert [pair for pair in pairs if pair[0] != pair[1]] == []


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("what nobody has foreseen", "what nobody has foreseen"),
        ("ann: 1 of 4 cards could not be named", "ann: 1 von 4 Karten nicht erkannt"),
        (
            "round 3 could not be seen whole: bob: 1 card seen, expected 4; ann: 5 cards seen, "
            "expected 4",
            "Runde 3 war nicht ganz zu sehen: bob: 1 Karte zu sehen, erwartet 4; "
            "ann: 5 Karten zu sehen, erwartet 4",
        ),
        (
            "ann: 3 cards seen, expected 4; the rest may lie outside the picture",
            "ann: 3 Karten zu sehen, erwartet 4; der Rest liegt vielleicht außerhalb des Bildes",
        ),
        (
            "ann: 1 card seen, expected 4; bob: 1 of 4 cards could not be named; "
            "nobody can be scored",
            "ann: 1 Karte zu sehen, erwartet 4; bob: 1 von 4 Karten nicht erkannt; "
            "niemand kann gewertet werden",
        ),
        (
            "red's Camera lies on a card that cannot be seen; it is left out",
            "die Kamera von Rot liegt auf einer Karte, die nicht zu sehen ist; "
            "sie bleibt außer Acht",
        ),
        ("players: expected red or blue, got 'pink'",
         "die Spieler: erwartet wird Rot oder Blau, gefunden: 'pink'"),
    ],
)  # fmt: skip
def test_sentences_within_sentences_are_said_in_german(
    open_page: Open, english: str, german: str
) -> None:
    page = open_page()
    show_german(page)
    assert page.evaluate(SAID, english) == german


@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("/table/%E0%A4%A", "There is nothing here"),
        ("/nowhere", "There is nothing here"),
        ("/table/missing", "There is no such table"),
        ("/table/missing/buzzer", "There is no such table"),
    ],
)
def test_where_nothing_is_the_page_says_so_and_leads_home(
    open_page: Open, address: str, what: str
) -> None:
    page = open_page(f"/#{address}")
    page.get_by_role("heading", name=what).wait_for()
    assert page.locator(".panel").count() == 0
    page.get_by_role("link", name="To all tables").click()
    page.get_by_role("link", name="Set up a table").wait_for()


def test_a_line_that_is_told_anew_is_struck(open_page: Open) -> None:
    page = open_page()
    answers = {
        "": made_table("panda-gorilla", ["red", "blue"]),
        "/areas": {"areas": [], "points": {"red": 3}},
        "/scores": {**NO_SCORES, "scores": {"red": 3, "blue": 0}},
    }
    placed = {"type": "placed", "t": 2.0, "row": 1, "col": 2, "card": "p02", "rotation": 90}
    scored = {"type": "scored", "quarters": [[1, 2, "nw"]], "colour": "dark"}
    chip = {"player": "red", "size": "small", "quarter": "nw"}
    events = [
        {**placed, "seq": 1},
        {**scored, "seq": 2, "t": 2.0, "points": {"blue": 1}},
        {**placed, "seq": 3, "chip": chip},
        {**scored, "seq": 4, "t": 3.0, "points": {"red": 3}},
        {**scored, "seq": 5, "t": 3.0, "points": {"red": 1}, "quarters": [[1, 2, "se"]]},
    ]
    stand_in(page, answers, events)
    go(page, "/table/made")
    page.locator(".event[data-seq='5']").wait_for()
    assert page.locator(".event del").all_inner_texts() == [
        "An area is scored: Blue 1.",
        "p02 lies in row 1, column 2, turned by 90°.",
    ]
    assert page.locator(".event[data-seq='4'] button").count() == 1
    assert page.locator(".event[data-seq='2'] button").count() == 0


def test_a_round_that_the_rules_have_not_ended_is_not_said_to_be_over(open_page: Open) -> None:
    page = open_page()
    ruling = {"type": "round", "t": 9.0, "round": 1, "tasks": ["t05"], "claims": [], "close": [],
              "matching": [], "won": {}, "lead": "blue", "redeal": False, "game_over": False,
              "winners": [], "ended_by": None}  # fmt: skip
    answers = {
        "": made_table("galapa-go", ["red", "blue"]),
        "/claims": {"round": 1, "claims": [], "close": []},
        "/scores": NO_SCORES,
    }
    ended = {**ruling, "seq": 3, "ended_by": "all-passed", "round": 2}
    stand_in(page, answers, [{**ruling, "seq": 2}, ended])
    go(page, "/table/made")
    first = page.locator(".event[data-seq='2']")
    first.wait_for()
    assert "by the rules it has not ended" in first.inner_text()
    assert "is over" not in first.inner_text()
    assert "Round 2 is over. Nobody wanted to go on." in page.locator("ol.history").inner_text()
    page.get_by_role("button", name="Round 1", exact=True).click()
    page.get_by_text("By the rules the round had not ended.").wait_for()
    assert "Next to turn a Task" not in page.locator("#round").inner_text()


def test_a_table_that_is_over_promises_nothing(open_page: Open) -> None:
    page = open_page()
    answers = {"": {**made_table("galapa-go", ["red", "blue"]), "state": "ended"},
               "/scores": NO_SCORES}  # fmt: skip
    stand_in(page, answers, [])
    page.route("**/made/picture*", lambda route: route.abort())
    go(page, "/table/made")
    page.get_by_text("Nobody watches this table any more").wait_for()
    page.wait_for_timeout(2000)  # it asks for a picture once more
    assert "Rulings come" not in page.locator("main").inner_text()


def test_a_failed_table_says_why_in_german(open_page: Open) -> None:
    page = open_page()
    reason = "expected a table with cards of 'Paper Safari', no cards seen"
    answers = {"": {**made_table("galapa-go", ["red"]), "state": "failed", "reason": reason},
               "/scores": NO_SCORES}  # fmt: skip
    notice = {"type": "notice", "seq": 1, "t": 3.0, "code": "watch-stopped",
              "text": f"watching has stopped: {reason}"}  # fmt: skip
    stand_in(page, answers, [notice])
    show_german(page)
    go(page, "/table/made")
    told = "erwartet wird ein Tisch mit Karten aus 'Paper Safari', Karten waren keine zu sehen"
    page.locator(".line.failed", has_text=told).wait_for()
    page.locator(".event.kind-notice", has_text=told).wait_for()


NAME = "maximilianecharlottehohenzollernhausen"
STICKS_OUT = """() => [...document.querySelectorAll("main *")]
    .filter(e => !e.closest("svg, .unseen, .scroll, select") && e.getBoundingClientRect().width > 0)
    .filter(e => e.getBoundingClientRect().right > e.closest("main").getBoundingClientRect().right)
    .map(e => e.outerHTML.slice(0, 90))"""


def test_long_names_and_points_that_nobody_knows(open_page: Open) -> None:
    page = open_page("/", width=390, height=844)
    unknown = dict.fromkeys(("base", "own_impact", "shared_impact", "impact", "score"))
    ann = {**unknown, "name": NAME, "method": None, "choice": None, "reason": "not scored"}
    bob = {"name": "bottom", "method": "time", "choice": "day", "base": 1, "own_impact": 0,
           "shared_impact": 0, "impact": 0, "score": 1, "reason": ""}  # fmt: skip
    hands = {
        "players": [ann, bob],
        "position": {
            "shared": [],
            "players": [{"name": NAME, "hand": ["h01", None], "locked": None}],
        },
    }
    scores = {**NO_SCORES, "scores": {NAME: 100, "bottom": 1}}
    scores["history"] = [{"round": n, "t": n, "scores": scores["scores"]} for n in (1, 2)]
    answers = {"": made_table("exploring-galapagos", [NAME, "bottom"]), "/scores": scores}
    stand_in(page, answers, [{"seq": 1, "type": "hands", "t": 4.0, "round": 1, **hands}])
    go(page, "/table/made")
    page.locator(".hand", has_text=NAME).wait_for()
    page.locator(".ranking li").first.wait_for()
    page.get_by_text("Round by round").click()
    assert page.locator(".hand .total").all_inner_texts() == ["–", "1 point"]
    assert page.locator(".hand .face.unknown").count() == 1
    assert page.evaluate(STICKS_OUT) == []


CUT = """() => [...document.querySelectorAll(".choices select")].filter(each => {
    const whole = each.cloneNode(true);
    whole.style.cssText = "position: absolute; width: auto; flex: none; min-width: 0";
    whole.value = each.value;
    document.body.append(whole);
    const isCut = each.offsetWidth < whole.offsetWidth;
    whole.remove();
    return isCut;
}).map(each => each.value)"""


@pytest.mark.parametrize("width", [360, 390])
def test_choices_in_the_bar_are_not_cut_on_a_phone(open_page: Open, width: int) -> None:
    page = open_page("/", width=width, height=844)
    show_german(page)
    assert page.evaluate(CUT) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_photograph_is_read_in_german(open_page: Open) -> None:
    page = open_page("/", width=390, height=844)
    show_german(page)
    go(page, "/photo")
    page.get_by_text("Datei wählen").wait_for()
    page.get_by_label("Foto").set_input_files(PICTURES / "exploring-galapagos.jpg")
    assert page.get_by_label("Das Spiel ist aus").is_hidden()
    page.get_by_label("Kartenset").select_option("exploring-galapagos")
    page.get_by_role("button", name="Werten", exact=True).click()
    page.locator("table.seen td", has_text="Lebensraum").first.wait_for()
    names = page.locator(".hand .badge").all_inner_texts()
    assert names == ["unten", "links", "oben", "rechts"]
    text = page.locator("main > .result").inner_text()
    assert not {"habitat", "bottom", "left"} & {word.strip(".,:") for word in text.split()}

    page.get_by_label("Kartenset").select_option("panda-gorilla")
    page.get_by_role("button", name="Werten", exact=True).click()
    page.locator(
        ".fault", has_text="Ein Tisch mit diesem Kartenset ist nicht zu erkennen"
    ).wait_for()


@pytest.mark.parametrize("game", ["Galapa Go", "Exploring Galapagos", "Panda, Gorilla & Co"])
def test_the_setup_shows_no_values_of_the_program(open_page: Open, game: str) -> None:
    page = open_page("/#/new")
    page.get_by_role("radio", name="Recording").check()
    for step in ("source", "deck", "players"):
        if step == "deck":
            page.get_by_role("radio", name=game).check()
        text = page.locator("main").inner_text()
        assert not re.search(r"\b(false|true|null|undefined|NaN)\b|\[object", text), text
        page.get_by_role("button", name="Next").click()


def test_what_no_photograph_shows_is_told_with_it(open_page: Open) -> None:
    page = open_page("/#/photo", width=390, height=844)
    page.get_by_label("Photograph").set_input_files(PICTURES / "exploring-galapagos.jpg")
    page.get_by_label("Deck").select_option("galapa-go")
    assert page.get_by_text("Who sits where").is_hidden()
    page.get_by_label("Deck").select_option("exploring-galapagos")
    page.get_by_text("Who sits where").click()
    for side, name in (("bottom", "ann"), ("left", "bob"), ("top", "cy"), ("right", "dee")):
        page.locator(f"[data-side={side}]").fill(name)
    page.get_by_label("Used before at this side: left, time").check()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Score", exact=True).click()
    page.locator("table.seen").wait_for()
    assert page.locator(".hand .badge").all_inner_texts() == ["ann", "bob", "cy", "dee"]
    bob = page.locator(".hand", has_text="bob")
    assert "used before, nothing is scored" in bob.inner_text()
    assert bob.locator(".total").inner_text() == "0 points"


def test_a_buzzer_that_no_other_phone_can_open_says_so(open_page: Open) -> None:
    page = open_page("/", width=320, height=640)
    stand_in(page, {"": made_table("galapa-go", ["red", "blue"]), "/scores": NO_SCORES}, [])
    go(page, "/table/made/buzzer")
    page.get_by_role("button", name="Blue").wait_for()
    assert "Other phones cannot reach this service" in page.locator("main").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def renamed_deck(folder: Path) -> Path:
    """The deck of Panda with other names for its cards."""
    shipped = find_resource("datasets/decks/panda-gorilla")
    told = (shipped / "deck.yaml").read_text(encoding="utf-8")
    told = re.sub(r"id: (p\d+)", r"id: own-\1", told).replace("id: back-path", "id: pond")
    told = told.replace("name: Paper Zoo", "name: Own Zoo")
    back = "  - {id: pond2, kind: back, image: cards/back-path.png, of: path}"
    with ZipFile(folder / "own.zip", "w") as pack:
        pack.writestr("deck.yaml", told.replace("cards:\n", f"cards:\n{back}\n", 1))
        for path in (path for path in shipped.rglob("*.png") if path.is_file()):
            pack.write(path, path.relative_to(shipped))
    return folder / "own.zip"


LOADED = "image => image.decode().then(() => image.naturalWidth > 0)"


def test_a_deck_of_ones_own_has_faces_and_remarks(open_page: Open, tmp_path: Path) -> None:
    page = open_page("/#/new")
    page.get_by_role("radio", name="Recording").check()
    page.get_by_role("button", name="Next").click()
    page.get_by_label("Send a deck of your own").set_input_files(renamed_deck(tmp_path))
    page.get_by_text("2 backs of the kind path").wait_for()
    own = page.locator(".option.deck", has_text="Own Zoo")
    assert own.get_by_role("radio").is_checked()
    own.locator("img[src]").wait_for()
    assert own.locator("img").evaluate(LOADED)

    deck = page.evaluate("async () => (await (await fetch('api/v1/decks')).json()).decks.at(-1).id")
    table = {**made_table("panda-gorilla", ["red", "blue"]), "deck": deck}
    answers = {"": table, "/areas": {"areas": [], "points": {}}, "/scores": NO_SCORES}
    stand_in(
        page, answers, [{"seq": 1, "type": "placed", "t": 0, "row": 1, "col": 2, "pond": True}]
    )
    go(page, "/table/made")
    href = page.locator(".zoo image").get_attribute("href")
    assert page.evaluate("async href => (await fetch(href)).ok", href)
