"""From setup to a whole round in a browser; the sample recording stands in for the camera."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.system.conftest import PATIENCE_MS

pytestmark = [
    pytest.mark.system,
    # The browser's own event loop is closed by its driver, after pytest has looked.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

PICTURES = Path(__file__).parents[1] / "data" / "pictures"
PLAYED = """async film => {
    await film.play();
    while (film.currentTime < 0.1) await new Promise(go => setTimeout(go, 50));
    return [film.videoWidth, film.playbackRate, film.duration];
}"""
Open = Callable[..., Any]


def set_up(page: Any, recording: str, colours: tuple[str, ...], is_paced: bool = True) -> str:
    """Goes through the steps of the setup and returns the address of the table."""
    page.get_by_role("link", name="Set up a table").click()
    page.get_by_role("radio", name="Recording").check()
    page.get_by_label("Recording", exact=True).last.select_option(recording)
    page.get_by_label("Play it at the speed of life").set_checked(is_paced)
    page.get_by_role("button", name="Next").click()
    page.get_by_role("radio", name="Galapa Go").check()
    page.get_by_role("button", name="Next").click()
    for colour in colours:
        page.locator(f"[data-player={colour}]").click()
    page.get_by_role("button", name="Next").click()
    page.get_by_text("cards lie there and are known.").wait_for()
    page.get_by_role("button", name="Start").click()
    page.locator(".table-grid").wait_for()
    return str(page.url).partition("#")[2]


@pytest.fixture(scope="module")
def watched(browser: Any, service: str) -> str:
    """The address of a table whose recording has been watched to its end."""
    page = browser.new_page(viewport={"width": 1280, "height": 800}, locale="en-GB")
    page.set_default_timeout(PATIENCE_MS)
    page.goto(service)
    address = set_up(page, "sample.mp4", ("yellow", "green", "orange"), is_paced=False)
    page.locator(".line.ended").wait_for()
    page.close()
    return address


def test_a_round_from_setup_to_its_ruling(open_page: Open) -> None:
    page = open_page()
    address = set_up(page, "sample.mp4", ("yellow", "green", "orange"))
    page.locator(".picture:not(.waiting) img").wait_for()
    page.locator(".claim[data-player=green]").first.wait_for()
    # Nothing is given away while the round runs.
    assert page.locator(".claim[data-player=green] .verdict").first.inner_text() == "landed"

    page.reload()  # in mid-round
    page.locator(".claim[data-player=green]").first.wait_for()
    second = open_page(f"/#{address}", width=390, height=844)
    second.locator(".picture:not(.waiting) img").wait_for()
    phone = open_page(f"/#{address}/buzzer", width=390, height=844)
    phone.get_by_role("button", name="Orange").click()
    phone.get_by_role("button", name="I know it!").wait_for()

    for viewer in (page, second):
        viewer.get_by_role("button", name="Round 1", exact=True).click()
        viewer.locator(".claim.correct[data-player=green][data-card=a24]").wait_for()
        viewer.locator(".claim.wrong[data-player=yellow][data-card=a19]").wait_for()
        viewer.locator(".claim.correct[data-player=orange][data-card=a03]").wait_for()
        assert "no lion" in viewer.locator(".claim.wrong .reason").inner_text()
        assert viewer.locator(".finish .frames img").count() >= 6
    phone.get_by_text("Round 1 is over.").wait_for()
    assert "1" in phone.locator(".news .big").inner_text()


def test_the_film_of_a_photo_finish_plays_on_while_the_page_changes(
    open_page: Open, watched: str
) -> None:
    page = open_page(f"/#{watched}")
    page.get_by_role("button", name="Round 1", exact=True).click()
    film = page.locator(".finish .frames video").first
    width, rate, duration = film.evaluate(PLAYED)
    assert (width, rate) == (640, 0.25)
    assert duration == pytest.approx(1.8, abs=0.1)
    page.locator("#round").evaluate("round => delete round.dataset.shown")
    with page.expect_response(re.compile("/claims")):
        page.get_by_role("button", name="Round 1", exact=True).click()
    page.wait_for_timeout(300)
    assert page.locator("#round").evaluate("round => Boolean(round.dataset.shown)")
    assert film.evaluate("film => !film.paused && film.currentTime > 0.1")


def test_a_passed_buzzer_reaches_every_viewer(open_page: Open) -> None:
    page = open_page()
    address = set_up(page, "sample.mp4", ("yellow", "green", "orange"))
    page.locator(".claim").first.wait_for()
    phone = open_page(f"/#{address}/buzzer", width=390, height=844)
    phone.get_by_role("button", name="Yellow").click()
    phone.get_by_role("button", name="Pass").click()
    page.locator(".event", has_text="Yellow passes.").wait_for()


def test_a_correction_is_judged_anew_and_taken_back(open_page: Open, watched: str) -> None:
    page = open_page(f"/#{watched}")
    claim = page.locator(".claim.correct[data-player=yellow][data-card=a16]")
    claim.get_by_role("button", name="Change").click()
    pad = page.get_by_role("dialog")
    pad.get_by_role("button", name="Replace").click()
    pad.get_by_text("Change something").wait_for()  # nothing was changed yet
    pad.get_by_label("Card", exact=True).select_option("a05")
    pad.get_by_label("Why?").fill("the Camera lay on a05")
    pad.get_by_role("button", name="Replace").click()

    page.locator(".claim.wrong[data-player=yellow][data-card=a05]").wait_for()
    assert "the Camera lay on a05" in page.locator("#round").inner_text()
    page.get_by_role("button", name=re.compile("^Change: Corrected: ")).click()
    page.get_by_role("dialog").get_by_role("button", name="Take back").click()
    claim.wait_for()


def test_a_broken_line_is_mended_without_a_gap(open_page: Open) -> None:
    page = open_page()
    lines: list[Any] = []

    def pass_on(line: Any) -> None:
        line.connect_to_server()
        lines.append(line)

    page.route_web_socket(re.compile("/events"), pass_on)
    set_up(page, "sample.mp4", ("yellow", "green", "orange"))
    page.locator(".claim").first.wait_for()
    page.context.set_offline(True)
    lines[-1].close(code=1011)
    page.locator(".line.broken").wait_for()
    page.wait_for_timeout(5000)  # meanwhile the round goes on
    page.context.set_offline(False)

    page.locator(".event", has_text="Round 2 is over").wait_for()
    assert len(lines) > 1
    shown = page.locator(".event").evaluate_all("all => all.map(e => Number(e.dataset.seq))")
    known = page.evaluate(
        """async () => (await (await fetch(`api/v1/tables/${location.hash.split("/")[2]}/events`)
        ).json()).events.map(e => e.seq)"""
    )
    assert sorted(shown) == known
    assert shown == sorted(shown, reverse=True)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out(open_page: Open, watched: str, width: int, scheme: str) -> None:
    page = open_page("/", width=width, color_scheme=scheme)
    for path in ("/", "/new", "/photo", watched, f"{watched}/buzzer"):
        page.goto(f"{page.url.partition('#')[0]}#{path}")
        page.locator("main h1").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_everything_can_be_reached_by_keyboard_and_has_a_name(
    open_page: Open, watched: str
) -> None:
    page = open_page(f"/#{watched}")
    page.locator(".claim").first.wait_for()
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, a, input, select")]
        .filter(e => !(e.textContent || e.getAttribute("aria-label") || e.labels?.length
            || e.querySelector("img[alt]")?.alt))
        .map(e => e.outerHTML)"""
    )
    assert nameless == []
    assert page.locator("img:not([alt])").count() == 0
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_german_says_it_in_german(open_page: Open, watched: str) -> None:
    page = open_page(f"/#{watched}")
    page.get_by_label("Language").select_option("de")
    page.get_by_role("button", name="Runde 1", exact=True).click()
    page.locator(".claim.wrong").wait_for()
    assert "Löwe fehlt" in page.locator(".claim.wrong .reason").inner_text()
    assert page.evaluate("document.documentElement.lang") == "de"


def test_a_photograph_is_scored(open_page: Open) -> None:
    page = open_page("/#/photo")
    page.get_by_label("Photograph").set_input_files(PICTURES / "table.jpg")
    page.get_by_label("Deck").select_option("galapa-go")
    page.get_by_role("button", name="Score", exact=True).click()
    page.locator(".marked svg .mark").first.wait_for()
    assert page.locator("table.seen tbody tr").count() >= 15


def test_a_refusal_is_told(open_page: Open) -> None:
    page = open_page("/#/new")
    page.get_by_role("radio", name="Stream").check()
    page.get_by_role("button", name="Next").click()
    page.locator(".fault", has_text="Give the address of the stream.").wait_for()


def test_the_address_of_a_stream_is_checked_where_it_is_typed(open_page: Open) -> None:
    page = open_page("/#/new")
    page.get_by_role("radio", name="Stream").check()
    address = page.get_by_label("Stream", exact=True).last
    for wrong in ("foo bar", "camera.local/stream", "rtsp://", "ftp://a/b", "rtsp://a:99999/b"):
        address.fill(wrong)
        page.get_by_role("button", name="Next").click()
        page.locator("#setup-fault", has_text="no address of a stream").wait_for()
        assert address.get_attribute("aria-invalid") == "true", wrong
    address.fill("RTSP://me:secret@[::1]:554/table?key=1")
    assert page.locator("#setup-fault").is_hidden()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("heading", name="Which game, with which deck?").wait_for()


def test_names_are_checked_before_a_photograph_is_sent(open_page: Open) -> None:
    page = open_page("/#/photo", width=390, height=500)
    page.get_by_label("Photograph").set_input_files(PICTURES / "exploring-galapagos.jpg")
    page.get_by_label("Deck").select_option("exploring-galapagos")
    page.get_by_role("button", name="Score", exact=True).click()
    page.locator("table.seen").wait_for()
    page.get_by_text("Who sits where").click()
    page.locator("[data-side=bottom]").fill("ann")
    page.locator("[data-side=left]").fill("ann")
    page.get_by_role("button", name="Score", exact=True).click()
    page.locator(".seats .fault", has_text="Two players are called ann").wait_for()
    assert page.locator("table.seen").count() == 0  # it is no answer to this


def test_a_refused_photograph_leaves_no_former_answer(open_page: Open) -> None:
    page = open_page("/#/photo")
    page.get_by_label("Photograph").set_input_files(PICTURES / "table.jpg")
    page.get_by_label("Deck").select_option("galapa-go")
    page.get_by_role("button", name="Score", exact=True).click()
    page.locator("table.seen").wait_for()
    refusal = {"status": 422, "title": "Unprocessable", "code": "no-picture", "detail": "refused"}
    page.route("**/api/v1/score", lambda route: route.fulfill(status=422, json=refusal))
    page.get_by_role("button", name="Score", exact=True).click()
    page.locator(".result .fault").wait_for()
    assert page.locator("table.seen").count() == 0
    assert page.locator(".marked").count() == 0


@pytest.mark.parametrize("language", ["en", "de"])
def test_who_sits_where_can_be_typed_without_scrolling(open_page: Open, language: str) -> None:
    # A scrollbar of a desktop takes 15 pixels of a window of 390.
    page = open_page("/#/photo", width=375, height=800)
    page.evaluate(f"localStorage.setItem('table-referee', '{json.dumps({'language': language})}')")
    page.reload()
    page.locator("main select").select_option("exploring-galapagos")
    page.locator(".seats summary").click()
    wide = "all => all.filter(e => e.scrollWidth > e.clientWidth).length"
    assert page.locator(".seats .scroll:visible").evaluate_all(wide) == 0


def answering(answer: Any) -> Callable[[Any], None]:
    """Returns what answers a request with some JSON."""
    return lambda route: route.fulfill(json=answer)


def stand_in(page: Any, answers: dict[str, Any], events: list[dict[str, Any]]) -> None:
    """Answers for the service, with lines of the contract."""
    for ending, answer in answers.items():
        page.route(re.compile(rf"/api/v1/tables/made{ending}(\?.*)?$"), answering(answer))
    page.route("**/made/picture*", lambda route: route.abort())

    def talk(socket: Any) -> None:
        for event in events:
            socket.send(json.dumps(event))

    page.route_web_socket(re.compile("/tables/made/events"), talk)


def made_table(game: str, players: list[str]) -> dict[str, Any]:
    return {
        "id": "made",
        "game": game,
        "deck": game,
        "source": {"camera": "0"},
        "players": players,
        "state": "open",
        "reason": "",
        "clock": 9.0,
        "round": 1,
        "last_seq": 9,
        "realtime": True,
    }


NO_SCORES = {"scores": {}, "history": [], "game_over": False, "winners": []}


def test_what_is_too_close_is_called_so(open_page: Open) -> None:
    page = open_page()
    claim = {"card": "a07", "verdict": "correct", "reason": "", "evidence": [], "dt": 0.033}
    claims = [
        {**claim, "player": "red", "order": 1, "t": 3.1, "seq": 2},
        {**claim, "player": "blue", "order": 2, "t": 3.11, "seq": 3},
    ]
    answers = {
        "": made_table("galapa-go", ["red", "blue"]),
        "/claims": {"round": 1, "claims": claims, "close": [["red", "blue"]]},
        "/scores": NO_SCORES,
    }
    stand_in(page, answers, [{"seq": 1, "type": "task", "t": 1.0, "round": 1, "tasks": ["t05"]}])
    page.goto(f"{page.url.partition('#')[0]}#/table/made")
    page.locator(".finish.close", has_text="Too close to call.").wait_for()
    assert page.locator(".claim .close-call").count() == 2
    assert page.locator(".finish .axis .interval").count() == 2


def test_areas_are_drawn_with_their_animals(open_page: Open) -> None:
    page = open_page()
    quarters = [[1, 2, name] for name in ("nw", "ne", "sw", "se")]
    area = {
        "quarters": quarters,
        "colour": "dark",
        "complete": True,
        "chips": [{"row": 1, "col": 2, "quarter": "nw", "player": "red", "size": "medium"}],
        "animals": {"large": 0, "medium": 1, "small": 0},
        "packing": [{"size": "medium", "quarters": quarters}],
        "points": {"red": 3},
    }
    answers = {
        "": made_table("panda-gorilla", ["red", "blue"]),
        "/areas": {"areas": [area], "points": {"red": 3}},
        "/scores": {**NO_SCORES, "scores": {"red": 3, "blue": 0}},
    }
    placed = {"seq": 1, "type": "placed", "t": 0, "row": 1, "col": 2, "card": "p02", "rotation": 90}
    stand_in(page, answers, [placed])
    page.goto(f"{page.url.partition('#')[0]}#/table/made")
    page.locator(".zoo .animal.medium").wait_for()
    assert "rotate(90" in page.locator(".zoo image").get_attribute("transform")
    assert page.locator(".zoo .chip-on-board .shape.red").count() == 1
    assert "Red: 3" in page.locator(".areas").inner_text()


WATCH = """async spec => {
    const answer = await fetch("api/v1/tables", {
        method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(spec),
    });
    return (await answer.json()).id;
}"""


def test_a_live_board_is_drawn_with_its_areas(open_page: Open) -> None:
    page = open_page()
    spec = {"game": "panda-gorilla", "deck": "panda-gorilla", "players": ["green", "blue"]}
    table = page.evaluate(WATCH, {**spec, "source": {"recording": "panda.mp4"}, "realtime": False})
    page.goto(f"{page.url.partition('#')[0]}#/table/{table}")
    page.locator(".zoo .animal.small").nth(2).wait_for()
    assert page.locator(".zoo .animal").count() == 3
    page.locator(".areas li.complete", has_text="Blue: 3").wait_for()
    page.locator(".ranking li[data-player=blue]", has_text="3").wait_for()
    page.locator(".event", has_text="p14 lies in row 4, column 7").wait_for()


def test_live_hands_are_told_with_their_sum(open_page: Open) -> None:
    page = open_page()
    spec = {"game": "exploring-galapagos", "deck": "exploring-galapagos", "realtime": False}
    table = page.evaluate(WATCH, {**spec, "source": {"recording": "exploring.mp4"}})
    page.goto(f"{page.url.partition('#')[0]}#/table/{table}")
    page.get_by_text("Round 2").first.wait_for()
    hand = page.locator(".hand", has_text="bottom").first  # the newest round stands first
    assert hand.locator(".sum dd").all_inner_texts() == ["3", "+5", "8"]
    assert hand.locator(".faces img").count() == 4
    page.locator(".ranking li[data-player=bottom]", has_text="18").wait_for()


def test_hands_are_explained(open_page: Open) -> None:
    page = open_page()
    ann = {"name": "ann", "method": "time", "choice": "day", "base": 9, "own_impact": 1}
    ann |= {"shared_impact": 3, "impact": -1, "score": 8, "reason": ""}
    answers = {"": made_table("exploring-galapagos", ["ann", "bob"]), "/scores": NO_SCORES}
    stand_in(page, answers, [{"seq": 1, "type": "hands", "t": 4.0, "round": 1, "players": [ann]}])
    page.goto(f"{page.url.partition('#')[0]}#/table/made")
    hand = page.locator(".hand", has_text="ann")
    hand.wait_for()
    assert "1 own + 3 shared = 4 icons, an even number" in hand.inner_text()
    assert hand.locator(".sum dd").all_inner_texts() == ["9", "−1", "8"]
